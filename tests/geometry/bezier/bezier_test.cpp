#include "oloid/geometry/bezier/bezier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "geometry/surfaces.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "support/rooms.h"

namespace oloid::test::bezier_test {

WeightRows random_weights(Random& random, const Rows& net) {
  WeightRows weights;
  for (const auto& row : net) {
    weights.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) weights.back().push_back(random(0.5, 2));
  }
  return weights;
}

// A triangular net of degree n, bent at random but regular.
Rows random_triangle_net(Random& random, int n) {
  Rows net;
  for (int j = 0; j <= n; ++j) {
    net.emplace_back();
    for (int i = 0; i + j <= n; ++i) {
      net.back().push_back(Vec3<double>(i, j, 0) / n + random.vector<3>(-0.1, 0.1) / n);
    }
  }
  return net;
}

Patchwork single(const Patch& patch) { return Patchwork::make({{patch, "the patch"}}).value(); }

void expect_all_laws(const Patch& patch) {
  const Patchwork surface = single(patch);
  expect_surface_laws(surface, domain_of(surface));
  expect_atlas_laws(surface, domain_of(surface));
}

TEST(BicubicPatch, KeepsTheLawsOfSurfaces) {
  const nlohmann::json vectors = contact_vectors();
  ASSERT_EQ(vectors.at("configurations").size(), 3u);
  for (const auto& configuration : vectors.at("configurations")) {
    for (const char* net : {"net1", "net2"}) {
      const Patch patch = make_patch(rows(configuration.at("input").at(net))).value();
      ASSERT_TRUE(std::holds_alternative<BicubicPatch>(patch));
      expect_all_laws(patch);
    }
  }
  for_random_cases(
      5, [](Random& random) { expect_all_laws(make_patch(random_net(random, 4, 4)).value()); });
}

TEST(TensorPatch, KeepsTheLawsOfSurfaces) {
  for (const auto& [n, m] : {std::pair{3, 3}, {4, 4}, {5, 3}, {6, 6}, {2, 9}, {11, 2}}) {
    SCOPED_TRACE(testing::Message() << n << " x " << m << " points");
    for_random_cases(2, [n = n, m = m](Random& random) {
      const Rows net = random_net(random, n, m);
      const Patch rational = make_patch(net, random_weights(random, net)).value();
      ASSERT_TRUE(std::holds_alternative<TensorPatch>(rational));
      expect_all_laws(rational);
      if (n > 4 || m > 4) expect_all_laws(make_patch(net).value());
    });
  }
}

TEST(TrianglePatch, KeepsTheLawsOfSurfaces) {
  for (int n : {1, 2, 3, 4, 7}) {
    SCOPED_TRACE(testing::Message() << "degree " << n);
    for_random_cases(2, [n](Random& random) {
      const Rows net = random_triangle_net(random, n);
      expect_all_laws(make_triangle(net).value());
      expect_all_laws(make_triangle(net, random_weights(random, net)).value());
    });
  }
}

TEST(CubicBernstein, IsAPartitionOfUnityAndItsDerivativesOfZero) {
  for_random_cases(50, [](Random& random) {
    const double u = random(-0.1, 1.1);
    const auto B = geometry::detail::cubic_bernstein<3>(u);
    double mean = 0;
    for (std::size_t i = 0; i < 4; ++i) mean += static_cast<double>(i) / 3 * B[0][i];
    EXPECT_LE(difference(mean, u), 8 * kEps);  // reproduces u itself
    for (std::size_t k = 0; k <= 3; ++k)
      EXPECT_LE(difference(B[k][0] + B[k][1] + B[k][2] + B[k][3], k == 0 ? 1 : 0), 64 * kEps);
  });
}

