// Impulses at one contact point: collisions, and the jam of a sliding contact (Painlevé).
//
// In C, whose z axis is A's outward normal: v is the velocity of A's touching particle relative to
// B's, v_z > 0 while they approach; W is the inverse mass seen at the contact, the sum of both
// bodies' (symmetric positive definite); P is the impulse on A, and pushes when P_z < 0.
// docs/theory/impact.md has the equations.
#pragma once

#include "oloid/base/linalg.h"

namespace oloid::dynamics {

struct CollisionLaw {
  double restitution = 0;             // e, of the normal velocity, 0 to 1
  double tangential_restitution = 0;  // e_t, −1 to 1
  double friction = 0;                // μ; ∞: unlimited, as long as the impulse does not pull
};

enum class CollisionBranch {
  none,     // not approaching: no impulse
  inside,   // the cone admits the impulse that both restitutions ask for
  clamped,  // it does not: the impulse lies on the cone
};

struct Collision {
  Vec3<double> P;      // [N s], on A
  Vec3<double> v;      // [m/s], after
  double energy_loss;  // [J], ≥ 0
  CollisionBranch branch;
};

// The algebraic law of [ChatterjeeRuina98]: the normal velocity is multiplied by −e, the impulse
// stays in the friction cone, and energy never grows.
Collision collide(const Mat3<double>& W, const Vec3<double>& v, const CollisionLaw& law);

enum class JamEnd {
  none,         // nothing presses: the normal velocity would not grow, or there is no slip
  sticks,       // the slip has stopped for good
  slides_on,    // the normal velocity has returned to 0 before the slip has stopped
  slides_anew,  // the slip has stopped and begun again in another direction
  unfinished,   // the integration did not finish: P is what it has reached
};

struct Jam {
  Vec3<double> P;      // [N s], on A
  Vec3<double> v;      // [m/s], after; the normal part is 0
  double energy_loss;  // [J], ≥ 0
  JamEnd end;
  int steps;  // of the integration
};

// Impact without collision. Sliding along v̂ with Δ = W_zz + μ (W_zx v̂_x + W_zy v̂_y) ≤ 0, pushing
// harder makes the bodies approach: no finite force keeps them apart while the slip lasts, and the
// forces act in no time. Compression runs until the normal velocity has returned to 0. It is
// plastic: nothing is given back after that. Slip and normal velocity (≥ 0, usually 0) in v;
// 0 < friction < ∞.
Jam impact_without_collision(const Mat3<double>& W, const Vec3<double>& v, double friction);

}  // namespace oloid::dynamics
