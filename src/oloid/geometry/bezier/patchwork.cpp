#include "oloid/geometry/bezier/patchwork.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/measure/surface_integral.h"

namespace oloid::geometry {
namespace {

constexpr double kTip = 1e-3;  // how near, in (u, v), a contact may come to a collapsed side
constexpr int kMeasured = 9;   // points along a seam where it is measured

}  // namespace

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
    work.charts_.push_back({std::move(piece.patch), std::move(piece.name), std::vector<Side>(n),
                            std::move(piece.trimming), piece.within, piece.origin});
  }
  work.size_ = 0.5 * work.box().size().norm();
  for (const Chart& chart : work.charts_)
    for (const Vec<double, 4>& h : control_points(chart.patch))
      work.radius_ = std::max(work.radius_, (h.head<3>() / h(3) + chart.origin).norm());
  for (Chart& chart : work.charts_) {
    const double size = bounding_ball(chart.patch).radius;
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

// Regular where it can be visited: c_u and c_v neither zero nor parallel at the points of a grid,
// and their normal nowhere turned over from one to the next.
std::optional<Error> Patchwork::check_regular(const Chart& chart) const {
  constexpr int kGrid = 16;
  const double size = bounding_ball(chart.patch).radius;
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
      if (!(at.slowest > 1e-9 * size) || !(at.n.norm() > 1e-6)) return wrong("degenerate", q);
      for (const std::optional<Crossed>* neighbour : {&inner, &before[j]}) {
        if (*neighbour && turns_over(chart.patch, **neighbour, at)) return wrong("folded over", q);
      }
      inner = at;
      before[j] = at;
    }
  }
  return std::nullopt;
}

BorderCurve Patchwork::border(const SidePart& part) const {
  const Chart& at = chart(part.at.patch);
  BezierCurve<3> curve = side_curve(at.patch, part.at.side);
  for (auto& h : curve.points) h.head<3>() += h(3) * at.origin;
  if (part.to < 1) curve = split(curve, part.to).before;
  if (part.from > 0) curve = split(curve, part.from / part.to).after;
  return {std::move(curve), degree_};
}

std::string Patchwork::name(const SidePart& part) const {
  const bool whole = part.from == 0 && part.to == 1;
  return fmt::format("{}side {} of {}", whole ? "" : "half of ", part.at.side,
                     chart(part.at.patch).name);
}

// The seam that a part of a side becomes; a half leaves room for the other one.
Patchwork::Seam& Patchwork::take(const SidePart& part) {
  Side& side = chart(part.at.patch).side(part.at.side);
  if (part.from == 0 && part.to == 1) return side.seams[0];
  if (side.parts == 1) {
    side.parts = 2;
    side.seams[0].to = side.seams[1].from = part.from > 0 ? part.from : part.to;
    side.seams[1].to = 1;
  }
  return side.seams[part.from > 0 ? 1 : 0];
}

std::optional<Error> Patchwork::join(const SidePart& a, const SidePart& b, double tolerance) {
  const auto refused = [](std::string message, std::string remedy) {
    return refuse(std::move(message), std::move(remedy)).error;
  };
  const std::string both = name(a) + " and " + name(b);
  if (a.at == b.at) return refused(name(a) + " is glued to itself", "glue it to another side");
  if (side(a.at).collapsed || side(b.at).collapsed) {
    return refused(both + " are glued, but one of them is a single point", "glue longer sides");
  }
  Seam &from = take(a), &to = take(b);
  for (const auto& [seam, other] : {std::pair{&from, &b}, {&to, &a}}) {
    if (seam->beyond.at.valid() && !(seam->beyond.at == other->at)) {
      return refused(
          fmt::format("three sides meet along one curve: {}, and {}", both, name(seam->beyond)),
          "at most two patches may meet along a curve; use glue to select them");
    }
  }
  const BorderCurve curve_a = border(a), curve_b = border(b);
  const double apart = distance(curve_a, curve_b.reversed());
  if (!(apart <= tolerance)) {
    if (distance(curve_a, curve_b) <= tolerance) {
      return refused(both + " match, but their patches have opposite normals",
                     "flip one patch: reverse the order of its rows");
    }
    return refused(fmt::format("{} are {:.3g} m apart", both, apart),
                   "glued sides must have the same border curve");
  }
  from.beyond = b;
  to.beyond = a;
  from.pace = to.pace = curve_a.ratio() * curve_b.ratio();
  measure(a);
  measure(b);
  for (const SidePart& part : {a, b}) {
    Side& own = chart(part.at.patch).side(part.at.side);
    const bool smooth =
        own.seams[0].joint == Joint::G2 && (own.parts == 1 || own.seams[1].joint == Joint::G2);
    own.slack = smooth ? kSmoothSeam : kSeam;
  }
  return std::nullopt;
}

