#include "oloid/io/record/record_playback.h"

#include <limits>

#include "oloid/io/record/event_frames.h"

namespace oloid::io {
namespace {

// Shows frames and events in order of time. At one time a frame comes before the events.
class Player {
 public:
  Player(const RecordReader& record, Recorder& recorder)
      : record_(record), recorder_(recorder), event_frames_(record) {}

  std::optional<Error> play() {
    constexpr std::size_t kFramesAtOnce = 1024;
    recorder_.begin(record_.header());
    for (std::size_t first = 0; first < record_.frames(); first += kFramesAtOnce) {
      // One more frame, where the stretch after the last one ends.
      const auto block = record_.read(first, kFramesAtOnce + 1);
      if (!block) return block.error();
      const std::size_t count = std::min(kFramesAtOnce, block->count);
      for (std::size_t i = 0; i < count; ++i) {
        Frame frame = block->frame(i);
        if (record_.events_are_frames() && frame.event_side != 0) {
          show_with_its_event(frame);
        } else {
          if (record_.events_are_frames()) events_before(frame.t);
          recorder_.frame(frame);
        }
        if (first + i == 0) last_.energy.initial = frame.energy.kinetic + frame.energy.potential;
        if (first + i + 1 == record_.frames()) note_last(frame);
        if (record_.events_are_frames()) continue;
        const bool more = i + 1 < block->count;
        const Frame next = more ? block->frame(i + 1) : Frame{};
        if (auto error = events_between(frame, more ? &next : nullptr)) return error;
      }
    }
    events_before(std::numeric_limits<double>::infinity());
    last_.counters.events = static_cast<std::int64_t>(record_.events().size());
    recorder_.end(record_.summary().value_or(last_));
    return std::nullopt;
  }

 private:
  void events_before(double t) {
    for (; event_ < record_.events().size() && record_.events()[event_].t < t; ++event_)
      recorder_.event(record_.events()[event_]);
  }

  // In formats 1 and 2 a frame belongs to an event at the same time. If there is none, it is the
  // last frame of the run.
  void show_with_its_event(Frame& frame) {
    events_before(frame.t);
    const bool found = event_ < record_.events().size() && record_.events()[event_].t == frame.t;
    const bool last = found && event_ + 1 == record_.events().size();
    if (found && !last) frame.event = &record_.events()[event_];
    recorder_.frame(frame);
    if (frame.event && frame.event_side > 0) recorder_.event(record_.events()[event_++]);
  }

  std::optional<Error> events_between(const Frame& start, const Frame* end) {
    std::size_t after = event_;
    while (after < record_.events().size() && (!end || record_.events()[after].t < end->t)) ++after;
    if (after == event_) return std::nullopt;
    auto states = record_.event_states(event_, after - event_);
    if (!states) return states.error();
    event_frames_.begin(start, end, *std::move(states));
    for (; event_ < after; ++event_) {
      if (event_frames_.has(event_)) {
        for (const int side : {-1, 1}) recorder_.frame(event_frames_.frame(event_, side));
      }
      recorder_.event(record_.events()[event_]);
    }
    return std::nullopt;
  }

  // Of a run that did not come to its end.
  void note_last(const Frame& frame) {
    last_.t_end = frame.t;
    last_.bodies.assign(frame.bodies.begin(), frame.bodies.end());
    last_.energy.final = frame.energy.kinetic + frame.energy.potential;
    last_.energy.dissipated = frame.energy.dissipated;
    last_.energy.work = frame.energy.work;
  }

  const RecordReader& record_;
  Recorder& recorder_;
  EventFrames event_frames_;
  std::size_t event_ = 0;  // the next one
  Summary last_;
};

}  // namespace

std::optional<Error> play(const RecordReader& record, Recorder& recorder) {
  return Player(record, recorder).play();
}

}  // namespace oloid::io
