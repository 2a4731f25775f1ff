// Bodies that are placed in contact with others: their poses at the start follow from where they
// touch, or from where they come to lie when they are moved along gravity.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "oloid/base/linalg.h"
#include "oloid/proximity/proximity_body.h"
#include "oloid/scene/spec.h"
#include "oloid/spatial/pose.h"

namespace oloid::world {

// Where one body came to touch another; both are numbers of bodies of the scene.
struct Placement {
  std::size_t body = 0, on = 0;
  Vec3<double> point{0, 0, 0};   // [m], world
  Vec3<double> normal{0, 0, 1};  // out of the other body, world
  bool certified = true;         // of dropped bodies: nothing comes before
};

// Gives all bodies with a placement their position and orientation, each after those it is placed
// on, and returns them in that order. `poses` are those of the others at the start, by body.
// Names are unique.
using ProximityBodies = std::vector<std::shared_ptr<const ProximityBody>>;
Result<std::vector<Placement>, Errors> place_bodies(Spec& spec, std::vector<Pose<double>> poses,
                                                    const ProximityBodies& bodies);

}  // namespace oloid::world
