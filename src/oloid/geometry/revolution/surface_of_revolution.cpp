#include "oloid/geometry/revolution/surface_of_revolution.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/revolution/revolution.h"
#include "oloid/numerics/quadrature.h"
#include "oloid/numerics/symmetric_eigen.h"

namespace oloid::geometry {
namespace {

constexpr double kJoined = 1e-9;     // of the size: ends this near are the same point
constexpr double kAtBorder = 1e-12;  // of a span: a contact this near a border may leave
constexpr double kTip = 1e-3;        // of a span: the surface ends this far before a tip
constexpr double kPreferCap = 0.75;  // of the rim's parameter: up to here the cap is the better
constexpr double kBandInCap = 0.5;   // of the rim's parameter: the band reaches down to it

std::string text(const Vec2<double>& p) { return fmt::format("({:g}, {:g})", p(0), p(1)); }

// --- polynomials by their Bernstein coefficients -------------------------------------------------

using Coefficients = std::vector<double>;

// f / t for f with b_0 = 0: Σ_(i≥1) b_i B_i^n = t Σ b_i (n / i) B_(i−1)^(n−1).
Coefficients divided_by_t(const Coefficients& b) {
  Coefficients c(b.begin() + 1, b.end());
  const auto n = static_cast<double>(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] *= n / static_cast<double>(i + 1);
  return c;
}

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

Coefficients coefficients(const BezierCurve<2>& curve, int coordinate) {
  Coefficients b;
  for (const auto& h : curve.points) b.push_back(h(coordinate));
  return b;
}

// --- checks --------------------------------------------------------------------------------------

struct Size {
  double extent;       // [m], the larger of ρ and the height
  double bottom, top;  // [m]
};
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
  if (profile.empty()) return Error{{}, "the profile has no spans", "give at least one"};
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const int degree = profile[i].degree();
    if (degree < 1 || degree > kMaxDegree) {
      return Error{{},
                   fmt::format("span {} of the profile has degree {}", i, degree),
                   fmt::format("degrees are 1 to {}: give one control point more", kMaxDegree)};
    }
    for (std::size_t j = 0; j < profile[i].points.size(); ++j) {
      const double w = profile[i].points[j](2);
      if (!profile[i].points[j].allFinite()) {
        return Error{{},
                     fmt::format("control point {} of span {} of the profile is not finite", j, i),
                     "give finite numbers"};
      }
      if (!(w > 0)) {
        return Error{{},
                     fmt::format("weight {} of span {} of the profile is {}", j, i, w),
                     "weights are greater than 0"};
      }
    }
  }
  return std::nullopt;
}

std::optional<Error> check_placement(const AffineMap& placement) {
  if (!placement.O.allFinite() || !placement.M.allFinite()) {
    return Error{{}, "the affine map is not finite", "give finite numbers"};
  }
  const double scale = placement.M.norm();
  if (!(placement.M.determinant() > 1e-12 * scale * scale * scale)) {
    return Error{{},
                 fmt::format("the affine map has determinant {:g}", placement.M.determinant()),
                 "it must be greater than 0: no reflections, nothing flattened"};
  }
  return std::nullopt;
}

void move_start(BezierCurve<2>& curve, const Vec2<double>& to) {
  curve.points.front() = weighted<2>(to, curve.points.front()(2));
}
void move_end(BezierCurve<2>& curve, const Vec2<double>& to) {
  curve.points.back() = weighted<2>(to, curve.points.back()(2));
}

// Joins the spans end to start; true if they close a ring.
Result<bool> connect(std::vector<BezierCurve<2>>& profile, double size) {
  for (std::size_t i = 1; i < profile.size(); ++i) {
    const Vec2<double> end = profile[i - 1].end(), start = profile[i].start();
    if (!((end - start).norm() <= kJoined * size)) {
      return refuse(fmt::format("span {} of the profile starts at {}, span {} ends at {}", i,
                                text(start), i - 1, text(end)),
                    "spans join end to start: give them in order");
    }
    move_start(profile[i], end);
  }
  const Vec2<double> start = profile.front().start(), end = profile.back().end();
  const bool ring = (end - start).norm() <= kJoined * size && start(0) > kJoined * size;
  if (ring) move_end(profile.back(), start);
  return ring;
}

