#include "oloid/geometry/bezier/patchwork.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "oloid/geometry/measure/surface_integral.h"

namespace oloid::geometry {

std::vector<PatchPiece> pieces_of(const NurbsNet& surface, const std::string& name,
                                  const std::shared_ptr<const Trimming>& trimming) {
  std::vector<PatchPiece> pieces;
  int i = 0;
  for (const Span& u : spans(surface.u)) {
    // First along u: one row of control points over v for each Bezier index.
    std::vector<std::vector<Weighted>> rows(static_cast<std::size_t>(surface.u.degree) + 1);
    for (std::size_t j = 0; j < surface.v.control_points(); ++j) {
      const auto column =
          bezier_piece<Weighted>(surface.u, u, [&](std::size_t k) { return surface.net[k][j]; });
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k].push_back(column[k]);
    }
    int j = 0;
    for (const Span& v : spans(surface.v)) {
      std::vector<std::vector<Weighted>> net;
      net.reserve(rows.size());
      for (const auto& row : rows) {
        net.push_back(bezier_piece<Weighted>(surface.v, v, [&](std::size_t k) { return row[k]; }));
      }
      pieces.push_back({make_patch(net), fmt::format("{}, piece ({}, {})", name, i, j), trimming,
                        Rect{u.from, u.to, v.from, v.to}});
      ++j;
    }
    ++i;
  }
  return pieces;
}

Result<Patchwork> Patchwork::make(std::vector<PatchPiece> pieces, const Gluing& gluing,
                                  const std::vector<PatchHole>& holes) {
  if (pieces.empty()) return refuse("the surface has no patches", "specify at least one");
  Patchwork work;
  for (PatchPiece& piece : pieces) {
    const auto n = static_cast<std::size_t>(geometry::sides(piece.patch));
    work.degree_ = std::max(work.degree_, degree(piece.patch));
    const Ball ball = bounding_ball(piece.patch);
    work.charts_.push_back({std::move(piece.patch), std::move(piece.name),
                            std::vector<PlacedShape>(n), std::move(piece.trimming), piece.within,
                            piece.origin, ball});
  }
  work.size_ = 0.5 * work.box().size().norm();
  for (const Chart& chart : work.charts_)
    for (const Vec<double, 4>& h : control_points(chart.patch))
      work.radius_ = std::max(work.radius_, (h.head<3>() / h(3) + chart.origin).norm());
  for (Chart& chart : work.charts_) {
    const double size = chart.ball.radius;
    for (std::size_t side = 0; side < chart.sides.size(); ++side) {
      const BezierCurve<3> curve = side_curve(chart.patch, static_cast<int>(side));
      chart.sides[side].collapsed =
          BorderCurve(curve, curve.degree()).length_scale() <= 1e-9 * size;
    }
    if (auto error = work.check_regular(chart)) return Unexpected{*std::move(error)};
  }
  if (auto error = work.glue(gluing)) return Unexpected{*std::move(error)};
  for (const PatchHole& hole : holes) hole.sharp ? work.end_at(hole) : work.close(hole);
  work.holes_ = holes;
  work.place_seeds();
  if (work.seeds_.empty()) {
    return refuse("trimming leaves almost nothing of the surface",
                  "check the direction of the loops");
  }
  return work;
}

namespace {

// c_u × c_v over |c_u| |c_v|: its length is the sine of the angle between them.
struct Crossed {
  Uv<double> q;
  Vec3<double> n;
  double slowest;  // [m], the smaller of |c_u| and |c_v|

  Crossed(const Patch& patch, const Uv<double>& at) : q(at) {
    const Jet<double, 1> c = jet<1>(patch, at);
    const double along_u = c.d(1, 0).norm(), along_v = c.d(0, 1).norm();
    n = c.d(1, 0).cross(c.d(0, 1)) / (along_u * along_v);
    slowest = std::min(along_u, along_v);
  }
};

// Whether the normal turns over between two points: however closely one looks, it jumps.
bool turns_over(const Patch& patch, const Crossed& a, const Crossed& b, int halvings = 10) {
  if (a.n.dot(b.n) > 0.5 * a.n.norm() * b.n.norm()) return false;
  if (halvings == 0) return true;
  const Crossed middle(patch, 0.5 * (a.q + b.q));
  return turns_over(patch, a, middle, halvings - 1) || turns_over(patch, middle, b, halvings - 1);
}

}  // namespace