// The worst joint along a seam.
void Patchwork::measure(const SidePart& part) {
  Seam& seam = take(part);
  seam.joint = Joint::G2;
  for (int i = 0; i < kMeasured; ++i) {
    const double s = part.from + (part.to - part.from) * (i + 0.5) / kMeasured;
    Location q{ChartId{part.at.patch}};
    q.x.head<2>() = domain(patch(part.at.patch)).on_side(part.at.side, s);
    const MeasuredJoint here = across(q, part.at.side).measured;
    seam.joint = std::min(seam.joint, here.joint);
    seam.angle = std::max(seam.angle, here.angle);
  }
}

std::optional<Error> Patchwork::glue(const Gluing& gluing) {
  const double tolerance = gluing.tolerance * size_;
  for (const auto& [a, b] : gluing.declared) {
    for (const PatchSide& at : {a.at, b.at}) {
      if (at.patch < 0 || at.patch >= patches() || at.side < 0 ||
          at.side >= geometry::sides(patch(at.patch))) {
        return refuse(fmt::format("side {} of patch {} does not exist", at.side, at.patch),
                      fmt::format("patches are 0 to {}; sides are 0 to 3, for a triangle 0 to 2, "
                                  "for an S-patch 0 to its number of sides − 1",
                                  patches() - 1))
            .error;
      }
    }
    if (auto error = join(a, b, tolerance)) return error;
  }
  if (!gluing.automatic) return std::nullopt;
  // Whole sides first, then sides against halves. Curves that match have the same middle: sort by
  // one coordinate of it and look around.
  struct Candidate {
    SidePart part;
    BorderCurve curve;
    Vec3<double> middle;
  };
  for (const bool halves : {false, true}) {
    std::vector<Candidate> all;
    const auto offer = [&](const SidePart& part) {
      const BorderCurve curve = border(part);
      all.push_back({part, curve, curve.middle()});
    };
    for (int i = 0; i < patches(); ++i) {
      for (int k = 0; k < geometry::sides(patch(i)); ++k) {
        if (!side({i, k}).open()) continue;
        offer({{i, k}, 0, 1});
        if (!halves) continue;
        offer({{i, k}, 0, 0.5});
        offer({{i, k}, 0.5, 1});
      }
    }
    std::sort(all.begin(), all.end(),
              [](const Candidate& a, const Candidate& b) { return a.middle.x() < b.middle.x(); });
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1;
           j < all.size() && all[j].middle.x() - all[i].middle.x() <= tolerance; ++j) {
        const Candidate &a = all[i], &b = all[j];
        const bool whole_and_half = (a.part.to - a.part.from) + (b.part.to - b.part.from) == 1.5;
        if (!((a.middle - b.middle).norm() <= tolerance) || (halves && !whole_and_half)) continue;
        const bool matches = distance(a.curve, b.curve.reversed()) <= tolerance ||
                             distance(a.curve, b.curve) <= tolerance;
        if (!matches) continue;
        if (auto error = join(a.part, b.part, tolerance)) return error;
      }
    }
  }
  return std::nullopt;
}

// A disc fitted to the patches around the hole. It reaches a little over them, so that a contact
// that leaves it is well inside one of them.
void Patchwork::close(const PatchHole& hole) {
  const auto from_hole = [&](const PatchSide& at, double s) {
    Jet<double, 2> c =
        geometry::jet<2>(patch(at.patch), domain(patch(at.patch)).on_side(at.side, s));
    c.d(0, 0) += chart(at.patch).origin - hole.point;
    return c;
  };
  const int n_sides = static_cast<int>(hole.around.size());
  const int harmonics = 16 + 3 * n_sides / 2;
  const int each = 2 + 8 * harmonics / n_sides;  // samples of a side
  std::vector<Jet<double, 2>> around;
  double radius = 0;
  for (const PatchSide& at : hole.around) {
    for (int i = 0; i < each; ++i) {
      around.push_back(from_hole(at, (i + 0.5) / each));
      radius = std::max(radius, around.back().d(0, 0).norm());
    }
  }
  const Vec3<double> n = hole.normal.normalized(), out = around.front().d(0, 0);
  Mat3<double> R;
  R.col(0) = (out - out.dot(n) * n).normalized();
  R.col(2) = n;
  R.col(1) = n.cross(Vec3<double>(R.col(0)));
  PatchCap cap(hole.point, R, radius);
  std::vector<PatchCap::Sample> samples;
  samples.reserve(around.size());
  for (const Jet<double, 2>& c : around) samples.push_back(cap.sample(c));
  cap.fit(samples, harmonics);
  constexpr int kRim = 64;  // points of a side
  std::vector<Uv<double>> rim;
  rim.reserve(kRim * hole.around.size());
  for (const PatchSide& at : hole.around)
    for (int i = 0; i < kRim; ++i)
      rim.push_back(cap.below(hole.point + from_hole(at, static_cast<double>(i) / kRim).d(0, 0)));
  cap.set_rim(rim);
  for (int i = 0; i < patches(); ++i) {
    const Ball ball = bounding_ball(patch(i));
    const double gap = (ball.centre + chart(i).origin - hole.point).norm() - ball.radius;
    if (gap <= 1.5 * radius) cap.neighbours.push_back(i);
  }
  caps_.push_back(std::move(cap));
  for (const PatchSide& at : hole.around)
    chart(at.patch).side(at.side).seams[0].cap = static_cast<int>(caps_.size()) - 1;
}