// An end of the profile that lies on the axis is moved onto it; at a right angle (a pole) the
// tangent is straightened as well. `start` is where the curve meets the axis.
enum class Meeting { none, pole, tip };
Meeting meet_axis(BezierCurve<2>& curve, double size) {
  if (!(std::abs(curve.start()(0)) <= kJoined * size)) return Meeting::none;
  move_start(curve, {0, curve.start()(1)});
  const Vec2<double> leg = curve.control_point(1) - curve.start();
  if (!(std::abs(leg(1)) <= kJoined * leg.norm())) return Meeting::tip;
  if (curve.degree() == 1) curve = elevated(curve);  // a flat disc: the other end stays in place
  curve.points[1](1) = curve.points[1](2) * curve.start()(1);
  return Meeting::pole;
}

// ρ > 0 but where an end is known to lie on the axis.
std::optional<Error> check_radius(const BezierCurve<2>& curve, std::size_t i, bool start_on_axis,
                                  bool end_on_axis, double size) {
  Coefficients rho = coefficients(curve, 0);
  const Coefficients w = coefficients(curve, 2);
  const double least = kJoined * size * *std::max_element(w.begin(), w.end());
  if (start_on_axis) rho = divided_by_t(rho);
  if (end_on_axis && rho.size() > 1) rho = reversed(divided_by_t(reversed(rho)));
  if (rho.size() == 1 && start_on_axis && end_on_axis && curve.degree() == 1) rho = {0};
  for (double& b : rho) b -= least;
  if (const auto t = not_positive(rho, 0, 1)) {
    const double there = point_on(curve, *t)(0);
    return Error{{},
                 fmt::format("span {} of the profile has rho = {:g} at t = {:g}", i, there, *t),
                 "it may meet the axis only at the ends of the profile, and not along the axis"};
  }
  return std::nullopt;
}

// The slowest place of a span; minima of samples are refined by thirds, which finds the tip of a V.
struct Slowest {
  double t, speed;
};
Slowest slowest(const BezierCurve<2>& curve) {
  constexpr int kSamples = 128, kThirds = 100;
  const auto speed = [&](double t) { return curve_jet<1>(curve, t)[1].norm(); };
  Slowest best{0, speed(0)};
  for (int k = 0; k <= kSamples; ++k) {
    const double t = static_cast<double>(k) / kSamples, h = 1.0 / kSamples;
    double low = std::max(0.0, t - h), high = std::min(1.0, t + h);
    if (k > 0 && k < kSamples && speed(t) > std::min(speed(low), speed(high))) continue;
    for (int n = 0; n < kThirds; ++n) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      (speed(a) < speed(b) ? high : low) = speed(a) < speed(b) ? b : a;
    }
    for (const double s : {0.5 * (low + high), t}) {
      if (speed(s) < best.speed) best = {s, speed(s)};
    }
  }
  return best;
}

std::optional<Error> check_speed(const BezierCurve<2>& curve, std::size_t i) {
  double length = 0;
  for (std::size_t j = 1; j < curve.points.size(); ++j)
    length += (curve.control_point(j) - curve.control_point(j - 1)).norm();
  const Slowest at = slowest(curve);
  if (at.speed > kJoined * length) return std::nullopt;
  return Error{{},
               fmt::format("span {} of the profile stands still at t = {:g}", i, at.t),
               "no cusps, and no two first or last control points alike"};
}

// Whether the meridian bounds a convex body together with its mirror image: legs of the control
// polygon turn to the left only, and by half a turn at most, from the axis back to the axis.
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

// An upper bound of f over a curve, too large by `slack` at most, for any f that is bounded on the
// convex hull of points by its values at them.
template <class F>
double upper_bound(const std::vector<BezierCurve<2>>& profile, const F& f, double slack) {
  constexpr int kDeepest = 24;
  std::vector<std::pair<BezierCurve<2>, int>> open;
  double reached = -kInfinity, bound = -kInfinity;
  for (const auto& curve : profile) {
    open.emplace_back(curve, 0);
    reached = std::max({reached, f(curve.start()), f(curve.end())});
  }
  while (!open.empty()) {
    const auto [curve, depth] = std::move(open.back());
    open.pop_back();
    reached = std::max(reached, f(curve.end()));
    double here = -kInfinity;
    for (std::size_t j = 0; j < curve.points.size(); ++j)
      here = std::max(here, f(curve.control_point(j)));
    if (here <= reached + slack || depth == kDeepest) {
      bound = std::max(bound, here);
      continue;
    }
    const CurveHalves<2> halves = split(curve, 0.5);
    open.emplace_back(halves.after, depth + 1);
    open.emplace_back(halves.before, depth + 1);
  }
  return bound;
}

