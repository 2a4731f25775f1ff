#include "oloid/geometry/revolution/surface_of_revolution.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/revolution/profile.h"
#include "oloid/numerics/symmetric_eigen.h"

namespace oloid::geometry {
namespace {

using namespace profiles;

constexpr double kAtBorder = 1e-12;  // of a span: a contact this near a border may leave
constexpr double kTip = 1e-3;        // of a span: the surface ends this far before a tip
constexpr double kPreferCap = 0.75;  // of the rim's parameter: up to here the cap is the better
constexpr double kBandInCap = 0.5;   // of the rim's parameter: the band reaches down to it

std::optional<Error> check_placement(const AffineMap& placement) {
  if (!placement.O.allFinite() || !placement.M.allFinite()) {
    return Error{{}, "the affine map is not finite", "use finite numbers"};
  }
  const double scale = placement.M.norm();
  if (!(placement.M.determinant() > 1e-12 * scale * scale * scale)) {
    return Error{{},
                 fmt::format("the affine map has determinant {:g}", placement.M.determinant()),
                 "it must be greater than 0: reflections and flattening are not allowed"};
  }
  return std::nullopt;
}

}  // namespace

Result<SurfaceOfRevolution> SurfaceOfRevolution::make(std::vector<BezierCurve<2>> profile,
                                                      bool cavity, const AffineMap& placement) {
  if (auto error = check_placement(placement)) return Unexpected{*error};
  if (auto error = check_numbers(profile)) return Unexpected{*error};
  const double size = size_of(profile).extent;
  if (!(size > 0)) return refuse("the profile is a single point", "specify a curve");
  const Result<bool> ring = connect(profile, size);
  if (!ring) return Unexpected{ring.error()};

  const Meeting start = meet_axis(profile.front(), size);
  BezierCurve<2> from_end = reversed(profile.back());
  const Meeting end = meet_axis(from_end, size);
  profile.back() = reversed(from_end);
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
    cap = PoleCap::make(k == 0 ? curve : reversed(curve), (k == 0) != cavity);
    if (!cap) {
      return refuse(fmt::format("span {} of the profile is too sharply curved at the axis", i),
                    "use a larger radius of curvature at the pole");
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

constexpr int kQuarters = 4;  // tiles round the axis

std::vector<Tile> SurfaceOfRevolution::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  for (int i = 0; i < spans(); ++i) {
    // Up to the poles, but not into tips.
    const Band& band = bands_[static_cast<std::size_t>(i)];
    const double from = band.low.beyond == Beyond::cap ? 0 : band.low.v;
    const double to = band.high.beyond == Beyond::cap ? 1 : band.high.v;
    for (int k = 0; k < kQuarters; ++k) result.push_back({SpanTile{i, k, from, to}});
  }
  return result;
}

Location SurfaceOfRevolution::on_tile(const SpanTile& tile, double s, double t) const {
  const double u = kTau * (tile.quarter + s) / kQuarters, v = (1 - t) * tile.from + t * tile.to;
  const double theta = sense_ * u;
  Location q = on_span(tile.span, v, {std::cos(theta), std::sin(theta)});
  if (q.chart.index < spans()) q.x(0) = u;
  return q;
}

// Along u the span that starts there is to the left, the one that ends there to the right.
std::vector<Edge> SurfaceOfRevolution::edges() const {
  std::vector<Edge> result;
  const auto flank = [](int chart, double v, double along) {
    return ChartSegment{ChartId{chart}, {0, v}, {along * kTau, v}};
  };
  const auto add = [&](const Vec2<double>& at, double along, const EdgeFlank& left,
                       const EdgeFlank& right) {
    Winding rim{placement_.O + at(1) * placement_.M.col(2), at(0) * placement_.M.col(0),
                at(0) * placement_.M.col(1)};
    rim.to *= sense_ * along;
    result.push_back({Curve::make({rim}).value(), left, right});
  };
  for (int i = 0; i < spans(); ++i) {
    const Band& band = bands_[static_cast<std::size_t>(i)];
    if (band.low.beyond == Beyond::nothing) add(band.curve.start(), 1, flank(i, band.low.v, 1), {});
    if (band.high.beyond == Beyond::nothing)
      add(band.curve.end(), -1, flank(i, band.high.v, -1), {});
    if (band.high.beyond == Beyond::band && band.high.joint == Joint::G0)
      add(band.curve.end(), 1, flank(band.high.chart, 0, 1), flank(i, 1, 1));
  }
  return result;
}

std::vector<Tip> SurfaceOfRevolution::tips() const {
  std::vector<Tip> result;
  const auto add = [&](int chart, double height, double v) {
    result.push_back({placement_.O + height * placement_.M.col(2),
                      {ChartSegment{ChartId{chart}, {0, v}, {kTau, v}}}});
  };
  const Band &first = bands_.front(), &last = bands_.back();
  if (first.low.beyond == Beyond::tip) add(0, first.curve.start()(1), first.low.v);
  if (last.high.beyond == Beyond::tip) add(spans() - 1, last.curve.end()(1), last.high.v);
  return result;
}

}  // namespace oloid::geometry
