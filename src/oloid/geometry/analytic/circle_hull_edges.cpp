// Edges of hulls of circles: the arcs, which strips lie beside them, and the tips of cones.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/base/index.h"
#include "oloid/geometry/analytic/circle_hull.h"

namespace oloid::geometry {
namespace {

// How near to the end of an arc, in u, a flank may come. Normals are good to 1e-16 / u² there, the
// point is off by u² / 4 of the size.
constexpr double kArcEnd = 1e-4;
constexpr double kOnArc = 1e-9;  // v on an arc

}  // namespace

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

Location CircleHull::beside(const HullFlank& flank, double s) const {
  const auto circle = at(flank.circle);
  const double angle = flank.angle(s);
  if (flank.run < 0) {
    const FramedCircle& rim = face<DiscFace>(disc_of_[circle])->rim;
    const Vec3<double> out = pair_.circles[circle].at(angle) - rim.centre;
    return {ChartId{disc_of_[circle]},
            {out.dot(rim.a) / rim.radius, out.dot(rim.b) / rim.radius, 0}};
  }
  const Run& run = runs_[circle][at(flank.run)];
  double U = place(circle, run, angle);
  if (!run.closed) U = std::min(U, run.first + run.count - kArcEnd);
  return inside(at(run.loop), U, circle == 0 ? 0 : 1);
}

// The surface goes on to the left of a strip's first border v = 0, taken along u, and of its second
// v = 1, taken against u.
std::vector<Edge> CircleHull::edges() const {
  std::vector<Edge> result;
  if (cones() > 0) {
    for (const int left : {0, 1}) {
      Winding arc = face<HalfCone>(left)->rim;
      std::swap(arc.from, arc.to);
      const auto flank = [](int chart, double from, double to) {
        return ChartSegment{ChartId{chart}, {from, 1}, {to, 1}};
      };
      result.push_back({Curve::make({arc}).value(), flank(left, 1, 0), flank(left + 2, 0, 1)});
    }
    return result;
  }
  for (int i = 0; i < 2; ++i) {
    const FramedCircle& circle = pair_.circles[at(i)];
    const std::vector<Run>& runs = runs_[at(i)];
    // Two runs beside an arc follow each other; a whole circle has two runs, or one and a disc.
    for (int k = 0; k < static_cast<int>(runs.size()); k += 2) {
      const Run& run = runs[at(k)];
      Winding arc{circle.centre, circle.radius * circle.a, circle.radius * circle.b};
      arc.from = i == 0 ? run.from : run.to;
      arc.to = i == 0 ? run.to : run.from;
      const int other = k + 1 < static_cast<int>(runs.size()) ? k + 1 : -1;
      Edge edge{Curve::make({arc}).value(), HullFlank{i, k, arc.from, arc.to},
                HullFlank{i, other, arc.from, arc.to}};
      // Beyond the end of an arc the surface goes on along the ruling that touches the arc there.
      for (const int end : {0, 1}) {
        if (run.closed) break;
        const int strip = (end == 0) == (i == 0) ? run.first : run.first + run.count;
        const Loop& loop = loops_[at(run.loop)];
        const double v = i == 0 ? 0 : 1;
        const ChartSegment line{ChartId{loop.first + strip % loop.count}, {0, v}, {0, 1 - v}};
        const auto on_ruling = [&](double from_arc) {
          return point(inside(at(run.loop), strip, i == 0 ? from_arc : 1 - from_arc));
        };
        edge.beyond[at(end)] = Fading{line, (on_ruling(1) - on_ruling(0)).norm()};
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
      const double v = HalfCone::kTip;
      result.push_back({cone->apex, {ChartSegment{ChartId{i}, {0, v}, {1, v}}}});
    }
  }
  return result;
}

}  // namespace oloid::geometry
