#include "oloid/geometry/revolution/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "oloid/base/constants.h"
#include "oloid/numerics/minimum.h"

namespace oloid::geometry::profiles {
namespace {

constexpr double kJoinedEnds = 1e-9;  // of the size: ends this near are the same point

Coefficients reversed(Coefficients b) {
  std::reverse(b.begin(), b.end());
  return b;
}

// A place where the polynomial is not positive: found by splitting until the control points tell.
std::optional<double> not_positive(const Coefficients& b, double from, double to, int depth = 0) {
  constexpr int kDeepest = 40;
  if (b.front() <= 0) return from;
  if (b.back() <= 0) return to;
  if (std::all_of(b.begin(), b.end(), [](double x) { return x > 0; })) return std::nullopt;
  const double middle = 0.5 * (from + to);
  if (depth == kDeepest) return middle;
  Coefficients before = b, after = b;
  split_at(0.5, b.size(), before, after);
  if (const auto found = not_positive(before, from, middle, depth + 1)) return found;
  return not_positive(after, middle, to, depth + 1);
}

void move_start(BezierCurve<2>& curve, const Vec2<double>& to) {
  curve.points.front() = weighted<2>(to, curve.points.front()(2));
}
void move_end(BezierCurve<2>& curve, const Vec2<double>& to) {
  curve.points.back() = weighted<2>(to, curve.points.back()(2));
}

}  // namespace

Coefficients coefficients(const BezierCurve<2>& curve, int coordinate) {
  Coefficients b;
  for (const auto& h : curve.points) b.push_back(h(coordinate));
  return b;
}
Coefficients divided_by_t(const Coefficients& b) {
  Coefficients c(b.begin() + 1, b.end());
  const auto n = static_cast<double>(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] *= n / static_cast<double>(i + 1);
  return c;
}

std::string text(const Vec2<double>& p) { return fmt::format("({:g}, {:g})", p(0), p(1)); }

Size size_of(const std::vector<BezierCurve<2>>& profile) {
  double rho = 0, bottom = kInfinity, top = -kInfinity;
  for (const auto& curve : profile) {
    for (std::size_t j = 0; j < curve.points.size(); ++j) {
      const Vec2<double> p = curve.control_point(j);
      rho = std::max(rho, std::abs(p(0)));
      bottom = std::min(bottom, p(1));
      top = std::max(top, p(1));
    }
  }
  return {std::max(rho, top - bottom), bottom, top};
}

std::optional<Error> check_numbers(const std::vector<BezierCurve<2>>& profile) {
  if (profile.empty()) return Error{{}, "the profile has no spans", "specify at least one"};
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const int degree = profile[i].degree();
    if (degree < 1 || degree > kMaxDegree) {
      return Error{
          {},
          fmt::format("span {} of the profile has degree {}", i, degree),
          fmt::format(
              "the degree, which is one less than the number of control points, must be 1 to {}",
              kMaxDegree)};
    }
    for (std::size_t j = 0; j < profile[i].points.size(); ++j) {
      const double w = profile[i].points[j](2);
      if (!profile[i].points[j].allFinite()) {
        return Error{{},
                     fmt::format("control point {} of span {} of the profile is not finite", j, i),
                     "use finite numbers"};
      }
      if (!(w > 0)) {
        return Error{{},
                     fmt::format("weight {} of span {} of the profile is {}", j, i, w),
                     "weights must be greater than 0"};
      }
    }
  }
  return std::nullopt;
}

Result<bool> connect(std::vector<BezierCurve<2>>& profile, double size) {
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const Vec2<double> end = profile[i - 1].end(), start = profile[i].start();
    if (!((end - start).norm() <= kJoinedEnds * size)) {
      return refuse(fmt::format("span {} of the profile starts at {}, but span {} ends at {}", i,
                                text(start), i - 1, text(end)),
                    "each span must start where the previous one ends: put them in order");
    }
    move_start(profile[i], end);
  }
  const Vec2<double> start = profile.front().start(), end = profile.back().end();
  const bool ring = (end - start).norm() <= kJoinedEnds * size && start(0) > kJoinedEnds * size;
  if (ring) move_end(profile.back(), start);
  return ring;
}

