// Draws a run as an SVG picture: spin, energy, energy error, contact force and slip over time.
#pragma once

#include <memory>
#include <string>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid {

// The picture appears in end(). It adapts to light and dark surroundings.
Result<std::unique_ptr<Recorder>> make_svg_plot(const std::string& path);

}  // namespace oloid
