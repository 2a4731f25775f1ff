// Draws the normal curvature along a straight line through extraordinary vertices, down to the
// middle of the disc that closes the surface there: bin/plot_curvature > docs/images/curvature.svg
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/core/local_surface.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "oloid/io/plot/plot_axis.h"

namespace oloid {
namespace {

// A closed drum of triangles or quadrangles, symmetric, with a vertex of valence n on top.
Cage drum(int n, SubdivisionScheme scheme) {
  const bool triangles = scheme == SubdivisionScheme::loop;
  constexpr int kRings = 3;
  Cage cage;
  for (int r = 0; r < kRings; ++r) {
    const double z = std::numbers::pi * (r + 1) / (kRings + 1);
    for (int i = 0; i < n; ++i) {
      const double a = 2 * std::numbers::pi * (i + (triangles ? 0.5 * r : 0)) / n;
      cage.vertices.emplace_back(std::sin(z) * std::cos(a), std::sin(z) * std::sin(a), std::cos(z));
    }
  }
  const int top = n * kRings;
  cage.vertices.emplace_back(0, 0, 1.1);
  cage.vertices.emplace_back(0, 0, -1.1);
  const auto v = [n](int r, int i) { return n * r + (i + n) % n; };
  for (int i = 0; i < n; ++i) {
    cage.faces.push_back({top, v(0, i), v(0, i + 1)});
    for (int r = 0; r + 1 < kRings; ++r) {
      if (triangles) {
        cage.faces.push_back({v(r, i), v(r + 1, i), v(r, i + 1)});
        cage.faces.push_back({v(r, i + 1), v(r + 1, i), v(r + 1, i + 1)});
      } else {
        cage.faces.push_back({v(r, i), v(r + 1, i), v(r + 1, i + 1), v(r, i + 1)});
      }
    }
    cage.faces.push_back({top + 1, v(kRings - 1, i + 1), v(kRings - 1, i)});
  }
  return cage;
}

struct Point {
  double distance, curvature;  // [m], [1/m]
};

// Outwards from the middle of the topmost disc, above the x axis, towards +x or −x.
std::vector<Point> line(const Patchwork& surface, double sign) {
  const auto at = [&](const Location& q) {
    return local_surface(surface.jet<2>(q.chart.index, Uv<double>(q.x.head<2>())),
                         Vec3<double>(1, 0, 0));
  };
  Location q;
  double highest = -1e9;
  for (int i = 0; i < surface.caps(); ++i) {
    const Location middle{ChartId{surface.patches() + i}, Vec3<double>::Zero()};
    if (at(middle).p.z() <= highest) continue;
    highest = at(middle).p.z();
    q = middle;
  }
  std::vector<Point> points;
  for (double decade = -8; decade < -1; decade += 0.01) {
    const Vec2<double> target(sign * std::pow(10, decade), 0);
    for (int step = 0; step < 50; ++step) {
      const auto here = at(q);
      const Vec2<double> off = target - here.p.head<2>();
      if (off.norm() < 1e-13 * (1 + target.norm()) && surface.margin(q) >= 0) break;
      const Mat2<double> flat = here.R.topLeftCorner<2, 2>();
      q.x += here.L * (inverse(flat) * off);
      if (surface.margin(q) >= 0) continue;
      const ChartExit exit = surface.leave(q);
      if (const auto* crossing = std::get_if<Crossing>(&exit)) q = crossing->to;
    }
    points.push_back({target.norm(), at(q).K(0, 0)});
  }
  return points;
}

struct Curve {
  const char* label;
  SubdivisionScheme scheme;
  int valence;
  const char* colour;
};

std::string picture() {
  constexpr std::array<Curve, 4> kCurves{{
      {"Catmull-Clark, valence 3", SubdivisionScheme::catmull_clark, 3, "#0072b2"},
      {"Catmull-Clark, valence 5", SubdivisionScheme::catmull_clark, 5, "#d55e00"},
      {"Loop, valence 5", SubdivisionScheme::loop, 5, "#009e73"},
      {"Loop, valence 7", SubdivisionScheme::loop, 7, "#cc79a7"},
  }};
  constexpr double kWidth = 760, kHeight = 400, kLeft = 56, kRight = 16, kTop = 44, kBottom = 46;
  const double middle = (kLeft + kWidth - kRight) / 2, half = (kWidth - kLeft - kRight) / 2;
  std::vector<std::array<std::vector<Point>, 2>> lines;  // of each curve, towards −x and +x
  double low = 0, high = 0;
  for (const Curve& curve : kCurves) {
    const Patchwork surface =
        patchwork_of(subdivide(drum(curve.valence, curve.scheme), curve.scheme).value()).value();
    lines.push_back({line(surface, -1), line(surface, 1)});
    for (const std::vector<Point>& side : lines.back()) {
      for (const Point& p : side) {
        low = std::min(low, p.curvature);
        high = std::max(high, p.curvature);
      }
    }
  }
  const Axis y = linear_axis(low, high, 6, true);
  const auto px = [&](double sign, double distance) {
    return middle + sign * half * (std::log10(distance) + 8) / 7;
  };
  const auto py = [&](double k) { return kTop + (kHeight - kTop - kBottom) * (1 - y.fraction(k)); };
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
  for (const double sign : {-1.0, 1.0}) {
    for (int decade = -7; decade <= -1; decade += 2) {
      const double x = px(sign, std::pow(10, decade));
      svg +=
          fmt::format("<path d=\"M{:.1f} {}V{}\" stroke=\"#ddd\"/>\n", x, kTop, kHeight - kBottom);
      text(x, kHeight - kBottom + 16, "middle", fmt::format("{}1e{}", sign < 0 ? "−" : "", decade));
    }
    const double rim = px(sign, 1e-6);
    svg += fmt::format("<path d=\"M{:.1f} {}V{}\" stroke=\"#888\" stroke-dasharray=\"3 3\"/>\n",
                       rim, kTop, kHeight - kBottom);
  }
  text(middle, kHeight - 10, "middle",
       "distance from the vertex [m]; dashed: 1e-6 of a face, the disc is inside");
  text(kLeft, 18, "start", "normal curvature [1/m] along a line through the vertex");
  for (std::size_t i = 0; i < kCurves.size(); ++i) {
    for (std::size_t side = 0; side < 2; ++side) {
      std::string path;
      for (const Point& p : lines[i][side]) {
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L",
                            px(side == 0 ? -1 : 1, p.distance), py(p.curvature));
      }
      svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
                         path, kCurves[i].colour);
    }
    const double label = kLeft + 178.0 * static_cast<double>(i);
    svg += fmt::format("<path d=\"M{} 32h16\" stroke=\"{}\" stroke-width=\"3\"/>\n", label,
                       kCurves[i].colour);
    text(label + 20, 36, "start", kCurves[i].label);
  }
  return svg + "</svg>\n";
}

}  // namespace
}  // namespace oloid

int main() { std::fputs(oloid::picture().c_str(), stdout); }
