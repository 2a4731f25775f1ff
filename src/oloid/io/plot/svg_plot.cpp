#include "oloid/io/plot/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>

#include "oloid/base/counted.h"
#include "oloid/io/files/output_file.h"
#include "oloid/io/plot/plot_captions.h"
#include "oloid/io/plot/plot_names.h"
#include "oloid/io/plot/plot_panels.h"
#include "oloid/io/plot/png_convert.h"
#include "oloid/io/plot/svg_time_plot.h"

namespace oloid::io {
namespace {

constexpr std::string_view kStyles[] = {"blue",       "orange",      "green",     "purple",
                                        "red",        "black",       "blue dash", "orange dash",
                                        "green dash", "purple dash", "red dash",  "black dash"};
constexpr std::size_t kMostCurves = std::size(kStyles);  // in a panel
constexpr std::size_t kMostBands = 12;
constexpr std::size_t kMostMarks = 10'000;  // of events that show in the motion, and of others
constexpr std::size_t kMostSpans = 8192;    // of a contact's modes
// If contacts are not named, those after the first few are recorded only from when they close.
constexpr std::size_t kFewCurves = 12;

std::string_view energy_style(std::size_t part) {
  constexpr std::string_view kEnergyStyles[] = {"blue", "orange", "purple", "black dash", "green"};
  return kEnergyStyles[part];
}

double largest(const std::vector<PlotBin>& bins) {
  double most = 0;
  for (const PlotBin& bin : bins) {
    for (const double value : {bin.low, bin.high})
      if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  return most;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Leaves out marks that closely follow another: they would coincide in a picture. What stands alone
// stays.
void thin(std::vector<TimeMark>& marks) {
  std::vector<double> gaps;
  gaps.reserve(marks.size());
  for (std::size_t i = 1; i < marks.size(); ++i) gaps.push_back(marks[i].t - marks[i - 1].t);
  const double close = median(std::move(gaps));
  std::size_t n = 1;
  for (std::size_t i = 1; i < marks.size(); ++i) {
    if (marks[i].t - marks[n - 1].t <= close) continue;
    if (i != n) marks[n] = std::move(marks[i]);
    ++n;
  }
  marks.resize(n);
}

// Joins the shortest spans to those before them.
void thin(std::vector<TimeBand::Span>& spans) {
  std::vector<double> lengths;
  lengths.reserve(spans.size());
  for (const TimeBand::Span& span : spans) lengths.push_back(span.t1 - span.t0);
  const double brief = median(std::move(lengths));
  std::size_t n = 1;
  double own_end = spans[0].t1;  // of the last one, without those that joined it
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].t1 - own_end <= brief || spans[i].style == spans[n - 1].style) {
      if (spans[i].style == spans[n - 1].style) own_end = spans[i].t1;
      spans[n - 1].t1 = spans[i].t1;
      continue;
    }
    spans[n++] = spans[i];
    own_end = spans[i].t1;
  }
  spans.resize(n);
}

class RunPlot final : public Recorder {
 public:
  // The picture's text to the bytes of the file.
  using Finish = std::function<Result<std::string>(std::string svg)>;

  RunPlot(OutputFile file, PlotRequest request, Finish finish)
      : file_(std::move(file)), request_(std::move(request)), finish_(std::move(finish)) {}

  void begin(const Header& header) override {
    header_ = header;
    header_.meshes.clear();
    const double g = header.gravity.norm();
    up_ = g > 0 ? Vec3<double>(-header.gravity / g) : Vec3<double>(0, 0, 1);
    auto panels = plot_panels(header_, request_.what, request_.contacts);
    if (!panels) {
      trouble_ = panels.error();
      return;
    }
    panels_ = *std::move(panels);
    series_.resize(panels_.size());
    for (std::size_t i = 0; i < panels_.size(); ++i) series_[i].resize(panels_[i].curves.size());
    closed_.assign(header.pairs.size(), false);
    bands_.resize(header.pairs.size());
  }

  EventDetail event_detail() const override { return usual_detail(header_, EventDetail::none); }

  void frame(const Frame& frame) override {
    if (trouble_) return;
    if (!start_) start_ = frame.energy;
    if (std::isfinite(frame.energy.kinetic))
      most_kinetic_ = std::max(most_kinetic_, frame.energy.kinetic);
    for (const ContactFrame& c : frame.contacts)
      if (c.mode != Mode::separated) closed_[static_cast<std::size_t>(c.pair)] = true;
    if (frame.t < request_.from) t_before_ = frame.t;
    if (frame.t > request_.to && !t_after_) t_after_ = frame.t;
    if (!(frame.t >= request_.from && frame.t <= request_.to)) return;
    if (!t_first_) t_first_ = frame.t;
    t_last_ = frame.t;
    for (std::size_t i = 0; i < bands_.size(); ++i) {
      const ContactFrame* c = first_of(frame.contacts, static_cast<int>(i));
      add_mode(bands_[i], frame.t, c ? c->mode : Mode::separated);
    }
    const PlotSample sample{frame, *start_, up_};
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      for (std::size_t k = 0; k < panels_[i].curves.size(); ++k)
        add_value(panels_[i].curves[k], sample, series_[i][k]);
    }
  }

