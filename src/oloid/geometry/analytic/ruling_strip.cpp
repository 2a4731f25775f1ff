#include "oloid/geometry/analytic/ruling_strip.h"

#include <Eigen/QR>
#include <algorithm>

#include "oloid/base/constants.h"
#include "oloid/base/index.h"

namespace oloid::geometry {

Vec3<double> SupportPair::point(std::size_t i, const Vec3<double>& n) const {
  const FramedCircle& c = circles[i];
  const double s = radius_across(i, n);
  return c.centre + c.radius / s * (n.dot(c.a) * c.a + n.dot(c.b) * c.b);
}

double SupportPair::F(const Vec3<double>& n) const {
  return (circles[1].centre - circles[0].centre).dot(n) + circles[1].radius * radius_across(1, n) -
         circles[0].radius * radius_across(0, n);
}

std::optional<RulingStrip> RulingStrip::make(const SupportPair& pair, const Vec3<double>& from,
                                             const Vec3<double>& middle, const Vec3<double>& to) {
  constexpr double kWidest = 0.7;  // of |x|: the tangent of 35°
  constexpr double kStartError = 1e-4;
  RulingStrip strip;
  const Vec3<double> along = pair.heading(middle);
  strip.frame_ << middle, along, middle.cross(along);
  for (std::size_t i = 0; i < 2; ++i) {
    const FramedCircle& circle = pair.circles[i];
    strip.halves_[i].circle = circle;
    for (int k = 0; k < 3; ++k) {
      strip.halves_[i].p[at(k)] = circle.a.dot(strip.frame_.col(k));
      strip.halves_[i].q[at(k)] = circle.b.dot(strip.frame_.col(k));
    }
  }
  const Vec3<double> across = pair.circles[1].centre - pair.circles[0].centre;
  for (int k = 0; k < 3; ++k) strip.across_[at(k)] = across.dot(strip.frame_.col(k));
  if (!strip.faces(from) || !strip.faces(to)) return std::nullopt;
  strip.from_ = from.dot(along) / from.dot(middle);
  strip.to_ = to.dot(along) / to.dot(middle);
  if (!(strip.from_ < 0 && strip.to_ > 0 && std::max(-strip.from_, strip.to_) < kWidest))
    return std::nullopt;

  const double size = across.norm() + pair.circles[0].radius + pair.circles[1].radius;
  const double slope0 = pair.ruling(middle).norm();
  // Outwards from the middle, each from the one before.
  const auto solve = [&](double w, double& y) {
    const double x = strip.from_ + (strip.to_ - strip.from_) * 0.5 * (w + 1);
    for (int i = 0; i < 30; ++i) {
      std::array<double, 1> F, slope;
      strip.evaluate<1, double>({x}, {y}, F, slope);
      if (!(slope[0] > 0.2 * slope0)) return false;
      y -= F[0] / slope[0];
      if (std::abs(F[0]) < 1e-15 * size) return true;
    }
    return std::isfinite(y);
  };
  constexpr double kFit = 2 * kReach - 1;
  Eigen::Matrix<double, kStart, kStart> powers;
  Eigen::Matrix<double, kStart, 1> values;
  for (std::size_t k = 0; k < kStart; ++k) {
    const double w =
        kFit * std::cos(kPi * (static_cast<double>(k) + 0.5) / static_cast<double>(kStart));
    double y = 0;
    for (int part = 0; part <= 16; ++part)
      if (!solve(w * part / 16, y)) return std::nullopt;
    values(static_cast<Eigen::Index>(k)) = y;
    double power = 1;
    for (std::size_t j = 0; j < kStart; ++j) {
      powers(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) = power;
      power *= w;
    }
  }
  const Eigen::Matrix<double, kStart, 1> start = powers.colPivHouseholderQr().solve(values);
  for (std::size_t k = 0; k < kStart; ++k) strip.start_[k] = start(static_cast<Eigen::Index>(k));

  constexpr int kChecked = 40;
  for (int k = 0; k <= kChecked; ++k) {
    const double w = kFit * (2.0 * k / kChecked - 1), u = 0.5 * (w + 1);
    double guess = strip.start_.back();
    for (std::size_t j = kStart - 1; j-- > 0;) guess = strip.start_[j] + w * guess;
    const double x = strip.from_ + (strip.to_ - strip.from_) * u, y = strip.solved(u, x);
    std::array<double, 1> F, slope;
    strip.evaluate<1, double>({x}, {y}, F, slope);
    const bool good = std::abs(F[0]) <= 1e-14 * size && slope[0] > 0.3 * slope0 &&
                      std::abs(guess - y) <= kStartError;
    if (!good) return std::nullopt;
  }
  return strip;
}

}  // namespace oloid::geometry
