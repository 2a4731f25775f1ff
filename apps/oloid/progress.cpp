#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace oloid::app {

using Clock = std::chrono::steady_clock;

namespace {

// A terminal that has gone away does not end the run.
void show(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace

Progress::Progress() : visible_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

void Progress::frame(const Frame& frame) {
  mode_ = Mode::separated;
  for (const ContactFrame& contact : frame.contacts) {
    if (contact.mode == Mode::separated) continue;
    mode_ = contact.mode;
    return;
  }
}

void Progress::update(double t) {
  if (!visible_) return;
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  constexpr int kWidth = 20;
  const double part = std::clamp(t / t_end_, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(part * kWidth);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = part > 0 ? elapsed * (1 - part) / part : 0;
  show(fmt::format("\r[{}{}] {:3.0f} %  t = {:.3f} s  {:.3g} x real time  {:.0f} s left  {:<12} ",
                   std::string(full, '='), std::string(kWidth - full, ' '), 100 * part, t,
                   t / elapsed, left, name(mode_)));
  std::fflush(stderr);
}

void Progress::end(const Summary&) {
  if (drawn_) show(fmt::format("\r{}\r", std::string(90, ' ')));
  drawn_ = false;
}

}  // namespace oloid::app
