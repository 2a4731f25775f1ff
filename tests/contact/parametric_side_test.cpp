#include "oloid/contact/parametric_side.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "support/eq5_frame.h"
#include "support/random_bicubic.h"
#include "support/rooms.h"

namespace oloid::test::parametric_side_test {

using Time = Dual<double, 1>;

struct Case {
  BicubicPatch patch;
  Vec2<double> at, rho;

  explicit Case(Random& random) : patch(random_bicubic(random, 1.2, 0.3)) {
    at = random.vector<2>(0.1, 0.9);
    rho = random.vector<2>(-2, 2);
  }
  ParametricSide<double> side() const { return parametric_side(patch.jet<3>(at)); }
  ParametricSide<Time> moving_side() const {
    return parametric_side(patch.jet<3>(Vec2<Time>(moving<2, 1>(at, rho))));
  }
};

constexpr int kCases = 200;

TEST(ParametricSide, FrameLiesAlongTheFirstParameterLine) {
  for_random_cases(kCases, [](Random& random) {
    const Case c(random);
    const ParametricSide<double> side = c.side();
    EXPECT_LE((side.R.transpose() * side.R - Mat3<double>::Identity()).norm(), 2e-15);
    EXPECT_NEAR(side.R.determinant(), 1, 2e-15);
    EXPECT_LE(side.c.d(1, 0).cross(Vec3<double>(side.R.col(0))).norm(), 1e-15);
    EXPECT_NEAR(side.R.col(2).dot(side.c.d(0, 1)), 0, 1e-15);
    // Gram-Schmidt as [KryPai02] Eq. 5 writes it.
    const Vec3<double>&c_s = side.c.d(1, 0), &c_t = side.c.d(0, 1);
    const Vec3<double> y = (c_s.squaredNorm() * c_t - c_s.dot(c_t) * c_s).normalized();
    EXPECT_LE((y - side.R.col(1)).norm(), 1e-14);
    Mat2<double> A =
        side.R.leftCols<2>().transpose() * (Mat<double, 3, 2>() << c_s, c_t).finished();
    EXPECT_LE((A - side.A).norm(), 1e-15);
    EXPECT_LE((side.A * side.A_inv - Mat2<double>::Identity()).norm(), 1e-15);
  });
}

// H is what the frame does: its turning and its velocity over the body, in its own axes.
TEST(ParametricSide, FrameMovesByItsMatrix) {
  for_random_cases(kCases, [](Random& random) {
    const Case c(random);
    const ParametricSide<double> side = c.side();
    const ParametricSide<Time> moved = c.moving_side();
    const Mat3<double> W = side.R.transpose() * derivative(moved.R, 0);
    Vec6<double> twist;
    twist << W(2, 1), W(0, 2), W(1, 0), side.R.transpose() * derivative(moved.c.d(0, 0), 0);
    EXPECT_LE((twist - side.H * c.rho).norm(), 1e-13 * (1 + twist.norm()));
  });
}

TEST(ParametricSide, RateOfTheMatrixIsItsDerivative) {
  for_random_cases(kCases, [](Random& random) {
    const Case c(random);
    const Mat<double, 6, 2> expected = derivative(c.moving_side().H, 0);
    EXPECT_LE((frame_matrix_rate(c.side(), c.rho) - expected).norm(),
              1e-13 * (1 + expected.norm()));
  });
}

// H = (j K A; T A; A; 0).
TEST(ParametricSide, GivesTheLocalSurfaceOfItsFrame) {
  for_random_cases(kCases, [](Random& random) {
    const Case c(random);
    const ParametricSide<double> side = c.side();
    const LocalSurface<double> at = local_surface(side);
    const LocalSurface<double> expected = eq5_surface(c.patch.jet<2>(c.at));
    EXPECT_EQ(at.p, expected.p);
    EXPECT_LE((at.R - expected.R).norm(), 1e-15);
    EXPECT_LE((at.K - expected.K).norm(), 1e-14 * (1 + at.K.norm()));
    EXPECT_LE((at.T - expected.T).norm(), 1e-14 * (1 + at.T.norm()));
    EXPECT_LE((at.L - expected.L).norm(), 1e-14 * at.L.norm());
    Mat2<double> j;
    j << 0, -1, 1, 0;
    Mat<double, 6, 2> H;
    H << j * at.K * side.A, at.T.transpose() * side.A, side.A, Mat<double, 1, 2>::Zero();
    EXPECT_LE((H - side.H).norm(), 1e-14 * H.norm());
  });
}

}  // namespace oloid::test::parametric_side_test
