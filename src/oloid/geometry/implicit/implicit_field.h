// Functions f of space whose zero is the surface of a body, f ≤ 0: formulas, metaballs, and what a
// program brings along.
//
// Each gives value and jet for any scalar, and rigorous bounds of f and its derivatives over a box,
// or everything where nothing is known.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "oloid/base/dual.h"
#include "oloid/base/interval.h"
#include "oloid/base/result.h"
#include "oloid/base/second_order.h"
#include "oloid/formula/expression.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

using IntervalVector = std::array<Interval, 3>;
using IntervalMatrix = std::array<std::array<Interval, 3>, 3>;

inline IntervalVector intervals(const Box& box) {
  return {Interval(box.low(0), box.high(0)), Interval(box.low(1), box.high(1)),
          Interval(box.low(2), box.high(2))};
}

struct FieldBounds {  // over a box
  Interval f = Interval::everything();
  IntervalVector gradient{Interval::everything(), Interval::everything(), Interval::everything()};
  double slope = std::numeric_limits<double>::infinity();  // |∇f| is at most this
};

namespace detail {

// Value, gradient and Hessian of a function f(x, y, z) of any scalar.
template <class S, class F>
ImplicitJet<S> jet_of(const F& f, const std::array<S, 3>& p) {
  using D = SecondOrder<S, 3>;
  const D y = f(D::variable(p[0], 0), D::variable(p[1], 1), D::variable(p[2], 2));
  ImplicitJet<S> at;
  at.f = y.v;
  for (int i = 0; i < 3; ++i) {
    at.gradient(i) = y.d[i];
    for (int j = 0; j < 3; ++j) at.hessian(i, j) = y.hessian(i, j);
  }
  return at;
}

template <class F>
FieldBounds bounds_of(const F& f, const Box& box) {
  using D = Dual<Interval, 3>;
  const IntervalVector p = intervals(box);
  const D y = f(D::variable(p[0], 0), D::variable(p[1], 1), D::variable(p[2], 2));
  const Interval slope = hypot(hypot(y.d[0], y.d[1]), y.d[2]);
  return {y.v, {y.d[0], y.d[1], y.d[2]}, slope.high};
}

template <class F>
IntervalMatrix hessian_bounds_of(const F& f, const Box& box) {
  using D = SecondOrder<Interval, 3>;
  const IntervalVector p = intervals(box);
  const D y = f(D::variable(p[0], 0), D::variable(p[1], 1), D::variable(p[2], 2));
  IntervalMatrix H;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      H[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = y.hessian(i, j);
  return H;
}

}  // namespace detail

// A formula in x, y and z.
class ImplicitExpression {
 public:
  // Refused: what is no formula, and one without any of x, y, z.
  static Result<ImplicitExpression> make(std::string_view formula);

  const Expression& expression() const { return expression_; }

  template <class S>
  S value(const Vec3<S>& p) const {
    return expression_(std::array<S, 3>{p(0), p(1), p(2)});
  }
  template <class S>
  ImplicitJet<S> implicit_jet(const Vec3<S>& p) const {
    return detail::jet_of<S>(
        [this]<class D>(const D& x, const D& y, const D& z) {
          return expression_(std::array<D, 3>{x, y, z});
        },
        {p(0), p(1), p(2)});
  }
  bool is_bounded() const { return true; }
  FieldBounds bounds(const Box& box) const;
  IntervalMatrix hessian_bounds(const Box& box) const;

 private:
  explicit ImplicitExpression(Expression expression) : expression_(std::move(expression)) {}
  Expression expression_;
};

// A sum of bumps, f = threshold − Σ w g(s), s = |p − c|² / r², for bodies that melt into each
// other.
//   compact:  g = (1 − s)⁴ for s < 1, else 0    three times differentiable; none beyond r
//   rational: g = 1 / (1 + s)²                  smooth; felt everywhere
class Metaballs {
 public:
  enum class Kernel { compact, rational };
  struct Ball {
    Vec3<double> centre;  // [m]
    double radius;        // [m]
    double weight = 1;    // negative: a dent
  };
  static Result<Metaballs> make(std::vector<Ball> balls, double threshold,
                                Kernel kernel = Kernel::compact);