void Patchwork::end_at(const PatchHole& hole) {
  for (const PatchSide& at : hole.around) take({at}).tip = true;
  for (const SidePart& part : hole.across) take(part).tip = true;
}

// Flat triangles from the point to all that runs around it.
SurfaceIntegral Patchwork::lid(const PatchHole& hole, const Vec3<double>& origin) const {
  SurfaceIntegral sum;
  std::vector<SidePart> around = hole.across;
  for (const PatchSide& side : hole.around) around.push_back({side});
  for (const SidePart& part : around) {
    const BezierCurve<3> curve = side_curve(patch(part.at.patch), part.at.side);
    const Vec3<double> away = chart(part.at.patch).origin - hole.point;
    constexpr int kChords = 64;
    const auto point = [&](int i) -> Vec3<double> {  // from the hole's point
      return away + point_on(curve, part.to + (part.from - part.to) * i / kChords);
    };
    for (int i = 0; i < kChords; ++i) {
      const Vec3<double> a = point(i), b = point(i + 1);
      sum.add(hole.point - origin + (a + b) / 3, 0.5 * a.cross(b));
    }
  }
  return sum;
}

bool Patchwork::closed() const {
  return std::none_of(charts_.begin(), charts_.end(), [](const Chart& chart) {
    return chart.trimming || std::any_of(chart.sides.begin(), chart.sides.end(),
                                         [](const Side& side) { return side.open(); });
  });
}

// How far inside the working domain; a seam is crossed a little late, a tip ends a little early.
double Patchwork::side_margin(const Chart& chart, int side, const Uv<double>& q) {
  const Side& at = chart.side(side);
  const double inside = domain(chart.patch).margin(side, q);
  return at.collapsed ? inside - kTip : at.open() ? inside : inside + at.slack;
}

// Ties at a corner go to the side that ends there: this turns counter-clockwise about it.
int Patchwork::nearest_side(const Chart& chart, const Uv<double>& q) {
  const int last = static_cast<int>(chart.sides.size()) - 1;
  int nearest = 0;
  double least = side_margin(chart, 0, q);
  for (int side = 1; side <= last; ++side) {
    const double inside = side_margin(chart, side, q);
    const bool closes_at_0 = side == last && nearest == 0;
    if (inside < least || (closes_at_0 && inside == least)) {
      least = inside;
      nearest = side;
    }
  }
  return nearest;
}

const Patchwork::Seam& Patchwork::seam_at(const Side& side, double s) {
  return side.seams[side.parts == 2 && s > side.seams[1].from ? 1 : 0];
}

double Patchwork::margin(const Location& q) const {
  const Uv<double> uv = q.x.head<2>();
  if (is_cap(q)) return cap(q).margin(uv);
  const Chart& at = chart(q.chart.index);
  const double inside = side_margin(at, nearest_side(at, uv), uv);
  return at.trimming ? std::min(inside, at.trimming->signed_distance(at.trimming_uv(uv))) : inside;
}

bool Patchwork::is_trimmed_off(const Location& q) const {
  const Chart& at = chart(q.chart.index);
  return at.trimming && at.trimming->signed_distance(at.trimming_uv(q.x.head<2>())) < 0;
}

namespace {

// The rim of a cap is no edge: the angle that the fit leaves is an error of ours, below 1e-9 rad at
// vertices where few faces meet, up to 1e-4 rad where 16 do.
MeasuredJoint on_cap(MeasuredJoint at) {
  constexpr double kWorstFit = 1e-3;  // [rad]
  if (at.joint == Joint::G0 && at.angle <= kWorstFit) at.joint = Joint::G1;
  return at;
}

}  // namespace

