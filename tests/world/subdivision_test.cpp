// Contacts on subdivision surfaces: across extraordinary vertices, and at creases.
#include "oloid/geometry/subdivision/subdivision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "oloid/world/simulation.h"
#include "support/ball_force.h"
#include "support/cages.h"
#include "support/rooms.h"
#include "support/simulate.h"
#include "support/specs.h"

namespace oloid::test::subdivision_test {

using test::Memory;
using test::simulate;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kRadius = 0.2;

SubdivisionSpec subdivision(const Cage& cage, SubdivisionScheme scheme) {
  SubdivisionSpec spec;
  spec.cage.cage = std::make_shared<const Cage>(cage);
  spec.scheme = scheme == SubdivisionScheme::loop ? SubdivisionSpec::Scheme::loop
                                                  : SubdivisionSpec::Scheme::catmull_clark;
  return spec;
}

// How near to the pole of a drum, which stands upright, the contact came.
double nearest_to_pole(const Memory& m) {
  double nearest = kUnlimited;
  for (const auto& frame : m.frames)
    nearest = std::min(nearest, frame.contact.point_B.head<2>().norm());
  return nearest;
}

// A ball thrown over the pole of a drum, where n faces meet, through the vertex itself or past it:
// it stays on the surface, no energy is lost, and the force is the one of the curvature
// throughout, on the rings of patches and on the disc in their middle.
TEST(SubdivisionContact, RunsAcrossExtraordinaryVertices) {
  struct Throw {
    SubdivisionScheme scheme;
    int valence;
    double beside;  // [m]
    double friction;
  };
  constexpr auto kLoop = SubdivisionScheme::loop, kCatmullClark = SubdivisionScheme::catmull_clark;
  for (const auto& [scheme, n, beside, friction] :
       {Throw{kLoop, 3, 0, kUnlimited}, Throw{kLoop, 5, 0, 0}, Throw{kLoop, 7, 3e-7, kUnlimited},
        Throw{kLoop, 10, 0, kUnlimited}, Throw{kCatmullClark, 3, 0, 0},
        Throw{kCatmullClark, 5, 3e-7, kUnlimited}, Throw{kCatmullClark, 7, 0, kUnlimited},
        Throw{kCatmullClark, 10, 0, 0}, Throw{kCatmullClark, 12, 0, 0}}) {
    SCOPED_TRACE(testing::Message() << (scheme == kLoop ? "Loop" : "Catmull-Clark") << ", valence "
                                    << n << ", " << beside << " m beside, friction " << friction);
    const Cage cage = drum(n, 3, 7, scheme == kLoop, 0);
    BodySpec ball = test::ball(kRadius);
    ball.position = Vec3<double>(-0.1, beside, 1.1);
    ball.velocity = Vec3<double>(1, 0, 0);
    const Spec spec = test::gliding(
        test::touching(test::scene(ball, test::ground(subdivision(cage, scheme)), friction, 0.2)));
    const Memory m = simulate(spec, 1e-11);
    ASSERT_FALSE(m.events.empty());
    EXPECT_EQ(m.events.back().kind, EventKind::end) << m.events.back().note;
    EXPECT_TRUE(m.of(EventKind::take_off).empty());
    EXPECT_LE(nearest_to_pole(m), beside == 0 ? 1e-5 : 2 * beside + 1e-5);
    EXPECT_LE(m.summary.energy.max_relative_drift, 1e-9);
    test::expect_force_of_curvature(m, compile(spec).value().bodies[1].side.shape, kRadius, 1e-8);
  }
}

TEST(SubdivisionContact, ASharpCreaseEndsTheRun) {
  const Cage can = creased(cube(), {4, 5, 7, 6, 4}, kUnlimited);
  BodySpec ball = test::ball(kRadius);
  ball.position = Vec3<double>(0, 0, 1 + kRadius);
  ball.velocity = Vec3<double>(1, 0.3, 0);
  const SubdivisionSpec ground = subdivision(can, SubdivisionScheme::catmull_clark);
  const Memory m = simulate(test::scene(ball, test::ground(ground), 0, 10));
  ASSERT_FALSE(m.events.empty());
  EXPECT_EQ(m.events.back().kind, EventKind::open_border);
  EXPECT_EQ(m.events.back().note,
            "the contact has reached a sharp edge: the simulation of its bodies ends here");
  // The top is flat, and its outline the closed cubic spline of a square; this is a quarter of it.
  const Curve outline =
      Curve::bezier(
          {{2.0 / 3, -2.0 / 3, 1}, {1, -1.0 / 3, 1}, {1, 1.0 / 3, 1}, {2.0 / 3, 2.0 / 3, 1}})
          .value();
  double from = 0.5, to = 1;  // where it crosses y = 0.3 x
  for (int i = 0; i < 60; ++i) {
    const Vec3<double> q = outline.jet<0>(0, 0.5 * (from + to))[0];
    (q.y() < 0.3 * q.x() ? from : to) = 0.5 * (from + to);
  }
  const Vec3<double> expected = outline.jet<0>(0, from)[0];
  EXPECT_LT((m.frames.back().contact.point_B - expected).norm(), 1e-9);
}

}  // namespace oloid::test::subdivision_test
