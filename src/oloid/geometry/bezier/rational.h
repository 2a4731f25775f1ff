// Derivatives of a quotient N(u, v) / w(u, v) from those of numerator and denominator.
#pragma once

#include <array>

#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

template <class S, int Order>
using ScalarJet = std::array<S, static_cast<std::size_t>(jet_size(Order))>;  // by jet_index

// Leibniz' rule for N = w c, solved for the highest derivative of c (Piegl & Tiller, Eq. 4.20):
//   w c_ij = N_ij − Σ_(k,l)≠(0,0) C(i,k) C(j,l) w_kl c_(i−k)(j−l)
template <int Order, class S>
Jet<S, Order> quotient(const Jet<S, Order>& N, const ScalarJet<S, Order>& w) {
  static_assert(Order <= kMaxJetOrder);
  constexpr double kBinomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  const S inverse_w = S(1.0) / w[0];
  Jet<S, Order> c;
  for (int order = 0; order <= Order; ++order) {
    for (int j = 0; j <= order; ++j) {
      const int i = order - j;
      Vec3<S> sum = N.d(i, j);
      for (int k = 0; k <= i; ++k) {
        for (int l = 0; l <= j; ++l) {
          if (k + l == 0) continue;
          const S factor =
              S(kBinomial[i][k] * kBinomial[j][l]) * w[static_cast<std::size_t>(jet_index(k, l))];
          sum -= factor * c.d(i - k, j - l);
        }
      }
      c.d(i, j) = inverse_w * sum;
    }
  }
  return c;
}

}  // namespace oloid::geometry
