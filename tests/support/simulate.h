// A scene built in C++, run and remembered.
#pragma once

#include <gtest/gtest.h>

#include "oloid/world/simulation.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test {

// By default at a tolerance where frames between steps, too, are good to 1e-10: at rtol 1e-11 the
// dense output of long steps is off by a few 1e-9.
inline Memory simulate(Spec spec, double rtol = 1e-13) {
  spec.solver.rtol = rtol;
  spec.chart_crossings = true;
  Memory memory;
  const auto model = compile(spec);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error().front()));
  if (!model) return memory;
  State state = initial_state(*model);
  run(*model, state, memory);
  return memory;
}

}  // namespace oloid::test
