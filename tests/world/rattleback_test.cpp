// Rattlebacks reverse their spin, whatever describes their underside; docs/experiments has the
// dependence on the step.
#include <numbers>

#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::rattleback_test {

// scenes/rattleback_bezier.toml. The patch is a paraboloid: its z is quadratic in x and in y.
ShapeSpec patch() {
  const std::array<double, 4> x{-0.18, -0.06, 0.06, 0.18}, y{-0.06, -0.02, 0.02, 0.06},
      along{0.03, 0, 0, 0.03}, across{0.012, 0, 0, 0.012};
  std::vector<std::vector<Vec3<double>>> net(4, std::vector<Vec3<double>>(4));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) net[i][j] = {x[j], y[i], along[j] + across[i] - 0.0105};
  }
  return one_patch(net);
}
ShapeSpec formula() {
  ImplicitSpec shape;
  shape.formulas = std::vector<std::string>{"x^2/1.44 + y^2/0.4 - z"};
  shape.box =
      std::array<Vec3<double>, 2>{Vec3<double>(-0.2, -0.1, -0.02), Vec3<double>(0.2, 0.1, 0.08)};
  shape.open = true;
  return shape;
}
ShapeSpec quadric() {
  QuadricSpec shape;
  shape.Q = Mat3<double>(Vec3<double>(1 / 1.44, 1 / 0.4, 0).asDiagonal());
  shape.b = Vec3<double>(0, 0, -0.5);
  shape.c = 0.0;
  return shape;
}

Quat<double> about(const Vec3<double>& axis, double degrees) {
  const double a = 0.5 * degrees * std::numbers::pi / 180;
  const Vec3<double> v = std::sin(a) * axis;
  return {std::cos(a), v.x(), v.y(), v.z()};
}

Spec paper(const ShapeSpec& underside, double duration) {
  BodySpec body = moving_body(underside, 1, Vec3<double>(1.3e-3, 1.1e-2, 1.2e-2).asDiagonal());
  body.shape_position = Located<Vec3<double>>({0, 0, -0.0095});
  body.shape_orientation = about(Vec3<double>::UnitZ(), -10);
  body.orientation = about(Vec3<double>::UnitX(), -0.3) * about(Vec3<double>::UnitY(), 0.5);
  const Start start{
      {0, 0, 0.0095252204618309858}, {0.0009109393316683902, -0.016794203288924784, 0}, {0, 0, 3}};
  Spec spec =
      scene_of({named("body", body, start), table()}, {law("body", "table", INFINITY)}, duration);
  spec.solver.max_step = Located<double>(0.01);
  return touching(spec);
}

// When the spin about the vertical changes its sign; infinite if it does not.
double reversal(const Film& f) {
  const double first = f.pictures.front().bodies[0].angular_velocity.z();
  for (const Film::Picture& p : f.pictures) {
    if (p.bodies[0].angular_velocity.z() * first < 0) return p.t;
  }
  return INFINITY;
}

TEST(Rattleback, ReversesOnEveryUnderside) {
  for (const ShapeSpec& underside : {patch(), formula(), quadric()}) {
    const Film f = film(paper(underside, 12));
    ASSERT_TRUE(f.ended());
    EXPECT_NEAR(reversal(f), 8.46, 0.02);
    EXPECT_LT(f.last("body").angular_velocity.z(), -0.5);
    EXPECT_LE(f.drift(), 1e-9);
  }
  const Film celt = film(rattleback(3.5));
  EXPECT_NEAR(reversal(celt), 2.77, 0.02);
  EXPECT_LE(celt.drift(), 1e-9);
}

// One surface, described in three ways: the same motion.
TEST(Rattleback, DescriptionOfTheUndersideDoesNotMatter) {
  std::vector<Film> films;
  for (const ShapeSpec& underside : {patch(), formula(), quadric()}) {
    Spec spec = paper(underside, 2);
    spec.solver.rtol = 1e-13;
    films.push_back(film(spec));
  }
  EXPECT_LE(distance(films[0].last("body"), films[1].last("body")), 1e-9);
  EXPECT_LE(distance(films[0].last("body"), films[2].last("body")), 1e-9);
}

// The classic scheme with fixed steps: it reverses up to 40 ms, later as the scheme's damping eats
// the rocking, and from 50 ms on not any more.
TEST(Rattleback, NeedsStepsBelow50ms) {
  const auto reverses = [](double step) {
    Spec spec = paper(patch(), 14);
    spec.solver.method = Method::rk4;
    spec.solver.max_step = Located<double>(step);
    const Film f = film(spec);
    return f.ended() ? reversal(f) : INFINITY;
  };
  EXPECT_NEAR(reverses(0.002), 8.46, 0.02);
  EXPECT_NEAR(reverses(0.005), 8.46, 0.02);
  EXPECT_NEAR(reverses(0.01), 8.46, 0.02);
  EXPECT_NEAR(reverses(0.02), 8.59, 0.02);
  EXPECT_NEAR(reverses(0.04), 11.25, 0.05);
  EXPECT_EQ(reverses(0.05), INFINITY);
  EXPECT_EQ(reverses(0.1), INFINITY);
}

}  // namespace oloid::test::rattleback_test
