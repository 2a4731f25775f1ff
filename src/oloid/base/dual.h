// Forward derivatives carried along: Dual<T, N> is a value with N partial derivatives. Nestable.
#pragma once

#include <cmath>

#include "oloid/base/linalg.h"
#include "oloid/base/scalar.h"

namespace oloid {

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

}  // namespace oloid

template <class T, int N>
struct Eigen::NumTraits<oloid::Dual<T, N>> : Eigen::NumTraits<double> {
  using Real = oloid::Dual<T, N>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 3 * N + 1
  };
};

// Duals are as aligned as what they are made of (see pack.h).
template <class T, int N, int Size>
struct Eigen::internal::compute_default_alignment<oloid::Dual<T, N>, Size> {
  enum { value = 0 };
};
