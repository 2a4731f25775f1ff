#include "oloid/io/plot/svg_time_plot.h"

#include <algorithm>
#include <cstddef>

#include "oloid/io/plot/svg_time_panel.h"

namespace oloid::io {
namespace {

// Layout [px].
constexpr double kLeastLeft = 84, kRightMargin = 24;  // at least; names of bands may need more
constexpr double kTitle = 40, kLine = 18, kHeading = 24, kBetween = 14, kFoot = 52;
constexpr double kText = 13, kBig = 17;  // fonts
constexpr std::size_t kMostLabels = 24;  // of events; more of them get none
constexpr std::size_t kMostLines = 60;   // through the panels; more than that only hide the curves

// How high a panel is unless the caller knows better: a picture of few panels need not be flat.
double usual_height(std::size_t panels) {
  return panels <= 1 ? 300 : panels == 2 ? 190 : panels == 3 ? 150 : 118;
}

// How much room names of bands need at the left.
double left_of(const TimePlot& plot) {
  double left = kLeastLeft;
  for (const auto& panel : plot.panels) {
    const auto* bands = std::get_if<BandPanel>(&panel);
    for (std::size_t i = 0; bands && i < bands->bands.size(); ++i)
      left = std::max(left, text_width(bands->bands[i].label, kSmallFont) + 16);
  }
  return std::min(left, std::max(kLeastLeft, 0.25 * plot.width));
}

class TimeDrawing {
 public:
  explicit TimeDrawing(const TimePlot& plot) : plot_(plot) {
    time_.left = left_of(plot);
    time_.right = plot.width - kRightMargin;
    time_.axis = linear_axis(plot.t0, std::max(plot.t1, plot.t0),
                             static_cast<int>(time_.width() / 90), false);
    alike_ = plot.height > 0 && panels_that_change() == 0;
    choose_marks();
  }

  std::string draw();

 private:
  double heading_height(const std::string& heading, const std::vector<LegendEntry>& entries) const;
  double body_height(const CurvePanel& panel) const {
    return alike_ ? panel_ : fixed_height(panel).value_or(panel_);
  }
  static double body_height(const BandPanel& panel) { return height_of(panel); }
  std::size_t panels_that_change() const;
  double flexible_height(double fixed) const;

  void choose_marks();
  double draw_title();
  double draw_mark_labels(double y);
  void draw_heading(const std::string& heading, const std::vector<LegendEntry>& entries, double y);
  void draw_mark(const TimeMark& mark, std::string_view style, double y0, double y1);
  void draw_time(double y);

