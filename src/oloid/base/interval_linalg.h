// Vectors and matrices of intervals.
#pragma once

#include "oloid/base/interval.h"
#include "oloid/base/linalg.h"

template <>
struct Eigen::NumTraits<oloid::Interval> : Eigen::NumTraits<double> {
  using Real = oloid::Interval;
  using NonInteger = oloid::Interval;
  using Nested = oloid::Interval;
  enum {  // NOLINTBEGIN(readability-identifier-naming): as Eigen calls them
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 8,
    MulCost = 16
  };  // NOLINTEND(readability-identifier-naming)
};

namespace oloid {

inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }
inline Interval& operator-=(Interval& a, const Interval& b) { return a = a - b; }
inline Interval& operator*=(Interval& a, const Interval& b) { return a = a * b; }
inline Interval& operator/=(Interval& a, const Interval& b) { return a = a / b; }

}  // namespace oloid
