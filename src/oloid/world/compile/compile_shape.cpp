#include "oloid/world/compile/compile_shape.h"

#include <fmt/format.h>

#include <cmath>

#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "oloid/world/compile/checks.h"
#include "oloid/world/compile/compile_curve.h"
#include "oloid/world/compile/compile_patches.h"
#include "oloid/world/compile/compile_solids.h"

namespace oloid::world {
namespace {

constexpr std::size_t kMostFaces = 24, kMostBalls = 64;  // the search for the surface tries all
constexpr double kRoughest = 1e-4;  // largest tolerance for the flatness of faces, of the size

std::optional<Errors> wrong_axes(const Located<Vec3<double>>& x) {
  if (x.value.allFinite() && x.value.norm() <= kLargest) return std::nullopt;
  return refuse(x.place,
                fmt::format("semi_axes [{}, {}, {}] is not finite or too large", x.value.x(),
                            x.value.y(), x.value.z()),
                fmt::format("components must be finite and at most {:g} in SI units", kLargest))
      .error;
}

// The polygons of a file, in metres.
Result<Cage, Errors> cage_of(const CageFileSpec& spec) {
  const double scale = spec.scale.value;
  if (!(scale > 0) || !std::isfinite(scale)) {
    return refuse(spec.scale.place, fmt::format("the scale is {}", scale),
                  "must be the length of the file's unit in metres, greater than 0");
  }
  Cage cage = *spec.cage;
  for (Vec3<double>& p : cage.vertices) p *= scale;
  if (auto wrong = wrong_points(cage.vertices, spec.file.place)) return Unexpected{*wrong};
  return cage;
}

// Names the file in an error that geometry reports about its content.
template <class Surface>
Result<Shape, Errors> in_file(Result<Surface> made, const CageFileSpec& spec) {
  if (made) return Shape(*std::move(made));
  return refuse(spec.file.place, fmt::format("{}: {}", spec.file.value, made.error().message),
                made.error().remedy);
}

// All invalid formulas are reported at once.
Result<std::vector<ImplicitField>, Errors> fields_of(
    const Located<std::vector<std::string>>& given) {
  const std::vector<std::string>& formulas = given.value;
  if (formulas.empty()) {
    return refuse(given.place, "no formula is given", "write f = \"x^2 + y^2 + z^2 - 1\"");
  }
  if (formulas.size() > kMostFaces) {
    return refuse(given.place, fmt::format("there are {} formulas", formulas.size()),
                  fmt::format("at most {} are allowed; a polyhedron may have any number of faces",
                              kMostFaces));
  }
  std::vector<ImplicitField> fields;
  fields.reserve(formulas.size());
  Errors errors;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const auto field = ImplicitExpression::make(formulas[i]);
    if (field) {
      fields.emplace_back(*field);
      continue;
    }
    Place at = given.place;
    if (formulas.size() > 1) at.path += fmt::format("[{}]", i);
    errors.push_back({at, field.error().message, field.error().remedy});
  }
  if (!errors.empty()) return Unexpected{errors};
  return fields;
}

struct Maker {
  const Place& place;  // of the whole shape

  template <class Spec>
  Result<Shape, Errors> solid(const Spec& spec) const {
    const auto profile = solid_profile(spec, place);
    if (!profile) return Unexpected{profile.error()};
    return (*this)(*profile);
  }

