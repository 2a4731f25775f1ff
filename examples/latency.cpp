#include "latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "oloid/io/plot/svg_chart.h"

namespace oloid::example {

using namespace io;

namespace {

constexpr int kBinsPerDecade = 20, kFirstDecade = -8, kDecades = 7;  // 10 ns to 0.1 s
constexpr std::array kStyles{"blue", "red", "green"};

std::vector<double> counts(const LatencyLog& log) {
  std::vector<double> bins(static_cast<std::size_t>(kBinsPerDecade * kDecades), 0.0);
  for (const double s : log.samples()) {
    const double place = (std::log10(std::max(s, 1e-12)) - kFirstDecade) * kBinsPerDecade;
    const double last = static_cast<double>(bins.size()) - 1;
    ++bins[static_cast<std::size_t>(std::clamp(place, 0.0, last))];
  }
  return bins;
}

}  // namespace

std::string table(std::span<const LatencyLog> logs) {
  std::string text = fmt::format("{:<10}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}  [µs]\n", "",
                                 "updates", "mean", "median", "99 %", "99.9 %", "worst");
  for (const LatencyLog& log : logs) {
    std::vector<double> sorted(log.samples().begin(), log.samples().end());
    if (sorted.empty()) continue;
    std::sort(sorted.begin(), sorted.end());
    const auto n = static_cast<double>(sorted.size());
    const auto part = [&](double p) {
      return 1e6 * sorted[static_cast<std::size_t>(std::ceil(p * n)) - 1];
    };
    const double mean = 1e6 * std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
    text += fmt::format("{:<10}{:>10}{:>10.2f}{:>10.2f}{:>10.2f}{:>10.2f}{:>10.2f}\n", log.name(),
                        sorted.size(), mean, part(0.5), part(0.99), part(0.999), part(1));
  }
  return text;
}

std::string histogram_svg(std::span<const LatencyLog> logs, const std::string& title) {
  ChartPanel panel{"", "time", "updates per twentieth of a decade"};
  panel.logarithmic_y = true;
  panel.least_y = 0.1;
  constexpr std::array kLabels{"10 ns",  "100 ns", "1 µs",  "10 µs",
                               "100 µs", "1 ms",   "10 ms", "100 ms"};
  for (std::size_t i = 0; i < kLabels.size(); ++i)
    panel.x_ticks.push_back({kFirstDecade + static_cast<double>(i), kLabels[i]});
  for (std::size_t i = 0; i < logs.size(); ++i) {
    ChartCurve curve{logs[i].name(), kStyles[i % kStyles.size()], {}};
    const std::vector<double> bins = counts(logs[i]);
    for (std::size_t k = 0; k < bins.size(); ++k) {
      for (const std::size_t end : {k, k + 1})
        curve.points.emplace_back(kFirstDecade + static_cast<double>(end) / kBinsPerDecade,
                                  bins[k]);
    }
    panel.curves.push_back(std::move(curve));
  }
  return svg_of({title, {panel}});
}

}  // namespace oloid::example
