// An island's memory of what it has done: what was cut off, undone or forgotten leaves no trace.
#include "oloid/world/islands/island.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::island_test {

using Vector = Vec3<double>;

constexpr double kEnd = 1.0;

// A ball that bounces, slides and spins; and one that never touches anything.
Spec bouncing() {
  return scene_of({named("ball", ball(0.1, 0.7), {{0, 0, 1.1}, {1, 0.3, 0}, {3, -5, 7}}), table()},
                  {law("ball", "table", 0.3, 0.6)}, kEnd);
}
Spec tumbling() {
  return scene_of({named("body", ellipsoid({0.3, 0.2, 0.1}, 1.3),
                         {{0, 0, 9}, {0.7, -0.4, 0.2}, {0.05, 6, -0.1}})},
                  {}, kEnd);
}

struct Advanced {
  const Model model;
  Islands islands;
  Island& island;

  explicit Advanced(Spec spec, double t_end = kEnd)
      : model(compiled(until(std::move(spec), t_end))),
        islands(islands_of(model)),
        island(*islands.begin()) {
    island.advance(t_end, 1000, true);
  }
  static Spec until(Spec spec, double t_end) {
    spec.duration = t_end;
    return spec;
  }
};

// Halfway through some of the steps.
std::vector<double> middles(const Island& island) {
  std::vector<double> times;
  for (int k = 1; k < 9; ++k) {
    const Step& step = island.step(k * island.steps() / 9);
    times.push_back(0.5 * (step.start.t() + step.t1));
  }
  return times;
}

// An island that has gone too far and is cut is one that has not gone further, bit by bit; where an
// event was found in a step of another length, to rounding.
TEST(Island, CutIsAsIfItHadGoneNoFurther) {
  for (const Spec& spec : {bouncing(), tumbling(), rattleback(kEnd)}) {
    SCOPED_TRACE(spec.bodies[0].name.value);
    for (const double t : middles(Advanced(spec).island)) {
      Advanced far(spec), fresh(spec, t);
      far.island.cut(t);
      EXPECT_EQ(far.island.t(), t);
      EXPECT_EQ(fresh.island.t(), t);
      EXPECT_LE((far.island.state().y.y - fresh.island.state().y.y).norm(), 1e-12) << t;
      EXPECT_NEAR(far.island.state().booked, fresh.island.state().booked, 1e-12);
      ASSERT_EQ(far.island.pending_events(), fresh.island.pending_events());
      for (int i = 0; i < far.island.pending_events(); ++i)
        EXPECT_NEAR(far.island.pending_event(i).t, fresh.island.pending_event(i).t, 1e-13);
      if (far.island.pending_events() > 0) continue;
      EXPECT_EQ(far.island.state().y.y, fresh.island.state().y.y) << t;
      EXPECT_EQ(far.island.hashes(t), fresh.island.hashes(t));
      EXPECT_EQ(far.island.steps(), fresh.island.steps());
    }
  }
}

// After a cut the run goes on to the same end, to the accuracy of the steps.
TEST(Island, ACutRunGoesOn) {
  Advanced whole(bouncing()), cut(bouncing());
  cut.island.cut(0.37);
  cut.island.advance(kEnd, 1000, true);
  EXPECT_LE((cut.island.state().y.y - whole.island.state().y.y).norm(), 1e-9);
  EXPECT_EQ(cut.island.pending_events(), whole.island.pending_events());
}

TEST(Island, RewindGoesToTheStartOfTheStep) {
  Advanced run(bouncing());
  for (int i = run.island.steps() - 1; i >= 0; --i) {
    const Step step = run.island.step(i);
    if (!(step.t1 > step.start.t())) continue;
    ASSERT_TRUE(run.island.rewind(0.5 * (step.start.t() + step.t1)));
    EXPECT_EQ(run.island.t(), step.start.t());
    EXPECT_EQ(run.island.state().y.y, step.start.y.y);
    EXPECT_EQ(run.island.state().hashes, step.start.hashes);
    for (int k = 0; k < run.island.pending_events(); ++k)
      EXPECT_LE(run.island.pending_event(k).t, step.start.t());
    // What is tried is what the curve says, and is taken only if accepted.
    const double t = 0.3 * step.start.t() + 0.7 * step.t1;
    const Vector tried = run.island.try_until(t).body(BodyId{0}).X_WB.p;
    EXPECT_LE((tried - run.island.place(step, t).body(BodyId{0}).X_WB.p).norm(), 1e-9);
    EXPECT_EQ(run.island.t(), step.start.t());
  }
  EXPECT_FALSE(Advanced(bouncing()).island.rewind(kEnd + 0.1));
}

