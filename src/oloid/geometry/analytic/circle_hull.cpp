#include "oloid/geometry/analytic/circle_hull.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/base/index.h"
#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/measure/surface_integral.h"
#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

constexpr double kDegenerate = 1e-6;  // of the size
constexpr double kTraceStep = 0.01;   // in normals, and in points as a part of the size
constexpr double kStripLength = 0.7;  // the same, of one strip
// How near to the end of an arc, in u, a flank may come. Normals are good to 1e-16 / u² there, the
// point is off by u² / 4 of the size.
constexpr double kArcEnd = 1e-4;
constexpr double kOnArc = 1e-9;          // v on an arc
constexpr int kSampledRulings = 5;       // of each strip, for near() and seeds()
constexpr double kLongestArc = kPi / 6;  // of a tile

Vec3<double> tangent_of(const FramedCircle& circle, const Vec3<double>& n) {
  return circle.n.cross(n).normalized();
}

// Puts a direction back onto F = 0.
Vec3<double> corrected(const SupportPair& pair, Vec3<double> n) {
  for (int i = 0; i < 8; ++i) {
    n.normalize();
    const Vec3<double> g = pair.ruling(n);
    n -= pair.F(n) / g.squaredNorm() * g;
  }
  return n.normalized();
}

// Along F = 0 such that c_u × c_v will point outwards: on a convex body normals turn the way that
// the point moves.
Vec3<double> heading(const SupportPair& pair, const Vec3<double>& n) {
  return pair.ruling(n).cross(n).normalized();
}

// How fast the point on circle i moves as the normal does, with its sign. [m/rad]
double rate(const SupportPair& pair, std::size_t i, const Vec3<double>& n) {
  const FramedCircle& circle = pair.circles[i];
  return circle.radius * tangent_of(circle, n).dot(heading(pair, n)) / pair.radius_across(i, n);
}

Error degenerate(std::string message) {
  return {{}, std::move(message), "move or tilt one of the circles"};
}

}  // namespace

// --- SupportPair ---------------------------------------------------------------------------------

Vec3<double> SupportPair::point(std::size_t i, const Vec3<double>& n) const {
  const FramedCircle& c = circles[i];
  const double s = radius_across(i, n);
  return c.centre + c.radius / s * (n.dot(c.a) * c.a + n.dot(c.b) * c.b);
}

double SupportPair::F(const Vec3<double>& n) const {
  return (circles[1].centre - circles[0].centre).dot(n) + circles[1].radius * radius_across(1, n) -
         circles[0].radius * radius_across(0, n);
}

// --- RulingStrip ---------------------------------------------------------------------------------

