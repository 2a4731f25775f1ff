// Tools and models to touch each other with.
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "oloid/geometry/any_surface.h"
#include "oloid/haptics/pair_finder.h"
#include "support/patches.h"
#include "support/rooms.h"

namespace oloid::test {

inline TouchableBody ball(double r) {
  return TouchableBody(PlacedShape{*Ellipsoid::make({r, r, r}), {}});
}
inline TouchableBody half_space() { return TouchableBody(PlacedShape{Plane{}, {}}); }

// A bicubic B-spline sheet over [0, 1]² (its control points do not move in x, y): z = height(x, y)
// at the control points. Knots along u as given, 9 control points along v.
template <class Height>
NurbsNet sheet_net(const KnotVector& u, const Height& height) {
  const KnotVector v = uniform_knots(3, 9);
  const auto greville = [](const KnotVector& k, std::size_t i) {
    return (k.knots[i + 1] + k.knots[i + 2] + k.knots[i + 3]) / 3;
  };
  NurbsNet net{u, v, {}};
  for (std::size_t i = 0; i < u.control_points(); ++i) {
    net.net.emplace_back();
    for (std::size_t j = 0; j < v.control_points(); ++j) {
      const double x = greville(u, i), y = greville(v, j);
      net.net.back().push_back(weighted<3>(Vec3<double>(x, y, height(x, y)), 1));
    }
  }
  return net;
}
// Uneven by a few hundredths.
inline double bumps(double x, double y) { return 0.02 * std::sin(7 * x + 1) * std::cos(5 * y); }

inline TouchableBody sheet(const NurbsNet& net,
                           const std::shared_ptr<const Trimming>& trimming = nullptr) {
  return TouchableBody(PlacedShape{*Patchwork::make(pieces_of(net, "sheet", trimming)), {}});
}

// z = bend x² / 2 over [−1, 1]²: a channel along y.
inline TouchableBody channel(double bend) {
  const double e = 0.5 * bend;
  return TouchableBody(PlacedShape{
      single_patch({{{-1, -1, e}, {-1, 1, e}}, {{0, -1, -e}, {0, 1, -e}}, {{1, -1, e}, {1, 1, e}}}),
      {}});
}

// A tool over a model with a search at hand, that may be asked for in the same thread.
struct Bench {
  TouchableBody A, B;
  HapticTool tool;
  PairFinder finder;

  Bench(TouchableBody a, TouchableBody b, const ForceLaw& law)
      : A(std::move(a)), B(std::move(b)), tool(*HapticTool::make(A, B, law)), finder(tool) {}

  // Updates here, searches, and takes what was found.
  const HapticOutput& settle(const Pose<double>& X_BA, double dt = 1e-3) {
    tool.update(X_BA, dt);
    finder.step();
    for (int i = 0; i < kMostPairs; ++i) tool.update(X_BA, dt);
    return tool.output();
  }
};

inline Pose<double> at(double x, double y, double z) {
  return {Mat3<double>::Identity(), {x, y, z}};
}

}  // namespace oloid::test
