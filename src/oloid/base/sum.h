// A sum whose terms come, go and change many times without leaving round-off behind ([Neumaier74]).
#pragma once

#include <cmath>

#include "oloid/base/rooms.h"

namespace oloid::base {

class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    rest_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  void replace(double old, double term) {
    add(-old);
    add(term);
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0, rest_ = 0;
};

}  // namespace oloid::base
