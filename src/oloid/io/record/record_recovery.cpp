#include "oloid/io/record/record_recovery.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "oloid/io/files/output_path.h"
#include "oloid/io/files/writer_lock.h"
#include "oloid/io/record/record_file.h"
#include "oloid/io/record/record_playback.h"

namespace oloid::io {
namespace {

constexpr std::string_view kPart = ".part";

Unexpected<Error> no(const std::string& file, std::string message, std::string remedy) {
  return {Error{{file, "", 0, 0}, std::move(message), std::move(remedy)}};
}

// Also of a link that leads nowhere.
bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

// Gives a file its name if nothing else has it; 0 or an errno.
int name_it(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (::link(from.c_str(), to.c_str()) != 0) return errno;  // where renaming cannot be so careful
  ::unlink(from.c_str());
  return 0;
}

// Writes the record under the name `beside`, which is to be called `to`: errors name that.
std::optional<Error> copy(const RecordReader& from, const std::string& beside,
                          const std::string& to) {
  auto copy = make_recovered_record(beside);
  std::optional<Error> error = copy ? std::nullopt : std::optional(copy.error());
  if (copy) {
    if (auto unreadable = play(from, **copy)) {
      copy = std::unique_ptr<Recorder>();  // closes it
      std::remove((beside + std::string(kPart)).c_str());
      return unreadable;
    }
    error = (*copy)->trouble();
  }
  if (error) error->place.file = to;
  return error;
}

}  // namespace

Result<Recovery> recover_record(const std::string& part, std::string to) {
  if (!part.ends_with(kPart)) {
    return no(part, "this is not the .part file of a record", "such files are named NAME.h5.part");
  }
  if (!exists(part)) {
    return no(part, "there is no such file", "check the spelling and the current directory");
  }
  if (to.empty()) to = part.substr(0, part.size() - kPart.size());
  const std::string beside = to + ".recovered";  // complete before it gets its name
  if (exists(to)) return no(to, "this file already exists", "choose another name with -o");
  for (const std::string& own : {beside, beside + std::string(kPart)}) {
    if (!exists(own)) continue;
    return no(own,
              "this file already exists, but the record has to be written under that name first",
              "remove it if an earlier `recover` left it behind, or choose another name with -o");
  }
  WriterLock lock;
  if (!lock.take(part)) {
    return no(part, "a run is writing this record", "wait for it to finish, or interrupt it");
  }
  Recovery result{to, 0, 0, 0};
  {
    auto record = RecordReader::open(part);
    if (!record) return Unexpected{record.error()};
    if (record->frames() == 0) {
      return no(part, "nothing to recover: the record has no complete frame",
                "run the scene again");
    }
    result.frames = record->frames();
    result.events = record->events().size();
    auto last = record->read(record->frames() - 1, 1);
    if (!last) return Unexpected{last.error()};
    result.t_end = last->t.front();
    if (auto error = copy(*record, beside, to)) return Unexpected{*error};
  }
  if (const int why = name_it(beside, to); why != 0) {
    std::remove(beside.c_str());
    return Unexpected{file_error(to, "cannot rename the record", why)};
  }
  std::remove(part.c_str());
  return result;
}

}  // namespace oloid::io
