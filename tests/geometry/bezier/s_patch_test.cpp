#include "oloid/geometry/bezier/s_patch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "geometry/surfaces.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "support/rooms.h"

namespace oloid::test::s_patch_test {

using Corners = SPatch::Corners;

Patchwork single(const Patch& patch) { return Patchwork::make({{patch, "the patch"}}).value(); }

template <class F>
void for_sides_and_depths(const F& f) {
  for (int n = 3; n <= SPatch::kMostSides; ++n) {
    for (int d = 1; d <= SPatch::kMostDepth; ++d) {
      SCOPED_TRACE(testing::Message() << n << " sides, depth " << d);
      f(n, d);
    }
  }
}

// Inside the polygon stretched by a factor.
Uv<double> random_in_polygon(Random& random, int n, double stretch = 1) {
  return ChartDomain{0, {0, 0}, {1, 1}, false, false, n}.sample(random, stretch);
}

TEST(SPatch, KeepsTheLawsOfSurfaces) {
  for_sides_and_depths([](int n, int d) {
    Random random(static_cast<unsigned>(10 * n + d));
    for (bool rational : {false, true}) {
      const Patchwork surface = single(random_s_patch(random, n, d, rational));
      expect_surface_laws(surface, domain_of(surface));
      expect_atlas_laws(surface, domain_of(surface));
    }
  });
}

TEST(SPatch, CornerListsAreInDictionaryOrder) {
  EXPECT_EQ(SPatch::all_corners(3, 2),
            (std::vector<Corners>{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}));
  EXPECT_EQ(SPatch::count(10, 5), 2002u);
  for_sides_and_depths([](int n, int d) {
    const std::vector<Corners> all = SPatch::all_corners(n, d);
    ASSERT_EQ(all.size(), SPatch::count(n, d));
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(SPatch::index(n, all[i]), i);
      EXPECT_EQ(SPatch::index(n, Corners(all[i].rbegin(), all[i].rend())), i);
    }
  });
}

// The coordinates sum to 1 and give back the point, vanish on the sides that do not meet their
// corner, and are not negative inside.
TEST(SPatch, CoordinatesAreBarycentric) {
  for (int n = 3; n <= SPatch::kMostSides; ++n) {
    const PatchDomain& domain = PatchDomain::regular(n);
    for_random_cases(50, [&](Random& random) {
      const Uv<double> q = random_in_polygon(random, n, 1.1);
      const auto l = geometry::detail::corner_coordinates<3>(domain, q);
      for (std::size_t t = 0; t < l.size(); ++t) {
        double sum = t == 0 ? -1 : 0;
        Uv<double> p = t == 0 ? Uv<double>(-q) : Uv<double>(t == 1 ? -1 : 0, t == 2 ? -1 : 0);
        double size = 1;
        for (int k = 0; k < n; ++k) {
          const double x = l[t][static_cast<std::size_t>(k)];
          sum += x;
          p += x * domain.corner(k);
          size += std::abs(x);
        }
        EXPECT_LE(std::abs(sum), 1e-14 * size);
        EXPECT_LE(p.norm(), 1e-14 * size);
      }
      const auto inside =
          geometry::detail::corner_coordinates<0>(domain, random_in_polygon(random, n));
      for (int k = 0; k < n; ++k) EXPECT_GE(inside[0][static_cast<std::size_t>(k)], 0);
      const int side = static_cast<int>(random(0, n));
      const double s = random(0, 1);
      const auto border =
          geometry::detail::corner_coordinates<0>(domain, domain.on_side(side, s))[0];
      for (int k = 0; k < n; ++k) {
        const double expected = k == side ? 1 - s : k == (side + 1) % n ? s : 0;
        EXPECT_NEAR(border[static_cast<std::size_t>(k)], expected, 1e-14);
      }
    });
  }
}

// Jets are valid until Σ π vanishes, on the circle through the points where the lines of sides that
// are next but one cross: beyond 1.1 times the polygon for every n.
TEST(SPatch, CoordinatesEndAtTheCircleOfStarPoints) {
  for (int n = 5; n <= SPatch::kMostSides; ++n) {
    const double pi = std::numbers::pi, end = std::cos(pi / n) / std::cos(2 * pi / n);
    EXPECT_GT(end, 1.17);
    for_random_cases(10, [&](Random& random) {
      const double angle = random(0, 2 * pi);
      const Uv<double> out(std::cos(angle), std::sin(angle));
      const auto largest = [&](double r) {
        const auto l =
            geometry::detail::corner_coordinates<0>(PatchDomain::regular(n), Uv<double>(r * out));
        double most = 0;
        for (int k = 0; k < n; ++k)
          most = std::max(most, std::abs(l[0][static_cast<std::size_t>(k)]));
        return most;
      };
      EXPECT_LT(largest(1.1), 5);
      EXPECT_GT(largest(end * (1 + 1e-9)), 1e3);
      EXPECT_NEAR(largest(end * (1 + 2e-6)) / largest(end * (1 + 1e-6)), 0.5, 1e-2);
    });
  }
}

