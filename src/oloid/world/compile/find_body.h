// Bodies by their names in the scene.
#pragma once

#include <string>

#include "oloid/scene/spec.h"

namespace oloid::world {

// The number of the body of that name. An unknown name is refused at `place`, with the name that
// was probably meant or all there are.
Result<std::size_t> find_body(const Spec& spec, const std::string& name, const Place& place);

}  // namespace oloid::world
