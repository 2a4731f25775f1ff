#include "oloid/proximity/cell_pair.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "oloid/base/constants.h"
#include "oloid/geometry/core/tangents.h"

namespace oloid::proximity {
namespace {

constexpr double kContracts = 0.9;  // of Krawczyk's test; certainly below 1
constexpr double kBeyond = 1e-9;    // of the parameters −1 to 1

// The quantities in the conditions, in one frame.
struct Sample {
  int dimension;
  VectorRange p, N, P_ss;
  std::array<VectorRange, 2> P, N_rate;
  PoseSlack slack = {};

  // At all poses within a slack.
  void loosen(const PoseSlack& by) {
    slack = by;
    p.rad.array() += by.moved;
    for (VectorRange* v : {&N, &P_ss, &P[0], &P[1], &N_rate[0], &N_rate[1]})
      v->rad.array() += by.turned * v->largest();
  }
};

// In the frame to which X maps the shape's frame.
Sample sample(const Pose<double>& X, const Cell& cell) {
  const Mat3<double> R = X.R * cell.frame;
  Sample s{cell.dimension, {X * cell.p, Vec3<double>::Zero()}, R * cell.N, R * cell.P_ss, {}, {}};
  for (std::size_t i = 0; i < 2; ++i) {
    s.P[i] = R * cell.P[i];
    s.N_rate[i] = R * cell.N_rate[i];
    if (static_cast<int>(i) < cell.dimension) s.p.rad += s.P[i].most();
  }
  s.p.rad = s.p.rad.cwiseMin(cell.radius);
  return s;
}
Sample sample(const Pose<double>& X, int dimension, const CellPoint& at) {
  const Vec3<double> none = Vec3<double>::Zero();
  Sample s{dimension, {X * at.p, none}, {X.R * at.N, none}, {X.R * at.P_ss, none}, {}, {}};
  for (std::size_t i = 0; i < 2; ++i) {
    s.P[i].mid = X.R * at.P[i];
    s.N_rate[i].mid = X.R * at.N_rate[i];
  }
  return s;
}

void put(Conditions& c, int row, int column, const NumberRange& derivative) {
  c.J(row, column) = derivative.mid;
  c.J_rad(row, column) = derivative.rad;
}
NumberRange along(const Vec3<double>& t, const VectorRange& v) {
  return {t.dot(v.mid), t.cwiseAbs().dot(v.rad)};
}

// Two directions across a vector.
std::array<Vec3<double>, 2> across(const Vec3<double>& N) {
  const Crosswise axes = crosswise(N);
  return {axes.a, axes.b};
}

// Conditions of a surface and another feature; r points from the surface to the other. `first` is
// the column of the surface's parameters, `other_first` that of the other's.
void with_surface(const Sample& surface, const Sample& other, const VectorRange& r, int first,
                  int other_first, Conditions& c) {
  int row = 0;
  const auto t = across(surface.N.mid);
  const VectorRange& N = surface.N;
  const double N_size = N.mid.norm();
  const double moved = surface.slack.moved + other.slack.moved,
               turned = surface.slack.turned + other.slack.turned;
  for (const Vec3<double>& t_i : t) {  // t·(r × N)
    c.F(row) = t_i.dot(r.mid.cross(N.mid));
    c.noise(row) = 1e-14 * (surface.p.mid.norm() + other.p.mid.norm()) * N_size;
    c.slack(row) = N_size * (moved + surface.slack.turned * r.largest());
    for (int j = 0; j < 2; ++j) {
      const auto k = static_cast<std::size_t>(j);
      put(c, row, first + j, along(t_i, cross(r, surface.N_rate[k]) - cross(surface.P[k], N)));
      if (j < other.dimension) put(c, row, other_first + j, along(t_i, cross(other.P[k], N)));
    }
    ++row;
  }
  if (other.dimension == 2) {  // t·(N' × N)
    for (const Vec3<double>& t_i : t) {
      c.F(row) = t_i.dot(other.N.mid.cross(N.mid));
      c.noise(row) = 1e-14 * other.N.mid.norm() * N_size;
      c.slack(row) = turned * other.N.mid.norm() * N_size;
      for (int j = 0; j < 2; ++j) {
        const auto k = static_cast<std::size_t>(j);
        put(c, row, first + j, along(t_i, cross(other.N, surface.N_rate[k])));
        put(c, row, other_first + j, along(t_i, cross(other.N_rate[k], N)));
      }
      ++row;
    }
  }
  if (other.dimension == 1) {  // P·N
    c.F(row) = other.P[0].mid.dot(N.mid);
    c.noise(row) = 1e-14 * other.P[0].mid.norm() * N_size;
    c.slack(row) = turned * other.P[0].mid.norm() * N_size;
    for (int j = 0; j < 2; ++j)
      put(c, row, first + j, dot(other.P[0], surface.N_rate[static_cast<std::size_t>(j)]));
    put(c, row, other_first, dot(other.P_ss, N));
  }
}

Conditions conditions(const Sample& A, const Sample& B) {
  Conditions c;
  c.n = A.dimension + B.dimension;
  const VectorRange r = A.p - B.p;
  if (B.dimension == 2) {
    with_surface(B, A, r, A.dimension, 0, c);
    return c;
  }
  if (A.dimension == 2) {
    with_surface(A, B, -r, 0, A.dimension, c);
    return c;
  }
  const double size = 1e-14 * (A.p.mid.norm() + B.p.mid.norm());
  if (A.dimension == 1) {  // P_A·r
    c.F(0) = A.P[0].mid.dot(r.mid);
    c.noise(0) = size * A.P[0].mid.norm();
    c.slack(0) = A.P[0].mid.norm() * (A.slack.moved + A.slack.turned * r.largest());
    put(c, 0, 0, dot(A.P_ss, r) + dot(A.P[0], A.P[0]));
    if (B.dimension == 1) put(c, 0, 1, -dot(A.P[0], B.P[0]));
  }
  if (B.dimension == 1) {  // P_B·r
    const int row = A.dimension;
    c.F(row) = B.P[0].mid.dot(r.mid);
    c.noise(row) = size * B.P[0].mid.norm();
    c.slack(row) = B.P[0].mid.norm() * A.slack.moved;
    put(c, row, row, dot(B.P_ss, r) + (-dot(B.P[0], B.P[0])));
    if (A.dimension == 1) put(c, row, 0, dot(A.P[0], B.P[0]));
  }
  return c;
}

// Conditions of a feature above the plane z = 0.
Conditions on_plane(const Sample& A) {
  Conditions c;
  c.n = A.dimension;
  const VectorRange& direction = A.dimension == 2 ? A.N : A.P[0];
  for (int i = 0; i < c.n; ++i) {
    const Vec3<double> t = Vec3<double>::Unit(A.dimension == 2 ? i : 2);
    c.F(i) = t.dot(direction.mid);
    c.noise(i) = 1e-14 * direction.mid.norm();
    c.slack(i) = A.slack.turned * direction.mid.norm();
    for (int j = 0; j < c.n; ++j)
      put(c, i, j, along(t, A.dimension == 2 ? A.N_rate[static_cast<std::size_t>(j)] : A.P_ss));
  }
  return c;
}

// Scales rows to size 1, since conditions have different units. Rows that do not change at all, as
// between two planes, stay as small as they are.
void normalise(Conditions& c) {
  constexpr double kLeast = 1e-9 / 1e-14;  // of the terms of F
  for (int i = 0; i < c.n; ++i) {
    const double scale = 1 / std::max(c.J.row(i).norm(), std::max(kLeast * c.noise(i), 1e-300));
    c.J.row(i) *= scale;
    c.J_rad.row(i) *= scale;
    c.F(i) *= scale;
    c.noise(i) *= scale;
    c.slack(i) *= scale;
  }
}

// Reach of the cell in a direction from its middle.
double reach(const Cell& cell, const Vec3<double>& direction) {
  const Vec3<double> d = cell.frame.transpose() * direction;
  double sum = 0;
  for (int i = 0; i < cell.dimension; ++i) {
    const VectorRange& P = cell.P[static_cast<std::size_t>(i)];
    sum += std::abs(d.dot(P.mid)) + d.cwiseAbs().dot(P.rad);
  }
  return sum;
}

}  // namespace

double PairOfNodes::least_distance() const {
  const Vec3<double> r = centre_A() - B.centre;
  const double distance = r.norm();
  double least = distance - A.radius - B.radius;
  if (!A.cell || !B.cell || !(distance > 0)) return least;
  const auto slab = [&](const Vec3<double>& d) {
    return std::abs(d.dot(X * A.cell->p - B.cell->p)) - reach(*A.cell, X.R.transpose() * d) -
           reach(*B.cell, d);
  };
  least = std::max(least, slab(r / distance));
  if (B.kind == Spot::Kind::surface && B.angle < kPi) least = std::max(least, slab(B.axis));
  return least;
}

// With h the reach of A along p_A − p_B and ρ its radius: |p_A − p_B|² ≤ (r + h)² + ρ².
double PairOfNodes::most_distance() const {
  const double most = (centre_A() - B.centre).norm() + A.radius + B.radius;
  if (!A.cell) return most;
  const Vec3<double> r = X * A.cell->p - B.centre;
  const double distance = r.norm();
  if (!(distance > 0)) return most;
  const double along = reach(*A.cell, X.R.transpose() * (r / distance));
  return std::min(most, std::hypot(distance + along, A.cell->radius) + B.radius);
}

double NodeOnPlane::least_distance() const {
  const double least = (X * A.centre).z() - A.radius;
  if (!A.cell) return least;
  return std::max(least, (X * A.cell->p).z() - reach(*A.cell, X.R.row(2).transpose()));
}

bool NodeOnPlane::cannot_face(const PoseSlack& slack) const {
  if (A.kind == Spot::Kind::vertex) return false;
  const double angle = angle_between(X.R * A.axis, Vec3<double>(0, 0, -1));
  const double most = A.angle + slack.turned;
  return A.kind == Spot::Kind::surface ? angle > most : std::abs(angle - kPi / 2) > most;
}

bool PairOfNodes::cannot_face(const PoseSlack& slack, int sense) const {
  const Vec3<double> axis_A = X.R * A.axis;
  const Vec3<double> r = centre_A() - B.centre;
  const double distance = r.norm(), radii = A.radius + B.radius + slack.moved;
  const double angle_A = A.angle + slack.turned;
  // How far r may turn.
  const double turn = radii < distance ? std::asin(radii / distance) + 1e-9 : kPi;
  const bool surface_A = A.kind == Spot::Kind::surface, surface_B = B.kind == Spot::Kind::surface;
  if (surface_A && surface_B && kPi - angle_between(axis_A, B.axis) > angle_A + B.angle)
    return true;
  const auto off = [&](const CellNode& node, const Vec3<double>& axis, const Vec3<double>& d,
                       double more) {
    if (node.kind == Spot::Kind::vertex || node.angle + more >= kPi / 2) return false;
    const double angle = angle_between(axis, d);
    // Along a normal, or against it where the bodies overlap; across a tangent.
    if (node.kind == Spot::Kind::surface) {
      const double off_by = sense > 0   ? angle
                            : sense < 0 ? kPi - angle
                                        : std::min(angle, kPi - angle);
      return off_by > node.angle + more;
    }
    return std::abs(angle - kPi / 2) > node.angle + more;
  };
  if (turn < kPi && (off(A, axis_A, r, turn + slack.turned) || off(B, B.axis, r, turn)))
    return true;
  // A curve runs across the normals of the other's surface.
  if (surface_B && A.kind == Spot::Kind::curve && off(A, axis_A, B.axis, B.angle + slack.turned))
    return true;
  return surface_A && B.kind == Spot::Kind::curve && off(B, B.axis, axis_A, angle_A);
}

Conditions conditions(const PairOfNodes& pair, const PoseSlack& slack) {
  // In the frame of a surface's cell: there ranges are narrow.
  const Cell &A = *pair.A.cell, &B = *pair.B.cell;
  Pose<double> X_B;
  X_B.R = (B.dimension == 2 ? B.frame : Mat3<double>(pair.X.R * A.frame)).transpose();
  Sample at_A = sample(X_B * pair.X, A);
  if (slack.moved > 0) at_A.loosen(slack);
  return conditions(at_A, sample(X_B, B));
}

Conditions conditions(const NodeOnPlane& pair, const PoseSlack& slack) {
  Sample at_A = sample(pair.X, *pair.A.cell);
  if (slack.moved > 0) at_A.loosen(slack);
  return on_plane(at_A);
}

// With C the inverse of J and x from −1 to 1: zeros obey x = −C F + (1 − C J(x)) x. There is none
// if the right-hand side lies outside −1 to 1, and at most one if |1 − C J| < 1.
PairContent content(const Conditions& at) {
  if (at.n == 0) return PairContent::one;
  for (int i = 0; i < at.n; ++i) {
    double most = at.noise(i) + at.slack(i);
    for (int j = 0; j < at.n; ++j) most += std::abs(at.J(i, j)) + at.J_rad(i, j);
    if (std::abs(at.F(i)) > most * (1 + kBeyond)) return PairContent::nothing;
  }
  Conditions c = at;
  normalise(c);
  const Eigen::PartialPivLU<Mat<double, 4, 4>> lu(c.J);
  if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 1e-13)) return PairContent::undecided;
  const Mat<double, 4, 4> C = lu.inverse();
  if (!C.allFinite()) return PairContent::undecided;
  const Mat<double, 4, 4> C_abs = C.cwiseAbs();
  const Vec<double, 4> off = C * c.F, slack = C_abs * (c.noise + c.slack);
  const Mat<double, 4, 4> E = C_abs * c.J_rad;
  double contraction = 0;
  for (int i = 0; i < at.n; ++i) {
    const double row = E.row(i).head(at.n).sum();
    if (std::abs(off(i)) > (1 + row) * (1 + kBeyond) + slack(i)) return PairContent::nothing;
    contraction = std::max(contraction, row);
  }
  return contraction < kContracts ? PairContent::one : PairContent::undecided;
}

