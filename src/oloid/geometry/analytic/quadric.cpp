#include "oloid/geometry/analytic/quadric.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "oloid/geometry/analytic/sphere_charts.h"
#include "oloid/geometry/core/local_surface.h"

namespace oloid::geometry {
namespace {

// Below this part of the largest, a number is the round-off of zero. For eigenvalues it means that
// an ellipsoid is at most 1e6 times as long as wide; a rotated cylinder is none.
constexpr double kRelativeRoundOff = 1e-12;

// All eigenvalues of one sign: if there is a surface, it is an ellipsoid.
bool is_definite(const Vec3<double>& lambda) {
  const double zero = kRelativeRoundOff * lambda.cwiseAbs().maxCoeff();
  return lambda.minCoeff() > zero || lambda.maxCoeff() < -zero;
}

// Newton steps along the gradient, enough to come back from far away by halves.
constexpr int kSearchSteps = 50;

// A paraboloid is a height over a plane: f is linear along its axis.
std::optional<HeightTile> height(const Mat3<double>& Q, const Vec3<double>& b, double reach) {
  const Eigen::SelfAdjointEigenSolver<Mat3<double>> eigen(Q);
  const Vec3<double> lambda = eigen.eigenvalues();
  Eigen::Index steepest = 0;
  const double zero = kRelativeRoundOff * lambda.cwiseAbs().maxCoeff(&steepest);
  Vec3<double> along = Vec3<double>::Zero();  // b, as far as f is linear that way
  for (int k = 0; k < 3; ++k) {
    const Vec3<double> v = eigen.eigenvectors().col(k);
    if (std::abs(lambda(k)) <= zero) along += b.dot(v) * v;
  }
  if (along.norm() <= kRelativeRoundOff * b.norm()) return std::nullopt;
  Mat3<double> R;
  R.col(2) = along.normalized();  // out of the body: f rises along it
  R.col(0) = eigen.eigenvectors().col(steepest);
  R.col(1) = R.col(2).cross(R.col(0));
  Vec3<double> vertex = Vec3<double>::Zero();  // below or above the summit
  for (int k = 0; k < 2; ++k) {
    const double bend = R.col(k).dot(Q * R.col(k));
    if (std::abs(bend) > zero) vertex -= b.dot(R.col(k)) / bend * R.col(k);
  }
  const double slope = 2 * along.norm();  // of f along the axis
  HeightTile tile{vertex, R};
  tile.axes.leftCols<2>() *= reach;
  tile.axes.col(2) /= slope;
  return tile;
}

}  // namespace

Quadric::Quadric(const Mat3<double>& Q, const Vec3<double>& b, double c) : Q_(Q), b_(b), c_(c) {
  const Eigen::SelfAdjointEigenSolver<Mat3<double>> eigen(Q);
  const Vec3<double> lambda = eigen.eigenvalues();
  bounding_radius_ = std::numeric_limits<double>::infinity();
  size_ = 1;
  if (is_definite(lambda)) {
    const Vec3<double> centre = -Q.ldlt().solve(b);
    const double level = centre.dot(Q * centre) - c;  // (p − centre)ᵀ Q (p − centre) = level
    const double radius =
        std::sqrt(level / lambda(lambda.cwiseAbs().minCoeff() == std::abs(lambda(0)) ? 0 : 2));
    bounding_radius_ = centre.norm() + radius;
    size_ = bounding_radius_;
  } else {
    const double scale = lambda.cwiseAbs().maxCoeff();
    if (scale > 0) size_ = std::max(std::sqrt(std::abs(c) / scale), b.norm() / scale);
    if (!(size_ > 0) || !std::isfinite(size_)) size_ = 1;
  }
}

Result<Quadric> Quadric::make(const Mat3<double>& Q, const Vec3<double>& b, double c) {
  if (!Q.allFinite() || !b.allFinite() || !std::isfinite(c)) {
    return refuse("the quadric has a coefficient that is not finite", "use finite Q, b and c");
  }
  if ((Q - Q.transpose()).norm() > 1e-12 * Q.norm()) {
    return refuse("Q is not symmetric",
                  "use (Q + transpose of Q) / 2, which gives the same surface");
  }
  if (Q.norm() == 0 && b.norm() == 0) {
    return refuse("the quadric has neither a quadratic nor a linear part", "specify Q or b");
  }
  const Eigen::SelfAdjointEigenSolver<Mat3<double>> eigen(Q);
  const Vec3<double> lambda = eigen.eigenvalues();
  if (is_definite(lambda)) {
    const Vec3<double> centre = -Q.ldlt().solve(b);
    const double at_centre = centre.dot(Q * centre);
    const double level = (at_centre - c) * (lambda(0) > 0 ? 1 : -1);
    if (level <= kRelativeRoundOff * (std::abs(at_centre) + std::abs(c))) {
      return refuse("no point satisfies f = 0",
                    "for an ellipsoid with positive Q, use a negative c");
    }
  }
  const Quadric quadric(Q, b, c);
  if (quadric.seeds().empty()) {
    return refuse("no regular point of f = 0 was found",
                  "check Q, b and c; f must be negative somewhere and positive elsewhere");
  }
  return quadric;
}

bool Quadric::is_regular_point(const Vec3<double>& p) const {
  const ImplicitJet<double> at = implicit_jet(p);
  const double slope = at.gradient.norm();
  return p.allFinite() && slope > 1e-6 * (Q_.norm() * size_ + b_.norm()) &&
         std::abs(at.f) <= 1e-9 * size_ * slope;
}

Location Quadric::near(const Vec3<double>& p) const {
  Location found{ChartId{0}, project(*this, p, kSearchSteps)};
  if (is_regular_point(found.x)) return found;
  // At a centre f has no gradient, between two sheets no zero along it.
  const std::vector<Location> starts = seeds();
  return *std::min_element(starts.begin(), starts.end(), [&](const Location& a, const Location& b) {
    return (a.x - p).squaredNorm() < (b.x - p).squaredNorm();
  });
}

std::vector<Location> Quadric::seeds() const {
  std::vector<Location> result;
  const Vec3<double> origin = std::isfinite(bounding_radius_) ? Vec3<double>(-Q_.ldlt().solve(b_))
                                                              : Vec3<double>(Vec3<double>::Zero());
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      for (int z = -2; z <= 2; ++z) {
        const Vec3<double> start =
            origin + 0.5 * size_ * Vec3<double>(x, y, z) + 1e-3 * size_ * Vec3<double>(1, 2, 3);
        const Vec3<double> p = project(*this, start, kSearchSteps);
        if (is_regular_point(p)) result.push_back({ChartId{0}, p});
      }
    }
  }
  return result;
}

