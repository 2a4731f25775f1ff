#include "report.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace oloid::app {
namespace {

constexpr std::size_t kMostEvents = 20;

}  // namespace

void TurnWatch::begin(const Header& header) {
  if (header.gravity.norm() > 0) up_ = -header.gravity.normalized();
  for (std::size_t i = 0; i < header.masses.size(); ++i) {
    if (header.masses[i] > 0) {
      body_ = i;
      return;
    }
  }
}

void TurnWatch::frame(const Frame& frame) {
  // The turn about `up` within the orientation (swing-twist), unwrapped from frame to frame.
  const Quat<double>& q = frame.bodies[body_].orientation;
  const double heading = 2 * std::atan2(up_.dot(Vec3<double>(q.x, q.y, q.z)), q.w);
  if (!started_) {
    started_ = true;
    first_ = last_ = turn_ = heading;
  }
  turn_ += std::remainder(heading - last_, 2 * std::numbers::pi);
  last_ = heading;
  const double turned = turn_ - first_;
  if (reversal_) return;
  const bool further = std::abs(turned) > std::abs(farthest_.turn) &&
                       (farthest_.turn * turned >= 0 || std::abs(farthest_.turn) < kLeast);
  if (further) farthest_ = {frame.t, turned};
  if (std::abs(farthest_.turn) >= kLeast && std::abs(farthest_.turn - turned) >= kLeast && !further)
    reversal_ = farthest_;
}

void Report::begin(const Header& header) {
  header_ = header;
  turn_.begin(header);
  shown_.reserve(kMostEvents);
}

void Report::frame(const Frame& frame) { turn_.frame(frame); }

void Report::event(const Event& event) {
  ++counts_[event.kind];
  last_event_ = event.kind;
  const bool quiet = event.kind == EventKind::chart_crossing || event.kind == EventKind::end;
  if (!quiet && shown_.size() < kMostEvents) shown_.push_back(event);
}

void Report::end(const Summary& summary) { summary_ = summary; }

void Report::print() const {
  const Counters& n = summary_.counters;
  fmt::print("{}: {:.6g} s simulated in {:.3g} s ({:.0f} times real time)\n", header_.scene_name,
             summary_.t_end, summary_.wall_s, summary_.t_end / std::max(summary_.wall_s, 1e-9));
  for (const Event& e : shown_) {
    fmt::print("  t = {:<12.9g} {}", e.t, name(e.kind));
    if (e.before != e.after) fmt::print(": {} -> {}", name(e.before), name(e.after));
    if (e.kind == EventKind::contact_start && e.value > 1e-9)
      fmt::print(", removed {:.3g} m/s at the contact", e.value);
    if (!e.note.empty()) fmt::print(" ({})", e.note);
    fmt::print("\n");
  }
  if (const auto crossings = counts_.find(EventKind::chart_crossing); crossings != counts_.end()) {
    fmt::print("  and {} chart crossings\n", crossings->second);
  }
  if (turn_.reversal()) {
    fmt::print("spin reversed at t = {:.2f} s, after {:.3f} turns\n", turn_.reversal()->t,
               turn_.reversal()->turn / (2 * std::numbers::pi));
  }
  fmt::print("energy {:.9g} J -> {:.9g} J, dissipated {:.3g} J, largest relative drift {:.2e}\n",
             summary_.energy.initial, summary_.energy.final, summary_.energy.dissipated,
             summary_.energy.max_relative_drift);
  fmt::print("{} steps ({} rejected), {} evaluations, largest gap error {:.1e} m\n", n.steps,
             n.rejected_steps, n.rates_calls, summary_.max_gap_error);
}

}  // namespace oloid::app
