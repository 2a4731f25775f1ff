// A compiled scene: all that is constant during a run. Code that holds a Model need not check
// input.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "oloid/contact/placed_shape.h"
#include "oloid/dynamics/contact_kernel.h"
#include "oloid/dynamics/free_body.h"
#include "oloid/dynamics/loads.h"
#include "oloid/dynamics/motion.h"
#include "oloid/integrate/stepper.h"
#include "oloid/proximity/proximity_body.h"
#include "oloid/scene/body_pairs.h"
#include "oloid/scene/pair_table.h"
#include "oloid/scene/recorder.h"
#include "oloid/scene/spec.h"
#include "oloid/world/evaluate/probe.h"

namespace oloid::world {

// How strongly a contact resists. Infinite: it holds however large the force is; 0: not at all.
struct PairLaw {
  double static_friction = 0;         // [1]
  double kinetic_friction = 0;        // [1]
  double spin = 0;                    // [m], moment about the normal over normal force
  double roll = 0;                    // [m], moment in the tangent plane over normal force
  double restitution = 0;             // of the normal velocity
  double tangential_restitution = 0;  // of the tangential velocity
};

using PairLaws = PairTable<PairLaw>;

// A body of the scene: it moves, or it is ground, fixed or following a prescribed motion.
struct Body {
  PlacedShape side;
  std::shared_ptr<const ProximityBody> proximity;  // the same, for searches
  bool moves = false;
  BodyInertia<double> inertia{};  // of a body that moves
  FreeState<double> start{};      // of a body that moves: as given, moved to gap 0 where it touches
  Motion motion{Still{}};         // of ground
  BodyMotion rest{};              // of ground that does not move: where it is
  std::vector<double> breaks;     // [s], of ground: where its motion is not smooth, sorted
  double length = 1;              // [m], ℓ: the body's bounding radius
  double speed = 1;               // [m/s], √(gℓ), or from its initial motion if g = 0
  double force = 0;               // [N], scale: mass × speed² / ℓ

  // Radius of a ball about the body's origin that contains the body. [m]
  double radius() const { return side.X_BS.p.norm() + bounding_radius(side.shape); }
  // A mean radius of gyration of a body that moves. [m]
  double gyration() const;
  // Where it is and how it moves at the start.
  BodyMotion at_start() const;
};

// Two bodies that may touch; at least A moves.
struct Pair {
  std::array<BodyId, 2> bodies;  // A, B
  PairLaw law;
  double length = 1;  // [m], ℓ: the smaller body's bounding radius
  double reach = 0;   // [m]: bodies whose centres of mass are farther apart do not touch
  bool convex = false;
};

// Two bodies that touch at the start. The gap, as given, is removed by moving one along the normal.
struct StartContact {
  int pair = 0;
  TrackedPair near;
};

struct Model {
  Header header;
  std::vector<Body> bodies;     // in the scene's order
  std::vector<BodyId> moving;   // those that move freely
  std::vector<BodyId> grounds;  // all others
  std::vector<BodyId> drives;   // ground that moves
  BodyPairs pairs;
  PairLaws laws;
  std::vector<StartContact> touches;      // smooth surfaces; they close no loop
  std::vector<StartContact> unsupported;  // others: their islands end at once
  Vec3<double> gravity_W{0, 0, 0};        // [m/s²]
  Loads loads;
  std::vector<Probe> probes;  // recorded
  std::vector<Probe> stops;   // the run ends at the first zero of one
  double length = 1;          // [m], ℓ: the smallest of all bodies that move
  double speed = 1;           // [m/s], the largest scale of speed of a body

  Formulation formulation = Formulation::contact_twist;
  double slip_threshold = 0;  // [m/s], slip below counts as stopped; 0: no threshold
  Scheme scheme = Scheme::dop853;
  double rtol = 1e-11;
  double min_step = 0;                                        // [s]; rk4
  double max_step = std::numeric_limits<double>::infinity();  // [s]
  std::int64_t max_steps = 0;
  bool stop_on_end = false;  // whether an island that cannot be continued ends the whole run
  double t_end = 0;          // [s]
  double output_dt = 0;      // [s]

  const Body& body(BodyId id) const { return bodies[static_cast<std::size_t>(id.index)]; }
  Pair pair(int i) const;  // of `pairs`
  const std::string& name(BodyId id) const {
    return header.bodies[static_cast<std::size_t>(id.index)];
  }
};

// The last place where input can be refused; names every problem it finds.
Result<Model, Errors> compile(const Spec& spec);

}  // namespace oloid::world