// --- integrals over the profile ------------------------------------------------------------------

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

// Halves the interval until that changes nothing.
Moments converged_moments(const BezierCurve<2>& curve, double height, double from, double to,
                          const Moments& whole, int depth = 0) {
  constexpr int kDeepest = 20;
  constexpr double kConverged = 1e-15;
  const double middle = 0.5 * (from + to);
  const Moments a = moments(curve, height, from, middle), b = moments(curve, height, middle, to);
  const Vec<double, 4> change = (a + b - whole).head<4>().cwiseAbs();
  const bool done = (change.array() <= kConverged * (a + b).tail<4>().array()).all();
  // What is left is round-off, or the depth says that it is.
  if (done || depth == kDeepest ||
      (depth > 3 && change.maxCoeff() <= 16 * kConverged * (a + b).tail<4>().maxCoeff())) {
    return a + b;
  }
  return converged_moments(curve, height, from, middle, a, depth + 1) +
         converged_moments(curve, height, middle, to, b, depth + 1);
}

}  // namespace

// --- PoleCap -------------------------------------------------------------------------------------

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

// --- SurfaceOfRevolution -------------------------------------------------------------------------

Result<SurfaceOfRevolution> SurfaceOfRevolution::make(std::vector<BezierCurve<2>> profile,
                                                      bool cavity, const AffineMap& placement) {
  if (auto error = check_placement(placement)) return Unexpected{*error};
  if (auto error = check_numbers(profile)) return Unexpected{*error};
  const double size = size_of(profile).extent;
  if (!(size > 0)) return refuse("the profile is a single point", "give a curve");
  const Result<bool> ring = connect(profile, size);
  if (!ring) return Unexpected{ring.error()};

  const Meeting start = meet_axis(profile.front(), size);
  BezierCurve<2> from_end = geometry::reversed(profile.back());
  const Meeting end = meet_axis(from_end, size);
  profile.back() = geometry::reversed(from_end);
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const bool start_on_axis = i == 0 && start != Meeting::none;
    const bool end_on_axis = i + 1 == profile.size() && end != Meeting::none;
    if (auto error = check_speed(profile[i], i)) return Unexpected{*error};
    if (auto error = check_radius(profile[i], i, start_on_axis, end_on_axis, size))
      return Unexpected{*error};
  }

  SurfaceOfRevolution surface;
  surface.placement_ = placement;
  surface.placed_ = placement.O != Vec3<double>::Zero() || placement.M != Mat3<double>::Identity();
  surface.M_inverse_ = placement.M.inverse();
  surface.sense_ = cavity ? -1 : 1;
  surface.ring_ = ring.value();
  surface.size_ = size;
  surface.convex_ = !cavity && !ring.value() && turns_left(profile);
  for (auto& curve : profile) surface.bands_.push_back({std::move(curve), {}, {}});
  Border& low = surface.bands_.front().low;
  Border& high = surface.bands_.back().high;
  low.v = start == Meeting::tip ? kTip : 0;
  low.beyond = start == Meeting::tip ? Beyond::tip : Beyond::nothing;
  high.v = end == Meeting::tip ? 1 - kTip : 1;
  high.beyond = end == Meeting::tip ? Beyond::tip : Beyond::nothing;
  for (int k = 0; k < 2; ++k) {
    if ((k == 0 ? start : end) != Meeting::pole) continue;
    const std::size_t i = k == 0 ? 0 : surface.bands_.size() - 1;
    const BezierCurve<2>& curve = surface.bands_[i].curve;
    // At the start of the profile the body lies above the pole.
    auto& cap = surface.caps_[static_cast<std::size_t>(k)];
    cap = PoleCap::make(k == 0 ? curve : geometry::reversed(curve), (k == 0) != cavity);
    if (!cap) {
      return refuse(fmt::format("span {} of the profile bends too sharply at the axis", i),
                    "give it a larger radius of curvature at the pole");
    }
    Border& border = k == 0 ? low : high;
    border.beyond = Beyond::cap;
    border.v = k == 0 ? kBandInCap * cap->rim() : 1 - kBandInCap * cap->rim();
    border.chart = surface.spans() + k;
  }
  surface.join();
  surface.measure_size();
  return surface;
}

