// The zero of a continuous function in a bracket, to the last few bits of the bracket's ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "oloid/base/rooms.h"

namespace oloid::numerics {

struct Root {
  double x;      // the end of the bracket on the far side of the zero: f(x) ≤ 0
  double slope;  // of f across the last bracket wide enough to measure it
  int calls;
};

// f(lo) > 0 ≥ f(hi). ITP [OliveiraTakahashi20]: secant-like speed, never worse than bisection.
template <class Function>
Root find_root(Function&& f, double lo, double f_lo, double hi, double f_hi) {
  Root root{hi, (f_hi - f_lo) / (hi - lo), 0};
  const double tolerance =
      2 * std::numeric_limits<double>::epsilon() * std::max({std::abs(lo), std::abs(hi), 1e-300});
  const double width0 = hi - lo;
  const int bisections =
      static_cast<int>(std::ceil(std::log2(std::max(width0 / tolerance, 1.0)))) + 1;
  for (int j = 0; hi - lo > 2 * tolerance && j <= bisections + 1; ++j) {
    const double middle = 0.5 * (lo + hi);
    const double secant = lo - f_lo * (hi - lo) / (f_hi - f_lo);
    const double towards = middle >= secant ? 1 : -1;
    const double truncation = 0.2 / width0 * (hi - lo) * (hi - lo);
    double x = truncation <= std::abs(middle - secant) ? secant + towards * truncation : middle;
    const double radius = tolerance * std::exp2(bisections + 1 - j) - 0.5 * (hi - lo);
    if (std::abs(x - middle) > radius) x = middle - towards * radius;
    x = std::clamp(x, lo + tolerance, hi - tolerance);
    const double y = f(x);
    ++root.calls;
    if (y > 0) {
      lo = x;
      f_lo = y;
    } else {
      hi = x;
      f_hi = y;
    }
    if (hi - lo > 1e6 * tolerance) root.slope = (f_hi - f_lo) / (hi - lo);
  }
  root.x = hi;
  return root;
}

}  // namespace oloid::numerics