// Over (t, y, mode) of the ends of all steps, word by word.
TEST(Island, HashesAreOfAllStepsUpToAnInstant) {
  Advanced run(tumbling());
  ASSERT_GT(run.island.steps(), 5);
  std::uint64_t hash = kHashStart;
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 32;
  };
  for (int i = 0; i < run.island.steps(); ++i) {
    const Step& step = run.island.step(i);
    EXPECT_EQ(run.island.hashes(0.5 * (step.start.t() + step.t1))[0], hash) << i;
    const bool last = i + 1 == run.island.steps();
    const IslandState& end = last ? run.island.state() : run.island.step(i + 1).start;
    add(std::bit_cast<std::uint64_t>(end.t()));
    for (int k = 0; k < kBlock; ++k) add(std::bit_cast<std::uint64_t>(end.y.y(k)));
    add(static_cast<std::uint64_t>(Mode::separated));
    EXPECT_EQ(run.island.hashes(step.t1)[0], hash) << i;
  }
}

// Before and after an impact: the place is the same, the velocity is turned over.
TEST(Island, SnapshotsSeeBothSidesOfAnEvent) {
  Advanced run(bouncing());
  int impacts = 0;
  for (int i = 0; i < run.island.pending_events(); ++i) {
    const PendingEvent& event = run.island.pending_event(i);
    if (event.change.kind != EventKind::impact || event.change.after != Mode::separated) continue;
    ++impacts;
    const BodyMotion before = run.island.evaluate(run.island.snapshot(event.t)).body(BodyId{0});
    const BodyMotion after =
        run.island.evaluate(run.island.snapshot_after(event.t)).body(BodyId{0});
    EXPECT_LE((before.X_WB.p - after.X_WB.p).norm(), 1e-9);
    const double down = (before.X_WB.R * before.phi.v).z(), up = (after.X_WB.R * after.phi.v).z();
    EXPECT_NEAR(up, -0.6 * down, 1e-8);
    EXPECT_NEAR(event.change.value, -down, 1e-8);
  }
  EXPECT_GE(impacts, 1);
}

TEST(Island, ForgettingLeavesTheRest) {
  Advanced run(bouncing()), other(bouncing());
  const double t = 0.5;
  run.island.forget(t);
  EXPECT_LT(run.island.steps(), other.island.steps());
  for (int i = 0; i < run.island.steps(); ++i) EXPECT_GT(run.island.step(i).t1, t);
  for (int i = 0; i < run.island.pending_events(); ++i) EXPECT_GT(run.island.pending_event(i).t, t);
  for (const double later : {0.5, 0.61, 0.83, 1.0}) {
    EXPECT_EQ(run.island.snapshot(later).y, other.island.snapshot(later).y);
    EXPECT_EQ(run.island.hashes(later), other.island.hashes(later));
  }
}

// Where it has ended a body stays, held by nothing, at rest, for all time.
TEST(Island, FrozenBodiesStay) {
  for (const Spec& spec : {tumbling(), rattleback(kEnd)}) {
    Advanced run(spec);
    run.island.cut(0.4);
    const Pose<double> X = run.island.evaluate(run.island.snapshot_after(0.4)).body(BodyId{0}).X_WB;
    run.island.freeze();
    EXPECT_TRUE(run.island.ended());
    EXPECT_EQ(run.island.t(), kInfinity);
    EXPECT_EQ(run.island.pending_events(), 0);
    ASSERT_EQ(run.island.steps(), 1);
    EXPECT_FALSE(run.island.state().discrete.joint(0).on);
    for (const double t : {0.4, 0.5, 1e3}) {
      const BodyMotion& x = run.island.place(run.island.step(0), t).body(BodyId{0});
      EXPECT_LE((x.X_WB.p - X.p).norm(), 1e-15) << t;
      EXPECT_LE((x.X_WB.R - X.R).norm(), 1e-14) << t;
      EXPECT_EQ(x.phi.v.norm() + x.phi.w.norm(), 0) << t;
    }
    EXPECT_EQ(run.island.step(0).bounds[0].v, 0);
    EXPECT_EQ(run.island.step(0).bounds[0].w, 0);
    EXPECT_LE((run.island.step(0).origins[0] - X.p).norm(), 1e-15);
  }
}

}  // namespace oloid::test::island_test
