// What a number must offer to run through our kernels: double, dual numbers and SIMD packs do.
#pragma once

#include <cmath>
#include <concepts>

#include "oloid/base/rooms.h"

namespace oloid::base {

// Choice without a branch: where the mask is true a, elsewhere b. Duals and packs overload it.
inline double select(bool mask, double a, double b) { return mask ? a : b; }

// The plain double inside a scalar; for a pack its first lane.
inline double primal(double x) { return x; }

template <class S>
concept Scalar = std::constructible_from<S, double> && requires(const S& a, const S& b) {
  { a + b } -> std::convertible_to<S>;
  { a - b } -> std::convertible_to<S>;
  { a* b } -> std::convertible_to<S>;
  { a / b } -> std::convertible_to<S>;
  { -a } -> std::convertible_to<S>;
  { select(a < b, a, b) } -> std::convertible_to<S>;
};

}  // namespace oloid::base
