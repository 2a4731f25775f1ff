// What can be plotted of a run, by name.
#pragma once

#include <span>
#include <string_view>

#include "oloid/scene/frame.h"

namespace oloid::io {

// A frame, and what else is needed to evaluate quantities.
struct PlotSample {
  const Frame& frame;
  const EnergyFrame& start;  // at the first frame of the run
  Vec3<double> up;           // unit, against gravity
};

struct PlotQuantity {
  enum class Of { run, body, contact };
  std::string_view name;
  std::string_view title, unit;  // in headings
  Of of;
  std::span<const std::string_view> parts;  // NAME.PART; none: it is a single number
  std::size_t usual;                        // how many of them are drawn unless one is named
  double (*value)(const PlotSample& sample, std::size_t owner, std::size_t part);
  std::string_view about;  // for people
};

// All of them, in the order in which they are listed. `mode` has no numbers: it is drawn as a band.
std::span<const PlotQuantity> plot_quantities();

}  // namespace oloid::io
