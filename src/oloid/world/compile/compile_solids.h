// Everyday solids about the z axis, as profiles of surfaces of revolution.
#pragma once

#include "oloid/base/result.h"
#include "oloid/scene/spec.h"

namespace oloid::world {

// `place` is that of the whole shape.
Result<RevolutionSpec, Errors> solid_profile(const CylinderSpec& cylinder, const Place& place);
Result<RevolutionSpec, Errors> solid_profile(const ConeSpec& cone, const Place& place);
Result<RevolutionSpec, Errors> solid_profile(const CapsuleSpec& capsule, const Place& place);
Result<RevolutionSpec, Errors> solid_profile(const DiscSpec& disc, const Place& place);
Result<RevolutionSpec, Errors> solid_profile(const PipeSpec& pipe, const Place& place);

}  // namespace oloid::world
