// Several doubles computed at once. For packs that fill a register of the machine the instruction
// set is part of the type (the ABI tag of std::experimental::simd), so units compiled for different
// machines share no symbol; wider packs have a tag without it and belong in one unit only.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "oloid/base/linalg.h"
#include "oloid/base/scalar.h"

#if __has_include(<experimental/simd>) && !defined(OLOID_PORTABLE_PACK)
#include <experimental/simd>
#define OLOID_HAS_SIMD 1
#else
#define OLOID_HAS_SIMD 0
#endif

namespace oloid::base {

// Plain arrays with the few members of std::experimental::simd that BasicPack needs.
template <int N>
struct PortableLanes {
  using value_type = double;  // NOLINT(readability-identifier-naming): as std::experimental::simd
  struct mask_type {          // NOLINT(readability-identifier-naming)
    std::array<bool, N> lane;
    bool operator[](std::size_t i) const { return lane[i]; }
  };
  std::array<double, N> lane;

  PortableLanes() = default;
  PortableLanes(double x) { lane.fill(x); }
  static constexpr std::size_t size() { return N; }
  double operator[](std::size_t i) const { return lane[i]; }

  template <class F>
  static PortableLanes map(F f) {
    PortableLanes r;
    for (std::size_t i = 0; i < N; ++i) r.lane[i] = f(i);
    return r;
  }
  template <class F>
  static mask_type test(F f) {
    mask_type m;
    for (std::size_t i = 0; i < N; ++i) m.lane[i] = f(i);
    return m;
  }
  using P = PortableLanes;
  friend P operator-(const P& a) {
    return map([&](std::size_t i) { return -a[i]; });
  }
  friend P operator+(const P& a, const P& b) {
    return map([&](auto i) { return a[i] + b[i]; });
  }
  friend P operator-(const P& a, const P& b) {
    return map([&](auto i) { return a[i] - b[i]; });
  }
  friend P operator*(const P& a, const P& b) {
    return map([&](auto i) { return a[i] * b[i]; });
  }
  friend P operator/(const P& a, const P& b) {
    return map([&](auto i) { return a[i] / b[i]; });
  }
  friend mask_type operator<(const P& a, const P& b) {
    return test([&](auto i) { return a[i] < b[i]; });
  }
  friend mask_type operator>(const P& a, const P& b) {
    return test([&](auto i) { return a[i] > b[i]; });
  }
  friend mask_type operator<=(const P& a, const P& b) {
    return test([&](auto i) { return a[i] <= b[i]; });
  }
  friend mask_type operator>=(const P& a, const P& b) {
    return test([&](auto i) { return a[i] >= b[i]; });
  }
  friend mask_type operator==(const P& a, const P& b) {
    return test([&](auto i) { return a[i] == b[i]; });
  }
  friend P sqrt(const P& a) {
    return map([&](auto i) { return std::sqrt(a[i]); });
  }
  friend P choose(const mask_type& m, const P& a, const P& b) {
    return map([&](auto i) { return m[i] ? a[i] : b[i]; });
  }
  template <class F>
  static P generate(F f) {
    return map(f);
  }
};

// Lanes is what holds the doubles: a simd type or PortableLanes.
template <class Lanes>
struct BasicPack {
  using Mask = typename Lanes::mask_type;
  Lanes lanes;

  BasicPack() = default;
  BasicPack(double x) : lanes(x) {}
  BasicPack(int x) : lanes(static_cast<double>(x)) {}
  explicit BasicPack(const Lanes& l) : lanes(l) {}

  static constexpr int size() { return static_cast<int>(Lanes::size()); }
  double operator[](int i) const { return lanes[static_cast<std::size_t>(i)]; }

  template <class F>  // f(i) gives lane i
  static BasicPack generate(F f) {
    if constexpr (requires { Lanes::generate(f); }) {
      return BasicPack(Lanes::generate(f));
    } else {
      return BasicPack(Lanes([&](auto i) { return f(static_cast<std::size_t>(i)); }));
    }
  }

  BasicPack& operator+=(const BasicPack& b) { return *this = *this + b; }
  BasicPack& operator-=(const BasicPack& b) { return *this = *this - b; }
  BasicPack& operator*=(const BasicPack& b) { return *this = *this * b; }
  BasicPack& operator/=(const BasicPack& b) { return *this = *this / b; }
  friend BasicPack operator-(const BasicPack& a) { return BasicPack(-a.lanes); }
  friend BasicPack operator+(const BasicPack& a, const BasicPack& b) {
    return BasicPack(a.lanes + b.lanes);
  }
  friend BasicPack operator-(const BasicPack& a, const BasicPack& b) {
    return BasicPack(a.lanes - b.lanes);
  }
  friend BasicPack operator*(const BasicPack& a, const BasicPack& b) {
    return BasicPack(a.lanes * b.lanes);
  }
  friend BasicPack operator/(const BasicPack& a, const BasicPack& b) {
    return BasicPack(a.lanes / b.lanes);
  }
  friend Mask operator<(const BasicPack& a, const BasicPack& b) { return a.lanes < b.lanes; }
  friend Mask operator>(const BasicPack& a, const BasicPack& b) { return a.lanes > b.lanes; }
  friend Mask operator<=(const BasicPack& a, const BasicPack& b) { return a.lanes <= b.lanes; }
  friend Mask operator>=(const BasicPack& a, const BasicPack& b) { return a.lanes >= b.lanes; }
  friend Mask operator==(const BasicPack& a, const BasicPack& b) { return a.lanes == b.lanes; }

