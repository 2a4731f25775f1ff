#include "oloid/geometry/bezier/s_patch.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "oloid/base/contract.h"
#include "oloid/base/index.h"

namespace oloid::geometry {
namespace {

// How many sorted lists of the given length there are with entries from `choices` numbers.
std::size_t lists(int choices, int length) {
  std::size_t result = length == 0 || choices > 0 ? 1 : 0;
  for (int i = 1; i <= length && choices > 0; ++i)
    result = result * (at(choices) + at(i) - 1) / at(i);
  return result;
}

}  // namespace

std::size_t SPatch::count(int sides, int depth) { return lists(sides, depth); }

std::vector<SPatch::Corners> SPatch::all_corners(int sides, int depth) {
  std::vector<Corners> all{Corners(at(depth), 0)};
  all.reserve(count(sides, depth));
  while (all.size() < count(sides, depth)) {
    // The last corner that can grow does, and all after it begin there again.
    Corners next = all.back();
    auto grows = next.rbegin();
    while (*grows == sides - 1) ++grows;
    const int corner = *grows + 1;
    std::fill(grows.base() - 1, next.end(), corner);
    all.push_back(next);
  }
  return all;
}

std::size_t SPatch::index(int sides, Corners corners) {
  std::sort(corners.begin(), corners.end());
  std::size_t before = 0;
  int from = 0, left = static_cast<int>(corners.size());
  for (const int corner : corners) {
    --left;
    for (; from < corner; ++from) before += lists(sides - from, left);
  }
  return before;
}

const SPatch::Above& SPatch::above(int sides) {
  static const std::array<Above, kMostSides + 1> all = [] {
    std::array<Above, kMostSides + 1> tables;
    for (int n = 3; n <= kMostSides; ++n) {
      for (int degree = 0; degree < kMostDepth; ++degree) {
        auto& table = tables[at(n)][at(degree)];
        table.reserve(count(n, degree) * at(n));
        for (Corners corners : all_corners(n, degree)) {
          corners.push_back(0);
          const std::size_t last = corners.size() - 1;
          for (int k = 0; k < n; ++k) {
            corners[last] = k;
            table.push_back(static_cast<std::uint16_t>(index(n, corners)));
          }
        }
      }
    }
    return tables;
  }();
  return all[at(sides)];
}

SPatch::SPatch(int sides, int depth, const std::vector<Vec<double, 4>>& points)
    : domain_(&PatchDomain::regular(sides)),
      above_(&above(sides)),
      depth_(depth),
      rational_(detail::weights_differ(points)),
      points_(detail::stored(points, rational_)) {
  OLOID_EXPECT(sides >= 3 && sides <= kMostSides && depth >= 1 && depth <= kMostDepth);
  OLOID_EXPECT(points.size() == count(sides, depth));
}

Vec<double, 4> SPatch::point(const Corners& corners) const {
  return Vec<double, 4>(points_[index(sides(), corners)].data());
}

BezierCurve<3> SPatch::side_curve(int side) const {
  BezierCurve<3> curve;
  Corners corners(at(depth_), side);
  curve.points.push_back(point(corners));
  for (int& corner : corners) {
    corner = (side + 1) % sides();
    curve.points.push_back(point(corners));
  }
  return curve;
}

namespace {

// A polynomial over a rectangle, of the same degree both ways: Bernstein coefficients times their
// binomial coefficients, so that products are products of polynomials.
using Bernstein = Eigen::ArrayXXd;

Bernstein times(const Bernstein& f, const Bernstein& linear) {
  Bernstein h = Bernstein::Zero(f.rows() + 1, f.cols() + 1);
  for (int i : {0, 1})
    for (int j : {0, 1}) h.block(i, j, f.rows(), f.cols()) += linear(i, j) * f;
  return h;
}

// Of the values of a polynomial: the coefficients themselves, which bound it.
Bernstein coefficients(Bernstein f) {
  const Eigen::Index n = f.rows() - 1;
  Eigen::ArrayXd binomial = Eigen::ArrayXd::Ones(n + 1);
  for (Eigen::Index i = 1; i <= n; ++i)
    binomial(i) = binomial(i - 1) * static_cast<double>(n - i + 1) / static_cast<double>(i);
  for (Eigen::Index i = 0; i <= n; ++i)
    for (Eigen::Index j = 0; j <= n; ++j) f(i, j) /= binomial(i) * binomial(j);
  return f;
}

}  // namespace

// Over the rectangle l = A + ε with A linear, its tangent plane at the middle, and |ε_k| ≤ e_k from
// the Bernstein coefficients of π_k − A_k Σπ. b(A, ..., A) lies among the polar values at all lists
// of the rectangle's corners, and with M the largest homogeneous point and ρ ≥ Σ |l_k|, Σ |A_k|
//   |b(l, ..., l) − b(A, ..., A)| ≤ d ρ^(d−1) M Σ e_k.
Box SPatch::part_box(const Uv<double>& low, const Uv<double>& high) const {
  const auto n = at(sides());
  Box whole;
  for (const StoredPoint& h : points_) whole.add(Vec3<double>(h[0], h[1], h[2]) / h[3]);
  const std::array<Uv<double>, 4> corners{low, {high.x(), low.y()}, {low.x(), high.y()}, high};
  const auto linear = [&](const auto& f) {
    Bernstein values(2, 2);
    for (int i = 0; i < 4; ++i) values(i % 2, i / 2) = f(corners[at(i)]);
    return values;
  };
  const Uv<double> middle = 0.5 * (low + high);
  const auto l = detail::corner_coordinates<1>(*domain_, middle);
  const auto tangent = [&](std::size_t k, const Uv<double>& q) {
    return l[0][k] + l[1][k] * (q.x() - middle.x()) + l[2][k] * (q.y() - middle.y());
  };
  std::vector<Bernstein> pi(n, Bernstein::Ones(1, 1));
  Bernstein sum =
      Bernstein::Zero(static_cast<Eigen::Index>(n) - 1, static_cast<Eigen::Index>(n) - 1);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      if (j == k || (j + 1) % n == k) continue;
      pi[k] = times(pi[k], linear([&](const Uv<double>& q) {
                      return domain_->margin(static_cast<int>(j), q);
                    }));
    }
    sum += pi[k];
  }
  const double least_sum = coefficients(sum).minCoeff();
  if (!(least_sum > 0)) return whole;
  double off = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Bernstein difference =
        times(pi[k], Bernstein::Ones(2, 2)) -
        times(sum, linear([&](const Uv<double>& q) { return tangent(k, q); }));
    off += coefficients(difference).abs().maxCoeff() / least_sum;
  }
  // Homogeneous points counted from the middle of the patch.
  const Vec3<double> origin = whole.centre();
  std::array<std::array<double, kMostSides>, 4> arguments{};
  double rho = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    double size = 0;
    for (std::size_t k = 0; k < n; ++k) {
      arguments[i][k] = tangent(k, corners[i]);
      size += std::abs(arguments[i][k]);
    }
    rho = std::max(rho, size + off);
  }
  std::vector<Vec<double, 4>> net;
  net.reserve(points_.size());
  Vec<double, 4> largest = Vec<double, 4>::Zero();
  for (const StoredPoint& h : points_) {
    net.emplace_back(h[0] - h[3] * origin.x(), h[1] - h[3] * origin.y(), h[2] - h[3] * origin.z(),
                     h[3]);
    largest = largest.cwiseMax(net.back().cwiseAbs());
  }
  const Vec<double, 4> error = depth_ * std::pow(rho, depth_ - 1) * off * largest;
  Box box;
  double least_weight = std::numeric_limits<double>::infinity();
  for (const Corners& list : all_corners(4, depth_)) {
    std::vector<Vec<double, 4>> form = net;
    for (int degree = depth_; degree > 0; --degree)
      detail::put_in<4>((*above_)[at(degree) - 1], n, form.data(),
                        arguments[at(list[at(degree) - 1])], form.data());
    box.add(form[0].head<3>() / form[0](3));
    least_weight = std::min(least_weight, form[0](3));
  }
  const double weight = least_weight - error(3);
  if (!(weight > 0)) return whole;
  const Vec3<double> reach = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs());
  const Vec3<double> slack = (error.head<3>() + error(3) * reach) / weight;
  return {(box.low - slack + origin).cwiseMax(whole.low),
          (box.high + slack + origin).cwiseMin(whole.high)};
}

}  // namespace oloid::geometry
