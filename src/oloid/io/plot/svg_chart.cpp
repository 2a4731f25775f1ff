#include "oloid/io/plot/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "oloid/io/plot/plot_axis.h"
#include "oloid/io/plot/svg_drawing.h"
#include "oloid/io/plot/svg_style.h"

namespace oloid::io {
namespace {

// Layout [px].
constexpr double kWidth = 960, kLeft = 66, kRight = 18, kTop = 74, kBelow = 50, kLegendRow = 22;
constexpr double kPanelTitle = 34;  // above panels of further rows

constexpr std::string_view kChartStyle = R"(
.dot { stroke-dasharray: 2 3 } .rule { stroke-width: 1 }
.mark { fill: #fff; stroke-width: 1.5; stroke-linejoin: round } .spot { stroke-linecap: round }
.bar { fill: #a9cbe3; stroke: #0072b2 }
@media (prefers-color-scheme: dark) {
.mark { fill: #16181c } .bar { fill: #24506b; stroke: #56b4e9 }
}
)";

std::array<Range, 2> ranges(const ChartPanel& panel) {
  std::array<Range, 2> r;
  const auto add = [&](const std::vector<Vec2<double>>& points) {
    for (const Vec2<double>& p : points) {
      r[0].add(p.x());
      r[1].add(p.y());
    }
  };
  for (const ChartCurve& curve : panel.curves) add(curve.points);
  for (const ChartMarks& marks : panel.marks) add(marks.points);
  for (const ChartBars& bars : panel.bars) {
    add(bars.points);
    for (const Vec2<double>& p : bars.points) r[0].add(p.x() + bars.width);
    r[1].add(0);
  }
  for (const ChartTick& tick : panel.x_ticks) r[0].add(tick.x);
  for (Range& range : r) {
    if (range.empty()) range = {0, 1};
  }
  return r;
}

// The range of one axis is widened about its middle until units are equally long on both; marks at
// the ends get some room.
void equalise(std::array<Range, 2>& r, double width, double height) {
  constexpr double kRoom = 1.06;
  const double unit =
      kRoom * std::max((r[0].high - r[0].low) / width, (r[1].high - r[1].low) / height);
  const auto stretch = [unit](Range& range, double length) {
    const double more = 0.5 * (unit * length - (range.high - range.low));
    range = {range.low - more, range.high + more};
  };
  stretch(r[0], width);
  stretch(r[1], height);
}

class ChartDrawing : private SvgDrawing {
 public:
  std::string draw(const Chart& chart);

 private:
  void draw_panel(const ChartPanel& panel);
  void draw_axes(const ChartPanel& panel);
  void draw_curve(const ChartCurve& curve);
  void draw_mark(Mark mark, const std::string& style, double size, double x, double y);

  struct Entry {
    std::string label, style;
    enum class Kind { curve, mark, bar, rule } kind;
    Mark mark = Mark::dot;
    double size = 4;
  };
  static std::vector<Entry> entries(const Chart& chart);
  // Rows of entries from y on; the height they take.
  double draw_legend(const std::vector<Entry>& entries, double y);
  void draw_sample(const Entry& entry, double x, double y);

  double px(double x) const { return x0_ + width_ * x_.fraction(x); }
  double py(double y) const { return top_ + height_ * (1 - y_.fraction(y)); }

  Axis x_, y_;
  double x0_ = 0, top_ = 0, width_ = 0, height_ = 0;  // of the panel
};

void ChartDrawing::draw_axes(const ChartPanel& panel) {
  const double bottom = top_ + height_;
  const auto tick_x = [&](double x, std::string_view label) {
    grid_x(px(x), top_, bottom);
    text("small", px(x), bottom + 16, "middle", label);
  };
  for (const ChartTick& tick : panel.x_ticks) tick_x(tick.x, tick.label);
  if (panel.x_ticks.empty())
    for (const double tick : x_.ticks) tick_x(tick, tick_label(x_, tick));
  for (const double tick : y_.ticks) grid_y(py(tick), x0_, x0_ + width_, tick_label(y_, tick));
  text("head", x0_, top_ - 11, "start", panel.title);
  text("small", x0_ + width_ / 2, bottom + 36, "middle", panel.x_label);
  out("<text class=\"small\" transform=\"translate({} {}) rotate(-90)\" "
      "text-anchor=\"middle\">{}</text>\n",
      x0_ - 46, top_ + height_ / 2, escaped(panel.y_label));
}

void ChartDrawing::draw_curve(const ChartCurve& curve) {
  out("<path class=\"c {}\" d=\"", curve.style);
  bool pen_down = false;
  for (const Vec2<double>& p : curve.points) {
    if (p.allFinite()) out("{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', px(p.x()), py(p.y()));
    pen_down = p.allFinite();
  }
  out("\"/>\n");
}

void ChartDrawing::draw_mark(Mark mark, const std::string& style, double size, double x, double y) {
  const double s = size, w = 0.9 * size;
  switch (mark) {
    case Mark::dot:
      out("<path class=\"spot {}\" style=\"stroke-width:{}px\" d=\"M{:.1f} {:.1f}h0\"/>\n", style,
          2 * s, x, y);
      return;
    case Mark::ring:
      out("<circle class=\"mark {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", style, x, y, s);
      return;
    case Mark::cross:
      out("<path class=\"mark {0}\" d=\"M{1:.1f} {2:.1f}l{3} {3}m-{3} 0l{3} -{3}\"/>\n", style,
          x - w, y - w, 2 * w);
      return;
    case Mark::square:
      out("<path class=\"mark {0}\" d=\"M{1:.1f} {2:.1f}h{3}v{3}h-{3}z\"/>\n", style, x - w, y - w,
          2 * w);
      return;
    case Mark::diamond:
      out("<path class=\"mark {0}\" d=\"M{1:.1f} {2:.1f}l{3} {3}l-{3} {3}l-{3} -{3}z\"/>\n", style,
          x, y - s, s);
      return;
    case Mark::triangle_up:
      out("<path class=\"mark {}\" d=\"M{:.1f} {:.1f}l{} {}h-{}z\"/>\n", style, x, y - s, s, 2 * s,
          2 * s);
      return;
    case Mark::triangle_down:
      out("<path class=\"mark {}\" d=\"M{:.1f} {:.1f}l{} -{}h-{}z\"/>\n", style, x, y + s, s, 2 * s,
          2 * s);
      return;
  }
}

void ChartDrawing::draw_panel(const ChartPanel& panel) {
  std::array<Range, 2> r = ranges(panel);
  if (panel.equal_scales) equalise(r, width_, height_);
  const int count = static_cast<int>(std::max(3.0, width_ / 90));
  const bool widen = !panel.equal_scales && panel.bars.empty() && panel.x_ticks.empty();
  x_ = panel.logarithmic_x ? log_axis(r[0].low, r[0].high, count)
                           : linear_axis(r[0].low, r[0].high, count, widen);
  y_ = panel.logarithmic_y
           ? log_axis(panel.least_y, std::max(r[1].high, 10 * panel.least_y), 6)
           : linear_axis(r[1].low, r[1].high, static_cast<int>(std::max(3.0, height_ / 60)),
                         !panel.equal_scales);
  draw_axes(panel);
  for (const ChartRules& rules : panel.rules) {
    for (const double x : rules.x) {
      if (!(x >= x_.low && x <= x_.high)) continue;
      out("<line class=\"rule {0}\" x1=\"{1:.2f}\" x2=\"{1:.2f}\" y1=\"{2}\" y2=\"{3}\"/>\n",
          rules.style, px(x), top_, top_ + height_);
    }
  }
  for (const ChartBars& bars : panel.bars) {
    for (const Vec2<double>& p : bars.points) {
      if (!(p.y() > 0)) continue;
      out("<rect class=\"bar\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n",
          px(p.x()), py(p.y()), px(p.x() + bars.width) - px(p.x()), py(0) - py(p.y()));
    }
  }
  for (const ChartCurve& curve : panel.curves) draw_curve(curve);
  for (const ChartMarks& marks : panel.marks) {
    for (const Vec2<double>& p : marks.points)
      draw_mark(marks.mark, marks.style, marks.size, px(p.x()), py(p.y()));
  }
  frame(x0_, top_, width_, height_);
}

std::vector<ChartDrawing::Entry> ChartDrawing::entries(const Chart& chart) {
  std::vector<Entry> list;
  const auto add = [&list](Entry entry) {
    const auto same = [&](const Entry& other) { return other.label == entry.label; };
    if (!entry.label.empty() && std::none_of(list.begin(), list.end(), same))
      list.push_back(std::move(entry));
  };
  for (const ChartPanel& panel : chart.panels) {
    for (const auto& x : panel.curves) {
      if (!x.points.empty()) add({x.label, x.style, Entry::Kind::curve});
    }
    for (const auto& x : panel.marks) {
      if (!x.points.empty()) add({x.label, x.style, Entry::Kind::mark, x.mark, x.size});
    }
    for (const auto& x : panel.bars) {
      if (!x.points.empty()) add({x.label, "", Entry::Kind::bar});
    }
    for (const auto& x : panel.rules) {
      if (!x.x.empty()) add({x.label, x.style, Entry::Kind::rule});
    }
  }
  return list;
}

void ChartDrawing::draw_sample(const Entry& entry, double x, double y) {
  switch (entry.kind) {
    case Entry::Kind::curve:
      out("<path class=\"c {}\" d=\"M{:.1f} {:.1f}h22\"/>\n", entry.style, x, y);
      return;
    case Entry::Kind::mark:
      draw_mark(entry.mark, entry.style, entry.size, x + 11, y);
      return;
    case Entry::Kind::bar:
      out("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"10\"/>\n", x + 5,
          y - 5);
      return;
    case Entry::Kind::rule:
      out("<path class=\"rule {}\" d=\"M{:.1f} {:.1f}v14\"/>\n", entry.style, x + 11, y - 7);
      return;
  }
}

double ChartDrawing::draw_legend(const std::vector<Entry>& entries, double y) {
  if (entries.empty()) return 0;
  const double top = y;
  double x = kLeft;
  for (const Entry& entry : entries) {
    const double length = 30 + 6.6 * static_cast<double>(entry.label.size());
    if (x > kLeft && x + length > kWidth - kRight) {
      x = kLeft;
      y += kLegendRow;
    }
    draw_sample(entry, x, y);
    text("small", x + 28, y + 4, "start", entry.label);
    x += length + 22;
  }
  return y - top + kLegendRow;
}

std::string ChartDrawing::draw(const Chart& chart) {
  text("title", kLeft, 30, "start", chart.title);
  const std::size_t columns =
      std::max<std::size_t>(chart.columns > 0 ? chart.columns : chart.panels.size(), 1);
  const double pitch = kWidth / static_cast<double>(columns);
  height_ = chart.height;
  width_ = pitch - kLeft - kRight;
  double below = kTop + height_ + kBelow;
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    x0_ = kLeft + static_cast<double>(column) * pitch;
    top_ = kTop + static_cast<double>(row) * (height_ + kBelow + kPanelTitle);
    draw_panel(chart.panels[i]);
    below = top_ + height_ + kBelow;
  }
  const double bottom = below + draw_legend(entries(chart), below + 12) + 10;
  return document(kWidth, bottom, chart.title, svg_style() + std::string(kChartStyle));
}

}  // namespace

std::string svg_of(const Chart& chart) { return ChartDrawing().draw(chart); }

}  // namespace oloid::io
