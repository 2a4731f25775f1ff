#include "oloid/geometry/curves/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/core/tangents.h"
#include "oloid/numerics/minimum.h"
#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

constexpr double kJoined = 1e-9;    // of the size: ends this near are one point
constexpr double kMostTurns = 1e4;  // of one helix

bool is_length(double x) { return x > 0 && std::isfinite(x); }

// Places to look at first: enough to tell one bend from the next.
int samples(const CurvePiece& piece) {
  if (const auto* winding = std::get_if<Winding>(&piece)) {
    return 8 + static_cast<int>(std::ceil(24 * std::abs(winding->to - winding->from) / kTau));
  }
  if (const auto* on_patch = std::get_if<PatchCurve>(&piece)) return 16 * on_patch->path.degree();
  if (std::holds_alternative<TracedCurve>(piece)) return 8;
  const int degree = std::get<BezierCurve<3>>(piece).degree();
  return degree == 1 ? 1 : 8 * degree;
}

std::optional<Error> check_numbers(const CurvePiece& piece, std::size_t i) {
  if (const auto* w = std::get_if<Winding>(&piece)) {
    const bool finite = w->centre.allFinite() && w->a.allFinite() && w->b.allFinite() &&
                        w->rise.allFinite() && std::isfinite(w->from) && std::isfinite(w->to);
    if (!finite) {
      return Error{{}, fmt::format("piece {} of the curve is not finite", i), "use finite numbers"};
    }
    if (!(std::abs(w->to - w->from) <= kMostTurns * kTau)) {
      return Error{{},
                   fmt::format("piece {} of the curve has too many turns", i),
                   fmt::format("at most {:g} are allowed", kMostTurns)};
    }
    return std::nullopt;
  }
  if (!std::holds_alternative<BezierCurve<3>>(piece)) {
    if (geometry::jet<0>(piece, 0.5)[0].allFinite()) return std::nullopt;
    return Error{{}, fmt::format("piece {} of the curve is not finite", i), "use finite numbers"};
  }
  const auto& curve = std::get<BezierCurve<3>>(piece);
  if (curve.degree() < 1 || curve.degree() > kMaxDegree) {
    return Error{
        {},
        fmt::format("piece {} of the curve has degree {}", i, curve.degree()),
        fmt::format(
            "the degree, which is one less than the number of control points, must be 1 to {}",
            kMaxDegree)};
  }
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& h : curve.points) {
    if (!h.allFinite()) {
      return Error{{}, fmt::format("piece {} of the curve is not finite", i), "use finite numbers"};
    }
    least = std::min(least, h(3));
    most = std::max(most, h(3));
  }
  if (!(least > 0 && most <= kMostWeightRatio * least)) {
    return Error{
        {},
        fmt::format("piece {} of the curve has weights from {:g} to {:g}", i, least, most),
        fmt::format("weights must be greater than 0 and differ by at most a factor of {:g}",
                    kMostWeightRatio)};
  }
  return std::nullopt;
}

double speed(const CurvePiece& piece, double t) { return jet<1>(piece, t)[1].norm(); }

std::optional<Error> check_speed(const CurvePiece& piece, std::size_t i) {
  const int n = 2 * samples(piece);
  double fastest = 0;
  for (int k = 0; k <= n; ++k)
    fastest = std::max(fastest, speed(piece, static_cast<double>(k) / n));
  const Minimum slowest = minimum([&](double t) { return speed(piece, t); }, n);
  if (fastest > 0 && slowest.value > kJoined * fastest) return std::nullopt;
  return Error{
      {},
      fmt::format("piece {} of the curve has zero speed at t = {:g} (a cusp)", i, slowest.t),
      "avoid cusps, coincident first or last control points, and flat ellipses"};
}

// The largest coordinate i, times sign, of a piece.
double reach(const BezierCurve<3>& curve, int i, double sign, double slack) {
  return upper_bound<3>(
      {curve}, [&](const Vec3<double>& p) { return sign * p(i); }, slack);
}

// The same of a piece whose shape is known by its points only.
double reach(const CurvePiece& piece, int i, double sign, double slack) {
  const auto less = [&](double t) { return -sign * jet<0>(piece, t)[0](i); };
  return slack - minimum(less, 2 * samples(piece)).value;
}