void SurfaceOfRevolution::join() {
  const int n = spans();
  for (int i = 0; i < (ring_ ? n : n - 1); ++i) {
    const int next = (i + 1) % n;
    Border& here = bands_[static_cast<std::size_t>(i)].high;
    Border& there = bands_[static_cast<std::size_t>(next)].low;
    const double pace =
        curve_jet<1>(span(i), 1.0)[1].norm() / curve_jet<1>(span(next), 0.0)[1].norm();
    const Joint joint =
        measured_joint(jet<2, double>(i, {0, 1}), jet<2, double>(next, {0, 0}), size_).joint;
    here = {Beyond::band, 1, next, pace, joint};
    there = {Beyond::band, 0, i, 1 / pace, joint};
  }
}

// With the affine map a circle of the surface is a + ρ (m₁ cos θ + m₂ sin θ), a = O + ζ m₃.
void SurfaceOfRevolution::measure_size() {
  constexpr double kBoxSlack = 1e-12, kRadiusSlack = 1e-6;
  std::vector<BezierCurve<2>> profile;
  for (const Band& band : bands_) profile.push_back(band.curve);
  const Mat3<double>& M = placement_.M;
  for (int k = 0; k < 3; ++k) {
    const double across = std::hypot(M(k, 0), M(k, 1));
    for (const double sign : {-1.0, 1.0}) {
      const double most = upper_bound(
          profile, [&](const Vec2<double>& p) { return p(0) * across + sign * M(k, 2) * p(1); },
          kBoxSlack * size_ * M.row(k).norm());
      (sign < 0 ? box_.low : box_.high)(k) = placement_.O(k) + sign * most;
    }
  }
  // |a|² + 2 ρ |(a·m₁, a·m₂)| + ρ² σ², σ the larger singular value of (m₁ m₂), is an upper bound of
  // the largest squared distance on the circle, which is convex in (ρ, ζ).
  const Mat2<double> C = M.leftCols<2>().transpose() * M.leftCols<2>();
  const double sigma_squared = principal_values(C).larger;
  const auto distance = [&](const Vec2<double>& p) {
    const Vec3<double> a = placement_.O + p(1) * M.col(2);
    const double rho = std::abs(p(0));
    return std::sqrt(a.squaredNorm() + 2 * rho * (M.leftCols<2>().transpose() * a).norm() +
                     rho * rho * sigma_squared);
  };
  radius_ = upper_bound(profile, distance, kRadiusSlack * size_ * M.norm());
}

double SurfaceOfRevolution::margin(const Location& q) const {
  if (q.chart.index >= spans()) return 1 - q.x.head<2>().squaredNorm();
  const Band& band = bands_[static_cast<std::size_t>(q.chart.index)];
  const auto slack = [](const Border& b) {
    return b.beyond != Beyond::band ? 0 : b.joint == Joint::G2 ? kSmoothSeam : kSeam;
  };
  return std::min(q.x(1) - band.low.v + slack(band.low), band.high.v - q.x(1) + slack(band.high));
}

// The place at a distance from the axis in a cap.
Location SurfaceOfRevolution::in_cap(int chart, double rho, const Vec2<double>& direction) const {
  const PoleCap& c = cap(chart);
  const Vec2<double> x = rho / c.radius() * direction;
  Location q{ChartId{chart}};
  q.x.head<2>() = c.mirrored() ? Vec2<double>(x(1), x(0)) : x;
  return q;
}

// The place at parameter t of a span, in the better chart there. `direction`: (cos θ, sin θ).
Location SurfaceOfRevolution::on_span(int i, double t, const Vec2<double>& direction) const {
  const double rho = point_on(span(i), t)(0);
  if (i == 0 && caps_[0] && t < kPreferCap * caps_[0]->rim()) {
    return in_cap(spans(), rho, direction);
  }
  if (i == spans() - 1 && caps_[1] && 1 - t < kPreferCap * caps_[1]->rim()) {
    return in_cap(spans() + 1, rho, direction);
  }
  Location q{ChartId{i}};
  q.x(0) = sense_ * std::atan2(direction(1), direction(0));
  q.x(1) = extent(i).clamped(t);
  return q;
}

