// A curve of a trimming loop, on the stack: what checks of loops and queries are made of.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "oloid/geometry/bezier/bernstein.h"

namespace oloid::geometry::trimming_loops {

using Point = Vec2<double>;

inline constexpr double kEps = std::numeric_limits<double>::epsilon();
inline constexpr double kJoin = 1e-9;    // ends this near are one point; so far curves may leave
inline constexpr int kMaxHalvings = 60;  // of a curve: down to round-off
inline constexpr std::size_t kMaxPoints = kMaxDegree + 1;

inline double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }

// A rational Bezier curve on the stack: control points (w p, w).
struct LoopCurve {
  std::size_t count;
  std::array<Vec3<double>, kMaxPoints> h;

  Point point(std::size_t i) const { return h[i].head<2>() / h[i].z(); }
  Point start() const { return point(0); }
  Point end() const { return point(count - 1); }
};

struct Halves {
  LoopCurve before, after;
};
Halves halves(const LoopCurve& c);

// The homogeneous curve with two derivatives, from the last three rows of de Casteljau's scheme.
struct LoopJet {
  Vec3<double> h, h1, h2;
};
LoopJet jet(const LoopCurve& c, double t);

struct Box2 {
  Point low, high;
};
Box2 box_of(const LoopCurve& c);
inline double size_of(const Box2& box) { return (box.high - box.low).maxCoeff(); }

// The curve seen from q, which becomes the origin: near q no digits are lost any more.
LoopCurve seen_from(const Point& q, const Vec3<double>* points, std::size_t count);

// Every leg of the control polygon goes forward along the chord, by at least this cosine. If it is
// not negative the curve does not meet itself: its tangent is a positive sum of the legs.
bool goes_forward(const LoopCurve& c, double cosine);

}  // namespace oloid::geometry::trimming_loops
