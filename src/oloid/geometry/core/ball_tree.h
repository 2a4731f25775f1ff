// Points in a tree of balls: which one is nearest?
#pragma once

#include <span>
#include <vector>

#include "oloid/base/linalg.h"

namespace oloid::geometry {

class BallTree {
 public:
  BallTree() = default;
  explicit BallTree(std::vector<Vec3<double>> points);

  // A ball around some of the points: two smaller ones, or the points themselves.
  struct Ball {
    Vec3<double> centre = Vec3<double>::Zero();
    double radius = 0;   // [m]
    int first_part = 0;  // the other one follows; 0: there are none
    int first = 0, count = 0;
  };
  bool empty() const { return points_.empty(); }
  const Ball& root() const { return balls_.front(); }
  const Ball& ball(int i) const { return balls_[static_cast<std::size_t>(i)]; }
  // Numbers of the points of a ball, as they were given.
  std::span<const int> points_of(const Ball& ball) const {
    return std::span(order_).subspan(static_cast<std::size_t>(ball.first),
                                     static_cast<std::size_t>(ball.count));
  }
  const Vec3<double>& point(int i) const { return points_[static_cast<std::size_t>(i)]; }

  struct Nearest {
    int point = -1;       // the first of several
    double distance = 0;  // [m]
  };
  // There must be a point.
  Nearest nearest(const Vec3<double>& p) const;

 private:
  void fill(int ball, int first, int count);
  void look(const Ball& ball, const Vec3<double>& p, Nearest& best) const;

  std::vector<Vec3<double>> points_;
  std::vector<int> order_;
  std::vector<Ball> balls_;
};

}  // namespace oloid::geometry