std::optional<Quadric::Ball> Quadric::ball() const {
  if (!std::isfinite(bounding_radius_)) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Mat3<double>> eigen(Q_);
  const Vec3<double> centre = -Q_.ldlt().solve(b_);
  const double level = centre.dot(Q_ * centre) - c_;
  const Vec3<double> semi_axes = (level * eigen.eigenvalues().cwiseInverse()).cwiseSqrt();
  Mat3<double> axes = eigen.eigenvectors() * semi_axes.asDiagonal();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  return Ball{centre, axes};
}

Box Quadric::box() const {
  const std::optional<Ball> at = ball();
  if (!at) return everywhere();
  const Vec3<double> half = at->axes.rowwise().norm();
  return {at->centre - half, at->centre + half};
}

Result<Solid> Quadric::solid() const {
  const std::optional<Ball> at = ball();
  if (!at || Q_.trace() < 0) {
    return refuse(at ? "the body is everything outside the surface" : "the quadric is not closed",
                  "specify mass and inertia instead");
  }
  const double volume = 4 * std::numbers::pi / 3 * at->axes.determinant();
  const Mat3<double> second = volume / 5 * at->axes * at->axes.transpose();
  return Solid{volume, at->centre, second.trace() * Mat3<double>::Identity() - second};
}

std::vector<Tile> Quadric::tiles(double reach) const {
  const std::optional<Ball> at = ball();
  if (!at) {
    const std::optional<HeightTile> graph = height(Q_, b_, reach);
    return graph ? std::vector{Tile{*graph}} : std::vector<Tile>{};
  }
  std::vector<Tile> result;
  result.reserve(sphere_charts::kCharts);
  for (int side = 0; side < sphere_charts::kCharts; ++side) result.push_back({CubeTile{side}});
  return result;
}

Location Quadric::on_tile(const CubeTile& tile, double s, double t) const {
  const Ball at = *ball();
  const Vec3<double> d = sphere_charts::cube_direction(tile.side, Q_.trace() < 0, s, t);
  return {ChartId{0}, at.centre + at.axes * d.normalized()};
}

// f rises by 1 along the third axis.
Location Quadric::on_tile(const HeightTile& tile, double s, double t) const {
  const Vec3<double> foot = tile.middle + tile.axes * Vec3<double>(2 * s - 1, 2 * t - 1, 0);
  return {ChartId{0}, foot - implicit_jet(foot).f * tile.axes.col(2)};
}

}  // namespace oloid::geometry
