#include "oloid/geometry/bezier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace oloid {
namespace {

using Weighted = Vec<double, 4>;
using WeightedRows = std::vector<std::vector<Weighted>>;

bool weights_differ(const std::vector<Weighted>& points) {
  return std::any_of(points.begin(), points.end(),
                     [&](const Weighted& p) { return p(3) != points[0](3); });
}

// Equal weights are made 1, so that the fourth number can be left alone.
std::vector<StoredPoint> stored(const std::vector<Weighted>& points, bool rational) {
  std::vector<StoredPoint> result;
  for (const Weighted& h : points) {
    const double w = rational ? 1 : h(3);
    result.push_back({h(0) / w, h(1) / w, h(2) / w, h(3) / w});
  }
  return result;
}

// Points and weights row by row; `length(i)` is how many row i must have.
template <class Length>
Result<WeightedRows> weighted_rows(const PointRows& net, const WeightRows& weights,
                                   const Length& length, const std::string& shape) {
  const auto rows = net.size();
  if (rows < 2 || rows > kMaxDegree + 1) {
    return refuse(fmt::format("control net has {} rows", rows), shape);
  }
  if (!weights.empty() && weights.size() != rows) {
    return refuse(fmt::format("there are {} rows of weights for {} rows of control points",
                              weights.size(), rows),
                  "give one weight for each control point, or none");
  }
  double largest = 0, smallest = INFINITY;
  for (const auto& row : weights) {
    for (const double w : row) {
      largest = std::max(largest, w);
      smallest = std::min(smallest, w);
    }
  }
  if (smallest > 0 && largest < INFINITY && largest > kMostWeightRatio * smallest) {
    return refuse(fmt::format("weights reach from {:g} to {:g}", smallest, largest),
                  fmt::format("they may differ by a factor {:g}", kMostWeightRatio));
  }
  WeightedRows result(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (net[i].size() != length(i)) {
      return refuse(fmt::format("row {} of the control net has {} points", i, net[i].size()),
                    shape);
    }
    if (!weights.empty() && weights[i].size() != net[i].size()) {
      return refuse(fmt::format("row {} has {} weights for {} control points", i, weights[i].size(),
                                net[i].size()),
                    "give one weight for each control point, or none");
    }
    for (std::size_t j = 0; j < net[i].size(); ++j) {
      const double w = weights.empty() ? 1 : weights[i][j];
      if (!net[i][j].allFinite()) {
        return refuse(fmt::format("control point {} of row {} is not finite", j, i),
                      "give finite numbers");
      }
      if (!(w > 0) || !std::isfinite(w)) {
        return refuse(fmt::format("weight {} of row {} is {}", j, i, w),
                      "weights are finite and greater than 0");
      }
      result[i].push_back(weighted<3>(net[i][j], weights.empty() ? w : w / largest));
    }
  }
  return result;
}

std::vector<Weighted> flat(const WeightedRows& rows) {
  std::vector<Weighted> points;
  for (const auto& row : rows) points.insert(points.end(), row.begin(), row.end());
  return points;
}

std::vector<Weighted> elevated_to(std::vector<Weighted> row, std::size_t size) {
  BezierCurve<3> curve{std::move(row)};
  while (curve.points.size() < size) curve = elevated(curve);
  return curve.points;
}

WeightedRows transposed(const WeightedRows& net) {
  WeightedRows result(net[0].size());
  for (std::size_t j = 0; j < net[0].size(); ++j)
    for (const auto& row : net) result[j].push_back(row[j]);
  return result;
}

WeightedRows rows_of(const BicubicPatch& patch) {
  WeightedRows net(4);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) net[i].push_back(weighted<3>(patch.net()[i][j], 1));
  return net;
}
WeightedRows rows_of(const TensorPatch& patch) {
  WeightedRows net(static_cast<std::size_t>(patch.degree_u()) + 1);
  for (int i = 0; i <= patch.degree_u(); ++i)
    for (int j = 0; j <= patch.degree_v(); ++j)
      net[static_cast<std::size_t>(i)].push_back(patch.point(i, j));
  return net;
}
WeightedRows rows_of(const TrianglePatch& patch) {  // row j: along u, at v index j
  const int n = patch.degree();
  WeightedRows net(static_cast<std::size_t>(n) + 1);
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i + j <= n; ++i) net[static_cast<std::size_t>(j)].push_back(patch.point(i, j));
  return net;
}

// The part of every row between two parameters.
WeightedRows cut(const WeightedRows& net, double from, double to) {
  WeightedRows result;
  for (const auto& row : net) {
    const BezierCurve<3> head = split(BezierCurve<3>{row}, to).before;
    result.push_back(split(head, to == 0 ? 0 : from / to).after.points);
  }
  return result;
}

// The polar form of a triangle with each of its n arguments one of three corners.
Weighted blossom(std::vector<Weighted> b, int n, const std::vector<Uv<double>>& arguments) {
  for (const Uv<double>& q : arguments) {
    const double w = 1 - q.x() - q.y();
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i + j < n; ++i) {
        b[static_cast<std::size_t>(TrianglePatch::index(n - 1, i, j))] =
            w * b[static_cast<std::size_t>(TrianglePatch::index(n, i, j))] +
            q.x() * b[static_cast<std::size_t>(TrianglePatch::index(n, i + 1, j))] +
            q.y() * b[static_cast<std::size_t>(TrianglePatch::index(n, i, j + 1))];
      }
    }
    --n;
  }
  return b[0];
}

