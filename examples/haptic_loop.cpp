// A finger slides over a sheet in real time, in and out of contact, over seams, a ridge and the
// border: a servo loop that measures its own latencies. Linux only.
#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <numbers>

#include "finger.h"
#include "latency.h"
#include "oloid/haptics/pair_finder.h"
#include "oloid/spatial/rotation.h"

namespace oloid::example {
namespace {

struct Options {
  double rate = 1000;           // [Hz]
  double seconds = 5;           // [s]
  double search_period = 0.01;  // [s]
  std::string svg = "";
};

// The scripted hand: across the sheet and beyond its border and back in four seconds, dabbing.
Pose<double> hand(double t) {
  const double w = 2 * std::numbers::pi * t / 4;
  const Vec3<double> p(0.015 - 0.055 * std::cos(w), 0.015 * std::sin(3 * w),
                       0.0075 + 0.002 * std::cos(5 * w));
  const Mat3<double> R = axis_angle(Vec3<double>(0, 1, 0), 0.15 * std::sin(2 * w)) *
                         axis_angle(Vec3<double>(1, 0, 0), 0.3 * std::sin(3 * w));
  return {R, p};
}

Twist<double> motion(double t, double h) {  // in the sheet's frame
  const Pose<double> from = hand(t - h), to = hand(t + h);
  const Vec3<double> w = rotation_vector(Mat3<double>(to.R * from.R.transpose())) / (2 * h);
  return {w, (to.p - from.p) / (2 * h) - w.cross(hand(t).p)};
}

double seconds(const timespec& t) {
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
timespec now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t;
}
double between(const timespec& from, const timespec& to) {
  return static_cast<double>(to.tv_sec - from.tv_sec) +
         1e-9 * static_cast<double>(to.tv_nsec - from.tv_nsec);
}
timespec later(timespec t, std::int64_t nanoseconds) {
  const std::int64_t sum = t.tv_nsec + nanoseconds;
  t.tv_sec += sum / 1000000000;
  t.tv_nsec = sum % 1000000000;
  return t;
}

// Skips what an ordinary user is not permitted to do, and says so.
void become_real_time() {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
    fmt::print("note: memory is not locked ({}); pages may be fetched late\n",
               std::strerror(errno));
  sched_param priority{};
  priority.sched_priority = 80;
  if (const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority); error != 0) {
    fmt::print("note: no real-time priority ({}); other programs get in between\n",
               std::strerror(error));
  }
}

struct Tally {
  std::int64_t late = 0, touching = 0, fading = 0, several = 0;
  double largest_force = 0, largest_change = 0;  // [N], the latter from update to update
};

void count(const HapticOutput& out, Vec3<double>& before, Tally& tally) {
  tally.touching += out.status == HapticStatus::touching;
  tally.fading += out.status == HapticStatus::fading;
  tally.several += out.touching > 1;
  tally.largest_force = std::max(tally.largest_force, out.wrench.f.norm());
  tally.largest_change = std::max(tally.largest_change, (out.wrench.f - before).norm());
  before = out.wrench.f;
}

void serve(HapticTool& tool, const Options& options, std::array<LatencyLog, 2>& logs,
           Tally& tally) {
  const auto period = static_cast<std::int64_t>(1e9 / options.rate);
  const double dt = 1e-9 * static_cast<double>(period);
  const auto updates = static_cast<std::int64_t>(options.seconds * options.rate);
  Vec3<double> force = Vec3<double>::Zero();
  timespec due = later(now(), 1000000);
  for (std::int64_t i = 0; i < updates; ++i) {
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
    const timespec woken = now();
    const double t = dt * static_cast<double>(i);
    const Pose<double> X_BA = hand(t);
    const Twist<double> V_BA = motion(t, dt);

    const timespec begun = now();
    const HapticOutput& out = tool.update(X_BA, V_BA, dt);
    const timespec done = now();

    logs[0].add(between(begun, done));
    logs[1].add(between(due, woken));
    count(out, force, tally);
    due = later(due, period);
    if (seconds(done) > seconds(due)) ++tally.late;
  }
}

void report(const HapticTool& tool, const Options& options, const std::array<LatencyLog, 2>& logs,
            const Tally& tally) {
  const HapticCounters& n = tool.output().counters;
  fmt::print("{} Hz for {} s: touching in {} updates (with several pairs in {}), fading in {}\n",
             options.rate, options.seconds, tally.touching, tally.several, tally.fading);
  fmt::print("largest force {:.2f} N, largest change of it in one update {:.3f} N\n",
             tally.largest_force, tally.largest_change);
  fmt::print(
      "{} searches, {} pairs taken, {} lost, {} jumped, {} dropped; {:.2f} iterations an update\n",
      n.searches, n.taken, n.lost, n.jumped, n.dropped,
      static_cast<double>(n.iterations) / static_cast<double>(n.updates));
  fmt::print("{} updates ended after the next was due\n{}", tally.late, table(logs));
}

int run(const Options& options) {
  const TouchableBody tip = finger(), model = sheet();
  const ForceLaw law{
      .stiffness = 800, .damping = 1, .largest_force = 10, .force_ramp = 400, .reach = 0.02};
  HapticTool tool = HapticTool::make(tip, model, law).value();
  PairFinder finder(tool);
  finder.start(options.search_period);  // before this thread gets its priority
  const auto most = static_cast<std::size_t>(options.seconds * options.rate);
  std::array<LatencyLog, 2> logs{LatencyLog("compute", most), LatencyLog("wake-up", most)};
  become_real_time();
  Tally tally;
  serve(tool, options, logs, tally);
  finder.stop();
  report(tool, options, logs, tally);
  if (!options.svg.empty()) {
    std::ofstream file(options.svg);
    file << histogram_svg(logs, fmt::format("servo loop at {} Hz: time of an update, and how late "
                                            "the loop woke up",
                                            options.rate));
    if (!file.good()) {
      fmt::print(stderr, "cannot write {}\n", options.svg);
      return 1;
    }
    fmt::print("wrote {}\n", options.svg);
  }
  return 0;
}

}  // namespace
}  // namespace oloid::example

int main(int argc, char** argv) {
  oloid::example::Options options;
  CLI::App app("A finger glides over a sheet in real time; prints how long updates took.");
  const CLI::Validator finite(
      [](const std::string& text) {
        return std::isfinite(std::strtod(text.c_str(), nullptr)) ? "" : "not a finite number";
      },
      "FINITE");
  app.add_option("--rate", options.rate, "Updates a second: 1000, 10000")
      ->check(finite & CLI::Range(10.0, 1e5))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "How long; the hand repeats its path after 4 s")
      ->check(finite & CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  app.add_option("--search-period", options.search_period, "Seconds between searches for pairs")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--svg", options.svg, "Picture of both histograms");
  CLI11_PARSE(app, argc, argv);
  return oloid::example::run(options);
}
