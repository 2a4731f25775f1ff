// Everything at one instant: places and motions of bodies that are held, accelerations, forces and
// power, against Newton's laws in the world.
#include "oloid/world/evaluate/evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/group.h"
#include "support/rooms.h"

namespace oloid::test::evaluation_test {

using Vector = Vec3<double>;

BodySpec turned(BodySpec body, const Quat<double>& q) {
  body.orientation = unit(q);
  return body;
}
BodySpec driven(MotionSpec motion) {
  BodySpec body = named("plate", ground());
  body.fixed = false;
  body.motion = Located<MotionSpec>(std::move(motion));
  return body;
}
BodySpec shaken() {
  FormulaMotionSpec motion;
  motion.position =
      FormulasSpec(std::array<std::string, 3>{"0.2 * sin(2 * t)", "0.3 * t", "0.05 * sin(3 * t)"});
  motion.rotation_vector = FormulasSpec(
      std::array<std::string, 3>{"0.1 * sin(2 * t)", "0.05 * t", "1.5 * t + 0.2 * t^2"});
  return driven(motion);
}
BodySpec belt() {
  BeltMotionSpec motion;
  motion.velocity = FormulasSpec(std::array<std::string, 3>{"0.5 + t", "0.2 * sin(5 * t)", "0"});
  motion.spin = Located<std::string>("1.2 + t");
  return driven(motion);
}
Spec parameter_rates(Spec spec) {
  spec.solver.formulation = Located<Formulation>(Formulation::parameter_rates);
  return spec;
}

// An ellipsoid that leans, somewhere on ground that may move.
Spec on_ground(BodySpec base, double friction) {
  const BodySpec body = turned(ellipsoid({0.3, 0.25, 0.2}, 1.3), {0.9, 0.2, -0.3, 0.1});
  const std::string name = base.name.value;
  Spec spec = touching(scene_of({named("body", body, {{0.4, -0.2, 0.3}}), std::move(base)},
                                {law("body", name, friction)}, 0.5));
  spec.solver.rtol = 1e-13;
  return spec;
}
// Its velocity is such that the touching particles have the relative velocity `slip`.
Spec with_motion(Spec spec, const Vector& w, const Vector& slip) {
  const Model model = compiled(spec);
  const StartContact& touch = model.touches.at(0);
  const Pose<double> X_WB = initial_pose(model, model.pair(touch.pair).bodies[1]);
  const Vector x = X_WB * touch.near.point_B, n = X_WB.R * touch.near.normal;
  const Vector v_B = velocity_at(model.bodies[1].motion.at(0), x);
  spec.bodies[0].angular_velocity = w;
  spec.bodies[0].velocity =
      Vector(v_B + slip - slip.dot(n) * n - w.cross(x - model.bodies[0].start.p_WA));
  return spec;
}

// Contact coordinates say where the body is and how it moves: as the scene does, whatever the
// ground does.
TEST(Evaluation, HeldBodiesAreWhereTheSceneHasPutThem) {
  const Vector w(1.5, -0.7, 2.1), slip(0.4, -0.6, 0.3);
  for (const bool parametric : {false, true}) {
    for (const BodySpec& base : {table(), shaken(), belt()}) {
      SCOPED_TRACE(base.name.value);
      Spec spec = with_motion(on_ground(base, 0), w, slip);
      if (parametric && base.motion && std::holds_alternative<BeltMotionSpec>(base.motion->value))
        continue;
      if (parametric) spec = parameter_rates(spec);
      const Group group(spec);
      const Body& body = group.model.bodies[0];
      const BodyMotion& x = group.motion("body");
      ASSERT_TRUE(group.state.discrete.joint(0).on);
      EXPECT_LE((x.X_WB.p - body.start.p_WA).norm(), 1e-14);
      EXPECT_LE((x.X_WB.R - rotation_matrix(body.start.q_WA)).norm(), 1e-14);
      EXPECT_LE((x.X_WB.R * x.phi.w - w).norm(), 1e-13);
      EXPECT_LE((x.X_WB.R * x.phi.v - spec.bodies[0].velocity.value).norm(), 1e-13);
    }
  }
}

// A motion and its rates at an instant of a run, from the curves of the steps.
struct Rates {
  std::vector<BodyMotion> bodies;
  std::vector<Vector> force, moment;  // d/dt of momentum, of spin about the centre of mass
  std::vector<Twist<double>> twist;   // of components
  double energy = 0;                  // [W], kinetic and potential
};
double energy_of(const Model& model, const std::vector<BodyMotion>& bodies) {
  double sum = 0;
  for (const BodyId id : model.moving) {
    const BodyInertia<double>& M = model.body(id).inertia;
    const BodyMotion& x = bodies[static_cast<std::size_t>(id.index)];
    sum += 0.5 * M.mass * x.phi.v.squaredNorm() + 0.5 * x.phi.w.dot(M.J * x.phi.w) -
           M.mass * model.gravity_W.dot(x.X_WB.p);
  }
  for (const Spring& s : model.loads.springs()) {  // without length, between centres of mass
    const auto p = [&](std::size_t k) {
      return bodies[static_cast<std::size_t>(s.bodies[k].index)].X_WB.p;
    };
    sum += 0.5 * s.stiffness * (p(0) - p(1)).squaredNorm();
  }
  return sum;
}
Rates rates_at(Island& island, const Step& step, double t) {
  const Model& model = island.group().model;
  const double h = std::min(2e-4, 0.05 * (step.t1 - step.start.t()));
  const double offsets[] = {-2 * h, -h, h, 2 * h}, weights[] = {1, -8, 8, -1};
  Rates out;
  const std::size_t n = model.bodies.size();
  out.force.assign(n, Vector::Zero());
  out.moment.assign(n, Vector::Zero());
  out.twist.assign(n, {});
  for (int k = 0; k < 4; ++k) {
    const double c = weights[k] / (12 * h);
    const std::vector<BodyMotion> at = island.place(step, t + offsets[k]).bodies;
    for (std::size_t i = 0; i < n; ++i) {
      if (!model.bodies[i].moves) continue;
      const BodyInertia<double>& M = model.bodies[i].inertia;
      out.force[i] += c * M.mass * (at[i].X_WB.R * at[i].phi.v);
      out.moment[i] += c * (at[i].X_WB.R * (M.J * at[i].phi.w));
      out.twist[i].w += c * at[i].phi.w;
      out.twist[i].v += c * at[i].phi.v;
    }
    out.energy += c * energy_of(model, at);
  }
  return out;
}

// Newton and Euler, body by body, with the forces that the contacts report; energy by their power.
void expect_newton(const Spec& spec, double tolerance) {
  const Model model = compiled(spec);
  int checked = 0;
  const Islands islands = islands_of(model);
  for (Island& island : islands) {
    island.advance(model.t_end, 1000, true);
    for (int i = 0; i < island.steps(); ++i) {
      const Step& step = island.step(i);
      const double t = 0.5 * (step.start.t() + step.t1);
      if (step.t1 - step.start.t() < 2e-4) continue;
      ++checked;
      Rates rates = rates_at(island, step, t);
      const Evaluation& now = island.evaluate(island.snapshot(t));
      double drives = 0, friction = 0;
      for (int node = 0; node < island.group().nodes(); ++node) {
        const BodyId id = island.group().id(node);
        const auto a = static_cast<std::size_t>(id.index);
        const Twist<double>& acceleration = now.forest[node].a;
        EXPECT_LE((acceleration.w - rates.twist[a].w).norm(),
                  tolerance * (1 + acceleration.w.norm()));
        EXPECT_LE((acceleration.v - rates.twist[a].v).norm(),
                  tolerance * (1 + acceleration.v.norm()));
        rates.force[a] -= model.bodies[a].inertia.mass * model.gravity_W;
        const Contact& hold = step.start.discrete.joint(node);
        if (!hold.on) continue;
        const BodyMotion &A = now.body(id), &B = now.body(hold.parent);
        const Mat3<double> R_WC = B.X_WB.R * now.forest[node].X_BC.R;
        const Vector F = R_WC * now.forest[node].f.tail<3>(),
                     M = R_WC * now.forest[node].f.head<3>();
        const Vector x = B.X_WB * now.forest[node].X_BC.p;
        EXPECT_LE((x - A.X_WB * now.forest[node].X_AC.p).norm(), 1e-11);
        const auto b = static_cast<std::size_t>(hold.parent.index);
        rates.force[a] -= F;
        rates.moment[a] -= M + (x - A.X_WB.p).cross(F);
        rates.force[b] += F;
        rates.moment[b] += M + (x - B.X_WB.p).cross(F);
        const Vector w_A = A.X_WB.R * A.phi.w, w_B = B.X_WB.R * B.phi.w;
        friction += F.dot(velocity_at(A, x) - velocity_at(B, x)) + M.dot(w_A - w_B);
        if (!model.body(hold.parent).moves) drives += F.dot(velocity_at(B, x)) + M.dot(w_B);
      }
      for (const Spring& s : model.loads.springs()) {
        const auto a = static_cast<std::size_t>(s.bodies[0].index),
                   b = static_cast<std::size_t>(s.bodies[1].index);
        const Vector pull = s.stiffness * (now.bodies[b].X_WB.p - now.bodies[a].X_WB.p);
        rates.force[a] -= pull;
        rates.force[b] += pull;
      }
      for (const BodyId id : island.group().moving) {
        EXPECT_LE(rates.force[static_cast<std::size_t>(id.index)].norm(), tolerance);
        EXPECT_LE(rates.moment[static_cast<std::size_t>(id.index)].norm(), tolerance);
      }
      EXPECT_NEAR(now.drive_power, drives, 1e-11 * (1 + std::abs(drives)));
      EXPECT_NEAR(rates.energy, drives + friction, tolerance);
      EXPECT_LE(friction, 1e-12);
    }
  }
  EXPECT_GT(checked, 3);
}

TEST(Evaluation, NewtonOnStillGround) {
  Spec celt = rattleback(0.5);
  celt.solver.rtol = 1e-13;
  expect_newton(celt, 1e-7);
  expect_newton(parameter_rates(celt), 1e-7);
  for (const double mu : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(mu);
    expect_newton(with_motion(on_ground(table(), mu), {1.5, -0.7, 2.1}, {0.4, -0.6, 0}), 1e-7);
  }
}

TEST(Evaluation, NewtonOnGroundThatMoves) {
  for (const double mu : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    for (const BodySpec& base : {shaken(), belt()}) {
      SCOPED_TRACE(mu);
      expect_newton(with_motion(on_ground(base, mu), {1.5, -0.7, 2.1}, {0.4, -0.6, 0}), 1e-7);
    }
  }
}

TEST(Evaluation, MomentsOfResistanceWorkToo) {
  Spec spec = with_motion(on_ground(shaken(), 0.2), {1.5, -0.7, 2.1}, {0.4, -0.6, 0});
  spec.pairs[0].law.rolling_resistance = Located<double>(0.02);
  spec.pairs[0].law.spin = Located<double>(0.03);
  expect_newton(spec, 1e-7);
}

TEST(Evaluation, NewtonInAChain) {
  for (const double mu : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    for (const bool on_plate : {false, true}) {
      SCOPED_TRACE(mu);
      Spec spec = scene_of(
          {named("a", ellipsoid({0.3, 0.25, 0.2}, 1.3),
                 {{0, 0, 1.5}, {0.05, 0.02, 0}, {0.1, -0.1, 0.5}}),
           named("b", ellipsoid({0.35, 0.3, 0.4}, 2.1),
                 {{0, 0, 0.9}, {-0.02, 0.03, 0}, {0.1, 0.1, -0.6}}),
           named("c", ball(0.25, 0.9), {{0, 0, 0.25}, {-0.02, 0.02, 0}, {0.1, 0.2, 0.4}}),
           on_plate ? shaken() : table()},
          {law("a", "b", mu), law("b", "c", mu), law("c", on_plate ? "plate" : "table", 0.3)}, 0.2);
      spec.springs = {spring("a", "b", 60), spring("b", "c", 60)};
      spec.solver.rtol = 1e-13;
      expect_newton(spec, 1e-6);
    }
  }
}

}  // namespace oloid::test::evaluation_test
