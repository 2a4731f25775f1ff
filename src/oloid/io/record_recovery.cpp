#include "oloid/io/record_recovery.h"

#include <cstdio>
#include <filesystem>
#include <memory>

#include "oloid/io/output_path.h"
#include "oloid/io/record_file.h"
#include "oloid/io/record_playback.h"
#include "oloid/io/writer_lock.h"

namespace oloid {
namespace {

constexpr std::string_view kPart = ".part";

Unexpected<Error> no(const std::string& file, std::string message, std::string remedy) {
  return {Error{{file, "", 0, 0}, std::move(message), std::move(remedy)}};
}

// Writes the record under a name of its own.
std::optional<Error> copy(const RecordReader& from, const std::string& to) {
  auto copy = make_recovered_record(to);
  if (!copy) return copy.error();
  if (auto error = play(from, **copy)) {
    copy = std::unique_ptr<Recorder>();  // closes it
    std::remove((to + std::string(kPart)).c_str());
    return error;
  }
  return (*copy)->trouble();
}

}  // namespace

Result<Recovery> recover_record(const std::string& part, std::string to) {
  if (!part.ends_with(kPart)) {
    return no(part, "this is not the part of a record", "parts are called NAME.h5.part");
  }
  if (to.empty()) to = part.substr(0, part.size() - kPart.size());
  std::error_code ignored;
  if (std::filesystem::exists(to, ignored)) {
    return no(to, "this file exists already", "choose another name with -o");
  }
  WriterLock lock;
  if (!lock.take(part)) {
    return no(part, "a run is writing this record", "wait for it to end, or interrupt it");
  }
  Recovery result{to, 0, 0, 0};
  const std::string beside = to + ".recovered";  // complete before it gets its name
  {
    auto record = RecordReader::open(part);
    if (!record) return Unexpected{record.error()};
    if (record->frames() == 0) {
      return no(part, "the record has no complete frame: there is nothing to recover",
                "run the scene again");
    }
    result.frames = record->frames();
    result.events = record->events().size();
    auto last = record->read(record->frames() - 1, 1);
    if (!last) return Unexpected{last.error()};
    result.t_end = last->t.front();
    if (auto error = copy(*record, beside)) return Unexpected{*error};
  }
  std::filesystem::rename(beside, to, ignored);
  if (ignored) return Unexpected{file_error(to, "cannot rename the record", ignored.value())};
  std::remove(part.c_str());
  return result;
}

}  // namespace oloid
