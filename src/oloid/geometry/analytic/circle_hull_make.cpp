// Hulls of circles, put together once: curves of normals are traced and cut into strips.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/base/index.h"
#include "oloid/geometry/analytic/circle_hull.h"
#include "oloid/geometry/core/tangents.h"
#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

constexpr double kDegenerate = 1e-6;  // of the size
constexpr double kTraceStep = 0.01;   // in normals, and in points as a part of the size
constexpr double kStripLength = 0.7;  // the same, of one strip

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

// How fast the point on circle i moves as the normal does, with its sign. [m/rad]
double rate(const SupportPair& pair, std::size_t i, const Vec3<double>& n) {
  const FramedCircle& circle = pair.circles[i];
  return circle.radius * tangent_of(circle, n).dot(pair.heading(n)) / pair.radius_across(i, n);
}

Error degenerate(std::string message) {
  return {{}, std::move(message), "move or tilt one of the circles"};
}

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
  const Vec3<double> first = pair.heading(start);
  while (trace.size() < kMost) {
    const Vec3<double>& n = trace.back();
    if (!(pair.ruling(n).norm() > kDegenerate * size)) {
      return Unexpected{degenerate("the circles meet on the surface of their hull")};
    }
    const double fastest =
        std::max({1.0, std::abs(rate(pair, 0, n)) / size, std::abs(rate(pair, 1, n)) / size});
    const double step = kTraceStep / fastest;
    // A step by the mid-point rule, then back onto the curve.
    const Vec3<double> half = corrected(pair, n + 0.5 * step * pair.heading(n));
    const Vec3<double> next = corrected(pair, n + step * pair.heading(half));
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

}  // namespace oloid::geometry
