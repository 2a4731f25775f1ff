// Forward derivatives carried along: Dual<T, N> is a value with N partial derivatives. Nestable.
//
// Functions that bend sharply have one-sided derivatives there: abs that of x > 0, min and max
// those of the first argument. The derivatives of sqrt and hypot are infinite or undefined at 0.
#pragma once

#include <algorithm>
#include <cmath>

#include "oloid/base/linalg.h"
#include "oloid/base/scalar.h"

namespace oloid::base {

// x^n by multiplication alone: the sign of x does not matter, and x = 0 is nothing special.
template <class S>
S whole_power(const S& x, int n) {
  unsigned k = n < 0 ? 0U - static_cast<unsigned>(n) : static_cast<unsigned>(n);
  if (k == 0) return S(1.0);
  S square = x;
  for (; k % 2 == 0; k /= 2) square = square * square;
  S power = square;
  for (k /= 2; k > 0; k /= 2) {
    square = square * square;
    if (k % 2 == 1) power = power * square;
  }
  return n < 0 ? S(S(1.0) / power) : power;
}

// 1 / (x² + y²), by which the angle atan2(y, x) turns.
template <class S>
S angle_slope(const S& y, const S& x) {
  return S(1.0) / (x * x + y * y);
}

template <class T, int N>
struct Dual {
  T v{};     // value
  T d[N]{};  // derivatives, contiguous so that loops over them vectorise

  Dual() = default;
  Dual(double value) : v(value) {}
  Dual(const T& value) requires(!std::same_as<T, double>) : v(value) {}

  // The i-th independent variable.
  static Dual variable(const T& value, int i) {
    Dual x{value};
    x.d[i] = T(1);
    return x;
  }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator-(const Dual& a) { return chain(-a.v, T(-1.0), a); }
  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual c;
    c.v = a.v + b.v;
    for (int i = 0; i < N; ++i) c.d[i] = a.d[i] + b.d[i];
    return c;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual c;
    c.v = a.v - b.v;
    for (int i = 0; i < N; ++i) c.d[i] = a.d[i] - b.d[i];
    return c;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual c;
    c.v = a.v * b.v;
    for (int i = 0; i < N; ++i) c.d[i] = a.d[i] * b.v + a.v * b.d[i];
    return c;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual c;
    const T inverse = T(1.0) / b.v;
    c.v = a.v * inverse;
    for (int i = 0; i < N; ++i) c.d[i] = (a.d[i] - c.v * b.d[i]) * inverse;
    return c;
  }

  // With plain numbers nothing is spent on derivatives that are zero.
  friend Dual operator+(Dual a, double b) {
    a.v = a.v + b;
    return a;
  }
  friend Dual operator+(double a, const Dual& b) { return b + a; }
  friend Dual operator-(Dual a, double b) {
    a.v = a.v - b;
    return a;
  }
  friend Dual operator-(double a, const Dual& b) { return chain(a - b.v, T(-1.0), b); }
  friend Dual operator*(Dual a, double b) {
    a.v = a.v * b;
    for (int i = 0; i < N; ++i) a.d[i] = a.d[i] * b;
    return a;
  }
  friend Dual operator*(double a, const Dual& b) { return b * a; }
  friend Dual operator/(Dual a, double b) {
    a.v = a.v / b;
    for (int i = 0; i < N; ++i) a.d[i] = a.d[i] / b;
    return a;
  }