namespace {

// Newton's method; `look` says what is at parameters x.
template <class Look>
PlaceOfPair solve_with(const Look& look) {
  constexpr int kMost = 25;
  constexpr double kFar = 10;       // in parameters: beyond the cells
  constexpr double kSolved = 1e-5;  // of conditions that do not change; others are at round-off
  PlaceOfPair at;
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMost; ++i) {
    Conditions c = look(at);
    if (c.n == 0) {
      at.converged = true;
      break;
    }
    normalise(c);
    at.residual = c.F.norm();
    if (!std::isfinite(at.residual)) return at;
    Eigen::CompleteOrthogonalDecomposition<Mat<double, 4, 4>> qr;
    qr.setThreshold(1e-9);
    qr.compute(c.J);
    Vec<double, 4> step = -qr.solve(c.F);
    const double longest = step.cwiseAbs().maxCoeff();
    if (longest > 1) step /= longest;
    // Down to round-off.
    at.converged = longest < 1e-9;
    if (longest < 1e-15 || (at.converged && longest >= before)) break;
    before = longest;
    at.x += step;
    if (!(at.x.cwiseAbs().maxCoeff() < kFar)) {
      at.converged = false;
      return at;
    }
  }
  at.converged = at.converged && at.residual < kSolved && at.A.p.allFinite() && at.B.p.allFinite();
  return at;
}

}  // namespace

PlaceOfPair solve(const CellTree& A, const CellTree& B, const PairOfNodes& pair) {
  const int dim_A = pair.A.cell->dimension, dim_B = pair.B.cell->dimension;
  return solve_with([&](PlaceOfPair& at) {
    Vec2<double> a(0, 0), b(0, 0);
    for (int k = 0; k < dim_A; ++k) a(k) = at.x(k);
    for (int k = 0; k < dim_B; ++k) b(k) = at.x(dim_A + k);
    at.A = A.point(pair.A, a);
    at.B = B.point(pair.B, b);
    return conditions(sample(pair.X, dim_A, at.A), sample(Pose<double>{}, dim_B, at.B));
  });
}

PlaceOfPair solve(const CellTree& A, const NodeOnPlane& pair) {
  const int dimension = pair.A.cell->dimension;
  return solve_with([&](PlaceOfPair& at) {
    Vec2<double> a(0, 0);
    for (int k = 0; k < dimension; ++k) a(k) = at.x(k);
    at.A = A.point(pair.A, a);
    at.B.p = pair.X * at.A.p;
    at.B.p.z() = 0;
    return on_plane(sample(pair.X, dimension, at.A));
  });
}

}  // namespace oloid::proximity