std::optional<RulingStrip> RulingStrip::make(const SupportPair& pair, const Vec3<double>& from,
                                             const Vec3<double>& middle, const Vec3<double>& to) {
  constexpr double kWidest = 0.7;  // of |x|: the tangent of 35°
  constexpr double kStartError = 1e-4;
  RulingStrip strip;
  const Vec3<double> along = heading(pair, middle);
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

// --- CircleHull: making --------------------------------------------------------------------------

namespace {

Result<FramedCircle> framed(const Circle& circle, const char* which) {
  if (!(circle.radius > 0 && std::isfinite(circle.radius))) {
    return refuse(fmt::format("the radius of the {} circle is {}", which, circle.radius),
                  "must be a length in metres greater than 0");
  }
  if (!circle.axis.allFinite() || !(circle.axis.norm() > 0)) {
    return refuse(fmt::format("the axis of the {} circle has no direction", which),
                  "specify three numbers, not all 0");
  }
  if (!circle.centre.allFinite()) {
    return refuse(fmt::format("the centre of the {} circle is not finite", which),
                  "use finite numbers");
  }
  const Crosswise across = crosswise(circle.axis);
  return FramedCircle{circle.centre, across.a, across.b, circle.axis.normalized(), circle.radius};
}

// Where F changes sign on the great circle through both axes. Every closed curve F = 0 separates
// some of the four directions ±n₁, ±n₂ from the others (docs/theory/surfaces.md section 5), so it
// is among these; between two of them F is a cos ψ + b sin ψ with one zero at most.
std::vector<Vec3<double>> crossings(const SupportPair& pair) {
  const Vec3<double> n = pair.circles[0].n, other = pair.circles[1].n;
  const Vec3<double> off = other - other.dot(n) * n;
  const Vec3<double> m = off.norm() > 1e-12 ? Vec3<double>(off.normalized()) : pair.circles[0].a;
  const auto direction = [&](double angle) {
    return Vec3<double>(std::cos(angle) * n + std::sin(angle) * m);
  };
  const double between = std::atan2(other.dot(m), other.dot(n));  // 0 to π
  std::array<double, 5> corners{0, between, kPi, between + kPi, 2 * kPi};
  std::vector<Vec3<double>> result;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    double low = corners[i], high = corners[i + 1];
    const bool rising = pair.F(direction(low)) < 0;
    if ((pair.F(direction(high)) < 0) == rising) continue;
    for (int k = 0; k < 100; ++k) {
      const double middle = 0.5 * (low + high);
      ((pair.F(direction(middle)) < 0) == rising ? low : high) = middle;
    }
    result.push_back(corrected(pair, direction(0.5 * (low + high))));
  }
  return result;
}

// A closed curve F = 0 by many normals, the last next to the first.
using Trace = std::vector<Vec3<double>>;
Result<Trace> traced(const SupportPair& pair, const Vec3<double>& start, double size) {
  constexpr std::size_t kMost = 200000;
  Trace trace{start};
  const Vec3<double> first = heading(pair, start);
  while (trace.size() < kMost) {
    const Vec3<double>& n = trace.back();
    if (!(pair.ruling(n).norm() > kDegenerate * size)) {
      return Unexpected{degenerate("the circles meet on the surface of their hull")};
    }
    const double fastest =
        std::max({1.0, std::abs(rate(pair, 0, n)) / size, std::abs(rate(pair, 1, n)) / size});
    const double step = kTraceStep / fastest;
    // A step by the mid-point rule, then back onto the curve.
    const Vec3<double> half = corrected(pair, n + 0.5 * step * heading(pair, n));
    const Vec3<double> next = corrected(pair, n + step * heading(pair, half));
    if (trace.size() > 8 && (next - start).norm() < 2 * step && (n - start).dot(first) < 0 &&
        (next - start).dot(first) >= 0) {
      return trace;
    }
    trace.push_back(next);
  }
  return Unexpected{degenerate("one circle nearly touches the plane of the other")};
}

bool lies_on(const Trace& trace, const Vec3<double>& n) {
  for (std::size_t k = 0; k < trace.size(); ++k) {
    const Vec3<double>&a = trace[k], &b = trace[(k + 1) % trace.size()];
    const double t = std::clamp((n - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    if ((a + t * (b - a) - n).norm() < 2e-4) return true;
  }
  return false;
}

}  // namespace

Result<CircleHull> CircleHull::of_circles(const Circle& first, const Circle& second) {
  const auto a = framed(first, "first"), b = framed(second, "second");
  if (!a) return Unexpected{a.error()};
  if (!b) return Unexpected{b.error()};
  CircleHull hull;
  hull.pair_.circles = {*a, *b};
  for (const FramedCircle& c : hull.pair_.circles) {
    const Vec3<double> reach =
        c.radius * (Vec3<double>::Ones() - c.n.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
    hull.box_.add(Box{c.centre - reach, c.centre + reach});
    const double across = std::hypot(c.centre.dot(c.a), c.centre.dot(c.b));
    hull.radius_ = std::max(hull.radius_, std::sqrt(c.centre.squaredNorm() + c.radius * c.radius +
                                                    2 * c.radius * across));
  }
  hull.size_ = 0.5 * hull.box_.size().norm();
  constexpr double kFarthest = 1e4;  // beyond, integrals lose too many digits
  if (hull.radius_ > kFarthest * hull.size_) {
    return refuse(
        fmt::format("the circles are {:g} m from the origin of their frame", hull.radius_),
        "define them near the origin, and place the shape by its position");
  }
  if (!(std::min(a->radius, b->radius) > kDegenerate * hull.size_)) {
    return Unexpected{Error{{},
                            fmt::format("the radii are {:g} m and {:g} m, {:g} m apart", a->radius,
                                        b->radius, (b->centre - a->centre).norm()),
                            "radii must be at least 1e-6 of the body's size"}};
  }
  const double apart = std::max(std::abs((b->centre - a->centre).dot(a->n)),
                                std::abs((a->centre - b->centre).dot(b->n)));
  if (std::max(a->n.cross(b->n).norm(), apart / hull.size_) < kDegenerate) {
    return Unexpected{degenerate("the circles are coplanar: their hull is flat")};
  }
  for (std::size_t i = 0; i < 2; ++i) {
    for (const double side : {1.0, -1.0}) {
      const double F = hull.pair_.F(side * hull.pair_.circles[i].n);
      if (std::abs(F) < kDegenerate * hull.size_) {
        return Unexpected{degenerate(fmt::format("the plane of the {} circle touches the other",
                                                 i == 0 ? "first" : "second"))};
      }
      if ((F < 0) == (i == 0)) hull.add_disc(i, side);
    }
  }
  std::vector<Trace> known;
  for (const Vec3<double>& start : crossings(hull.pair_)) {
    const auto passes = [&](const Trace& trace) { return lies_on(trace, start); };
    if (std::any_of(known.begin(), known.end(), passes)) continue;
    auto trace = traced(hull.pair_, start, hull.size_);
    if (!trace) return Unexpected{trace.error()};
    if (auto error = hull.add_loop(*trace)) return Unexpected{*std::move(error)};
    known.push_back(*std::move(trace));
  }
  // A closed surface has no mean normal.
  Vec3<double> flux = Vec3<double>::Zero();
  for (int i = 0; i < hull.charts(); ++i) {
    if (const auto* disc = hull.face<DiscFace>(i)) {
      flux += kPi * disc->rim.radius * disc->rim.radius * disc->rim.n;
    } else {
      flux += converged_integral(
          [&](double u) {
            const Jet<double, 1> c = hull.jet<1>(i, Uv<double>(u, 0.5));
            return Vec3<double>(c.d(1, 0).cross(c.d(0, 1)));
          },
          0, 1);
    }
  }
  if (hull.loops_.empty() || !(flux.norm() < 1e-8 * hull.size_ * hull.size_)) {
    return Unexpected{degenerate("the hull of the circles is nearly degenerate")};
  }
  return hull;
}

Result<CircleHull> CircleHull::oloid(double radius, double distance) {
  if (!(distance > 0 && std::isfinite(distance))) {
    return refuse(fmt::format("the distance between the centres is {}", distance),
                  "must be a length in metres greater than 0");
  }
  return of_circles({{0, -distance / 2, 0}, {0, 0, 1}, radius},
                    {{0, distance / 2, 0}, {1, 0, 0}, radius});
}

// Cones meet along rulings at the same end of u, each seen from its own apex.
Result<CircleHull> CircleHull::sphericon(double radius) {
  if (!(radius > 0 && std::isfinite(radius))) {
    return refuse(fmt::format("radius is {}", radius), "must be a length in metres greater than 0");
  }
  CircleHull hull;
  const double r = radius;
  const auto half_circle = [r](const Vec3<double>& from, const Vec3<double>& middle) {
    Winding rim{Vec3<double>::Zero(), r * from, r * middle};
    rim.to = kPi;
    return rim;
  };
  const Vec3<double> x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  hull.charts_.push_back({HalfCone{r * z, half_circle(-y, -x)}, {3, 1}});
  hull.charts_.push_back({HalfCone{r * y, half_circle(-z, x)}, {2, 0}});
  hull.charts_.push_back({HalfCone{-r * z, half_circle(y, -x)}, {1, 3}});
  hull.charts_.push_back({HalfCone{-r * y, half_circle(z, x)}, {0, 2}});
  hull.size_ = std::sqrt(3) * r;
  hull.radius_ = r;
  hull.box_ = {Vec3<double>::Constant(-r), Vec3<double>::Constant(r)};
  return hull;
}

void CircleHull::add_disc(std::size_t circle, double side) {
  FramedCircle rim = pair_.circles[circle];
  rim.n *= side;
  rim.b *= side;
  disc_of_[circle] = charts();
  charts_.push_back({DiscFace{rim}});
}

std::optional<Error> CircleHull::add_loop(const std::vector<Vec3<double>>& trace) {
  const auto nodes = static_cast<double>(trace.size());
  // The normal at a place along the trace, counted in nodes.
  const auto normal = [&](double place) {
    const double whole = std::floor(place), part = place - whole;
    const auto k = static_cast<std::size_t>(whole) % trace.size();
    return corrected(pair_, (1 - part) * trace[k] + part * trace[(k + 1) % trace.size()]);
  };
  struct Turn {
    double place;
    std::size_t circle;
  };
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto forwards = [&](double place) { return rate(pair_, i, normal(place)) >= 0; };
    bool before = forwards(0);
    for (std::size_t k = 0; k < trace.size(); ++k) {
      double low = static_cast<double>(k), high = low + 1;
      const bool after = k + 1 == trace.size() ? forwards(0) : forwards(high);
      if (after != before) {
        for (int n = 0; n < 60; ++n) {
          const double middle = 0.5 * (low + high);
          (forwards(middle) == before ? low : high) = middle;
        }
        turns.push_back({0.5 * (low + high), i});
      }
      before = after;
    }
  }
  std::sort(turns.begin(), turns.end(),
            [](const Turn& a, const Turn& b) { return a.place < b.place; });
  for (std::size_t k = 0; k < turns.size(); ++k) {
    const double next = k + 1 < turns.size() ? turns[k + 1].place : turns[0].place + nodes;
    if (next - turns[k].place < 1e-4) {
      return degenerate("the arcs of both circles end on the same ruling");
    }
  }
  Loop loop{charts(), 0};
  const auto strip = [&](const auto& self, double from, double to, int depth) -> bool {
    const double middle = 0.5 * (from + to);
    if (auto made = RulingStrip::make(pair_, normal(from), normal(middle), normal(to))) {
      charts_.push_back({*made});
      ++loop.count;
      return true;
    }
    return depth > 0 && self(self, from, middle, depth - 1) && self(self, middle, to, depth - 1);
  };
  const std::size_t parts = std::max<std::size_t>(1, turns.size());
  for (std::size_t k = 0; k < parts; ++k) {
    const double from = turns.empty() ? 0 : turns[k].place;
    const double to = turns.empty()          ? nodes
                      : k + 1 < turns.size() ? turns[k + 1].place
                                             : turns[0].place + nodes;
    if (!turns.empty()) loop.turns[turns[k].circle].push_back(loop.count);
    const int n = std::max(turns.empty() ? 4 : 1,
                           static_cast<int>(std::ceil((to - from) * kTraceStep / kStripLength)));
    for (int i = 0; i < n; ++i) {
      constexpr int kDeepest = 12;
      if (!strip(strip, from + (to - from) * i / n, from + (to - from) * (i + 1) / n, kDeepest))
        return degenerate("the hull of the circles is nearly degenerate");
    }
  }
  for (int k = 0; k < loop.count; ++k) {
    Chart& chart = charts_[at(loop.first + k)];
    chart.beyond = {loop.first + (k + loop.count - 1) % loop.count,
                    loop.first + (k + 1) % loop.count};
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (loop.turns[i].size() != 0 && loop.turns[i].size() != 2) {
      return degenerate("the hull of the circles is nearly degenerate");
    }
    for (const int k : loop.turns[i]) {
      charts_[at(loop.first + k)].arc_ends[i][0] = true;
      charts_[at(loop.first + (k + loop.count - 1) % loop.count)].arc_ends[i][1] = true;
    }
  }
  loops_.push_back(loop);
  for (std::size_t i = 0; i < 2; ++i) add_runs(i, loops_.size() - 1);
  return std::nullopt;
}

// Between the ends of its arc, or once round the circle.
void CircleHull::add_runs(std::size_t circle, std::size_t index) {
  const Loop& loop = loops_[index];
  const FramedCircle& c = pair_.circles[circle];
  const auto angle_at = [&](int strip, double u) {
    const Vec3<double> n = face<RulingStrip>(loop.first + strip % loop.count)->normal(u);
    return c.angle_of(n);
  };
  const std::vector<int>& turns = loop.turns[circle];
  const std::size_t n = turns.empty() ? 1 : 2;
  double angle = turns.empty() ? angle_at(0, 0) : angle_at(turns[0], 0);
  for (std::size_t k = 0; k < n; ++k) {
    Run run{static_cast<int>(index),
            turns.empty() ? 0 : turns[k],
            loop.count,
            angle,
            angle,
            true,
            turns.empty()};
    if (!turns.empty()) run.count = k == 0 ? turns[1] - turns[0] : loop.count - turns[1] + turns[0];
    for (int i = 0; i < run.count; ++i) {  // strips are shorter than half a turn
      run.to += std::remainder(angle_at(run.first + i, 1) - run.to, 2 * kPi);
    }
    if (turns.empty()) run.to = run.from + std::copysign(2 * kPi, run.to - run.from);
    // The plane that belongs to this run, where they are farthest apart.
    const int middle = run.first + run.count / 2;
    const double there = angle_at(middle, 0.5);
    const Vec3<double> normal =
        face<RulingStrip>(loop.first + middle % loop.count)->normal(0.5).normalized();
    run.upper = (tangent_plane(circle, there, true) - normal).norm() <
                (tangent_plane(circle, there, false) - normal).norm();
    angle = run.to;
    runs_[circle].push_back(run);
  }
}

// The normals n = cos α ρ + sin α n_i of planes through the tangent of a circle, at the point with
// radial direction ρ, that touch the other circle j: with q the point seen from its centre,
//   (q·n)² = r_j² (1 − (n·n_j)²), a quadratic form in (cos α, sin α) with two null directions.
Vec3<double> CircleHull::tangent_plane(std::size_t circle, double angle, bool upper) const {
  const FramedCircle &own = pair_.circles[circle], &other = pair_.circles[1 - circle];
  const Vec3<double> radial = std::cos(angle) * own.a + std::sin(angle) * own.b;
  const Vec3<double> q = own.centre + own.radius * radial - other.centre;
  const double q_r = q.dot(radial), q_n = q.dot(own.n);
  const double o_r = radial.dot(other.n), o_n = own.n.dot(other.n);
  const double rr = other.radius * other.radius;
  const double A = q_r * q_r - rr * (1 - o_r) * (1 + o_r);
  const double B = q_r * q_n + rr * o_r * o_n;
  const double C = q_n * q_n - rr * (1 - o_n) * (1 + o_n);
  const double root = (upper ? 1 : -1) * std::sqrt(std::max(0.0, B * B - A * C));
  Vec2<double> w(C, -B + root), same(-B - root, A);
  if (same.squaredNorm() > w.squaredNorm()) w = same;
  if (w.x() < 0) w = -w;
  return (w.x() * radial + w.y() * own.n).normalized();
}

// Where along its loop, counted in strips, a run passes an angle.
double CircleHull::place(std::size_t circle, const Run& run, double angle) const {
  const Loop& loop = loops_[at(run.loop)];
  if (angle == run.from) return run.first;
  if (angle == run.to) return run.first + run.count;
  const Vec3<double> n = tangent_plane(circle, angle, run.upper);
  double best = run.first, least = std::numeric_limits<double>::infinity();
  for (int k = run.first; k < run.first + run.count; ++k) {
    const RulingStrip& strip = *face<RulingStrip>(loop.first + k % loop.count);
    if (!strip.faces(n)) continue;
    const double u = std::clamp(strip.u_of(n), 0.0, 1.0);
    const double off = (strip.normal(u).normalized() - n).squaredNorm();
    if (off < least) {
      least = off;
      best = k + u;
    }
  }
  return best;
}

// At an arc's end, where the surface has no normal, a little before it: the point is the same.
Location CircleHull::inside(std::size_t index, double U, double v) const {
  const Loop& loop = loops_[index];
  const double whole = std::floor(U);
  double u = U - whole;
  const int chart = loop.first + static_cast<int>(whole) % loop.count;
  const Chart& here = charts_[at(chart)];
  for (std::size_t circle = 0; circle < 2; ++circle) {
    const double from_circle = circle == 0 ? v : 1 - v;
    if (from_circle >= kOnArc) continue;
    if (here.arc_ends[circle][0]) u = std::max(u, kArcEnd);
    if (here.arc_ends[circle][1]) u = std::min(u, 1 - kArcEnd);
  }
  return {ChartId{chart}, {u, v, 0}};
}

// --- CircleHull: as an atlas ---------------------------------------------------------------------

double CircleHull::margin(const Location& q) const {
  const double u = q.x(0), v = q.x(1);
  if (is_disc(q.chart.index)) return 1 - std::hypot(u, v);
  const bool cone = face<HalfCone>(q.chart.index) != nullptr;
  const double slack = cone ? kSeam : kSmoothSeam, tip = cone ? HalfCone::kTip : 0;
  return std::min({u + slack, 1 - u + slack, v - tip, 1 - v});
}

ChartExit CircleHull::leave(const Location& q) const {
  const double u = q.x(0), v = q.x(1);
  if (is_disc(q.chart.index)) {
    return OpenEdge{{q.chart, q.x / std::max(1.0, std::hypot(u, v))}, Border::edge};
  }
  if (const auto* cone = face<HalfCone>(q.chart.index)) {
    const double across = std::min(v - HalfCone::kTip, 1 - v);
    if (across < 0 || across < std::min(u, 1 - u) + kSeam) {
      const bool tip = v - HalfCone::kTip < 1 - v;
      const Location border{q.chart,
                            {std::clamp(u, 0.0, 1.0), std::clamp(v, HalfCone::kTip, 1.0), 0}};
      return OpenEdge{border, tip ? Border::tip : Border::edge};
    }
    // The same ruling from its other end; across it as the common tangent plane says.
    const int end = u > 0.5 ? 1 : 0, next = charts_[at(q.chart.index)].beyond[at(end)];
    const Uv<double> here(end, v), there(end, 1 - v);
    const MeasuredJoint joint = measured_joint(cone->jet<2>(here), jet<2>(next, there), size_);
    Location to{ChartId{next}};
    to.x.head<2>() = there + joint.rates * Uv<double>(u - end, 0);
    return Crossing{to, joint.joint};
  }
  const double across = std::min(v, 1 - v);
  if (across < 0 || across < std::min(u, 1 - u) + kSmoothSeam) {
    return OpenEdge{{q.chart, {std::clamp(u, 0.0, 1.0), std::clamp(v, 0.0, 1.0), 0}}, Border::edge};
  }
  const Vec3<double> n = face<RulingStrip>(q.chart.index)->normal(u);
  int next = q.chart.index;
  double there = u;
  for (int k = 0; k == 0 || (k < 8 && std::min(there, 1 - there) + kSmoothSeam < 0); ++k) {
    next = charts_[at(next)].beyond[there > 0.5 ? 1 : 0];
    there = face<RulingStrip>(next)->u_of(n);
  }
  return Crossing{{ChartId{next}, {there, v, 0}}, Joint::G2};
}

std::vector<Location> CircleHull::seeds() const {
  std::vector<Location> result;
  for (int i = 0; i < charts(); ++i) {
    const ChartId chart{i};
    if (is_disc(i)) {
      result.push_back({chart, {0, 0, 0}});
      for (int k = 0; k < 6; ++k)
        result.push_back({chart, {0.7 * std::cos(kPi * k / 3), 0.7 * std::sin(kPi * k / 3), 0}});
      continue;
    }
    for (int k = 0; k < kSampledRulings; k += 2) {
      for (const double v : {0.15, 0.5, 0.85})
        result.push_back({chart, {(k + 0.5) / kSampledRulings, v, 0}});
    }
  }
  return result;
}

// The nearest point of some rulings of each strip.
Location CircleHull::near(const Vec3<double>& p) const {
  constexpr double kInside = 0.01;
  Location best;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](const Location& q) {
    const double distance = (point(q) - p).squaredNorm();
    if (distance >= least) return;
    least = distance;
    best = q;
  };
  for (int i = 0; i < charts(); ++i) {
    if (const auto* disc = face<DiscFace>(i)) {
      const FramedCircle& rim = disc->rim;
      const Vec3<double> off = (p - rim.centre) / rim.radius;
      Vec3<double> q(off.dot(rim.a), off.dot(rim.b), 0);
      q *= std::min(1.0, (1 - kInside) / std::max(q.norm(), kInside));
      offer({ChartId{i}, q});
      continue;
    }
    for (int k = 0; k < kSampledRulings; ++k) {
      const double u = (k + 0.5) / kSampledRulings;
      const Jet<double, 1> start = jet<1>(i, Uv<double>(u, 0));
      const Vec3<double>& ruling = start.d(0, 1);
      const double v = ruling.dot(p - start.d(0, 0)) / ruling.squaredNorm();
      offer({ChartId{i}, {u, std::clamp(v, kInside, 1 - kInside), 0}});
    }
  }
  return best;
}

// Strips and cones are of degree 1 in v, the integrands at most of degree 5: three points are
// exact.
Result<Solid> CircleHull::solid() const {
  static const GaussRule across = gauss_legendre(3);
  using Moments = Vec<double, 10>;
  const Vec3<double> origin = box_.centre();
  Moments sum = Moments::Zero();
  const auto packed = [](const SurfaceIntegral& m) {
    Moments all;
    all << m.volume, m.first, m.second(0, 0), m.second(1, 1), m.second(2, 2), m.second(0, 1),
        m.second(1, 2), m.second(2, 0);
    return all;
  };
  for (int i = 0; i < charts(); ++i) {
    if (const auto* disc = face<DiscFace>(i)) {
      // x·n is constant over the face, ∫ x xᵀ dA = A (c cᵀ + r² (a aᵀ + b bᵀ) / 4).
      const double r = disc->rim.radius / size_, area = kPi * r * r;
      const Vec3<double> c = (disc->rim.centre - origin) / size_;
      const double height = c.dot(disc->rim.n);
      SurfaceIntegral m;
      m.volume = height * area / 3;
      m.first = height * area / 4 * c;
      m.second = height * area / 5 *
                 (c * c.transpose() +
                  r * r / 4 * (Mat3<double>::Identity() - disc->rim.n * disc->rim.n.transpose()));
      sum += packed(m);
      continue;
    }
    sum += converged_integral(
        [&](double u) {
          SurfaceIntegral m;
          for (std::size_t k = 0; k < across.points.size(); ++k) {
            const Jet<double, 1> c = jet<1>(i, Uv<double>(u, across.points[k]));
            m.add((c.d(0, 0) - origin) / size_,
                  across.weights[k] / (size_ * size_) * c.d(1, 0).cross(c.d(0, 1)));
          }
          return packed(m);
        },
        0, 1);
  }
  SurfaceIntegral all;
  const double cube = size_ * size_ * size_;
  all.volume = cube * sum(0);
  all.first = cube * size_ * sum.segment<3>(1);
  all.second << sum(4), sum(7), sum(9),  //
      sum(7), sum(5), sum(8),            //
      sum(9), sum(8), sum(6);
  all.second *= cube * size_ * size_;
  return all.solid(origin);
}

// --- CircleHull: edges and tiles -----------------------------------------------------------------

// The surface goes on to the left of a strip's first border v = 0, taken along u, and of its second
// v = 1, taken against u.
std::vector<Edge> CircleHull::edges() const {
  const auto hull = std::make_shared<const CircleHull>(*this);
  std::vector<Edge> result;
  if (cones() > 0) {
    for (const int left : {0, 1}) {
      Winding arc = face<HalfCone>(left)->rim;
      std::swap(arc.from, arc.to);
      const auto flank = [](int chart, double from, double to) -> EdgeFlank {
        return [=](double s) { return Location{ChartId{chart}, {from + (to - from) * s, 1, 0}}; };
      };
      result.push_back({Curve::make({arc}).value(), flank(left, 1, 0), flank(left + 2, 0, 1)});
    }
    return result;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const FramedCircle& circle = pair_.circles[i];
    // Two runs beside an arc follow each other; a whole circle has two runs, or one and a disc.
    for (std::size_t k = 0; k < runs_[i].size(); k += 2) {
      const Run& run = runs_[i][k];
      Winding arc{circle.centre, circle.radius * circle.a, circle.radius * circle.b};
      arc.from = i == 0 ? run.from : run.to;
      arc.to = i == 0 ? run.to : run.from;
      const auto angle = [from = arc.from, to = arc.to](double s) {
        return s == 1 ? to : from + (to - from) * s;
      };
      const auto beside = [&](const Run& own) -> EdgeFlank {
        return [hull, i, own, angle](double s) {
          double U = hull->place(i, own, angle(s));
          if (!own.closed) U = std::min(U, own.first + own.count - kArcEnd);
          return hull->inside(at(own.loop), U, i == 0 ? 0 : 1);
        };
      };
      Edge edge{Curve::make({arc}).value(), beside(run)};
      if (k + 1 < runs_[i].size()) {
        edge.right = beside(runs_[i][k + 1]);
      } else {
        edge.right = [hull, i, angle, disc = disc_of_[i]](double s) {
          const FramedCircle& rim = hull->face<DiscFace>(disc)->rim;
          const Vec3<double> out = hull->pair_.circles[i].at(angle(s)) - rim.centre;
          return Location{ChartId{disc},
                          {out.dot(rim.a) / rim.radius, out.dot(rim.b) / rim.radius, 0}};
        };
      }
      // Beyond the end of an arc the surface goes on along the ruling that touches the arc there.
      for (const int end : {0, 1}) {
        if (run.closed) break;
        const double U = (end == 0) == (i == 0) ? run.first : run.first + run.count;
        const auto across = [hull, i, loop = at(run.loop), U](double part) {
          return hull->inside(loop, U, i == 0 ? part : 1 - part);
        };
        const double length = (point(across(1)) - point(across(0))).norm();
        edge.beyond[at(end)] = [=](double distance) {
          return across(std::min(distance / length, 0.5));
        };
      }
      result.push_back(std::move(edge));
    }
  }
  return result;
}

std::vector<Tip> CircleHull::tips() const {
  std::vector<Tip> result;
  for (int i = 0; i < charts(); ++i) {
    if (const auto* cone = face<HalfCone>(i)) {
      result.push_back({cone->apex, [i](double s) {
                          return Location{ChartId{i}, {s, HalfCone::kTip, 0}};
                        }});
    }
  }
  return result;
}

// An arc is run through by its phase, from −π/2 to π/2, a whole circle from 0 to 2π: near the end
// of an arc U grows like the root of the angle, so that it is a smooth function of the phase.
double CircleHull::angle_at(const Run& run, double phase) const {
  if (run.closed) return phase;
  if (std::abs(phase) == kPi / 2) return phase < 0 ? run.from : run.to;
  return 0.5 * (run.from + run.to) + 0.5 * (run.to - run.from) * std::sin(phase);
}

// Phases that both sides of an arc divide it at.
std::vector<double> CircleHull::stations(const Run& run) const {
  const double from = run.closed ? 0 : -kPi / 2;
  const double to = run.closed ? std::copysign(2 * kPi, run.to - run.from) : kPi / 2;
  const double speed = run.closed ? 1 : 0.5 * std::abs(run.to - run.from);
  const int n =
      std::max(2, static_cast<int>(std::ceil(speed * std::abs(to - from) / kLongestArc - 1e-9)));
  std::vector<double> phases;
  phases.reserve(at(n) + 1);
  for (int k = 0; k < n; ++k) phases.push_back(from + (to - from) * k / n);
  phases.push_back(to);
  return phases;
}

// Between the borders of a strip lie triangles, each with one side on an arc, along which the phase
// runs evenly, and two straight ones in (U, v). Both sides of an arc have the same stations.
void CircleHull::ladder(const std::shared_ptr<const CircleHull>& hull, std::size_t index,
                        std::vector<Tile>& tiles) const {
  struct Rung {
    double from, to;    // U at both ends
    double start, end;  // the phase there
    const Run* run;
  };
  std::array<std::vector<Rung>, 2> rungs;
  const double count = loops_[index].count;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const Run& run : runs_[i]) {
      if (at(run.loop) != index) continue;
      const std::vector<double> phases = stations(run);
      const auto U = [&](double phase) { return place(i, run, angle_at(run, phase)); };
      for (std::size_t k = 0; k + 1 < phases.size(); ++k) {
        rungs[i].push_back({U(phases[k]), U(phases[k + 1]), phases[k], phases[k + 1], &run});
        // U goes on growing over the end of the loop.
        Rung& last = rungs[i].back();
        if (k > 0) last.from = rungs[i][rungs[i].size() - 2].to;
        if (last.to < last.from) last.to += count;
      }
    }
  }
  // Both borders once round, beginning with the first rung; the second border's next rung after it.
  std::size_t b = 0;
  const double start = rungs[0][0].from;
  for (std::size_t k = 0; k < rungs[1].size(); ++k) {
    const auto ahead = [&](std::size_t j) {
      return rungs[1][j].from - start - count * std::floor((rungs[1][j].from - start) / count);
    };
    if (ahead(k) < ahead(b)) b = k;
  }
  // Added to U of the second border, so that it follows the first.
  const double turn = count * -std::floor((rungs[1][b].from - start) / count);
  std::size_t i = 0, j = 0;  // rungs passed
  while (i < rungs[0].size() || j < rungs[1].size()) {
    const auto passed = [&](std::size_t side, std::size_t k) {  // the rung, and whole turns so far
      const std::size_t m = (side == 0 ? 0 : b) + k, turns = m / rungs[side].size();
      return std::pair(rungs[side][m % rungs[side].size()],
                       (side == 0 ? 0 : turn) + count * static_cast<double>(turns));
    };
    const auto [below, shift_below] = passed(0, i);
    const auto [above, shift_above] = passed(1, j);
    const bool on_first = j >= rungs[1].size() ||
                          (i < rungs[0].size() && below.to + shift_below <= above.to + shift_above);
    const std::size_t side = on_first ? 0 : 1;
    const Rung rung = on_first ? below : above;
    const double shift = on_first ? shift_below : shift_above;
    const double apex = on_first ? above.from + shift_above : below.from + shift_below;
    const Run run = *rung.run;
    tiles.push_back(
        {[=](double s, double t) {
           const double part = t < 1 ? s / (1 - t) : 0;
           const double along = on_first ? part : 1 - part;
           const double angle = hull->angle_at(run, rung.start + along * (rung.end - rung.start));
           double U = along <= 0 ? rung.from : along >= 1 ? rung.to : hull->place(side, run, angle);
           U += count * std::round((0.5 * (rung.from + rung.to) - U) / count);
           return hull->inside(index, (1 - t) * (U + shift) + t * apex, on_first ? t : 1 - t);
         },
         3});
    ++(on_first ? i : j);
  }
}

