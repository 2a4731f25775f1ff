#include "oloid/numerics/small_solve.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <type_traits>

#include "laws/difference.h"
#include "laws/generators.h"
#include "support/rooms.h"

namespace oloid::test::small_solve_test {

template <class N>
class LdltTest : public testing::Test {};
using Sizes = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 4>,
                             std::integral_constant<int, 6>>;
TYPED_TEST_SUITE(LdltTest, Sizes);

// LDLᵀ without pivoting is backward stable for positive definite A (Higham, Thm. 10.4): the
// residual is at most about 4 n² ε |A| |x|, here with room for the two triangular solves.
template <int N>
double residual_bound(const Mat<double, N, N>& A, const Vec<double, N>& x) {
  return 8 * N * N * kEps * A.norm() * x.norm();
}

TYPED_TEST(LdltTest, SolvesPositiveDefiniteSystems) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_definite<N>();
    const Vec<double, N> b = *matrix<N>();
    const Vec<double, N> x = Ldlt<double, N>(A).solve(b);
    RC_ASSERT(difference(A * x, b) <= (residual_bound<N>(A, x)));
  }));
}

TYPED_TEST(LdltTest, ReadsTheLowerTriangleOnly) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_definite<N>();
    const Vec<double, N> b = *matrix<N>();
    Mat<double, N, N> lower = A;
    lower.template triangularView<Eigen::StrictlyUpper>().setConstant(
        std::numeric_limits<double>::quiet_NaN());
    RC_ASSERT((Ldlt<double, N>(lower).solve(b)) == (Ldlt<double, N>(A).solve(b)));
  }));
}

TYPED_TEST(LdltTest, FactorsMultiplyToTheMatrix) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_definite<N>();
    const Ldlt<double, N> f(A);
    Mat<double, N, N> L = Mat<double, N, N>::Identity();
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < i; ++j) L(i, j) = f.L(i, j);
    RC_ASSERT(difference(L * f.d.asDiagonal() * L.transpose(), A) <= 4 * N * N * kEps * A.norm());
    RC_ASSERT(difference(f.d.cwiseProduct(f.inverse_d), Vec<double, N>::Ones()) <= kEps);
  }));
}

// Sylvester: as many negative pivots as negative eigenvalues.
TYPED_TEST(LdltTest, PivotsArePositiveExactlyForPositiveDefinite) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> B = *matrix<N, N>();
    const Mat<double, N, N> A = B + B.transpose() + *real(3) * Mat<double, N, N>::Identity();
    const double least =
        Eigen::SelfAdjointEigenSolver<Mat<double, N, N>>(A).eigenvalues().minCoeff();
    RC_PRE(std::abs(least) > 1e-6);  // decided beyond doubt
    const Ldlt<double, N> f(A);
    RC_ASSERT((f.d.array() > 0).all() == (least > 0));
  }));
}

TYPED_TEST(LdltTest, DualsDifferentiateTheSolution) {  // A x = b:  x' = A⁻¹ (b' − A' x)
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_definite<N>(), B = *matrix<N, N>();
    const Mat<double, N, N> dA = B + B.transpose();
    const Vec<double, N> b = *matrix<N>(), db = *matrix<N>();
    const auto x = Ldlt<Dual<double, 1>, N>(moving(A, dA)).solve(moving(b, db));
    const Vec<double, N> x0 = value(x), dx = derivative(x, 0);
    // The residual of the differentiated equation, as stable as that of the equation itself.
    RC_ASSERT(difference(A * x0, b) <= (residual_bound<N>(A, x0)));
    RC_ASSERT(difference(A * dx + dA * x0, db) <= 4 * (residual_bound<N>(A, dx)) +
                                                      4 * (residual_bound<N>(dA, x0)) +
                                                      4 * A.norm() * (residual_bound<N>(A, x0)));
  }));
}

TYPED_TEST(LdltTest, PacksEqualScalarsLaneByLane) {
  constexpr int N = TypeParam::value;
  using P = Pack<2>;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A[2] = {*positive_definite<N>(), *positive_definite<N>()};
    const Vec<double, N> b[2] = {*matrix<N>(), *matrix<N>()};
    Mat<P, N, N> A_wide;
    Vec<P, N> b_wide;
    for (int i = 0; i < N; ++i) {
      b_wide(i) = P::generate([&](std::size_t l) { return b[l](i); });
      for (int j = 0; j < N; ++j)
        A_wide(i, j) = P::generate([&](std::size_t l) { return A[l](i, j); });
    }
    const Vec<P, N> x = Ldlt<P, N>(A_wide).solve(b_wide);
    for (int l = 0; l < 2; ++l)  // the same operations in the same order
      RC_ASSERT(lane(x, l) == (Ldlt<double, N>(A[l]).solve(b[l])));
  }));
}

// Not symmetric, with a positive definite symmetric part: leading minors do not vanish.
template <int N>
rc::Gen<Mat<double, N, N>> positive_unsymmetric() {
  return rc::gen::exec([] {
    const Mat<double, N, N> A = *positive_definite<N>(), B = *matrix<N, N>();
    return Mat<double, N, N>(A + 0.5 * (B - B.transpose()));
  });
}