  void event(const Event& event) override {
    const bool shown = event.kind != EventKind::contact_start && event.kind != EventKind::end;
    if (!shown || !(event.t >= request_.from && event.t <= request_.to)) return;
    const bool quiet = is_quiet(event.kind);  // a mark at the border is enough
    std::string label = event_label(header_, event);
    std::string tip = fmt::format("{} at {:.6g} s", name(event.kind), event.t);
    if (event.pair >= 0) tip += ", " + contact_name(header_, static_cast<std::size_t>(event.pair));
    std::vector<TimeMark>& marks = quiet ? quiet_marks_ : loud_marks_;
    if (marks.size() == kMostMarks) thin(marks);
    marks.push_back({event.t, std::move(label), std::move(tip), quiet});
  }

  void end(const Summary& summary) override {
    if (trouble()) return;
    const TimePlot plot = picture(summary);
    trouble_ = nothing_in(plot);
    if (trouble_) return;
    auto bytes = finish_(svg_of(plot));
    if (!bytes) {
      trouble_ = bytes.error();
      return;
    }
    file_.write(*bytes);
    file_.commit();
  }

  std::optional<Error> trouble() const override { return trouble_ ? trouble_ : file_.trouble(); }

 private:
  static bool is_band(const PlotPanel& panel) {
    return panel.curves[0].quantity && !panel.curves[0].quantity->value;
  }
  static bool of_contact(const PlotCurve& curve) {
    return curve.quantity && curve.quantity->of == PlotQuantity::Of::contact;
  }

  static void add_mode(std::vector<TimeBand::Span>& spans, double t, Mode mode) {
    if (!spans.empty()) spans.back().t1 = t;
    if (!spans.empty() && spans.back().style == name(mode)) return;
    if (spans.size() == kMostSpans) thin(spans);
    spans.push_back({t, t, name(mode)});
  }

  // An error if there is nothing to draw. A run without any frames is drawn as it is.
  std::optional<Error> nothing_in(const TimePlot& plot) const {
    if (plot.panels.empty()) {
      return Error{{"--what", "", 0, 0},
                   fmt::format("the run has no data for \"{}\"", request_.what),
                   "`oloid plot RECORD --list` shows what is available"};
    }
    if (t_first_ || !(t_before_ || t_after_)) return std::nullopt;
    const std::string where =
        t_before_ && t_after_ ? fmt::format("there are frames at {} and {} s, but none between",
                                            *t_before_, *t_after_)
                              : fmt::format("the {} frame is at {} s", t_before_ ? "last" : "first",
                                            t_before_ ? *t_before_ : *t_after_);
    return Error{{t_before_ ? "--from" : "--to", "", 0, 0},
                 fmt::format("there are no frames from {} to {} s", request_.from, request_.to),
                 where};
  }

  void add_value(const PlotCurve& curve, const PlotSample& sample, PlotSeries& series) const {
    const Frame& frame = sample.frame;
    if (!curve.quantity) {
      if (curve.owner < frame.probes.size()) series.add(frame.t, frame.probes[curve.owner]);
      return;
    }
    if (!curve.quantity->value) return;
    const bool unused = curve.on_demand && curve.owner >= kFewCurves;
    if (of_contact(curve) && unused && !closed_[curve.owner]) return;
    if (curve.quantity->of == PlotQuantity::Of::body && curve.owner >= frame.bodies.size()) return;
    series.add(frame.t, curve.quantity->value(sample, curve.owner, curve.part));
  }

  // Of contacts that were not named, those ever closed, or all if none is.
  bool shown(const PlotCurve& curve) const {
    if (!curve.on_demand || !of_contact(curve)) return true;
    const bool none = std::find(closed_.begin(), closed_.end(), true) == closed_.end();
    return none || closed_[curve.owner];
  }

