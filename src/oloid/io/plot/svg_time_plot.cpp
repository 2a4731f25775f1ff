#include "oloid/io/plot/svg_time_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>

#include "oloid/io/plot/plot_axis.h"

namespace oloid::io {
namespace {

// Layout [px].
constexpr double kLeft = 84, kRight = 24;  // at least; names of bands may need more
constexpr double kTitle = 40, kLine = 18, kHeading = 24, kBetween = 14, kFoot = 52;
constexpr double kFlat = 30,
                 kSteps = 64;  // of panels in which nothing changes: one value, or several
constexpr double kBand = 16, kBandGap = 6;  // of a row, and below it
constexpr double kText = 13, kSmall = 11.5, kBig = 17;
constexpr double kSample = 18;           // of a curve, in the legend
constexpr std::size_t kMostLabels = 24;  // of events; more of them get none
constexpr std::size_t kMostLines = 60;   // through the panels; more than that only hide the curves
constexpr double kConstant = 1e-6;       // of its size: what changes less is drawn as a constant

// How high a panel is unless the caller knows better: a picture of few panels need not be flat.
double usual_height(std::size_t panels) {
  return panels <= 1 ? 300 : panels == 2 ? 190 : panels == 3 ? 150 : 118;
}

bool constant(const Range& range) {
  return range.empty() ||
         range.high - range.low <= kConstant * std::max(std::abs(range.low), std::abs(range.high));
}

Range range_of(const CurvePanel& panel, const TimeCurve& curve) {
  Range range;
  for (const PlotBin& bin : curve.bins) {
    for (const double value : {bin.low, bin.high})
      if (!panel.logarithmic || value > 0) range.add(value * panel.scale);
  }
  return range;
}
Range range_of(const CurvePanel& panel) {
  Range range;
  for (const TimeCurve& curve : panel.curves) {
    const Range one = range_of(panel, curve);
    range.add(one.low);
    range.add(one.high);
  }
  return range;
}

bool has_values(const CurvePanel& panel) {
  return std::any_of(panel.curves.begin(), panel.curves.end(), [](const TimeCurve& curve) {
    return std::any_of(curve.bins.begin(), curve.bins.end(),
                       [](const PlotBin& bin) { return std::isfinite(bin.low); });
  });
}

// Panels in which nothing changes take little space; none: something does.
std::optional<double> low_height(const CurvePanel& panel) {
  if (!has_values(panel)) return kFlat;
  if (panel.logarithmic) return std::nullopt;
  if (constant(range_of(panel))) return kFlat;
  const bool steps = std::all_of(panel.curves.begin(), panel.curves.end(),
                                 [&](const auto& c) { return constant(range_of(panel, c)); });
  return steps ? std::optional(kSteps) : std::nullopt;
}

// How much room names of bands need at the left.
double left_of(const TimePlot& plot) {
  double left = kLeft;
  for (const auto& panel : plot.panels) {
    const auto* bands = std::get_if<BandPanel>(&panel);
    for (std::size_t i = 0; bands && i < bands->bands.size(); ++i)
      left = std::max(left, text_width(bands->bands[i].label, kSmall) + 16);
  }
  return std::min(left, std::max(kLeft, 0.25 * plot.width));
}

// Of a panel in which nothing changes: one tick, in the middle.
Axis constant_axis(const Range& range) {
  const double value = 0.5 * (range.low + range.high);
  const double room = value == 0 ? 1 : 0.1 * std::abs(value);
  Axis axis;
  axis.low = value - room;
  axis.high = value + room;
  axis.ticks = {value};
  return axis;
}

Axis value_axis(const CurvePanel& panel, double height) {
  const Range range = range_of(panel);
  const int count = static_cast<int>(std::clamp(height / 24, 2.0, 8.0));
  if (panel.logarithmic) {
    // Below 1e-17 nothing is meant.
    const double high = range.empty() ? 1e-16 : std::max(range.high, 1e-16);
    return log_axis(std::min(std::max(range.low, 1e-17), high / 10), high, count);
  }
  return constant(range) ? constant_axis(range) : roomy_axis(range.low, range.high, count);
}

std::string value_label(const Axis& axis, double tick) {
  if (axis.ticks.size() != 1 || axis.logarithmic) return tick_label(axis, tick);
  const std::string text = fmt::format("{:.4g}", tick);
  return text[0] == '-' ? "−" + text.substr(1) : text;
}

// As much of a text as fits, in whole characters of UTF-8.
std::string clipped(std::string_view text, double width) {
  if (text_width(text, kSmall) <= width) return std::string(text);
  const double room = width - text_width("…", kSmall);
  while (!text.empty() && text_width(text, kSmall) > room) {
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80)
      text.remove_suffix(1);
    text.remove_suffix(1);
  }
  return std::string(text) + "…";
}

struct LegendEntry {
  std::string label, style;
  bool swatch = false;  // of a band
  double width() const { return kSample + 6 + text_width(label, kSmall); }
};

std::vector<LegendEntry> entries_of(const CurvePanel& panel) {
  std::vector<LegendEntry> entries;
  for (const TimeCurve& curve : panel.curves) {
    if (!curve.label.empty()) entries.push_back({curve.label, curve.style});
  }
  return entries;
}
std::vector<LegendEntry> entries_of(const BandPanel& panel) {
  std::vector<LegendEntry> entries;
  for (const TimeBand& band : panel.bands) {
    for (const TimeBand::Span& span : band.spans) {
      const auto same = [&](const LegendEntry& e) { return e.style == span.style; };
      if (std::none_of(entries.begin(), entries.end(), same))
        entries.push_back({std::string(span.style), std::string(span.style), true});
    }
  }
  if (entries.size() == 1) entries.clear();  // it is written on the band
  return entries;
}

class TimeDrawing {
 public:
  explicit TimeDrawing(const TimePlot& plot)
      : plot_(plot),
        left_(left_of(plot)),
        inner_(plot.width - left_ - kRight),
        right_(left_ + inner_) {
    time_ = linear_axis(plot.t0, std::max(plot.t1, plot.t0), static_cast<int>(inner_ / 90), false);
    alike_ = plot.height > 0 && panels_that_change() == 0;
    choose_marks();
  }

