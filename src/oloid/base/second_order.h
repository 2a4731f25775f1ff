// Value, gradient and Hessian carried along: what Dual<Dual<T, N>, N> has, each second derivative
// once. Half the work; for functions of N variables whose Hessian is wanted.
#pragma once

#include <algorithm>
#include <cmath>

#include "oloid/base/dual.h"
#include "oloid/base/scalar.h"

namespace oloid::base {

template <class T, int N>
struct SecondOrder {
  static constexpr int kPairs = N * (N + 1) / 2;
  T v{};          // value
  T d[N]{};       // first derivatives
  T h[kPairs]{};  // second derivatives, at pair(i, j)

  // Where ∂²/∂x_i∂x_j is kept, for i ≤ j.
  static constexpr int pair(int i, int j) { return i * N - i * (i - 1) / 2 + j - i; }

  SecondOrder() = default;
  SecondOrder(double value) : v(value) {}
  SecondOrder(const T& value) requires(!std::same_as<T, double>) : v(value) {}

  // The i-th independent variable.
  static SecondOrder variable(const T& value, int i) {
    SecondOrder x{value};
    x.d[i] = T(1.0);
    return x;
  }
  T hessian(int i, int j) const { return i <= j ? h[pair(i, j)] : h[pair(j, i)]; }

  SecondOrder& operator+=(const SecondOrder& b) { return *this = *this + b; }
  SecondOrder& operator-=(const SecondOrder& b) { return *this = *this - b; }
  SecondOrder& operator*=(const SecondOrder& b) { return *this = *this * b; }
  SecondOrder& operator/=(const SecondOrder& b) { return *this = *this / b; }

  friend SecondOrder operator-(const SecondOrder& a) {
    return each(a, [](const T& x) { return T(-x); });
  }
  friend SecondOrder operator+(const SecondOrder& a, const SecondOrder& b) {
    return each(a, b, [](const T& x, const T& y) { return T(x + y); });
  }
  friend SecondOrder operator-(const SecondOrder& a, const SecondOrder& b) {
    return each(a, b, [](const T& x, const T& y) { return T(x - y); });
  }
  friend SecondOrder operator*(const SecondOrder& a, const SecondOrder& b) {
    SecondOrder c;
    c.v = a.v * b.v;
    for (int i = 0; i < N; ++i) c.d[i] = a.d[i] * b.v + a.v * b.d[i];
    for (int i = 0, k = 0; i < N; ++i) {
      for (int j = i; j < N; ++j, ++k) {
        c.h[k] = (a.h[k] * b.v + a.v * b.h[k]) + (a.d[i] * b.d[j] + a.d[j] * b.d[i]);
      }
    }
    return c;
  }
  friend SecondOrder operator/(const SecondOrder& a, const SecondOrder& b) {
    SecondOrder c;
    const T inverse = T(1.0) / b.v;
    c.v = a.v * inverse;
    for (int i = 0; i < N; ++i) c.d[i] = (a.d[i] - c.v * b.d[i]) * inverse;
    for (int i = 0, k = 0; i < N; ++i) {
      for (int j = i; j < N; ++j, ++k) {
        c.h[k] = (a.h[k] - c.v * b.h[k] - (c.d[i] * b.d[j] + c.d[j] * b.d[i])) * inverse;
      }
    }
    return c;
  }
  friend SecondOrder operator+(SecondOrder a, double b) {
    a.v = a.v + b;
    return a;
  }
  friend SecondOrder operator+(double a, const SecondOrder& b) { return b + a; }
  friend SecondOrder operator-(SecondOrder a, double b) {
    a.v = a.v - b;
    return a;
  }
  friend SecondOrder operator-(double a, const SecondOrder& b) { return -b + a; }
  friend SecondOrder operator*(const SecondOrder& a, double b) {
    return each(a, [b](const T& x) { return T(x * b); });
  }
  friend SecondOrder operator*(double a, const SecondOrder& b) { return b * a; }
  friend SecondOrder operator/(const SecondOrder& a, double b) {
    return each(a, [b](const T& x) { return T(x / b); });
  }

