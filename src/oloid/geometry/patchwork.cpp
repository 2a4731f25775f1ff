#include "oloid/geometry/patchwork.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "oloid/geometry/border_curve.h"
#include "oloid/geometry/surface_integral.h"

namespace oloid {
namespace {

constexpr double kSeam = 1e-13;  // how far beyond a seam, in (u, v), the next patch takes over
constexpr double kTip = 1e-3;    // how near, in (u, v), a contact may come to a collapsed side
constexpr int kMeasured = 9;     // points along a seam where it is measured

}  // namespace

std::vector<PatchPiece> pieces_of(const NurbsNet& surface, const std::string& name,
                                  std::shared_ptr<const Trimming> trimming) {
  using Weighted = Vec<double, 4>;
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

Result<Patchwork> Patchwork::make(std::vector<PatchPiece> pieces, const Gluing& gluing) {
  if (pieces.empty()) return refuse("the surface has no patches", "give at least one");
  Patchwork work;
  for (PatchPiece& piece : pieces) {
    const int n = oloid::sides(piece.patch);
    work.charts_.push_back({std::move(piece.patch),
                            std::move(piece.name),
                            n,
                            {},
                            std::move(piece.trimming),
                            piece.within});
  }
  work.size_ = 0.5 * work.box().size().norm();
  for (Chart& chart : work.charts_) {
    for (int side = 0; side < chart.sides; ++side) {
      const double length = BorderCurve(side_curve(chart.patch, side)).length_scale();
      chart.seams[static_cast<std::size_t>(side)].collapsed = length <= 1e-9 * work.size_;
    }
    if (auto error = work.check_regular(chart)) return Unexpected{*std::move(error)};
  }
  if (auto error = work.glue(gluing)) return Unexpected{*std::move(error)};
  work.place_seeds();
  if (work.seeds_.empty()) {
    return refuse("trimming leaves nothing of the surface", "check the direction of the loops");
  }
  return work;
}

// Regular where it can be visited: |c_u × c_v| against the size of the patch.
std::optional<Error> Patchwork::check_regular(const Chart& chart) const {
  constexpr int kGrid = 16;
  const double size = bounding_ball(chart.patch).radius;
  for (int i = 0; i <= kGrid; ++i) {
    for (int j = 0; j <= kGrid - (chart.sides == 3 ? i : 0); ++j) {
      Uv<double> q(static_cast<double>(i) / kGrid, static_cast<double>(j) / kGrid);
      bool visited = true;  // what lies beyond a tip is not
      for (int side = 0; side < chart.sides; ++side)
        visited = visited && side_margin(chart, side, q) >= 0;
      if (!visited) continue;
      const Jet<double, 1> c = oloid::jet<1>(chart.patch, q);
      const double area = c.d(1, 0).cross(c.d(0, 1)).norm();
      if (!(area > 1e-9 * size * size)) {
        return Error{{},
                     fmt::format("{} is degenerate at (u, v) = ({}, {})", chart.name, q.x(), q.y()),
                     "c_u and c_v may be parallel or zero nowhere but on a side that is one point"};
      }
    }
  }
  return std::nullopt;
}

std::optional<Error> Patchwork::join(const PatchSide& a, const PatchSide& b, double tolerance) {
  Chart& A = charts_[static_cast<std::size_t>(a.patch)];
  Chart& B = charts_[static_cast<std::size_t>(b.patch)];
  Seam& from = A.seams[static_cast<std::size_t>(a.side)];
  Seam& to = B.seams[static_cast<std::size_t>(b.side)];
  const auto name = [](const Chart& chart, int side) {
    return fmt::format("side {} of {}", side, chart.name);
  };
  const std::string both = name(A, a.side) + " and " + name(B, b.side);
  if (a == b) {
    return Error{{}, name(A, a.side) + " is glued to itself", "glue it to another side"};
  }
  if (from.collapsed || to.collapsed) {
    return Error{{}, both + " are glued, but one of them is a single point", "glue longer sides"};
  }
  for (const PatchSide& taken : {a, b}) {
    const PatchSide& other = taken == a ? b : a;
    const PatchSide& beyond = seam(taken).beyond;
    if (beyond.valid() && !(beyond == other)) {
      return Error{{},
                   fmt::format("three sides meet along one curve: {}, and {}", both,
                               name(charts_[static_cast<std::size_t>(beyond.patch)], beyond.side)),
                   "a surface has at most two patches along a curve; use glue to say which"};
    }
  }
  const BorderCurve curve_a(side_curve(A.patch, a.side)), curve_b(side_curve(B.patch, b.side));
  const double apart = distance(curve_a, curve_b.reversed());
  if (!(apart <= tolerance)) {
    if (distance(curve_a, curve_b) <= tolerance) {
      return Error{{},
                   both + " match, but their patches have opposite normals",
                   "turn one patch over: reverse the order of its rows"};
    }
    return Error{{},
                 fmt::format("{} are {:.3g} m apart", both, apart),
                 "glued sides have the same border curve"};
  }
  from.beyond = b;
  to.beyond = a;
  from.pace = to.pace = curve_a.ratio() * curve_b.ratio();
  measure(a);
  measure(b);
  return std::nullopt;
}

// The worst joint along a seam.
void Patchwork::measure(const PatchSide& at) {
  Chart& own = charts_[static_cast<std::size_t>(at.patch)];
  Seam& seam = own.seams[static_cast<std::size_t>(at.side)];
  seam.joint = Joint::G2;
  for (int i = 0; i < kMeasured; ++i) {
    const double s = (i + 0.5) / kMeasured;
    Location q{ChartId{at.patch}};
    q.x.head<2>() = patch_domain::on_side(own.sides, at.side, s);
    const MeasuredJoint here = across(q, at.side).measured;
    seam.joint = std::min(seam.joint, here.joint);
    seam.angle = std::max(seam.angle, here.angle);
  }
}

std::optional<Error> Patchwork::glue(const Gluing& gluing) {
  const double tolerance = gluing.tolerance * size_;
  for (const auto& [a, b] : gluing.declared) {
    for (const PatchSide& side : {a, b}) {
      if (side.patch < 0 || side.patch >= patches() || side.side < 0 ||
          side.side >= charts_[static_cast<std::size_t>(side.patch)].sides) {
        return Error{
            {},
            fmt::format("there is no side {} of patch {}", side.side, side.patch),
            fmt::format("patches are 0 to {}, sides 0 to 3, of a triangle 0 to 2", patches() - 1)};
      }
    }
    if (auto error = join(a, b, tolerance)) return error;
  }
  if (!gluing.automatic) return std::nullopt;
  // Sides that match have the same middle: sort by one coordinate of it and look around.
  struct Candidate {
    PatchSide at;
    BorderCurve curve;
    Vec3<double> middle;
  };
  std::vector<Candidate> all;
  for (int i = 0; i < patches(); ++i) {
    const Chart& chart = charts_[static_cast<std::size_t>(i)];
    for (int side = 0; side < chart.sides; ++side) {
      const Seam& seam = chart.seams[static_cast<std::size_t>(side)];
      if (seam.collapsed || seam.beyond.valid()) continue;
      const BorderCurve curve(side_curve(chart.patch, side));
      all.push_back({{i, side}, curve, curve.middle()});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Candidate& a, const Candidate& b) { return a.middle.x() < b.middle.x(); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1;
         j < all.size() && all[j].middle.x() - all[i].middle.x() <= tolerance; ++j) {
      if (!((all[i].middle - all[j].middle).norm() <= tolerance)) continue;
      const bool matches = distance(all[i].curve, all[j].curve.reversed()) <= tolerance ||
                           distance(all[i].curve, all[j].curve) <= tolerance;
      if (!matches) continue;
      if (auto error = join(all[i].at, all[j].at, tolerance)) return error;
    }
  }
  return std::nullopt;
}

bool Patchwork::closed() const {
  for (const Chart& chart : charts_) {
    if (chart.trimming) return false;
    for (int side = 0; side < chart.sides; ++side) {
      const Seam& seam = chart.seams[static_cast<std::size_t>(side)];
      if (!seam.beyond.valid() && !seam.collapsed) return false;
    }
  }
  return true;
}

// How far inside the working domain; a seam is crossed a little late, a tip ends a little early.
double Patchwork::side_margin(const Chart& chart, int side, const Uv<double>& q) {
  const Seam& seam = chart.seams[static_cast<std::size_t>(side)];
  const double inside = patch_domain::margin(chart.sides, side, q);
  return seam.collapsed ? inside - kTip : seam.beyond.valid() ? inside + kSeam : inside;
}

// Ties at a corner go to the side that ends there: this turns counter-clockwise about it.
int Patchwork::nearest_side(const Chart& chart, const Uv<double>& q) {
  int nearest = 0;
  double least = side_margin(chart, 0, q);
  for (int side = 1; side < chart.sides; ++side) {
    const double inside = side_margin(chart, side, q);
    const bool closes_at_0 = side == chart.sides - 1 && nearest == 0;
    if (inside < least || (closes_at_0 && inside == least)) {
      least = inside;
      nearest = side;
    }
  }
  return nearest;
}

double Patchwork::margin(const Location& q) const {
  const Chart& at = chart(q);
  const Uv<double> uv = q.x.head<2>();
  const double inside = side_margin(at, nearest_side(at, uv), uv);
  return at.trimming ? std::min(inside, at.trimming->signed_distance(at.trimming_uv(uv))) : inside;
}

// The same point in the patch beyond a side: along it at the other's pace, and off it as far as the
// tangent plane says.
Patchwork::Beyond Patchwork::across(const Location& q, int side) const {
  const Chart& from = chart(q);
  const Seam& seam = from.seams[static_cast<std::size_t>(side)];
  const Chart& to = charts_[static_cast<std::size_t>(seam.beyond.patch)];
  const Uv<double> uv = q.x.head<2>();
  const double s = patch_domain::along_side(from.sides, side, uv);
  const auto other = [&](double t) { return seam.pace * (1 - t) / (t + seam.pace * (1 - t)); };
  const double s_in = std::clamp(s, 0.0, 1.0);
  const Uv<double> here = patch_domain::on_side(from.sides, side, s_in);
  const Uv<double> there = patch_domain::on_side(to.sides, seam.beyond.side, other(s_in));
  const MeasuredJoint at =
      measured_joint(jet<2>(q.chart.index, here), jet<2>(seam.beyond.patch, there), size_);
  Uv<double> off = at.rates * (uv - here);
  const double far = off.norm();
  if (far > 0.25) off *= 0.25 / far;  // from a search, not from a contact
  Location to_location{ChartId{seam.beyond.patch}};
  to_location.x.head<2>() = there + off;
  return {to_location, at};
}

ChartExit Patchwork::leave(const Location& q) const {
  const Uv<double> start = q.x.head<2>();
  if (const Chart& first = chart(q); first.trimming) {
    const Uv<double> plane = first.trimming_uv(start);
    const double kept = first.trimming->signed_distance(plane);
    if (kept < side_margin(first, nearest_side(first, start), start)) {
      const Uv<double> border = first.trimming->nearest_on_border(plane);
      Location at{q.chart};
      at.x(0) = (border.x() - first.within.u0) / (first.within.u1 - first.within.u0);
      at.x(1) = (border.y() - first.within.v0) / (first.within.v1 - first.within.v0);
      return OpenEdge{at, Border::trimmed};
    }
  }
  constexpr int kMostSides = 64;  // more than meet at any corner
  Location at = q;
  Joint joint = Joint::G2;
  for (int crossed = 0; crossed < kMostSides; ++crossed) {
    const Chart& here = chart(at);
    const Uv<double> uv = at.x.head<2>();
    const int side = nearest_side(here, uv);
    if (crossed > 0 && side_margin(here, side, uv) >= 0) break;
    const Seam& seam = here.seams[static_cast<std::size_t>(side)];
    if (!seam.beyond.valid()) {
      at.x.head<2>() = patch_domain::clamped(here.sides, uv);
      return OpenEdge{at, seam.collapsed ? Border::tip : Border::free};
    }
    const Beyond next = across(at, side);
    joint = std::min(joint, next.measured.joint);
    at = next.at;
  }
  return Crossing{at, joint};
}

void Patchwork::place_seeds() {
  const int n = charts_.size() == 1 ? 9 : charts_.size() <= 16 ? 5 : 3;
  for (int i = 0; i < patches(); ++i) {
    const Chart& chart = charts_[static_cast<std::size_t>(i)];
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        Location q{ChartId{i}, {(a + 0.5) / n, (b + 0.5) / n, 0}};
        if (chart.sides == 3) {  // the lower left half of the grid, and the middles of its cells
          q.x.head<2>() = Vec2<double>(a + 1.0 / 3, b + 1.0 / 3) / n;
          if (a + b >= n) continue;
        }
        if (margin(q) <= 0) continue;
        seeds_.push_back(q);
        seed_points_.push_back(jet<0>(i, Uv<double>(q.x.head<2>())).d(0, 0));
      }
    }
  }
}

