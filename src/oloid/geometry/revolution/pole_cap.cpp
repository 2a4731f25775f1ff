#include "oloid/geometry/revolution/pole_cap.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "oloid/geometry/revolution/profile.h"

namespace oloid::geometry {
namespace {

using namespace profiles;

// The same polynomial one degree higher.
Coefficients raised(const Coefficients& b) {
  const std::size_t n = b.size();
  Coefficients c(n + 1, 0.0);
  for (std::size_t i = 0; i <= n; ++i) {
    const double a = static_cast<double>(i) / static_cast<double>(n);
    if (i > 0) c[i] += a * b[i - 1];
    if (i < n) c[i] += (1 - a) * b[i];
  }
  return c;
}

}  // namespace

std::optional<PoleCap> PoleCap::make(const BezierCurve<2>& span, bool mirrored) {
  constexpr double kRimSlope = 1.7320508075688772, kReachSlope = 3.7320508075688772;  // 60°, 75°
  constexpr int kSamples = 256, kShrinkings = 200;
  PoleCap cap;
  cap.mirrored_ = mirrored;
  cap.height_ = span.start()(1);
  Coefficients rho = coefficients(span, 0), zeta = coefficients(span, 1);
  cap.w_ = coefficients(span, 2);
  for (std::size_t i = 0; i < zeta.size(); ++i) zeta[i] -= cap.height_ * cap.w_[i];
  zeta[0] = zeta[1] = 0;
  cap.R_ = raised(divided_by_t(rho));
  cap.Z_ = raised(raised(divided_by_t(divided_by_t(zeta))));

  const auto radius_at = [&](double t) { return point_on(span, t)(0); };
  const auto first_steeper = [&](double slope) {  // the largest t before which it is less steep
    const auto steeper = [&](double t) {
      const Vec2<double> c = curve_jet<1>(span, t)[1];
      return std::abs(c(1)) >= slope * c(0);
    };
    for (int k = 1; k <= kSamples; ++k) {
      double low = (k - 1.0) / kSamples, high = static_cast<double>(k) / kSamples;
      if (!steeper(high)) continue;
      for (int n = 0; n < 60; ++n) {
        const double t = 0.5 * (low + high);
        (steeper(t) ? high : low) = t;
      }
      return low;
    }
    return 1.0;
  };
  const auto parameter_at = [&](double r, double t_max) {
    double low = 0, high = t_max;
    for (int n = 0; n < 80; ++n) {
      const double t = 0.5 * (low + high);
      (radius_at(t) < r ? low : high) = t;
    }
    return 0.5 * (low + high);
  };
  const double t_max = first_steeper(kReachSlope);
  cap.radius_ = std::min(radius_at(first_steeper(kRimSlope)), radius_at(t_max) / kReach);
  for (int n = 0; n < kShrinkings && cap.radius_ > 0; ++n, cap.radius_ *= 0.9) {
    // t / r interpolated at Chebyshev's nodes, r a part of the radius up to the reach.
    constexpr auto kNodesOfStart = static_cast<int>(kStart);
    Mat<double, kNodesOfStart, kNodesOfStart> powers;
    Vec<double, kNodesOfStart> values;
    for (int i = 0; i < kNodesOfStart; ++i) {
      const double angle = std::numbers::pi * (i + 0.5) / kNodesOfStart;
      const double r = 0.5 * kReach * (1 + std::cos(angle));
      for (int k = 0; k < kNodesOfStart; ++k) powers(i, k) = std::pow(r, k);
      values(i) = parameter_at(r * cap.radius_, t_max) / r;
    }
    const Vec<double, kNodesOfStart> start = powers.partialPivLu().solve(values);
    std::copy(start.begin(), start.end(), cap.start_.begin());
    const double t_e = parameter_at(kReach * cap.radius_, t_max);
    if (!cap.converges(t_e)) continue;
    cap.rim_ = cap.parameter(1.0);
    return cap;
  }
  return std::nullopt;
}

// Newton's method has arrived one step early, so that its last step serves derivatives too, and
// where it should: between 0 and t_end, growing.
bool PoleCap::converges(double t_end) const {
  constexpr int kSamples = 128;
  constexpr double kArrived = 1e-12;
  double before = 0;
  for (int k = 1; k <= kSamples; ++k) {
    const double r = kReach * k / kSamples, t = parameter(r);
    if (!(std::abs(parameter(r, kNewtonSteps - 1) - t) <= kArrived * t)) return false;
    if (!(t > before && t <= t_end * (1 + kArrived))) return false;
    before = t;
  }
  return true;
}

}  // namespace oloid::geometry
