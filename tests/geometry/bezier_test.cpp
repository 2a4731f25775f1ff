#include "oloid/geometry/bezier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "geometry/surfaces.h"

namespace oloid {
namespace {

TEST(BezierPatch, KeepsTheLawsOfSurfaces) {
  const nlohmann::json vectors = contact_vectors();
  ASSERT_EQ(vectors.at("configurations").size(), 3u);
  for (const auto& configuration : vectors.at("configurations")) {
    for (const char* net : {"net1", "net2"}) {
      const BezierPatch patch = BezierPatch::make(rows(configuration.at("input").at(net))).value();
      expect_surface_laws(patch, domain_of(patch));
      expect_atlas_laws(patch, domain_of(patch));
    }
  }
}

TEST(BezierPatch, KeepsTheLawsOfSurfacesForRandomNets) {
  for_random_cases(5, [](Random& random) {
    const BezierPatch patch = BezierPatch::make(random_net(random, 4, 4)).value();
    expect_surface_laws(patch, domain_of(patch));
    expect_atlas_laws(patch, domain_of(patch));
  });
}

TEST(CubicBernstein, IsAPartitionOfUnityAndItsDerivativesOfZero) {
  for_random_cases(50, [](Random& random) {
    const double u = random.uniform(-0.1, 1.1);
    const auto B = detail::cubic_bernstein<3>(u);
    double mean = 0;
    for (std::size_t i = 0; i < 4; ++i) mean += static_cast<double>(i) / 3 * B[0][i];
    EXPECT_LE(difference(mean, u), 8 * kEps);  // reproduces u itself
    for (std::size_t k = 0; k <= 3; ++k)
      EXPECT_LE(difference(B[k][0] + B[k][1] + B[k][2] + B[k][3], k == 0 ? 1 : 0), 64 * kEps);
  });
}

// De Casteljau's algorithm for one row, of any degree.
Vec3<double> casteljau(std::vector<Vec3<double>> b, double t) {
  while (b.size() > 1) {
    for (std::size_t i = 0; i + 1 < b.size(); ++i) b[i] = (1 - t) * b[i] + t * b[i + 1];
    b.pop_back();
  }
  return b[0];
}
Vec3<double> casteljau(const Rows& net, double u, double v) {
  std::vector<Vec3<double>> column;
  for (const auto& row : net) column.push_back(casteljau(row, v));
  return casteljau(column, u);
}

TEST(BezierPatch, RaisesLowerDegreesExactly) {
  for (int n = 2; n <= 4; ++n) {
    for (int m = 2; m <= 4; ++m) {
      for_random_cases(10, [&](Random& random) {
        const Rows net = random_net(random, n, m);
        const BezierPatch patch = BezierPatch::make(net).value();
        for (int k = 0; k < 10; ++k) {
          const Uv<double> q = random.vector<2>(-0.1, 1.1);
          EXPECT_LE(difference(patch.jet<0>(0, q).d(0, 0), casteljau(net, q.x(), q.y())), 16 * kEps)
              << n << " x " << m << " points";
        }
      });
    }
  }
}

TEST(BezierPatch, PassesThroughItsCorners) {
  for_random_cases(10, [](Random& random) {
    const BezierPatch patch = BezierPatch::make(random_net(random, 4, 4)).value();
    for (int i : {0, 1}) {
      for (int j : {0, 1}) {
        const Jet<double, 1> c = patch.jet<1>(0, Uv<double>(i, j));
        const auto& corner = patch.net()[i == 0 ? 0 : 3][j == 0 ? 0 : 3];
        const auto& next = patch.net()[i == 0 ? 1 : 2][j == 0 ? 0 : 3];
        EXPECT_EQ(c.d(0, 0), corner);
        EXPECT_LE(difference(c.d(1, 0), (i == 0 ? 3 : -3) * (next - corner)), 16 * kEps);
      }
    }
  });
}

TEST(BezierPatch, EndsAtItsEdges) {
  const BezierPatch patch =
      BezierPatch::make(rows(contact_vectors()["configurations"][0]["input"]["net1"])).value();
  const auto margin = [&](double u, double v) { return patch.margin({ChartId{0}, {u, v, 0}}); };
  EXPECT_EQ(margin(0.5, 0.5), 0.5);
  EXPECT_EQ(margin(0.25, 0.5), 0.25);
  EXPECT_EQ(margin(0.5, 0.75), 0.25);
  EXPECT_EQ(margin(0, 0.5), 0);
  EXPECT_EQ(margin(0.5, 1), 0);
  EXPECT_LT(margin(1.1, 0.5), 0);
  EXPECT_LT(margin(0.5, -0.1), 0);
  EXPECT_TRUE(std::holds_alternative<OpenEdge>(patch.leave({ChartId{0}, {1, 0.5, 0}})));
}

TEST(BezierPatch, NearIsAGoodStart) {  // within the spacing of a 9 × 9 grid
  for_random_cases(20, [](Random& random) {
    const BezierPatch patch = BezierPatch::make(random_net(random, 4, 4)).value();
    const Uv<double> q = random.vector<2>(0, 1);
    const Jet<double, 1> c = patch.jet<1>(0, q);
    const Location start = patch.near(c.d(0, 0));
    EXPECT_GT(patch.margin(start), 0);
    const Vec3<double> p = patch.jet<0, double>(0, start.x.head<2>()).d(0, 0);
    EXPECT_LE((p - c.d(0, 0)).norm(), 0.2);  // half a cell's diagonal, |c_u|, |c_v| ≤ 1.8
  });
}

void expect_refused(const Rows& net, const std::string& message) {
  const Result<BezierPatch> r = BezierPatch::make(net);
  ASSERT_FALSE(r.has_value()) << message;
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy, "");
}

TEST(BezierPatch, RefusesNetsOfTheWrongSize) {
  Random random(1);
  const Vec3<double> p(0, 0, 0);
  expect_refused({}, "control net has 0 rows");
  expect_refused({{p, p}}, "control net has 1 rows");
  expect_refused(random_net(random, 5, 4), "control net has 5 rows");
  expect_refused(random_net(random, 4, 5), "row 0 of the control net has 5 points");
  expect_refused({{p}, {p}}, "row 0 of the control net has 1 points");
  Rows ragged = random_net(random, 4, 4);
  ragged[2].pop_back();
  expect_refused(ragged, "row 2 of the control net has 3 points");
}

TEST(BezierPatch, RefusesPointsThatAreNotFinite) {
  Random random(1);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Rows net = random_net(random, 4, 4);
    net[3][1].y() = bad;
    expect_refused(net, "row 3 has a point that is not finite");
  }
}

TEST(BezierPatch, RefusesDegeneratePatches) {
  Random random(1);
  Rows edge = random_net(random, 4, 4);
  for (auto& p : edge[0]) p = Vec3<double>::Zero();  // a collapsed edge
  expect_refused(edge, "the patch is degenerate at (u, v) = (0, 0)");
  Rows line = random_net(random, 4, 4);
  for (auto& row : line)
    for (auto& p : row) p = Vec3<double>(p.x(), 0, 0);
  expect_refused(line, "the patch is degenerate at (u, v) = (0, 0)");
  const Rows point(4, std::vector<Vec3<double>>(4, Vec3<double>(1, 2, 3)));
  expect_refused(point, "the patch is degenerate at (u, v) = (0, 0)");
}

TEST(BezierPatch, SizeDoesNotDecideWhatIsDegenerate) {  // nor does the place
  for (double scale : {1e-6, 1.0, 1e6}) {
    Random random(1);
    Rows net = random_net(random, 4, 4);
    for (auto& row : net)
      for (auto& p : row) p *= scale;
    EXPECT_TRUE(BezierPatch::make(net).has_value()) << scale;
  }
}

}  // namespace
}  // namespace oloid
