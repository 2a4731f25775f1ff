// Gauss-Legendre quadrature over [0, 1].
#pragma once

#include <vector>

namespace oloid {

// n points integrate polynomials of degree 2 n − 1 exactly.
struct GaussRule {
  std::vector<double> points, weights;
};
GaussRule gauss_legendre(int n);

}  // namespace oloid