// Coordinate i is c + R cos(θ − φ) + h θ: its extrema repeat with every turn, so those of the first
// and the last turn decide.
double reach(const Winding& w, int i, double sign) {
  const auto value = [&](double angle) {
    return sign *
           (w.centre(i) + w.a(i) * std::cos(angle) + w.b(i) * std::sin(angle) + w.rise(i) * angle);
  };
  const double low = std::min(w.from, w.to), high = std::max(w.from, w.to);
  double bound = std::max(value(low), value(high));
  const double R = std::hypot(w.a(i), w.b(i)), phase = std::atan2(w.b(i), w.a(i));
  if (R > std::abs(w.rise(i))) {  // R sin(θ − φ) = h
    const double off = std::asin(w.rise(i) / R);
    for (const double root : {phase + off, phase + std::numbers::pi - off}) {
      const double first = root + kTau * std::ceil((low - root) / kTau);
      const double last = root + kTau * std::floor((high - root) / kTau);
      if (first <= high) bound = std::max({bound, value(first), value(last)});
    }
  }
  const double size = w.centre.norm() + w.a.norm() + w.b.norm() +
                      w.rise.norm() * std::max(std::abs(low), std::abs(high));
  return bound + 8 * std::numeric_limits<double>::epsilon() * size;  // what round-off may hide
}

Result<std::vector<Vec<double, 4>>> homogeneous(const std::vector<Vec3<double>>& points,
                                                const std::vector<double>& weights) {
  if (!weights.empty() && weights.size() != points.size()) {
    return refuse(fmt::format("there are {} weights for {} points", weights.size(), points.size()),
                  "specify one per point");
  }
  std::vector<Vec<double, 4>> result;
  result.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    result.push_back(weighted<3>(points[i], weights.empty() ? 1 : weights[i]));
  return result;
}

}  // namespace

Result<Curve> Curve::make(std::vector<CurvePiece> pieces) {
  if (pieces.empty()) return refuse("the curve has no pieces", "specify at least one");
  Curve curve;
  Box box;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (auto error = check_numbers(pieces[i], i)) return Unexpected{*std::move(error)};
    if (auto error = check_speed(pieces[i], i)) return Unexpected{*std::move(error)};
    const int n = samples(pieces[i]);
    for (int k = 0; k <= n; ++k)
      box.add(geometry::jet<0>(pieces[i], static_cast<double>(k) / n)[0]);
    Link link{std::move(pieces[i])};
    link.reference = crosswise(geometry::jet<1>(link.piece, 0.5)[1]).a;
    curve.links_.push_back(std::move(link));
  }
  curve.size_ = box.size().norm();
  const int n = curve.pieces();
  const auto gap = [&](int from, int to) {
    return (curve.point({from, 1}) - curve.point({to, 0})).norm();
  };
  for (int i = 0; i + 1 < n; ++i) {
    if (!(gap(i, i + 1) <= kJoined * curve.size_)) {
      return refuse(fmt::format("piece {} of the curve starts {:.3g} m from the end of piece {}",
                                i + 1, gap(i, i + 1), i),
                    "each piece must start where the previous one ends: put them in order");
    }
  }
  curve.closed_ = gap(n - 1, 0) <= kJoined * curve.size_;
  for (int i = 0; i < n; ++i) {
    if (!curve.joined(i, true)) continue;
    Link& link = curve.links_[static_cast<std::size_t>(i)];
    const auto from = geometry::jet<2>(link.piece, 1.0), to = curve.jet<2>((i + 1) % n, 0.0);
    const auto bend = [](const CurveJet<double, 2>& x) {
      const double square = x[1].squaredNorm();
      return Vec3<double>((x[2] - x[2].dot(x[1]) / square * x[1]) / square);
    };
    const double angle = std::atan2(from[1].cross(to[1]).norm(), from[1].dot(to[1]));
    const Vec3<double> k_from = bend(from), k_to = bend(to);
    const bool same = (k_from - k_to).norm() <=
                      kSmoothCurvature * (k_from.norm() + k_to.norm() + 1 / curve.size_);
    link.joint = angle > kSmoothAngle ? Joint::G0 : same ? Joint::G2 : Joint::G1;
    link.pace = from[1].norm() / to[1].norm();
  }
  return curve;
}

