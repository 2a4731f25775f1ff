#include "oloid/contact/placed_shape.h"

#include <gtest/gtest.h>

#include "oloid/geometry/any_surface.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::side_test {

TEST(PlacedShape, FreshReferenceLiesInTheTangentPlane) {
  for_random_contacts(2, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const Location a{c.anchor_A.chart, c.state.location_A};
    const Vec3<double> e = fresh_reference(c.A, a);
    const LocalSurface<double> at = c.A.at<double>({a.chart, e}, a.x);
    EXPECT_NEAR(e.norm(), 1, 1e-15 * 4);
    EXPECT_NEAR(at.R.col(2).dot(c.A.X_BS.R * e), 0, 1e-15 * 8);
    EXPECT_LE(at.T.norm(), 1e-13);
    EXPECT_FALSE(reference_is_stale(at, c.A, {a.chart, e}));
  });
}

TEST(PlacedShape, RenewingTheReferenceKeepsTheFrame) {
  for_random_contacts(2, [](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const LocalSurface<double> before = c.A.at<double>(c.anchor_A, c.state.location_A);
    const ChartAnchor renewed{c.anchor_A.chart, renewed_reference(before, c.A)};
    const LocalSurface<double> after = c.A.at<double>(renewed, c.state.location_A);
    EXPECT_LE((after.R - before.R).norm(), 1e-14);
    EXPECT_LE((after.K - before.K).norm(), 1e-13 * (1 + before.K.norm()));
    EXPECT_LE(after.T.norm(), 1e-13);
  });
}

// Where the location is a pair of parameters, and nowhere else.
TEST(PlacedShape, ThirdOrderJetIsTheSurfaceInItsBody) {
  int parametric = 0;
  for_random_contacts(2, [&](const RandomContact& c, const std::string& seed) {
    SCOPED_TRACE(seed);
    const Location a{c.anchor_A.chart, c.state.location_A};
    const auto jet = third_order_jet(c.A, a);
    const bool by_point = c.A.shape.is<Quadric>() || c.A.shape.is<Implicit>();
    ASSERT_EQ(jet.has_value(), !by_point);
    if (!jet) return;
    ++parametric;
    const LocalSurface<double> at = c.A.at<double>(c.anchor_A, a.x);
    const LocalSurface<double> same = local_surface(*jet, c.A.X_BS.R * c.anchor_A.reference);
    EXPECT_LE((same.p - at.p).norm(), 1e-15);
    EXPECT_LE((same.R - at.R).norm(), 1e-14);
    EXPECT_LE((same.K - at.K).norm(), 1e-12 * (1 + at.K.norm()));
    // Third derivatives are those of the second ones.
    constexpr double h = 1e-5;
    const auto moved = [&](double u, double v) {
      return *third_order_jet(c.A, {a.chart, a.x + Vec3<double>(u, v, 0)});
    };
    const Jet<double, 3> west = moved(-h, 0), east = moved(h, 0), south = moved(0, -h),
                         north = moved(0, h);
    double size = 1;
    for (const Vec3<double>& term : jet->terms) size = std::max(size, term.norm());
    for (int k = 0; k <= 2; ++k) {
      const Vec3<double> along_u = (east.d(2 - k, k) - west.d(2 - k, k)) / (2 * h);
      const Vec3<double> along_v = (north.d(2 - k, k) - south.d(2 - k, k)) / (2 * h);
      EXPECT_LE((along_u - jet->d(3 - k, k)).norm(), 1e-6 * size);
      EXPECT_LE((along_v - jet->d(2 - k, k + 1)).norm(), 1e-6 * size);
    }
  });
  EXPECT_GT(parametric, 50);
}

TEST(PlacedShape, ReferenceNearTheNormalIsStale) {
  const PlacedShape ball{*Ellipsoid::make({1, 1, 1}), {}};
  const Location top = near(ball.shape, {0, 0, 1});
  const auto stale = [&](double degrees) {
    const double a = degrees * 3.14159265358979 / 180;
    const ChartAnchor anchor{top.chart, {std::cos(a), 0, std::sin(a)}};
    return reference_is_stale(ball.at<double>(anchor, top.x), ball, anchor);
  };
  EXPECT_FALSE(stale(11));
  EXPECT_TRUE(stale(12));
}

}  // namespace oloid::test::side_test
