#include "oloid/geometry/core/ball_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace oloid::geometry {

BallTree::BallTree(std::vector<Vec3<double>> points)
    : points_(std::move(points)), order_(points_.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (points_.empty()) return;
  balls_.emplace_back();
  fill(0, 0, static_cast<int>(points_.size()));
}

void BallTree::fill(int ball, int first, int count) {
  constexpr int kFew = 8;
  const auto begin = order_.begin() + first;
  Vec3<double> low = point(*begin), high = low;
  for (auto i = begin; i != begin + count; ++i) {
    low = low.cwiseMin(point(*i));
    high = high.cwiseMax(point(*i));
  }
  Ball made;
  made.centre = 0.5 * (low + high);
  made.first = first;
  made.count = count;
  for (auto i = begin; i != begin + count; ++i)
    made.radius = std::max(made.radius, (point(*i) - made.centre).norm());
  if (count > kFew) {
    int axis = 0;
    (high - low).maxCoeff(&axis);
    const int half = count / 2;
    std::nth_element(begin, begin + half, begin + count, [&](int a, int b) {
      return point(a)(axis) != point(b)(axis) ? point(a)(axis) < point(b)(axis) : a < b;
    });
    made.first_part = static_cast<int>(balls_.size());
    balls_.resize(balls_.size() + 2);
    fill(made.first_part, first, half);
    fill(made.first_part + 1, first + half, count - half);
  }
  balls_[static_cast<std::size_t>(ball)] = made;
}

BallTree::Nearest BallTree::nearest(const Vec3<double>& p) const {
  Nearest best{-1, std::numeric_limits<double>::infinity()};
  look(root(), p, best);
  return best;
}

void BallTree::look(const Ball& at, const Vec3<double>& p, Nearest& best) const {
  if (at.first_part == 0) {
    for (const int i : points_of(at)) {
      const double distance = (point(i) - p).norm();
      if (distance < best.distance || (distance == best.distance && i < best.point))
        best = {i, distance};
    }
    return;
  }
  const Ball *near = &ball(at.first_part), *far = &ball(at.first_part + 1);
  const auto least = [&](const Ball& b) { return (b.centre - p).norm() - b.radius; };
  if (least(*far) < least(*near)) std::swap(near, far);
  for (const Ball* part : {near, far}) {
    if (least(*part) <= best.distance) look(*part, p, best);
  }
}

}  // namespace oloid::geometry
