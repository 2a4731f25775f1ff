// Volume, centre and inertia of what surfaces of revolution enclose: integrals over the profile.
#include <fmt/format.h>

#include <Eigen/LU>
#include <numbers>
#include <string>

#include "oloid/geometry/revolution/profile.h"
#include "oloid/geometry/revolution/surface_of_revolution.h"
#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

constexpr int kNodes = 40;  // exact for ρ²ζ²ζ' of polynomial profiles of degree 15

// ∫ of 1, z, x² and z² over the body, divided by π; z above a given height. The fifth to eighth
// entries are those of the integrands' sizes.
using Moments = Vec<double, 8>;
Moments moments(const BezierCurve<2>& curve, double height, double from, double to) {
  static const GaussRule gauss = gauss_legendre(kNodes);
  Moments sum = Moments::Zero();
  for (std::size_t i = 0; i < kNodes; ++i) {
    const double t = from + (to - from) * gauss.points[i];
    const auto c = curve_jet<1>(curve, t);
    const double rr = c[0](0) * c[0](0), z = c[0](1) - height;
    const double disc = (to - from) * gauss.weights[i] * rr * c[1](1);
    const Vec<double, 4> terms = disc * Vec<double, 4>(1, z, 0.25 * rr, z * z);
    sum += (Moments() << terms, terms.cwiseAbs()).finished();
  }
  return sum;
}

// Halves the interval until that changes nothing, of itself or of the whole body: a flat end, which
// adds nothing, is all round-off.
Moments converged_moments(const BezierCurve<2>& curve, double height, double from, double to,
                          const Moments& whole, const Moments& body, int depth = 0) {
  constexpr int kDeepest = 20;
  constexpr double kConverged = 1e-15, kNothing = 1e-17;
  const double middle = 0.5 * (from + to);
  const Moments a = moments(curve, height, from, middle), b = moments(curve, height, middle, to);
  const Vec<double, 4> change = (a + b - whole).head<4>().cwiseAbs();
  const bool done = (change.array() <= kConverged * (a + b).tail<4>().array() ||
                     change.array() <= kNothing * body.tail<4>().array())
                        .all();
  // What is left is round-off, or the depth says that it is.
  if (done || depth == kDeepest ||
      (depth > 3 && change.maxCoeff() <= 16 * kConverged * (a + b).tail<4>().maxCoeff())) {
    return a + b;
  }
  return converged_moments(curve, height, from, middle, a, body, depth + 1) +
         converged_moments(curve, height, middle, to, b, body, depth + 1);
}

}  // namespace

// By the discs of the body: ∫ dV = ∫ π ρ² dζ, ∫ z dV = ∫ π ρ² ζ dζ, ∫ x² dV = ∫ π/4 ρ⁴ dζ, ...
Result<Solid> SurfaceOfRevolution::solid() const {
  const auto open = [&](const Border& border, const char* end, const Vec2<double>& at) {
    return border.beyond == Beyond::nothing
               ? fmt::format("the surface is open at the {} of its profile, {}", end,
                             profiles::text(at))
               : std::string();
  };
  for (const std::string& message : {open(bands_.front().low, "start", span(0).start()),
                                     open(bands_.back().high, "end", span(spans() - 1).end())}) {
    if (!message.empty()) {
      return refuse(message, "extend the profile to the axis, or specify mass and inertia instead");
    }
  }
  std::vector<BezierCurve<2>> profile;
  for (const Band& band : bands_) profile.push_back(band.curve);
  const profiles::Size size = profiles::size_of(profile);
  const double height = 0.5 * (size.bottom + size.top);
  Moments body = Moments::Zero(), sum = Moments::Zero();
  for (const auto& curve : profile) body += moments(curve, height, 0, 1);
  for (const auto& curve : profile)
    sum += converged_moments(curve, height, 0, 1, moments(curve, height, 0, 1), body);
  sum *= sense_ * std::numbers::pi;
  const double volume = sum(0);
  if (!(volume > 0)) {
    return refuse(
        fmt::format("the surface is inside out: its normals point into the {:g} m3 it encloses",
                    -volume * placement_.M.determinant()),
        fmt::format("reverse the profile or set cavity to {}; or specify mass and inertia instead",
                    !cavity()));
  }
  // Second moments about the centre, then through the affine map.
  const double above = sum(1) / volume;
  const Vec3<double> centre(0, 0, height + above);
  const Vec3<double> P(sum(2), sum(2), sum(3) - volume * above * above);
  const Mat3<double>& M = placement_.M;
  const double det = M.determinant();
  const Mat3<double> P_placed = det * (M * P.asDiagonal() * M.transpose());
  return Solid{det * volume, placement_.O + M * centre,
               P_placed.trace() * Mat3<double>::Identity() - P_placed};
}

}  // namespace oloid::geometry
