// A compiled scene: all that is constant during a run. Whoever holds a Model need not check input.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "oloid/contact/side.h"
#include "oloid/dynamics/contact_kernel.h"
#include "oloid/dynamics/free_body.h"
#include "oloid/integrate/stepper.h"
#include "oloid/proximity/closest.h"
#include "oloid/scene/recorder.h"
#include "oloid/scene/spec.h"

namespace oloid {

// Coulomb's law of a pair; an infinite static coefficient never slips, 0 never holds.
struct PairLaw {
  double static_friction = 0;
  double kinetic_friction = 0;
  bool frictionless() const { return static_friction == 0; }
  bool unlimited() const { return static_friction == std::numeric_limits<double>::infinity(); }
};

// The initial contact as compile has found it, and what it had to change for it.
struct Start {
  Location A, B;
  FreeState<double> body;  // as given, moved to gap 0
  double gap = 0;          // [m], as given; removed by moving the body along the normal
};

// One moving body A on one fixed body B.
struct Model {
  Header header;
  std::array<BodyId, 2> bodies;  // A, B in the scene's order
  Side A, B;
  BodyInertia<double> inertia;  // of A
  Pose<double> X_WB;
  Vec3<double> gravity_W{0, 0, 0};  // [m/s²]
  PairLaw law;
  double length = 1;  // [m], ℓ: the smaller body's bounding radius
  double speed = 1;   // [m/s], √(gℓ), or from the initial motion if g = 0
  double force = 1;   // [N], mass × speed² / ℓ
  ClosestStarts starts;
  Start start;

  Scheme scheme = Scheme::dop853;
  double rtol = 1e-11;
  double max_step = std::numeric_limits<double>::infinity();  // [s]
  std::int64_t max_steps = 0;
  double t_end = 0;      // [s]
  double output_dt = 0;  // [s]
};

// The last place where input can be refused; names every problem it finds.
Result<Model, Errors> compile(const Spec& spec);

}  // namespace oloid
