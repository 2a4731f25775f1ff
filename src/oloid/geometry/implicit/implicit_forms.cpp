#include "oloid/geometry/implicit/implicit_forms.h"

#include <cmath>

#include "oloid/base/interval_linalg.h"

namespace oloid::geometry {
namespace {

// |x|^e with the sign of x, e > 0.
double signed_power(double x, double e) { return std::copysign(std::pow(std::abs(x), e), x); }
Interval signed_power(const Interval& x, double e) {
  return {base::detail::round_down(signed_power(x.low, e), base::detail::kLibraryUlps),
          base::detail::round_up(signed_power(x.high, e), base::detail::kLibraryUlps)};
}
// |x|^e, 1 for e = 0.
double even_power(double x, double e) { return std::pow(std::abs(x), e); }
Interval even_power(const Interval& x, double e) { return pow(abs(x), e); }
// x / y where |x| ≤ |y|.
double part(double x, double y) { return y > 0 ? x / y : 0; }
Interval part(const Interval& x, const Interval& y) { return both(x / y, {-1, 1}); }

// With X = x / a, Y = y / b, Z = z / c, σ = (|X|^p + |Y|^p)^(1/p), X̂ = X / σ, Ŷ = Y / σ, which lie
// between −1 and 1, and x^(e) for |x|^e with the sign of x:
//   F    = σ^q + |Z|^q
//   F_X  = q σ^(q−1) X̂^(p−1),                                     F_Z  = q Z^(q−1)
//   F_XX = q σ^(q−2) ((p − 1) |X̂|^(p−2) + (q − p) |X̂|^(2p−2)),    F_ZZ = q (q − 1) |Z|^(q−2)
//   F_XY = q (q − p) σ^(q−2) X̂^(p−1) Ŷ^(p−1)
template <class S>
ImplicitJet<S> superellipsoid_jet(const Superellipsoid& surface, const std::array<S, 3>& x) {
  const double p = surface.p(), q = surface.q(), sign = surface.cavity() ? -1 : 1;
  const auto scaled = [&](int i) {
    return S(x[static_cast<std::size_t>(i)] / S(surface.semi_axes()(i)));
  };
  const S X = scaled(0), Y = scaled(1), Z = scaled(2);
  const S sigma = even_power(S(even_power(X, p) + even_power(Y, p)), 1 / p);
  const S u = part(X, sigma), v = part(Y, sigma);
  const S bend = S(q) * even_power(sigma, q - 2);
  const auto along = [&](const S& w) {
    return S(bend * (S(p - 1) * even_power(w, p - 2) + S(q - p) * even_power(w, 2 * p - 2)));
  };
  const S slope = S(q) * even_power(sigma, q - 1);
  const S u1 = signed_power(u, p - 1), v1 = signed_power(v, p - 1);
  ImplicitJet<S> at;
  at.f = S(sign) * (even_power(sigma, q) + even_power(Z, q) - S(1.0));
  at.gradient << slope * u1, slope * v1, S(q) * signed_power(Z, q - 1);
  const S mixed = S(q - p) * bend * u1 * v1, none(0.0);
  at.hessian << along(u), mixed, none, mixed, along(v), none, none, none,
      S(q * (q - 1)) * even_power(Z, q - 2);
  for (int i = 0; i < 3; ++i) {
    const S a(sign / surface.semi_axes()(i));
    at.gradient(i) = a * at.gradient(i);
    for (int j = 0; j < 3; ++j) at.hessian(i, j) = a * at.hessian(i, j) / S(surface.semi_axes()(j));
  }
  return at;
}

// A function with bounds from a jet that is the same text for numbers and intervals.
template <class Jet>
class Hook final : public ImplicitHook {
 public:
  explicit Hook(Jet jet) : jet_(std::move(jet)) {}
  ImplicitJet<double> jet(const Vec3<double>& p) const override {
    return jet_(std::array<double, 3>{p(0), p(1), p(2)});
  }
  bool is_bounded() const override { return true; }
  FieldBounds bounds(const Box& box) const override {
    const ImplicitJet<Interval> at = jet_(intervals(box));
    const auto& g = at.gradient;
    return {at.f, {g(0), g(1), g(2)}, hypot(hypot(g(0), g(1)), g(2)).high};
  }
  IntervalMatrix hessian_bounds(const Box& box) const override {
    const ImplicitJet<Interval> at = jet_(intervals(box));
    IntervalMatrix H;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        H[i][j] = at.hessian(static_cast<int>(i), static_cast<int>(j));
    return H;
  }

 private:
  Jet jet_;
};
template <class Jet>
ImplicitField field_of(Jet jet) {
  return ImplicitFunction(std::make_shared<Hook<Jet>>(std::move(jet)));
}

}  // namespace

ImplicitField implicit_form(const Superellipsoid& surface) {
  return field_of(
      [surface]<class S>(const std::array<S, 3>& x) { return superellipsoid_jet<S>(surface, x); });
}

ImplicitField implicit_form(const Quadric& surface) {
  return field_of([surface]<class S>(const std::array<S, 3>& x) {
    return surface.implicit_jet(Vec3<S>(x[0], x[1], x[2]));
  });
}

}  // namespace oloid::geometry