Location Patchwork::near(const Vec3<double>& p) const {
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < seeds_.size(); ++i) {
    const double distance = (seed_points_[i] - p).squaredNorm();
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return seeds_[best];
}

double Patchwork::bounding_radius() const {
  double r = 0;
  for (const Chart& chart : charts_)
    for (const Vec<double, 4>& h : control_points(chart.patch))
      r = std::max(r, (h.head<3>() / h(3)).norm());
  return r;
}

Box Patchwork::box() const {
  Box box;
  for (const Chart& chart : charts_) box.add(bounding_box(chart.patch));
  return box;
}

Result<Solid> Patchwork::solid() const {
  for (const Chart& chart : charts_) {
    if (chart.trimming) {
      return refuse(fmt::format("the surface is open: {} is trimmed", chart.name),
                    "give mass and inertia");
    }
    for (int side = 0; side < chart.sides; ++side) {
      const Seam& seam = chart.seams[static_cast<std::size_t>(side)];
      if (seam.beyond.valid() || seam.collapsed) continue;
      return refuse(fmt::format("the surface is open at side {} of {}", side, chart.name),
                    "close it with further patches, or give mass and inertia");
    }
  }
  const Vec3<double> origin = box().centre();
  SurfaceIntegral sum;
  for (const Chart& chart : charts_) sum += integral(chart.patch, origin);
  return sum.solid(origin);
}

std::vector<Tile> Patchwork::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  for (int i = 0; i < patches(); ++i) {
    const Chart& chart = charts_[static_cast<std::size_t>(i)];
    Tile tile{[i](double s, double t) { return Location{ChartId{i}, {s, t, 0}}; }, chart.sides};
    for (std::size_t side = 0; side < 4; ++side) {
      const PatchSide& beyond = chart.seams[side].beyond;
      tile.beyond[side] = {beyond.patch, beyond.side};
    }
    if (chart.trimming) {
      tile.kept = [chart](double s, double t) {
        return chart.trimming->signed_distance(chart.trimming_uv({s, t}));
      };
    }
    result.push_back(std::move(tile));
  }
  return result;
}

}  // namespace oloid
