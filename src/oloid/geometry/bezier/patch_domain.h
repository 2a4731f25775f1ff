// The parameter domain of a patch: a convex polygon, its sides numbered counter-clockwise.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

class PatchDomain {
 public:
  static constexpr int kMostSides = 10;

  // 0 ≤ u, v ≤ 1: sides v = 0, u = 1, v = 1, u = 0.
  static const PatchDomain& square();
  // u, v ≥ 0, u + v ≤ 1: sides v = 0, u + v = 1, u = 0.
  static const PatchDomain& triangle();
  // n corners on the unit circle, the first at angle 0.
  static const PatchDomain& regular(int n);

  int sides() const { return sides_; }
  const Uv<double>& corner(int i) const { return corners_[at(i % sides_)]; }
  Uv<double> middle() const { return middle_; }

  // Distance from the line of a side, positive inside.
  double margin(int side, const Uv<double>& q) const {
    return inward_[at(side)].dot(q - corners_[at(side)]);
  }
  const Uv<double>& inward(int side) const { return inward_[at(side)]; }  // unit normal
  // The point s along a side, from 0 to 1, and s of the point of the side's line that is nearest.
  Uv<double> on_side(int side, double s) const {
    return (1 - s) * corner(side) + s * corner(side + 1);
  }
  double along_side(int side, const Uv<double>& q) const {
    const Uv<double> length = corner(side + 1) - corner(side);
    return length.dot(q - corner(side)) / length.squaredNorm();
  }
  // A point of the domain near q: q itself, or on the border.
  Uv<double> clamped(Uv<double> q) const {
    for (int round = 0; round < 2; ++round) {
      for (int side = 0; side < sides_; ++side)
        q += std::max(0.0, -margin(side, q)) * inward_[at(side)];
    }
    return q;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  template <class Corner>
  static PatchDomain polygon(int n, const Corner& corner) {
    PatchDomain domain;
    domain.sides_ = n;
    domain.middle_.setZero();
    for (int i = 0; i < n; ++i) {
      domain.corners_[at(i)] = corner(i);
      domain.middle_ += corner(i) / n;
    }
    for (int i = 0; i < n; ++i) {
      const Uv<double> along = domain.corner(i + 1) - domain.corner(i);
      domain.inward_[at(i)] = Uv<double>(-along.y(), along.x()) / along.norm();
    }
    return domain;
  }

  int sides_ = 0;
  std::array<Uv<double>, kMostSides> corners_, inward_;
  Uv<double> middle_;
};

inline const PatchDomain& PatchDomain::square() {
  static const PatchDomain domain = polygon(4, [](int i) -> Uv<double> {
    return {i == 1 || i == 2 ? 1 : 0, i >= 2 ? 1 : 0};
  });
  return domain;
}

inline const PatchDomain& PatchDomain::triangle() {
  static const PatchDomain domain = polygon(3, [](int i) -> Uv<double> {
    return {i == 1 ? 1 : 0, i == 2 ? 1 : 0};
  });
  return domain;
}

inline const PatchDomain& PatchDomain::regular(int n) {
  static const std::array<PatchDomain, kMostSides + 1> all = [] {
    std::array<PatchDomain, kMostSides + 1> domains;
    for (int k = 3; k <= kMostSides; ++k) {
      domains[at(k)] = polygon(k, [k](int i) -> Uv<double> {
        const double angle = 2 * std::numbers::pi * i / k;
        return {std::cos(angle), std::sin(angle)};
      });
    }
    return domains;
  }();
  return all[at(n)];
}

}  // namespace oloid::geometry
