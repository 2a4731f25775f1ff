// A progress bar for people at a terminal; silent when the output goes to a file or a pipe.
#pragma once

#include <chrono>

#include "oloid/scene/recorder.h"

namespace oloid::app {

// Listens to a run for the mode of the contact that is closed first.
class Progress final : public Recorder {
 public:
  Progress();
  void begin(const Header& header) override { t_end_ = header.duration; }
  EventDetail event_detail() const override { return EventDetail::none; }
  void frame(const Frame& frame) override;
  void event(const Event&) override {}
  void end(const Summary&) override;  // wipes the bar

  void update(double t);

 private:
  double t_end_ = 1;  // [s]
  bool visible_;
  bool drawn_ = false;
  Mode mode_ = Mode::separated;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace oloid::app
