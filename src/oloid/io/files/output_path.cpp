#include "oloid/io/files/output_path.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace oloid::io {
namespace fs = std::filesystem;

namespace {

std::string remedy_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some disk space or write to another disk";
    case EFBIG:
      return "raise the file size limit (ulimit -f) or record fewer frames";
    case ENOENT:
    case ENOTDIR:
      return "create the folder first";
    case EACCES:
    case EPERM:
      return "choose a folder you have write access to";
    case EROFS:
      return "the disk is read-only: write to another one";
    case EISDIR:
      return "specify a file name, not a folder";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "try another location";
  }
}

}  // namespace

Error file_error(const std::string& path, const std::string& doing, int error_number) {
  return {{path, "", 0, 0},
          fmt::format("{}: {}", doing, std::strerror(error_number)),
          remedy_for(error_number)};
}

Result<OutputPath> make_output_path(const std::string& path) {
  const std::string doing = "cannot write the file";
  if (path.empty())
    return Unexpected{Error{{}, "the output file has no name", "specify a file name"}};
  std::error_code trouble;
  fs::path target = fs::weakly_canonical(path, trouble);
  if (trouble) target = path;
  const fs::file_status status = fs::status(target, trouble);
  if (fs::is_directory(status)) return Unexpected{file_error(path, doing, EISDIR)};
  if (fs::exists(status) && !fs::is_regular_file(status)) return OutputPath{path, path};
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::exists(folder, trouble)) return Unexpected{file_error(path, doing, ENOENT)};
  if (!fs::is_directory(folder, trouble)) return Unexpected{file_error(path, doing, ENOTDIR)};
  return OutputPath{target.string(), target.string() + ".part"};
}

std::optional<Error> rename_into_place(const OutputPath& path) {
  if (!path.renamed() || std::rename(path.part_path.c_str(), path.final_path.c_str()) == 0) {
    return std::nullopt;
  }
  return file_error(path.final_path, "cannot rename the finished file " + path.part_path, errno);
}

}  // namespace oloid::io
