// The start of a run: motion made consistent with the contacts; states of parts and wholes.
#include "oloid/world/model/state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::state_test {

using Vector = Vec3<double>;

// What the scene has given, and what the run starts with.
struct Start {
  Group group;
  State state;

  explicit Start(const Spec& spec) : group(spec), state(initial_state(group.model)) {}
  Momentum change(const std::string& name) const {
    const BodyId id = body_named(group.model, name);
    const Body& body = group.model.body(id);
    BodyMotion given;
    given.X_WB = {rotation_matrix(body.start.q_WA), body.start.p_WA};
    given.phi = body.start.phi;
    return momentum(body, group.instant.body(id)) - momentum(body, given);
  }
};

Spec leaning(double friction, const Vector& v, const Vector& w) {
  BodySpec body = ellipsoid({0.3, 0.25, 0.2}, 1.3);
  body.orientation = unit(Quat<double>{0.9, 0.2, -0.3, 0.1});
  Spec spec = touching(
      scene_of({named("body", body, {{0, 0, 0.3}}), table()}, {law("body", "table", friction)}, 1));
  spec.bodies[0].velocity = v;
  spec.bodies[0].angular_velocity = w;
  return spec;
}

// Bodies that approach are not held, keep their motion, and know where they are about to meet.
TEST(InitialState, BodiesThatApproachAreFree) {
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    const Start start(leaning(friction, {0.3, -0.2, -1}, {0.5, 0.4, 1.2}));
    EXPECT_EQ(start.state.hold_of(BodyId{0}), nullptr);
    EXPECT_LE(start.change("body").linear.norm(), 1e-15);
    EXPECT_LE(start.change("body").angular.norm(), 1e-15);
    EXPECT_TRUE(start.state.removed_speed.empty());
    const Witness& witness = start.state.islands[0].state.discrete.witness(0);
    EXPECT_FALSE(witness.lost);
    EXPECT_EQ(witness.A.at.x, start.group.model.touches[0].near.A.at.x);
  }
}

// Bodies that part are not held, and keep their motion.
TEST(InitialState, BodiesThatPartAreFree) {
  const Start start(leaning(0.2, {0.3, -0.2, 1}, {0.5, 0.4, 1.2}));
  EXPECT_EQ(start.state.hold_of(BodyId{0}), nullptr);
  EXPECT_LE(start.change("body").linear.norm(), 1e-15);
  EXPECT_LE(start.change("body").angular.norm(), 1e-15);
  EXPECT_TRUE(start.state.removed_speed.empty());
}

// Unlimited friction removes slip, too: one impulse stops the touching particle. Nothing of that
// counts as dissipated in the run.
TEST(InitialState, SlipIsRemovedWhereFrictionIsUnlimited) {
  const Vector w(0.5, 0.4, 1.2);
  const Start lies(leaning(INFINITY, Vector::Zero(), w));
  const Vector from =
      lies.group.model.touches[0].near.point_B - lies.group.model.bodies[0].start.p_WA;
  const Vector v(0.3, -0.2, -w.cross(from).z());  // along the table
  const Start start(leaning(INFINITY, v, w));
  const Vector x = start.group.model.touches[0].near.point_B;
  const Momentum change = start.change("body");
  EXPECT_LE((change.angular - x.cross(change.linear)).norm(), 1e-13);
  EXPECT_LE(velocity_at(start.group.motion("body"), x).norm(), 1e-13);
  EXPECT_NEAR(start.state.removed_speed.at(0), (v + w.cross(from)).norm(), 1e-14);
  EXPECT_GT(start.state.removed_speed.at(0), 0.1);
  EXPECT_EQ(start.group.state.y.y.segment<3>(kBooked).norm(), 0);
  EXPECT_EQ(start.group.state.y.y.tail<kWorkSize>().norm(), 0);
  EXPECT_EQ(start.group.state.booked, 0);
}

// What rounding has left of an approach, at two contacts at once: one impulse of the table, through
// its point.
TEST(InitialState, AllContactsAreMadeConsistentAtOnce) {
  const Start start(
      scene_of({named("top", ball(0.1, 0.5), {{0, 0, 0.5}, {0.3, 0, -2e-10}, {1, 2, 3}}),
                named("low", ball(0.2, 2), {{0, 0, 0.2}, {0, 0.1, -0.5e-10}}), table()},
               {law("top", "low", 0.3), law("low", "table", 0.3)}, 1));
  const Momentum top = start.change("top"), low = start.change("low");
  EXPECT_LE((top.linear - Vector(0, 0, 1e-10)).norm(), 1e-15);  // 0.5 kg from −2e-10 m/s to 0
  EXPECT_LE((low.linear - Vector(0, 0, 1e-10)).norm(), 1e-15);  // 2 kg from −5e-11 m/s to 0
  EXPECT_LE(top.angular.norm() + low.angular.norm(), 1e-14);
  EXPECT_NE(start.state.hold_of(BodyId{0}), nullptr);
  EXPECT_NE(start.state.hold_of(BodyId{1}), nullptr);
}