std::vector<Tile> CircleHull::tiles(double /*reach*/) const {
  const auto hull = std::make_shared<const CircleHull>(*this);
  std::vector<Tile> result;
  for (std::size_t k = 0; k < loops_.size(); ++k) ladder(hull, k, result);
  for (int i = 0; i < charts(); ++i) {
    if (face<HalfCone>(i)) {
      result.push_back({[i](double s, double t) { return Location{ChartId{i}, {s, t, 0}}; }});
    }
  }
  for (std::size_t c = 0; c < 2; ++c) {
    if (disc_of_[c] < 0) continue;
    const FramedCircle& rim = face<DiscFace>(disc_of_[c])->rim;
    // Stations as on the strip, taken counter-clockwise seen from outside.
    const double sense = rim.b.dot(pair_.circles[c].b) > 0 ? 1 : -1;
    std::vector<double> angles = stations(runs_[c][0]);
    if ((angles.back() > 0) != (sense > 0)) std::reverse(angles.begin(), angles.end());
    for (std::size_t k = 0; k + 1 < angles.size(); ++k) {
      const double from = sense * angles[k], to = sense * angles[k + 1];
      result.push_back({[chart = disc_of_[c], from, to](double s, double t) {
                          const double part = t < 1 ? s / (1 - t) : 0;
                          const double at_rim = from + part * (to - from);
                          return Location{
                              ChartId{chart},
                              {(1 - t) * std::cos(at_rim), (1 - t) * std::sin(at_rim), 0}};
                        },
                        3});
    }
  }
  return result;
}

}  // namespace oloid::geometry
