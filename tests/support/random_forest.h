// Random trees of bodies and contacts, and the same equations solved densely.
#pragma once

#include <Eigen/LU>
#include <vector>

#include "oloid/dynamics/forest.h"
#include "oloid/spatial/rotation.h"
#include "support/all_laws.h"
#include "support/rooms.h"

namespace oloid::test {

inline Pose<double> random_pose(Random& random, double size) {
  const Vec3<double> axis = random.direction();
  const double angle = random(-3, 3);
  return {axis_angle(axis, angle), random.vector<3>(-size, size)};
}

// Compact: radii of gyration from 0.3 m to 0.5 m.
inline BodyInertia<double> random_body(Random& random) {
  const double mass = random(0.5, 2);
  const Vec3<double> J0 = mass * random.vector<3>(0.1, 0.2);
  const Vec3<double> axis = random.direction();
  const double angle = random(-3, 3);
  const Mat3<double> R = axis_angle(axis, angle), J = R * J0.asDiagonal() * R.transpose();
  return {mass, 1 / mass, J, J.inverse()};
}

// What a tree is made of: the parent of each node, kFree for a root in flight.
inline constexpr int kFree = -2;
using Parents = std::vector<int>;

enum class Forces { all, workless };
inline Law random_law(Random& random, Forces forces) {
  Law law = law_number(static_cast<int>(random(0, kLawCount)));
  if (forces == Forces::all) return law;
  if (law.slip == Slip::sliding) law.slip = Slip::stuck;
  if (law.spin == Spin::resisting) law.spin = Spin::stuck;
  if (law.roll == Roll::resisting) law.roll = Roll::stuck;
  return law;
}

inline Node random_node(Random& random, int parent, Forces forces) {
  Node node;
  node.held = parent != kFree;
  node.parent = parent == kFree ? kGround : parent;
  node.body = random_body(random);
  node.X_AC = random_pose(random, 0.3);
  node.X_BC = random_pose(random, 0.3);
  node.law = random_law(random, forces);
  node.given = random_given(random, node.law, 0.1);
  node.p.t = random.vector<3>(-2, 2);
  node.p.f = random.vector<3>(-2, 2);
  node.b = random.vector<6>(-2, 2);
  return node;
}

inline Forest random_forest(Random& random, const Parents& parents, Forces forces = Forces::all) {
  Forest forest(static_cast<int>(parents.size()));
  for (int i = 0; i < forest.size(); ++i)
    forest[i] = random_node(random, parents[static_cast<std::size_t>(i)], forces);
  forest.sort();
  return forest;
}

// Up to 6 nodes, numbered in any order.
inline Parents random_parents(Random& random) {
  const int n = 1 + static_cast<int>(random(0, 6));
  std::vector<int> number(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) number[static_cast<std::size_t>(i)] = i;
  for (int i = n - 1; i > 0; --i)
    std::swap(number[static_cast<std::size_t>(i)],
              number[static_cast<std::size_t>(random(0, i + 1))]);
  Parents parents(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const int pick = static_cast<int>(random(0, i + 2)) - 2;  // kFree, kGround or earlier
    parents[static_cast<std::size_t>(number[static_cast<std::size_t>(i)])] =
        pick < 0 ? pick : number[static_cast<std::size_t>(pick)];
  }
  return parents;
}

// Matrix of a linear map from six numbers to six.
template <class F>
Mat6<double> matrix_of(const F& map) {
  Mat6<double> M;
  for (int j = 0; j < 6; ++j) M.col(j) = map(Vec6<double>(Vec6<double>::Unit(j)));
  return M;
}
inline Mat6<double> mass_matrix(const BodyInertia<double>& body) {
  const Inertia<double> M{body.mass, body.J};
  return matrix_of([&](const Vec6<double>& x) { return stacked(M * as_twist(x)); });
}
// Of twists from the body's frame to C, and of wrenches from C to the body's frame.
inline Mat6<double> twists_to(const Pose<double>& X) {
  return matrix_of(
      [&](const Vec6<double>& x) { return stacked(transform(inverse(X), as_twist(x))); });
}
inline Mat6<double> wrenches_from(const Pose<double>& X) {
  return matrix_of([&](const Vec6<double>& x) { return stacked(transform(X, as_wrench(x))); });
}

// All bodies' equations and all rows of all contacts as one linear system in (a, f).
struct DenseSolution {
  std::vector<Vec6<double>> a, f, w_rate;
};
inline DenseSolution solve_densely(const Forest& forest) {
  const int n = forest.size();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(12 * n, 12 * n);
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(12 * n);
  for (int i = 0; i < n; ++i) {
    const Node& node = forest[i];
    const int a = 6 * i, f = 6 * (n + i);
    A.block<6, 6>(a, a) += mass_matrix(node.body);  // M a + p = f − forces on what it carries
    rhs.segment<6>(a) -= stacked(node.p);
    if (!node.held) {
      A.block<6, 6>(f, f).setIdentity();
      continue;
    }
    A.block<6, 6>(a, f) -= wrenches_from(node.X_AC);
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(6, 12 * n);  // w' = b + motion (a, f)
    motion.block<6, 6>(0, a) = twists_to(node.X_AC);
    if (node.parent != kGround) {
      A.block<6, 6>(6 * node.parent, f) += wrenches_from(node.X_BC);
      motion.block<6, 6>(0, 6 * node.parent) = -twists_to(node.X_BC);
    }
    for (int row = 0; row < 6; ++row) {
      if (kind_of_row(node.law, row) == RowKind::constrained) {
        A.row(f + row) = motion.row(row);
        rhs(f + row) = -node.b(row);
      } else {  // f = given f_n
        A(f + row, f + row) = 1;
        A(f + row, f + kNormalRow) += node.given(row);
      }
    }
  }
  const Eigen::VectorXd x = A.fullPivLu().solve(rhs);
  DenseSolution out;
  for (int i = 0; i < n; ++i) {
    const Node& node = forest[i];
    out.a.emplace_back(x.segment<6>(6 * i));
    out.f.emplace_back(x.segment<6>(6 * (n + i)));
    Vec6<double> w_rate = Vec6<double>::Zero();
    if (node.held) w_rate = node.b + twists_to(node.X_AC) * x.segment<6>(6 * i);
    if (node.held && node.parent != kGround)
      w_rate -= twists_to(node.X_BC) * x.segment<6>(6 * node.parent);
    out.w_rate.push_back(w_rate);
  }
  return out;
}

// Pose of a node's body in its root's, or in the ground's.
inline Pose<double> pose_in_root(const Forest& forest, int i) {
  const Node& node = forest[i];
  if (!node.held) return {};
  const Pose<double> X_BA = node.X_BC * inverse(node.X_AC);
  return node.parent == kGround ? X_BA : pose_in_root(forest, node.parent) * X_BA;
}
inline int root_of(const Forest& forest, int i) {
  while (forest[i].held && forest[i].parent != kGround) i = forest[i].parent;
  return i;
}

}  // namespace oloid::test