Spec two_heaps() {
  Spec spec =
      scene_of({named("a", ball(0.1, 0.5), {{0, 0, 0.5}}), named("far", ball(0.1), {{5, 0, 3}}),
                named("b", ball(0.2, 2), {{0, 0, 0.2}, {0.1, 0, 0}}),
                named("c", ball(0.2, 2), {{3, 0, 0.2}}), table()},
               {law("a", "b", 0.3), law("b", "table", 0.3), law("c", "table", 0.3)}, 1);
  spec.springs = {spring("c", "far", 3)};
  return spec;
}

// Contacts and springs connect bodies; the table does not.
TEST(InitialState, IslandsAreWhatDependsOnEachOther) {
  const Start start(two_heaps());
  const auto ids = [](std::vector<int> numbers) {
    std::vector<BodyId> out;
    for (const int i : numbers) out.push_back(BodyId{i});
    return out;
  };
  ASSERT_EQ(start.state.islands.size(), 2u);
  EXPECT_EQ(start.state.islands[0].members, ids({0, 2}));
  EXPECT_EQ(start.state.islands[1].members, ids({1, 3}));
  DiscreteState discrete = start.group.state.discrete;
  EXPECT_EQ(parts_of(start.group.index, discrete).size(), 2u);
  discrete.joint(0).on = false;  // a leaves b
  const auto parts = parts_of(start.group.index, discrete);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0], ids({0}));
  EXPECT_EQ(parts[1], ids({1, 3}));
  EXPECT_EQ(parts[2], ids({2}));
}

// From a whole to its parts and back: every body's numbers, and the sums of energies.
TEST(TakeOver, PartsAndWholeHoldTheSame) {
  Group group(two_heaps());
  IslandState& whole = group.state;
  for (Eigen::Index i = 0; i < whole.y.y.size(); ++i) {
    whole.y.y(i) = 0.5 + static_cast<double>(i);
    whole.y.carry(i) = 1e-17 * static_cast<double>(i);
  }
  for (std::size_t i = 0; i < 4; ++i) whole.hashes[i] = 100 + i;
  for (std::size_t i = 0; i < whole.waits.size(); ++i)
    whole.waits[i].left = static_cast<int>(i) + 1;
  whole.y.t = 0.7;
  whole.y.h_next = 0.01;
  whole.booked = 3;
  whole.energy_start = 5;
  whole.last_change_t = 0.6;
  whole.changes_at_once = 2;
  whole.busy_since = 0.5;
  whole.busy_changes = 9;
  whole.warned_conforming = true;
  const IslandState original = whole;
  IslandState back;
  back.resize(group.index);
  double booked = 0, work = 0, energy = 0;
  for (const auto& members : parts_of(group.index, whole.discrete)) {
    const IslandIndex own(group.model, members);
    IslandState part;
    part.resize(own);
    take_over(group.index, whole, own, part);
    EXPECT_EQ(part.t(), 0.7);
    EXPECT_EQ(part.last_change_t, 0.6);
    EXPECT_EQ(part.changes_at_once, 2);
    EXPECT_EQ(part.busy_changes, 9);
    EXPECT_EQ(part.busy_since, 0.5);
    EXPECT_TRUE(part.warned_conforming);
    booked += part.booked;
    work += part.y.y.tail<kWorkSize>().sum();
    energy += part.energy_start;
    take_over(own, part, group.index, back);
  }
  EXPECT_EQ(booked, 3);
  EXPECT_EQ(energy, 5);
  EXPECT_EQ(work, original.y.y.tail<kWorkSize>().sum());
  EXPECT_EQ(whole.booked, 0);
  EXPECT_EQ(whole.energy_start, 0);
  EXPECT_EQ(whole.y.y.tail<kWorkSize>().norm(), 0);
  EXPECT_EQ(back.y.y, original.y.y);
  EXPECT_EQ(back.y.carry.head(4 * kBlock), original.y.carry.head(4 * kBlock));
  EXPECT_EQ(back.hashes, original.hashes);
  EXPECT_EQ(back.booked, 3);
  EXPECT_EQ(back.energy_start, 5);
  EXPECT_EQ(back.y.h_next, 0.01);
  for (int node = 0; node < 4; ++node) {
    EXPECT_EQ(back.discrete.joint(node).on, original.discrete.joint(node).on);
    EXPECT_EQ(back.discrete.joint(node).key, original.discrete.joint(node).key);
  }
  // Pairs of bodies in different parts are known to neither.
  const int inside = group.index.watch_of_pair(pair_named(group.model, "a", "b"));
  const int across = group.index.watch_of_pair(pair_named(group.model, "a", "c"));
  EXPECT_EQ(back.waits[static_cast<std::size_t>(inside)].left, inside + 1);
  EXPECT_EQ(back.waits[static_cast<std::size_t>(across)].left, 0);
}

}  // namespace oloid::test::state_test
