#include "oloid/geometry/analytic/plane.h"

#include <gtest/gtest.h>

#include "laws/surface_laws.h"
#include "support/rooms.h"

namespace oloid::test::plane_test {

const SurfaceDomain kSquare{{{0, {0, 0}, {2, 2}}}, 2, 1};

TEST(Plane, KeepsTheLawsOfSurfaces) { expect_surface_laws(Plane{}, kSquare); }

TEST(Plane, KeepsTheLawsOfAtlases) { expect_atlas_laws(Plane{}, kSquare); }

TEST(Plane, IsFlatAndPointsUp) {
  for_random_cases(20, [](Random& random) {
    const Vec3<double> p = random.vector<3>(-5, 5);
    const Location q = Plane{}.near(p);
    const Vec3<double> e = fair_reference(random, {Vec3<double>::UnitZ()});
    const auto at = local_surface(Plane{}.jet<2, double>(0, q.x.head<2>()), e);
    EXPECT_EQ(at.p, Vec3<double>(p.x(), p.y(), 0));  // the nearest point
    EXPECT_EQ(at.R.col(2), Vec3<double>::UnitZ());
    EXPECT_EQ(at.K, Mat2<double>::Zero());
    EXPECT_EQ(at.T, Vec2<double>::Zero());
  });
}

}  // namespace oloid::test::plane_test
