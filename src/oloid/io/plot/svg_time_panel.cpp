#include "oloid/io/plot/svg_time_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace oloid::io {
namespace {

constexpr double kFlat = 30, kSteps = 64;   // [px], if nothing changes: for one value, or several
constexpr double kBand = 16, kBandGap = 6;  // [px], of a row, and below it
constexpr double kConstant = 1e-6;          // relative: smaller changes are drawn as a constant

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
    // Values below 1e-17 are noise.
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
  if (text_width(text, kSmallFont) <= width) return std::string(text);
  const double room = width - text_width("…", kSmallFont);
  while (!text.empty() && text_width(text, kSmallFont) > room) {
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80)
      text.remove_suffix(1);
    text.remove_suffix(1);
  }
  return std::string(text) + "…";
}

// A bin of several samples is drawn as first, low, high, last: nothing that stands out is lost. A
// point without neighbours is a dot.
void draw_curve(SvgDrawing& drawing, const TimeScale& time, const TimeCurve& curve, double scale,
                const Axis& axis, double top, double height) {
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
    std::string here = fmt::format("{:.1f} {:.1f}", time.x_of(t),
                                   top + height * (1 - axis.fraction(value * scale)));
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
  if (!path.empty()) drawing.out("<path class=\"c {}\" d=\"{}\"/>\n", curve.style, path);
  if (!dots.empty()) drawing.out("<path class=\"c {} dot\" d=\"{}\"/>\n", curve.style, dots);
}

void draw_span(SvgDrawing& drawing, const TimeBand& band, const TimeBand::Span& span, bool several,
               double x0, double x1, double y) {
  drawing.out(
      "<rect class=\"{0}\" x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{4}\">"
      "<title>{5}{6}{0}{7}, {8:.6g} to {9:.6g} s</title></rect>\n",
      span.style, x0, y, x1 - x0, kBand, escaped(band.label), band.label.empty() ? "" : ": ",
      several ? " and others" : "", span.t0, span.t1);
  if (x1 - x0 > text_width(span.style, kSmallFont) + 10) {
    drawing.text("on_band", (x0 + x1) / 2, y + kBand - 4.5, "middle", span.style);
  }
}

// Spans too thin to be seen are drawn as one, in the style of the longest of them, or as a part of
// the next one.
void draw_band(SvgDrawing& drawing, const TimeScale& time, const TimeBand& band, double y) {
  constexpr double kThin = 0.5;  // [px]
  if (!band.label.empty()) {
    drawing.out(
        "<text class=\"small\" x=\"{}\" y=\"{:.2f}\" "
        "text-anchor=\"end\">{}<title>{}</title></text>\n",
        time.left - 8, y + kBand - 4, escaped(clipped(band.label, time.left - 14)),
        escaped(band.label));
  }
  double drawn_to = time.left;
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
    const double x0 = std::max(drawn_to, time.x_of(joined->t0)),
                 x1 = std::min(time.x_of(span.t1), time.right);
    if (x1 - x0 < kThin) continue;
    const bool alone = x1 - time.x_of(span.t0) >= kThin;  // it covers the others
    draw_span(drawing, band, alone ? span : *joined, several && !alone, x0, x1, y);
    drawn_to = x1;
    joined.reset();
  }
  if (joined) {  // the rest is thinner than that: it shows all the same
    const double x1 = std::min(time.x_of(joined->t1) + kThin, time.right);
    draw_span(drawing, band, *joined, several, x1 - 2 * kThin, x1, y);
  }
}

}  // namespace

double LegendEntry::width() const { return kLegendSample + 6 + text_width(label, kSmallFont); }

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

std::optional<double> fixed_height(const CurvePanel& panel) {
  if (!has_values(panel)) return kFlat;
  if (panel.logarithmic) return std::nullopt;
  if (constant(range_of(panel))) return kFlat;
  const bool steps = std::all_of(panel.curves.begin(), panel.curves.end(),
                                 [&](const auto& c) { return constant(range_of(panel, c)); });
  return steps ? std::optional(kSteps) : std::nullopt;
}

double height_of(const BandPanel& panel) {
  const auto rows = static_cast<double>(std::max<std::size_t>(panel.bands.size(), 1));
  return rows * (kBand + kBandGap) - kBandGap;
}

void draw_body(SvgDrawing& drawing, const TimeScale& time, const CurvePanel& panel, double top,
               double height) {
  for (const double t : time.axis.ticks) drawing.grid_x(time.x_of(t), top, top + height);
  if (!has_values(panel)) {
    drawing.frame(time.left, top, time.width(), height);
    drawing.text("small", time.left + time.width() / 2, top + height / 2 + 4, "middle",
                 "no values");
    return;
  }
  const Axis axis = value_axis(panel, height);
  for (const double tick : axis.ticks) {
    const bool zero = !axis.logarithmic && std::abs(tick) < 1e-12 * (axis.high - axis.low);
    drawing.grid_y(top + height * (1 - axis.fraction(tick)), time.left, time.right,
                   value_label(axis, tick), zero);
  }
  drawing.frame(time.left, top, time.width(), height);
  for (const TimeCurve& curve : panel.curves)
    draw_curve(drawing, time, curve, panel.scale, axis, top, height);
}

void draw_body(SvgDrawing& drawing, const TimeScale& time, const BandPanel& panel, double top,
               double /*height*/) {
  for (const TimeBand& band : panel.bands) {
    draw_band(drawing, time, band, top);
    top += kBand + kBandGap;
  }
}

}  // namespace oloid::io
