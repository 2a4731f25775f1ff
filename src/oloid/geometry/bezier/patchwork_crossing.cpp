// Crossing of patchworks: how far it is to the border of a patch, and what a contact meets there.
#include <algorithm>
#include <limits>

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/core/joint.h"

namespace oloid::geometry {

// How far inside the working domain; a seam is crossed a little late, a tip ends a little early.
double Patchwork::side_margin(const Chart& chart, int side, const Uv<double>& q) {
  const PlacedShape& at = chart.side(side);
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

const Patchwork::Seam& Patchwork::seam_at(const PlacedShape& side, double s) {
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

// A point of a chart's trimming plane: in this chart, or in the one that holds it.
Location Patchwork::in_trimming(ChartId here, const Uv<double>& plane) const {
  constexpr double kInside = 0.5 + 1e-9;  // from the middle of a patch
  const auto holds = [&](int i) {
    const Uv<double> off = chart(i).patch_uv(plane) - Uv<double>(0.5, 0.5);
    return chart(i).trimming == chart(here.index).trimming && off.cwiseAbs().maxCoeff() <= kInside;
  };
  int i = here.index;
  for (int other = 0; other < patches() && !holds(i); ++other)
    if (holds(other)) i = other;
  Location at{ChartId{i}};
  at.x.head<2>() = chart(i).patch_uv(plane);
  return at;
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
      return OpenEdge{in_trimming(q.chart, border), Border::trimmed};
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
    const PlacedShape& reached = here.side(side);
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

}  // namespace oloid::geometry
