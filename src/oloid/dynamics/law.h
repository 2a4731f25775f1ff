// The law of a contact: how its wrench opposes slip, spin and roll.
//
// In (ẇ; 0) = b + W f every row is one of three: free (f = 0), given (a multiple of the normal
// force) or a constraint (its row of b + W f is 0). With P the constrained rows, normal last, and
// the given rows c f_n folded into the normal column of E:
//   f = E x,   P W E x = −P b          docs/theory/contact.md eqs. 30 to 33
//   f = −Q b,  Q = E (P W E)⁻¹ P       how a contact under this law resists, as an inertia
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "oloid/numerics/small_solve.h"

namespace oloid::dynamics {

enum class Slip { frictionless, sliding, stuck };
enum class Spin { free, resisting, stuck };
enum class Roll { free, resisting, stuck };
struct Law {
  Slip slip = Slip::frictionless;
  Spin spin = Spin::free;
  Roll roll = Roll::free;
  friend constexpr bool operator==(const Law&, const Law&) = default;
};

// Whether forces are given. Only then may the normal force's denominator vanish at a body that
// carries no other: W is symmetric and positive definite.
constexpr bool gives_forces(Law law) {
  return law.slip == Slip::sliding || law.spin == Spin::resisting || law.roll == Roll::resisting;
}

// Rows of the contact wrench: moments (roll, roll, spin), then forces (slip, slip, normal).
inline constexpr int kRollRow = 0, kSpinRow = 2, kSlipRow = 3, kNormalRow = 5;

// W is symmetric unless A carries other bodies whose contacts are given forces (forest.h).
enum class InverseMass { symmetric, any };

namespace detail {

constexpr int constraint_count(Law law) {
  return 1 + (law.slip == Slip::stuck ? 2 : 0) + (law.spin == Spin::stuck ? 1 : 0) +
         (law.roll == Roll::stuck ? 2 : 0);
}
template <Law L>
constexpr auto constrained_rows() {
  std::array<int, static_cast<std::size_t>(constraint_count(L))> rows{};
  std::size_t n = 0;
  if (L.roll == Roll::stuck) {
    rows[n++] = kRollRow;
    rows[n++] = kRollRow + 1;
  }
  if (L.spin == Spin::stuck) rows[n++] = kSpinRow;
  if (L.slip == Slip::stuck) {
    rows[n++] = kSlipRow;
    rows[n++] = kSlipRow + 1;
  }
  rows[n] = kNormalRow;
  return rows;
}

// P W E, factored: symmetric and positive definite if W is and no forces are given.
template <Law L, InverseMass M, class S>
struct LawMatrix {
  static constexpr bool kSymmetric = M == InverseMass::symmetric && !gives_forces(L);
  static constexpr auto kRows = constrained_rows<L>();
  static constexpr int kCount = static_cast<int>(kRows.size());
  using Factors = std::conditional_t<kSymmetric, Ldlt<S, kCount>, Lu<S, kCount>>;
  Factors factors;

  LawMatrix(const Mat6<S>& W, const Vec6<S>& c) : factors(matrix(W, c)) {}

  static Mat<S, kCount, kCount> matrix(const Mat6<S>& W, const Vec6<S>& c) {
    Mat<S, kCount, kCount> A;
    for (int i = 0; i < kCount; ++i) {
      const int row = kRows[static_cast<std::size_t>(i)];
      for (int j = 0; j + 1 < kCount; ++j) A(i, j) = W(row, kRows[static_cast<std::size_t>(j)]);
      A(i, kCount - 1) = W(row, kNormalRow);
      if constexpr (gives_forces(L)) A(i, kCount - 1) = A(i, kCount - 1) - W.row(row).dot(c);
    }
    return A;
  }
  // Schur complement of the normal row: what the normal force divides by.
  const S& denominator() const { return factors.d(kCount - 1); }

