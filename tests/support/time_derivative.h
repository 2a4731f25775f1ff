// The derivative of a function of time by differences, to about 1e-11 of its size for functions
// that change within a second or more.
#pragma once

#include <type_traits>

#include "support/rooms.h"

namespace oloid::test {

// f returns a number or a matrix. Central, of sixth order.
template <class F>
auto time_derivative(const F& f, double t, double h = 5e-3) {
  using Value = std::decay_t<decltype(f(t))>;
  return Value((45 * (f(t + h) - f(t - h)) - 9 * (f(t + 2 * h) - f(t - 2 * h)) +
                (f(t + 3 * h) - f(t - 3 * h))) /
               (60 * h));
}

}  // namespace oloid::test
