// Edges of polyhedra, where no other part hides them.
#include <algorithm>
#include <utility>

#include "oloid/geometry/polyhedral/polyhedron.h"

namespace oloid::geometry {
namespace {

// Where a + t (b − a), 0 ≤ t ≤ 1, enters or leaves a convex part, its surface belonging to it.
void add_crossings(const ConvexPolyhedron& part, const Vec3<double>& a, const Vec3<double>& b,
                   double distance, std::vector<double>& crossings) {
  double from = 0, to = 1;
  for (int f = 0; f < part.faces(); ++f) {
    const auto& face = part.face(f);
    const double h_a = face.normal.dot(a) - face.offset, h_b = face.normal.dot(b) - face.offset;
    if (h_a > distance && h_b > distance) return;
    if (h_a > distance) from = std::max(from, h_a / (h_a - h_b));
    if (h_b > distance) to = std::min(to, h_a / (h_a - h_b));
  }
  if (from >= to) return;
  crossings.push_back(from);
  crossings.push_back(to);
}

}  // namespace

std::vector<Edge> Polyhedron::edges() const {
  std::vector<std::vector<int>> charts_of(parts_.size());  // by part and face
  for (std::size_t p = 0; p < parts_.size(); ++p)
    charts_of[p].resize(static_cast<std::size_t>(parts_[p].faces()));
  for (int i = 0; i < charts(); ++i)
    charts_of[static_cast<std::size_t>(chart(i).part)][static_cast<std::size_t>(chart(i).face)] = i;

  std::vector<Edge> result;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const ConvexPolyhedron& part = parts_[p];
    for (int e = 0; e < part.edges(); ++e) {
      const auto& edge = part.edge(e);
      const Vec3<double> a = part.vertex(edge.vertices[0]), b = part.vertex(edge.vertices[1]);
      std::vector<double> cuts{0, 1};
      for (std::size_t other = 0; other < parts_.size(); ++other)
        if (other != p) add_crossings(parts_[other], a, b, distance_, cuts);
      std::sort(cuts.begin(), cuts.end());
      for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        if ((cuts[i + 1] - cuts[i]) * (b - a).norm() <= 4 * distance_) continue;
        const Vec3<double> start = a + cuts[i] * (b - a), end = a + cuts[i + 1] * (b - a);
        const auto flank = [&](int face) {
          const int at = charts_of[p][static_cast<std::size_t>(face)];
          return ChartSegment{ChartId{at}, coordinates(chart(at), start),
                              coordinates(chart(at), end)};
        };
        const ChartSegment left = flank(edge.faces[0]), right = flank(edge.faces[1]);
        // Between two cuts both faces belong to the surface, or one of them is hidden.
        const auto is_surface = [&](const ChartSegment& side, double turn) {
          Location q = side.at(0.5);
          const Chart& at = chart(q.chart.index);
          const Vec3<double> into = turn * at.normal.cross(Vec3<double>(b - a)).normalized();
          q.x.head<2>() += 1e-6 * at.axes.transpose() * into / at.scale;
          return margin(q) > 0;
        };
        if (!is_surface(left, 1) || !is_surface(right, -1)) continue;
        result.push_back({Curve::polyline({start, end}).value(), left, right});
      }
    }
  }
  return result;
}

}  // namespace oloid::geometry