  Result<Shape, Errors> operator()(const PlaneSpec&) const { return Shape(Plane{}); }
  Result<Shape, Errors> operator()(const SphereSpec& s) const {
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    const double r = s.radius.value;
    return shape_of(Ellipsoid::make({r, r, r}, s.cavity), s.radius.place);
  }
  Result<Shape, Errors> operator()(const EllipsoidSpec& s) const {
    if (auto wrong = wrong_axes(s.semi_axes)) return Unexpected{*wrong};
    return shape_of(Ellipsoid::make(s.semi_axes.value, s.cavity), s.semi_axes.place);
  }
  Result<Shape, Errors> operator()(const SuperellipsoidSpec& s) const {
    if (auto wrong = wrong_axes(s.semi_axes)) return Unexpected{*wrong};
    if (s.exponents.value.size() != 2) {
      return refuse(s.exponents.place,
                    fmt::format("there are {} exponents", s.exponents.value.size()),
                    "write exponents = [p, q], about and along the z axis");
    }
    const bool axes_fine = Ellipsoid::make(s.semi_axes.value).has_value();
    return shape_of(Superellipsoid::make(s.semi_axes.value, s.exponents.value[0],
                                         s.exponents.value[1], s.cavity),
                    axes_fine ? s.exponents.place : s.semi_axes.place);
  }
  Result<Shape, Errors> operator()(const CylinderSpec& s) const {
    if (s.height) return solid(s);
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    double length = kInfinity;
    if (s.length) length = s.length->value;
    return shape_of(Frustum::cylinder(s.radius.value, length, s.cavity),
                    s.length ? s.length->place : place);
  }
  Result<Shape, Errors> operator()(const ConeSpec& s) const {
    if (s.radius || s.height) return solid(s);
    if (!s.half_angle || !s.from || !s.to) {
      return refuse(place, "the cone is not complete",
                    "specify radius and height, or half_angle, from and to");
    }
    const bool angle_fine = Frustum::cone(s.half_angle->value, 1, 2).has_value();
    return shape_of(Frustum::cone(s.half_angle->value, s.from->value, s.to->value, s.cavity),
                    angle_fine ? s.from->place : s.half_angle->place);
  }
  Result<Shape, Errors> operator()(const CapsuleSpec& s) const { return solid(s); }
  Result<Shape, Errors> operator()(const DiscSpec& s) const { return solid(s); }
  Result<Shape, Errors> operator()(const PipeSpec& s) const { return solid(s); }
  Result<Shape, Errors> operator()(const TorusSpec& s) const {
    if (auto wrong = wrong_length(s.major_radius, "major radius")) return Unexpected{*wrong};
    return shape_of(Torus::make(s.major_radius.value, s.minor_radius.value), s.minor_radius.place);
  }
  Result<Shape, Errors> operator()(const RevolutionSpec& s) const {
    auto profile = curve_pieces(s.profile, false);
    if (!profile) return Unexpected{profile.error()};
    return shape_of(SurfaceOfRevolution::make(*std::move(profile), s.cavity),
                    s.profile.points.place);
  }
  Result<Shape, Errors> operator()(const PatchesSpec& s) const { return compile_patches(s, place); }
  Result<Shape, Errors> operator()(const SubdivisionSpec& s) const {
    if (!s.cage.cage) {
      return refuse(s.cage.file.place, "no control cage is given",
                    "specify an OBJ file, or set the cage");
    }
    const auto cage = cage_of(s.cage);
    if (!cage) return Unexpected{cage.error()};
    const bool loop = s.scheme == SubdivisionSpec::Scheme::loop;
    const auto pieces =
        subdivide(*cage, loop ? SubdivisionScheme::loop : SubdivisionScheme::catmull_clark);
    return in_file(pieces ? patchwork_of(*pieces) : Unexpected{pieces.error()}, s.cage);
  }
  Result<Shape, Errors> operator()(const QuadricSpec& s) const {
    return shape_of(Quadric::make(s.Q.value, s.b.value, s.c.value), s.Q.place);
  }
  Result<Shape, Errors> operator()(const ImplicitSpec& s) const {
    const auto fields = fields_of(s.formulas);
    if (!fields) return Unexpected{fields.error()};
    const auto& [a, b] = s.box.value;
    if (!a.allFinite() || !b.allFinite() || a.norm() > kLargest || b.norm() > kLargest) {
      return refuse(s.box.place, "the box is not finite or too large",
                    fmt::format("use finite numbers up to {:g}", kLargest));
    }
    const ImplicitDomain domain{{a.cwiseMin(b), a.cwiseMax(b)}, s.open};
    if (fields->size() == 1) return shape_of(Implicit::make((*fields)[0], domain), place);
    return shape_of(ImplicitIntersection::make(*fields, domain), place);
  }
  Result<Shape, Errors> operator()(const MetaballsSpec& s) const {
    if (s.balls.size() > kMostBalls) {
      return refuse(place, fmt::format("there are {} balls", s.balls.size()),
                    fmt::format("at most {} are allowed", kMostBalls));
    }
    std::vector<Metaballs::Ball> balls;
    balls.reserve(s.balls.size());
    for (const MetaballsSpec::Ball& ball : s.balls) {
      if (auto wrong = wrong_length(ball.radius, "radius")) return Unexpected{*wrong};
      balls.push_back({ball.centre.value, ball.radius.value, ball.weight.value});
    }
    using Kernel = Metaballs::Kernel;
    const Kernel kernel =
        s.kernel == MetaballsSpec::Kernel::compact ? Kernel::compact : Kernel::rational;
    const auto field = Metaballs::make(std::move(balls), s.threshold.value, kernel);
    if (!field) return refuse(place, field.error().message, field.error().remedy);
    return shape_of(Implicit::make(*field), place);
  }
  Result<Shape, Errors> operator()(const PolyhedronSpec& s) const {
    const std::vector<Vec3<double>>& points = s.points.value;
    if (s.mesh.cage && !points.empty()) {
      return refuse(s.points.place, "`file` and `points` both specify the body",
                    "keep one of them");
    }
    if (!s.mesh.cage && points.empty()) {
      return refuse(place, "neither `file` nor `points` is given",
                    "write file = \"body.obj\", or points = [[x, y, z], ...]");
    }
    if (!(s.tolerance.value > 0 && s.tolerance.value <= kRoughest)) {
      return refuse(s.tolerance.place, fmt::format("tolerance is {}", s.tolerance.value),
                    fmt::format("must be a fraction of the body's size, at most {:g}", kRoughest));
    }
    if (s.mesh.cage) {
      const auto cage = cage_of(s.mesh);
      if (!cage) return Unexpected{cage.error()};
      return in_file(Polyhedron::make(*cage, s.hull, s.tolerance.value), s.mesh);
    }
    const Place& at = s.points.place;
    if (auto wrong = wrong_points(points, at)) return Unexpected{*wrong};
    auto hull = ConvexPolyhedron::hull(points, s.tolerance.value);
    if (!hull) return refuse(at, hull.error().message, hull.error().remedy);
    return shape_of(Polyhedron::make({*std::move(hull)}), at);
  }
  Result<Shape, Errors> operator()(const BoxSpec& s) const {
    for (int i = 0; i < 3; ++i)
      if (auto wrong = wrong_length({s.size.value(i), s.size.place}, "a side of the box"))
        return Unexpected{*wrong};
    auto box = ConvexPolyhedron::cuboid(s.size.value);
    if (!box) return refuse(s.size.place, box.error().message, box.error().remedy);
    return shape_of(Polyhedron::make({*std::move(box)}), s.size.place);
  }
  Result<Shape, Errors> operator()(const OloidSpec& s) const {
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    if (!s.distance) return shape_of(CircleHull::oloid(s.radius.value), s.radius.place);
    if (auto wrong = wrong_length(*s.distance, "distance")) return Unexpected{*wrong};
    return shape_of(CircleHull::oloid(s.radius.value, s.distance->value), s.distance->place);
  }
  Result<Shape, Errors> operator()(const TwoCirclesSpec& s) const {
    std::array<Circle, 2> circles;
    for (std::size_t i = 0; i < 2; ++i) {
      if (auto wrong = wrong_length(s.radius[i], "radius")) return Unexpected{*wrong};
      for (const auto* v : {&s.centre[i], &s.axis[i]}) {
        if (v->value.allFinite() && v->value.norm() <= kLargest) continue;
        return refuse(v->place, "a component is not finite or too large",
                      fmt::format("use finite numbers up to {:g}", kLargest));
      }
      if (!(s.axis[i].value.stableNorm() > 0)) {
        return refuse(s.axis[i].place, "the axis has no direction",
                      "specify three numbers, not all 0");
      }
      circles[i] = {s.centre[i].value, s.axis[i].value.stableNormalized(), s.radius[i].value};
    }
    return shape_of(CircleHull::of_circles(circles[0], circles[1]), place);
  }
  Result<Shape, Errors> operator()(const SphericonSpec& s) const {
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    return shape_of(CircleHull::sphericon(s.radius.value), s.radius.place);
  }
  Result<Shape, Errors> operator()(const WireSpec& s) const {
    if (auto curve = compile_curve(s); !curve) return Unexpected{curve.error()};
    return refuse(place, "wires cannot be simulated: contacts of curves are not supported",
                  "`oloid check` and `oloid export` accept it; to run the scene, use a surface "
                  "such as a torus");
  }
};

}  // namespace

Result<Shape, Errors> compile_shape(const Located<ShapeSpec>& given) {
  return std::visit(Maker{given.place}, given.value);
}

}  // namespace oloid::world
