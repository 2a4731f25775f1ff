#include "oloid/haptics/way_out.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "oloid/base/contract.h"

namespace oloid::haptics {
namespace {

constexpr double kParallel = 1e-12;  // a determinant of unit normals
constexpr double kRoundOff = 1e-12;  // of the largest b

double lacking(std::span<const HalfSpace> spaces, const Vec3<double>& delta) {
  double worst = 0;
  for (const HalfSpace& s : spaces) worst = std::max(worst, s.b - s.n.dot(delta));
  return worst;
}

// The least δ on the borders, if the borders hold it back: N δ = b, δ = Nᵀ λ, λ ≥ 0.
std::optional<Vec3<double>> on_borders(const HalfSpace& x) {
  if (x.b < 0) return std::nullopt;
  return x.b * x.n;
}
std::optional<Vec3<double>> on_borders(const HalfSpace& x, const HalfSpace& y) {
  const double c = x.n.dot(y.n), det = 1 - c * c;
  if (det < kParallel) return std::nullopt;
  const double l_x = (x.b - c * y.b) / det, l_y = (y.b - c * x.b) / det;
  if (l_x < 0 || l_y < 0) return std::nullopt;
  return l_x * x.n + l_y * y.n;
}
std::optional<Vec3<double>> on_borders(const HalfSpace& x, const HalfSpace& y, const HalfSpace& z) {
  const Vec3<double> yz = y.n.cross(z.n), zx = z.n.cross(x.n), xy = x.n.cross(y.n);
  const double det = x.n.dot(yz);
  if (std::abs(det) < kParallel) return std::nullopt;
  const Vec3<double> delta = (x.b * yz + y.b * zx + z.b * xy) / det;
  const auto pushes = [&](const Vec3<double>& others) { return delta.dot(others) / det >= 0; };
  if (!pushes(yz) || !pushes(zx) || !pushes(xy)) return std::nullopt;
  return delta;
}

}  // namespace

WayOut shortest_way_out(std::span<const HalfSpace> spaces) {
  OLOID_EXPECT(spaces.size() <= 8);
  double largest = 0;
  for (const HalfSpace& s : spaces) largest = std::max(largest, s.b);
  if (largest <= 0) return {};
  const double enough = kRoundOff * largest;
  WayOut best{Vec3<double>::Zero(), largest};
  const auto solves = [&](const std::optional<Vec3<double>>& delta) {
    return delta && lacking(spaces, *delta) <= enough;
  };
  const std::size_t n = spaces.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto delta = on_borders(spaces[i]);
    if (!delta) continue;
    const double left = lacking(spaces, *delta);
    if (left <= enough) return {*delta, left};
    if (left < best.lacking) best = {*delta, left};
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const auto delta = on_borders(spaces[i], spaces[j]);
      if (solves(delta)) return {*delta, lacking(spaces, *delta)};
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      for (std::size_t k = j + 1; k < n; ++k) {
        const auto delta = on_borders(spaces[i], spaces[j], spaces[k]);
        if (solves(delta)) return {*delta, lacking(spaces, *delta)};
      }
    }
  }
  return best;
}

}  // namespace oloid::haptics
