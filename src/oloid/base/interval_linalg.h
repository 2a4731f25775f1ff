// Vectors and matrices of intervals.
#pragma once

#include "oloid/base/interval.h"
#include "oloid/base/linalg.h"

template <>
struct Eigen::NumTraits<oloid::base::Interval> : Eigen::NumTraits<double> {
  using Real = oloid::base::Interval;
  using NonInteger = oloid::base::Interval;
  using Nested = oloid::base::Interval;
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

namespace oloid::base {

inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }
inline Interval& operator-=(Interval& a, const Interval& b) { return a = a - b; }
inline Interval& operator*=(Interval& a, const Interval& b) { return a = a * b; }
inline Interval& operator/=(Interval& a, const Interval& b) { return a = a / b; }

}  // namespace oloid::base
