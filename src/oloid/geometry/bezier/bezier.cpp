#include "oloid/geometry/bezier/bezier.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace oloid::geometry {
namespace {

using WeightedRows = std::vector<std::vector<Weighted>>;

// Points and weights row by row; `length(i)` is how many row i must have.
template <class Length>
Result<WeightedRows> weighted_rows(const PointRows& net, const WeightRows& weights,
                                   const Length& length, const std::string& shape) {
  const auto rows = net.size();
  if (rows < 2 || rows > kMaxDegree + 1) {
    return refuse(fmt::format("the control net has {} rows", rows), shape);
  }
  if (!weights.empty() && weights.size() != rows) {
    return refuse(fmt::format("there are {} rows of weights for {} rows of control points",
                              weights.size(), rows),
                  "specify one weight per control point, or none");
  }
  double largest = 0, smallest = INFINITY;
  for (const auto& row : weights) {
    for (const double w : row) {
      largest = std::max(largest, w);
      smallest = std::min(smallest, w);
    }
  }
  if (smallest > 0 && largest < INFINITY && largest > kMostWeightRatio * smallest) {
    return refuse(fmt::format("weights range from {:g} to {:g}", smallest, largest),
                  fmt::format("they may differ by at most a factor of {:g}", kMostWeightRatio));
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
                    "specify one weight per control point, or none");
    }
    for (std::size_t j = 0; j < net[i].size(); ++j) {
      const double w = weights.empty() ? 1 : weights[i][j];
      if (!net[i][j].allFinite()) {
        return refuse(fmt::format("control point {} of row {} is not finite", j, i),
                      "use finite numbers");
      }
      if (!(w > 0) || !std::isfinite(w)) {
        return refuse(fmt::format("weight {} of row {} is {}", j, i, w),
                      "weights must be finite and greater than 0");
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

WeightedRows rows_of(const SPatch& patch) {  // row k: lists of corners that begin with k
  WeightedRows net(static_cast<std::size_t>(patch.sides()));
  std::size_t i = 0;
  for (const SPatch::Corners& corners : SPatch::all_corners(patch.sides(), patch.depth()))
    net[static_cast<std::size_t>(corners[0])].emplace_back(patch.points()[i++].data());
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
    : p_(p),
      q_(q),
      rational_(detail::weights_differ(points)),
      points_(detail::stored(points, rational_)) {}

TrianglePatch::TrianglePatch(int n, const std::vector<Weighted>& points)
    : n_(n),
      rational_(detail::weights_differ(points)),
      points_(detail::stored(points, rational_)) {}

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

Patch make_patch(const SPatch& patch) {
  const int d = patch.depth();
  if (patch.sides() == 3) {
    std::vector<Weighted> points;
    points.reserve(patch.points().size());
    for (int j = 0; j <= d; ++j) {
      for (int i = 0; i + j <= d; ++i) {
        SPatch::Corners corners(static_cast<std::size_t>(d), 0);
        std::fill_n(corners.begin(), i, 1);
        std::fill_n(corners.begin() + i, j, 2);
        points.push_back(patch.point(corners));
      }
    }
    return TrianglePatch(d, points);
  }
  if (patch.sides() > 4) return patch;
  // On a square l is ((1 − u)(1 − v), u (1 − v), u v, (1 − u) v): the points whose powers of u and
  // v are the same share a point of the tensor product, each by its multinomial coefficient.
  const auto size = static_cast<std::size_t>(d) + 1;
  WeightedRows net(size, std::vector<Weighted>(size, Weighted::Zero()));
  std::vector<std::vector<double>> shares(size, std::vector<double>(size, 0));
  const auto factorial = [](auto n) { return std::tgamma(static_cast<double>(n) + 1); };
  for (const SPatch::Corners& corners : SPatch::all_corners(4, d)) {
    std::array<std::size_t, 4> power{};
    for (const int corner : corners) ++power[static_cast<std::size_t>(corner)];
    double share = factorial(d);
    for (const std::size_t p : power) share /= factorial(p);
    const std::size_t u = power[1] + power[2], v = power[2] + power[3];
    net[u][v] += share * patch.point(corners);
    shares[u][v] += share;
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) net[i][j] /= shares[i][j];
  return make_patch(net);
}

Result<Patch> make_patch(const PointRows& net, const WeightRows& weights) {
  const std::string shape =
      fmt::format("a net has 2 to {} rows of 2 to {} points, and all rows have the same length",
                  kMaxDegree + 1, kMaxDegree + 1);
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
      fmt::format("a triangle of degree n has rows of n + 1, n, ..., 1 points, with n from 1 to {}",
                  kMaxDegree));
  if (!rows) return Unexpected{rows.error()};
  return Patch(TrianglePatch(static_cast<int>(net.size()) - 1, flat(*rows)));
}

Result<Patch> make_s_patch(const PointRows& net, const WeightRows& weights) {
  const int sides = static_cast<int>(net.size());
  if (sides < 3 || sides > SPatch::kMostSides) {
    return refuse(
        fmt::format("the control net has {} rows", sides),
        fmt::format("an S-patch has one row per side, and 3 to {} sides", SPatch::kMostSides));
  }
  // Lists that begin with k go on with any of the corners from k.
  const auto length = [&](std::size_t k, int depth) {
    return SPatch::count(sides - static_cast<int>(k), depth - 1);
  };
  int depth = 1;
  while (depth < SPatch::kMostDepth && length(0, depth) < net[0].size()) ++depth;
  std::string known, wanted;
  for (int d = 1; d <= SPatch::kMostDepth; ++d)
    known += fmt::format("{}{}",
                         d == 1                    ? ""
                         : d == SPatch::kMostDepth ? " or "
                                                   : ", ",
                         length(0, d));
  if (net[0].size() != length(0, depth)) {
    return refuse(fmt::format("row 0 of the control net has {} points", net[0].size()),
                  fmt::format("with {} sides the first row has {} points, for depths 1 to {}",
                              sides, known, SPatch::kMostDepth));
  }
  for (std::size_t k = 0; k < net.size(); ++k)
    wanted += fmt::format("{}{}", k == 0 ? "" : ", ", length(k, depth));
  const auto rows = weighted_rows(
      net, weights, [&](std::size_t k) { return length(k, depth); },
      fmt::format("with {} sides and depth {}, the rows have {} points", sides, depth, wanted));
  if (!rows) return Unexpected{rows.error()};
  return make_patch(SPatch(sides, depth, flat(*rows)));
}

const PatchDomain& domain(const Patch& patch) {
  return std::visit([](const auto& p) -> const PatchDomain& { return p.domain(); }, patch);
}

int degree(const Patch& patch) {
  if (const auto* tensor = std::get_if<TensorPatch>(&patch))
    return std::max(tensor->degree_u(), tensor->degree_v());
  if (const auto* triangle = std::get_if<TrianglePatch>(&patch)) return triangle->degree();
  if (const auto* s_patch = std::get_if<SPatch>(&patch)) return s_patch->depth();
  return 3;
}

bool rational(const Patch& patch) {
  if (const auto* tensor = std::get_if<TensorPatch>(&patch)) return tensor->rational();
  if (const auto* triangle = std::get_if<TrianglePatch>(&patch)) return triangle->rational();
  if (const auto* s_patch = std::get_if<SPatch>(&patch))
    return s_patch->rational() || s_patch->sides() > 4;
  return false;
}

std::vector<Weighted> control_points(const Patch& patch) {
  return std::visit([](const auto& p) { return flat(rows_of(p)); }, patch);
}

// c_u and c_v are weighted means of differences of control points, and c_u × c_v of their products.
bool surely_regular(const Patch& patch, double sine, double speed) {
  if (rational(patch) || std::holds_alternative<SPatch>(patch)) return false;
  const auto* triangle = std::get_if<TrianglePatch>(&patch);
  const WeightedRows rows = std::visit([](const auto& p) { return rows_of(p); }, patch);
  const std::size_t along = rows[0].size() - 1, across = rows.size() - 1;
  std::vector<Vec3<double>> in_row, between_rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (j + 1 < rows[i].size())
        in_row.push_back(static_cast<double>(along) * (rows[i][j + 1] - rows[i][j]).head<3>());
      if (i + 1 < rows.size() && j < rows[i + 1].size())
        between_rows.push_back(static_cast<double>(across) *
                               (rows[i + 1][j] - rows[i][j]).head<3>());
    }
  }
  // Rows of a triangle run along u, those of a tensor-product patch along v.
  const auto& c_u = triangle ? in_row : between_rows;
  const auto& c_v = triangle ? between_rows : in_row;
  const auto sum = [](const std::vector<Vec3<double>>& all) {
    return std::accumulate(all.begin(), all.end(), Vec3<double>(Vec3<double>::Zero()));
  };
  const auto longest = [](const std::vector<Vec3<double>>& all) {
    double most = 0;
    for (const Vec3<double>& x : all) most = std::max(most, x.norm());
    return most;
  };
  const Vec3<double> normal = sum(c_u).cross(sum(c_v)).normalized();
  double least = kInfinity;
  for (const Vec3<double>& a : c_u)
    for (const Vec3<double>& b : c_v) least = std::min(least, a.cross(b).dot(normal));
  const double most_u = longest(c_u), most_v = longest(c_v);
  return least > sine * most_u * most_v && least > speed * std::max(most_u, most_v);
}

BezierCurve<3> side_curve(const Patch& patch, int side) {
  if (const auto* s_patch = std::get_if<SPatch>(&patch)) return s_patch->side_curve(side);
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
  OLOID_EXPECT(!std::holds_alternative<SPatch>(patch));
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

Box part_box(const Patch& patch, const Uv<double>& low, const Uv<double>& high) {
  if (const auto* s_patch = std::get_if<SPatch>(&patch)) return s_patch->part_box(low, high);
  Box box = bounding_box(sub_patch(patch, low, high));
  // Of a triangle the other half too, turned by half a turn; what lies beyond it is left out.
  if (std::holds_alternative<TrianglePatch>(patch)) {
    box.add(bounding_box(sub_patch(patch, high, low)));
    const Box whole = bounding_box(patch);
    box = {box.low.cwiseMax(whole.low), box.high.cwiseMin(whole.high)};
  }
  return box;
}

Ball bounding_ball(const Patch& patch) {
  Ball ball{bounding_box(patch).centre(), 0};
  for (const Weighted& h : control_points(patch))
    ball.radius = std::max(ball.radius, (h.head<3>() / h(3) - ball.centre).norm());
  return ball;
}

}  // namespace oloid::geometry
