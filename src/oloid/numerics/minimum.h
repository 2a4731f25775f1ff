// The least value of a function of one number.
#pragma once

#include <algorithm>

#include "oloid/base/rooms.h"

namespace oloid::numerics {

struct Minimum {
  double t, value;
};

// Of f over [0, 1], cut into n parts: minima of samples are refined by thirds, which finds the tip
// of a V.
template <class F>
Minimum minimum(const F& f, int n) {
  constexpr int kThirds = 100;
  Minimum best{0, f(0.0)};
  for (int k = 0; k <= n; ++k) {
    const double t = static_cast<double>(k) / n, h = 1.0 / n;
    double low = std::max(0.0, t - h), high = std::min(1.0, t + h);
    if (k > 0 && k < n && f(t) > std::min(f(low), f(high))) continue;
    for (int m = 0; m < kThirds && high - low > 1e-15; ++m) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
    }
    for (const double s : {0.5 * (low + high), t}) {
      if (const double value = f(s); value < best.value) best = {s, value};
    }
  }
  return best;
}

}  // namespace oloid::numerics
