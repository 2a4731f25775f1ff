#include "oloid/io/files/output_file.h"

#include <unistd.h>

#include <cerrno>

namespace oloid::io {

Result<OutputFile> OutputFile::make(const std::string& path) {
  auto target = make_output_path(path);
  if (!target) return Unexpected{target.error()};
  // The existing file may be a link to something else.
  if (target->renamed()) ::unlink(target->part_path.c_str());
  std::FILE* file = std::fopen(target->part_path.c_str(), "wbe");
  if (!file) return Unexpected{file_error(path, "cannot write the file", errno)};
  return OutputFile(std::move(*target), file);
}

OutputFile::OutputFile(OutputPath path, std::FILE* file)
    : path_(std::move(path)), file_(file, &std::fclose) {}

OutputFile::~OutputFile() {
  if (!file_) return;
  file_.reset();
  if (!written_ && path_.renamed()) std::remove(path_.part_path.c_str());
}

void OutputFile::write(std::string_view text) {
  if (!file_ || trouble_) return;
  written_ = true;
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) note_trouble(errno);
}

void OutputFile::commit() {
  if (!file_ || trouble_) return;
  if (std::fflush(file_.get()) != 0) return note_trouble(errno);
  if (std::fclose(file_.release()) != 0) return note_trouble(errno);
  trouble_ = rename_into_place(path_);
}

void OutputFile::note_trouble(int error_number) {
  trouble_ = file_error(path_.part_path, "writing failed", error_number);
}

}  // namespace oloid::io
