// Reads a record back as plain data, finished, left by a run that died, or while it is written.
#pragma once

#include <map>
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
  std::vector<BodyFrame> bodies;           // those of the first frame, those of the second, ...
  std::vector<double> probes;              // in the same way
  std::vector<ContactFrame> contacts;      // rows of the first frame, then of the second, ...
  std::vector<std::size_t> first_contact;  // where those of each frame start, and where all end

  Frame frame(std::size_t i) const;  // a view: the block must outlive it
};

// What events concern, just before (side -1) and after them (+1), in the order of events.
struct EventStates {
  struct Body {
    std::size_t event = 0;
    int side = 0;
    std::size_t body = 0;
    BodyFrame frame;
  };
  struct Contact {
    std::size_t event = 0;
    int side = 0;
    ContactFrame frame;
  };
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
};

// Whether a file is a record and not a scene: by its first bytes or, where it has none, its name.
bool is_record(const std::string& path);

class RecordReader {
 public:
  // Errors say why a file is not a record, or what is damaged.
  static Result<RecordReader> open(const std::string& path);

  const std::string& path() const { return path_; }
  const Header& header() const { return header_; }
  // Those that are complete: a run that is killed may leave half a frame.
  std::size_t frames() const { return frames_; }
  const std::vector<Event>& events() const { return events_; }
  // Whether frames before and after events are among the frames, as in formats 1 and 2; else what
  // events concern is in event_states().
  bool events_are_frames() const { return format_ < 3; }
  struct EventEnergy {
    EnergyFrame before, after;
  };
  const EventEnergy& event_energy(std::size_t event) const { return marks_[event].energy; }
  // Of at most `count` events from the given one on.
  Result<EventStates> event_states(std::size_t first, std::size_t count) const;
  // None if the run has not finished.
  const std::optional<Summary>& summary() const { return summary_; }
  // Whether `oloid recover` has made it from a .part file.
  bool recovered() const { return recovered_; }

  // At most `count` frames from the given one on.
  Result<FrameBlock> read(std::size_t first, std::size_t count) const;

 private:
  RecordReader() = default;
  friend class RecordOpener;  // in record_open.cpp
  Error damage(std::string_view what) const;

  bool read_contact_rows(std::size_t first, std::size_t count, FrameBlock& block) const;
  bool read_pair_contacts(std::size_t first, std::size_t count, FrameBlock& block) const;
  bool are_valid(const std::vector<ContactFrame>& rows) const;
  ContactId id_at(int pair, double t) const;

  std::string path_;
  int format_ = 0;
  Hdf5Handle file_;
  Header header_;
  std::size_t frames_ = 0;
  std::vector<Event> events_;
  // Of each event: what is in event_bodies and event_contacts of it.
  struct EventMark {
    EventEnergy energy;
    std::size_t first_body = 0, bodies = 0, first_contact = 0, contacts = 0;
  };
  std::vector<EventMark> marks_;
  // Formats 1 and 2 do not number contacts: by pair, when they began.
  std::map<int, std::vector<std::pair<double, ContactId>>> births_;
  std::shared_ptr<const std::set<std::string>> notes_;  // what the events' notes are views of
  std::optional<Summary> summary_;
  bool recovered_ = false;
};

}  // namespace oloid::io
