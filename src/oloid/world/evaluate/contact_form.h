// The two forms of contact evolution: what a contact's coordinates mean, and its own equations.
//
// Contact-twist form: frames from reference directions, the rates in the state are the twist w.
// Parameter-rate form ([KryPai02]): frames along parameter lines, the rates are those of
// (s, t, u, v, psi) that the law leaves free; its equations are solved alongside those of the
// forest.
#pragma once

#include "oloid/dynamics/parameter_rates.h"
#include "oloid/world/model/discrete_state.h"

namespace oloid::world {

// A body's surface at a contact, with the frame of the model's form.
LocalSurface<double> surface_at(const Model& model, BodyId body, const ChartAnchor& anchor,
                                const Vec3<double>& location);

// What the parameter-rate form needs to know about a contact.
struct ParametricContact {
  ParametricPair<double> pair;
  Mat<double, 6, 5> H;
};
ParametricContact parametric_contact(const Model& model, BodyId A, const Contact& hold,
                                     const Vec3<double>& location_A, const Vec3<double>& location_B,
                                     double psi);

// Twist of the rates that a law leaves free.
Vec5<double> twist_of_parameter_rates(Law law, const ParametricContact& c,
                                      const Vec5<double>& rates);

}  // namespace oloid::world