  friend auto operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend auto operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend auto operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }
  friend auto operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
  friend auto operator!=(const Dual& a, const Dual& b) { return a.v != b.v; }

  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const T r = sqrt(a.v);
    return chain(r, T(0.5) / r, a);
  }
  friend Dual sin(const Dual& a) {
    using std::cos;
    using std::sin;
    return chain(sin(a.v), cos(a.v), a);
  }
  friend Dual cos(const Dual& a) {
    using std::cos;
    using std::sin;
    return chain(cos(a.v), -sin(a.v), a);
  }
  friend Dual pow(const Dual& a, double e) {  // also a = 0 for e = 0, 1, 2, … at any nesting
    using std::pow;
    if (e == 0) return Dual(1.0);
    return chain(pow(a.v, e), T(e) * pow(a.v, e - 1), a);
  }
  friend Dual pow(const Dual& a, const Dual& b) {  // a ≥ 0, or b without derivatives
    using std::log;
    using std::pow;
    const T power = pow(a.v, b.v);
    const T slope_a = b.v * pow(a.v, b.v - T(1.0));
    const T slope_b = power * log(select(a.v > T(0.0), a.v, T(1.0)));
    Dual c;
    c.v = power;
    for (int i = 0; i < N; ++i) c.d[i] = slope_a * a.d[i] + slope_b * b.d[i];
    return c;
  }
  friend Dual whole_power(const Dual& a, int n) {
    if (n == 0) return Dual(1.0);
    return chain(whole_power(a.v, n), whole_power(a.v, n - 1) * static_cast<double>(n), a);
  }
  friend Dual exp(const Dual& a) {
    using std::exp;
    const T e = exp(a.v);
    return chain(e, e, a);
  }
  friend Dual log(const Dual& a) {
    using std::log;
    return chain(log(a.v), T(1.0) / a.v, a);
  }
  friend Dual tan(const Dual& a) {
    using std::tan;
    const T t = tan(a.v);
    return chain(t, T(1.0) + t * t, a);
  }
  friend Dual asin(const Dual& a) {
    using std::asin;
    using std::sqrt;
    return chain(asin(a.v), T(1.0) / sqrt((T(1.0) - a.v) * (T(1.0) + a.v)), a);
  }
  friend Dual acos(const Dual& a) {
    using std::acos;
    using std::sqrt;
    return chain(acos(a.v), T(-1.0) / sqrt((T(1.0) - a.v) * (T(1.0) + a.v)), a);
  }
  friend Dual atan(const Dual& a) {
    using std::atan;
    return chain(atan(a.v), T(1.0) / (T(1.0) + a.v * a.v), a);
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const T slope = angle_slope(y.v, x.v);
    Dual c;
    c.v = atan2(y.v, x.v);
    for (int i = 0; i < N; ++i) c.d[i] = (x.v * y.d[i] - y.v * x.d[i]) * slope;
    return c;
  }
  friend Dual hypot(const Dual& a, const Dual& b) {
    using std::hypot;
    Dual c;
    c.v = hypot(a.v, b.v);
    const T along_a = a.v / c.v, along_b = b.v / c.v;
    for (int i = 0; i < N; ++i) c.d[i] = along_a * a.d[i] + along_b * b.d[i];
    return c;
  }
  friend Dual sinh(const Dual& a) {
    using std::cosh;
    using std::sinh;
    return chain(sinh(a.v), cosh(a.v), a);
  }
  friend Dual cosh(const Dual& a) {
    using std::cosh;
    using std::sinh;
    return chain(cosh(a.v), sinh(a.v), a);
  }
  friend Dual tanh(const Dual& a) {
    using std::tanh;
    const T t = tanh(a.v);
    return chain(t, (T(1.0) - t) * (T(1.0) + t), a);
  }
  friend Dual abs(const Dual& a) {
    using std::abs;
    Dual c;
    c.v = abs(a.v);
    const auto negative = a.v < T(0.0);
    for (int i = 0; i < N; ++i) c.d[i] = select(negative, T(-a.d[i]), a.d[i]);
    return c;
  }
  friend Dual min(const Dual& a, const Dual& b) {
    using std::min;
    Dual c;
    c.v = min(a.v, b.v);
    const auto second = b.v < a.v;
    for (int i = 0; i < N; ++i) c.d[i] = select(second, b.d[i], a.d[i]);
    return c;
  }
  friend Dual max(const Dual& a, const Dual& b) {
    using std::max;
    Dual c;
    c.v = max(a.v, b.v);
    const auto second = a.v < b.v;
    for (int i = 0; i < N; ++i) c.d[i] = select(second, b.d[i], a.d[i]);
    return c;
  }
  template <class Mask>
  friend Dual select(const Mask& mask, const Dual& a, const Dual& b) {
    Dual c;
    c.v = select(mask, a.v, b.v);
    for (int i = 0; i < N; ++i) c.d[i] = select(mask, a.d[i], b.d[i]);
    return c;
  }

 private:
  // f(a) with f' given.
  static Dual chain(const T& value, const T& slope, const Dual& a) {
    Dual c;
    c.v = value;
    for (int i = 0; i < N; ++i) c.d[i] = slope * a.d[i];
    return c;
  }
};

template <class T, int N>
double primal(const Dual<T, N>& x) {
  return primal(x.v);
}

}  // namespace oloid::base

template <class T, int N>
struct Eigen::NumTraits<oloid::base::Dual<T, N>> : Eigen::NumTraits<double> {
  using Real = oloid::base::Dual<T, N>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {  // NOLINTBEGIN(readability-identifier-naming): as Eigen calls them
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 3 * N + 1
  };  // NOLINTEND(readability-identifier-naming)
};

// Duals are as aligned as what they are made of (see pack.h).
template <class T, int N, int Size>
struct Eigen::internal::compute_default_alignment<oloid::base::Dual<T, N>, Size> {
  enum { value = 0 };
};
template <class T, int N>
struct Eigen::internal::compute_default_alignment<oloid::base::Dual<T, N>, Eigen::Dynamic> {
  enum { value = 0 };
};
