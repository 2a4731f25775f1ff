// What can be integrated: y' = f(t, y), with guards whose zeros are events.
#pragma once

#include <concepts>

#include "oloid/base/linalg.h"

namespace oloid::integrate {

// rates(t, y, dy, guards) computes y' and all guards at once, and returns false where it is not
// defined (the step is then tried again with half the length). It is a pure function of t and y.
// Guards are dimensionless, positive while nothing happens, and cross zero downwards at an event.
// kSize and kGuards are numbers, or Eigen::Dynamic: then size() and guard_count() return them, and
// dy and guards arrive with that length.
template <class F>
concept Field = requires(const F& f, double t, const Vec<double, F::kSize>& y,
                         Vec<double, F::kSize>& dy, Vec<double, F::kGuards>& guards) {
  { f.rates(t, y, dy, guards) } -> std::same_as<bool>;
}
&&(F::kSize != Eigen::Dynamic ||
   requires(const F& f) {
     { f.size() } -> std::same_as<int>;
   }) &&
    (F::kGuards != Eigen::Dynamic || requires(const F& f) {
      { f.guard_count() } -> std::same_as<int>;
    });

template <Field F>
int size_of(const F& field) {
  if constexpr (F::kSize == Eigen::Dynamic) return field.size();
  return F::kSize;
}

template <Field F>
int guard_count_of(const F& field) {
  if constexpr (F::kGuards == Eigen::Dynamic) return field.guard_count();
  return F::kGuards;
}

// A vector with every entry the given value: of length N, or empty if the length is not known yet.
template <class T, int N>
Vec<T, N> filled(T value) {
  Vec<T, N> v;
  if constexpr (N != Eigen::Dynamic) v.setConstant(value);
  return v;
}

// Sets the length of a vector of unknown length, and every entry to the given value. Leaves others
// alone.
template <class T, int N>
void refill(Vec<T, N>& v, int n, T value) {
  if constexpr (N == Eigen::Dynamic) v.setConstant(n, value);
}

}  // namespace oloid::integrate