  friend auto operator<(const SecondOrder& a, const SecondOrder& b) { return a.v < b.v; }
  friend auto operator>(const SecondOrder& a, const SecondOrder& b) { return a.v > b.v; }
  friend auto operator<=(const SecondOrder& a, const SecondOrder& b) { return a.v <= b.v; }
  friend auto operator>=(const SecondOrder& a, const SecondOrder& b) { return a.v >= b.v; }
  friend auto operator==(const SecondOrder& a, const SecondOrder& b) { return a.v == b.v; }
  friend auto operator!=(const SecondOrder& a, const SecondOrder& b) { return a.v != b.v; }
  template <class Mask>
  friend SecondOrder select(const Mask& mask, const SecondOrder& a, const SecondOrder& b) {
    return each(a, b, [&](const T& x, const T& y) { return T(select(mask, x, y)); });
  }

  friend SecondOrder sqrt(const SecondOrder& a) {
    using std::sqrt;
    const T root = sqrt(a.v), slope = T(0.5) / root;
    return chain(root, slope, T(-0.5) * slope / a.v, a);
  }
  friend SecondOrder whole_power(const SecondOrder& a, int n) {
    if (n == 0) return SecondOrder(1.0);
    if (n == 1) return a;
    const T p = whole_power(a.v, n - 2);
    return chain(whole_power(a.v, n), p * a.v * static_cast<double>(n),
                 p * (static_cast<double>(n) * (n - 1)), a);
  }
  friend SecondOrder exp(const SecondOrder& a) {
    using std::exp;
    const T e = exp(a.v);
    return chain(e, e, e, a);
  }
  friend SecondOrder sin(const SecondOrder& a) {
    using std::cos;
    using std::sin;
    const T s = sin(a.v);
    return chain(s, cos(a.v), -s, a);
  }
  friend SecondOrder cos(const SecondOrder& a) {
    using std::cos;
    using std::sin;
    const T c = cos(a.v);
    return chain(c, -sin(a.v), -c, a);
  }
  // The rest by dual numbers in their own arguments, then the chain rule.
  friend SecondOrder pow(const SecondOrder& a, double e) {
    return compose(a, [e](const auto& x) { return pow(x, e); });
  }
  friend SecondOrder log(const SecondOrder& a) {
    return compose(a, [](const auto& x) { return log(x); });
  }
  friend SecondOrder tan(const SecondOrder& a) {
    return compose(a, [](const auto& x) { return tan(x); });
  }
  friend SecondOrder asin(const SecondOrder& a) {
    return compose(a, [](const auto& x) { return asin(x); });
  }
  friend SecondOrder acos(const SecondOrder& a) {
    return compose(a, [](const auto& x) { return acos(x); });
  }
  friend SecondOrder atan(const SecondOrder& a) {
    return compose(a, [](const auto& x) { return atan(x); });
  }
  friend SecondOrder sinh(const SecondOrder& a) {
    return compose(a, [](const auto& x) { return sinh(x); });
  }
  friend SecondOrder cosh(const SecondOrder& a) {
    return compose(a, [](const auto& x) { return cosh(x); });
  }
  friend SecondOrder tanh(const SecondOrder& a) {
    return compose(a, [](const auto& x) { return tanh(x); });
  }
  friend SecondOrder pow(const SecondOrder& a, const SecondOrder& b) {
    return compose(a, b, [](const auto& x, const auto& y) { return pow(x, y); });
  }
  friend SecondOrder atan2(const SecondOrder& y, const SecondOrder& x) {
    return compose(y, x, [](const auto& s, const auto& t) { return atan2(s, t); });
  }
  friend SecondOrder hypot(const SecondOrder& a, const SecondOrder& b) {
    return compose(a, b, [](const auto& x, const auto& y) { return hypot(x, y); });
  }
  // The value by the function itself, which for intervals says more than a choice.
  friend SecondOrder abs(const SecondOrder& a) {
    using std::abs;
    SecondOrder c = chosen(a.v < T(0.0), -a, a);
    c.v = abs(a.v);
    return c;
  }
  friend SecondOrder min(const SecondOrder& a, const SecondOrder& b) {
    using std::min;
    SecondOrder c = chosen(b.v < a.v, b, a);
    c.v = min(a.v, b.v);
    return c;
  }
  friend SecondOrder max(const SecondOrder& a, const SecondOrder& b) {
    using std::max;
    SecondOrder c = chosen(a.v < b.v, b, a);
    c.v = max(a.v, b.v);
    return c;
  }