// With three sides: the Bezier triangle whose point (i, j) has d − i − j, i and j times the
// corners.
TEST(SPatch, WithThreeSidesIsABezierTriangle) {
  for (int d = 1; d <= SPatch::kMostDepth; ++d) {
    for (bool rational : {false, true}) {
      Random random(static_cast<unsigned>(d));
      const SPatch patch = random_s_patch(random, 3, d, rational);
      const Patch triangle = make_patch(patch);
      ASSERT_TRUE(std::holds_alternative<TrianglePatch>(triangle));
      EXPECT_EQ(degree(triangle), d);
      const PatchDomain& domain = patch.domain();
      Mat2<double> M;  // (u, v) of the triangle to (u, v) of the polygon
      M << domain.corner(1) - domain.corner(0), domain.corner(2) - domain.corner(0);
      for_random_cases(20, [&](Random& cases) {
        const Uv<double> q = cases.vector<2>(-0.05, 0.6);
        const auto a = jet<2>(triangle, q);
        const auto b = patch.jet<2>(Uv<double>(domain.corner(0) + M * q));
        EXPECT_LE(difference(a.d(0, 0), b.d(0, 0)), 1e-14);
        EXPECT_LE(difference(a.d(1, 0), b.d(1, 0) * M(0, 0) + b.d(0, 1) * M(1, 0)), 1e-13);
        const Vec3<double> uv = b.d(2, 0) * M(0, 0) * M(0, 1) + b.d(0, 2) * M(1, 0) * M(1, 1) +
                                b.d(1, 1) * (M(0, 0) * M(1, 1) + M(1, 0) * M(0, 1));
        EXPECT_LE(difference(a.d(1, 1), uv), 1e-12);
      });
      for (int side = 0; side < 3; ++side) {
        for (double s : {0.2, 0.7}) {
          EXPECT_LE(difference(point_on(side_curve(triangle, side), s),
                               point_on(patch.side_curve(side), s)),
                    1e-15);
        }
      }
    }
  }
}

// With four sides: a tensor-product patch of degree d each way. Conversely a tensor-product net T
// is the S-patch whose point is T_ij, i and j counting the corners at u = 1 and at v = 1.
TEST(SPatch, WithFourSidesIsATensorProduct) {
  for (int d = 1; d <= SPatch::kMostDepth; ++d) {
    Random random(static_cast<unsigned>(d));
    const Rows net = random_net(random, d + 1, d + 1);
    WeightRows weights(net.size(), std::vector<double>(net.size(), 1));
    for (bool rational : {false, true}) {
      for (auto& row : weights)
        for (double& w : row) w = rational ? random(0.5, 2) : 1;
      std::vector<Vec<double, 4>> points;
      for (const Corners& corners : SPatch::all_corners(4, d)) {
        std::size_t i = 0, j = 0;
        for (const int corner : corners) {
          if (corner == 1 || corner == 2) ++i;
          if (corner >= 2) ++j;
        }
        points.push_back(weighted<3>(net[i][j], weights[i][j]));
      }
      for (const SPatch& patch : {SPatch(4, d, points), random_s_patch(random, 4, d, rational)}) {
        const bool from_tensor =
            patch.point(Corners(static_cast<std::size_t>(d), 0)).head<3>() == points[0].head<3>();
        const Patch tensor = from_tensor ? make_patch(net, weights).value() : make_patch(patch);
        ASSERT_FALSE(std::holds_alternative<SPatch>(tensor));
        EXPECT_EQ(std::holds_alternative<BicubicPatch>(tensor), d <= 3 && !rational);
        const PatchDomain& domain = patch.domain();
        for_random_cases(20, [&](Random& cases) {
          const Uv<double> q = cases.vector<2>(-0.1, 1.1);
          const Uv<double> along = domain.corner(1) - domain.corner(0),
                           across = domain.corner(3) - domain.corner(0);
          const auto a = jet<2>(tensor, q);
          const auto b =
              patch.jet<2>(Uv<double>(domain.corner(0) + q.x() * along + q.y() * across));
          EXPECT_LE(difference(a.d(0, 0), b.d(0, 0)), 1e-14);
          EXPECT_LE(difference(a.d(0, 1), b.d(1, 0) * across.x() + b.d(0, 1) * across.y()), 1e-13);
          const Vec3<double> uv = b.d(2, 0) * along.x() * across.x() +
                                  b.d(0, 2) * along.y() * across.y() +
                                  b.d(1, 1) * (along.x() * across.y() + along.y() * across.x());
          EXPECT_LE(difference(a.d(1, 1), uv), 1e-12);
        });
      }
    }
  }
}