  std::span<const Ball> balls() const { return balls_; }
  Box box() const { return box_; }  // contains the body, and has f > 0 on its border

  template <class S>
  S value(const Vec3<S>& p) const {
    return sum(p(0), p(1), p(2));
  }
  template <class S>
  ImplicitJet<S> implicit_jet(const Vec3<S>& p) const;
  bool is_bounded() const { return true; }
  FieldBounds bounds(const Box& box) const;
  IntervalMatrix hessian_bounds(const Box& box) const;

 private:
  Metaballs() = default;
  // (1 − s)⁺ or 1 / (1 + s), of which bumps are powers.
  template <class S>
  S base(const S& s) const {
    using std::max;
    return kernel_ == Kernel::compact ? S(max(S(1.0 - s), S(0.0))) : S(1.0 / (s + 1.0));
  }
  template <class S>
  S sum(const S& x, const S& y, const S& z) const {
    S f(threshold_);
    for (const Ball& ball : balls_) {
      const S s = (whole_power(S(x - ball.centre(0)), 2) + whole_power(S(y - ball.centre(1)), 2) +
                   whole_power(S(z - ball.centre(2)), 2)) /
                  (ball.radius * ball.radius);
      f = f - ball.weight * whole_power(base(s), kernel_ == Kernel::compact ? 4 : 2);
    }
    return f;
  }

  std::vector<Ball> balls_;
  double threshold_ = 0;
  Kernel kernel_ = Kernel::compact;
  Box box_;
};

// With d = p − c:  ∇f = −Σ w g′ 2 d / r²,  ∇²f = −Σ w (g″ 4 d dᵀ / r⁴ + g′ 2 / r²).
template <class S>
ImplicitJet<S> Metaballs::implicit_jet(const Vec3<S>& p) const {
  const bool compact = kernel_ == Kernel::compact;
  S f(threshold_), diagonal(0.0);
  Vec3<S> gradient = Vec3<S>::Constant(S(0.0));
  Mat3<S> hessian = Mat3<S>::Constant(S(0.0));
  for (const Ball& ball : balls_) {
    const double scale = 1 / (ball.radius * ball.radius);
    const Vec3<S> d = p - ball.centre.template cast<S>();
    const S s = d.squaredNorm() * S(scale), q = base(s), qq = q * q;
    // compact: g = q⁴, g′ = −4 q³, g″ = 12 q²; rational: g = q², g′ = −2 q³, g″ = 6 q⁴
    const S g = compact ? S(qq * qq) : qq;
    const S slope = q * qq * S((compact ? -4 : -2) * ball.weight * 2 * scale);
    const S bend =
        (compact ? S(qq * S(12.0)) : S(qq * qq * S(6.0))) * S(ball.weight * 4 * scale * scale);
    f = f - g * S(ball.weight);
    gradient = gradient - slope * d;
    hessian = hessian - (bend * d) * d.transpose();
    diagonal = diagonal - slope;
  }
  for (int i = 0; i < 3; ++i) hessian(i, i) = hessian(i, i) + diagonal;
  return {f, gradient, hessian};
}

// What a program brings along: derive from it, or let ImplicitFunction::make do so.
class ImplicitHook {
 public:
  virtual ~ImplicitHook() = default;
  virtual ImplicitJet<double> jet(const Vec3<double>& p) const = 0;
  virtual double value(const Vec3<double>& p) const { return jet(p).f; }
  // Third derivatives: how the Hessian changes along a direction.
  virtual Mat3<double> hessian_rate(const Vec3<double>& /*p*/,
                                    const Vec3<double>& /*direction*/) const {
    return Mat3<double>::Zero();
  }
  // Bounds over boxes; without them nothing about the surface is certified.
  virtual bool is_bounded() const { return false; }
  virtual FieldBounds bounds(const Box&) const { return {}; }
  virtual IntervalMatrix hessian_bounds(const Box&) const {
    const Interval all = Interval::everything();
    return {{{all, all, all}, {all, all, all}, {all, all, all}}};
  }
};

// A function with value, gradient and Hessian in double. Dual numbers see its Taylor expansion:
// first derivatives of value and gradient are exact, those of the Hessian too if the hook has third
// derivatives, else they are 0. Packs are evaluated lane by lane.
class ImplicitFunction {
 public:
  explicit ImplicitFunction(std::shared_ptr<const ImplicitHook> hook) : hook_(std::move(hook)) {}

