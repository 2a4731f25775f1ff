#include "oloid/geometry/core/jet.h"

#include <gtest/gtest.h>

#include "geometry/surfaces.h"
#include "oloid/geometry/analytic/plane.h"
#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test::jet_test {

static_assert(ParametricSurface<Plane> && ParametricSurface<Ellipsoid>);
static_assert(ParametricSurface<Patchwork, Pack<4>>);
static_assert(ParametricSurface<Patchwork, Dual<double, 2>>);
static_assert(!ParametricSurface<Quadric> && ImplicitSurface<Quadric>);
static_assert(!ImplicitSurface<Plane>);

TEST(Jet, KeepsEachDerivativeInItsOwnPlaceOrderByOrder) {
  int expected = 0;
  for (int order = 0; order <= kMaxJetOrder; ++order) {
    for (int j = 0; j <= order; ++j) EXPECT_EQ(jet_index(order - j, j), expected++);
    EXPECT_EQ(jet_size(order), expected);
  }
}

TEST(Jet, GivesAccessToItsTerms) {
  Jet<double, 3> c;
  for (std::size_t k = 0; k < c.terms.size(); ++k)
    c.terms[k] = Vec3<double>::Constant(static_cast<double>(k));
  for (int i = 0; i <= 3; ++i)
    for (int j = 0; i + j <= 3; ++j) EXPECT_EQ(std::as_const(c).d(i, j).x(), jet_index(i, j));
  c.d(1, 2).y() = -1;
  EXPECT_EQ(c.terms[8].y(), -1);
}

}  // namespace oloid::test::jet_test
