#include "oloid/geometry/bezier/loop_curve.h"

namespace oloid::geometry::trimming_loops {

Halves halves(const LoopCurve& c) {
  Halves result;
  result.before.count = result.after.count = c.count;
  for (std::size_t i = 0; i < c.count; ++i) result.after.h[i] = c.h[i];
  split_at(0.5, c.count, result.before.h, result.after.h);
  return result;
}

LoopJet jet(const LoopCurve& c, double t) {
  std::array<Vec3<double>, kMaxPoints> b;
  b[0] = c.h[0];
  for (std::size_t i = 1; i < c.count; ++i) b[i] = c.h[i];
  const double n = static_cast<double>(c.count - 1);
  LoopJet result;
  result.h2.setZero();
  for (std::size_t left = c.count; left > 1; --left) {
    if (left == 3) result.h2 = n * (n - 1) * (b[2] - 2 * b[1] + b[0]);
    if (left == 2) result.h1 = n * (b[1] - b[0]);
    for (std::size_t i = 0; i + 1 < left; ++i) b[i] = (1 - t) * b[i] + t * b[i + 1];
  }
  result.h = b[0];
  return result;
}

Box2 box_of(const LoopCurve& c) {
  Box2 box{c.point(0), c.point(0)};
  for (std::size_t i = 1; i < c.count; ++i) {
    const Point p = c.point(i);
    box.low = box.low.cwiseMin(p);
    box.high = box.high.cwiseMax(p);
  }
  return box;
}

LoopCurve seen_from(const Point& q, const Vec3<double>* points, std::size_t count) {
  LoopCurve c;
  c.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    c.h[i] << points[i].head<2>() - points[i].z() * q, points[i].z();
  }
  return c;
}

bool goes_forward(const LoopCurve& c, double cosine) {
  const Point chord = c.end() - c.start();
  for (std::size_t i = 0; i + 1 < c.count; ++i) {
    const Point leg = c.point(i + 1) - c.point(i);
    const double along = leg.dot(chord);
    if (along < 0 || along < cosine * leg.norm() * chord.norm()) return false;
  }
  return chord.squaredNorm() > 0;
}

}  // namespace oloid::geometry::trimming_loops