// The same point in the patch beyond a side: along it at the other's pace, and off it as far as the
// tangent plane says. Eqs. S2 and S3.
Patchwork::Beyond Patchwork::across(const Location& q, int side) const {
  const Chart& from = chart(q.chart.index);
  const Uv<double> uv = q.x.head<2>();
  const PatchDomain& unit = domain(from.patch);
  const double s = std::clamp(unit.along_side(side, uv), 0.0, 1.0);
  const Seam& seam = seam_at(from.side(side), s);
  const Uv<double> here = unit.on_side(side, s);
  Location to;
  Uv<double> there;
  if (seam.cap >= 0) {
    to.chart = ChartId{patches() + seam.cap};
    there = cap(to).below(jet<0>(q.chart.index, here).d(0, 0));
  } else {
    to.chart = ChartId{seam.beyond.at.patch};
    const double t = (s - seam.from) / (seam.to - seam.from);
    const double other = seam.pace * (1 - t) / (t + seam.pace * (1 - t));
    there = domain(patch(to.chart.index))
                .on_side(seam.beyond.at.side,
                         seam.beyond.from + (seam.beyond.to - seam.beyond.from) * other);
  }
  MeasuredJoint at =
      measured_joint(jet<2>(q.chart.index, here), jet<2>(to.chart.index, there), size_);
  if (seam.cap >= 0) at = on_cap(at);
  Uv<double> off = at.rates * (uv - here);
  const double far = off.norm();
  if (far > 0.25) off *= 0.25 / far;  // from a search, not from a contact
  to.x.head<2>() = there + off;
  return {to, at};
}

// The patch under the rim of a cap: the one whose nearest point lies inside it.
Patchwork::Beyond Patchwork::off_cap(const Location& q) const {
  const PatchCap& from = cap(q);
  const Jet<double, 2> here = jet<2>(q.chart.index, Uv<double>(q.x.head<2>()));
  const Vec3<double>& p = here.d(0, 0);
  Beyond best{q, {Joint::G0, 0, Mat2<double>::Identity()}};
  double most = std::numeric_limits<double>::lowest();
  for (const int i : from.neighbours) {
    Uv<double> at = domain(patch(i)).middle();
    for (int step = 0; step < 20; ++step) {  // Gauss-Newton: the patch is nearly flat at this size
      const Jet<double, 1> c = jet<1>(i, at);
      Mat<double, 3, 2> A;
      A << c.d(1, 0), c.d(0, 1);
      const Uv<double> off =
          inverse(Mat2<double>(A.transpose() * A)) * (A.transpose() * (p - c.d(0, 0)));
      at = domain(patch(i)).clamped(at + off) +
           0.5 * (at + off - domain(patch(i)).clamped(at + off));
    }
    const Jet<double, 2> c = jet<2>(i, at);
    if ((c.d(0, 0) - p).norm() > 1e-3 * from.radius()) continue;  // another patch is below
    Location there{ChartId{i}};
    there.x.head<2>() = at;
    const double inside = margin(there);
    if (inside > most) {
      most = inside;
      best = {there, on_cap(measured_joint(here, c, size_))};
    }
  }
  return best;
}

