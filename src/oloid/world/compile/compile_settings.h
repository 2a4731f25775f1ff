// What a scene says about its run: duration, output, gravity, solver.
#pragma once

#include "oloid/world/compile/error_list.h"
#include "oloid/world/model/model.h"

namespace oloid::world {

void compile_settings(const Spec& spec, Model& model, ErrorList& errors);

// What the parameter-rate form does not support; bodies and pairs have been compiled.
void check_parameter_rates(const Spec& spec, const Model& model, ErrorList& errors);

}  // namespace oloid::world