// Beyond a border of a band.
ChartExit SurfaceOfRevolution::across(const Location& q, const Border& border, bool high) const {
  const double theta = sense_ * q.x(0);
  switch (border.beyond) {
    case Beyond::cap: {
      const double v = std::clamp(q.x(1), 0.0, 1.0);
      const double rho = point_on(span(q.chart.index), v)(0);
      return Crossing{in_cap(border.chart, rho, {std::cos(theta), std::sin(theta)}), Joint::G2};
    }
    case Beyond::band: {
      // As far beyond the border as here, at most half way through the next band.
      const double beyond = std::max(0.0, high ? q.x(1) - border.v : border.v - q.x(1));
      const Extent there = extent(border.chart);
      const double step = std::min(border.pace * beyond, 0.5 * (there.to - there.from));
      const double v = high ? there.from + step : there.to - step;
      return Crossing{{ChartId{border.chart}, {q.x(0), v, 0}}, border.joint};
    }
    default:
      break;
  }
  return OpenEdge{{q.chart, {q.x(0), border.v, 0}},
                  border.beyond == Beyond::tip ? geometry::Border::tip : geometry::Border::free};
}

ChartExit SurfaceOfRevolution::leave(const Location& q) const {
  const int chart = q.chart.index;
  if (chart < spans()) {
    const Band& band = bands_[static_cast<std::size_t>(chart)];
    if (q.x(1) >= band.high.v - kAtBorder) return across(q, band.high, true);
    if (q.x(1) <= band.low.v + kAtBorder) return across(q, band.low, false);
    return Crossing{q, Joint::G2};  // not at a border
  }
  const PoleCap& c = cap(chart);
  const Vec2<double> x = c.mirrored() ? Vec2<double>(q.x(1), q.x(0)) : Vec2<double>(q.x(0), q.x(1));
  const double r = std::min(x.norm(), PoleCap::kReach), t = c.parameter(r);
  if (t < kPreferCap * c.rim()) return Crossing{q, Joint::G2};
  const bool start = chart == spans();
  Location to{ChartId{start ? 0 : spans() - 1}};
  to.x(0) = sense_ * std::atan2(x(1), x(0));
  to.x(1) = start ? t : 1 - t;
  return Crossing{to, Joint::G2};
}

namespace {

// The parameter nearest to a point: the best of some samples, then Newton's method for
// (c − y)·c' = 0; where that is no minimum, with its part that is positive.
double nearest_parameter(const BezierCurve<2>& curve, const Vec2<double>& y) {
  constexpr int kSamples = 32, kSteps = 30;
  double t = 0, least = kInfinity;
  for (int k = 0; k <= kSamples; ++k) {
    const double s = static_cast<double>(k) / kSamples;
    const double distance = (point_on(curve, s) - y).squaredNorm();
    if (distance < least) {
      least = distance;
      t = s;
    }
  }
  const double low = std::max(0.0, t - 1.0 / kSamples), high = std::min(1.0, t + 1.0 / kSamples);
  for (int k = 0; k < kSteps; ++k) {
    const auto c = curve_jet<2>(curve, t);
    const double along = c[1].squaredNorm(), bent = along + (c[0] - y).dot(c[2]);
    const double before = t;
    t = std::clamp(t - (c[0] - y).dot(c[1]) / (bent > 0.1 * along ? bent : along), low, high);
    if (t == before) break;
  }
  return t;
}

}  // namespace

Location SurfaceOfRevolution::near(const Vec3<double>& p) const {
  const Vec3<double> local = M_inverse_ * (p - placement_.O);
  const Vec2<double> y(local.head<2>().norm(), local(2));
  const Vec2<double> direction =
      y(0) > 0 ? Vec2<double>(local.head<2>() / y(0)) : Vec2<double>(1, 0);
  int best = 0;
  double t = 0, least = kInfinity;
  for (int i = 0; i < spans(); ++i) {
    const double here = nearest_parameter(span(i), y);
    const double distance = (point_on(span(i), here) - y).squaredNorm();
    if (distance < least) {
      least = distance;
      best = i;
      t = here;
    }
  }
  return on_span(best, t, direction);
}

std::vector<Location> SurfaceOfRevolution::seeds() const {
  std::vector<Location> result;
  for (int k = 0; k < 2; ++k) {
    if (caps_[static_cast<std::size_t>(k)]) result.push_back({ChartId{spans() + k}, {0, 0, 0}});
  }
  for (int i = 0; i < spans(); ++i) {
    const Extent v = extent(i);
    for (const double part : {0.1, 0.5, 0.9})
      for (int k = 0; k < kSpokes; ++k)
        result.push_back({ChartId{i}, {kTau * k / kSpokes, v.from + part * (v.to - v.from), 0}});
  }
  return result;
}