  const TimePlot& plot_;
  TimeScale time_;
  double panel_ = 0;    // height of a panel in which something changes; 0 until it is known
  bool alike_ = false;  // whether all panels of curves are as high: there is room, nothing changes
  std::vector<const TimeMark*> loud_, quiet_;  // that are drawn
  SvgDrawing drawing_;
};

// Those in the picture, at least a pixel apart.
void TimeDrawing::choose_marks() {
  double last[2] = {-10, -10};
  for (const TimeMark& mark : plot_.marks) {
    const double x = time_.x_of(mark.t);
    if (!(x >= time_.left - 0.1 && x <= time_.right + 0.1) || x - last[mark.quiet] < 1.5) continue;
    last[mark.quiet] = x;
    (mark.quiet ? quiet_ : loud_).push_back(&mark);
  }
}

// The legend stands beside the heading, or below it in as many lines as it takes.
double TimeDrawing::heading_height(const std::string& heading,
                                   const std::vector<LegendEntry>& entries) const {
  double used = text_width(heading, kText, true) + 10, height = kHeading;
  for (const LegendEntry& entry : entries) {
    if (used + entry.width() + 12 > time_.width() && used > 0) {
      height += kLine;
      used = 0;
    }
    used += entry.width() + 12;
  }
  return height;
}

std::size_t TimeDrawing::panels_that_change() const {
  std::size_t n = 0;
  for (const auto& panel : plot_.panels) {
    const auto* curves = std::get_if<CurvePanel>(&panel);
    if (curves && !fixed_height(*curves)) ++n;
  }
  return n;
}

double TimeDrawing::flexible_height(double fixed) const {
  if (!(plot_.height > 0)) return usual_height(plot_.panels.size());
  const auto of_curves = [](const auto& panel) {
    return std::holds_alternative<CurvePanel>(panel);
  };
  const auto sharing = alike_ ? std::count_if(plot_.panels.begin(), plot_.panels.end(), of_curves)
                              : static_cast<std::ptrdiff_t>(panels_that_change());
  const double room = plot_.height - fixed;
  return std::max(kLeastPanel, room / static_cast<double>(std::max<std::ptrdiff_t>(sharing, 1)));
}

double TimeDrawing::draw_title() {
  drawing_.text("title", time_.left, 26, "start", plot_.title);
  if (plot_.subtitle.empty()) return kTitle;
  const bool beside =
      text_width(plot_.title, kBig, true) + text_width(plot_.subtitle, kSmallFont) + 20 <
      time_.width();
  drawing_.text("small", beside ? time_.right : time_.left, beside ? 26 : 44,
                beside ? "end" : "start", plot_.subtitle);
  return beside ? kTitle : kTitle + kLine;
}

// Those that do not overlap, in one line.
double TimeDrawing::draw_mark_labels(double y) {
  if (loud_.empty() || loud_.size() > kMostLabels) return y;
  double free = time_.left;
  for (const TimeMark* mark : loud_) {
    const double width = text_width(mark->label, kSmallFont);
    const double from = std::clamp(time_.x_of(mark->t) - width / 2, time_.left,
                                   std::max(time_.left, time_.right - width));
    if (mark->label.empty() || from < free) continue;
    drawing_.text("small", from, y + 8, "start", mark->label);
    free = from + width + 10;
  }
  return free > time_.left ? y + kLine : y;
}

void TimeDrawing::draw_heading(const std::string& heading, const std::vector<LegendEntry>& entries,
                               double y) {
  drawing_.text("head", time_.left, y + 15, "start", heading);
  double used = text_width(heading, kText, true) + 10, base = y + 15;
  for (std::size_t from = 0; from < entries.size();) {
    // As many as fit into a line, to the right.
    std::size_t to = from;
    double width = 0;
    while (to < entries.size() && (used + width + entries[to].width() + 12 <= time_.width() ||
                                   (to == from && used == 0))) {
      width += entries[to++].width() + 12;
    }
    double x = time_.right - width + 12;
    for (; from < to; ++from) {
      const LegendEntry& entry = entries[from];
      if (entry.swatch) {
        drawing_.out(
            "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"10\" rx=\"2\"/>\n",
            entry.style, x + kLegendSample - 12, base - 9);
      } else {
        drawing_.out("<path class=\"c {}\" d=\"M{:.1f} {:.1f}h{}\"/>\n", entry.style, x, base - 4,
                     kLegendSample);
      }
      drawing_.text("small", x + kLegendSample + 6, base, "start", entry.label);
      x += entry.width() + 12;
    }
    used = 0;
    base += kLine;
  }
}

void TimeDrawing::draw_mark(const TimeMark& mark, std::string_view style, double y0, double y1) {
  drawing_.out(
      "<line class=\"{4}\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\">"
      "<title>{3}</title></line>\n",
      time_.x_of(mark.t), y0, y1, escaped(mark.tip), style);
}

void TimeDrawing::draw_time(double y) {
  for (const double t : time_.axis.ticks)
    drawing_.text("small", time_.x_of(t), y + 23, "middle", tick_label(time_.axis, t));
  drawing_.text("", time_.left + time_.width() / 2, y + 43, "middle", "time [s]");
}

std::string TimeDrawing::draw() {
  const double first = draw_mark_labels(draw_title());
  double fixed = first + kFoot - kBetween;
  for (const auto& panel : plot_.panels) {
    fixed += kBetween + std::visit(
                            [&](const auto& p) {
                              return heading_height(p.heading, entries_of(p)) + body_height(p);
                            },
                            panel);
  }
  panel_ = flexible_height(fixed);
  double y = first;
  const bool lines = loud_.size() <= kMostLines;
  for (const auto& panel : plot_.panels) {
    std::visit(
        [&](const auto& p) {
          const std::vector<LegendEntry> entries = entries_of(p);
          draw_heading(p.heading, entries, y);
          y += heading_height(p.heading, entries);
          const double below = y + body_height(p);
          draw_body(drawing_, time_, p, y, below - y);
          for (std::size_t i = 0; lines && i < loud_.size(); ++i)
            draw_mark(*loud_[i], "event", y, below);
          y = below + kBetween;
        },
        panel);
  }
  const double bottom = y - kBetween;
  for (const auto* marks : {&quiet_, &loud_})
    for (const TimeMark* mark : *marks) draw_mark(*mark, "tick", bottom + 4, bottom + 8);
  draw_time(bottom);
  return drawing_.document(plot_.width, std::max(bottom + kFoot, plot_.height), plot_.title,
                           svg_style(plot_.theme));
}

}  // namespace

std::string svg_of(const TimePlot& plot) { return TimeDrawing(plot).draw(); }

}  // namespace oloid::io