// The polar form of (x, y) to the power (a, b), a + b ≤ d, symmetric in its d arguments.
double polar(int a, int b, std::vector<Uv<double>> arguments) {
  if (a + b == 0) return 1;
  // Any of the arguments may take the first factor: the mean over all of them.
  double sum = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::vector<Uv<double>> others = arguments;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    sum += a > 0 ? arguments[i].x() * polar(a - 1, b, others)
                 : arguments[i].y() * polar(a, b - 1, others);
  }
  return sum / static_cast<double>(arguments.size());
}

// Depth d reproduces all polynomials of degree d over the polygon: the points are polar values.
TEST(SPatch, ReproducesPolynomials) {
  for (int n = 3; n <= SPatch::kMostSides; ++n) {
    const int d = n <= 6 ? 4 : 3;
    for (const auto& [a, b] : {std::pair{d, 0}, {d - 1, 1}, {1, 1}, {0, d}}) {
      const PatchDomain& domain = PatchDomain::regular(n);
      std::vector<Vec<double, 4>> points;
      for (const Corners& corners : SPatch::all_corners(n, d)) {
        std::vector<Uv<double>> arguments;
        for (const int corner : corners) arguments.push_back(domain.corner(corner));
        points.push_back(weighted<3>(
            {polar(1, 0, arguments), polar(0, 1, arguments), polar(a, b, arguments)}, 1));
      }
      const SPatch patch(n, d, points);
      for_random_cases(20, [&, a = a, b = b](Random& random) {
        const Uv<double> q = random_in_polygon(random, n, 1.1);
        const auto c = patch.jet<3>(q);
        const auto power = [](double x, int e, int k) {  // derivative of order k of x^e
          double factor = 1;
          for (int i = 0; i < k; ++i) factor *= e - i;
          return factor == 0 ? 0 : factor * std::pow(x, e - k);
        };
        for (int i = 0; i <= 3; ++i) {
          for (int j = 0; i + j <= 3; ++j) {
            const Vec3<double> expected(power(q.x(), 1, i) * power(q.y(), 0, j),
                                        power(q.x(), 0, i) * power(q.y(), 1, j),
                                        power(q.x(), a, i) * power(q.y(), b, j));
            EXPECT_LE(difference(c.d(i, j), expected), 1e-14 * std::pow(4.0 * n, i + j));
          }
        }
      });
    }
  }
}

TEST(SPatch, SidesAreBezierCurvesOfTheDepth) {
  for_sides_and_depths([](int n, int d) {
    Random random(static_cast<unsigned>(n));
    for (const Patch& patch :
         {Patch(random_s_patch(random, n, d)), Patch(random_s_patch(random, n, d, true))}) {
      const PatchDomain& unit = domain(patch);
      EXPECT_EQ(degree(patch), d);
      ASSERT_EQ(sides(patch), n);
      for (int side = 0; side < n; ++side) {
        const BezierCurve<3> curve = side_curve(patch, side);
        ASSERT_EQ(curve.degree(), d);
        for (double s : {0.0, 0.3, 1.0}) {
          const Uv<double> q = unit.on_side(side, s);
          EXPECT_LE(difference(point_on(curve, s), jet<0>(patch, q).d(0, 0)), 1e-14);
        }
        EXPECT_EQ(curve.end(), side_curve(patch, (side + 1) % n).start());
      }
    }
  });
}

TEST(SPatch, BoxesContainItAndThoseOfPartsConverge) {
  for (int n : {3, 4, 5, 7, 10}) {
    for (bool rational : {false, true}) {
      SCOPED_TRACE(testing::Message() << n << " sides, rational " << rational);
      Random random(static_cast<unsigned>(n));
      const Patch patch = random_s_patch(random, n, 3, rational);
      const Box whole = bounding_box(patch);
      const Ball ball = bounding_ball(patch);
      double before = INFINITY;
      for (double size = 0.2; size > 0.01; size /= 2) {
        double worst = 0;
        for_random_cases(20, [&](Random& cases) {
          const Uv<double> low = random_in_polygon(cases, n) - Uv<double>(size / 2, size / 2);
          const Box part = part_box(patch, low, low + Uv<double>(size, size));
          Box exact;
          for (int i = 0; i <= 10; ++i) {
            for (int j = 0; j <= 10; ++j) {
              const Uv<double> q = low + size / 10 * Uv<double>(i, j);
              double margin = 1;
              for (int k = 0; k < n; ++k) margin = std::min(margin, domain(patch).margin(k, q));
              if (margin < 0) continue;
              const Vec3<double> p = jet<0>(patch, q).d(0, 0);
              EXPECT_TRUE(part.contains(p, 1e-14));
              EXPECT_TRUE(whole.contains(p, 1e-14));
              EXPECT_LE((p - ball.centre).norm(), ball.radius + 1e-14);
              exact.add(p);
            }
          }
          if (low.norm() > 0.4) return;  // cut by the border: what is left out is not compared
          worst = std::max(
              {worst, (exact.low - part.low).maxCoeff(), (part.high - exact.high).maxCoeff()});
        });
        if (before > 1e-12) {
          EXPECT_LE(worst, 0.4 * before);
        }
        before = worst;
      }
    }
  }
}

