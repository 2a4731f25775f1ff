// Bodies of different islands: when they meet, and what is known after steps were undone.
#include "oloid/world/islands/apart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::apart_test {

using Vector = Vec3<double>;

constexpr double kEnd = 1.0, kRadius = 0.1;

// A ball with a constant force on it: p + v t + F t² / 2 for 1 kg.
struct Thrown {
  Vector p, v, F;
  Vector at(double t) const { return p + t * v + 0.5 * t * t * F; }
};

Spec balls_in_space(const std::vector<Thrown>& balls) {
  Spec spec = scene_of({}, {}, kEnd);
  spec.gravity = Vector(0, 0, 0);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    const double turn = static_cast<double>(i + 1);
    spec.bodies.push_back(
        named(name, ball(kRadius), {balls[i].p, balls[i].v, {turn, -2 * turn, 0.5}}));
    std::array<std::string, 3> formulas;
    for (int k = 0; k < 3; ++k)
      formulas[static_cast<std::size_t>(k)] = std::to_string(balls[i].F(k));
    spec.loads.push_back(force(name, formulas));
  }
  return spec;
}

// The first zero of a gap that is positive at the start, by bisection; infinite if there is none.
double touch_time(const Thrown& a, const Thrown& b) {
  const auto gap = [&](double t) { return (a.at(t) - b.at(t)).norm() - 2 * kRadius; };
  double low = 0, high = 0;
  while (gap(high) > 0 && high < kEnd) high += 1e-3;
  if (gap(high) > 0) return INFINITY;
  low = high - 1e-3;
  for (int i = 0; i < 60; ++i) (gap(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  return low;
}
double gap_rate(const Thrown& a, const Thrown& b, double t) {
  const Vector d = a.at(t) - b.at(t);
  return d.normalized().dot(a.v + t * a.F - b.v - t * b.F);
}

const Thrown kA{{0, 0, 0}, {1, 0.2, 0.3}, {0.5, 0, -1}},
    kB{{2, 0.1, 0}, {-1.5, 0.3, 0}, {-1, 0, 0}}, kFar{{0, 30, 0}, {0, -1, 0}, {0, 0, 0}};

struct Flight {
  Model model;
  Islands islands;
  ApartPairs apart;

  explicit Flight(const std::vector<Thrown>& balls)
      : model(compiled(balls_in_space(balls))), islands(islands_of(model)), apart(model, islands) {
    for (Island& island : islands) island.advance(kEnd, 1000, true);
  }
  Island& of(int body) { return *islands.of(BodyId{body}); }
  std::optional<Meeting> first(double t = kEnd) {
    for (const Island& island : islands) apart.follow(island);
    for (Island& island : islands) apart.look(island, settled);
    return apart.first(t);
  }
  double settled = 0;  // [s]
};

TEST(Apart, BallsMeetAtTheInstantOfTouch) {
  Flight flight({kA, kB, kFar});
  const auto met = flight.first();
  ASSERT_TRUE(met);
  EXPECT_EQ(met->pair, pair_named(flight.model, "a", "b"));
  const double t = touch_time(kA, kB);
  EXPECT_NEAR(met->t, t, 1e-13);
  EXPECT_NEAR(met->rate, gap_rate(kA, kB, t), 1e-12);
  // The points that touch, in B's frame: seen from its centre towards A's.
  const auto& [A, B] = flight.model.pair(met->pair).bodies;
  const Thrown *first = A.index == 0 ? &kA : &kB, *second = A.index == 0 ? &kB : &kA;
  Island& island = flight.of(B.index);
  const Mat3<double> R = island.place(*island.step_at(t), t).body(B).X_WB.R;
  const Vector normal = (first->at(t) - second->at(t)).normalized();
  EXPECT_LE((R * met->near.normal - normal).norm(), 1e-11);
}

TEST(Apart, TheFirstOfSeveralMeetingsCounts) {
  const Thrown early{{0.9, 0.05, 1}, {-0.2, 0, -1.9}, {0, 0.1, 0}};
  Flight flight({kA, kB, early});
  const double t = std::min(touch_time(kA, early), touch_time(kB, early));
  ASSERT_LT(t, touch_time(kA, kB));
  const auto met = flight.first();
  ASSERT_TRUE(met);
  EXPECT_NEAR(met->t, t, 1e-13);
  // Nothing is known to happen before it.
  EXPECT_FALSE(flight.first(t - 1e-9));
}

// As near as 1e-9 m.
TEST(Apart, BallsThatPassDoNotMeet) {
  for (const double off : {-1e-9, 1e-9}) {
    const Thrown a{{-0.5, 2 * kRadius + off, 0}, {1, 0, 0}, {0, 0, 0}},
        b{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    Flight flight({a, b});
    EXPECT_EQ(flight.first().has_value(), off < 0) << off;
  }
}

TEST(Apart, BallsFarApartAreNotSearchedFor) {
  Flight flight({kA, kFar});
  EXPECT_FALSE(flight.first());
  EXPECT_EQ(flight.apart.counters.newton_iterations, 0);
  EXPECT_TRUE(flight.apart.near(0).lost);
}

TEST(Apart, WhatWasUndoneIsFoundAgain) {
  Flight flight({kA, kB});
  const auto met = flight.first();
  ASSERT_TRUE(met);
  for (const double t : {0.0, 0.5 * met->t, met->t, 0.5 * (met->t + kEnd)}) {
    flight.apart.undo(flight.of(0), t);
    const auto again = flight.first();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->pair, met->pair);
    EXPECT_EQ(again->t, met->t);
    EXPECT_EQ(again->rate, met->rate);
  }
}

// What follows an instant may be another motion: thrown back before the balls met, they do not.
TEST(Apart, UndoForgetsWhatNoLongerHappens) {
  Flight flight({kA, kB});
  const auto met = flight.first();
  ASSERT_TRUE(met);
  Island& island = flight.of(0);
  const double t = 0.5 * met->t;
  island.cut(t);
  flight.apart.undo(island, t);
  island.state().y.y.segment<3>(kVelocity) = Vector(-5, 0, 0);
  island.begin();
  island.advance(kEnd, 1000, true);
  EXPECT_FALSE(flight.first());
}

// An undone step of one ball says nothing about two others.
TEST(Apart, UndoLeavesOtherPairsAlone) {
  Flight flight({kA, kB, kFar});
  ASSERT_TRUE(flight.first());
  const auto calls = flight.apart.counters.newton_iterations;
  flight.apart.undo(flight.of(2), 0);
  ASSERT_TRUE(flight.first());
  EXPECT_EQ(flight.apart.counters.newton_iterations, calls);
}

TEST(Apart, ForgettingThePastChangesNothing) {
  Flight flight({kA, kB});
  EXPECT_FALSE(flight.first(0.3));
  flight.settled = 0.3;
  for (Island& island : flight.islands) island.forget(0.3);
  const auto met = flight.first();
  ASSERT_TRUE(met);
  EXPECT_NEAR(met->t, touch_time(kA, kB), 1e-13);
  flight.apart.undo(flight.of(1), 0.35);
  EXPECT_EQ(flight.first()->t, met->t);
}

// A ball that has stopped for good is met where it is; two of them do not meet.
TEST(Apart, EndedBodiesAreMetWhereTheyAre) {
  Flight flight({kA, kB});
  const double stop = 0.45;
  flight.of(1).cut(stop);
  flight.of(1).freeze();
  const Thrown stopped{kB.at(stop), {0, 0, 0}, {0, 0, 0}};
  flight.apart.begin(0, stop, {});
  const auto met = flight.first();
  ASSERT_TRUE(met);
  EXPECT_NEAR(met->t, touch_time(kA, stopped), 1e-13);
  EXPECT_NEAR(met->rate, gap_rate(kA, stopped, met->t), 1e-12);
  flight.of(0).cut(stop);
  flight.of(0).freeze();
  EXPECT_FALSE(flight.first());
}

}  // namespace oloid::test::apart_test
