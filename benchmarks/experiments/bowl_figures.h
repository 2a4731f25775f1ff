// Pictures and table of the bowl thrown on a table, after figures 7 to 9 and table II of
// [KryPai02].
#pragma once

#include <string>
#include <vector>

#include "experiments/trace.h"
#include "support/rooms.h"

namespace oloid::bench {

struct Measured {
  Setting setting;
  double published = 0;  // CPU time in [KryPai02] [s]; 0: not given
  double cpu = 0;        // [s], the shortest of some runs
  Trace trace;
};

// The run with this largest step [s]; 0: the one with DOP853.
const Measured& with_step(const std::vector<Measured>& all, double max_step);

std::string trajectories(const std::vector<Measured>& all);
std::string differences(const std::vector<Measured>& all);
std::string step_sizes(const std::vector<Measured>& all);
std::string position_over_time(const std::vector<Measured>& all);

std::string markdown_table(const std::vector<Measured>& all);
std::string csv_table(const std::vector<Measured>& all);

}  // namespace oloid::bench
