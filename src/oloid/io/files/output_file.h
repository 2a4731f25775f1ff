// A text file that appears under its name only when it is complete.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "oloid/io/files/output_path.h"

namespace oloid::io {

class OutputFile {
 public:
  static Result<OutputFile> make(const std::string& path);
  OutputFile(OutputFile&&) = default;
  OutputFile& operator=(OutputFile&&) = delete;
  // If not committed, the part file stays if something was written; otherwise it is removed.
  ~OutputFile();

  // After a failure, further text is ignored.
  void write(std::string_view text);
  // Closes and renames.
  void commit();
  const std::optional<Error>& trouble() const { return trouble_; }

 private:
  OutputFile(OutputPath path, std::FILE* file);
  void note_trouble(int error_number);

  OutputPath path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  bool written_ = false;
  std::optional<Error> trouble_;
};

}  // namespace oloid::io
