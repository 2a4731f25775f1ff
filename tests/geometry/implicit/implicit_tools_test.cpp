#include "oloid/geometry/implicit/implicit_tools.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "laws/difference.h"
#include "laws/random.h"
#include "support/rooms.h"

namespace oloid::test::implicit_tools_test {

namespace tools = implicit_tools;

ImplicitField field(const std::string& formula) {
  return ImplicitExpression::make(formula).value();
}

TEST(ImplicitTools, BracketedNewtonFindsTheZero) {
  // Flat, steep, without a slope, noisy: from either side.
  const auto expect_zero = [](const auto& f, double inside, double outside, double zero) {
    EXPECT_NEAR(tools::bracketed_newton(f, inside, outside), zero, 1e-12);
  };
  using tools::OnLine;
  const auto power = [](double t) { return OnLine{std::pow(t, 64) - 1, 64 * std::pow(t, 63)}; };
  expect_zero(power, 0, 2, 1);
  expect_zero(power, 0, 1000, 1);
  const auto cube = [](double t) { return OnLine{t * t * t - 8, 3 * t * t}; };
  expect_zero(cube, -1, 50, 2);
  const auto falling = [](double t) { return OnLine{2 - t, -1}; };
  expect_zero(falling, 5, 0, 2);
  const auto useless = [](double t) { return OnLine{t - 0.3, std::nan("")}; };
  expect_zero(useless, 0, 1, 0.3);
  const auto wrong = [](double t) { return OnLine{std::atan(1e3 * (t - 0.3)), -1.0}; };
  expect_zero(wrong, 0, 1, 0.3);
}

TEST(ImplicitTools, FindZeroReachesTheSurfaceOrSaysThatItDoesNot) {
  const ImplicitField sphere = field("x^2 + y^2 + z^2 - 1"),
                      sharp = field("x^64 + y^64 + z^64 - 1");
  for_random_cases(200, [&](Random& random) {
    for (const ImplicitField* f : {&sphere, &sharp}) {
      const Vec3<double> p = random.vector<3>(-2, 2);
      if (const auto zero = tools::find_zero(*f, p, 0.5, 1)) {
        const tools::FirstOrder at = tools::first_order(*f, *zero);
        EXPECT_LE(std::abs(at.f), 1e-10 * at.gradient.norm());
      } else {
        EXPECT_NE(f, &sphere);
      }
    }
  });
  EXPECT_FALSE(tools::find_zero(sphere, Vec3<double>::Zero(), 1, 1));  // no gradient
  EXPECT_FALSE(tools::find_zero(field("x^2 + y^2 + z^2 + 1"), {1, 2, 3}, 1, 1));
  EXPECT_FALSE(tools::find_zero(field("log(x) + y"), {-1, 0, 0}, 1, 1));  // not a number
}

TEST(ImplicitTools, DerivativesAlongLines) {
  const ImplicitField f = field("x^3*y + sin(z)");
  for_random_cases(20, [&](Random& random) {
    const Vec3<double> p = random.vector<3>(-1, 1), d = random.direction();
    const tools::FirstOrder at = tools::first_order(f, p);
    const tools::OnLine along = tools::on_line(f, p, d);
    EXPECT_LE(difference(at.f, along.f), 4 * kEps);
    EXPECT_LE(difference(at.gradient.dot(d), along.slope), 16 * kEps);
    EXPECT_LE(difference(at.gradient, f.implicit_jet(p).gradient), 16 * kEps);
  });
}

TEST(ImplicitTools, TightBoundsAreBounds) {
  const ImplicitField f = field("(x^2 + y^2 + z^2 + 0.91)^2 - 4*(x^2 + y^2)");
  for_random_cases(200, [&](Random& random) {
    const Vec3<double> low = random.vector<3>(-1, 1);
    const Box box{low, low + random(0, 0.1) * random.vector<3>(0, 1)};
    const Interval tight = tools::tight_bounds(f, box).f, wide = f.bounds(box).f;
    EXPECT_LE(tight.width(), wide.width());
    for (int k = 0; k < 20; ++k) {
      const Vec3<double> p = box.low + box.size().cwiseProduct(random.vector<3>(0, 1));
      EXPECT_TRUE(tight.contains(f.value(p)));
    }
  });
}

TEST(ImplicitTools, Boxes) {
  const Box box{{0, 0, 0}, {2, 4, 6}};
  Box all;
  double volume = 0;
  for (int k = 0; k < 8; ++k) {
    all.add(tools::octant(box, k));
    volume += tools::octant(box, k).size().prod();
  }
  EXPECT_EQ(all.low, box.low);
  EXPECT_EQ(all.high, box.high);
  EXPECT_EQ(volume, 48);
  const Box grown = tools::grown(box, 0.1);
  EXPECT_LE(grown.low.maxCoeff(), -0.1);
  EXPECT_GE(grown.high.x(), 2.1);
  EXPECT_EQ(tools::half_diagonal(box), 0.5 * std::sqrt(56.0));
}

}  // namespace oloid::test::implicit_tools_test
