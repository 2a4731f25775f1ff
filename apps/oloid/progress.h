// A progress bar for people at a terminal; silent when the output goes to a file or a pipe.
#pragma once

#include <chrono>

namespace oloid::app {

class Progress {
 public:
  explicit Progress(double t_end);
  void update(double t);
  void finish();

 private:
  double t_end_;
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace oloid::app
