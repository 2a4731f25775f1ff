// Fields whose sizes are known only at run time: the same bits as with fixed sizes, and no
// allocation once everything has its length.
#include <gtest/gtest.h>

#include <cmath>

#include "oloid/integrate/guard.h"
#include "support/count_allocations.h"
#include "support/rooms.h"

namespace oloid::test::dynamic_test {

// Five pendulums of different lengths, each coupled to the next. Guards: each one's deflection,
// and one on time.
constexpr int kPendulums = 5;
template <class Y, class G>
void swing(double t, const Y& y, Y& dy, G& guards) {
  for (int i = 0; i < kPendulums; ++i) {
    const int next = (i + 1) % kPendulums;
    dy(i) = y(kPendulums + i);
    dy(kPendulums + i) = -(1 + 0.3 * i) * std::sin(y(i)) + 0.1 * (y(next) - y(i));
    guards(i) = y(i) + 0.4;
  }
  guards(kPendulums) = std::cos(0.7 * t);
}

struct Fixed {
  static constexpr int kSize = 2 * kPendulums, kGuards = kPendulums + 1;
  bool rates(double t, const Vec<double, kSize>& y, Vec<double, kSize>& dy,
             Vec<double, kGuards>& guards) const {
    swing(t, y, dy, guards);
    return true;
  }
};

struct Dynamic {
  static constexpr int kSize = Eigen::Dynamic, kGuards = Eigen::Dynamic;
  int size() const { return 2 * kPendulums; }
  int guard_count() const { return kPendulums + 1; }
  bool rates(double t, const Vec<double, kSize>& y, Vec<double, kSize>& dy,
             Vec<double, kGuards>& guards) const {
    swing(t, y, dy, guards);
    return true;
  }
};

// Only one of the two sizes is known.
struct Mixed {
  static constexpr int kSize = Eigen::Dynamic, kGuards = kPendulums + 1;
  int size() const { return 2 * kPendulums; }
  bool rates(double t, const Vec<double, kSize>& y, Vec<double, kSize>& dy,
             Vec<double, kGuards>& guards) const {
    swing(t, y, dy, guards);
    return true;
  }
};

template <class F>
struct Walk {
  F field;
  Stepper<F> stepper;
  StepperState<F::kSize, F::kGuards> state;
  Trial<F::kSize, F::kGuards> trial;
  Segment<F::kSize> segment;
  Armed<F::kGuards> armed;
  int hits = 0;
  double sum_of_hits = 0;  // [s]
  Vec<double, F::kSize> middle = filled<double, F::kSize>(0);

  explicit Walk(Scheme scheme) : stepper(options(scheme), field) {
    const int n = size_of(field), g = guard_count_of(field);
    state.resize(n, g);
    trial.resize(n, g);
    segment.resize(n, g);
    armed.resize(n, g);
    refill<double, F::kSize>(middle, n, 0);
    for (int i = 0; i < n; ++i) state.y(i) = 0.1 * (i + 1);
    EXPECT_TRUE(stepper.restart(field, state));
    armed.update(state.guards);
  }
  static StepOptions options(Scheme scheme) {
    StepOptions o;
    o.scheme = scheme;
    o.rtol = 1e-9;
    o.max_step = 0.05;
    return o;
  }
  // One step, or a step to the first event in it.
  void step() {
    stepper.attempt(field, state, INFINITY, trial);
    if (may_hit<F>(armed, state, trial) && stepper.interpolate(field, state, trial, segment)) {
      segment.at(segment.t0 + 0.5 * segment.h, middle);
      if (const auto hit = first_hit(stepper, field, armed, state, trial, segment)) {
        ++hits;
        sum_of_hits += hit->t;
        if (hit->t > state.t) {
          stepper.attempt_exactly(field, state, hit->t - state.t, trial);
          stepper.accept(trial, state);
          armed.clear();
          armed.update(state.guards);
          armed.on(hit->guard) = false;
          return;
        }
      }
    }
    stepper.accept(trial, state);
    armed.update(state.guards);
  }
};

template <class F>
void expect_the_bits_of_fixed_sizes(Scheme scheme) {
  Walk<F> walk(scheme);
  Walk<Fixed> fixed(scheme);
  for (int i = 0; i < 300; ++i) {
    walk.step();
    fixed.step();
  }
  EXPECT_EQ(walk.state.t, fixed.state.t);
  EXPECT_TRUE(walk.state.y == fixed.state.y);
  EXPECT_TRUE(walk.state.carry == fixed.state.carry);
  EXPECT_TRUE(walk.state.guards == fixed.state.guards);
  EXPECT_TRUE(walk.middle == fixed.middle);
  EXPECT_EQ(walk.state.h_next, fixed.state.h_next);
  EXPECT_EQ(walk.state.rates_calls, fixed.state.rates_calls);
  EXPECT_EQ(walk.hits, fixed.hits);
  EXPECT_EQ(walk.sum_of_hits, fixed.sum_of_hits);
  EXPECT_GT(walk.hits, 5);
}

TEST(Dynamic, SizesGiveTheBitsOfFixedOnes) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    expect_the_bits_of_fixed_sizes<Dynamic>(scheme);
    expect_the_bits_of_fixed_sizes<Mixed>(scheme);
  }
}