// Regular where it can be visited: c_u and c_v neither zero nor parallel, and their normal nowhere
// turned over. Where the control points do not prove it, at the points of a grid and between them.
std::optional<Error> Patchwork::check_regular(const Chart& chart) const {
  constexpr int kGrid = 16;
  constexpr double kLeastSine = 1e-6;
  const double slowest = 1e-9 * chart.ball.radius;
  if (surely_regular(chart.patch, kLeastSine, slowest)) return std::nullopt;
  const PatchDomain& unit = domain(chart.patch);
  const int rays = std::max(kGrid, 4 * unit.sides());
  const auto wrong = [&](std::string_view what, const Uv<double>& q) {
    return refuse(
               fmt::format("{} is {} at (u, v) = ({:.4g}, {:.4g})", chart.name, what, q.x(), q.y()),
               "c_u and c_v may be parallel or zero only on a side that is a single point")
        .error;
  };
  std::array<std::optional<Crossed>, kGrid + 1> before;  // along the ray before
  for (int i = 0; i <= rays; ++i) {
    std::optional<Crossed> inner;
    for (std::size_t j = 0; j <= kGrid; ++j) {
      // The square onto the domain: between the middle and the border.
      const double along = static_cast<double>(i) / rays * unit.sides();
      const int side = std::min(static_cast<int>(along), unit.sides() - 1);
      const Uv<double> q = unit.middle() + static_cast<double>(j) / kGrid *
                                               (unit.on_side(side, along - side) - unit.middle());
      bool visited = true;  // what lies beyond a tip is not
      for (int k = 0; k < unit.sides(); ++k)
        visited = visited && (!chart.side(k).collapsed || unit.margin(k, q) >= kTip);
      if (!visited) continue;
      const Crossed at(chart.patch, q);
      if (!(at.slowest > slowest) || !(at.n.norm() > kLeastSine)) return wrong("degenerate", q);
      for (const std::optional<Crossed>* neighbour : {&inner, &before[j]}) {
        if (*neighbour && turns_over(chart.patch, **neighbour, at)) return wrong("folded over", q);
      }
      inner = at;
      before[j] = at;
    }
  }
  return std::nullopt;
}

bool Patchwork::closed() const {
  return std::none_of(charts_.begin(), charts_.end(), [](const Chart& chart) {
    return chart.trimming || std::any_of(chart.sides.begin(), chart.sides.end(),
                                         [](const PlacedShape& side) { return side.open(); });
  });
}

// Starts on an n × n grid over each patch; where trimming leaves less, on finer ones.
void Patchwork::place_seeds() {
  const int usual = charts_.size() == 1 ? 9 : charts_.size() <= 16 ? 5 : 3;
  for (int i = 0; i < patches(); ++i) {
    // Far smaller than the rest, near a hole: its neighbours' seeds will do.
    if (chart(i).ball.radius < 1e-2 * size_ && !holes_.empty()) continue;
    const std::size_t before = seeds_.size();
    for (int n = usual; n <= 1024 && seeds_.size() < before + 4; n *= 4) {
      place_seeds(i, n);
      if (!trimmed(i)) break;
    }
  }
  std::vector<Vec3<double>> points;
  points.reserve(seeds_.size());
  for (const Location& q : seeds_)
    points.push_back(jet<0>(q.chart.index, Uv<double>(q.x.head<2>())).d(0, 0));
  seed_points_ = BallTree(std::move(points));
}

void Patchwork::place_seeds(int i, int n) {
  const PatchDomain& unit = domain(patch(i));
  const bool triangle = &unit == &PatchDomain::triangle();
  Uv<double> low = unit.corner(0), high = low;
  for (int k = 1; k < unit.sides(); ++k) {
    low = low.cwiseMin(unit.corner(k));
    high = high.cwiseMax(unit.corner(k));
  }
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < (triangle ? n - a : n); ++b) {
      const double in_cell = triangle ? 1.0 / 3 : 0.5;
      const Uv<double> in_box((a + in_cell) / n, (b + in_cell) / n);
      Location q{ChartId{i}};
      q.x.head<2>() = low + in_box.cwiseProduct(high - low);
      if (margin(q) <= 0) continue;
      seeds_.push_back(q);
    }
  }
}

Location Patchwork::near(const Vec3<double>& p) const {
  return seeds_[static_cast<std::size_t>(seed_points_.nearest(p).point)];
}

Box Patchwork::box() const {
  Box box;
  for (const Chart& chart : charts_) {
    const Box own = bounding_box(chart.patch);
    box.add(Box{own.low + chart.origin, own.high + chart.origin});
  }
  return box;
}

Result<Solid> Patchwork::solid() const {
  for (const Chart& chart : charts_) {
    if (chart.trimming) {
      return refuse(fmt::format("the surface is open: {} is trimmed", chart.name),
                    "specify mass and inertia instead");
    }
    for (std::size_t side = 0; side < chart.sides.size(); ++side) {
      if (!chart.sides[side].open()) continue;
      return refuse(fmt::format("the surface is open at side {} of {}", side, chart.name),
                    "close it with more patches, or specify mass and inertia instead");
    }
  }
  const Vec3<double> origin = box().centre();
  SurfaceIntegral sum;
  for (const Chart& chart : charts_) sum += integral(chart.patch, origin - chart.origin);
  for (const PatchHole& hole : holes_) sum += lid(hole, origin);
  return sum.solid(origin);
}

}  // namespace oloid::geometry
