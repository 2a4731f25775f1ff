#include "oloid/io/svg_plot.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "oloid/io/output_file.h"
#include "oloid/io/plot_axis.h"
#include "oloid/io/plot_series.h"
#include "oloid/io/svg_style.h"

namespace oloid {
namespace {

// What is kept of each frame.
enum Quantity : std::size_t {
  kSpin,
  kKinetic,
  kPotential,
  kDissipated,
  kWork,
  kTotal,
  kError,
  kForce,
  kSlip
};
constexpr std::size_t kQuantities = kSlip + 1;
using Series = PlotSeries<kQuantities>;
using ProbeSeries = PlotSeries<1>;

// Layout [px].
constexpr double kWidth = 960, kLeft = 84, kRight = 24, kTop = 58;
constexpr double kPanel = 128, kBetween = 46, kBand = 12;
constexpr double kInner = kWidth - kLeft - kRight;
constexpr std::size_t kMostBins = 900;    // about one per pixel
constexpr std::size_t kMostProbes = 8;    // each has a panel
constexpr std::size_t kMostEvents = 400;  // more lines than that only hide the curves

struct Curve {
  std::size_t quantity;
  std::string_view label;
  std::string_view style;  // class in kSvgStyle
};

struct Panel {
  std::string title;
  std::vector<Curve> curves;
  double scale = 1;  // drawn: value times scale
  bool logarithmic = false;
};

// When a contact was in which mode.
struct ModeSpan {
  double t0, t1;
  Mode mode;
};

class SvgPlot final : public Recorder {
 public:
  explicit SvgPlot(OutputFile file) : file_(std::move(file)) {}

  void begin(const Header& header) override {
    header_ = header;
    const double g = header.gravity.norm();
    up_ = g > 0 ? Vec3<double>(-header.gravity / g) : Vec3<double>(0, 0, 1);
    for (std::size_t i = header.masses.size(); i-- > 0;) {
      if (header.masses[i] > 0) moving_ = i;
    }
    modes_.resize(header.contacts.size());
    probes_.resize(std::min(header.probes.size(), kMostProbes));
  }

  void frame(const Frame& frame) override {
    const EnergyFrame& e = frame.energy;
    const double total = e.kinetic + e.potential;
    if (empty_) t_first_ = frame.t, start_ = e;
    empty_ = false;
    t_last_ = frame.t;
    most_kinetic_ = std::max(most_kinetic_, e.kinetic);
    most_work_ = std::max(most_work_, std::abs(e.work));
    const double booked = total + e.dissipated - e.work;
    const double booked_at_start =
        start_.kinetic + start_.potential + start_.dissipated - start_.work;
    if (!touched_) touched_ = first_touching(frame.contacts);
    double force = 0, slip = 0;  // as long as nothing touches
    if (touched_) {
      const ContactFrame& contact = frame.contacts[*touched_];
      force = contact.normal_force;
      if (contact.mode != Mode::separated) slip = contact.slip.norm();
    }
    most_slip_ = std::max(most_slip_, slip);
    const bool moves = moving_ < frame.bodies.size();
    series_.add(frame.t,
                {moves ? frame.bodies[moving_].angular_velocity.dot(up_) : 0, e.kinetic,
                 e.potential - start_.potential, e.dissipated, e.work, total - start_.potential,
                 std::abs(booked - booked_at_start), force, slip});
    for (std::size_t i = 0; i < std::min(probes_.size(), frame.probes.size()); ++i) {
      probes_[i].add(frame.t, {frame.probes[i]});
    }
    for (std::size_t i = 0; i < std::min(modes_.size(), frame.contacts.size()); ++i) {
      auto& spans = modes_[i];
      if (!spans.empty()) spans.back().t1 = frame.t;
      if (spans.empty() || spans.back().mode != frame.contacts[i].mode) {
        spans.push_back({frame.t, frame.t, frame.contacts[i].mode});
      }
    }
  }

  void event(const Event& event) override { events_.push_back(event); }

