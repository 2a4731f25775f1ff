// The field of a single body on ground at rest against that of the forest, which is another way to
// the same numbers.
#include "oloid/world/evaluate/single_contact.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oloid/world/evaluate/fields.h"
#include "support/allocations.h"
#include "support/group.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::single_contact_test {

constexpr int kSphere = -1;  // among the kinds of random contacts

struct Limits {
  double slip, spin;
};

// Ground anywhere, a body anywhere on it, with any inertia, in any motion that the law allows.
struct RandomField {
  Model model;
  IslandIndex index;
  IslandState state;
  Evaluation instant;

  static RandomContact contact(Random& random, int kind_A, int kind_B) {
    RandomContact c(random, std::max(kind_A, 0), kind_B);
    if (kind_A == kSphere) c.A.shape = *Ellipsoid::make(Vec3<double>::Constant(random(0.3, 0.5)));
    return c;
  }
  static Model model_of(const RandomContact& c, Random& random, Limits limits) {
    Model model = compiled(scene_of({named("body", ball(0.2), {{0, 0, 0.2}}), ground()}, {}, 1));
    model.bodies[0].side = c.A;
    model.bodies[0].inertia = c.body;
    model.bodies[0].force = random(1, 20);
    model.bodies[1].side = c.B;
    model.bodies[1].motion = Motion(Still{{random.rotation(), random.vector<3>(-2, 2)}});
    model.bodies[1].rest = model.bodies[1].motion.at(0);
    model.gravity_W = random.vector<3>(-9.81, 9.81);
    PairLaw law = model.pair(0).law;
    law.static_friction = limits.slip;
    law.spin = limits.spin;
    model.laws.set(BodyId{0}, BodyId{1}, law);
    return model;
  }

  RandomField(Random& random, const RandomContact& c, Law law, Limits limits)
      : model(model_of(c, random, limits)), index(model, model.moving), instant(index) {
    state.resize(index);
    Contact& hold = state.discrete.joint(0);
    hold.on = true;
    hold.key = {0};
    hold.parent = BodyId{1};
    hold.A = c.anchor_A;
    hold.B = c.anchor_B;
    Vec5<double> w = c.state.w;
    if (law.slip == Slip::stuck) {
      hold[Channel::slip].grip = Grip::stuck;
      w.tail<2>().setZero();
    }
    if (law.spin == Spin::stuck) {
      hold[Channel::spin].grip = Grip::stuck;
      w(kSpinRow) = 0;
    }
    if (law.slip == Slip::sliding) {
      hold[Channel::slip].grip = Grip::moving;
      hold[Channel::slip].friction = {random(0.05, 0.3), 1e-3, random.direction()};
    }
    instant.set_topology(state.discrete);
    state.y.y << c.state.location_A, c.state.location_B, c.state.psi, w, Vec<double, 5>::Zero();
  }
  const Contact& hold() { return state.discrete.joint(0); }
};

void expect_both_fields(Random& random, int kind_A, int kind_B, Law law, Limits limits) {
  const RandomContact c = RandomField::contact(random, kind_A, kind_B);
  RandomField f(random, c, law, limits);
  ASSERT_TRUE(SingleContact(f.index).applies_to(f.state.discrete));
  const IslandField field(f.index, f.state.discrete, f.instant);
  StateVector dy(field.size()), guards(field.guard_count()), other_dy = dy, other_guards = guards;
  ASSERT_TRUE(field.rates(0, f.state.y.y, dy, guards));
  ASSERT_TRUE(field.forest_rates(0, f.state.y.y, other_dy, other_guards));
  const double scale = 1 + other_dy.norm() + f.instant.forest[0].f.norm();
  for (int i = 0; i < field.size(); ++i) EXPECT_NEAR(dy(i), other_dy(i), 1e-12 * scale) << i;
  for (int i = 0; i < field.guard_count(); ++i)
    EXPECT_NEAR(guards(i), other_guards(i), 1e-12 * (scale * scale + std::abs(other_guards(i))))
        << "guard " << i;
}