 private:
  // Where intervals leave the choice open there may be a kink: nothing is known of the curvature.
  template <class Mask>
  static SecondOrder chosen(const Mask& mask, const SecondOrder& a, const SecondOrder& b) {
    SecondOrder c = select(mask, a, b);
    if constexpr (requires { mask.may_be&& mask.may_not_be; }) {
      if (mask.may_be && mask.may_not_be)
        for (int k = 0; k < kPairs; ++k) c.h[k] = T::everything();
    }
    return c;
  }
  template <class F>
  static SecondOrder each(const SecondOrder& a, F f) {
    SecondOrder c;
    c.v = f(a.v);
    for (int i = 0; i < N; ++i) c.d[i] = f(a.d[i]);
    for (int k = 0; k < kPairs; ++k) c.h[k] = f(a.h[k]);
    return c;
  }
  template <class F>
  static SecondOrder each(const SecondOrder& a, const SecondOrder& b, F f) {
    SecondOrder c;
    c.v = f(a.v, b.v);
    for (int i = 0; i < N; ++i) c.d[i] = f(a.d[i], b.d[i]);
    for (int k = 0; k < kPairs; ++k) c.h[k] = f(a.h[k], b.h[k]);
    return c;
  }
  // f(a) with f′ and f″ given.
  static SecondOrder chain(const T& value, const T& slope, const T& bend, const SecondOrder& a) {
    SecondOrder c;
    c.v = value;
    for (int i = 0; i < N; ++i) c.d[i] = slope * a.d[i];
    for (int i = 0, k = 0; i < N; ++i) {
      const T bent = bend * a.d[i];
      for (int j = i; j < N; ++j, ++k) c.h[k] = slope * a.h[k] + bent * a.d[j];
    }
    return c;
  }
  template <class F>
  static SecondOrder compose(const SecondOrder& a, F f) {
    using D = Dual<T, 1>;
    using DD = Dual<D, 1>;
    const DD y = f(DD::variable(D::variable(a.v, 0), 0));
    return chain(y.v.v, y.v.d[0], y.d[0].d[0], a);
  }
  template <class F>
  static SecondOrder compose(const SecondOrder& a, const SecondOrder& b, F f) {
    using D = Dual<T, 2>;
    using DD = Dual<D, 2>;
    const DD y = f(DD::variable(D::variable(a.v, 0), 0), DD::variable(D::variable(b.v, 1), 1));
    SecondOrder c;
    c.v = y.v.v;
    for (int i = 0; i < N; ++i) c.d[i] = y.v.d[0] * a.d[i] + y.v.d[1] * b.d[i];
    for (int i = 0, k = 0; i < N; ++i) {
      for (int j = i; j < N; ++j, ++k) {
        c.h[k] = y.v.d[0] * a.h[k] + y.v.d[1] * b.h[k] + y.d[0].d[0] * a.d[i] * a.d[j] +
                 y.d[1].d[1] * b.d[i] * b.d[j] + y.d[0].d[1] * (a.d[i] * b.d[j] + a.d[j] * b.d[i]);
      }
    }
    return c;
  }
};

template <class T, int N>
double primal(const SecondOrder<T, N>& x) {
  return primal(x.v);
}

}  // namespace oloid::base