  std::string draw();

 private:
  template <class... Args>
  void out(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }

  double x_of(double t) const { return left_ + inner_ * time_.fraction(t); }
  double heading_height(const std::string& heading, const std::vector<LegendEntry>& entries) const;
  double body_height(const CurvePanel& panel) const;
  static double body_height(const BandPanel& panel);
  std::size_t panels_that_change() const;
  double flexible_height(double fixed) const;

  void choose_marks();
  double draw_title();
  double draw_mark_labels(double y);
  void draw_heading(const std::string& heading, const std::vector<LegendEntry>& entries, double y);
  void draw_body(const CurvePanel& panel, double top);
  void draw_body(const BandPanel& panel, double top);
  void draw_curve(const TimeCurve& curve, double scale, const Axis& axis, double top,
                  double height);
  void draw_band(const TimeBand& band, double y);
  void draw_span(const TimeBand& band, const TimeBand::Span& span, bool several, double x0,
                 double x1, double y);
  void draw_mark(const TimeMark& mark, std::string_view style, double y0, double y1);
  void draw_time(double y);

  const TimePlot& plot_;
  double left_, inner_, right_;
  Axis time_;
  double panel_ = 0;  // height of a panel in which something changes; 0 until it is known
  bool alike_ =
      false;  // whether all panels of curves are as high: there is room and nothing changes
  std::vector<const TimeMark*> loud_, quiet_;  // that are drawn
  std::string svg_;
};

// Those in the picture, at least a pixel apart.
void TimeDrawing::choose_marks() {
  double last[2] = {-10, -10};
  for (const TimeMark& mark : plot_.marks) {
    const double x = x_of(mark.t);
    if (!(x >= left_ - 0.1 && x <= right_ + 0.1) || x - last[mark.quiet] < 1.5) continue;
    last[mark.quiet] = x;
    (mark.quiet ? quiet_ : loud_).push_back(&mark);
  }
}

// The legend stands beside the heading, or below it in as many lines as it takes.
double TimeDrawing::heading_height(const std::string& heading,
                                   const std::vector<LegendEntry>& entries) const {
  double used = text_width(heading, kText, true) + 10, height = kHeading;
  for (const LegendEntry& entry : entries) {
    if (used + entry.width() + 12 > inner_ && used > 0) {
      height += kLine;
      used = 0;
    }
    used += entry.width() + 12;
  }
  return height;
}

double TimeDrawing::body_height(const CurvePanel& panel) const {
  return alike_ ? panel_ : low_height(panel).value_or(panel_);
}
double TimeDrawing::body_height(const BandPanel& panel) {
  const auto rows = static_cast<double>(std::max<std::size_t>(panel.bands.size(), 1));
  return rows * (kBand + kBandGap) - kBandGap;
}

std::size_t TimeDrawing::panels_that_change() const {
  std::size_t n = 0;
  for (const auto& panel : plot_.panels) {
    const auto* curves = std::get_if<CurvePanel>(&panel);
    if (curves && !low_height(*curves)) ++n;
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
  out("<text class=\"title\" x=\"{}\" y=\"26\">{}</text>\n", left_, escaped(plot_.title));
  if (plot_.subtitle.empty()) return kTitle;
  const bool beside =
      text_width(plot_.title, kBig, true) + text_width(plot_.subtitle, kSmall) + 20 < inner_;
  out("<text class=\"small\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n",
      beside ? right_ : left_, beside ? 26 : 44, beside ? "end" : "start", escaped(plot_.subtitle));
  return beside ? kTitle : kTitle + kLine;
}

// Those that do not overlap, in one line.
double TimeDrawing::draw_mark_labels(double y) {
  if (loud_.empty() || loud_.size() > kMostLabels) return y;
  double free = left_;
  for (const TimeMark* mark : loud_) {
    const double width = text_width(mark->label, kSmall);
    const double from =
        std::clamp(x_of(mark->t) - width / 2, left_, std::max(left_, right_ - width));
    if (mark->label.empty() || from < free) continue;
    out("<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", from, y + 8,
        escaped(mark->label));
    free = from + width + 10;
  }
  return free > left_ ? y + kLine : y;
}

void TimeDrawing::draw_heading(const std::string& heading, const std::vector<LegendEntry>& entries,
                               double y) {
  out("<text class=\"head\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", left_, y + 15, escaped(heading));
  double used = text_width(heading, kText, true) + 10, base = y + 15;
  for (std::size_t from = 0; from < entries.size();) {
    // As many as fit into a line, to the right.
    std::size_t to = from;
    double width = 0;
    while (to < entries.size() &&
           (used + width + entries[to].width() + 12 <= inner_ || (to == from && used == 0))) {
      width += entries[to++].width() + 12;
    }
    double x = right_ - width + 12;
    for (; from < to; ++from) {
      const LegendEntry& entry = entries[from];
      if (entry.swatch) {
        out("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"10\" rx=\"2\"/>\n",
            entry.style, x + kSample - 12, base - 9);
      } else {
        out("<path class=\"c {}\" d=\"M{:.1f} {:.1f}h{}\"/>\n", entry.style, x, base - 4, kSample);
      }
      out("<text class=\"small\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + kSample + 6, base,
          escaped(entry.label));
      x += entry.width() + 12;
    }
    used = 0;
    base += kLine;
  }
}

void TimeDrawing::draw_body(const CurvePanel& panel, double top) {
  const double height = body_height(panel);
  for (const double t : time_.ticks) {
    out("<line class=\"grid\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\"/>\n",
        x_of(t), top, top + height);
  }
  const auto frame = [&] {
    out("<rect class=\"frame\" x=\"{}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\"/>\n", left_,
        top, inner_, height);
  };
  if (!has_values(panel)) {
    frame();
    out("<text class=\"small\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">no values</text>\n",
        left_ + inner_ / 2, top + height / 2 + 4);
    return;
  }
  const Axis axis = value_axis(panel, height);
  for (const double tick : axis.ticks) {
    const double y = top + height * (1 - axis.fraction(tick));
    const bool zero = !axis.logarithmic && std::abs(tick) < 1e-12 * (axis.high - axis.low);
    out("<line class=\"{0}\" x1=\"{1}\" x2=\"{2}\" y1=\"{3:.2f}\" y2=\"{3:.2f}\"/>"
        "<text class=\"small\" x=\"{4}\" y=\"{5:.2f}\" text-anchor=\"end\">{6}</text>\n",
        zero ? "zero" : "grid", left_, right_, y, left_ - 8, y + 4, value_label(axis, tick));
  }
  frame();
  for (const TimeCurve& curve : panel.curves) draw_curve(curve, panel.scale, axis, top, height);
}

// A bin of several samples is drawn as first, low, high, last: nothing that stands out is lost. A
// point without neighbours is a dot.
void TimeDrawing::draw_curve(const TimeCurve& curve, double scale, const Axis& axis, double top,
                             double height) {
  std::string path, dots, stroke, last;
  std::size_t points = 0;  // in the stroke
  const auto lift = [&] {
    if (points == 1) dots += stroke + "h0";
    if (points > 1) path += stroke;
    points = 0;
    stroke.clear();
    last.clear();
  };
  const auto point = [&](double t, double value) {
    if (!std::isfinite(value)) return lift();
    std::string here =
        fmt::format("{:.1f} {:.1f}", x_of(t), top + height * (1 - axis.fraction(value * scale)));
    if (here == last) return;
    stroke += (points++ == 0 ? 'M' : 'L') + here;
    last = std::move(here);
  };
  for (const PlotBin& bin : curve.bins) {
    point(bin.t0, bin.first);
    if (bin.t1 <= bin.t0 && bin.low == bin.high) continue;
    // Neither end need be a number.
    const bool within =
        bin.low >= std::fmin(bin.first, bin.last) && bin.high <= std::fmax(bin.first, bin.last);
    if (!within) {
      const bool rising = !(bin.first > bin.last);
      const double middle = (bin.t0 + bin.t1) / 2;
      point(middle, rising ? bin.low : bin.high);
      point(middle, rising ? bin.high : bin.low);
    }
    point(bin.t1, bin.last);
  }
  lift();
  if (!path.empty()) out("<path class=\"c {}\" d=\"{}\"/>\n", curve.style, path);
  if (!dots.empty()) out("<path class=\"c {} dot\" d=\"{}\"/>\n", curve.style, dots);
}

void TimeDrawing::draw_body(const BandPanel& panel, double top) {
  double y = top;
  for (const TimeBand& band : panel.bands) {
    draw_band(band, y);
    y += kBand + kBandGap;
  }
}

// Spans too thin to be seen are drawn as one, in the style of the longest of them, or as a part of
// the next one.
void TimeDrawing::draw_band(const TimeBand& band, double y) {
  constexpr double kThin = 0.5;  // [px]
  if (!band.label.empty()) {
    out("<text class=\"small\" x=\"{}\" y=\"{:.2f}\" "
        "text-anchor=\"end\">{}<title>{}</title></text>\n",
        left_ - 8, y + kBand - 4, escaped(clipped(band.label, left_ - 14)), escaped(band.label));
  }
  double drawn_to = left_;
  std::optional<TimeBand::Span> joined;  // that are not yet drawn
  double longest = 0;                    // of them [s]
  bool several = false;
  for (const TimeBand::Span& span : band.spans) {
    const double length = span.t1 - span.t0;
    several = joined.has_value();
    if (!joined) joined = span;
    if (!several || length > longest) {
      joined->style = span.style;
      longest = length;
    }
    joined->t1 = span.t1;
    const double x0 = std::max(drawn_to, x_of(joined->t0)), x1 = std::min(x_of(span.t1), right_);
    if (x1 - x0 < kThin) continue;
    const bool alone = x1 - x_of(span.t0) >= kThin;  // it covers the others
    draw_span(band, alone ? span : *joined, several && !alone, x0, x1, y);
    drawn_to = x1;
    joined.reset();
  }
  if (joined) {  // the rest is thinner than that: it shows all the same
    const double x1 = std::min(x_of(joined->t1) + kThin, right_);
    draw_span(band, *joined, several, x1 - 2 * kThin, x1, y);
  }
}

void TimeDrawing::draw_span(const TimeBand& band, const TimeBand::Span& span, bool several,
                            double x0, double x1, double y) {
  out("<rect class=\"{0}\" x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{4}\">"
      "<title>{5}{6}{0}{7}, {8:.6g} to {9:.6g} s</title></rect>\n",
      span.style, x0, y, x1 - x0, kBand, escaped(band.label), band.label.empty() ? "" : ": ",
      several ? " and others" : "", span.t0, span.t1);
  if (x1 - x0 > text_width(span.style, kSmall) + 10) {
    out("<text class=\"on_band\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
        (x0 + x1) / 2, y + kBand - 4.5, span.style);
  }
}

void TimeDrawing::draw_mark(const TimeMark& mark, std::string_view style, double y0, double y1) {
  out("<line class=\"{4}\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\">"
      "<title>{3}</title></line>\n",
      x_of(mark.t), y0, y1, escaped(mark.tip), style);
}

void TimeDrawing::draw_time(double y) {
  for (const double t : time_.ticks) {
    out("<text class=\"small\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
        x_of(t), y + 23, tick_label(time_, t));
  }
  out("<text x=\"{}\" y=\"{:.2f}\" text-anchor=\"middle\">time [s]</text>\n", left_ + inner_ / 2,
      y + 43);
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
          draw_body(p, y);
          const double below = y + body_height(p);
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
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n<style>{3}</style>\n"
      "<rect class=\"bg\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n{4}</svg>\n",
      plot_.width, std::max(bottom + kFoot, plot_.height), escaped(plot_.title),
      svg_style(plot_.theme), svg_);
}

}  // namespace

std::string svg_of(const TimePlot& plot) { return TimeDrawing(plot).draw(); }

}  // namespace oloid::io