  // From three functions. With the largest |∇f| that occurs anywhere near the body, if known,
  // distances have a lower bound.
  static ImplicitFunction make(std::function<double(const Vec3<double>&)> value,
                               std::function<Vec3<double>(const Vec3<double>&)> gradient,
                               std::function<Mat3<double>(const Vec3<double>&)> hessian,
                               std::optional<double> largest_slope = std::nullopt);
  // From one function f(x, y, z) of any scalar, such as
  //   [](auto x, auto y, auto z) { using std::sin; return x * x + y * y + sin(z) - 1.0; }
  // differentiate: the scalar is double or a SecondOrder; with_bounds: also an Interval or made of
  // them, so that it must not branch on a comparison.
  template <class F>
  static ImplicitFunction differentiate(F f);
  template <class F>
  static ImplicitFunction with_bounds(F f);

  template <class S>
  S value(const Vec3<S>& p) const;
  template <class S>
  ImplicitJet<S> implicit_jet(const Vec3<S>& p) const;
  bool is_bounded() const { return hook_->is_bounded(); }
  FieldBounds bounds(const Box& box) const { return hook_->bounds(box); }
  IntervalMatrix hessian_bounds(const Box& box) const { return hook_->hessian_bounds(box); }

 private:
  std::shared_ptr<const ImplicitHook> hook_;
};

namespace detail {

template <class S>
struct DualParts : std::false_type {};
template <class T, int N>
struct DualParts<Dual<T, N>> : std::true_type {
  using Value = T;
  static constexpr int kSize = N;
};

template <class F>
class DifferentiatedHook : public ImplicitHook {
 public:
  explicit DifferentiatedHook(F f) : f_(std::move(f)) {}
  ImplicitJet<double> jet(const Vec3<double>& p) const override {
    return jet_of<double>(f_, {p(0), p(1), p(2)});
  }
  double value(const Vec3<double>& p) const override { return f_(p(0), p(1), p(2)); }
  Mat3<double> hessian_rate(const Vec3<double>& p, const Vec3<double>& direction) const override {
    using D = Dual<double, 1>;
    std::array<D, 3> x;
    for (int i = 0; i < 3; ++i) {
      x[static_cast<std::size_t>(i)].v = p(i);
      x[static_cast<std::size_t>(i)].d[0] = direction(i);
    }
    const Mat3<D> hessian = jet_of<D>(f_, x).hessian;
    return Mat3<double>::NullaryExpr([&](auto i, auto j) { return hessian(i, j).d[0]; });
  }