TEST(SPatch, PartBoxesOfOtherPatchesContainThem) {
  Random random(1);
  const Rows square = random_net(random, 4, 4);
  const Patch triangle = make_patch(random_s_patch(random, 3, 4));
  for (const Patch& patch : {make_patch(square).value(), triangle}) {
    for_random_cases(50, [&](Random& cases) {
      const Uv<double> low = cases.vector<2>(0, 0.6), high = low + cases.vector<2>(0.05, 0.3);
      const Box box = part_box(patch, low, high);
      const Uv<double> q = low + cases.vector<2>(0, 1).cwiseProduct(high - low);
      if (sides(patch) == 3 && q.sum() > 1) return;
      EXPECT_TRUE(box.contains(jet<0>(patch, q).d(0, 0), 1e-14));
    });
  }
}

PointRows rows_of(int n, int d) {
  PointRows net(static_cast<std::size_t>(n));
  for (const Corners& corners : SPatch::all_corners(n, d)) {
    Vec3<double> p(0, 0, 0);
    for (const int corner : corners) p.head<2>() += PatchDomain::regular(n).corner(corner) / d;
    net[static_cast<std::size_t>(corners[0])].push_back(p);
  }
  return net;
}

void expect_refused(const Result<Patch>& r, const std::string& message, const std::string& remedy) {
  ASSERT_FALSE(r.has_value()) << message;
  EXPECT_EQ(r.error().message, message);
  EXPECT_EQ(r.error().remedy, remedy);
}

TEST(SPatch, IsMadeFromRows) {
  for_sides_and_depths([](int n, int d) {
    const auto patch = make_s_patch(rows_of(n, d));
    ASSERT_TRUE(patch.has_value());
    EXPECT_EQ(sides(*patch), n);
    EXPECT_EQ(std::holds_alternative<SPatch>(*patch), n > 4);
    // A flat net is the polygon itself.
    if (n > 4) {
      EXPECT_LE(
          difference(jet<0>(*patch, Uv<double>(0.3, -0.2)).d(0, 0), Vec3<double>(0.3, -0.2, 0)),
          1e-15);
    }
  });
}

TEST(SPatch, RefusesBadNets) {
  const std::string sides = "an S-patch has one row per side, and 3 to 10 sides";
  expect_refused(make_s_patch({}), "the control net has 0 rows", sides);
  expect_refused(make_s_patch(PointRows(2, {{0, 0, 0}})), "the control net has 2 rows", sides);
  expect_refused(make_s_patch(PointRows(11, {{0, 0, 0}})), "the control net has 11 rows", sides);
  const std::string first =
      "with 5 sides the first row has 1, 5, 15, 35 or 70 points, for depths 1 to 5";
  PointRows net = rows_of(5, 2);
  net[0].pop_back();
  expect_refused(make_s_patch(net), "row 0 of the control net has 4 points", first);
  net[0].clear();
  expect_refused(make_s_patch(net), "row 0 of the control net has 0 points", first);
  net[0].resize(71, {0, 0, 0});
  expect_refused(make_s_patch(net), "row 0 of the control net has 71 points", first);
  net = rows_of(5, 2);
  net[3].pop_back();
  expect_refused(make_s_patch(net), "row 3 of the control net has 1 points",
                 "with 5 sides and depth 2, the rows have 5, 4, 3, 2, 1 points");
  net = rows_of(5, 2);
  net[1][2].y() = std::nan("");
  expect_refused(make_s_patch(net), "control point 2 of row 1 is not finite", "use finite numbers");
  net = rows_of(5, 2);
  WeightRows weights;
  for (const auto& row : net) weights.emplace_back(row.size(), 1.0);
  weights[4][0] = -1;
  expect_refused(make_s_patch(net, weights), "weight 0 of row 4 is -1",
                 "weights must be finite and greater than 0");
}

}  // namespace oloid::test::s_patch_test