template <class F>
void expect_no_allocation(Scheme scheme) {
  Walk<F> walk(scheme);
  const long before = allocations;
  for (int i = 0; i < 1000; ++i) walk.step();
  EXPECT_EQ(allocations, before);
  EXPECT_GT(walk.hits, 10);
}

TEST(Dynamic, StepsAndEventsAskForNoMemory) {
  for (Scheme scheme : {Scheme::dop853, Scheme::rk4}) {
    expect_no_allocation<Fixed>(scheme);
    expect_no_allocation<Dynamic>(scheme);
    expect_no_allocation<Mixed>(scheme);
  }
}

// What has grown or shrunk starts anew, with nothing left of before.
TEST(Dynamic, ResizingStartsAnew) {
  StepperState<Eigen::Dynamic, Eigen::Dynamic> state;
  Armed<Eigen::Dynamic> armed;
  state.resize(3, 2);
  armed.resize(3, 2);
  state.y.setConstant(7);
  state.scale.setConstant(7);
  armed.on.setConstant(true);
  state.resize(5, 4);
  armed.resize(5, 4);
  EXPECT_TRUE(state.y == Eigen::VectorXd::Zero(5));
  EXPECT_TRUE(state.scale == Eigen::VectorXd::Ones(5));
  EXPECT_EQ(state.guards.size(), 4);
  EXPECT_EQ(armed.on.size(), 4);
  EXPECT_FALSE(armed.on.any());
}

// Nothing to watch.
struct Decay {
  static constexpr int kSize = Eigen::Dynamic, kGuards = Eigen::Dynamic;
  int n = 1;
  int size() const { return n; }
  int guard_count() const { return 0; }
  bool rates(double, const Vec<double, kSize>& y, Vec<double, kSize>& dy,
             Vec<double, kGuards>&) const {
    dy = -y;
    return true;
  }
};
TEST(Dynamic, FieldsWithoutGuards) {
  const Decay field{7};
  Stepper<Decay> stepper(StepOptions{}, field);
  StepperState<Eigen::Dynamic, Eigen::Dynamic> state;
  Trial<Eigen::Dynamic, Eigen::Dynamic> trial;
  Armed<Eigen::Dynamic> armed;
  state.resize(7, 0);
  trial.resize(7, 0);
  armed.resize(7, 0);
  state.y.setOnes();
  ASSERT_TRUE(stepper.restart(field, state));
  while (state.t < 1) {
    stepper.attempt(field, state, 1, trial);
    ASSERT_EQ(trial.status, StepStatus::ok);
    EXPECT_FALSE(may_hit<Decay>(armed, state, trial));
    stepper.accept(trial, state);
  }
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(state.y(i), std::exp(-1), 1e-11);
}

}  // namespace oloid::test::dynamic_test
