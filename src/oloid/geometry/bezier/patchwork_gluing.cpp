// Gluing of patchworks: which sides belong together, what lies beyond them, and what closes holes.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/core/tangents.h"
#include "oloid/geometry/measure/surface_integral.h"

namespace oloid::geometry {

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
  PlacedShape& side = chart(part.at.patch).side(part.at.side);
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
    PlacedShape& own = chart(part.at.patch).side(part.at.side);
    const bool smooth =
        own.seams[0].joint == Joint::G2 && (own.parts == 1 || own.seams[1].joint == Joint::G2);
    own.slack = smooth ? kSmoothSeam : kSeam;
  }
  return std::nullopt;
}

// The worst joint along a seam.
void Patchwork::measure(const SidePart& part) {
  constexpr int kMeasured = 9;  // points along it
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
  R.col(0) = tangent_towards(out, n);
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
    const Ball& ball = chart(i).ball;
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

}  // namespace oloid::geometry
