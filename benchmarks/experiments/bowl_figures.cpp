#include "experiments/bowl_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "oloid/io/plot/svg_chart.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr double kMillimetre = 1e-3, kMillisecond = 1e-3;

Vec2<double> seen_from_above(const Vec3<double>& p) { return p.head<2>() / kMillimetre; }

// Without samples that nobody could tell apart.
std::vector<Vec2<double>> path_from_above(const Trace& trace) {
  constexpr double kVisible = 0.1;  // [mm]
  std::vector<Vec2<double>> points;
  points.reserve(trace.path.size());
  for (const auto& sample : trace.path) {
    const Vec2<double> p = seen_from_above(sample.position);
    if (points.empty() || (p - points.back()).norm() > kVisible) points.push_back(p);
  }
  return points;
}

std::vector<Vec2<double>> places(const Trace& trace, const std::vector<double>& times) {
  std::vector<Vec2<double>> points;
  points.reserve(times.size());
  for (const double t : times) points.push_back(seen_from_above(trace.at(t)));
  return points;
}

// Where the path is marked: in the order in which marks may hide others.
std::vector<ChartMarks> marks_of(const Trace& trace, const std::string& style) {
  std::vector<ChartMarks> marks{
      {"patch crossed", "black", Mark::dot, places(trace, trace.crossings()), 1.6},
      {"collision", style, Mark::cross, places(trace, trace.impacts()), 4},
      {"begins to slide", style, Mark::ring, places(trace, trace.mode_changes(true)), 4},
      {"stops sliding", style, Mark::square, places(trace, trace.mode_changes(false)), 4},
      {"contact begins", style, Mark::triangle_down, places(trace, trace.contacts_begin()), 6},
      {"contact ends", style, Mark::triangle_up, places(trace, trace.contacts_end()), 6}};
  if (std::isfinite(trace.rest()))
    marks.push_back({"rests", style, Mark::diamond, places(trace, {trace.rest()}), 6});
  return marks;
}

bool moves_in_contact(Mode mode) { return mode != Mode::separated && mode != Mode::rest; }

// Of steps not below the least: shorter ones lead to an event, or past a moment without motion.
ChartPanel histogram(const Measured& run) {
  constexpr int kBins = 32;
  const double width = run.setting.max_step / kMillisecond / kBins;
  ChartBars bars{"", width, {}};
  bars.points.reserve(kBins);
  for (int i = 0; i < kBins; ++i) bars.points.emplace_back(width * i, 0);
  int shorter = 0;
  for (const Step& step : run.trace.steps) {
    if (!moves_in_contact(step.mode)) continue;
    if (step.h < run.setting.min_step * (1 - 1e-9)) {
      ++shorter;
      continue;
    }
    // A full step counts below its length.
    const int bin = static_cast<int>(std::ceil(step.h / kMillisecond / width - 1e-9)) - 1;
    bars.points[static_cast<std::size_t>(std::clamp(bin, 0, kBins - 1))].y() += 1;
  }
  ChartPanel panel{fmt::format("largest step {}; {} steps below {:g} ms not shown",
                               run.setting.name, shorter, run.setting.min_step / kMillisecond),
                   "length of the step [ms]", "steps"};
  panel.bars.push_back(std::move(bars));
  return panel;
}

double farthest(const Trace& trace, const Trace& exact) {
  double most = 0;
  for (const auto& sample : trace.path)
    most = std::max(most, (sample.position - exact.at(sample.t)).norm());
  return most;
}

std::string time_or_dash(double t) {
  return std::isfinite(t) ? fmt::format("{:.4f}", t) : std::string("–");
}

std::string end_of(const Trace& trace) {
  if (trace.complete() && trace.mode_at(trace.summary.t_end) == Mode::separated) return "has left";
  if (trace.complete()) return std::isfinite(trace.rest()) ? "rests" : "moves";
  return trace.events.empty() ? "" : std::string(name(trace.events.back().kind));
}

std::size_t steps_in_contact(const Trace& trace) {
  return static_cast<std::size_t>(
      std::count_if(trace.steps.begin(), trace.steps.end(),
                    [](const Step& s) { return moves_in_contact(s.mode); }));
}

double first_contact(const Trace& trace) {
  const auto begin = trace.contacts_begin();
  return begin.empty() ? INFINITY : begin.front();
}

}  // namespace

const Measured& with_step(const std::vector<Measured>& all, double max_step) {
  return *std::find_if(all.begin(), all.end(), [max_step](const Measured& run) {
    return std::abs(run.setting.max_step - max_step) < 1e-9;
  });
}

std::string trajectories(const std::vector<Measured>& all) {
  ChartPanel path{"centre of mass, seen from above", "x [mm]", "y [mm]"};
  path.equal_scales = true;
  const auto add = [&](double step, const std::string& label, const std::string& style) {
    const Trace& trace = with_step(all, step).trace;
    path.curves.push_back({label, style, path_from_above(trace)});
  };
  add(1e-3, "largest step 1 ms", "red");
  add(16e-3, "largest step 16 ms", "green dot");
  add(64e-3, "largest step 64 ms", "blue dash");
  for (const auto& [step, style] : {std::pair{1e-3, "red"}, {16e-3, "green"}, {64e-3, "blue"}}) {
    for (ChartMarks& marks : marks_of(with_step(all, step).trace, style))
      path.marks.push_back(std::move(marks));
  }
  return svg_of({"A bowl thrown on a table: paths", {std::move(path)}, 470});
}

