// A point of a parametric surface with its partial derivatives, exact to the stated order.
#pragma once

#include <array>

#include "oloid/base/linalg.h"
#include "oloid/base/scalar.h"

namespace oloid::geometry {

template <class S>
using Uv = Vec2<S>;

// Where d(i, j) of a jet is kept: order by order, u-derivatives first.
constexpr int jet_index(int i, int j) { return (i + j) * (i + j + 1) / 2 + j; }
constexpr int jet_size(int order) { return (order + 1) * (order + 2) / 2; }

// d(i, j) = ∂^(i+j) x / ∂u^i ∂v^j, in the surface's own frame. [m]
template <class S, int Order>
struct Jet {
  std::array<Vec3<S>, static_cast<std::size_t>(jet_size(Order))> terms;

  Vec3<S>& d(int i, int j) { return terms[static_cast<std::size_t>(jet_index(i, j))]; }
  const Vec3<S>& d(int i, int j) const { return terms[static_cast<std::size_t>(jet_index(i, j))]; }
};

// Highest order that the motion needs is 2; order 3 serves linearisation and the parameter-rate
// form.
inline constexpr int kMaxJetOrder = 3;

template <class F, class S = double>
concept ParametricSurface = requires(const F& f, int chart, Uv<S> q) {
  { f.template jet<2>(chart, q) } -> std::same_as<Jet<S, 2>>;
};

// A surface given by f = 0, f > 0 outside: value, gradient and Hessian at a point.
template <class S>
struct ImplicitJet {
  S f;
  Vec3<S> gradient;
  Mat3<S> hessian;
};

template <class F, class S = double>
concept ImplicitSurface = requires(const F& f, Vec3<S> p) {
  { f.implicit_jet(p) } -> std::same_as<ImplicitJet<S>>;
};

}  // namespace oloid::geometry