// De Casteljau's algorithm for one row of homogeneous points, of any degree.
Vec<double, 4> casteljau(std::vector<Vec<double, 4>> b, double t) {
  while (b.size() > 1) {
    for (std::size_t i = 0; i + 1 < b.size(); ++i) b[i] = (1 - t) * b[i] + t * b[i + 1];
    b.pop_back();
  }
  return b[0];
}
Vec3<double> casteljau(const Rows& net, const WeightRows& weights, double u, double v) {
  std::vector<Vec<double, 4>> column;
  for (std::size_t i = 0; i < net.size(); ++i) {
    std::vector<Vec<double, 4>> row;
    for (std::size_t j = 0; j < net[i].size(); ++j)
      row.push_back(weighted<3>(net[i][j], weights.empty() ? 1 : weights[i][j]));
    column.push_back(casteljau(row, v));
  }
  const Vec<double, 4> h = casteljau(column, u);
  return h.head<3>() / h(3);
}

TEST(Patch, IsWhatDeCasteljauSays) {
  for (int n = 2; n <= 16; n += n < 6 ? 1 : 5) {
    for (int m = 2; m <= 16; m += m < 6 ? 1 : 5) {
      for_random_cases(5, [&](Random& random) {
        const Rows net = random_net(random, n, m);
        const WeightRows weights = random_weights(random, net);
        const Patch plain = make_patch(net).value(), rational = make_patch(net, weights).value();
        const Uv<double> q = random.vector<2>(0, 1);
        EXPECT_LE(difference(jet<0>(plain, q).d(0, 0), casteljau(net, {}, q.x(), q.y())),
                  16 * kEps);
        EXPECT_LE(difference(jet<0>(rational, q).d(0, 0), casteljau(net, weights, q.x(), q.y())),
                  16 * kEps);
      });
    }
  }
}

// A polynomial patch does not change with its degree or with a common factor of all weights.
TEST(Patch, DegreeAndCommonWeightDoNotMatter) {
  for_random_cases(10, [](Random& random) {
    const Rows net = random_net(random, 3, 4);
    const Patch cubic = make_patch(net).value();
    const Patch weighted = make_patch(net, WeightRows(3, std::vector<double>(4, 2.5))).value();
    EXPECT_FALSE(rational(weighted));
    const Uv<double> q = random.vector<2>(-0.1, 1.1);
    for (int i = 0; i < 10; ++i) {
      const auto k = static_cast<std::size_t>(i);
      EXPECT_LE(difference(jet<3>(cubic, q).terms[k], jet<3>(weighted, q).terms[k]), 256 * kEps);
    }
  });
}

// A tensor patch with one side shrunk to a point is a triangle in other coordinates.
TEST(TrianglePatch, IsATensorPatchWithAShrunkSide) {
  for_random_cases(10, [](Random& random) {
    const int n = 4;
    const Rows net = random_triangle_net(random, n);
    const Patch triangle = make_triangle(net).value();
    // Row j of the triangle, of degree n − j, raised to degree n, is column j of the tensor net.
    std::vector<std::vector<Vec<double, 4>>> tensor(n + 1);
    for (const auto& row : net) {
      BezierCurve<3> curve;
      for (const Vec3<double>& p : row) curve.points.push_back(weighted<3>(p, 1));
      if (curve.points.size() == 1) curve.points.resize(2, curve.points[0]);
      while (curve.degree() < n) curve = elevated(curve);
      for (std::size_t i = 0; i <= n; ++i) tensor[i].push_back(curve.points[i]);
    }
    const Patch square = make_patch(tensor);
    const Uv<double> q = random.vector<2>(0, 1);
    EXPECT_LE(difference(jet<0>(triangle, Uv<double>(q.x() * (1 - q.y()), q.y())).d(0, 0),
                         jet<0>(square, q).d(0, 0)),
              16 * kEps);
  });
}

std::vector<Patch> samples() {
  Random random(3);
  const Rows square = random_net(random, 4, 4), large = random_net(random, 6, 5),
             triangle = random_triangle_net(random, 4);
  return {make_patch(square).value(), make_patch(large).value(),
          make_patch(large, random_weights(random, large)).value(), make_triangle(triangle).value(),
          make_triangle(triangle, random_weights(random, triangle)).value()};
}

