// What can be integrated: y' = f(t, y), with guards whose zeros are events.
#pragma once

#include <concepts>

#include "oloid/base/linalg.h"

namespace oloid {

// rates(t, y, dy, guards) computes y' and all guards at once, and returns false where it is not
// defined (the step is then tried again with half the length). It is a pure function of t and y.
// Guards are dimensionless, positive while nothing happens, and cross zero downwards at an event.
template <class F>
concept Field = requires(const F& f, double t, const Vec<double, F::kSize>& y,
                         Vec<double, F::kSize>& dy, Vec<double, F::kGuards>& guards) {
  { f.rates(t, y, dy, guards) } -> std::same_as<bool>;
};

}  // namespace oloid
