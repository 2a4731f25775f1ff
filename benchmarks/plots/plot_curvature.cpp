// Draws the normal curvature along a straight line through extraordinary vertices, down to the
// middle of the disc that closes the surface there: bin/plot_curvature > docs/images/curvature.svg
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/core/local_surface.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "oloid/io/plot/svg_chart.h"

namespace oloid {

using namespace geometry;
using namespace io;

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

struct Surface {
  const char* label;
  SubdivisionScheme scheme;
  int valence;
  const char* style;
};

// Decades of the distance outwards from 1e-8 m, which is the middle of the picture.
double place(double sign, double distance) { return sign * (std::log10(distance) + 8); }

std::string picture() {
  constexpr std::array<Surface, 4> kSurfaces{{
      {"Catmull-Clark, valence 3", SubdivisionScheme::catmull_clark, 3, "blue"},
      {"Catmull-Clark, valence 5", SubdivisionScheme::catmull_clark, 5, "red"},
      {"Loop, valence 5", SubdivisionScheme::loop, 5, "green"},
      {"Loop, valence 7", SubdivisionScheme::loop, 7, "purple"},
  }};
  ChartPanel panel{"", "distance from the vertex [m]", "normal curvature [1/m]"};
  for (const double sign : {-1.0, 1.0}) {
    for (int decade = -7; decade <= -1; decade += 2) {
      panel.x_ticks.push_back(
          {place(sign, std::pow(10, decade)), fmt::format("{}1e{}", sign < 0 ? "−" : "", decade)});
    }
  }
  panel.rules.push_back(
      {"1e-6 of a face: the disc is inside", "black dash", {place(-1, 1e-6), place(1, 1e-6)}});
  for (const Surface& one : kSurfaces) {
    const Patchwork surface =
        patchwork_of(subdivide(drum(one.valence, one.scheme), one.scheme).value()).value();
    for (const double sign : {-1.0, 1.0}) {
      ChartCurve curve{one.label, one.style, {}};
      for (const Point& p : line(surface, sign))
        curve.points.emplace_back(place(sign, p.distance), p.curvature);
      panel.curves.push_back(std::move(curve));
    }
  }
  return svg_of({"Normal curvature along a line through the vertex", {panel}});
}

}  // namespace
}  // namespace oloid

int main() { std::fputs(oloid::picture().c_str(), stdout); }