// By the discs of the body: ∫ dV = ∫ π ρ² dζ, ∫ z dV = ∫ π ρ² ζ dζ, ∫ x² dV = ∫ π/4 ρ⁴ dζ, ...
Result<Solid> SurfaceOfRevolution::solid() const {
  const auto open = [&](const Border& border, const char* end, const Vec2<double>& at) {
    return border.beyond == Beyond::nothing
               ? fmt::format("the surface is open at the {} of its profile, {}", end, text(at))
               : std::string();
  };
  for (const std::string& message : {open(bands_.front().low, "start", span(0).start()),
                                     open(bands_.back().high, "end", span(spans() - 1).end())}) {
    if (!message.empty()) {
      return refuse(message, "lead the profile to the axis, or give mass and inertia");
    }
  }
  std::vector<BezierCurve<2>> profile;
  for (const Band& band : bands_) profile.push_back(band.curve);
  const Size size = size_of(profile);
  const double height = 0.5 * (size.bottom + size.top);
  Moments sum = Moments::Zero();
  for (const auto& curve : profile)
    sum += converged_moments(curve, height, 0, 1, moments(curve, height, 0, 1));
  sum *= sense_ * std::numbers::pi;
  const double volume = sum(0);
  if (!(volume > 0)) {
    return refuse(
        fmt::format("the surface is inside out: its normals point into the {:g} m3 it encloses",
                    -volume * placement_.M.determinant()),
        fmt::format("reverse the profile or set cavity to {}; or give mass and inertia",
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

std::vector<Tile> SurfaceOfRevolution::tiles(double /*reach*/) const {
  constexpr int kQuarters = 4;
  const auto self = std::make_shared<const SurfaceOfRevolution>(*this);
  std::vector<Tile> result;
  for (int i = 0; i < spans(); ++i) {
    // Up to the poles, but not into tips.
    const Band& band = bands_[static_cast<std::size_t>(i)];
    const double from = band.low.beyond == Beyond::cap ? 0 : band.low.v;
    const double to = band.high.beyond == Beyond::cap ? 1 : band.high.v;
    for (int k = 0; k < kQuarters; ++k) {
      result.push_back({[self, i, k, from, to](double s, double t) {
                          const double u = kTau * (k + s) / kQuarters, v = (1 - t) * from + t * to;
                          const double theta = self->sense_ * u;
                          Location q = self->on_span(i, v, {std::cos(theta), std::sin(theta)});
                          if (q.chart.index < self->spans()) q.x(0) = u;
                          return q;
                        },
                        4});
    }
  }
  return result;
}

// Along u the span that starts there is to the left, the one that ends there to the right.
std::vector<Edge> SurfaceOfRevolution::edges() const {
  std::vector<Edge> result;
  const auto flank = [](int chart, double v, double along) -> EdgeFlank {
    return [=](double s) { return Location{ChartId{chart}, {along * kTau * s, v, 0}}; };
  };
  const auto add = [&](const Vec2<double>& at, double along, EdgeFlank left, EdgeFlank right) {
    Winding rim{placement_.O + at(1) * placement_.M.col(2), at(0) * placement_.M.col(0),
                at(0) * placement_.M.col(1)};
    rim.to *= sense_ * along;
    result.push_back({Curve::make({rim}).value(), std::move(left), std::move(right)});
  };
  for (int i = 0; i < spans(); ++i) {
    const Band& band = bands_[static_cast<std::size_t>(i)];
    if (band.low.beyond == Beyond::nothing)
      add(band.curve.start(), 1, flank(i, band.low.v, 1), nullptr);
    if (band.high.beyond == Beyond::nothing)
      add(band.curve.end(), -1, flank(i, band.high.v, -1), nullptr);
    if (band.high.beyond == Beyond::band && band.high.joint == Joint::G0)
      add(band.curve.end(), 1, flank(band.high.chart, 0, 1), flank(i, 1, 1));
  }
  return result;
}

std::vector<Tip> SurfaceOfRevolution::tips() const {
  std::vector<Tip> result;
  const auto add = [&](int chart, double height, double v) {
    result.push_back({placement_.O + height * placement_.M.col(2), [=](double s) {
                        return Location{ChartId{chart}, {kTau * s, v, 0}};
                      }});
  };
  const Band &first = bands_.front(), &last = bands_.back();
  if (first.low.beyond == Beyond::tip) add(0, first.curve.start()(1), first.low.v);
  if (last.high.beyond == Beyond::tip) add(spans() - 1, last.curve.end()(1), last.high.v);
  return result;
}

}  // namespace oloid::geometry
