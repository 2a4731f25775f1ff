#include "oloid/geometry/bezier/fill_hole.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "oloid/geometry/bezier/patch_points.h"

namespace oloid::geometry {
namespace {

// How far apart ends of borders may be, as a part of the size of the hole.
constexpr double kSameCorner = 1e-9;

std::optional<Error> wrong_border(const BezierCurve<3>& curve, std::size_t i) {
  const auto refused = [&](const std::string& what, const std::string& remedy) {
    return refuse(fmt::format("border {} {}", i, what), remedy).error;
  };
  if (curve.degree() < 1 || curve.degree() > SPatch::kMostDepth) {
    return refused(fmt::format("has {} control points", curve.points.size()),
                   fmt::format("borders have degree 1 to {}, that is 2 to {} points",
                               SPatch::kMostDepth, SPatch::kMostDepth + 1));
  }
  double smallest = curve.points[0](3), largest = smallest;
  for (const Weighted& h : curve.points) {
    if (!h.allFinite()) return refused("has a point that is not finite", "use finite numbers");
    if (!(h(3) > 0))
      return refused("has a weight that is not positive", "use weights greater than 0");
    smallest = std::min(smallest, h(3));
    largest = std::max(largest, h(3));
  }
  if (largest > kMostWeightRatio * smallest) {
    return refused(fmt::format("has weights from {:g} to {:g}", smallest, largest),
                   fmt::format("they may differ by at most a factor of {:g}", kMostWeightRatio));
  }
  return std::nullopt;
}

// Control points along the whole border, and where they stand in the regular polygon.
struct Rim {
  std::vector<Weighted> points;
  std::vector<Uv<double>> places;

  std::size_t after(std::size_t i) const { return (i + 1) % points.size(); }

  // tan(α/2) of the angle at q between point i and the next.
  double half_angle(const Uv<double>& q, std::size_t i) const {
    const Uv<double> a = places[i] - q, b = places[after(i)] - q;
    return (a.x() * b.y() - a.y() * b.x()) / (a.norm() * b.norm() + a.dot(b));
  }
  // The mean of the points that mean value coordinates of q give.
  Weighted mean(const Uv<double>& q) const {
    Weighted sum = Weighted::Zero();
    double total = 0;
    for (std::size_t before = 0; before < points.size(); ++before) {
      const std::size_t i = after(before);
      const double share = (half_angle(q, before) + half_angle(q, i)) / (places[i] - q).norm();
      sum += share * points[i];
      total += share;
    }
    return sum / total;
  }
};

// The points between two corners that follow each other have their places on the rim; the others
// are means of it.
std::vector<Weighted> filled(const Rim& rim, const PatchDomain& domain, int depth) {
  const int n = domain.sides();
  const auto d = static_cast<std::size_t>(depth);
  std::vector<std::optional<Weighted>> on_rim(SPatch::count(n, depth));
  for (int side = 0; side < n; ++side) {
    SPatch::Corners corners(d, side);
    for (std::size_t k = 0; k < d; ++k) {
      on_rim[SPatch::index(n, corners)] = rim.points[static_cast<std::size_t>(side) * d + k];
      corners[k] = (side + 1) % n;
    }
  }
  std::vector<Weighted> points;
  points.reserve(on_rim.size());
  for (const SPatch::Corners& corners : SPatch::all_corners(n, depth)) {
    Uv<double> place(0, 0);
    for (const int corner : corners) place += domain.corner(corner) / depth;
    const std::optional<Weighted>& known = on_rim[points.size()];
    points.push_back(known ? *known : rim.mean(place));
  }
  return points;
}

}  // namespace

Result<Patch> fill_hole(const std::vector<BezierCurve<3>>& borders) {
  const std::size_t n = borders.size();
  if (n < 3 || n > SPatch::kMostSides) {
    return refuse(fmt::format("the hole has {} borders", n),
                  fmt::format("specify 3 to {}", SPatch::kMostSides));
  }
  int depth = 1;
  Box box;
  for (std::size_t i = 0; i < n; ++i) {
    if (auto error = wrong_border(borders[i], i)) return Unexpected{*std::move(error)};
    depth = std::max(depth, borders[i].degree());
    for (std::size_t k = 0; k < borders[i].points.size(); ++k) box.add(borders[i].control_point(k));
  }
  const PatchDomain& domain = PatchDomain::regular(static_cast<int>(n));
  // Weights of each border are scaled so that it goes on where the one before ends.
  Rim rim;
  double weight = 1;  // at the corner that is reached
  for (std::size_t i = 0; i < n; ++i) {
    const double gap = (borders[i].end() - borders[(i + 1) % n].start()).norm();
    if (!(gap <= kSameCorner * box.size().norm())) {
      return refuse(
          fmt::format("border {} ends {:.3g} m from the start of border {}", i, gap, (i + 1) % n),
          "borders must follow each other counter-clockwise and meet at the corners");
    }
    BezierCurve<3> curve = borders[i];
    while (curve.degree() < depth) curve = elevated(curve);
    const double scale = weight / curve.points.front()(3);
    for (int k = 0; k < depth; ++k) {  // the end is the start of the next
      rim.points.emplace_back(scale * curve.points[static_cast<std::size_t>(k)]);
      rim.places.push_back(domain.on_side(static_cast<int>(i), static_cast<double>(k) / depth));
    }
    weight = scale * curve.points.back()(3);
  }
  if (!(std::abs(weight - 1) <= kSameCorner)) {
    return refuse(fmt::format("the weights of the borders do not match at the corners: once around "
                              "the hole they differ by a factor of {:.6g}",
                              weight),
                  "use equal weights at both ends of every border");
  }
  return make_patch(SPatch(static_cast<int>(n), depth, filled(rim, domain, depth)));
}

}  // namespace oloid::geometry
