// Makes the probes and stop conditions of a model.
#pragma once

#include "oloid/world/model/model.h"

namespace oloid::world {

// Fills in `probes` and `stops` of a model whose bodies and pairs are made; errors are reported.
Errors compile_probes(const Spec& spec, Model& model);

}  // namespace oloid::world