  std::optional<CurvePanel> curve_panel(std::size_t i) const {
    constexpr double kNothing = 1e-9;  // of the largest value in the panel
    // If all parts are 0 throughout, only the sum is drawn.
    const auto is_sum = [](const PlotCurve& c) { return c.quantity->parts[c.part] == "total"; };
    const PlotPanel& panel = panels_[i];
    const auto most_bins = static_cast<std::size_t>(std::max(request_.width, 100.0));
    std::vector<std::vector<PlotBin>> bins;
    double scale = 0;
    for (const PlotSeries& series : series_[i]) {
      bins.push_back(series.bins(most_bins));
      scale = std::max(scale, largest(bins.back()));
    }
    CurvePanel result;
    std::vector<const PlotCurve*> kept;
    std::size_t more = 0;  // than can be told apart
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
      const PlotCurve& curve = panel.curves[k];
      const bool part = curve.on_demand && !of_contact(curve);
      const bool any = part && scale == 0 ? is_sum(curve) : largest(bins[k]) > kNothing * scale;
      if (!shown(curve) || (part && !any)) continue;
      if (kept.size() == kMostCurves) {
        ++more;
        continue;
      }
      kept.push_back(&curve);
      result.curves.push_back({"", "", std::move(bins[k])});
    }
    if (kept.empty() || (panel.if_any && scale == 0)) return std::nullopt;
    const PlotCaptions captions(header_, kept);
    const PlotQuantity* first = kept[0]->quantity;
    result.heading = captions.heading(first ? first->unit : header_.probes[kept[0]->owner].unit);
    if (more > 0) result.heading += fmt::format(", {} more not shown", more);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const bool energy = kept[k]->quantity && kept[k]->quantity->name == "energy";
      result.curves[k].label = captions.label(k);
      result.curves[k].style = energy && kept.size() > 1 ? energy_style(kept[k]->part) : kStyles[k];
    }
    if (first && first->name == "energy_error") {
      const double reference = header_.energy_reference(most_kinetic_);
      if (reference > 0) result.scale = 1 / reference;
      result.heading = reference > 0 ? "Relative energy error" : "Energy error [J]";
      result.logarithmic = true;
    }
    return result;
  }

  std::optional<BandPanel> band_panel(const PlotPanel& panel) const {
    BandPanel result;
    std::size_t more = 0;
    std::string last;
    for (const PlotCurve& curve : panel.curves) {
      if (!shown(curve)) continue;
      if (result.bands.size() == kMostBands) {
        ++more;
        continue;
      }
      last = contact_name(header_, curve.owner);
      result.bands.push_back({last, bands_[curve.owner]});
    }
    if (result.bands.empty()) return std::nullopt;
    result.heading = "Mode";
    if (result.bands.size() == 1) {
      result.heading = fmt::format("Mode, {}", last);
      result.bands[0].label.clear();
    }
    if (more > 0) result.heading = fmt::format("Mode, {} more not shown", more);
    return result;
  }

  TimePlot picture(const Summary& summary) const {
    TimePlot plot;
    plot.title = header_.scene_name;
    plot.subtitle =
        !request_.note.empty()
            ? request_.note
            : fmt::format("{}, largest energy drift {:.1e}, {:.3g} s simulated in {:.2g} s",
                          counted(summary.counters.steps, "step"),
                          summary.energy.max_relative_drift, summary.t_end, summary.wall_s);
    plot.t0 = t_first_.value_or(0);
    plot.t1 = t_last_;
    std::merge(quiet_marks_.begin(), quiet_marks_.end(), loud_marks_.begin(), loud_marks_.end(),
               std::back_inserter(plot.marks),
               [](const TimeMark& a, const TimeMark& b) { return a.t < b.t; });
    plot.width = request_.width;
    plot.height = request_.height;
    plot.theme = request_.theme;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      if (is_band(panels_[i])) {
        if (auto panel = band_panel(panels_[i])) plot.panels.emplace_back(*std::move(panel));
      } else if (auto panel = curve_panel(i)) {
        plot.panels.emplace_back(*std::move(panel));
      }
    }
    return plot;
  }

  OutputFile file_;
  PlotRequest request_;
  Finish finish_;
  Header header_;
  Vec3<double> up_{0, 0, 1};
  std::vector<PlotPanel> panels_;
  std::vector<std::vector<PlotSeries>> series_;  // per panel and curve
  std::vector<bool> closed_;                     // per pair, whether it ever was
  std::vector<std::vector<TimeBand::Span>> bands_;
  std::vector<TimeMark> loud_marks_, quiet_marks_;
  std::optional<EnergyFrame> start_;
  double most_kinetic_ = 0;  // of all frames, also those outside of the picture
  std::optional<double> t_first_;
  std::optional<double> t_before_, t_after_;  // frames next to the stretch of time
  double t_last_ = 0;
  std::optional<Error> trouble_;
};

Result<std::unique_ptr<Recorder>> make(const std::string& path, const PlotRequest& request,
                                       RunPlot::Finish finish) {
  auto file = OutputFile::make(path);
  if (!file) return Unexpected{file.error()};
  return std::unique_ptr<Recorder>(
      std::make_unique<RunPlot>(std::move(*file), request, std::move(finish)));
}

}  // namespace

Result<std::unique_ptr<Recorder>> make_svg_plot(const std::string& path,
                                                const PlotRequest& request) {
  return make(path, request, [](std::string svg) { return Result<std::string>(std::move(svg)); });
}

Result<std::unique_ptr<Recorder>> make_svg_plot(const std::string& path) {
  return make_svg_plot(path, {});
}

Result<std::unique_ptr<Recorder>> make_png_plot(const std::string& path, const PlotRequest& request,
                                                double scale) {
  const auto converter = find_png_converter();
  if (!converter) return Unexpected{converter.error()};
  return make(path, request, [program = *converter, scale](const std::string& svg) {
    return png_of(program, svg, scale);
  });
}

}  // namespace oloid::io