Result<Curve> Curve::circle(const Vec3<double>& centre, const Vec3<double>& axis, double radius) {
  if (!is_length(radius)) {
    return refuse(fmt::format("radius is {}", radius), "must be a length in metres greater than 0");
  }
  if (!axis.allFinite() || !(axis.norm() > 0)) {
    return refuse("the axis of the circle has no direction", "specify three numbers, not all 0");
  }
  const Crosswise across = crosswise(axis);
  return make({Winding{centre, radius * across.a, radius * across.b}});
}

Result<Curve> Curve::ellipse(const Vec3<double>& centre, const Vec3<double>& a,
                             const Vec3<double>& b, double from, double to) {
  Winding piece{centre, a, b};
  piece.from = from;
  piece.to = to;
  return make({piece});
}

Result<Curve> Curve::helix(double radius, double pitch, double turns) {
  if (!is_length(radius)) {
    return refuse(fmt::format("radius is {}", radius), "must be a length in metres greater than 0");
  }
  if (!std::isfinite(pitch)) {
    return refuse(fmt::format("pitch is {}", pitch), "must be a length in metres per turn");
  }
  if (!(turns > 0 && turns <= kMostTurns)) {
    return refuse(fmt::format("there are {} turns", turns),
                  fmt::format("must be greater than 0 and at most {:g}", kMostTurns));
  }
  Winding piece{Vec3<double>::Zero(), {radius, 0, 0}, {0, radius, 0}, {0, 0, pitch / kTau}};
  piece.to = turns * kTau;
  return make({piece});
}

Result<Curve> Curve::polyline(const std::vector<Vec3<double>>& points, bool closed) {
  if (points.size() < (closed ? 3U : 2U)) {
    return refuse(fmt::format("the polyline has {} points", points.size()),
                  closed ? "it needs at least 3 if closed" : "it needs at least 2");
  }
  std::vector<CurvePiece> pieces;
  pieces.reserve(points.size());
  for (std::size_t i = 0; i + (closed ? 0 : 1) < points.size(); ++i) {
    const Vec3<double>&from = points[i], &to = points[(i + 1) % points.size()];
    pieces.emplace_back(BezierCurve<3>{{weighted<3>(from, 1), weighted<3>(to, 1)}});
  }
  return make(std::move(pieces));
}

Result<Curve> Curve::bezier(const std::vector<Vec3<double>>& points,
                            const std::vector<double>& weights) {
  auto given = homogeneous(points, weights);
  if (!given) return Unexpected{given.error()};
  return make({BezierCurve<3>{*std::move(given)}});
}

Result<Curve> Curve::nurbs(const KnotVector& knots, const std::vector<Vec3<double>>& points,
                           const std::vector<double>& weights) {
  const auto given = homogeneous(points, weights);
  if (!given) return Unexpected{given.error()};
  const auto checked = checked_knots(knots, points.size(), "the curve");
  if (!checked) return Unexpected{checked.error()};
  std::vector<CurvePiece> pieces;
  for (BezierCurve<3>& piece : bezier_pieces<3>(*checked, *given))
    pieces.emplace_back(std::move(piece));
  return make(std::move(pieces));
}

double Curve::slack(int i, bool at_end) const {
  if (!joined(i, at_end)) return 0;
  const int before = at_end ? i : (i + pieces() - 1) % pieces();
  return joint_after(before) == Joint::G2 ? kSmoothSeam : kSeam;
}

double Curve::margin(const CurveLocation& q) const {
  return std::min(q.t + slack(q.piece, false), 1 - q.t + slack(q.piece, true));
}

CurveExit Curve::leave(const CurveLocation& q) const {
  const bool at_end = q.t + slack(q.piece, false) > 1 - q.t + slack(q.piece, true);
  if (!joined(q.piece, at_end)) return CurveEnd{{q.piece, std::clamp(q.t, 0.0, 1.0)}};
  if (at_end) {
    const Link& own = link(q.piece);
    return CurveCrossing{{(q.piece + 1) % pieces(), own.pace * (q.t - 1)}, own.joint};
  }
  const int before = (q.piece + pieces() - 1) % pieces();
  const Link& other = link(before);
  return CurveCrossing{{before, 1 + q.t / other.pace}, other.joint};
}

std::vector<CurveLocation> Curve::seeds() const {
  std::vector<CurveLocation> result;
  for (int i = 0; i < pieces(); ++i) {
    const int n = std::max(3, samples(piece(i)));
    for (int k = 0; k < n; ++k) result.push_back({i, (k + 0.5) / n});
  }
  return result;
}