TEST(SingleContact, IsTheForestOfOneBody) {
  const Law laws[] = {
      {Slip::frictionless}, {Slip::sliding}, {Slip::stuck}, {Slip::stuck, Spin::stuck}};
  for (int kind_A = kSphere; kind_A < kConvexKinds; ++kind_A) {
    for (int kind_B = 0; kind_B < kSupportKinds; ++kind_B) {
      for (int law = 0; law < 4; ++law) {
        SCOPED_TRACE(testing::Message()
                     << "A of kind " << kind_A << " on " << kind_B << ", law " << law);
        for_random_cases(3, [&](Random& random) {
          expect_both_fields(random, kind_A, kind_B, laws[law], {0.4, 0.02});
          expect_both_fields(random, kind_A, kind_B, laws[law], {INFINITY, INFINITY});
        });
      }
    }
  }
}

// The law may change from one call to the next.
TEST(SingleContact, FollowsTheDiscreteState) {
  Random random(1);
  const RandomContact c = RandomField::contact(random, 0, 0);
  RandomField f(random, c, {Slip::stuck}, {0.4, 0.02});
  const IslandField field(f.index, f.state.discrete, f.instant);
  StateVector dy(field.size()), guards(field.guard_count()), other_dy = dy, other_guards = guards;
  for (const Grip grip : {Grip::stuck, Grip::free, Grip::moving, Grip::stuck}) {
    f.state.discrete.joint(0)[Channel::slip].grip = grip;
    ASSERT_TRUE(field.rates(0, f.state.y.y, dy, guards));
    ASSERT_TRUE(field.forest_rates(0, f.state.y.y, other_dy, other_guards));
    EXPECT_LE((dy - other_dy).norm(), 1e-12 * (1 + other_dy.norm()));
  }
}

TEST(SingleContact, LeavesTheRestToTheForest) {
  Random random(1);
  const RandomContact c = RandomField::contact(random, 0, 0);
  const auto applies = [&](const auto& change) {
    RandomField f(random, c, {Slip::stuck}, {0.4, 0.02});
    change(f.state.discrete.joint(0), f.model);
    return SingleContact(IslandIndex(f.model, f.model.moving)).applies_to(f.state.discrete);
  };
  EXPECT_TRUE(applies([](Contact&, Model&) {}));
  EXPECT_FALSE(applies([](Contact& hold, Model&) { hold.on = false; }));
  EXPECT_FALSE(applies([](Contact& hold, Model&) { hold[Channel::slip].grip = Grip::starting; }));
  EXPECT_FALSE(applies([](Contact& hold, Model&) { hold[Channel::spin].grip = Grip::moving; }));
  EXPECT_FALSE(applies([](Contact& hold, Model&) { hold[Channel::roll].grip = Grip::stuck; }));
  EXPECT_FALSE(applies([](Contact&, Model& model) {
    model.bodies[1].motion = Motion(KeyFrameMotion{
        {}, CubicSpline<3>::at_rest_outside({0, 1}, {{0, 0, 0}, {1, 0, 0}}), {}, {}});
  }));
  EXPECT_FALSE(applies([](Contact&, Model& model) { model.loads.add_drag({BodyId{0}, 1, 1}); }));
  EXPECT_FALSE(
      applies([](Contact&, Model& model) { model.formulation = Formulation::parameter_rates; }));
}

TEST(SingleContact, IsUndefinedFarOutsideOfItsChartAndAllocatesNothing) {
  Random random(1);
  const RandomContact c = RandomField::contact(random, 0, 0);
  RandomField f(random, c, {Slip::stuck}, {0.4, 0.02});
  SingleContact single(f.index);
  ASSERT_TRUE(single.applies_to(f.state.discrete));
  StateVector dy(state_size(1)), guards(kBodyGuards);
  const long before = allocations;
  EXPECT_TRUE(single.rates(f.hold(), f.state.y.y, dy, guards));
  f.state.y.y(kLocationA) = 1;
  EXPECT_FALSE(single.rates(f.hold(), f.state.y.y, dy, guards));
  EXPECT_EQ(allocations, before);
}

}  // namespace oloid::test::single_contact_test