Patch sub_triangle(const TrianglePatch& patch, const Uv<double>& low, const Uv<double>& high) {
  const int n = patch.degree();
  const std::vector<Weighted> points = flat(rows_of(patch));
  std::vector<Weighted> result;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i + j <= n; ++i) {
      std::vector<Uv<double>> arguments;
      arguments.reserve(static_cast<std::size_t>(n));
      for (int k = 0; k < n; ++k) {
        arguments.push_back(k < i       ? Uv<double>(high.x(), low.y())
                            : k < i + j ? Uv<double>(low.x(), high.y())
                                        : low);
      }
      result.push_back(blossom(points, n, arguments));
    }
  }
  return TrianglePatch(n, result);
}

}  // namespace

TensorPatch::TensorPatch(int p, int q, const std::vector<Weighted>& points)
    : p_(p), q_(q), rational_(weights_differ(points)), points_(stored(points, rational_)) {}

TrianglePatch::TrianglePatch(int n, const std::vector<Weighted>& points)
    : n_(n), rational_(weights_differ(points)), points_(stored(points, rational_)) {}

Patch make_patch(const WeightedRows& net) {
  const std::size_t rows = net.size(), columns = net[0].size();
  TensorPatch patch(static_cast<int>(rows) - 1, static_cast<int>(columns) - 1, flat(net));
  if (patch.rational() || rows > 4 || columns > 4) return patch;
  WeightedRows raised;
  for (const auto& row : rows_of(patch)) raised.push_back(elevated_to(row, 4));
  WeightedRows columns_raised;
  for (const auto& column : transposed(raised)) columns_raised.push_back(elevated_to(column, 4));
  BicubicPatch::Net cubic;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) cubic[i][j] = columns_raised[j][i].head<3>();
  return BicubicPatch(cubic);
}

Result<Patch> make_patch(const PointRows& net, const WeightRows& weights) {
  const std::string shape =
      fmt::format("a net has 2 to {} rows of 2 to {} points, all rows equally long", kMaxDegree + 1,
                  kMaxDegree + 1);
  const std::size_t columns = net.empty() ? 0 : net[0].size();
  if (!net.empty() && (columns < 2 || columns > kMaxDegree + 1)) {
    return refuse(fmt::format("row 0 of the control net has {} points", columns), shape);
  }
  const auto rows = weighted_rows(
      net, weights, [&](std::size_t) { return columns; }, shape);
  if (!rows) return Unexpected{rows.error()};
  return make_patch(*rows);
}

Result<Patch> make_triangle(const PointRows& net, const WeightRows& weights) {
  const auto rows = weighted_rows(
      net, weights, [&](std::size_t i) { return net.size() - i; },
      fmt::format("a triangle has rows of n + 1, n, ..., 1 points for a degree n of 1 to {}",
                  kMaxDegree));
  if (!rows) return Unexpected{rows.error()};
  return Patch(TrianglePatch(static_cast<int>(net.size()) - 1, flat(*rows)));
}

const PatchDomain& domain(const Patch& patch) {
  return std::visit([](const auto& p) -> const PatchDomain& { return p.domain(); }, patch);
}

int degree(const Patch& patch) {
  if (const auto* tensor = std::get_if<TensorPatch>(&patch))
    return std::max(tensor->degree_u(), tensor->degree_v());
  if (const auto* triangle = std::get_if<TrianglePatch>(&patch)) return triangle->degree();
  return 3;
}

bool rational(const Patch& patch) {
  if (const auto* tensor = std::get_if<TensorPatch>(&patch)) return tensor->rational();
  if (const auto* triangle = std::get_if<TrianglePatch>(&patch)) return triangle->rational();
  return false;
}

std::vector<Weighted> control_points(const Patch& patch) {
  return std::visit([](const auto& p) { return flat(rows_of(p)); }, patch);
}

BezierCurve<3> side_curve(const Patch& patch, int side) {
  const WeightedRows net = std::visit([](const auto& p) { return rows_of(p); }, patch);
  std::vector<Weighted> points;
  if (sides(patch) == 3) {  // rows run along u, one for each v index
    if (side == 0) return {net[0]};
    for (const auto& row : net) points.push_back(side == 1 ? row.back() : row.front());
    return side == 1 ? BezierCurve<3>{points} : reversed(BezierCurve<3>{points});
  }
  if (side == 1) return {net.back()};
  if (side == 3) return reversed(BezierCurve<3>{net.front()});
  for (const auto& row : net) points.push_back(side == 0 ? row.front() : row.back());
  return side == 0 ? BezierCurve<3>{points} : reversed(BezierCurve<3>{points});
}

Patch sub_patch(const Patch& patch, const Uv<double>& low, const Uv<double>& high) {
  if (const auto* triangle = std::get_if<TrianglePatch>(&patch))
    return sub_triangle(*triangle, low, high);
  WeightedRows net = std::visit([](const auto& p) { return rows_of(p); }, patch);
  net = cut(net, low.y(), high.y());
  return make_patch(transposed(cut(transposed(net), low.x(), high.x())));
}

Box bounding_box(const Patch& patch) {
  Box box;
  for (const Weighted& h : control_points(patch)) box.add(h.head<3>() / h(3));
  return box;
}

Ball bounding_ball(const Patch& patch) {
  Ball ball{bounding_box(patch).centre(), 0};
  for (const Weighted& h : control_points(patch))
    ball.radius = std::max(ball.radius, (h.head<3>() / h(3) - ball.centre).norm());
  return ball;
}

}  // namespace oloid
