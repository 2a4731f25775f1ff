#include "oloid/geometry/bezier/fill_hole.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "geometry/surfaces.h"
#include "oloid/geometry/bezier/border_curve.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "support/rooms.h"

namespace oloid::test::fill_hole_test {

// Borders along the regular polygon, of the given degrees in turn, bent at random.
std::vector<BezierCurve<3>> borders(Random& random, int n, const std::vector<int>& degrees,
                                    double bend, bool rational = false) {
  std::vector<Vec3<double>> corners;
  for (int k = 0; k < n; ++k) {
    const Uv<double> p = PatchDomain::regular(n).corner(k);
    corners.push_back(Vec3<double>(p.x(), p.y(), 0) + bend * random.vector<3>(-1, 1));
  }
  std::vector<BezierCurve<3>> result;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const int degree = degrees[k % degrees.size()];
    const double at_ends = rational ? random(0.7, 1.4) : 1;  // of a border: all fit together
    BezierCurve<3> curve;
    for (int i = 0; i <= degree; ++i) {
      const double s = static_cast<double>(i) / degree;
      Vec3<double> p = (1 - s) * corners[k] + s * corners[(k + 1) % corners.size()];
      double w = at_ends;
      if (i > 0 && i < degree) {
        p += bend * random.vector<3>(-1, 1);
        if (rational) w = random(0.7, 1.4);
      }
      curve.points.push_back(weighted<3>(p, w));
    }
    result.push_back(curve);
  }
  return result;
}

TEST(FillHole, HasTheBorders) {
  for (int n = 3; n <= SPatch::kMostSides; ++n) {
    for (const auto& degrees : {std::vector{1}, {2}, {3, 2}, {5, 1, 3}}) {
      Random random(static_cast<unsigned>(n));
      for (bool rational : {false, true}) {
        const auto given = borders(random, n, degrees, 0.05, rational);
        const Patch patch = fill_hole(given).value();
        ASSERT_EQ(sides(patch), n);
        for (int side = 0; side < n; ++side) {
          const int highest = std::max(degree(patch), 5);
          const BezierCurve<3>& curve = given[static_cast<std::size_t>(side)];
          EXPECT_LE(
              distance(BorderCurve(curve, highest), BorderCurve(side_curve(patch, side), highest)),
              1e-13);
        }
        EXPECT_TRUE(Patchwork::make({{patch, "the patch"}}).has_value());
      }
    }
  }
}

// Straight borders of a planar polygon that is an affine image of the regular one: filled by the
// affine map itself.
TEST(FillHole, ReproducesAffineImages) {
  for (int n = 5; n <= SPatch::kMostSides; ++n) {
    for (int d = 1; d <= SPatch::kMostDepth; ++d) {
      Random random(static_cast<unsigned>(n));
      const Mat<double, 3, 2> M = Mat<double, 3, 2>::NullaryExpr([&] { return random(-1, 1); });
      auto given = borders(random, n, {d}, 0);
      for (auto& curve : given)
        for (auto& h : curve.points) h.head<3>() = M * h.head<2>().eval();
      const Patch patch = fill_hole(given).value();
      for_random_cases(5, [&](Random& cases) {
        const Uv<double> q = cases.vector<2>(-0.5, 0.5);
        EXPECT_LE(difference(jet<0>(patch, q).d(0, 0), M * q), 1e-14);
        EXPECT_LE(difference(jet<1>(patch, q).d(1, 0), M.col(0)), 1e-13);
      });
    }
  }
}

TEST(FillHole, StaysWithinTheBorders) {
  for (int n = 3; n <= SPatch::kMostSides; ++n) {
    Random random(static_cast<unsigned>(n));
    const auto given = borders(random, n, {4}, 0.3);
    Box box;
    for (const auto& curve : given)
      for (std::size_t i = 0; i < curve.points.size(); ++i) box.add(curve.control_point(i));
    for (const Vec<double, 4>& h : control_points(fill_hole(given).value()))
      EXPECT_TRUE(box.contains(h.head<3>() / h(3), 1e-14));
  }
}

void expect_refused(const std::vector<BezierCurve<3>>& given, const std::string& message) {
  const auto patch = fill_hole(given);
  ASSERT_FALSE(patch.has_value()) << message;
  EXPECT_EQ(patch.error().message, message);
  EXPECT_NE(patch.error().remedy, "");
}

TEST(FillHole, RefusesBadBorders) {
  Random random(1);
  const auto good = borders(random, 5, {2}, 0.1);
  ASSERT_TRUE(fill_hole(good).has_value());
  expect_refused({}, "the hole has 0 borders");
  expect_refused({good[0], good[1]}, "the hole has 2 borders");
  expect_refused(std::vector<BezierCurve<3>>(11, good[0]), "the hole has 11 borders");
  auto bad = good;
  bad[2].points.resize(7, bad[2].points[0]);
  expect_refused(bad, "border 2 has 7 control points");
  bad[2].points.resize(1);
  expect_refused(bad, "border 2 has 1 control points");
  bad = good;
  bad[3].points[1].x() = std::nan("");
  expect_refused(bad, "border 3 has a point that is not finite");
  bad = good;
  bad[4].points[0](3) = 0;
  expect_refused(bad, "border 4 has a weight that is not positive");
  bad[4].points[0](3) = 1e-7;
  expect_refused(bad, "border 4 has weights from 1e-07 to 1");
  bad = good;
  bad[1].points[2] *= 3;
  expect_refused(bad,
                 "the weights of the borders do not match at the corners: once around the hole "
                 "they differ by a factor of 3");
  bad = good;
  bad[4].points[2].z() += 0.25;
  expect_refused(bad, "border 4 ends 0.25 m from the start of border 0");
}

}  // namespace oloid::test::fill_hole_test