  void end(const Summary& summary) override {
    file_.write(draw(summary));
    file_.commit();
  }
  std::optional<Error> trouble() const override { return file_.trouble(); }

 private:
  template <class... Args>
  void out(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }

  static std::optional<std::size_t> first_touching(std::span<const ContactFrame> contacts) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (contacts[i].mode != Mode::separated) return i;
    }
    return std::nullopt;
  }

  // The contacts whose modes are drawn: those that were ever closed, or the only one.
  std::vector<std::size_t> banded() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      const bool always_apart = modes_[i].size() == 1 && modes_[i][0].mode == Mode::separated;
      if (modes_.size() == 1 || !always_apart) result.push_back(i);
    }
    return result;
  }

  double x_of(double t) const { return kLeft + kInner * time_.fraction(t); }

  std::vector<Panel> panels() const {
    const std::string body = moving_ < header_.bodies.size() ? header_.bodies[moving_] : "";
    std::vector<Panel> list;
    list.push_back(
        {fmt::format("Spin of {} about the vertical [rad/s]", body), {{kSpin, "", "blue"}}});
    list.push_back({"Energy [J], potential relative to the start",
                    {{kKinetic, "kinetic", "blue"},
                     {kPotential, "potential", "orange"},
                     {kDissipated, "dissipated", "red"},
                     {kTotal, "kinetic + potential", "black dash"}}});
    if (most_work_ > 0) list.back().curves.push_back({kWork, "work", "green"});
    const double reference = most_kinetic_ + header_.energy_scale;  // as in Summary
    list.push_back({reference > 0 ? "Relative energy error" : "Energy error [J]",
                    {{kError, "", "purple"}},
                    reference > 0 ? 1 / reference : 1,
                    true});
    if (!header_.contacts.empty()) {
      const std::string pair = pair_name(touched_.value_or(0));
      list.push_back({fmt::format("Normal force {} [N]", pair), {{kForce, "", "green"}}});
      if (most_slip_ > 0) {
        list.push_back({fmt::format("Slip speed {} [m/s]", pair), {{kSlip, "", "red"}}});
      }
    }
    return list;
  }

  Panel probe_panel(std::size_t i) const {
    const ProbeHeader& probe = header_.probes[i];
    return {probe.unit.empty() ? probe.name : fmt::format("{} [{}]", probe.name, probe.unit),
            {{0, "", "purple"}}};
  }

  std::string pair_name(std::size_t i) const {
    const auto body = [&](BodyId id) {
      const auto k = static_cast<std::size_t>(id.index);
      return id.valid() && k < header_.bodies.size() ? header_.bodies[k] : std::string("?");
    };
    return fmt::format("{} on {}", body(header_.contacts[i][0]), body(header_.contacts[i][1]));
  }

  const std::string& draw(const Summary& summary) {
    const std::vector<Panel> list = panels();
    const std::size_t count = list.size() + probes_.size();
    const auto top_of = [](std::size_t i) {
      return kTop + static_cast<double>(i) * (kPanel + kBetween);
    };
    const double bottom = top_of(count);
    const std::vector<std::size_t> banded = this->banded();
    const double bands = static_cast<double>(banded.size()) * (kBand + 8);
    const double height = bottom - kBetween + bands + 62;
    time_ = linear_axis(t_first_, std::max(t_last_, t_first_), 10, false);
    const auto bins = series_.bins(kMostBins);

    svg_.clear();
    out("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\">\n<title>{2}</title>\n<style>{3}</style>\n",
        kWidth, height, escaped(header_.scene_name), kSvgStyle);
    out("<rect class=\"bg\" width=\"{}\" height=\"{}\"/>\n", kWidth, height);
    out("<text class=\"title\" x=\"{}\" y=\"26\">{}</text>\n", kLeft, escaped(header_.scene_name));
    out("<text class=\"small\" x=\"{}\" y=\"26\" text-anchor=\"end\">{} steps, largest energy "
        "drift {:.1e}, {:.3g} s simulated in {:.2g} s</text>\n",
        kWidth - kRight, summary.counters.steps, summary.energy.max_relative_drift, summary.t_end,
        summary.wall_s);
    draw_time_grid(kTop, bottom - kBetween);
    for (std::size_t i = 0; i < list.size(); ++i) draw_panel(list[i], top_of(i), bins);
    for (std::size_t i = 0; i < probes_.size(); ++i) {
      draw_panel(probe_panel(i), top_of(list.size() + i), probes_[i].bins(kMostBins));
    }
    for (std::size_t i = 0; i < banded.size(); ++i) {
      draw_band(banded[i], bottom - kBetween + 12 + static_cast<double>(i) * (kBand + 8));
    }
    const double axis_y = bottom - kBetween + 12 + bands;
    draw_time_labels(axis_y);
    draw_events(kTop, bottom - kBetween, axis_y);
    out("</svg>\n");
    return svg_;
  }

  void draw_time_grid(double top, double bottom) {
    for (const double t : time_.ticks) {
      out("<line class=\"grid\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1}\" y2=\"{2}\"/>\n", x_of(t),
          top, bottom);
    }
  }

  void draw_time_labels(double y) {
    for (const double t : time_.ticks) {
      out("<text class=\"small\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{}</text>\n",
          x_of(t), y + 12, tick_label(time_, t));
    }
    out("<text x=\"{}\" y=\"{:.2f}\" text-anchor=\"middle\">time [s]</text>\n", kLeft + kInner / 2,
        y + 34);
  }

  template <class Bins>
  static Axis panel_axis(const Panel& panel, const Bins& bins) {
    const double inf = std::numeric_limits<double>::infinity();
    double low = inf, high = -inf;
    for (const auto& bin : bins) {
      for (const Curve& curve : panel.curves) {
        const auto& y = bin.y[curve.quantity];
        if (std::isfinite(y.low)) low = std::min(low, y.low * panel.scale);
        if (std::isfinite(y.high)) high = std::max(high, y.high * panel.scale);
      }
    }
    if (!(low <= high)) low = high = 0;
    if (!panel.logarithmic) return linear_axis(low, high, 4, true);
    // Below 1e-17 nothing is meant: exact zeros lie on the lower border.
    high = std::max(high, 1e-16);
    return log_axis(std::clamp(low, 1e-17, high / 10), high, 4);
  }

  template <class Bins>
  void draw_panel(const Panel& panel, double top, const Bins& bins) {
    const Axis axis = panel_axis(panel, bins);
    const auto y_of = [&](double v) { return top + kPanel * (1 - axis.fraction(v)); };
    out("<text class=\"head\" x=\"{}\" y=\"{}\">{}</text>\n", kLeft, top - 9, escaped(panel.title));
    for (const double tick : axis.ticks) {
      out("<line class=\"{0}\" x1=\"{1}\" x2=\"{2}\" y1=\"{3:.2f}\" y2=\"{3:.2f}\"/>"
          "<text class=\"small\" x=\"{4}\" y=\"{5:.2f}\" text-anchor=\"end\">{6}</text>\n",
          std::abs(tick) < 1e-12 * (axis.high - axis.low) ? "zero" : "grid", kLeft, kLeft + kInner,
          y_of(tick), kLeft - 8, y_of(tick) + 4, tick_label(axis, tick));
    }
    double legend = kLeft + kInner;
    for (std::size_t i = panel.curves.size(); i-- > 0;) {
      const Curve& curve = panel.curves[i];
      draw_curve(curve, panel.scale, y_of, bins);
      if (curve.label.empty()) continue;
      out("<text class=\"small\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", legend,
          top - 9, curve.label);
      legend -= 6.1 * static_cast<double>(curve.label.size()) + 6;
      out("<line class=\"c {0}\" x1=\"{1:.1f}\" x2=\"{2:.1f}\" y1=\"{3}\" y2=\"{3}\"/>\n",
          curve.style, legend - 20, legend, top - 13);
      legend -= 34;
    }
    out("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, top,
        kInner, kPanel);
  }

  // A bin of several samples is drawn as first, low, high, last: nothing that stands out is lost.
  template <class YOf, class Bins>
  void draw_curve(const Curve& curve, double scale, YOf y_of, const Bins& bins) {
    out("<path class=\"c {}\" d=\"", curve.style);
    bool pen_down = false;
    const auto point = [&](double t, double value) {
      if (!std::isfinite(value)) {
        pen_down = false;
        return;
      }
      out("{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', x_of(t), y_of(value * scale));
      pen_down = true;
    };
    for (const auto& bin : bins) {
      const auto& y = bin.y[curve.quantity];
      const double middle = (bin.t0 + bin.t1) / 2;
      point(bin.t0, y.first);
      if (bin.t1 <= bin.t0) continue;
      const bool rising = y.first <= y.last;
      if (y.low < std::min(y.first, y.last) || y.high > std::max(y.first, y.last)) {
        point(middle, rising ? y.low : y.high);
        point(middle, rising ? y.high : y.low);
      }
      point(bin.t1, y.last);
    }
    out("\"/>\n");
  }

  void draw_band(std::size_t contact, double y) {
    out("<text class=\"small\" x=\"{}\" y=\"{:.2f}\" text-anchor=\"end\">mode</text>\n", kLeft - 8,
        y + kBand - 2);
    double drawn_to = kLeft;  // spans thinner than a pixel join their neighbour
    for (const ModeSpan& span : modes_[contact]) {
      const double x0 = std::max(drawn_to, x_of(span.t0)), x1 = x_of(span.t1);
      if (x1 - x0 < 0.5) continue;
      out("<rect class=\"{0}\" x=\"{1:.2f}\" y=\"{2:.2f}\" width=\"{3:.2f}\" height=\"{4}\">"
          "<title>{5}: {0}, {6:.6g} to {7:.6g} s</title></rect>\n",
          name(span.mode), x0, y, x1 - x0, kBand, escaped(pair_name(contact)), span.t0, span.t1);
      if (x1 - x0 > 70) {
        out("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" style=\"font-size:10px;"
            "fill:#111\">{}</text>\n",
            (x0 + x1) / 2, y + kBand - 2.5, name(span.mode));
      }
      drawn_to = x1;
    }
  }

  void draw_events(double top, double bottom, double axis_y) {
    double last_x = -10;
    std::size_t drawn = 0;
    for (const Event& event : events_) {
      const bool start_or_end =
          event.kind == EventKind::contact_start || event.kind == EventKind::end;
      const double x = x_of(event.t);
      if (start_or_end || x - last_x < 1.5 || drawn == kMostEvents) continue;
      if (!(x >= kLeft && x <= kLeft + kInner)) continue;
      // Chart crossings do not show in the motion: a mark at the border is enough.
      const bool quiet = event.kind == EventKind::chart_crossing;
      out("<line class=\"event\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1}\" y2=\"{2}\"><title>{3} at "
          "{4:.6g} s</title></line>\n",
          x, quiet ? bottom : top, quiet ? bottom + 8 : axis_y - 4, name(event.kind), event.t);
      last_x = x;
      ++drawn;
    }
  }

  OutputFile file_;
  Header header_;
  Vec3<double> up_{0, 0, 1};
  std::size_t moving_ = 0;  // index of the first body that is not fixed
  Series series_;
  std::vector<ProbeSeries> probes_;
  std::vector<std::vector<ModeSpan>> modes_;  // per contact
  std::vector<Event> events_;
  std::optional<std::size_t> touched_;  // the contact that was closed first: its force is drawn
  bool empty_ = true;
  double t_first_ = 0, t_last_ = 0;
  EnergyFrame start_;
  double most_kinetic_ = 0, most_slip_ = 0, most_work_ = 0;
  Axis time_;
  std::string svg_;
};

}  // namespace

Result<std::unique_ptr<Recorder>> make_svg_plot(const std::string& path) {
  auto file = OutputFile::make(path);
  if (!file) return Unexpected{file.error()};
  return std::unique_ptr<Recorder>(std::make_unique<SvgPlot>(std::move(*file)));
}

}  // namespace oloid
