#include "oloid/base/small_solve.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <limits>
#include <type_traits>

#include "laws/difference.h"
#include "laws/generators.h"

namespace oloid {
namespace {

template <class N>
class LdltTest : public testing::Test {};
using Sizes = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>,
                             std::integral_constant<int, 4>, std::integral_constant<int, 5>,
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

// Not symmetric, with a positive definite symmetric part: the kind that needs no pivoting.
template <int N>
Mat<double, N, N> unsymmetric() {
  const Mat<double, N, N> P = *positive_definite<N>(), K = *matrix<N, N>();
  return P + K - K.transpose();
}

// |L| |U|, which bounds the backward error of an LU without pivoting (Higham, Thm. 9.4).
template <int N>
double factor_size(const Lu<double, N>& f) {
  const Mat<double, N, N> unit = Mat<double, N, N>::Identity();
  const Mat<double, N, N> L =
      unit + Mat<double, N, N>(f.LU.template triangularView<Eigen::StrictlyLower>());
  const Mat<double, N, N> U = f.LU.template triangularView<Eigen::Upper>();
  return (L.cwiseAbs() * U.cwiseAbs()).norm();
}

template <class N>
class LuTest : public testing::Test {};
TYPED_TEST_SUITE(LuTest, Sizes);

TYPED_TEST(LuTest, SolvesSystemsThatAreNotSymmetric) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = unsymmetric<N>();
    const Vec<double, N> b = *matrix<N>();
    const Lu<double, N> f(A);
    const Vec<double, N> x = f.solve(b);
    RC_ASSERT(difference(A * x, b) <= 4 * N * kEps * factor_size<N>(f) * x.norm());
  }));
}

TYPED_TEST(LuTest, FactorsMultiplyToTheMatrix) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = unsymmetric<N>();
    const Lu<double, N> f(A);
    Mat<double, N, N> L = Mat<double, N, N>::Identity(), U = Mat<double, N, N>::Zero();
    L.template triangularView<Eigen::StrictlyLower>() = f.LU;
    U.template triangularView<Eigen::Upper>() = f.LU;
    RC_ASSERT(difference(L * U, A) <= 2 * N * kEps * factor_size<N>(f));
    RC_ASSERT(f.d == U.diagonal());
  }));
}

TYPED_TEST(LuTest, PivotsMultiplyToTheDeterminant) {
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = unsymmetric<N>();
    const double expected = A.determinant();
    RC_ASSERT(std::abs(Lu<double, N>(A).d.prod() - expected) <= 1e-12 * std::abs(expected));
    const Mat<double, N, N> P = *positive_definite<N>();
    RC_ASSERT(difference(Lu<double, N>(P).d, Ldlt<double, N>(P).d) <= 4 * N * N * kEps * P.norm());
  }));
}

TYPED_TEST(LuTest, DualsDifferentiateTheSolution) {  // A x = b:  A x' = b' − A' x
  constexpr int N = TypeParam::value;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> A = unsymmetric<N>(), dA = *matrix<N, N>();
    const Vec<double, N> b = *matrix<N>(), db = *matrix<N>();
    const auto x = Lu<Dual<double, 1>, N>(moving(A, dA)).solve(moving(b, db));
    const Vec<double, N> right = db - dA * value(x);
    const Lu<double, N> f(A);
    const Vec<double, N> expected = f.solve(right);
    RC_ASSERT(difference(derivative(x, 0), expected) <=
              1e-13 * (1 + factor_size<N>(f)) * (1 + expected.norm() + value(x).norm()));
  }));
}

TYPED_TEST(LuTest, PacksEqualScalarsLaneByLane) {
  constexpr int N = TypeParam::value;
  using P = Pack<2>;
  EXPECT_TRUE(rc::check([] {
    const Mat<double, N, N> first = unsymmetric<N>(), second = unsymmetric<N>();
    const Vec<double, N> b = *matrix<N>(), c = *matrix<N>();
    Mat<P, N, N> A_wide;
    Vec<P, N> b_wide;
    for (int i = 0; i < N; ++i) {
      b_wide(i) = P::generate([&](std::size_t l) { return l == 0 ? b(i) : c(i); });
      for (int j = 0; j < N; ++j)
        A_wide(i, j) =
            P::generate([&](std::size_t l) { return l == 0 ? first(i, j) : second(i, j); });
    }
    const Vec<P, N> x = Lu<P, N>(A_wide).solve(b_wide);
    RC_ASSERT(lane(x, 0) == (Lu<double, N>(first).solve(b)));
    RC_ASSERT(lane(x, 1) == (Lu<double, N>(second).solve(c)));
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

}  // namespace
}  // namespace oloid
