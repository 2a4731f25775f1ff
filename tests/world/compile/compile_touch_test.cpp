// Contacts at the start: small gaps are closed along the normal, overlaps refused with a remedy.
#include "oloid/world/compile/compile_touch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::compile_touch_test {

using Vector = Vec3<double>;

// On a slope the ball is moved along its normal, by as much as it was off, whatever the sign.
TEST(CompileTouch, GapsAreClosedAlongTheNormal) {
  const double angle = 20 * std::acos(-1.0) / 180;
  const Vector n(std::sin(angle), 0, std::cos(angle));
  for (const double gap : {-1.5e-10, -1e-12, 0.0, 1e-11, 1.5e-10}) {
    Spec spec = ball_on_slope(20, 0.3, 1);
    spec.bodies[0].position.value += Vector(0.3 * Vector::UnitY() + gap * n);
    const Model model = compiled(spec);
    ASSERT_EQ(model.touches.size(), 1u) << gap;
    const Vector moved = model.bodies[0].start.p_WA - spec.bodies[0].position.value;
    EXPECT_NEAR(model.bodies[0].start.p_WA.dot(n), 0.2, 1e-16);
    EXPECT_LE((moved + gap * n).norm(), 1e-16);
    EXPECT_NEAR(model.touches[0].near.gap, gap, 1e-16);
  }
}

// Beyond 1e-9 of the body's size it does not touch.
TEST(CompileTouch, FartherBodiesAreApart) {
  Spec spec = ball_on_slope(0, 0.3, 1);
  spec.bodies[0].position.value.z() += 3e-10;
  const Model model = compiled(spec);
  EXPECT_TRUE(model.touches.empty());
  EXPECT_EQ(model.bodies[0].start.p_WA, spec.bodies[0].position.value);
}

// Trees of bodies are moved as a whole: the gaps that were closed before stay closed.
TEST(CompileTouch, TreesAreMovedTogether) {
  const double r = 0.2, e = 1e-10;
  const BodySpec a = named("a", ball(r), {{0.1, 0, 5 * r + 2 * e}}),
                 b = named("b", ball(r), {{0.1, 0, 3 * r + 0.5 * e}}),
                 c = named("c", ball(r), {{0.1, 0, r - e}});
  for (const std::vector<BodySpec>& bodies :
       {std::vector<BodySpec>{a, b, c, table()}, {c, b, a, table()}, {table(), a, c, b}}) {
    const Model model = compiled(scene_of(bodies, {}, 1));
    EXPECT_EQ(model.touches.size(), 3u);
    const auto z = [&](const char* name) {
      return model.body(body_named(model, name)).start.p_WA.z();
    };
    EXPECT_NEAR(z("c"), r, 1e-16);
    EXPECT_NEAR(z("b") - z("c"), 2 * r, 2e-16);
    EXPECT_NEAR(z("a") - z("b"), 2 * r, 2e-16);
  }
}

// The position that is proposed is that of touch: 0.3 m along the line of centres, or on the table.
TEST(CompileTouch, OverlapsAreRefusedWithAPlaceToGoTo) {
  const Vector way = Vector(1, 2, 2) / 3;
  Spec balls = scene_of({named("a", ball(0.2), {0.25 * way}), named("b", ball(0.1))}, {}, 1);
  Spec flat =
      scene_of({named("a", ellipsoid({0.3, 0.2, 0.1}, 1), {{0.4, 0.5, 0.03}}), table()}, {}, 1);
  struct Case {
    Spec spec;
    double depth;
    Vector there;
  };
  for (Case& one : std::vector<Case>{{balls, 0.05, 0.3 * way}, {flat, 0.07, {0.4, 0.5, 0.1}}}) {
    complete_laws(one.spec);
    const auto refused = compile(one.spec);
    ASSERT_FALSE(refused);
    ASSERT_EQ(refused.error().size(), 1u);
    EXPECT_NE(refused.error()[0].message.find("overlap at the start by 0.0"), std::string::npos);
    const auto p = proposed_position(refused.error()[0]);
    ASSERT_TRUE(p);
    EXPECT_LE((*p - one.there).norm(), 1e-13);
    EXPECT_NEAR((*p - one.spec.bodies[0].position.value).norm(), one.depth, 1e-13);
    one.spec.bodies[0].position.value = *p;
    const auto accepted = compile(one.spec);
    ASSERT_TRUE(accepted);
    EXPECT_EQ(accepted->touches.size(), 1u);
  }
}

// Two balls on a table that touch each other, too: the run meets that contact, no tree has it.
TEST(CompileTouch, LoopsAreLeftForTheRun) {
  const Model model = compiled(scene_of(
      {named("a", ball(0.2), {{0, 0, 0.2}}), named("b", ball(0.2), {{0.4, 0, 0.2}}), table()}, {},
      1));
  EXPECT_EQ(model.touches.size(), 2u);
  ASSERT_EQ(model.unsupported.size(), 1u);
  EXPECT_EQ(model.touches.size() + model.unsupported.size(), model.pairs.size());
}

// So are contacts with an edge.
TEST(CompileTouch, EdgesAreLeftForTheRun) {
  BoxSpec box;
  box.size = Vector(0.2, 0.2, 0.2);
  BodySpec cube = moving_body(box, 1, Mat3<double>::Identity() / 150);
  const double a = std::acos(-1.0) / 8;
  cube.orientation = Quat<double>{std::cos(a), std::sin(a), 0, 0};
  const Model model =
      compiled(scene_of({named("cube", cube, {{0, 0, 0.1 * std::sqrt(2.0)}}), table()}, {}, 1));
  EXPECT_TRUE(model.touches.empty());
  EXPECT_EQ(model.unsupported.size(), 1u);
}

}  // namespace oloid::test::compile_touch_test