 protected:
  F f_;
};

template <class F>
class BoundedHook final : public DifferentiatedHook<F> {
 public:
  using DifferentiatedHook<F>::DifferentiatedHook;
  bool is_bounded() const override { return true; }
  FieldBounds bounds(const Box& box) const override { return bounds_of(this->f_, box); }
  IntervalMatrix hessian_bounds(const Box& box) const override {
    return hessian_bounds_of(this->f_, box);
  }
};

}  // namespace detail

template <class F>
ImplicitFunction ImplicitFunction::differentiate(F f) {
  return ImplicitFunction(std::make_shared<detail::DifferentiatedHook<F>>(std::move(f)));
}
template <class F>
ImplicitFunction ImplicitFunction::with_bounds(F f) {
  return ImplicitFunction(std::make_shared<detail::BoundedHook<F>>(std::move(f)));
}

template <class S>
S ImplicitFunction::value(const Vec3<S>& p) const {
  if constexpr (std::is_same_v<S, double>) {
    return hook_->value(p);
  } else {
    return implicit_jet(p).f;
  }
}

template <class S>
ImplicitJet<S> ImplicitFunction::implicit_jet(const Vec3<S>& p) const {
  if constexpr (std::is_same_v<S, double>) {
    return hook_->jet(p);
  } else if constexpr (detail::DualParts<S>::value) {
    using T = typename detail::DualParts<S>::Value;
    constexpr int n = detail::DualParts<S>::kSize;
    Vec3<T> here;
    for (int i = 0; i < 3; ++i) here(i) = p(i).v;
    const ImplicitJet<T> j = implicit_jet(here);
    ImplicitJet<S> at;
    at.f.v = j.f;
    for (int i = 0; i < 3; ++i) {
      at.gradient(i).v = j.gradient(i);
      for (int k = 0; k < 3; ++k) at.hessian(i, k).v = j.hessian(i, k);
    }
    for (int l = 0; l < n; ++l) {
      const Vec3<T> along(p(0).d[l], p(1).d[l], p(2).d[l]);
      at.f.d[l] = j.gradient.dot(along);
      const Vec3<T> turning = j.hessian * along;
      for (int i = 0; i < 3; ++i) at.gradient(i).d[l] = turning(i);
      if constexpr (std::is_same_v<T, double>) {
        const Mat3<double> rate = hook_->hessian_rate(here, along);
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) at.hessian(i, k).d[l] = rate(i, k);
      }
    }
    return at;
  } else {
    std::array<ImplicitJet<double>, static_cast<std::size_t>(S::size())> lanes;
    for (int l = 0; l < S::size(); ++l) {
      lanes[static_cast<std::size_t>(l)] = hook_->jet({p(0)[l], p(1)[l], p(2)[l]});
    }
    ImplicitJet<S> at;
    at.f = S::generate([&](std::size_t l) { return lanes[l].f; });
    for (int i = 0; i < 3; ++i) {
      at.gradient(i) = S::generate([&](std::size_t l) { return lanes[l].gradient(i); });
      for (int k = 0; k < 3; ++k)
        at.hessian(i, k) = S::generate([&](std::size_t l) { return lanes[l].hessian(i, k); });
    }
    return at;
  }
}

// Any of them, held by value.
class ImplicitField {
 public:
  using Kinds = std::variant<ImplicitExpression, Metaballs, ImplicitFunction>;
  ImplicitField(ImplicitExpression f) : field_(std::move(f)) {}
  ImplicitField(Metaballs f) : field_(std::move(f)) {}
  ImplicitField(ImplicitFunction f) : field_(std::move(f)) {}

  const Kinds& kind() const { return field_; }

  template <class S>
  S value(const Vec3<S>& p) const {
    return std::visit([&](const auto& f) { return f.value(p); }, field_);
  }
  template <class S>
  ImplicitJet<S> implicit_jet(const Vec3<S>& p) const {
    return std::visit([&](const auto& f) { return f.implicit_jet(p); }, field_);
  }
  // Whether bounds() says anything.
  bool is_bounded() const {
    return std::visit([](const auto& f) { return f.is_bounded(); }, field_);
  }
  FieldBounds bounds(const Box& box) const {
    return std::visit([&](const auto& f) { return f.bounds(box); }, field_);
  }
  IntervalMatrix hessian_bounds(const Box& box) const {
    return std::visit([&](const auto& f) { return f.hessian_bounds(box); }, field_);
  }

 private:
  Kinds field_;
};

}  // namespace oloid::geometry
