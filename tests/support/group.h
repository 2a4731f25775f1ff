// Bodies of a scene as the functions of world see them: as one group, or as islands to advance.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "oloid/world/output/logbook.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test {

inline Model compiled(Spec spec) {
  complete_laws(spec);
  auto model = compile(spec);
  if (!model) throw std::runtime_error(to_string(model.error().front()));
  return std::move(model.value());
}
inline BodyId body_named(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.header.bodies[i] == name) return BodyId{static_cast<std::int32_t>(i)};
  }
  ADD_FAILURE() << "no body " << name;
  return {};
}
inline int pair_named(const Model& model, const std::string& one, const std::string& other) {
  const BodyId a = body_named(model, one), b = body_named(model, other);
  if (const auto pair = model.pairs.find(a, b)) return *pair;
  ADD_FAILURE() << "no pair of " << one << " and " << other;
  return 0;
}

// All bodies that move as one group, at the start.
struct Group {
  const Model model;
  const IslandIndex index;
  IslandState state;
  Evaluation instant;

  explicit Group(const Spec& spec)
      : model(compiled(spec)), index(model, model.moving), instant(index) {
    state.resize(index);
    State start = initial_state(model);
    for (IslandPart& part : start.islands)
      take_over(IslandIndex(model, part.members), part.state, index, state);
    evaluate();
  }
  void evaluate() {
    instant.set_topology(state.discrete);
    instant.evaluate(state.discrete, state.t(), state.y.y);
  }
  const BodyMotion& motion(const std::string& name) const {
    return instant.body(body_named(model, name));
  }
};

// The islands of a scene, at the start.
inline Islands islands_of(const Model& model) {
  Islands islands(model);
  for (const IslandPart& part : initial_state(model).islands) {
    Island& island = islands.add(part.members);
    island.state() = part.state;
    island.begin();
    island.state().energy_start = island.energy_now();
  }
  return islands;
}

// In world axes: of the material at a point of the world, and of the whole body about the origin.
inline Vec3<double> velocity_at(const BodyMotion& x, const Vec3<double>& point) {
  const Vec3<double> r = x.X_WB.R.transpose() * (point - x.X_WB.p);
  return x.X_WB.R * (x.phi.v + x.phi.w.cross(r));
}
struct Momentum {
  Vec3<double> linear, angular;
};
inline Momentum momentum(const Body& body, const BodyMotion& x) {
  const Vec3<double> p = body.inertia.mass * (x.X_WB.R * x.phi.v);
  return {p, x.X_WB.p.cross(p) + x.X_WB.R * (body.inertia.J * x.phi.w)};
}
inline Momentum operator-(const Momentum& a, const Momentum& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
inline Momentum operator+(const Momentum& a, const Momentum& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}

}  // namespace oloid::test