Meeting meet_axis(BezierCurve<2>& curve, double size) {
  if (!(std::abs(curve.start()(0)) <= kJoinedEnds * size)) return Meeting::none;
  move_start(curve, {0, curve.start()(1)});
  const Vec2<double> leg = curve.control_point(1) - curve.start();
  if (!(std::abs(leg(1)) <= kJoinedEnds * leg.norm())) return Meeting::tip;
  if (curve.degree() == 1) curve = elevated(curve);  // a flat disc: the other end stays in place
  curve.points[1](1) = curve.points[1](2) * curve.start()(1);
  return Meeting::pole;
}

std::optional<Error> check_radius(const BezierCurve<2>& curve, std::size_t i, bool start_on_axis,
                                  bool end_on_axis, double size) {
  Coefficients rho = coefficients(curve, 0);
  const Coefficients w = coefficients(curve, 2);
  const double least = kJoinedEnds * size * *std::max_element(w.begin(), w.end());
  if (start_on_axis) rho = divided_by_t(rho);
  if (end_on_axis && rho.size() > 1) rho = reversed(divided_by_t(reversed(rho)));
  if (rho.size() == 1 && start_on_axis && end_on_axis && curve.degree() == 1) rho = {0};
  for (double& b : rho) b -= least;
  if (const auto t = not_positive(rho, 0, 1)) {
    const double there = point_on(curve, *t)(0);
    return Error{{},
                 fmt::format("span {} of the profile has rho = {:g} at t = {:g}", i, there, *t),
                 "the profile may meet the axis only at its ends, and may not run along it"};
  }
  return std::nullopt;
}

std::optional<Error> check_speed(const BezierCurve<2>& curve, std::size_t i) {
  double length = 0;
  for (std::size_t j = 1; j < curve.points.size(); ++j)
    length += (curve.control_point(j) - curve.control_point(j - 1)).norm();
  const Minimum at = minimum([&](double t) { return curve_jet<1>(curve, t)[1].norm(); }, 128);
  if (at.value > kJoinedEnds * length) return std::nullopt;
  return Error{{},
               fmt::format("span {} of the profile has zero speed at t = {:g} (a cusp)", i, at.t),
               "avoid cusps and coincident first or last control points"};
}

bool turns_left(const std::vector<BezierCurve<2>>& profile) {
  constexpr double kRoundOff = 1e-12;
  std::vector<Vec2<double>> points;
  const Vec2<double> start = profile.front().start(), end = profile.back().end();
  points.emplace_back(0, start(1));
  for (const auto& curve : profile)
    for (std::size_t j = 0; j < curve.points.size(); ++j) points.push_back(curve.control_point(j));
  points.emplace_back(0, end(1));
  std::vector<Vec2<double>> legs;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Vec2<double> leg = points[k] - points[k - 1];
    if (leg.norm() > 0) legs.push_back(leg.normalized());
  }
  if (legs.size() < 2) return false;
  const auto turn = [](const Vec2<double>& a, const Vec2<double>& b) {
    return std::atan2(a(0) * b(1) - a(1) * b(0), a.dot(b));
  };
  double heading = turn({1, 0}, legs.front());
  if (heading < -kRoundOff || legs.front()(0) <= 0 || legs.back()(0) >= 0) return false;
  for (std::size_t k = 1; k < legs.size(); ++k) {
    const double by = turn(legs[k - 1], legs[k]);
    if (by < -kRoundOff) return false;
    heading += by;
  }
  return heading <= std::numbers::pi * (1 + kRoundOff);
}

}  // namespace oloid::geometry::profiles
