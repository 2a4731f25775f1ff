#include "accuracy/exact_pair.h"

#include <gtest/gtest.h>

#include "accuracy/bodies.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/search.h"
#include "support/rooms.h"

namespace oloid::test::exact_pair_test {

constexpr double kDigits = 1e-36;  // [m]

// A turn that double has exactly, and bodies apart: the pose can be inverted without rounding.
Pose<double> exact_pose(Random& random) {
  Pose<double> X;
  X.R << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  X.p = 0.25 * random.direction();
  return X;
}

TrackedPair found_pair(const PlacedShape& A, const PlacedShape& B, const Pose<double>& X_BA) {
  const TouchableBody features_A(A), features_B(B);
  return nearest_pair(SearchBody(features_A), SearchBody(features_B), X_BA);
}
ExactPair nearest(const PlacedShape& A, const PlacedShape& B, const Pose<double>& X_BA) {
  const TrackedPair found = found_pair(A, B, X_BA);
  return exact_pair(A, B, X_BA, found.A.at, found.B.at);
}

Real difference(const Real& a, const Real& b) { return abs(a - b); }

TEST(ExactPair, SpheresAreAsFarApartAsTheirCentresSay) {
  Random random(1);
  const PlacedShape A{*Ellipsoid::make({0.1, 0.1, 0.1}), {}},
      B{*Ellipsoid::make({0.07, 0.07, 0.07}), {}};
  for (int i = 0; i < 10; ++i) {
    const Pose<double> X_BA = exact_pose(random);
    const ExactPair pair = nearest(A, B, X_BA);
    ASSERT_TRUE(pair.converged);
    const Vec3<Real> p = X_BA.p.cast<Real>();
    EXPECT_LT(difference(pair.gap, sqrt(p.squaredNorm()) - Real(0.1) - Real(0.07)), kDigits);
  }
}

// Rational charts, powers and a formula: three kernels, one surface.
TEST(ExactPair, DoesNotDependOnHowASurfaceIsWritten) {
  Random random(2);
  const Vec3<double> axes(0.1, 0.08, 0.06);
  const Box box{Vec3<double>::Constant(-0.2), Vec3<double>::Constant(0.2)};
  const PlacedShape charts{*Ellipsoid::make(axes), {}},
      powers{*Superellipsoid::make(axes, 2, 2), {}};
  const PlacedShape formula{
      *Implicit::make(*ImplicitExpression::make("(x/0.1)^2 + (y/0.08)^2 + (z/0.06)^2 - 1"), {box}),
      {}};
  const PlacedShape other{*Torus::make(0.07, 0.03), {}};
  for (int i = 0; i < 10; ++i) {
    const Pose<double> X_BA = exact_pose(random);
    const ExactPair first = nearest(charts, other, X_BA), second = nearest(powers, other, X_BA),
                    third = nearest(formula, other, X_BA);
    ASSERT_TRUE(first.converged && second.converged && third.converged);
    EXPECT_LT(difference(first.gap, second.gap), kDigits);
    EXPECT_LT(difference(first.gap, third.gap), kDigits);
  }
}

TEST(ExactPair, IsTheSameSeenFromTheOtherBody) {
  Random random(3);
  const std::vector<Body> bodies = make_bodies();
  for (std::size_t i = 0; i + 1 < bodies.size(); ++i) {
    const PlacedShape &A = bodies[i].side(), &B = bodies[(i + 4) % (bodies.size() - 1)].side();
    const Pose<double> X_BA = exact_pose(random);
    const TrackedPair found = found_pair(A, B, X_BA);
    if (found.A.kind != Spot::Kind::surface || found.B.kind != Spot::Kind::surface) continue;
    const ExactPair pair = exact_pair(A, B, X_BA, found.A.at, found.B.at);
    const ExactPair swapped = exact_pair(B, A, inverse(X_BA), found.B.at, found.A.at);
    ASSERT_TRUE(pair.converged && swapped.converged) << bodies[i].name();
    EXPECT_LT(difference(pair.gap, swapped.gap), kDigits) << bodies[i].name();
  }
}

}  // namespace oloid::test::exact_pair_test
