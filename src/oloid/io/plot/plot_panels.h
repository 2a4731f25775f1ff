// The small language of --what, which describes the panels of a plot.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/io/plot/plot_quantity.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

// What a curve shows: a quantity of a body or a contact, or a probe.
struct PlotCurve {
  const PlotQuantity* quantity = nullptr;  // none: a probe
  std::size_t owner = 0;                   // index of the body, contact or probe
  std::size_t part = 0;
  // Of several that were not named: whether the curve is left out if its contact is never closed
  // (or, of the parts of the energy, if it is 0 throughout and others are not).
  bool on_demand = false;
};
struct PlotPanel {
  std::vector<PlotCurve> curves;
  bool if_any = false;  // left out if all curves are 0 throughout
};

// "energy,ball.position.z+egg.position.z": panels separated by commas, curves that share a panel by
// +. Each is a quantity or a probe; [OWNER.]QUANTITY[.PART], where OWNER is a body's name or, for
// contacts, A-B. Names that contain a comma, + or " are put between quotes. Empty: kUsualPlot.
// `contacts` are used where none is named; empty: all that are ever closed.
Result<std::vector<PlotPanel>> plot_panels(const Header& header, std::string_view what,
                                           std::span<const std::size_t> contacts);
inline constexpr std::string_view kUsualPlot =
    "angular_velocity.up,energy,energy_error,normal_force,slip,probes,mode";

// Of a body or contact, for headings and legends; empty: the run, or a probe.
std::string owner_name(const Header& header, const PlotCurve& curve);

}  // namespace oloid::io
