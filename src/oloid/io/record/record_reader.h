// Reads a record back as plain data, finished, left by a run that died, or while it is written.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/io/record/hdf5_handle.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

// Frames in a row.
struct FrameBlock {
  std::size_t count = 0;
  std::vector<double> t;  // [s]
  std::vector<int> event_side;
  std::vector<EnergyFrame> energy;
  std::vector<BodyFrame> bodies;       // those of the first frame, those of the second, ...
  std::vector<ContactFrame> contacts;  // in the same way
  std::vector<double> probes;          // in the same way

  Frame frame(std::size_t i) const;  // a view: the block must outlive it
};

// Whether a file is a record and not a scene: by its first bytes or, where it has none, its name.
bool is_record(const std::string& path);

class RecordReader {
 public:
  // Says what is wrong with a file that is no record, or a damaged one.
  static Result<RecordReader> open(const std::string& path);

  const std::string& path() const { return path_; }
  const Header& header() const { return header_; }
  // Those that are complete: a run that is killed may leave half a frame.
  std::size_t frames() const { return frames_; }
  const std::vector<Event>& events() const { return events_; }
  // None if the run has not come to its end.
  const std::optional<Summary>& summary() const { return summary_; }
  // Whether `oloid recover` has made it of what a run left behind.
  bool recovered() const { return recovered_; }

  // At most `count` frames from the given one on.
  Result<FrameBlock> read(std::size_t first, std::size_t count) const;

 private:
  RecordReader() = default;
  friend class RecordOpener;  // in record_open.cpp
  Error damage(std::string_view what) const;

  std::string path_;
  Hdf5Handle file_;
  Header header_;
  std::size_t frames_ = 0;
  std::vector<Event> events_;
  std::shared_ptr<const std::set<std::string>> notes_;  // what the events' notes are views of
  std::optional<Summary> summary_;
  bool recovered_ = false;
};

}  // namespace oloid::io
