#include "oloid/geometry/bezier.h"

#include <fmt/format.h>

#include <cmath>

namespace oloid {
namespace {

using Row = std::vector<Vec3<double>>;

// Raises the degree of a Bezier curve by one, exactly (Farin, Eq. 6.1).
Row elevated(const Row& b) {
  const std::size_t n = b.size();
  Row c(n + 1);
  for (std::size_t i = 0; i <= n; ++i) {
    const double a = static_cast<double>(i) / static_cast<double>(n);
    c[i] = Vec3<double>::Zero();
    if (i > 0) c[i] += a * b[i - 1];
    if (i < n) c[i] += (1 - a) * b[i];
  }
  return c;
}

Error wrong_net(std::string message) {
  return {{}, std::move(message), "a net has 2 to 4 rows of 2 to 4 points, all rows equally long"};
}

}  // namespace

Result<BezierPatch> BezierPatch::make(const std::vector<std::vector<Vec3<double>>>& given) {
  if (given.size() < 2 || given.size() > 4) {
    return Unexpected{wrong_net(fmt::format("control net has {} rows", given.size()))};
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Row& row = given[i];
    if (row.size() < 2 || row.size() > 4 || row.size() != given[0].size()) {
      return Unexpected{
          wrong_net(fmt::format("row {} of the control net has {} points", i, row.size()))};
    }
    for (const Vec3<double>& p : row) {
      if (!p.allFinite())
        return Unexpected{wrong_net(fmt::format("row {} has a point that is not finite", i))};
    }
  }
  std::vector<Row> rows = given;
  for (Row& row : rows) {
    while (row.size() < 4) row = elevated(row);
  }
  Net net;
  for (std::size_t j = 0; j < 4; ++j) {
    Row column;
    for (const Row& row : rows) column.push_back(row[j]);
    while (column.size() < 4) column = elevated(column);
    for (std::size_t i = 0; i < 4; ++i) net[i][j] = column[i];
  }
  BezierPatch patch(net);

  // Regular where it can be visited: |c_u × c_v| against the largest edge products of the net.
  double size = 0;
  for (const auto& row : net)
    for (const auto& p : row) size = std::max(size, (p - net[0][0]).norm());
  for (int i = 0; i <= 8; ++i) {
    for (int j = 0; j <= 8; ++j) {
      const Uv<double> q(i / 8.0, j / 8.0);
      const Jet<double, 1> c = patch.jet<1>(0, q);
      if (c.d(1, 0).cross(c.d(0, 1)).norm() <= 1e-9 * size * size) {
        return Unexpected{
            Error{{},
                  fmt::format("the patch is degenerate at (u, v) = ({}, {})", q.x(), q.y()),
                  "no collapsed edges or coinciding control points"}};
      }
    }
  }
  return patch;
}

namespace {

// Calls f(location) for a grid over the patch, its borders left out.
template <class F>
void for_grid(F&& f) {
  constexpr int n = 9;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) f(Location{ChartId{0}, {(i + 0.5) / n, (j + 0.5) / n, 0}});
}

}  // namespace

std::vector<Location> BezierPatch::seeds() const {
  std::vector<Location> result;
  for_grid([&](const Location& q) { result.push_back(q); });
  return result;
}

Location BezierPatch::near(const Vec3<double>& p) const {
  Location best;
  double least = INFINITY;
  for_grid([&](const Location& q) {
    const double distance = (jet<0, double>(0, q.x.head<2>()).d(0, 0) - p).squaredNorm();
    if (distance < least) {
      least = distance;
      best = q;
    }
  });
  return best;
}

double BezierPatch::bounding_radius() const {
  double r = 0;
  for (const auto& row : net_)
    for (const auto& p : row) r = std::max(r, p.norm());
  return r;
}

}  // namespace oloid
