#include "oloid/numerics/quadrature.h"

#include <cmath>
#include <numbers>

namespace oloid::numerics {

// Roots of the Legendre polynomial by Newton's method from Tricomi's estimate.
GaussRule gauss_legendre(int n) {
  GaussRule rule{std::vector<double>(static_cast<std::size_t>(n)),
                 std::vector<double>(static_cast<std::size_t>(n))};
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int iteration = 0; iteration < 10; ++iteration) {
      double p = 1, before = 0;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    const auto index = static_cast<std::size_t>(i);
    rule.points[index] = 0.5 * (1 - x);
    rule.weights[index] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace oloid::numerics
