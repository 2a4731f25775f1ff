#include "oloid/world/compile/compile_solids.h"

#include <fmt/format.h>

#include <cmath>

#include "oloid/world/compile/checks.h"

namespace oloid::world {
namespace {

class Lengths {
 public:
  // That it is a length which a body can have; `what` is its key.
  void check(const Located<double>& x, std::string_view what) {
    if (x.value >= kSmallestQuantity && x.value <= kLargest) return;
    refuse(x.place, fmt::format("{} is {}", what, x.value), "specify a positive length in metres");
  }
  void refuse(const Place& place, std::string message, std::string remedy) {
    errors_.push_back({place, std::move(message), std::move(remedy)});
  }
  bool good() const { return errors_.empty(); }
  Unexpected<Errors> errors() const { return Unexpected{errors_}; }

 private:
  Errors errors_;
};

RevolutionSpec turned(CurveSpec profile, const Place& place, bool cavity = false) {
  profile.points.place = place;
  return {std::move(profile), cavity};
}

CurveSpec straight(std::vector<Vec2<double>> points) {
  CurveSpec curve;
  curve.points.value = std::move(points);
  return curve;
}

// Quarter circles and straight lines as one rational curve of degree 2: each piece has a corner
// between its ends, with the weight of an arc or of a line.
CurveSpec rounded(std::vector<Vec2<double>> points, std::vector<double> weights) {
  CurveSpec curve;
  curve.degree = 2;
  const std::size_t pieces = points.size() / 2;
  std::vector<double> knots{0};
  for (std::size_t i = 0; i <= pieces; ++i) knots.insert(knots.end(), 2, static_cast<double>(i));
  knots.push_back(static_cast<double>(pieces));
  curve.knots.value = std::move(knots);
  curve.points.value = std::move(points);
  curve.weights.value = std::move(weights);
  return curve;
}

const double kArc = std::sqrt(0.5);

}  // namespace

Result<RevolutionSpec, Errors> solid_profile(const CylinderSpec& cylinder, const Place& place) {
  Lengths lengths;
  lengths.check(cylinder.radius, "radius");
  lengths.check(*cylinder.height, "height");
  if (cylinder.length)
    lengths.refuse(cylinder.length->place, "`height` and `length` are both given",
                   "keep `height` for a cylinder with ends, `length` for one without");
  if (!lengths.good()) return lengths.errors();
  const double r = cylinder.radius.value, z = cylinder.height->value / 2;
  return turned(straight({{0, -z}, {r, -z}, {r, z}, {0, z}}), place, cylinder.cavity);
}

Result<RevolutionSpec, Errors> solid_profile(const ConeSpec& cone, const Place& place) {
  Lengths lengths;
  if (cone.half_angle || cone.from || cone.to)
    lengths.refuse(place, "the cone has a base and also a half angle, `from` or `to`",
                   "keep `radius` and `height`, or `half_angle`, `from` and `to`");
  if (!cone.radius) lengths.refuse(place, "the radius of the base is missing", "add radius = ...");
  if (!cone.height) lengths.refuse(place, "the height is missing", "add height = ...");
  if (cone.radius) lengths.check(*cone.radius, "radius");
  if (cone.height) lengths.check(*cone.height, "height");
  if (!lengths.good()) return lengths.errors();
  const double r = cone.radius->value, z = cone.height->value;
  return turned(straight({{0, 0}, {r, z}, {0, z}}), place, cone.cavity);
}

Result<RevolutionSpec, Errors> solid_profile(const CapsuleSpec& capsule, const Place& place) {
  Lengths lengths;
  lengths.check(capsule.radius, "radius");
  lengths.check(capsule.height, "height");
  const double r = capsule.radius.value, z = capsule.height.value / 2;
  if (lengths.good() && !(z > r))
    lengths.refuse(capsule.height.place,
                   fmt::format("the height is {}, twice the radius {}", 2 * z, 2 * r),
                   "the height includes both ends: it must be more than twice the radius");
  if (!lengths.good()) return lengths.errors();
  return turned(rounded({{0, -z}, {r, -z}, {r, r - z}, {r, 0}, {r, z - r}, {r, z}, {0, z}},
                        {1, kArc, 1, 1, 1, kArc, 1}),
                place);
}

Result<RevolutionSpec, Errors> solid_profile(const DiscSpec& disc, const Place& place) {
  Lengths lengths;
  lengths.check(disc.radius, "radius");
  lengths.check(disc.thickness, "thickness");
  const double r = disc.radius.value, z = disc.thickness.value / 2;
  const bool round = disc.rim == DiscSpec::Rim::rounded;
  if (lengths.good() && round && !(r > z))
    lengths.refuse(disc.thickness.place,
                   fmt::format("the thickness is {}, twice the radius {}", 2 * z, 2 * r),
                   "a disc with a rounded rim must be thinner than it is wide");
  if (!lengths.good()) return lengths.errors();
  if (!round) return turned(straight({{0, -z}, {r, -z}, {r, z}, {0, z}}), place);
  const double flat = r - z;
  return turned(rounded({{0, -z},
                         {flat / 2, -z},
                         {flat, -z},
                         {r, -z},
                         {r, 0},
                         {r, z},
                         {flat, z},
                         {flat / 2, z},
                         {0, z}},
                        {1, 1, 1, kArc, 1, kArc, 1, 1, 1}),
                place);
}

Result<RevolutionSpec, Errors> solid_profile(const PipeSpec& pipe, const Place& place) {
  Lengths lengths;
  lengths.check(pipe.outer_radius, "outer_radius");
  lengths.check(pipe.inner_radius, "inner_radius");
  lengths.check(pipe.height, "height");
  const double outer = pipe.outer_radius.value, inner = pipe.inner_radius.value;
  if (lengths.good() && !(inner < outer))
    lengths.refuse(pipe.inner_radius.place,
                   fmt::format("the inner radius is {}, the outer {}", inner, outer),
                   "the inner radius must be the smaller one");
  if (!lengths.good()) return lengths.errors();
  const double z = pipe.height.value / 2;
  return turned(straight({{inner, -z}, {outer, -z}, {outer, z}, {inner, z}, {inner, -z}}), place);
}

}  // namespace oloid::world
