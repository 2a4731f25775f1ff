#include "proximity/courses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "oloid/spatial/rotation.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr double kSway = 0.1;  // of a normal about its mean [rad]

Mat<double, 3, 2> across(const Vec3<double>& n) {
  Mat<double, 3, 2> E;
  E.col(0) = n.unitOrthogonal();
  E.col(1) = n.cross(E.col(0));
  return E;
}

std::function<Vec3<double>(double)> swaying(const Vec3<double>& n) {
  return [n, E = across(n)](double phase) -> Vec3<double> {
    return (n + kSway * E * Vec2<double>(std::cos(phase), std::sin(phase))).normalized();
  };
}

Vec3<double> axis_beside(const Vec3<double>& n) {
  return std::abs(n.z()) < 0.9 ? Vec3<double>::UnitZ() : Vec3<double>::UnitX();
}

Mat3<double> frame(const Vec3<double>& n, const Vec3<double>& axis) {
  Mat3<double> R;
  R.col(0) = (axis - axis.dot(n) * n).normalized();
  R.col(1) = n.cross(R.col(0));
  R.col(2) = n;
  return R;
}

int pick(int n, Random& random) {
  return std::min(n - 1, static_cast<int>(random(0, static_cast<double>(n))));
}

// Between a face's middle and 0.6 of the way to its border, and round by another 0.1.
Course course_on_face(const ConvexPolyhedron& body, Random& random) {
  const int face = pick(body.faces(), random);
  const auto corners = body.corners(face);
  Vec3<double> middle = Vec3<double>::Zero();
  for (const int i : corners) middle += body.vertex(i) / static_cast<double>(corners.size());
  const int i = pick(static_cast<int>(corners.size()), random);
  const Vec3<double> to_corner = body.vertex(corners[static_cast<std::size_t>(i)]) - middle;
  const Vec3<double> n = body.face(face).normal, beside = 0.1 * n.cross(to_corner);
  const Vec3<double> p = middle + random(0, 0.3) * to_corner;
  return [=](double phase) -> Touch {
    return {p + 0.1 * std::cos(phase) * to_corner + std::sin(phase) * beside, n};
  };
}

}  // namespace

Vec3<double> Random::direction() {
  while (true) {
    const Vec3<double> d((*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1));
    if (d.squaredNorm() > 0.01 && d.squaredNorm() < 1) return d.normalized();
  }
}

Mat3<double> Random::rotation() {
  return axis_angle<double>(direction(), (*this)(-std::numbers::pi, std::numbers::pi));
}

Course course_over(const ConvexBody& body, Random& random) {
  if (body.has_faces()) return course_on_face(*body.polyhedron, random);
  const Vec3<double> half = body.half;
  if (body.kind == ConvexBody::Kind::cylinder) {
    const double angle = random(-3, 3), z = random(-0.5, 0.5) * half.z();
    return [=](double phase) -> Touch {
      const double a = angle + kSway * std::cos(phase);
      const Vec3<double> n(std::cos(a), std::sin(a), 0);
      return {half.x() * n + Vec3<double>(0, 0, z + 0.1 * half.z() * std::sin(phase)), n};
    };
  }
  return [half, normal = swaying(random.direction())](double phase) -> Touch {
    const Vec3<double> n = normal(phase), scaled = half.cwiseProduct(n);
    return {half.cwiseProduct(scaled) / scaled.norm(), n};
  };
}

Course course_at_vertex(const ConvexBody& body, Random& random) {
  const ConvexPolyhedron& polyhedron = *body.polyhedron;
  const int vertex = pick(polyhedron.vertices(), random);
  Vec3<double> n = Vec3<double>::Zero();
  for (const auto& spoke : polyhedron.around(vertex))
    n += random(0.8, 1.2) * polyhedron.face(spoke.face).normal;
  return [p = polyhedron.vertex(vertex), normal = swaying(n.normalized())](double phase) -> Touch {
    return {p, normal(phase)};
  };
}

KnownPair::KnownPair(const ConvexBody& body_A, const ConvexBody& body_B, Random& random)
    : A(body_A.has_faces() ? course_at_vertex(body_A, random) : course_over(body_A, random)),
      B(course_over(body_B, random)),
      axis_A(axis_beside(A(0).n)),
      axis_B(axis_beside(B(0).n)),
      psi(random(0.7, 2.4)) {}  // cylinders cross

// The frames (t, n × t, n) of both, t from the axes, with n_A against n_B.
Pose<double> KnownPair::pose(double phase, double gap) const {
  const Touch a = A(phase), b = B(-phase);
  const Mat3<double> turn = axis_angle<double>(b.n, psi + 0.1 * std::sin(phase));
  const Mat3<double> flip = Vec3<double>(1, -1, -1).asDiagonal();
  const Mat3<double> R_BA = turn * frame(b.n, axis_B) * flip * frame(a.n, axis_A).transpose();
  return {R_BA, b.p + gap * b.n - R_BA * a.p};
}

std::vector<Pose<double>> motion_about(const Pose<double>& X_BA, Random& random) {
  const Vec3<double> axis = random.direction(), along = 0.01 * random.direction(),
                     beside = 0.005 * random.direction();
  std::vector<Pose<double>> poses;
  poses.reserve(kSteps);
  for (int k = 0; k < kSteps; ++k) {
    const double phase = 2 * std::numbers::pi * k / kSteps;
    poses.push_back({axis_angle<double>(axis, 0.1 * std::sin(phase)) * X_BA.R,
                     X_BA.p + std::sin(phase) * along + (1 - std::cos(phase)) * beside});
  }
  return poses;
}

}  // namespace oloid::bench
