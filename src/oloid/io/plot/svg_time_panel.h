// One panel of a picture over time: its preferred height, its legend, its curves or bands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oloid/io/plot/plot_axis.h"
#include "oloid/io/plot/svg_drawing.h"
#include "oloid/io/plot/svg_time_plot.h"

namespace oloid::io {

inline constexpr double kSmallFont = 11.5;  // [px], of the style "small"

// The time axis that all panels share.
struct TimeScale {
  Axis axis;
  double left = 0, right = 0;  // [px]
  double width() const { return right - left; }
  double x_of(double t) const { return left + width() * axis.fraction(t); }
};

struct LegendEntry {
  std::string label, style;
  bool swatch = false;  // of a band
  double width() const;
};
inline constexpr double kLegendSample = 18;  // [px], of a curve or a band, before its label

std::vector<LegendEntry> entries_of(const CurvePanel& panel);
std::vector<LegendEntry> entries_of(const BandPanel& panel);

// Panels in which nothing changes take little space; none: something does.
std::optional<double> fixed_height(const CurvePanel& panel);
double height_of(const BandPanel& panel);

void draw_body(SvgDrawing& drawing, const TimeScale& time, const CurvePanel& panel, double top,
               double height);
void draw_body(SvgDrawing& drawing, const TimeScale& time, const BandPanel& panel, double top,
               double height);

}  // namespace oloid::io