std::string differences(const std::vector<Measured>& all) {
  constexpr double kInterval = 4e-3;  // [s]
  const Trace& exact = with_step(all, 0).trace;
  ChartPanel panel{"distance from the path of DOP853", "time [s]", "distance [mm]"};
  panel.logarithmic_y = true;
  panel.least_y = 1e-6;
  const char* const styles[] = {"red",        "orange",      "purple",    "blue",
                                "green dash", "orange dash", "blue dash", "black dot"};
  std::size_t i = 0;
  for (const Measured& run : all) {
    if (run.setting.method == Method::dop853) continue;
    ChartCurve curve{run.setting.name, styles[i++ % std::size(styles)], {}};
    const int count = static_cast<int>(run.trace.path.back().t / kInterval);
    curve.points.reserve(static_cast<std::size_t>(count) + 1);
    for (int k = 0; k <= count; ++k) {
      const double t = k * kInterval;
      curve.points.emplace_back(t, (run.trace.at(t) - exact.at(t)).norm() / kMillimetre);
    }
    panel.curves.push_back(std::move(curve));
  }
  return svg_of({"A bowl thrown on a table: error of the largest step", {std::move(panel)}, 300});
}

std::string step_sizes(const std::vector<Measured>& all) {
  return svg_of({"A bowl thrown on a table: steps while it moves in contact",
                 {histogram(with_step(all, 16e-3)), histogram(with_step(all, 64e-3))},
                 260});
}

std::string position_over_time(const std::vector<Measured>& all) {
  constexpr double kUntil = 1;  // [s]
  const Trace& trace = with_step(all, 64e-3).trace;
  const auto x = [&](double t) { return Vec2<double>(t, trace.at(t).x() / kMillimetre); };
  const auto early = [](std::vector<double> times) {
    times.erase(std::remove_if(times.begin(), times.end(), [](double t) { return t > kUntil; }),
                times.end());
    return times;
  };
  ChartPanel panel{"x of the centre of mass, largest step 64 ms", "time [s]", "x [mm]"};
  panel.rules.push_back({"patch crossed", "black dot", early(trace.crossings())});
  panel.rules.push_back({"collision", "orange", early(trace.impacts())});
  panel.rules.push_back({"contact begins or ends", "red", early(trace.contacts_begin())});
  panel.rules.push_back({"contact begins or ends", "red", early(trace.contacts_end())});
  ChartCurve curve{"", "blue", {}};
  ChartMarks steps{"step", "blue", Mark::dot, {}, 2.5};
  curve.points.reserve(trace.path.size());
  for (const auto& sample : trace.path) {
    if (sample.t <= kUntil) curve.points.push_back(x(sample.t));
  }
  steps.points.reserve(trace.steps.size());
  for (const Step& step : trace.steps) {
    if (step.t <= kUntil) steps.points.push_back(x(step.t));
  }
  panel.curves.push_back(std::move(curve));
  panel.marks.push_back(std::move(steps));
  return svg_of({"A bowl thrown on a table: the first second", {std::move(panel)}, 300});
}

std::string markdown_table(const std::vector<Measured>& all) {
  const Measured& first = with_step(all, 1e-3);
  const Trace& exact = with_step(all, 0).trace;
  std::string table =
      "| largest step | CPU, 1 ms = 1 | published | times real time | steps | in contact | "
      "patches crossed | collisions | contact begins [s] | slips, again rolls | rests from [s] | "
      "off DOP853 at most [mm] | at the end |\n"
      "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n";
  for (const Measured& run : all) {
    const Trace& t = run.trace;
    table += fmt::format(
        "| {} | {:.3f} | {} | {:.3g} | {} | {} | {} | {} | {} | {}, {} | {} | {} | {} |\n",
        run.setting.name, run.cpu / first.cpu,
        run.published > 0 ? fmt::format("{:.3f}", run.published / first.published) : "–",
        t.summary.t_end / run.cpu, t.summary.counters.steps, steps_in_contact(t),
        t.crossings().size(), t.impacts().size(), time_or_dash(first_contact(t)),
        t.mode_changes(true).size(), t.mode_changes(false).size(), time_or_dash(t.rest()),
        run.setting.max_step > 0 ? fmt::format("{:.2g}", farthest(t, exact) / kMillimetre) : "–",
        end_of(t));
  }
  return table;
}

std::string csv_table(const std::vector<Measured>& all) {
  const Measured& first = with_step(all, 1e-3);
  const Trace& exact = with_step(all, 0).trace;
  std::string table =
      "largest_step,cpu_ratio,published_ratio,times_real_time,steps,steps_in_contact,crossings,"
      "collisions,contact_begins_s,rests_from_s,largest_distance_m,end\n";
  for (const Measured& run : all) {
    const Trace& t = run.trace;
    table += fmt::format("{},{:.4f},{:.4f},{:.4g},{},{},{},{},{:.6f},{:.6f},{:.3e},{}\n",
                         run.setting.name, run.cpu / first.cpu, run.published / first.published,
                         t.summary.t_end / run.cpu, t.summary.counters.steps, steps_in_contact(t),
                         t.crossings().size(), t.impacts().size(), first_contact(t), t.rest(),
                         farthest(t, exact), end_of(t));
  }
  return table;
}

}  // namespace oloid::bench