template <class N>
class LuTest : public testing::Test {};
using LuSizes = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 3>,
                               std::integral_constant<int, 6>>;
TYPED_TEST_SUITE(LuTest, LuSizes);

// With a positive definite symmetric part |L| |U| stays within a small factor of |A|.
TYPED_TEST(LuTest, SolvesUnsymmetricSystems) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_unsymmetric<N>();
    const Vec<double, N> b = *matrix<N>();
    const Vec<double, N> x = Lu<double, N>(A).solve(b);
    RC_ASSERT(difference(A * x, b) <= 4 * (residual_bound<N>(A, x)));
  }));
}

TYPED_TEST(LuTest, FactorsMultiplyToTheMatrix) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_unsymmetric<N>();
    const Lu<double, N> f(A);
    const Mat<double, N, N> L = f.LU.template triangularView<Eigen::UnitLower>(),
                            U = f.LU.template triangularView<Eigen::Upper>();
    RC_ASSERT(difference(L * U, A) <= 16 * N * N * kEps * A.norm());
    RC_ASSERT(f.d == f.LU.diagonal());
    RC_ASSERT(difference(f.d.cwiseProduct(f.inverse_d), Vec<double, N>::Ones()) <= kEps);
  }));
}

// The pivots multiply to the determinant, so the last one is what a border adds to it.
TYPED_TEST(LuTest, LastPivotIsTheSchurComplement) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_unsymmetric<N>();
    double minor = 1;
    if constexpr (N > 1) minor = A.template topLeftCorner<N - 1, N - 1>().determinant();
    const double pivot = Lu<double, N>(A).d(N - 1);
    RC_ASSERT(std::abs(pivot * minor - A.determinant()) <=
              64 * N * N * kEps * std::pow(A.norm(), N));
  }));
}

TYPED_TEST(LuTest, IsLdltOfSymmetricMatrices) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_definite<N>();
    RC_ASSERT(difference(Lu<double, N>(A).d, Ldlt<double, N>(A).d) <= 16 * N * N * kEps * A.norm());
  }));
}

TYPED_TEST(LuTest, DualsDifferentiateTheSolution) {  // A x = b:  A x' + A' x = b'
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = *positive_unsymmetric<N>(), dA = *matrix<N, N>();
    const Vec<double, N> b = *matrix<N>(), db = *matrix<N>();
    const auto x = Lu<Dual<double, 1>, N>(moving(A, dA)).solve(moving(b, db));
    const Vec<double, N> x0 = value(x), dx = derivative(x, 0);
    RC_ASSERT(difference(A * dx + dA * x0, db) <= 16 * (residual_bound<N>(A, dx)) +
                                                      16 * (residual_bound<N>(dA, x0)) +
                                                      16 * A.norm() * (residual_bound<N>(A, x0)));
  }));
}

TYPED_TEST(LuTest, PacksEqualScalarsLaneByLane) {
  constexpr int N = TypeParam::value;
  using P = Pack<2>;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A[2] = {*positive_unsymmetric<N>(), *positive_unsymmetric<N>()};
    const Vec<double, N> b[2] = {*matrix<N>(), *matrix<N>()};
    Mat<P, N, N> A_wide;
    Vec<P, N> b_wide;
    for (int i = 0; i < N; ++i) {
      b_wide(i) = P::generate([&](std::size_t l) { return b[l](i); });
      for (int j = 0; j < N; ++j)
        A_wide(i, j) = P::generate([&](std::size_t l) { return A[l](i, j); });
    }
    const Vec<P, N> x = Lu<P, N>(A_wide).solve(b_wide);
    for (int l = 0; l < 2; ++l) RC_ASSERT(lane(x, l) == (Lu<double, N>(A[l]).solve(b[l])));
  }));
}

RC_GTEST_PROP(Inverse2x2, IsTheInverse, ()) {
  const Mat2<double> A = *matrix<2, 2>();
  RC_PRE(std::abs(A.determinant()) > 1e-3);
  // ad − bc loses up to |A|² / |det| units of round-off.
  const double tolerance = 8 * kEps * A.squaredNorm() / std::abs(A.determinant());
  const Mat2<double> B = inverse(A);
  RC_ASSERT(difference(A * B, Mat2<double>::Identity()) <= tolerance * A.norm() * B.norm());
  RC_ASSERT(difference(B * A, Mat2<double>::Identity()) <= tolerance * A.norm() * B.norm());
}

RC_GTEST_PROP(Inverse2x2, DualsDifferentiateIt, ()) {  // (A⁻¹)' = −A⁻¹ A' A⁻¹
  const Mat2<double> A = *matrix<2, 2>(), dA = *matrix<2, 2>();
  RC_PRE(std::abs(A.determinant()) > 0.05);
  const auto B = inverse(moving(A, dA));
  const Mat2<double> expected = -value(B) * dA * value(B);
  const double condition = A.squaredNorm() / std::abs(A.determinant());
  RC_ASSERT(difference(derivative(B, 0), expected) <=
            16 * kEps * condition * value(B).squaredNorm() * dA.norm());
}

}  // namespace oloid::test::small_solve_test
