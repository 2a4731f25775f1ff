#include "oloid/world/islands/motion_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oloid::world {
namespace {

// Largest values of the polynomials that a curve is made of, from the third on, and of their
// derivatives by s: s r, s² r, s² r², s³ r², s³ r³, s⁴ r³ with r = 1 − s (integrate/segment.h).
constexpr double kLargestOfBasis[] = {0.25, 0.1482, 0.0625, 0.0346, 0.0157, 0.0085};
constexpr double kSteepest[] = {1, 1, 0.193, 0.14, 0.054, 0.034};

using Curve = Segment<Eigen::Dynamic>;

// Of a vector of `rows` components: its largest length, and that of its derivative.
double largest(const Curve& curve, Eigen::Index at, int rows) {
  const auto c = curve.c.middleRows(at, rows);
  double sum = std::max(c.col(0).norm(), (c.col(0) + c.col(1)).norm());
  for (int i = 0; i < 6; ++i) sum += kLargestOfBasis[i] * c.col(i + 2).norm();
  return sum;
}
double steepest(const Curve& curve, Eigen::Index at, int rows) {
  const auto c = curve.c.middleRows(at, rows);
  double sum = c.col(1).norm();
  for (int i = 0; i < 6; ++i) sum += kSteepest[i] * c.col(i + 2).norm();
  return sum / curve.h;
}

MotionBound free_bound(const Curve& curve, int node) {
  const Eigen::Index at = block_at(node);
  return {largest(curve, at + kVelocity, 3), largest(curve, at + kSpinning, 3),
          steepest(curve, at + kVelocity, 3), steepest(curve, at + kSpinning, 3)};
}

// The twist of a contact is relative to the material of B, of which a belt is a part.
MotionBound held_bound(const Curve& curve, int node, const Body& A, const Body& B,
                       const Vec3<double>& start_on_B, MotionBound parent) {
  const Eigen::Index at = block_at(node) + kRates;
  const double w = largest(curve, at, 3), v = largest(curve, at + kSlipRow, 2);
  MotionBound bound;
  bound.w = w + parent.w;
  // For unbounded surfaces: the contact moves away no faster than it slips and rolls.
  const double r_A = std::isfinite(A.radius()) ? A.radius() : A.length;
  const double r_B = std::isfinite(B.radius())
                         ? B.radius()
                         : start_on_B.norm() + (v + bound.w * r_A + parent.v) * curve.h;
  bound.v = v + parent.v + (parent.w > 0 ? parent.w * r_B : 0) + bound.w * r_A;
  bound.a = bound.alpha = std::numeric_limits<double>::infinity();
  return bound;
}

// A path from p0 to p1 over a time h, with bounded speed and acceleration, stays near the straight
// line: no farther from it than a h² / 8, and no longer than v h.
Box box_of_path(const Vec3<double>& p0, const Vec3<double>& p1, const MotionBound& bound, double h,
                double radius) {
  const double longest = bound.v * h, straight = (p1 - p0).norm();
  const double aside = 0.5 * std::sqrt(std::max(0.0, longest * longest - straight * straight));
  const double off = std::min(aside, bound.a * h * h / 8);
  Box box;
  box.add(p0);
  box.add(p1);
  // Ends of steps are exact to the tolerance of the steps.
  const double slack = off + radius + 1e-9 * (longest + radius);
  return {box.low - Vec3<double>::Constant(slack), box.high + Vec3<double>::Constant(slack)};
}

}  // namespace

void bound_motion(const IslandIndex& group, const DiscreteState& discrete, Evaluation& instant,
                  Step& step) {
  instant.kinematics(discrete, step.start.t(), step.start.y.y);
  for (const int node : instant.forest.order()) {
    const auto i = static_cast<std::size_t>(node);
    step.origins[i] = instant.body(group.id(node)).X_WB.p;
    const Contact& hold = discrete.joint(node);
    step.bounds[i] = hold.on ? held_bound(step.curve, node, group.at_node(node),
                                          group.body(hold.parent), instant.forest[node].X_BC.p,
                                          bound_of(group, step, hold.parent, step.curve.t1()))
                             : free_bound(step.curve, node);
  }
}

void box_motion(const IslandIndex& group, const DiscreteState& discrete, const StateVector& end,
                Evaluation& instant, Step& step) {
  instant.kinematics(discrete, step.curve.t1(), end);
  for (int node = 0; node < group.nodes(); ++node) {
    const auto i = static_cast<std::size_t>(node);
    step.boxes[i] = box_of_path(step.origins[i], instant.at_node(node).X_WB.p, step.bounds[i],
                                step.curve.h, group.at_node(node).radius());
  }
}

MotionBound bound_of(const IslandIndex& group, const Step& step, BodyId body, double t1) {
  const int node = group.node(body);
  if (node != kGround) return step.bounds[static_cast<std::size_t>(node)];
  return ground_bound(group.body(body).motion, step.start.t(), t1);
}

}  // namespace oloid::world