TEST(Patch, SidesRunCounterClockwiseAlongTheBorder) {
  for (const Patch& patch : samples()) {
    const PatchDomain& unit = domain(patch);
    const int n = unit.sides();
    for (int side = 0; side < n; ++side) {
      const BezierCurve<3> curve = side_curve(patch, side);
      for (double s : {0.0, 0.3, 1.0}) {
        const Uv<double> q = unit.on_side(side, s);
        EXPECT_LE(difference(point_on(curve, s), jet<0>(patch, q).d(0, 0)), 16 * kEps);
        EXPECT_NEAR(unit.margin(side, q), 0, 1e-16);
        EXPECT_NEAR(unit.along_side(side, q), s, 1e-15);
        const Uv<double> next = unit.on_side(side, s + 0.1);
        const Uv<double> along = next - q;  // the inside is to the left
        EXPECT_GT(unit.margin(side, q + 0.1 * Uv<double>(-along.y(), along.x())), 0);
      }
      const BezierCurve<3> next = side_curve(patch, (side + 1) % n);
      EXPECT_EQ(curve.end(), next.start());
    }
  }
}

TEST(Patch, BoundsContainIt) {
  for (const Patch& patch : samples()) {
    const Box box = bounding_box(patch);
    const Ball ball = bounding_ball(patch);
    for_random_cases(50, [&](Random& random) {
      const Uv<double> q = domain(patch).clamped(random.vector<2>(0, 1));
      const Vec3<double> p = jet<0>(patch, q).d(0, 0);
      EXPECT_TRUE(box.contains(p, 4 * kEps));
      EXPECT_LE((p - ball.centre).norm(), ball.radius + 4 * kEps);
    });
  }
}

// What is proven holds at every point, and mild nets are proven; nets with a collapsed side, folded
// or flat ones are not.
TEST(Patch, RegularityIsProvenByControlPoints) {
  int proven = 0, mild = 0;
  for_random_cases(200, [&](Random& random) {
    const bool triangle = random(0, 1) < 0.5;
    const double bend = random(0, 1) < 0.5 ? 0.1 : 1.0;
    Rows net = triangle ? random_triangle_net(random, 4) : random_net(random, 4, 4);
    for (auto& row : net)
      for (Vec3<double>& p : row) p += bend * random.vector<3>(-0.1, 0.1);
    const Patch patch = (triangle ? make_triangle(net) : make_patch(net)).value();
    if (bend < 1) ++mild;
    const double sine = random(0, 1) < 0.5 ? 1e-6 : 0.5, speed = 0.05;
    if (!surely_regular(patch, sine, speed)) return;
    if (bend < 1) ++proven;
    std::vector<Vec3<double>> normals;
    for (int i = 0; i <= 20; ++i) {
      for (int j = 0; j <= (triangle ? 20 - i : 20); ++j) {
        const Jet<double, 1> c = jet<1>(patch, Uv<double>(i / 20.0, j / 20.0));
        const double u = c.d(1, 0).norm(), v = c.d(0, 1).norm();
        const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1));
        EXPECT_GT(std::min(u, v), speed);
        EXPECT_GT(n.norm(), sine * u * v);
        normals.emplace_back(n.normalized());
      }
    }
    Vec3<double> middle = Vec3<double>::Zero();
    for (const Vec3<double>& n : normals) middle += n;
    for (const Vec3<double>& n : normals) EXPECT_GT(n.dot(middle), 0);
  });
  EXPECT_GT(proven, mild / 4);
  const Rows flat = {{{0, 0, 0}, {1, 0, 0}}, {{2, 0, 0}, {3, 0, 0}}};
  const Rows folded = {{{0, 0, 0}, {0, 1, 0}}, {{1, 1, 0}, {1, 0, 0}}};
  const Rows collapsed = {{{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {1, 0, 0}}};
  for (const Rows& net : {flat, folded, collapsed})
    EXPECT_FALSE(surely_regular(make_patch(net).value(), 1e-6, 1e-9));
}

