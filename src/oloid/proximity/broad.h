// Which of many bodies are near each other: their boxes, sorted along one axis.
//
// Sweep and prune: the boxes' lower ends are kept sorted from one call to the next, so that bodies
// that move little cost little (insertion sort). Pairs come in the order of the bodies' numbers,
// whatever happened before.
#pragma once

#include <vector>

#include "oloid/geometry/core/box.h"

namespace oloid::proximity {

class BroadPhase {
 public:
  struct Pair {
    int a, b;  // a < b
    friend bool operator==(const Pair&, const Pair&) = default;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  // Returns the body's number. Boxes are in one common frame; they may be infinite. A box that
  // contains NaN counts as all of space: the body is then paired with every other.
  int add(const Box& box);
  void move(int body, const Box& box);
  int bodies() const { return static_cast<int>(boxes_.size()); }

  // All pairs of bodies whose boxes are at most `margin` apart along each axis [m], sorted. Valid
  // until the next call; allocates only while the list grows.
  const std::vector<Pair>& near_pairs(double margin);

 private:
  void sort();
  const Box& box(int body) const { return boxes_[static_cast<std::size_t>(body)]; }

  std::vector<Box> boxes_;
  std::vector<int> order_;  // by the lower end along axis_
  int axis_ = 0;
  std::vector<Pair> pairs_;
};

// The box around a box that is placed by a pose, from the positions of its corners.
Box placed(const Mat3<double>& R, const Vec3<double>& p, const Box& box);

}  // namespace oloid::proximity