CurveLocation Curve::near(const Vec3<double>& p) const {
  CurveLocation best;
  double least = std::numeric_limits<double>::infinity();
  for (const CurveLocation& q : seeds()) {
    const double distance = (point(q) - p).squaredNorm();
    if (distance < least) {
      least = distance;
      best = q;
    }
  }
  // Newton's method for the foot of the perpendicular, as long as it comes nearer.
  for (int step = 0; step < 20; ++step) {
    const auto x = jet<2>(best.piece, best.t);
    const Vec3<double> off = x[0] - p;
    const double slope = off.dot(x[1]), along = x[1].squaredNorm();
    const double bend = along + off.dot(x[2]);
    const double by = -slope / (bend > 0.1 * along ? bend : along);
    const CurveLocation next{best.piece, std::clamp(best.t + by, 0.0, 1.0)};
    const double distance = (point(next) - p).squaredNorm();
    if (!(distance < least)) break;
    least = distance;
    best = next;
  }
  return best;
}

// Moments about the start in units of the size, so that all are comparable.
Wire Curve::wire() const {
  using Moments = Vec<double, 10>;
  const Vec3<double> origin = point({0, 0.5});
  Moments sum = Moments::Zero();
  for (const Link& own : links_) {
    const auto moments = [&](double t) {
      const auto x = geometry::jet<1>(own.piece, t);
      const Vec3<double> p = (x[0] - origin) / size_;
      Moments m;
      m << 1, p, p.x() * p.x(), p.y() * p.y(), p.z() * p.z(), p.x() * p.y(), p.y() * p.z(),
          p.z() * p.x();
      return Moments(x[1].norm() * m);
    };
    const int parts = std::max(1, samples(own.piece) / 32);  // so that turns are not aliased
    for (int k = 0; k < parts; ++k) {
      sum += converged_integral(moments, static_cast<double>(k) / parts,
                                static_cast<double>(k + 1) / parts);
    }
  }
  const Vec3<double> centre = sum.segment<3>(1) / sum(0);
  Mat3<double> second;
  second << sum(4), sum(7), sum(9),  //
      sum(7), sum(5), sum(8),        //
      sum(9), sum(8), sum(6);
  second -= sum(0) * centre * centre.transpose();
  return {sum(0), origin + size_ * centre,
          size_ * size_ * (second.trace() * Mat3<double>::Identity() - second)};
}

Box Curve::box() const {
  Box box;
  for (const Link& own : links_) {
    for (int i = 0; i < 3; ++i) {
      const auto furthest = [&](double sign) {
        if (const auto* winding = std::get_if<Winding>(&own.piece)) return reach(*winding, i, sign);
        if (const auto* bezier = std::get_if<BezierCurve<3>>(&own.piece))
          return reach(*bezier, i, sign, kJoined * size_);
        return reach(own.piece, i, sign, 0.5 * kJoined * size_);
      };
      box.high(i) = std::max(box.high(i), furthest(1));
      box.low(i) = std::min(box.low(i), -furthest(-1));
    }
  }
  return box;
}

std::vector<Vec3<double>> Curve::outline(double tolerance) const {
  constexpr int kMost = 1 << 20;
  std::vector<Vec3<double>> result{point({0, 0})};
  for (int i = 0; i < pieces(); ++i) {
    const auto at = [&](double t) { return point({i, t}); };
    int n = samples(piece(i)) == 1 ? 1 : std::max(2, samples(piece(i)) / 8);
    for (bool fine = n == 1; !fine && n < kMost;) {
      double worst = 0;
      for (int k = 0; k < n; ++k) {
        const Vec3<double> a = at(static_cast<double>(k) / n), b = at((k + 1.0) / n);
        for (const double t : {0.31, 0.5, 0.73}) {
          const Vec3<double> off = at((k + t) / n) - a, along = (b - a).normalized();
          worst = std::max(worst, (off - off.dot(along) * along).norm());
        }
      }
      fine = worst <= 0.9 * tolerance;
      if (!fine) n *= 2;
    }
    for (int k = 1; k <= n; ++k) result.push_back(at(static_cast<double>(k) / n));
  }
  return result;
}

}  // namespace oloid::geometry
