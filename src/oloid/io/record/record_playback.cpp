#include "oloid/io/record/record_playback.h"

#include <limits>

namespace oloid::io {

std::optional<Error> play(const RecordReader& record, Recorder& recorder) {
  constexpr std::size_t kFramesAtOnce = 1024;
  recorder.begin(record.header());
  Summary last;  // of a run that did not come to its end
  auto event = record.events().begin();
  const auto events_before = [&](double t) {
    for (; event != record.events().end() && event->t < t; ++event) recorder.event(*event);
  };
  for (std::size_t first = 0; first < record.frames(); first += kFramesAtOnce) {
    const auto block = record.read(first, kFramesAtOnce);
    if (!block) return block.error();
    for (std::size_t i = 0; i < block->count; ++i) {
      const Frame frame = block->frame(i);
      events_before(frame.t);
      recorder.frame(frame);
      const double total = frame.energy.kinetic + frame.energy.potential;
      if (first + i == 0) last.energy.initial = total;
      if (first + i + 1 < record.frames()) continue;
      last.t_end = frame.t;
      last.bodies.assign(frame.bodies.begin(), frame.bodies.end());
      last.energy.final = total;
      last.energy.dissipated = frame.energy.dissipated;
      last.energy.work = frame.energy.work;
    }
  }
  events_before(std::numeric_limits<double>::infinity());
  last.counters.events = static_cast<std::int64_t>(record.events().size());
  recorder.end(record.summary().value_or(last));
  return std::nullopt;
}

}  // namespace oloid::io
