// Draws chosen quantities of a run over time as a picture, SVG or PNG.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/io/plot/svg_style.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

struct PlotRequest {
  std::string what{};                   // io/plot/plot_panels.h; empty: kUsualPlot
  std::vector<std::size_t> contacts{};  // used where none is named; empty: those ever closed
  double from = -std::numeric_limits<double>::infinity();  // [s]
  double to = std::numeric_limits<double>::infinity();     // [s]
  double width = 960;                                      // [px]
  double height = 0;                                       // [px]; 0: as the panels like it
  PlotTheme theme = PlotTheme::adaptive;
  std::string note{};  // replaces the line about the summary
};

// The picture appears in end(). A request that does not fit the run is reported as an error from
// begin() on; plot_panels can check this beforehand. One that leaves nothing to draw, such as a
// time span between two frames, is an error in end().
Result<std::unique_ptr<Recorder>> make_svg_plot(const std::string& path,
                                                const PlotRequest& request);
Result<std::unique_ptr<Recorder>> make_svg_plot(const std::string& path);  // the usual picture

// The same as pixels, `scale` of them for each of the request's: refused where rsvg-convert is not
// installed.
Result<std::unique_ptr<Recorder>> make_png_plot(const std::string& path, const PlotRequest& request,
                                                double scale);

}  // namespace oloid::io
