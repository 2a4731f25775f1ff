// What commands that write files share: which names are refused, and records turned into files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oloid/io/record/record_reader.h"
#include "oloid/scene/spec.h"
#include "options.h"

namespace oloid::app {

// The scene file (empty: there is none) and all files that it names.
std::vector<std::string> inputs_of(const Spec& spec, const std::string& scene_file);

// An output that is an input, or another output, would destroy it; so would one whose NAME.part is.
// Empty names and devices are left out.
std::optional<Error> named_twice(const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs);

// The record's name, or that of its .part file, with another ending.
std::string beside(const std::string& record_file, const std::string& ending);

// A record to which a run has not yet written anything that could be shown.
Error no_frames(const std::string& record_file);

// Plays a record into an output that was made for it, and tells that the file was written.
ExitCode write_from(const RecordReader& record, const Result<std::unique_ptr<Recorder>>& output,
                    const std::string& file);

}  // namespace oloid::app
