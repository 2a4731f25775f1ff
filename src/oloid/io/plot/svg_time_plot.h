// Pictures over time as SVG text: panels below each other with one time axis, bands, and marks.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oloid/io/plot/plot_series.h"
#include "oloid/io/plot/svg_style.h"

namespace oloid::io {

// Styles are words of svg_style: a colour (blue, orange, green, red, purple, black), "dash".
struct TimeCurve {
  std::string label;  // in the legend; empty: not there
  std::string style;
  std::vector<PlotBin> bins;
};

struct CurvePanel {
  std::string heading;  // with the unit
  std::vector<TimeCurve> curves;
  double scale = 1;          // drawn: value times scale
  bool logarithmic = false;  // values of 0 or less lie on the lower border
};

// A row of coloured stretches of time.
struct TimeBand {
  struct Span {
    double t0, t1;
    std::string_view style;  // a mode's name: a word of svg_style, and in the legend
  };
  std::string label;
  std::vector<Span> spans;
};

struct BandPanel {
  std::string heading;
  std::vector<TimeBand> bands;
};

struct TimeMark {
  double t = 0;
  std::string label;   // written above the panels if there is room
  std::string tip;     // shown under a mouse
  bool quiet = false;  // a short mark only
};

struct TimePlot {
  std::string title, subtitle;
  double t0 = 0, t1 = 1;  // [s]
  std::vector<std::variant<CurvePanel, BandPanel>> panels;
  std::vector<TimeMark> marks;  // in order of time
  double width = 960;           // [px]
  double height = 0;            // [px]; 0: as the panels need. None is lower than kLeastPanel
  PlotTheme theme = PlotTheme::adaptive;
};

inline constexpr double kLeastPanel = 48;  // [px]

std::string svg_of(const TimePlot& plot);

}  // namespace oloid::io
