#include "forms/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "oloid/io/plot/svg_chart.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr std::array kStyles{"red", "purple", "blue", "green"};

std::string style(const std::vector<std::string>& forms, const Curve& curve) {
  const auto at = std::find(forms.begin(), forms.end(), curve.form) - forms.begin();
  return fmt::format("{}{}", kStyles[static_cast<std::size_t>(at) % kStyles.size()],
                     curve.adaptive ? "" : " dash");
}

}  // namespace

std::string picture(const std::vector<Panel>& panels, const std::vector<std::string>& forms) {
  Chart chart{
      "Full lines: DOP853, tolerances 1e-4 to 1e-13. Dashed: RK4, steps 40 to 0.625 ms.", {}, 190};
  chart.columns = 3;
  for (const Panel& panel : panels) {
    ChartPanel drawn{panel.title, "calls of the right-hand side", "error after 1 s [m, 1]"};
    drawn.logarithmic_x = drawn.logarithmic_y = true;
    drawn.least_y = 1e-14;
    for (const Curve& curve : panel.curves) {
      ChartCurve line{curve.adaptive ? curve.form : "", style(forms, curve), {}};
      for (const Point& p : curve.points)
        if (p.error < 1) line.points.emplace_back(p.calls, p.error);
      drawn.curves.push_back(std::move(line));
    }
    chart.panels.push_back(std::move(drawn));
  }
  return svg_of(chart);
}

}  // namespace oloid::bench
