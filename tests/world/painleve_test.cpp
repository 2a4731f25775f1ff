// A rod that slides on its foot where no force, or no unique one, keeps it sliding (Painlevé).
#include <numbers>

#include "support/conservation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::painleve_test {

// A rod of half length 0.5 m with a spherical foot, leaning at an angle; its foot slips with
// 1 m/s towards -x while the rod turns with ω.
Spec rod(double degrees, double omega, double friction, double duration) {
  const double a = degrees * std::numbers::pi / 180, c = std::cos(a), s = std::sin(a);
  SphereSpec foot;
  foot.radius = 0.01;
  const double I = 1.0 / 12;
  BodySpec body = moving_body(foot, 1, Vec3<double>(1e-4, I, I).asDiagonal());
  body.shape_position = Located<Vec3<double>>({-0.5, 0, 0});
  body.orientation = Quat<double>{std::cos(a / 2), 0, -std::sin(a / 2), 0};
  // Of the centre: that of the foot's lowest point and ω × the way from there.
  const Vec3<double> way(0.5 * c, 0, 0.5 * s + 0.01), w(0, -omega, 0);
  const Vec3<double> v = Vec3<double>(-1, 0, 0) + w.cross(way);
  return scene_of({named("rod", body, {way, v, w}), table()}, {law("rod", "table", friction)},
                  duration);
}

TEST(Painleve, InconsistentRodJams) {
  const Film f = film(rod(55, 1, 1.8, 0.3));
  const auto jams = f.of(EventKind::painleve);
  ASSERT_EQ(jams.size(), 1u);
  EXPECT_EQ(jams[0].t, 0);
  EXPECT_NEAR(jams[0].value, -0.6121465462363687, 1e-11);  // [1/kg]
  EXPECT_EQ(jams[0].before, Mode::sliding);
  EXPECT_NE(jams[0].after, Mode::sliding);
  EXPECT_GT(f.summary.energy.dissipated, 0.01);
  EXPECT_LE(f.drift(), 1e-9);
  EXPECT_TRUE(f.ended());
  EXPECT_LT(f.events.size(), 30u);
  expect_energy_falls(f);
}

// Both sliding on and parting are solutions here: the bodies part, which needs no impulse.
TEST(Painleve, IndeterminateRodParts) {
  const Film f = film(rod(55, 6, 1.8, 0.3));
  ASSERT_FALSE(f.of(EventKind::painleve).empty());
  EXPECT_EQ(f.of(EventKind::painleve)[0].t, 0);
  EXPECT_EQ(f.of(EventKind::painleve)[0].after, Mode::separated);
  EXPECT_TRUE(f.ended());
  EXPECT_LE(f.drift(), 1e-9);
  expect_energy_falls(f);
}

// The rod slides into the paradox: from a steep pose with a harmless force.
TEST(Painleve, SlidingRodRunsIntoIt) {
  for (const double omega : {-3.0, -1.0, -0.3}) {
    const Film f = film(rod(75, omega, 1.6, 1));
    EXPECT_LE(f.drift(), 1e-8) << omega;
    EXPECT_LT(f.events.size(), 200u) << omega;
    expect_energy_falls(f);
  }
}

TEST(Painleve, NoParadoxBelowTheSmallestFriction) {
  for (const double degrees : {45.0, 52.6, 60.0}) {
    const Film below = film(rod(degrees, 1, 1.30, 0.01));
    EXPECT_TRUE(below.of(EventKind::painleve).empty()) << degrees;
  }
}

}  // namespace oloid::test::painleve_test