TEST(Patch, APartIsThePatchOverThatPart) {
  for (const Patch& patch : samples()) {
    for_random_cases(20, [&](Random& random) {
      Uv<double> low = random.vector<2>(0, 0.4);
      Uv<double> high = low + random.vector<2>(0.05, 0.3);
      const Patch part = sub_patch(patch, low, high);
      const Uv<double> r = domain(patch).clamped(random.vector<2>(0, 1));
      const Uv<double> size = high - low;
      const Uv<double> q = low + size.cwiseProduct(r);
      const auto a = jet<2>(part, r), b = jet<2>(patch, q);
      const Box box = bounding_box(part);
      EXPECT_TRUE(box.contains(b.d(0, 0), 4 * kEps));
      EXPECT_LE(box.size().maxCoeff(), bounding_box(patch).size().maxCoeff() + 4 * kEps);
      for (int i = 0; i <= 2; ++i) {
        for (int j = 0; i + j <= 2; ++j) {
          const double scale = std::pow(size.x(), i) * std::pow(size.y(), j);
          EXPECT_LE(difference(a.d(i, j), scale * b.d(i, j)), 1e-13);
        }
      }
    });
  }
}

// Boxes of halves shrink towards the surface: quadratic convergence of the net.
TEST(Patch, BoxesOfPartsConverge) {
  for (const Patch& patch : samples()) {
    double before = 0;
    for (int level = 2; level <= 4; ++level) {
      const int n = 1 << level;
      double worst = 0;
      for (int i = 0; i < n; ++i) {
        const Uv<double> low(static_cast<double>(i) / (2 * n), 0.25), step(0.5 / n, 0.5 / n);
        const Patch part = sub_patch(patch, low, low + step);
        Box exact;
        for (int a = 0; a <= 20; ++a) {
          for (int b = 0; b <= (sides(patch) == 3 ? 20 - a : 20); ++b)
            exact.add(jet<0>(part, Uv<double>(a / 20.0, b / 20.0)).d(0, 0));
        }
        const Box box = bounding_box(part);
        worst =
            std::max({worst, (exact.low - box.low).maxCoeff(), (box.high - exact.high).maxCoeff()});
      }
      if (before > 1e-12) {
        EXPECT_LE(worst, 0.4 * before);
      }
      before = worst;
    }
  }
}

void expect_refused(const Result<Patch>& r, const std::string& message) {
  ASSERT_FALSE(r.has_value()) << message;
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy, "");
}

TEST(Patch, RefusesNetsOfTheWrongSize) {
  Random random(1);
  const Vec3<double> p(0, 0, 0);
  expect_refused(make_patch(Rows{}), "the control net has 0 rows");
  expect_refused(make_patch(Rows{{p, p}}), "the control net has 1 rows");
  expect_refused(make_patch(random_net(random, 17, 4)), "the control net has 17 rows");
  expect_refused(make_patch(random_net(random, 4, 17)), "row 0 of the control net has 17 points");
  expect_refused(make_patch(Rows{{p}, {p}}), "row 0 of the control net has 1 points");
  Rows ragged = random_net(random, 4, 4);
  ragged[2].pop_back();
  expect_refused(make_patch(ragged), "row 2 of the control net has 3 points");
  Rows triangle = random_triangle_net(random, 3);
  triangle[1].pop_back();
  expect_refused(make_triangle(triangle), "row 1 of the control net has 2 points");
}

TEST(Patch, RefusesBadWeights) {
  Random random(1);
  const Rows net = random_net(random, 3, 3);
  WeightRows weights(3, std::vector<double>(3, 1));
  weights[1][2] = 0;
  expect_refused(make_patch(net, weights), "weight 2 of row 1 is 0");
  weights[1][2] = -1;
  expect_refused(make_patch(net, weights), "weight 2 of row 1 is -1");
  weights[1][2] = std::nan("");
  expect_refused(make_patch(net, weights), "weight 2 of row 1 is nan");
  weights[1][2] = 1e-7;
  expect_refused(make_patch(net, weights), "weights range from 1e-07 to 1");
  weights[1].pop_back();
  expect_refused(make_patch(net, weights), "row 1 has 2 weights for 3 control points");
  weights.pop_back();
  expect_refused(make_patch(net, weights),
                 "there are 2 rows of weights for 3 rows of control points");
}

TEST(Patch, RefusesPointsThatAreNotFinite) {
  Random random(1);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Rows net = random_net(random, 4, 4);
    net[3][1].y() = bad;
    expect_refused(make_patch(net), "control point 1 of row 3 is not finite");
  }
}

}  // namespace oloid::test::bezier_test
