#include "forms/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "oloid/io/plot/plot_axis.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr double kWidth = 300, kHeight = 230, kLeft = 56, kTop = 28, kRight = 12, kBottom = 36;
constexpr int kColumns = 3;
constexpr std::array<const char*, 4> kColours{"#d55e00", "#cc79a7", "#0072b2", "#009e73"};

const char* colour(const std::vector<std::string>& forms, const std::string& form) {
  const auto at = std::find(forms.begin(), forms.end(), form) - forms.begin();
  return kColours[static_cast<std::size_t>(at) % kColours.size()];
}

std::string text(double x, double y, const char* anchor, const std::string& what) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"#333\">{}</text>\n",
                     x, y, anchor, what);
}

std::string drawn(const Panel& panel, const Axis& x, const Axis& y,
                  const std::vector<std::string>& forms, double x0, double y0) {
  const auto px = [&](double v) { return x0 + kLeft + (kWidth - kLeft - kRight) * x.fraction(v); };
  const auto py = [&](double v) {
    return y0 + kTop + (kHeight - kTop - kBottom) * (1 - y.fraction(v));
  };
  std::string svg = text(x0 + kLeft, y0 + 18, "start", panel.title);
  for (const double tick : y.ticks) {
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>\n", x0 + kLeft,
                       py(tick), x0 + kWidth - kRight);
    svg += text(x0 + kLeft - 6, py(tick) + 4, "end", tick_label(y, tick));
  }
  for (const double tick : x.ticks) {
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#ddd\"/>\n", px(tick), y0 + kTop,
                       y0 + kHeight - kBottom);
    svg += text(px(tick), y0 + kHeight - kBottom + 16, "middle", tick_label(x, tick));
  }
  for (const Curve& curve : panel.curves) {
    std::string path;
    for (const Point& p : curve.points) {
      if (!(p.error < y.high)) continue;
      const double shown = std::max(p.error, y.low);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", px(p.calls), py(shown));
    }
    svg +=
        fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n", path,
                    colour(forms, curve.form), curve.adaptive ? "" : " stroke-dasharray=\"4 3\"");
  }
  return svg;
}

}  // namespace

std::string picture(const std::vector<Panel>& panels, const std::vector<std::string>& forms) {
  double fewest = INFINITY, most = 0;
  for (const Panel& panel : panels) {
    for (const Curve& curve : panel.curves) {
      for (const Point& p : curve.points) {
        fewest = std::min(fewest, p.calls);
        most = std::max(most, p.calls);
      }
    }
  }
  const Axis x = log_axis(fewest, most, 6), y = log_axis(1e-14, 1, 8);
  const int rows = (static_cast<int>(panels.size()) + kColumns) / kColumns;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kColumns * kWidth, rows * kHeight);
  const auto corner = [](std::size_t i) {
    const auto columns = static_cast<std::size_t>(kColumns);
    return std::array{kWidth * static_cast<double>(i % columns),
                      kHeight * static_cast<double>(i / columns)};
  };
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto at = corner(i);
    svg += drawn(panels[i], x, y, forms, at[0], at[1]);
  }
  const auto legend = corner(panels.size());
  double line = legend[1] + 44;
  for (const std::string& form : forms) {
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}h18\" stroke=\"{}\" stroke-width=\"3\"/>\n",
                       legend[0] + 24, line - 4, colour(forms, form));
    svg += text(legend[0] + 50, line, "start", form);
    line += 20;
  }
  for (const char* note :
       {"Error of the pose after 1 s [m, 1]", "against calls of the right-hand side.",
        "Full lines: DOP853, tolerances 1e-4 to 1e-13.", "Dashed: RK4, steps 40 to 0.625 ms."}) {
    svg += text(legend[0] + 24, line + 8, "start", note);
    line += 18;
  }
  return svg + "</svg>\n";
}

}  // namespace oloid::bench
