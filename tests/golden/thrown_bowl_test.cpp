// The bowl thrown on a table does what docs/experiments/bowl.md says, with long and short steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "oloid/io/scene_text/scene_reader.h"
#include "oloid/world/simulation.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test::thrown_bowl_test {

Spec thrown_bowl(Method method, double max_step) {
  auto spec = read_scene(std::string(OLOID_SCENES) + "/thrown_bowl.toml");
  EXPECT_TRUE(spec);
  spec->solver.method = method;
  if (method == Method::rk4) {
    spec->solver.max_step = Located<double>(max_step);
    spec->solver.min_step = Located<double>(1e-3);
  }
  return *spec;
}

Memory remembered(const Spec& spec) {
  const auto model = compile(spec);
  EXPECT_TRUE(model);
  State state = initial_state(*model);
  Memory memory;
  run(*model, state, memory);
  return memory;
}

Memory thrown(Method method, double max_step) {
  Spec spec = thrown_bowl(method, max_step);
  spec.chart_crossings = true;
  spec.output_dt = spec.duration.value;
  return remembered(spec);
}

// With friction alone and a threshold for slip, as published.
Memory thrown_as_published(double max_step, double threshold) {
  Spec spec = thrown_bowl(max_step > 0 ? Method::rk4 : Method::dop853, max_step);
  for (MaterialSpec& material : spec.materials)
    material.law.rolling_resistance = material.law.spin = Located<double>(0);
  spec.solver.slip_threshold = Located<double>(threshold);
  return remembered(spec);
}

// Modes in the order in which the contact took them on, with the times from which it had them.
struct Phase {
  Mode mode;
  double t;
};
std::vector<Phase> phases(const Memory& memory) {
  std::vector<Phase> list{{Mode::separated, 0}};
  list.reserve(memory.events.size() + 1);
  for (const Event& event : memory.events) {
    if (event.contact.valid() && event.after != list.back().mode)
      list.push_back({event.after, event.t});
  }
  return list;
}

TEST(ThrownBowl, BouncesSlidesRollsAndRests) {
  const Memory exact = thrown(Method::dop853, 0);
  const std::vector<Phase> expected = phases(exact);
  std::vector<Mode> modes;
  modes.reserve(expected.size());
  for (const Phase& phase : expected) modes.push_back(phase.mode);
  EXPECT_EQ(modes, (std::vector{Mode::separated, Mode::sliding, Mode::rolling, Mode::sliding,
                                Mode::rolling, Mode::no_spin, Mode::rest}));
  EXPECT_GE(exact.of(EventKind::impact).size(), 3u);
  EXPECT_GE(exact.of(EventKind::chart_crossing).size(), 10u);
  EXPECT_EQ(exact.events.back().kind, EventKind::end);
  EXPECT_LT(exact.summary.energy.max_relative_drift, 1e-9);

  // Without a threshold for slip, which would end it some milliseconds early, events of fixed steps
  // are found on their curves as exactly as those of adaptive ones.
  const Memory steps = thrown(Method::rk4, 4e-3);
  const std::vector<Phase> seen = phases(steps);
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].mode, expected[i].mode) << i;
    EXPECT_NEAR(seen[i].t, expected[i].t, 1e-4) << i;
  }
  EXPECT_EQ(steps.of(EventKind::impact).size(), exact.of(EventKind::impact).size());
  const auto end = [](const Memory& m) {
    const auto free = std::find_if(m.header.masses.begin(), m.header.masses.end(),
                                   [](double mass) { return mass > 0; });
    return m.summary.bodies[static_cast<std::size_t>(free - m.header.masses.begin())].position;
  };
  EXPECT_LT((end(steps) - end(exact)).norm(), 1e-5);
}

// Slip that sets in below the threshold goes on or stops, and takes no steps below the least one:
// long steps save as many as the published ones.
TEST(ThrownBowl, RunsAsPublished) {
  const auto steps_with = [](double max_step, double threshold) {
    const Memory memory = thrown_as_published(max_step, threshold);
    EXPECT_EQ(memory.events.back().kind, EventKind::end) << max_step;
    EXPECT_GE(memory.of(EventKind::mode_change).size(), 4u) << max_step;
    EXPECT_TRUE(memory.of(EventKind::mode_cycle).empty()) << max_step;
    return static_cast<double>(memory.summary.counters.steps);
  };
  steps_with(0, 5e-3);
  const double shortest = steps_with(1e-3, 2.5e-3);
  EXPECT_LT(shortest, 3500);
  EXPECT_LE(steps_with(16e-3, 5e-3), 0.15 * shortest);
  steps_with(128e-3, 5e-3);
}

}  // namespace oloid::test::thrown_bowl_test