  friend BasicPack sqrt(const BasicPack& a) { return BasicPack(sqrt(a.lanes)); }
  friend BasicPack sin(const BasicPack& a) {
    return generate([&](std::size_t i) { return std::sin(a.lanes[i]); });
  }
  friend BasicPack cos(const BasicPack& a) {
    return generate([&](std::size_t i) { return std::cos(a.lanes[i]); });
  }
  friend BasicPack pow(const BasicPack& a, double e) {
    return generate([&](std::size_t i) { return std::pow(static_cast<double>(a.lanes[i]), e); });
  }
  friend BasicPack pow(const BasicPack& a, const BasicPack& b) {
    return map(a, b, [](double x, double y) { return std::pow(x, y); });
  }
  friend BasicPack exp(const BasicPack& a) {
    return map(a, [](double x) { return std::exp(x); });
  }
  friend BasicPack log(const BasicPack& a) {
    return map(a, [](double x) { return std::log(x); });
  }
  friend BasicPack tan(const BasicPack& a) {
    return map(a, [](double x) { return std::tan(x); });
  }
  friend BasicPack asin(const BasicPack& a) {
    return map(a, [](double x) { return std::asin(x); });
  }
  friend BasicPack acos(const BasicPack& a) {
    return map(a, [](double x) { return std::acos(x); });
  }
  friend BasicPack atan(const BasicPack& a) {
    return map(a, [](double x) { return std::atan(x); });
  }
  friend BasicPack sinh(const BasicPack& a) {
    return map(a, [](double x) { return std::sinh(x); });
  }
  friend BasicPack cosh(const BasicPack& a) {
    return map(a, [](double x) { return std::cosh(x); });
  }
  friend BasicPack tanh(const BasicPack& a) {
    return map(a, [](double x) { return std::tanh(x); });
  }
  friend BasicPack abs(const BasicPack& a) {
    return map(a, [](double x) { return std::abs(x); });
  }
  friend BasicPack atan2(const BasicPack& y, const BasicPack& x) {
    return map(y, x, [](double v, double u) { return std::atan2(v, u); });
  }
  friend BasicPack hypot(const BasicPack& a, const BasicPack& b) {
    return map(a, b, [](double x, double y) { return std::hypot(x, y); });
  }
  friend BasicPack min(const BasicPack& a, const BasicPack& b) { return select(b < a, b, a); }
  friend BasicPack max(const BasicPack& a, const BasicPack& b) { return select(a < b, b, a); }
  friend BasicPack select(const Mask& m, const BasicPack& a, const BasicPack& b) {
    if constexpr (requires { choose(m, a.lanes, b.lanes); }) {
      return BasicPack(choose(m, a.lanes, b.lanes));
    } else {
      Lanes r = b.lanes;
      where(m, r) = a.lanes;
      return BasicPack(r);
    }
  }

 private:
  template <class F>
  static BasicPack map(const BasicPack& a, F f) {
    return generate([&](std::size_t i) { return f(a.lanes[i]); });
  }
  template <class F>
  static BasicPack map(const BasicPack& a, const BasicPack& b, F f) {
    return generate([&](std::size_t i) { return f(a.lanes[i], b.lanes[i]); });
  }
};

template <class Lanes>
double primal(const BasicPack<Lanes>& x) {
  return x[0];
}

template <int N>
using PortablePack = BasicPack<PortableLanes<N>>;

#if OLOID_HAS_SIMD
template <int N>
using Pack = BasicPack<std::experimental::simd<
    double, std::experimental::simd_abi::deduce_t<double, static_cast<std::size_t>(N)>>>;
#else
template <int N>
using Pack = PortablePack<N>;
#endif

}  // namespace oloid::base

template <class Lanes>
struct Eigen::NumTraits<oloid::base::BasicPack<Lanes>> : Eigen::NumTraits<double> {
  using Real = oloid::base::BasicPack<Lanes>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {  // NOLINTBEGIN(readability-identifier-naming): as Eigen calls them
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };  // NOLINTEND(readability-identifier-naming)
};

// Packs bring the alignment of their lanes; Eigen would ask for that of one machine register, which
// is less for wide packs and then an error (clang).
template <class Lanes, int Size>
struct Eigen::internal::compute_default_alignment<oloid::base::BasicPack<Lanes>, Size> {
  enum { value = 0 };
};