  // f = E x.
  static Vec6<S> wrench(const Vec<S, kCount>& x, const Vec6<S>& c) {
    Vec6<S> f = Vec6<S>::Zero();
    if constexpr (gives_forces(L)) f = -x(kCount - 1) * c;
    for (int i = 0; i < kCount; ++i) f(kRows[static_cast<std::size_t>(i)]) = x(i);
    return f;
  }
};

}  // namespace detail

template <class S>
struct LawForce {
  Vec6<S> f;      // contact wrench on A, in C; f_z = −f_n, compression f_n > 0
  S denominator;  // positive, else Painlevé's paradox [1/kg]
};

// The wrench that the law exerts where the bodies would accelerate by b without it. `c` holds the
// given rows for a normal force of 1; its other rows are 0.
template <Law L, InverseMass M = InverseMass::symmetric, class S>
LawForce<S> law_force(const Mat6<S>& W, const Vec6<S>& b, const Vec6<S>& c) {
  using Matrix = detail::LawMatrix<L, M, S>;
  const Matrix A(W, c);
  Vec<S, Matrix::kCount> rhs;
  for (int i = 0; i < Matrix::kCount; ++i) rhs(i) = -b(Matrix::kRows[static_cast<std::size_t>(i)]);
  return {Matrix::wrench(A.factors.solve(rhs), c), A.denominator()};
}

template <class S>
struct LawResponse {
  Mat6<S> Q;      // f = −Q b
  S denominator;  // as above
};
template <Law L, InverseMass M = InverseMass::symmetric, class S>
LawResponse<S> law_response(const Mat6<S>& W, const Vec6<S>& c) {
  using Matrix = detail::LawMatrix<L, M, S>;
  const Matrix A(W, c);
  LawResponse<S> out{Mat6<S>::Zero(), A.denominator()};
  for (int i = 0; i < Matrix::kCount; ++i) {
    const Vec<S, Matrix::kCount> x = A.factors.solve(Vec<S, Matrix::kCount>::Unit(i));
    out.Q.col(Matrix::kRows[static_cast<std::size_t>(i)]) = Matrix::wrench(x, c);
  }
  return out;
}

// The same for a law known only at run time, and any W.
namespace detail {

inline constexpr int kLaws = 27;
constexpr Law law_number(int i) {
  return {static_cast<Slip>(i / 9), static_cast<Spin>(i / 3 % 3), static_cast<Roll>(i % 3)};
}
constexpr std::size_t number_of(Law law) {
  return 9 * static_cast<std::size_t>(law.slip) + 3 * static_cast<std::size_t>(law.spin) +
         static_cast<std::size_t>(law.roll);
}

template <class S, int... I>
LawForce<S> law_force(Law law, const Mat6<S>& W, const Vec6<S>& b, const Vec6<S>& c,
                      std::integer_sequence<int, I...>) {
  using Force = LawForce<S> (*)(const Mat6<S>&, const Vec6<S>&, const Vec6<S>&);
  static constexpr Force kForces[] = {&dynamics::law_force<law_number(I), InverseMass::any, S>...};
  return kForces[number_of(law)](W, b, c);
}
template <class S, int... I>
LawResponse<S> law_response(Law law, const Mat6<S>& W, const Vec6<S>& c,
                            std::integer_sequence<int, I...>) {
  using Response = LawResponse<S> (*)(const Mat6<S>&, const Vec6<S>&);
  static constexpr Response kResponses[] = {
      &dynamics::law_response<law_number(I), InverseMass::any, S>...};
  return kResponses[number_of(law)](W, c);
}

}  // namespace detail
template <class S>
LawForce<S> law_force(Law law, const Mat6<S>& W, const std::type_identity_t<Vec6<S>>& b,
                      const std::type_identity_t<Vec6<S>>& c) {
  return detail::law_force(law, W, b, c, std::make_integer_sequence<int, detail::kLaws>());
}
template <class S>
LawResponse<S> law_response(Law law, const Mat6<S>& W, const std::type_identity_t<Vec6<S>>& c) {
  return detail::law_response(law, W, c, std::make_integer_sequence<int, detail::kLaws>());
}

// Compiled once, in law.cpp.
extern template LawForce<double> law_force<double>(Law, const Mat6<double>&, const Vec6<double>&,
                                                   const Vec6<double>&);
extern template LawResponse<double> law_response<double>(Law, const Mat6<double>&,
                                                         const Vec6<double>&);

}  // namespace oloid::dynamics
