#include "finger.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "oloid/geometry/bezier/patchwork.h"

namespace oloid::example {
namespace {

constexpr double kLength = 0.045, kRadius = 0.007;  // [m]
constexpr double kRise = 0.15, kBend = 4;           // the middle line z = kRise l + kBend l²
constexpr double kFlank = 1.3, kNail = 2.1;         // [rad], how far around the pad and the tip go

// A cross-section: its centre, the direction of the pad, its radius.
struct Section {
  Vec3<double> middle, down;
  double radius;
};

// s from −1 at the base to 0 where the tip begins and 1 at the nail.
Section section(double s) {
  const auto down = [](double l) -> Vec3<double> {
    return Vec3<double>(-kRise - 2 * kBend * l, 0, -1).normalized();
  };
  if (s < 0) {
    const double l = -s * kLength;
    return {{-l, 0, kRise * l + kBend * l * l}, down(l), kRadius * (1 + 0.15 * std::sin(3 * s))};
  }
  const Vec3<double> forward = Vec3<double>(1, 0, -kRise).normalized();
  const double turn = kNail * s;
  return {Vec3<double>::Zero(), std::cos(turn) * down(0) + std::sin(turn) * forward, kRadius};
}

TouchableBody open_surface(const NurbsNet& net, const char* name) {
  return TouchableBody(PlacedShape{Patchwork::make(pieces_of(net, name)).value(), {}});
}

}  // namespace

TouchableBody finger() {
  constexpr std::size_t kAlong = 17, kAround = 9;
  NurbsNet net{uniform_knots(3, kAlong), uniform_knots(3, kAround), {}};
  for (std::size_t i = 0; i < kAlong; ++i) {
    const Section at = section(-1 + 2 * static_cast<double>(i) / (kAlong - 1));
    std::vector<Vec<double, 4>>& row = net.net.emplace_back();
    row.reserve(kAround);
    for (std::size_t j = 0; j < kAround; ++j) {
      const double angle = kFlank * (1 - 2 * static_cast<double>(j) / (kAround - 1));
      const Vec3<double> out = std::cos(angle) * at.down + std::sin(angle) * Vec3<double>::UnitY();
      row.push_back(weighted<3>(Vec3<double>(at.middle + at.radius * out), 1));
    }
  }
  return open_surface(net, "finger");
}

TouchableBody sheet() {
  // Knots along x: twice at a third of the way, three times at two thirds.
  const KnotVector along{3, {0, 0, 0, 0, 1, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 6}};
  const KnotVector across = uniform_knots(3, 9);
  const auto middle_of = [](const KnotVector& k, std::size_t i) {  // where a control point belongs
    return (k.knots[i + 1] + k.knots[i + 2] + k.knots[i + 3]) / (3 * k.knots.back()) - 0.5;
  };
  NurbsNet net{along, across, {}};
  for (std::size_t i = 0; i < along.control_points(); ++i) {
    std::vector<Vec<double, 4>>& row = net.net.emplace_back();
    row.reserve(across.control_points());
    for (std::size_t j = 0; j < across.control_points(); ++j) {
      const double x = 0.12 * middle_of(along, i), y = 0.08 * middle_of(across, j);
      const double ridge = std::max(0.0, 0.002 - 0.2 * std::abs(x - 0.02));
      const double bumps = 0.0015 * std::sin(150 * x) * std::cos(120 * y);
      row.push_back(weighted<3>(Vec3<double>(x, y, ridge + bumps), 1));
    }
  }
  return open_surface(net, "sheet");
}

}  // namespace oloid::example
