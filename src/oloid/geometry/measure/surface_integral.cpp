#include "oloid/geometry/measure/surface_integral.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

// A part of the domain: corner + s along + t across, 0 ≤ s, t ≤ 1; or the triangle that is left of
// it if the side t = 1 has shrunk to a point.
struct SurfacePart {
  Uv<double> corner, along, across;
  bool triangle;
};

// The domain with three or four sides itself; else a fan of triangles from its middle.
std::vector<SurfacePart> cells(const PatchDomain& domain) {
  const auto& first = domain.corner(0);
  const int n = domain.sides();
  if (n <= 4) return {{first, domain.corner(1) - first, domain.corner(n - 1) - first, n == 3}};
  std::vector<SurfacePart> fan;
  fan.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    fan.push_back({domain.corner(i), domain.corner(i + 1) - domain.corner(i),
                   domain.middle() - domain.corner(i), true});
  }
  return fan;
}

// Over the rectangle [low, high] of (s, t).
SurfaceIntegral over(const Patch& patch, const SurfacePart& cell, const GaussRule& rule,
                     const Uv<double>& low, const Uv<double>& high, const Vec3<double>& origin) {
  const Uv<double> size = high - low;
  const double area = cell.along.x() * cell.across.y() - cell.along.y() * cell.across.x();
  SurfaceIntegral sum;
  for (std::size_t i = 0; i < rule.points.size(); ++i) {
    for (std::size_t j = 0; j < rule.points.size(); ++j) {
      const double s = low.x() + size.x() * rule.points[i], t = low.y() + size.y() * rule.points[j];
      const double shrunk = cell.triangle ? 1 - t : 1;
      const double weight = rule.weights[i] * rule.weights[j] * size.x() * size.y() * area * shrunk;
      const Uv<double> q = cell.corner + s * shrunk * cell.along + t * cell.across;
      const Jet<double, 1> c = jet<1>(patch, q);
      sum.add(c.d(0, 0) - origin, weight * c.d(1, 0).cross(c.d(0, 1)));
    }
  }
  return sum;
}

SurfaceIntegral refined(const Patch& patch, const SurfacePart& cell, const GaussRule& rule,
                        const Uv<double>& low, const Uv<double>& high, const Vec3<double>& origin,
                        const SurfaceIntegral& coarse, double size, int depth) {
  const Uv<double> middle = 0.5 * (low + high);
  const std::array<std::array<Uv<double>, 2>, 4> parts{
      {{low, middle},
       {Uv<double>(middle.x(), low.y()), Uv<double>(high.x(), middle.y())},
       {Uv<double>(low.x(), middle.y()), Uv<double>(middle.x(), high.y())},
       {middle, high}}};
  std::array<SurfaceIntegral, 4> fine;
  SurfaceIntegral sum;
  for (std::size_t k = 0; k < 4; ++k) {
    fine[k] = over(patch, cell, rule, parts[k][0], parts[k][1], origin);
    sum += fine[k];
  }
  const double cube = size * size * size;
  const double error = std::abs(sum.volume - coarse.volume) / cube +
                       (sum.first - coarse.first).norm() / (cube * size) +
                       (sum.second - coarse.second).norm() / (cube * size * size);
  if (error < 1e-15 || depth == 0) return sum;
  sum = {};
  for (std::size_t k = 0; k < 4; ++k) {
    sum += refined(patch, cell, rule, parts[k][0], parts[k][1], origin, fine[k], size, depth - 1);
  }
  return sum;
}

}  // namespace

SurfaceIntegral& SurfaceIntegral::operator+=(const SurfaceIntegral& other) {
  volume += other.volume;
  first += other.first;
  second += other.second;
  return *this;
}

void SurfaceIntegral::add(const Vec3<double>& x, const Vec3<double>& dA) {
  const double flux = x.dot(dA);
  volume += flux / 3;
  first += flux / 4 * x;
  second += flux / 5 * (x * x.transpose());
}

Result<Solid> SurfaceIntegral::solid(const Vec3<double>& origin) const {
  if (!(volume > 0)) {
    return refuse(fmt::format("the surface is inside out: its volume is {:.6g} m3", volume),
                  "normals c_u x c_v must point out of the body: reverse the rows of all nets, or "
                  "the vertices of all faces");
  }
  const Vec3<double> c = first / volume;
  const Mat3<double> central = second - volume * (c * c.transpose());
  return Solid{volume, origin + c,
               Mat3<double>(central.trace() * Mat3<double>::Identity() - central)};
}

SurfaceIntegral integral(const Patch& patch, const Vec3<double>& origin) {
  const Uv<double> low(0, 0), high(1, 1);
  const int n = degree(patch);
  SurfaceIntegral sum;
  if (!rational(patch)) {
    // Of degree 5 n − 1 at most, one more from the triangle's shrunk side.
    const GaussRule rule = gauss_legendre((5 * n + 2) / 2);
    for (const SurfacePart& cell : cells(domain(patch)))
      sum += over(patch, cell, rule, low, high, origin);
    return sum;
  }
  const GaussRule rule = gauss_legendre(std::max(16, 3 * n));
  double size = 0;
  for (const Vec<double, 4>& h : control_points(patch))
    size = std::max(size, (h.head<3>() / h(3) - origin).norm());
  constexpr int kDepth = 40;  // weights differ by 1e6 at most: 2⁻⁴⁰ is far beyond what they squeeze
  for (const SurfacePart& cell : cells(domain(patch))) {
    sum += refined(patch, cell, rule, low, high, origin, over(patch, cell, rule, low, high, origin),
                   size, kDepth);
  }
  return sum;
}

}  // namespace oloid::geometry
