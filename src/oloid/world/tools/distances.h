// Where the bodies of a scene are nearest at its start: any number of them, touching or not.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "oloid/scene/body_distance.h"
#include "oloid/scene/spec.h"
#include "oloid/world/model/model.h"

namespace oloid::world {

struct DistanceOptions {
  // Pairs with a gap below this are listed [m]; by default the nearest one of every two bodies and
  // all with a gap below 0.1 of the smaller one's size.
  std::optional<double> within{};
  // Only these two bodies, in this order.
  std::optional<std::array<std::string, 2>> bodies{};
};

// All pairs of bodies, in the scene's order. Refused: what compile_forms refuses, fewer than two
// bodies, names that are unknown or not unique, a threshold that is not a number.
Result<std::vector<BodyDistance>, Errors> distances(const Spec& spec,
                                                    const DistanceOptions& options = {});

// Places where the bodies of a model touch at the start in addition to its contact: these are not
// simulated. In world coordinates [m]. Two convex bodies have none.
std::vector<Vec3<double>> other_contacts(const Model& model);

}  // namespace oloid::world
