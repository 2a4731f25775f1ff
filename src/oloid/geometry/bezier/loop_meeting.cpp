#include "oloid/geometry/bezier/loop_meeting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

namespace oloid::geometry::trimming_loops {

namespace {

constexpr double kTouch = 1e-11;  // curves that cannot be told apart at this size meet
constexpr double kCorner = 1e-6;  // this near to a common end or a cusp meetings go unnoticed

// Which ends are common is a set of these flags.
enum : unsigned {
  kNone = 0,
  kStartStart = 1,
  kStartEnd = 2,
  kEndStart = 4,
  kEndEnd = 8,
};

// A line separates the control polygons: an axis, or one along or across either chord.
bool separated(const LoopCurve& a, const LoopCurve& b) {
  const auto along = [&](const Point& axis) {
    const auto range = [&](const LoopCurve& c) {
      double low = axis.dot(c.point(0)), high = low;
      for (std::size_t i = 1; i < c.count; ++i) {
        const double x = axis.dot(c.point(i));
        low = std::min(low, x);
        high = std::max(high, x);
      }
      return std::pair(low, high);
    };
    const auto [a_low, a_high] = range(a);
    const auto [b_low, b_high] = range(b);
    return a_high < b_low || b_high < a_low;
  };
  if (along(Point::UnitX()) || along(Point::UnitY())) return true;
  for (const LoopCurve* c : {&a, &b}) {
    const Point chord = (c->end() - c->start()).normalized();
    if (along(chord) || along(Point(-chord.y(), chord.x()))) return true;
  }
  return false;
}

// Directions from an end of a curve to its other control points, as a range of angles.
struct Cone {
  double middle, half_width;
};
std::optional<Cone> cone(const LoopCurve& c, bool from_start) {
  const Point apex = from_start ? c.start() : c.end();
  const Point chord = from_start ? c.end() - apex : c.start() - apex;
  double low = 0, high = 0;
  for (std::size_t i = 0; i < c.count; ++i) {
    const Point p = c.point(i) - apex;
    if (p.norm() <= 4 * kEps) continue;
    const double angle = std::atan2(cross(chord, p), chord.dot(p));
    low = std::min(low, angle);
    high = std::max(high, angle);
  }
  if (high - low > std::numbers::pi) return {};
  return Cone{std::atan2(chord.y(), chord.x()) + 0.5 * (low + high), 0.5 * (high - low)};
}
// With one common end: they meet nowhere else since they go off to different sides.
bool meet_at_common_end_only(const LoopCurve& a, const LoopCurve& b, unsigned common) {
  if (common != kStartStart && common != kStartEnd && common != kEndStart && common != kEndEnd)
    return false;
  const auto cone_a = cone(a, (common & (kStartStart | kStartEnd)) != 0);
  const auto cone_b = cone(b, (common & (kStartStart | kEndStart)) != 0);
  if (!cone_a || !cone_b) return false;
  const double between =
      std::abs(std::remainder(cone_b->middle - cone_a->middle, 2 * std::numbers::pi));
  return between > cone_a->half_width + cone_b->half_width + 1e-12;
}

// All of the curve is near to one of the points.
bool near_corner(const LoopCurve& c, std::span<const Point> corners) {
  return std::any_of(corners.begin(), corners.end(), [&](const Point& corner) {
    for (std::size_t i = 0; i < c.count; ++i)
      if ((c.point(i) - corner).norm() > kCorner) return false;
    return true;
  });
}

// The corners are the common ends of the whole curves of which a and b are parts.
std::optional<Point> meeting(const LoopCurve& a, const LoopCurve& b, unsigned common,
                             std::span<const Point> corners) {
  if (separated(a, b) || meet_at_common_end_only(a, b, common)) return {};
  if (near_corner(a, corners) && near_corner(b, corners)) return {};
  const double size_a = size_of(box_of(a)), size_b = size_of(box_of(b));
  if (std::max(size_a, size_b) <= kTouch) return a.start();
  std::optional<Point> p;
  if (size_a >= size_b) {
    const Halves half = halves(a);
    if (!(p = meeting(half.before, b, common & (kStartStart | kStartEnd), corners)))
      p = meeting(half.after, b, common & (kEndStart | kEndEnd), corners);
  } else {
    const Halves half = halves(b);
    if (!(p = meeting(a, half.before, common & (kStartStart | kEndStart), corners)))
      p = meeting(a, half.after, common & (kStartEnd | kEndEnd), corners);
  }
  return p;
}

}  // namespace

std::optional<Point> meets_itself(const LoopCurve& c, bool closed) {
  if (goes_forward(c, 0) || size_of(box_of(c)) <= kCorner) return {};
  const Halves half = halves(c);
  const std::array corners{half.after.start(), closed ? c.start() : half.after.start()};
  std::optional<Point> p;
  if (!(p = meets_itself(half.before, false)) && !(p = meets_itself(half.after, false)))
    p = meeting(half.before, half.after, closed ? kEndStart | kStartEnd : kEndStart, corners);
  return p;
}

std::optional<Point> meeting(const LoopCurve& a, const LoopCurve& b) {
  const auto near = [](const Point& p, const Point& q) { return (p - q).norm() <= 2 * kJoin; };
  unsigned common = kNone;
  std::array<Point, 4> corners;
  std::size_t count = 0;
  const auto compare = [&](const Point& p, const Point& q, unsigned flag) {
    if (!near(p, q)) return;
    common |= flag;
    corners[count++] = p;
  };
  compare(a.start(), b.start(), kStartStart);
  compare(a.start(), b.end(), kStartEnd);
  compare(a.end(), b.start(), kEndStart);
  compare(a.end(), b.end(), kEndEnd);
  return meeting(a, b, common, {corners.data(), count});
}

}  // namespace oloid::geometry::trimming_loops
