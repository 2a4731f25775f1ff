// Charts as SVG text: curves, marks, bars and vertical lines in rows of panels, one legend.
#pragma once

#include <string>
#include <vector>

#include "oloid/base/linalg.h"

namespace oloid::io {

// Styles are words of svg_style: a colour (blue, orange, green, red, purple, black), "dash", "dot".
// What has no label or is empty is not in the legend; equal labels are there once.
struct ChartCurve {
  std::string label, style;
  std::vector<Vec2<double>> points;  // a point that is not finite lifts the pen
};

enum class Mark { dot, ring, cross, square, diamond, triangle_up, triangle_down };

struct ChartMarks {
  std::string label, style;
  Mark mark = Mark::dot;
  std::vector<Vec2<double>> points;
  double size = 4;  // [px], half the height
};

struct ChartBars {
  std::string label;
  double width = 1;                  // along x
  std::vector<Vec2<double>> points;  // left end, height
};

// Vertical lines.
struct ChartRules {
  std::string label, style;
  std::vector<double> x;
};

struct ChartTick {
  double x;
  std::string label;
};

struct ChartPanel {
  std::string title, x_label, y_label;
  std::vector<ChartRules> rules{};
  std::vector<ChartBars> bars{};
  std::vector<ChartCurve> curves{};
  std::vector<ChartMarks> marks{};
  std::vector<ChartTick> x_ticks{};  // all that there are; empty: at round numbers
  bool equal_scales = false;         // a unit is as long along y as along x
  bool logarithmic_x = false;
  bool logarithmic_y = false;  // values of 0 or less are drawn at the lower border
  double least_y = 0;          // of a logarithmic axis
};

struct Chart {
  std::string title;
  std::vector<ChartPanel> panels;
  double height = 320;      // [px], of the panels
  std::size_t columns = 0;  // panels in a row; 0: all
};

std::string svg_of(const Chart& chart);

}  // namespace oloid::io
