#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace oloid::app {

using Clock = std::chrono::steady_clock;

Progress::Progress(double t_end)
    : t_end_(t_end), visible_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

void Progress::update(double t) {
  if (!visible_) return;
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  constexpr int kWidth = 30;
  const double part = std::clamp(t / t_end_, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(part * kWidth);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = part > 0 ? elapsed * (1 - part) / part : 0;
  fmt::print(stderr, "\r[{}{}] {:3.0f} %  t = {:.3f} s  {:.0f} s left ", std::string(full, '='),
             std::string(kWidth - full, ' '), 100 * part, t, left);
  std::fflush(stderr);
}

void Progress::finish() {
  if (drawn_) fmt::print(stderr, "\r{}\r", std::string(78, ' '));
}

}  // namespace oloid::app
