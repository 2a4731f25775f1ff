#include "oloid/dynamics/loads.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace oloid::dynamics {
namespace {

std::size_t index(BodyId body) { return static_cast<std::size_t>(body.index); }

Vec3<double> evaluated(const std::array<Expression, 3>& formulas,
                       const std::array<double, kLoadVariables.size()>& values) {
  return {formulas[0](values), formulas[1](values), formulas[2](values)};
}

// Two points joined by a spring; velocities are those of the bodies' frames.
struct Ends {
  std::array<Vec3<double>, 2> v_W;
  Vec3<double> d_W;  // from the first to the second
};
Ends ends_of(const Spring& spring, std::span<const BodyMotion> bodies) {
  std::array<Vec3<double>, 2> p, v;
  for (std::size_t i = 0; i < 2; ++i) {
    const BodyMotion& body = bodies[index(spring.bodies[i])];
    const Twist<double> frame = body.phi - body.belt;
    p[i] = body.X_WB * spring.points[i];
    v[i] = body.X_WB.R * (frame.v + frame.w.cross(spring.points[i]));
  }
  return {v, p[1] - p[0]};
}

// On the first body; the second receives the opposite.
struct SpringForce {
  Vec3<double> elastic_W, damping_W;
};
SpringForce force_of(const Spring& spring, const Ends& ends) {
  const Vec3<double>& d = ends.d_W;
  const Vec3<double> d_rate = ends.v_W[1] - ends.v_W[0];
  const double square = d.squaredNorm();
  const double slack = square > 0 ? spring.length / std::sqrt(square) : 0;
  Vec3<double> along = Vec3<double>::Zero();
  if (spring.length == 0) {
    along = d_rate;
  } else if (square > 0) {
    along = d.dot(d_rate) / square * d;
  }
  return {spring.stiffness * (1 - slack) * d, spring.damping * along};
}

}  // namespace

std::array<double, 10> load_variables(double t, const BodyMotion& body) {
  const Vec3<double>& p = body.X_WB.p;
  const Vec3<double> v = body.X_WB.R * body.phi.v, w = body.X_WB.R * body.phi.w;
  return {t, p.x(), p.y(), p.z(), v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
}

void Loads::add(double t, std::span<const BodyMotion> bodies, std::span<Wrench<double>> loads,
                double& power) const {
  const auto act = [&](BodyId id, const Wrench<double>& f) {
    Wrench<double>& load = loads[index(id)];
    load.t += f.t;
    load.f += f.f;
  };
  const auto act_and_book = [&](BodyId id, const Wrench<double>& f) {
    act(id, f);
    power += spatial::power(f, bodies[index(id)].phi);
  };
  for (const FormulaLoad& load : formulas_) {
    const BodyMotion& body = bodies[index(load.body)];
    const auto values = load_variables(t, body);
    Vec3<double> force = evaluated(load.force, values), torque = evaluated(load.torque, values);
    if (!load.body_axes) {
      force = body.X_WB.R.transpose() * force;
      torque = body.X_WB.R.transpose() * torque;
    }
    act_and_book(load.body, {torque + load.point.cross(force), force});
  }
  for (const Drag& drag : drags_) {
    const Twist<double>& phi = bodies[index(drag.body)].phi;
    act_and_book(drag.body, {-drag.angular * phi.w, -drag.linear * phi.v});
  }
  for (const Callback& callback : callbacks_) {
    act_and_book(callback.body, callback.f(t, bodies[index(callback.body)]));
  }
  for (const Spring& spring : springs_) {
    const Ends ends = ends_of(spring, bodies);
    const SpringForce force = force_of(spring, ends);
    for (std::size_t i = 0; i < 2; ++i) {
      const double sign = i == 0 ? 1 : -1;
      const Vec3<double> f_B = sign * (bodies[index(spring.bodies[i])].X_WB.R.transpose() *
                                       (force.elastic_W + force.damping_W));
      act(spring.bodies[i], {spring.points[i].cross(f_B), f_B});
      const Vec3<double> booked = spring.driven[i] ? -force.elastic_W : force.damping_W;
      power += sign * booked.dot(ends.v_W[i]);
    }
  }
}

double Loads::potential(std::span<const BodyMotion> bodies) const {
  double sum = 0;
  for (const Spring& spring : springs_) {
    const double stretch = ends_of(spring, bodies).d_W.norm() - spring.length;
    sum += 0.5 * spring.stiffness * stretch * stretch;
  }
  return sum;
}

Loads Loads::of(const std::function<bool(BodyId)>& is_chosen) const {
  const auto on_chosen = [&](const auto& load) { return is_chosen(load.body); };
  Loads part;
  std::copy_if(formulas_.begin(), formulas_.end(), std::back_inserter(part.formulas_), on_chosen);
  std::copy_if(drags_.begin(), drags_.end(), std::back_inserter(part.drags_), on_chosen);
  std::copy_if(callbacks_.begin(), callbacks_.end(), std::back_inserter(part.callbacks_),
               on_chosen);
  std::copy_if(springs_.begin(), springs_.end(), std::back_inserter(part.springs_),
               [&](const Spring& s) { return is_chosen(s.bodies[0]) || is_chosen(s.bodies[1]); });
  return part;
}

Loads Loads::renumbered(const std::function<BodyId(BodyId)>& number) const {
  Loads same = *this;
  const auto renumber = [&](auto& loads) {
    for (auto& load : loads) load.body = number(load.body);
  };
  renumber(same.formulas_);
  renumber(same.drags_);
  renumber(same.callbacks_);
  for (Spring& spring : same.springs_) {
    for (BodyId& body : spring.bodies) body = number(body);
  }
  return same;
}

bool Loads::empty() const {
  return formulas_.empty() && springs_.empty() && drags_.empty() && callbacks_.empty();
}

bool Loads::depends_on_time() const {
  const auto uses_time = [](const std::array<Expression, 3>& formulas) {
    return std::any_of(formulas.begin(), formulas.end(),
                       [](const Expression& f) { return f.uses(0); });
  };
  return !callbacks_.empty() ||
         std::any_of(
             formulas_.begin(), formulas_.end(),
             [&](const FormulaLoad& f) { return uses_time(f.force) || uses_time(f.torque); }) ||
         std::any_of(springs_.begin(), springs_.end(),
                     [](const Spring& s) { return s.driven[0] || s.driven[1]; });
}

}  // namespace oloid::dynamics