ChartExit Patchwork::leave(const Location& q) const {
  if (is_cap(q)) {
    const Beyond next = off_cap(q);
    return Crossing{next.at, next.measured.joint};
  }
  const Uv<double> start = q.x.head<2>();
  if (const Chart& first = chart(q.chart.index); first.trimming) {
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
  for (int crossed = 0; crossed < kMostSides && !is_cap(at); ++crossed) {
    const Chart& here = chart(at.chart.index);
    const Uv<double> uv = at.x.head<2>();
    const int side = nearest_side(here, uv);
    if (crossed > 0 && side_margin(here, side, uv) >= 0) break;
    const Side& reached = here.side(side);
    const double s = domain(here.patch).along_side(side, uv);
    const Seam& seam = seam_at(reached, s);
    if (reached.collapsed || seam.tip || seam.open()) {
      at.x.head<2>() = domain(here.patch).clamped(uv);
      if (!reached.collapsed) return OpenEdge{at, seam.tip ? Border::tip : Border::free};
      at.x.head<2>() +=
          std::max(0.0, -side_margin(here, side, at.x.head<2>())) * domain(here.patch).inward(side);
      return OpenEdge{at, Border::tip};
    }
    const Beyond next = across(at, side);
    if (!is_cap(next.at) && is_trimmed_off(next.at)) {
      at.x.head<2>() = domain(here.patch).clamped(uv);
      return OpenEdge{at, Border::trimmed};
    }
    joint = std::min(joint, next.measured.joint);
    at = next.at;
  }
  return Crossing{at, joint};
}

// Starts on an n × n grid over each patch; where trimming leaves less, on finer ones.
void Patchwork::place_seeds() {
  const int usual = charts_.size() == 1 ? 9 : charts_.size() <= 16 ? 5 : 3;
  for (int i = 0; i < patches(); ++i) {
    // Far smaller than the rest, near a hole: its neighbours' seeds will do.
    if (bounding_ball(patch(i)).radius < 1e-2 * size_ && !holes_.empty()) continue;
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

// A patch is a tile, unless it has a side in two parts or more than four sides: then it is a fan of
// triangles from its middle, one on each part of a side. A cap is a fan too.
std::vector<Tile> Patchwork::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  std::map<std::tuple<int, int, double>, TileSide> outer;  // patch, side, where its part begins
  std::vector<std::pair<TileSide, Seam>> wanted;
  for (int i = 0; i < patches(); ++i) {
    const Chart& at = chart(i);
    const PatchDomain& unit = domain(at.patch);
    const int n = unit.sides();
    const bool whole = n <= 4 && std::all_of(at.sides.begin(), at.sides.end(),
                                             [](const Side& side) { return side.parts == 1; });
    const auto kept = [&](Tile& tile) {
      if (!at.trimming) return;
      tile.kept = [this_chart = at, map = tile.at](double s, double t) {
        const Location q = map(s, t);
        return this_chart.trimming->signed_distance(this_chart.trimming_uv(q.x.head<2>()));
      };
    };
    if (whole) {
      const Uv<double> a = unit.corner(0), b = unit.corner(1), c = unit.corner(n - 1);
      Tile tile{[=](double s, double t) {
                  Location q{ChartId{i}};
                  q.x.head<2>() = a + s * (b - a) + t * (c - a);
                  return q;
                },
                n};
      kept(tile);
      result.push_back(std::move(tile));
    }
    for (int k = 0; k < n; ++k) {
      for (int part = 0; part < at.side(k).parts; ++part) {
        const Seam& seam = at.side(k).seams[static_cast<std::size_t>(part)];
        if (!whole) {
          const Uv<double> a = unit.on_side(k, seam.from), b = unit.on_side(k, seam.to),
                           m = unit.middle();
          Tile tile{[=](double s, double t) {
                      Location q{ChartId{i}};
                      q.x.head<2>() = a + s * (b - a) + t * (m - a);
                      return q;
                    },
                    3};
          kept(tile);
          result.push_back(std::move(tile));
        }
        const TileSide own{static_cast<int>(result.size()) - 1, whole ? k : 0};
        outer[{i, k, seam.from}] = own;
        wanted.push_back({own, seam});
      }
    }
  }
  for (const auto& [own, seam] : wanted) {
    if (seam.cap >= 0) {  // one triangle of the cap's fan
      const PatchCap& disc = caps_[static_cast<std::size_t>(seam.cap)];
      const Tile& rim = result[static_cast<std::size_t>(own.tile)];
      const PatchDomain& unit = rim.sides == 4 ? PatchDomain::square() : PatchDomain::triangle();
      const auto at_rim = [this, map = rim.at, unit, side = own.side](double s) {
        const Uv<double> q = unit.on_side(side, 1 - s);
        const Location at = map(q.x(), q.y());
        return jet<0>(at.chart.index, Uv<double>(at.x.head<2>())).d(0, 0);
      };
      const Uv<double> a = disc.below(at_rim(0)), b = disc.below(at_rim(1));
      const int index = patches() + seam.cap;
      Tile tile{[=](double s, double t) {
                  Location q{ChartId{index}};
                  q.x.head<2>() = (1 - s - t) * a + s * b;
                  return q;
                },
                3};
      tile.beyond[0] = own;
      result[static_cast<std::size_t>(own.tile)].beyond[static_cast<std::size_t>(own.side)] = {
          static_cast<int>(result.size()), 0};
      result.push_back(std::move(tile));
      continue;
    }
    if (!seam.beyond.at.valid()) continue;
    result[static_cast<std::size_t>(own.tile)].beyond[static_cast<std::size_t>(own.side)] =
        outer.at({seam.beyond.at.patch, seam.beyond.at.side, seam.beyond.from});
  }
  return result;
}

}  // namespace oloid::geometry
