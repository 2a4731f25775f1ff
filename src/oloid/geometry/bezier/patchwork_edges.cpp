// Edges of patchworks: free sides, sharp seams and trimmed borders; tips where sides have shrunk.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/tip.h"

namespace oloid::geometry {
namespace {

constexpr double kOnSide = 1e-9;      // of a patch: points this near to a side are on it
constexpr double kBesideSide = 1e-7;  // of a patch: where to look whether a face is kept
constexpr double kShortest = 1e-9;    // of a parameter: pieces that count

// Where a polynomial given by Bernstein coefficients changes sign; none within round-off of zero.
void add_sign_changes(std::vector<double> b, double from, double to, double noise, int halvings,
                      std::vector<double>& places) {
  int changes = 0;
  double before = 0;
  for (const double x : b) {
    if (std::abs(x) <= noise) continue;
    changes += x * before < 0 ? 1 : 0;
    before = x;
  }
  if (changes == 0) return;
  const double middle = 0.5 * (from + to);
  if (halvings == 0) {
    places.push_back(middle);
    return;
  }
  std::vector<double> first = b;
  split_at(0.5, b.size(), first, b);
  add_sign_changes(std::move(first), from, middle, noise, halvings - 1, places);
  if (std::abs(b[0]) <= noise) places.push_back(middle);
  add_sign_changes(std::move(b), middle, to, noise, halvings - 1, places);
}

// Parameters at which a curve in the plane passes a line a·q = c, and those of its ends on it.
std::vector<double> passes(const BezierCurve<2>& curve, const Uv<double>& a, double c) {
  std::vector<double> b, places;
  double size = 0;
  for (const auto& h : curve.points) {
    b.push_back(a.dot(h.head<2>()) - c * h(2));
    size = std::max(size, std::abs(a.x() * h(0)) + std::abs(a.y() * h(1)) + std::abs(c * h(2)));
  }
  const double noise = 1e-14 * size;
  if (std::abs(b.front()) <= kOnSide * size) places.push_back(0);
  add_sign_changes(b, 0, 1, noise, 52, places);
  if (std::abs(b.back()) <= kOnSide * size) places.push_back(1);
  return places;
}

template <int Dim>
BezierCurve<Dim> part(BezierCurve<Dim> curve, double from, double to) {
  if (to < 1) curve = split(curve, to).before;
  if (from > 0) curve = split(curve, from / to).after;
  return curve;
}

}  // namespace

Location Patchwork::beside(const TrimmingFlank& flank, double s) const {
  const Chart& at = chart(flank.chart.index);
  const auto& loop = at.trimming->loops()[static_cast<std::size_t>(flank.loop)];
  Location q{flank.chart};
  q.x.head<2>() =
      at.patch_uv(point_on(loop[static_cast<std::size_t>(flank.curve)], flank.parameter(s)));
  return q;
}

// Whether the surface is there just inside a side.
bool Patchwork::is_kept_beside(const PatchSide& at, double s) const {
  const PatchDomain& unit = domain(patch(at.patch));
  Location q{ChartId{at.patch}};
  q.x.head<2>() = unit.on_side(at.side, s) + kBesideSide * unit.inward(at.side);
  return !is_trimmed_off(q);
}

// Where trimming loops pass a side, as s along it.
void Patchwork::add_cuts(const PatchSide& at, std::vector<double>& cuts) const {
  const Chart& own = chart(at.patch);
  if (!own.trimming) return;
  const PatchDomain& unit = domain(own.patch);
  const Uv<double> from = own.trimming_uv(unit.corner(at.side)),
                   to = own.trimming_uv(unit.corner(at.side + 1));
  const Uv<double> across(from.y() - to.y(), to.x() - from.x());
  for (const TrimmingLoop& loop : own.trimming->loops()) {
    for (const BezierCurve<2>& curve : loop) {
      for (const double t : passes(curve, across, across.dot(from)))
        cuts.push_back(unit.along_side(at.side, own.patch_uv(point_on(curve, t))));
    }
  }
}

// A part of a side, with its own patch to the left.
Edge Patchwork::border_edge(const SidePart& at) const {
  const int i = at.at.patch, k = at.at.side;
  BezierCurve<3> curve = side_curve(patch(i), k);
  for (auto& h : curve.points) h.head<3>() += h(3) * chart(i).origin;
  const PatchDomain& unit = domain(patch(i));
  return {Curve::make({part(std::move(curve), at.from, at.to)}).value(),
          ChartSegment{ChartId{i}, unit.on_side(k, at.from), unit.on_side(k, at.to)}};
}

// Sides run counter-clockwise: their own patch is to the left, the one beyond runs the other way.
// Trimming loops cut them into pieces; where it takes away one of the two faces, the other ends.
void Patchwork::add_seam_edges(const PatchSide& at, const Seam& seam,
                               std::vector<Edge>& result) const {
  const PatchSide& other = seam.beyond.at;
  if (!seam.open() && !other.valid()) return;  // a cap or a tip
  const double length = seam.to - seam.from, beyond = seam.beyond.to - seam.beyond.from;
  // Of t along this part of the side: s, the part passed of the other side, and s there. Eq. S2.
  const auto own_s = [&](double t) { return seam.from + length * t; };
  const auto weight = [&](double t) { return t + seam.pace * (1 - t); };
  const auto other_s = [&](double t) {
    return seam.beyond.from + beyond * (seam.pace * (1 - t) / weight(t));
  };
  std::vector<double> cuts{0, 1}, found;
  add_cuts(at, found);
  for (const double s : found) cuts.push_back((s - seam.from) / length);
  found.clear();
  if (other.valid()) add_cuts(other, found);
  for (const double s : found) {
    const double o = (s - seam.beyond.from) / beyond;
    if (o > 0 && o < 1) cuts.push_back(seam.pace * (1 - o) / (o + seam.pace * (1 - o)));
  }
  std::erase_if(cuts, [](double t) { return t < 0 || t > 1; });
  std::sort(cuts.begin(), cuts.end());
  const bool sharp = other.valid() && seam.joint == Joint::G0;
  const bool one_trimming =
      other.valid() && chart(at.patch).trimming == chart(other.patch).trimming;
  for (std::size_t n = 0; n + 1 < cuts.size(); ++n) {
    const double from = cuts[n], to = cuts[n + 1], middle = 0.5 * (from + to);
    if (to - from <= kShortest) continue;
    const bool left = is_kept_beside(at, own_s(middle));
    const bool right = other.valid() && is_kept_beside(other, other_s(middle));
    if (seam.open() ? !left : (left && right ? !sharp : left == right || one_trimming)) continue;
    if (!left) {
      result.push_back(border_edge({other, other_s(to), other_s(from)}));
      continue;
    }
    Edge edge = border_edge({at, own_s(from), own_s(to)});
    if (right) {
      const PatchDomain& there = domain(patch(other.patch));
      edge.right = ChartSegment{ChartId{other.patch}, there.on_side(other.side, other_s(from)),
                                there.on_side(other.side, other_s(to)), weight(from) / weight(to)};
    }
    result.push_back(std::move(edge));
  }
}

// Whether a point of a chart lies on one of its sides behind which there is more than this loop
// takes away: a free side, which is a border by itself, or a seam with a face on it that is kept.
bool Patchwork::is_no_border_of_loop(int i, const Uv<double>& q) const {
  const PatchDomain& unit = domain(patch(i));
  for (int k = 0; k < unit.sides(); ++k) {
    if (std::abs(unit.margin(k, q)) > kOnSide) continue;
    const double s = unit.along_side(k, q);
    const Seam& seam = seam_at(chart(i).side(k), s);
    const PatchSide& other = seam.beyond.at;
    if (!other.valid() || chart(other.patch).trimming != chart(i).trimming) return true;
    const double t = (s - seam.from) / (seam.to - seam.from);
    const double o = seam.pace * (1 - t) / (t + seam.pace * (1 - t));
    return is_kept_beside(other, seam.beyond.from + (seam.beyond.to - seam.beyond.from) * o);
  }
  return false;
}

// The curves of a chart's trimming loops, as far as the face to their left belongs to it.
void Patchwork::add_loop_edges(const std::shared_ptr<const Patchwork>& self, int i,
                               std::vector<Edge>& result) const {
  const Chart& at = chart(i);
  const Rect& in = at.within;
  for (std::size_t l = 0; l < at.trimming->loops().size(); ++l) {
    const TrimmingLoop& loop = at.trimming->loops()[l];
    for (std::size_t c = 0; c < loop.size(); ++c) {
      std::vector<double> cuts{0, 1};
      for (const auto& [axis, value] : {std::pair{0, in.u0}, {0, in.u1}, {1, in.v0}, {1, in.v1}})
        for (const double t : passes(loop[c], Uv<double>::Unit(axis), value)) cuts.push_back(t);
      std::sort(cuts.begin(), cuts.end());
      for (std::size_t n = 0; n + 1 < cuts.size(); ++n) {
        const double from = cuts[n], to = cuts[n + 1];
        if (to - from <= kShortest) continue;
        const auto x = curve_jet<1>(loop[c], 0.5 * (from + to));
        const Uv<double> q = at.patch_uv(x[0]);
        const Uv<double> along = at.patch_uv(x[0] + x[1]) - q;
        const Uv<double> left = q + kBesideSide * Uv<double>(-along.y(), along.x()).normalized();
        if (left.minCoeff() <= 0 || left.maxCoeff() >= 1 || is_no_border_of_loop(i, q)) continue;
        BezierCurve<2> path = part(loop[c], from, to);
        for (auto& h : path.points) {
          h(0) = (h(0) - h(2) * in.u0) / (in.u1 - in.u0);
          h(1) = (h(1) - h(2) * in.v0) / (in.v1 - in.v0);
        }
        const auto curve = Curve::make({PatchCurve{self, i, std::move(path)}});
        if (!curve) continue;  // it stands still at a place, or has no length
        result.push_back({*curve, TrimmingFlank{ChartId{i}, static_cast<int>(l),
                                                static_cast<int>(c), from, to}});
      }
    }
  }
}

std::vector<Edge> Patchwork::edges() const {
  std::vector<Edge> result;
  std::shared_ptr<const Patchwork> self;
  for (int i = 0; i < patches(); ++i) {
    for (int k = 0; k < geometry::sides(patch(i)); ++k) {
      const PlacedShape& side = chart(i).side(k);
      for (int n = 0; n < side.parts && !side.collapsed; ++n) {
        const Seam& seam = side.seams[static_cast<std::size_t>(n)];
        const PatchSide& other = seam.beyond.at;
        // Each seam once: from its half, if it has halves, else from the side that comes first.
        if (other.valid()) {
          const bool against_half = this->side(other).parts == 2;
          const bool first = std::pair(i, k) < std::pair(other.patch, other.side);
          if (against_half || (side.parts == 1 && !first)) continue;
        }
        add_seam_edges({i, k}, seam, result);
      }
    }
    if (!trimmed(i)) continue;
    if (!self) self = std::make_shared<const Patchwork>(*this);
    add_loop_edges(self, i, result);
  }
  return result;
}

// Along a collapsed side, as near to it as a contact may come.
ChartSegment Patchwork::beside_tip(const PatchSide& at, double off) const {
  const PatchDomain& unit = domain(patch(at.patch));
  const auto towards = [&](int corner, int next) -> Uv<double> {
    const double part = off / unit.margin(at.side, unit.corner(next));
    return unit.corner(corner) + part * (unit.corner(next) - unit.corner(corner));
  };
  const int n = unit.sides();
  return {ChartId{at.patch}, towards(at.side, at.side + n - 1), towards(at.side + 1, at.side + 2)};
}

// Sharp holes, and points where sides have shrunk, unless the surface is smooth there: the nearer
// one comes to a pole, the less its normals differ; at the apex of a cone they do not come closer.
std::vector<Tip> Patchwork::tips() const {
  constexpr int kLooks = 9;  // of a side, for normals
  std::vector<Tip> result;
  for (const PatchHole& hole : holes_) {
    if (!hole.sharp) continue;
    Tip tip{hole.point, {}};
    for (const PatchSide& at : hole.around) {
      const PatchDomain& unit = domain(patch(at.patch));
      tip.around.push_back({ChartId{at.patch}, unit.corner(at.side), unit.corner(at.side + 1)});
    }
    result.push_back(std::move(tip));
  }
  struct Shrunk {
    PatchSide at;
    Vec3<double> point;
  };
  std::vector<Shrunk> shrunk;
  for (int i = 0; i < patches(); ++i) {
    for (int k = 0; k < geometry::sides(patch(i)); ++k) {
      if (chart(i).side(k).collapsed && is_kept_beside({i, k}, 0.5))
        shrunk.push_back({{i, k}, jet<0>(i, domain(patch(i)).on_side(k, 0.5)).d(0, 0)});
    }
  }
  const auto point_at = [&](const Location& q) {
    return Vec3<double>(jet<0>(q.chart.index, Uv<double>(q.x.head<2>())).d(0, 0));
  };
  while (!shrunk.empty()) {
    std::vector<PatchSide> sides;
    const Vec3<double> point = shrunk.back().point;
    std::erase_if(shrunk, [&](const Shrunk& s) {
      const bool here = (s.point - point).norm() <= 1e-9 * size_;
      if (here) sides.push_back(s.at);
      return here;
    });
    const auto spread = [&](double off) {  // of normals
      std::vector<Vec3<double>> normals;
      Vec3<double> sum = Vec3<double>::Zero();
      for (const PatchSide& at : sides) {
        for (int n = 0; n < kLooks; ++n) {
          const Location q = beside_tip(at, off).at((n + 0.5) / kLooks);
          const auto c = jet<1>(at.patch, Uv<double>(q.x.head<2>()));
          normals.push_back(c.d(1, 0).cross(c.d(0, 1)).normalized());
          sum += normals.back();
        }
      }
      double most = 0;
      for (const auto& n : normals) most = std::max(most, (n - sum.normalized()).norm());
      return most;
    };
    if (spread(kTip / 8) <= 0.5 * spread(kTip) || spread(kTip) <= kSmoothAngle) continue;
    // One after the other round the tip, as far as they are side by side.
    Tip tip{point, {}};
    while (!sides.empty()) {
      auto next = sides.begin();
      if (!tip.around.empty()) {
        const Vec3<double> end = point_at(tip.around.back().at(1));
        const auto off = [&](const PatchSide& at) {
          return (point_at(beside_tip(at, kTip).at(0)) - end).norm();
        };
        next = std::min_element(
            sides.begin(), sides.end(),
            [&](const PatchSide& a, const PatchSide& b) { return off(a) < off(b); });
      }
      tip.around.push_back(beside_tip(*next, kTip * (1 + 1e-9)));
      sides.erase(next);
    }
    result.push_back(std::move(tip));
  }
  return result;
}

}  // namespace oloid::geometry
