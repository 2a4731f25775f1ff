#include "report.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "oloid/base/counted.h"
#include "oloid/scene/describe_event.h"

namespace oloid::app {
namespace {

constexpr std::size_t kMostEvents = 20;

void print_event(const Event& e, const Header& header) {
  fmt::print("  t = {:<13.9g} {}\n", e.t, describe(e, header));
}

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
  // The vertical part of the angular velocity, summed by trapezoids from frame to frame.
  const double rate = frame.bodies[body_].angular_velocity.dot(up_);
  turn_ += 0.5 * (rate_ + rate) * (frame.t - t_);
  rate_ = rate;
  t_ = frame.t;
  if (reversal_) return;
  const bool other_way = farthest_.turn * turn_ < 0 && std::abs(farthest_.turn) < kLeast;
  const bool further =
      std::abs(turn_) > std::abs(farthest_.turn) && (farthest_.turn * turn_ >= 0 || other_way);
  if (further) {
    farthest_ = {frame.t, turn_};
  } else if (std::abs(farthest_.turn) >= kLeast && std::abs(farthest_.turn - turn_) >= kLeast) {
    reversal_ = farthest_;
  }
}

void Report::begin(const Header& header) {
  header_ = header;
  turn_.begin(header);
  shown_.reserve(kMostEvents);
}

void Report::frame(const Frame& frame) { turn_.frame(frame); }

void Report::event(const Event& event) {
  last_ = event;
  // Crossings are only counted, and the regular end needs no line.
  if (event.kind == EventKind::chart_crossing || event.kind == EventKind::end) return;
  if (shown_.size() < kMostEvents) {
    shown_.push_back(event);
  } else {
    ++more_;
    last_shown_ = event;
  }
}

void Report::end(const Summary& summary) { summary_ = summary; }

void Report::print(bool complete) const {
  const Counters& n = summary_.counters;
  const bool whole = summary_.t_end >= header_.duration;
  fmt::print("{}: {:.6g} s{} simulated", header_.scene_name, summary_.t_end,
             whole ? "" : fmt::format(" of {:g} s", header_.duration));
  if (complete) {
    fmt::print(" in {:.3g} s ({:.0f} times real time)", summary_.wall_s,
               summary_.t_end / std::max(summary_.wall_s, 1e-9));
  }
  fmt::print("\n");
  for (const Event& e : shown_) print_event(e, header_);
  if (more_ > 0) {
    if (more_ > 1) fmt::print("  ... {} ...\n", counted(more_ - 1, "more event"));
    print_event(last_shown_, header_);
  }
  if (n.chart_crossings > 0) fmt::print("  and {}\n", counted(n.chart_crossings, "chart crossing"));
  if (turn_.reversal()) {
    fmt::print("spin reversed at t = {:.2f} s, after {:.3f} turns\n", turn_.reversal()->t,
               turn_.reversal()->turn / (2 * std::numbers::pi));
  }
  const EnergySummary& energy = summary_.energy;
  fmt::print(
      "energy {:.9g} J -> {:.9g} J, dissipated {:.3g} J{}{}\n", energy.initial, energy.final,
      energy.dissipated,
      energy.work == 0 ? "" : fmt::format(", work of drives and loads {:.3g} J", energy.work),
      complete ? fmt::format(", largest relative drift {:.2e}", energy.max_relative_drift) : "");
  if (!complete) return;
  fmt::print("{} ({} rejected), {}, largest gap error {:.1e} m\n", counted(n.steps, "step"),
             n.rejected_steps, counted(n.rates_calls, "evaluation"), summary_.max_gap_error);
  for (const WatchedTime& time : n.watched) {
    if (!(time.certified < time.all)) continue;
    const auto [A, B] = header_.pairs[static_cast<std::size_t>(time.pair)];
    fmt::print("{}, {}: proven for {:.1f} % of the watched time that no touch was missed\n",
               header_.bodies[static_cast<std::size_t>(A.index)],
               header_.bodies[static_cast<std::size_t>(B.index)], 100 * time.certified / time.all);
  }
}

}  // namespace oloid::app
