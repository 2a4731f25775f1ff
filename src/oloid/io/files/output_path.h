// Where an output file goes, checked before a long run instead of after it.
#pragma once

#include <optional>
#include <string>

#include "oloid/base/result.h"

namespace oloid::io {

// An Error about a file, from errno, with a remedy for the usual causes.
Error file_error(const std::string& path, const std::string& doing, int error_number);

struct OutputPath {
  std::string final_path;  // links resolved, so that renaming replaces the file and not the link
  std::string part_path;   // written first, then renamed; equal to final_path for devices and pipes
  bool renamed() const { return part_path != final_path; }
};

// Refuses directories, missing folders and the like.
Result<OutputPath> make_output_path(const std::string& path);

// Puts the finished part in its place.
std::optional<Error> rename_into_place(const OutputPath& path);

}  // namespace oloid::io
