// Ticks at round numbers, and how to write them.
#pragma once

#include <string>
#include <vector>

#include "oloid/base/constants.h"

namespace oloid::io {

// What a curve covers; values that are not finite do not count.
struct Range {
  double low = kInfinity, high = -kInfinity;
  void add(double value);
  bool empty() const { return !(low <= high); }
};

struct Axis {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<double> ticks;

  // 0 at low, 1 at high.
  double fraction(double value) const;
};

// Holds [low, high], widened to round numbers if `widen`; about `count` ticks at 1, 2 or 5 times a
// power of ten.
Axis linear_axis(double low, double high, int count, bool widen);
// Holds [low, high] with some room around it.
Axis roomy_axis(double low, double high, int count);
// Whole decades; 0 < low ≤ high.
Axis log_axis(double low, double high, int count);

// Short and the same number of decimals for all ticks of an axis.
std::string tick_label(const Axis& axis, double tick);

}  // namespace oloid::io
