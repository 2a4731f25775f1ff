#include "latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "oloid/io/plot/plot_axis.h"

namespace oloid::example {

using namespace io;

namespace {

constexpr int kBinsPerDecade = 20, kFirstDecade = -8, kDecades = 7;  // 10 ns to 0.1 s
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73"};

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
  constexpr double kWidth = 760, kHeight = 380, kLeft = 60, kRight = 34, kTop = 48, kBottom = 46;
  double most = 10;
  for (const LatencyLog& log : logs)
    most = std::max(most, static_cast<double>(log.samples().size()));
  const Axis y = log_axis(0.5, most, 6);
  const auto px = [&](double decade) {
    return kLeft + (kWidth - kLeft - kRight) * (decade - kFirstDecade) / kDecades;
  };
  const auto py = [&](double count) {
    return kTop + (kHeight - kTop - kBottom) * (1 - y.fraction(std::max(count, y.low)));
  };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  const auto text = [&](double x, double at, const char* anchor, const std::string& what) {
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"#333\">{}</text>\n",
                    x, at, anchor, what);
  };
  for (const double tick : y.ticks) {
    svg += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"#ddd\"/>\n", kLeft, py(tick),
                       kWidth - kRight);
    text(kLeft - 6, py(tick) + 4, "end", tick_label(y, tick));
  }
  constexpr std::array kLabels{"10 ns",  "100 ns", "1 µs",  "10 µs",
                               "100 µs", "1 ms",   "10 ms", "100 ms"};
  for (int i = 0; i <= kDecades; ++i) {
    const double x = px(kFirstDecade + i);
    svg += fmt::format("<path d=\"M{:.1f} {}V{}\" stroke=\"#ddd\"/>\n", x, kTop, kHeight - kBottom);
    text(x, kHeight - kBottom + 16, "middle", kLabels[static_cast<std::size_t>(i)]);
  }
  text(kLeft, 18, "start", title);
  text(0.5 * kWidth, kHeight - 10, "middle", "time; updates per twentieth of a decade");
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    std::string path;
    const std::vector<double> bins = counts(logs[i]);
    for (std::size_t k = 0; k < bins.size(); ++k) {
      const double from = kFirstDecade + static_cast<double>(k) / kBinsPerDecade;
      path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", k == 0 ? "M" : "L", px(from), py(bins[k]),
                          px(from + 1.0 / kBinsPerDecade));
    }
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path,
                       colour);
    const double label = kLeft + 150 * static_cast<double>(i);
    svg += fmt::format("<path d=\"M{} 34h16\" stroke=\"{}\" stroke-width=\"3\"/>\n", label, colour);
    text(label + 20, 38, "start", logs[i].name());
  }
  return svg + "</svg>\n";
}

}  // namespace oloid::example
