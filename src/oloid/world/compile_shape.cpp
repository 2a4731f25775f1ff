#include "oloid/world/compile_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "oloid/geometry/fill_hole.h"
#include "oloid/geometry/recognise_revolution.h"
#include "oloid/geometry/subdivision.h"

namespace oloid {
namespace {

constexpr double kSmallest = 1e-9, kLargest = 1e9;  // [m]
constexpr double kRoughest = 1e-4;  // of the size: how far from flat faces of polyhedra may be

Unexpected<Errors> refuse(const Place& place, std::string message, std::string remedy) {
  return {Errors{{place, std::move(message), std::move(remedy)}}};
}

// Names the place of a refusal by geometry.
template <class T>
Result<T, Errors> placed(Result<T> made, const Place& at) {
  if (made) return *std::move(made);
  return refuse(at, made.error().message, made.error().remedy);
}
template <class Surface>
Result<Shape, Errors> shape_of(Result<Surface> made, const Place& at) {
  if (made) return Shape(*std::move(made));
  return refuse(at, made.error().message, made.error().remedy);
}

std::optional<Errors> wrong_length(const Given<double>& x, std::string_view what) {
  if (x.value >= kSmallest && x.value <= kLargest) return std::nullopt;
  return refuse(
             x.place,
             fmt::format("{} is {}, outside of [{:g}, {:g}]", what, x.value, kSmallest, kLargest),
             "a length in metres, greater than 0")
      .error;
}
std::optional<Errors> wrong_axes(const Given<Vec3<double>>& x) {
  if (x.value.allFinite() && x.value.norm() <= kLargest) return std::nullopt;
  return refuse(x.place,
                fmt::format("semi_axes [{}, {}, {}] is not finite or too large", x.value.x(),
                            x.value.y(), x.value.z()),
                fmt::format("components are finite and at most {:g} in SI units", kLargest))
      .error;
}

Result<int, Errors> degree_of(double given, const Place& at, std::string_view what) {
  if (given == std::floor(given) && given >= 1 && given <= kMaxDegree)
    return static_cast<int>(given);
  return refuse(at, fmt::format("{} is {}", what, given),
                fmt::format("degrees are whole numbers from 1 to {}", kMaxDegree));
}

// Homogeneous control points; weights may be none.
template <int Dim>
Result<std::vector<Vec<double, Dim + 1>>, Errors> weighted_points(
    const Given<std::vector<Vec<double, Dim>>>& points, const Given<std::vector<double>>& weights) {
  const std::size_t n = points.value.size();
  if (!weights.value.empty() && weights.value.size() != n) {
    return refuse(weights.place,
                  fmt::format("there are {} weights for {} points", weights.value.size(), n),
                  "give one weight for each control point, or none");
  }
  std::vector<Vec<double, Dim + 1>> result;
  for (std::size_t i = 0; i < n; ++i) {
    const double w = weights.value.empty() ? 1 : weights.value[i];
    if (!points.value[i].allFinite() || points.value[i].norm() > kLargest) {
      return refuse(points.place, fmt::format("point {} is not finite or too large", i),
                    fmt::format("give finite numbers of at most {:g}", kLargest));
    }
    if (!(w > 0) || !std::isfinite(w)) {
      return refuse(weights.place, fmt::format("weight {} is {}", i, w),
                    "weights are finite and greater than 0");
    }
    result.push_back(weighted<Dim>(points.value[i], w));
  }
  return result;
}

// A curve's Bezier pieces. A chain of straight lines may be closed by itself.
Result<std::vector<BezierCurve<2>>, Errors> curve_pieces(CurveSpec spec, bool close) {
  std::vector<Vec2<double>>& points = spec.points.value;
  if (close && spec.degree.value == 1 && points.size() > 2 && points.front() != points.back()) {
    points.push_back(points.front());
    if (!spec.weights.value.empty()) spec.weights.value.push_back(spec.weights.value.front());
  }
  const auto weighted = weighted_points<2>(spec.points, spec.weights);
  if (!weighted) return Unexpected{weighted.error()};
  const auto degree = degree_of(spec.degree.value, spec.degree.place, "the degree");
  if (!degree) return Unexpected{degree.error()};
  const std::size_t n = points.size();
  const bool own = !spec.knots.value.empty();
  if (!own && n < static_cast<std::size_t>(*degree) + 1) {
    return refuse(spec.points.place, fmt::format("the curve has {} points", n),
                  fmt::format("degree {} needs at least {}", *degree, *degree + 1));
  }
  const auto knots = checked_knots(
      own ? KnotVector{*degree, spec.knots.value} : uniform_knots(*degree, n), n, "the curve");
  if (!knots) return refuse(spec.knots.place, knots.error().message, knots.error().remedy);
  return bezier_pieces<2>(*knots, *weighted);
}

Result<KnotVector, Errors> surface_knots(const Given<std::vector<double>>& given, int degree,
                                         std::size_t points, bool periodic, const std::string& what,
                                         const Place& net_place) {
  KnotVector knots{degree, given.value};
  if (periodic) {
    std::vector<double> period = given.value;
    if (period.empty())
      for (std::size_t i = 0; i <= points; ++i) period.push_back(static_cast<double>(i));
    if (period.size() != points + 1) {
      return refuse(
          given.place, fmt::format("{} has {} knots", what, period.size()),
          fmt::format("{} control points that close on themselves need {}", points, points + 1));
    }
    auto wrapped = periodic_knots(degree, period, what);
    if (!wrapped) return refuse(given.place, wrapped.error().message, wrapped.error().remedy);
    knots = *wrapped;
    points += static_cast<std::size_t>(degree);
  } else if (given.value.empty() && points > static_cast<std::size_t>(degree)) {
    knots = uniform_knots(degree, points);
  }
  return placed(checked_knots(std::move(knots), points, what),
                points > static_cast<std::size_t>(degree) ? given.place : net_place);
}

// One NURBS surface: rows along u, columns along v; periodic ones repeat their first points.
Result<NurbsNet, Errors> nurbs_net(const PatchSpec& spec) {
  const auto& net = spec.net.value;
  if (net.empty() || net[0].empty()) {
    return refuse(spec.net.place, "the control net is empty", "give rows of control points");
  }
  if (spec.degree.value.size() != 2) {
    return refuse(spec.degree.place, fmt::format("degree has {} numbers", spec.degree.value.size()),
                  "write degree = [p, q], along u and v");
  }
  const auto p = degree_of(spec.degree.value[0], spec.degree.place, "the degree along u");
  if (!p) return Unexpected{p.error()};
  const auto q = degree_of(spec.degree.value[1], spec.degree.place, "the degree along v");
  if (!q) return Unexpected{q.error()};
  NurbsNet result;
  const auto& weights = spec.weights.value;
  if (!weights.empty() && weights.size() != net.size()) {
    return refuse(spec.weights.place,
                  fmt::format("there are {} rows of weights for {} rows of control points",
                              weights.size(), net.size()),
                  "give one weight for each control point, or none");
  }
  for (std::size_t i = 0; i < net.size(); ++i) {
    if (net[i].size() != net[0].size()) {
      return refuse(spec.net.place,
                    fmt::format("row {} of the control net has {} points, the first has {}", i,
                                net[i].size(), net[0].size()),
                    "all rows are equally long");
    }
    auto row = weighted_points<3>(
        {net[i], spec.net.place},
        {weights.empty() ? std::vector<double>{} : weights[i], spec.weights.place});
    if (!row) {
      Error error = row.error()[0];
      error.message = fmt::format("row {}: {}", i, error.message);
      return Unexpected{Errors{error}};
    }
    result.net.push_back(*std::move(row));
  }
  auto u = surface_knots(spec.knots_u, *p, net.size(), spec.periodic_u, "u", spec.net.place);
  if (!u) return Unexpected{u.error()};
  auto v = surface_knots(spec.knots_v, *q, net[0].size(), spec.periodic_v, "v", spec.net.place);
  if (!v) return Unexpected{v.error()};
  result.u = *std::move(u);
  result.v = *std::move(v);
  for (int k = 0; spec.periodic_u && k < *p; ++k)
    result.net.push_back(result.net[static_cast<std::size_t>(k)]);
  for (auto& row : result.net)
    for (int k = 0; spec.periodic_v && k < *q; ++k) row.push_back(row[static_cast<std::size_t>(k)]);
  return result;
}

Result<std::shared_ptr<const Trimming>, Errors> trimming_of(const PatchSpec& spec,
                                                            const Rect& domain) {
  if (spec.trim.empty()) return std::shared_ptr<const Trimming>();
  std::vector<std::vector<BezierCurve<2>>> loops;
  for (const CurveSpec& loop : spec.trim) {
    auto pieces = curve_pieces(loop, true);
    if (!pieces) return Unexpected{pieces.error()};
    loops.push_back(*std::move(pieces));
  }
  auto made = Trimming::make(domain, loops);
  if (!made) {  // the first loop that is refused alone, or the first if they do not go together
    std::size_t wrong = 0;
    for (std::size_t i = loops.size(); i-- > 0;)
      if (!Trimming::make(domain, {loops[i]})) wrong = i;
    return refuse(spec.trim[wrong].points.place, made.error().message, made.error().remedy);
  }
  return std::make_shared<const Trimming>(*std::move(made));
}

// An S-patch between border curves.
Result<Patch> filled_patch(const PointRows& border, const WeightRows& weights) {
  if (!weights.empty() && weights.size() != border.size()) {
    return oloid::refuse(
        fmt::format("there are {} rows of weights for {} borders", weights.size(), border.size()),
        "give one weight for each control point, or none");
  }
  std::vector<BezierCurve<3>> curves(border.size());
  for (std::size_t i = 0; i < border.size(); ++i) {
    if (!weights.empty() && weights[i].size() != border[i].size()) {
      return oloid::refuse(fmt::format("row {} has {} weights for {} control points", i,
                                       weights[i].size(), border[i].size()),
                           "give one weight for each control point, or none");
    }
    for (std::size_t j = 0; j < border[i].size(); ++j)
      curves[i].points.push_back(weighted<3>(border[i][j], weights.empty() ? 1 : weights[i][j]));
  }
  return fill_hole(curves);
}

// What a patch is made from.
const Given<PointRows>& points_of(const PatchSpec& spec) {
  return spec.border.value.empty() ? spec.net : spec.border;
}

Result<std::vector<PatchPiece>, Errors> pieces_of_patch(const PatchSpec& spec,
                                                        const std::string& name) {
  if (spec.kind == PatchSpec::Kind::nurbs) {
    const auto net = nurbs_net(spec);
    if (!net) return Unexpected{net.error()};
    const auto u = spans(net->u), v = spans(net->v);
    auto trimming = trimming_of(spec, {u.front().from, u.back().to, v.front().from, v.back().to});
    if (!trimming) return Unexpected{trimming.error()};
    return pieces_of(*net, name, *std::move(trimming));
  }
  const bool has_net = !spec.net.value.empty(), has_border = !spec.border.value.empty();
  if (spec.kind == PatchSpec::Kind::s_patch && has_net == has_border) {
    return refuse(spec.border.place,
                  has_net ? "the S-patch has a net and a border"
                          : "the S-patch has neither a net nor a border",
                  "give one of them");
  }
  const Given<PointRows>& points = points_of(spec);
  for (const auto& row : points.value) {
    for (const Vec3<double>& p : row) {
      if (p.allFinite() && p.norm() > kLargest) {
        return refuse(points.place, "the control net has a point that is too far away",
                      fmt::format("at most {:g} m", kLargest));
      }
    }
  }
  const auto make = [&](const WeightRows& weights) -> Result<Patch> {
    if (has_border) return filled_patch(points.value, weights);
    switch (spec.kind) {
      case PatchSpec::Kind::triangle:
        return make_triangle(points.value, weights);
      case PatchSpec::Kind::s_patch:
        return make_s_patch(points.value, weights);
      default:
        return make_patch(points.value, weights);
    }
  };
  auto patch = make(spec.weights.value);
  if (!patch) {  // because of the weights, if the net alone is good
    return refuse(make({}).has_value() ? spec.weights.place : points.place, patch.error().message,
                  patch.error().remedy);
  }
  auto trimming = trimming_of(spec, {0, 1, 0, 1});
  if (!trimming) return Unexpected{trimming.error()};
  return std::vector<PatchPiece>{{*std::move(patch), name, *std::move(trimming), {0, 1, 0, 1}}};
}

Result<Gluing, Errors> gluing_of(const PatchesSpec& spec) {
  Gluing gluing;
  gluing.tolerance = spec.tolerance.value;
  if (!(gluing.tolerance > 0 && gluing.tolerance <= 1e-3)) {
    return refuse(spec.tolerance.place, fmt::format("tolerance is {}", gluing.tolerance),
                  "a part of the surface's size, at most 1e-3");
  }
  if (!spec.glue) return gluing;
  gluing.automatic = false;
  for (const std::vector<double>& join : spec.glue->value) {
    const auto is_index = [](double x) { return x >= 0 && x == std::floor(x) && x < 1e6; };
    if (join.size() != 4 || !std::all_of(join.begin(), join.end(), is_index)) {
      return refuse(spec.glue->place, "glue has an entry that is not four whole numbers",
                    "write [[patch, side, patch, side], ...]");
    }
    const auto at = [&](std::size_t i) { return static_cast<int>(join[i]); };
    gluing.declared.push_back({SidePart{{at(0), at(1)}}, SidePart{{at(2), at(3)}}});
  }
  return gluing;
}

std::optional<Errors> wrong_points(const std::vector<Vec3<double>>& points, const Place& at) {
  for (const Vec3<double>& p : points) {
    if (p.norm() <= kLargest) continue;
    return refuse(at, fmt::format("point ({}, {}, {}) is too far away", p.x(), p.y(), p.z()),
                  fmt::format("at most {:g} m", kLargest))
        .error;
  }
  return std::nullopt;
}

// The polygons of a file, in metres.
Result<Cage, Errors> cage_of(const CageFileSpec& spec) {
  const double scale = spec.scale.value;
  if (!(scale > 0) || !std::isfinite(scale)) {
    return refuse(spec.scale.place, fmt::format("the scale is {}", scale),
                  "the length of the file's unit in metres, greater than 0");
  }
  Cage cage = *spec.cage;
  for (Vec3<double>& p : cage.vertices) p *= scale;
  if (auto wrong = wrong_points(cage.vertices, spec.file.place)) return Unexpected{*wrong};
  return cage;
}

// What geometry says about the content of a file.
template <class Surface>
Result<Shape, Errors> in_file(Result<Surface> made, const CageFileSpec& spec) {
  if (made) return Shape(*std::move(made));
  return refuse(spec.file.place, fmt::format("{}: {}", spec.file.value, made.error().message),
                made.error().remedy);
}

// All formulas that are wrong are told at once.
Result<std::vector<ImplicitField>, Errors> fields_of(const Given<std::vector<std::string>>& given) {
  const std::vector<std::string>& formulas = given.value;
  if (formulas.empty()) {
    return refuse(given.place, "there is no formula", "write f = \"x^2 + y^2 + z^2 - 1\"");
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

Result<std::vector<Vec3<double>>, Errors> points_in_space(
    const Given<std::vector<std::vector<double>>>& given) {
  std::vector<Vec3<double>> points;
  points.reserve(given.value.size());
  for (const std::vector<double>& p : given.value) {
    if (p.size() != 3) {
      return refuse(given.place, fmt::format("a point has {} numbers", p.size()),
                    "write points like [[0, 0, 0], [1, 0, 0]]");
    }
    points.emplace_back(p[0], p[1], p[2]);
    if (!points.back().allFinite() || points.back().norm() > kLargest) {
      return refuse(given.place, "a point is not finite or too large",
                    fmt::format("give finite numbers of at most {:g}", kLargest));
    }
  }
  return points;
}

struct CurveMaker {
  const Place& place;  // of the whole curve

  Result<Curve, Errors> operator()(const CircleCurveSpec& s) const {
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    return placed(Curve::circle({0, 0, 0}, {0, 0, 1}, s.radius.value), s.radius.place);
  }
  Result<Curve, Errors> operator()(const EllipseCurveSpec& s) const {
    if (s.semi_axes.value.size() != 2) {
      return refuse(s.semi_axes.place,
                    fmt::format("there are {} semi-axes", s.semi_axes.value.size()),
                    "write semi_axes = [a, b]");
    }
    for (const double a : s.semi_axes.value)
      if (auto wrong = wrong_length({a, s.semi_axes.place}, "a semi-axis"))
        return Unexpected{*wrong};
    return placed(Curve::ellipse({0, 0, 0}, {s.semi_axes.value[0], 0, 0},
                                 {0, s.semi_axes.value[1], 0}, s.from.value, s.to.value),
                  s.to.place);
  }
  Result<Curve, Errors> operator()(const HelixCurveSpec& s) const {
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    if (!(std::abs(s.pitch.value) <= kLargest)) {
      return refuse(s.pitch.place, fmt::format("pitch is {}", s.pitch.value),
                    "metres for each turn");
    }
    return placed(Curve::helix(s.radius.value, s.pitch.value, s.turns.value), s.turns.place);
  }
  Result<Curve, Errors> operator()(const PolylineSpec& s) const {
    const auto points = points_in_space(s.points);
    if (!points) return Unexpected{points.error()};
    return placed(Curve::polyline(*points, s.closed), s.points.place);
  }
  Result<Curve, Errors> operator()(const SplineSpec& s) const {
    const auto points = points_in_space(s.points);
    if (!points) return Unexpected{points.error()};
    if (!s.degree) {
      return placed(Curve::bezier(*points, s.weights.value),
                    Curve::bezier(*points) ? s.weights.place : s.points.place);
    }
    const auto degree = degree_of(s.degree->value, s.degree->place, "the degree");
    if (!degree) return Unexpected{degree.error()};
    const std::size_t n = points->size();
    if (n < static_cast<std::size_t>(*degree) + 1) {
      return refuse(s.points.place, fmt::format("the curve has {} points", n),
                    fmt::format("degree {} needs at least {}", *degree, *degree + 1));
    }
    const bool own = !s.knots.value.empty();
    const KnotVector knots = own ? KnotVector{*degree, s.knots.value} : uniform_knots(*degree, n);
    const bool knots_fine = checked_knots(knots, n, "the curve").has_value();
    return placed(Curve::nurbs(knots, *points, s.weights.value), !knots_fine ? s.knots.place
                                                                 : Curve::nurbs(knots, *points)
                                                                     ? s.weights.place
                                                                     : s.points.place);
  }
};

struct Maker {
  const Place& place;  // of the whole shape

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
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    return shape_of(Frustum::cylinder(s.radius.value, s.length.value, s.cavity), s.length.place);
  }
  Result<Shape, Errors> operator()(const ConeSpec& s) const {
    const bool heights_fine = s.from.value > 0 && s.from.value < s.to.value;
    return shape_of(Frustum::cone(s.half_angle.value, s.from.value, s.to.value, s.cavity),
                    heights_fine ? s.half_angle.place : s.from.place);
  }
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
  Result<Shape, Errors> operator()(const PatchesSpec& s) const {
    const auto gluing = gluing_of(s);
    if (!gluing) return Unexpected{gluing.error()};
    if (s.patches.size() == 1 && s.patches[0].kind == PatchSpec::Kind::nurbs &&
        s.patches[0].trim.empty() && gluing->automatic) {
      const auto net = nurbs_net(s.patches[0]);
      if (!net) return Unexpected{net.error()};
      if (auto turned = recognise_revolution(*net)) return Shape(*std::move(turned));
    }
    std::vector<PatchPiece> pieces;
    Errors errors;
    for (std::size_t i = 0; i < s.patches.size(); ++i) {
      auto made = pieces_of_patch(s.patches[i],
                                  s.patches.size() == 1 ? "the patch" : fmt::format("patch {}", i));
      if (!made) {
        errors.insert(errors.end(), made.error().begin(), made.error().end());
        continue;
      }
      for (PatchPiece& piece : *made) pieces.push_back(std::move(piece));
    }
    if (!errors.empty()) return Unexpected{errors};
    return shape_of(Patchwork::make(std::move(pieces), *gluing),
                    s.patches.size() == 1 ? points_of(s.patches[0]).place : place);
  }
  Result<Shape, Errors> operator()(const SubdivisionSpec& s) const {
    if (!s.cage.cage) {
      return refuse(s.cage.file.place, "there is no control cage", "name an OBJ file, or set it");
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
                    fmt::format("give finite numbers of at most {:g}", kLargest));
    }
    const ImplicitDomain domain{{a.cwiseMin(b), a.cwiseMax(b)}, s.open};
    if (fields->size() == 1) return shape_of(Implicit::make((*fields)[0], domain), place);
    return shape_of(ImplicitIntersection::make(*fields, domain), place);
  }
  Result<Shape, Errors> operator()(const MetaballsSpec& s) const {
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
      return refuse(s.points.place, "`file` and `points` both give the body", "keep one of them");
    }
    if (!s.mesh.cage && points.empty()) {
      return refuse(place, "there is neither a `file` nor `points`",
                    "write file = \"body.obj\", or points = [[x, y, z], ...]");
    }
    if (!(s.tolerance.value > 0 && s.tolerance.value <= kRoughest)) {
      return refuse(s.tolerance.place, fmt::format("tolerance is {}", s.tolerance.value),
                    fmt::format("a part of the body's size, at most {:g}", kRoughest));
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
                      fmt::format("give finite numbers of at most {:g}", kLargest));
      }
      if (!(s.axis[i].value.norm() > 0)) {
        return refuse(s.axis[i].place, "the axis has no direction",
                      "give three numbers, not all 0");
      }
      circles[i] = {s.centre[i].value, s.axis[i].value, s.radius[i].value};
    }
    return shape_of(CircleHull::of_circles(circles[0], circles[1]), place);
  }
  Result<Shape, Errors> operator()(const SphericonSpec& s) const {
    if (auto wrong = wrong_length(s.radius, "radius")) return Unexpected{*wrong};
    return shape_of(CircleHull::sphericon(s.radius.value), s.radius.place);
  }
  Result<Shape, Errors> operator()(const WireSpec& s) const {
    if (auto curve = compile_curve(s); !curve) return Unexpected{curve.error()};
    return refuse(place, "a wire touches nothing: contacts of curves are not simulated",
                  "`oloid check` and `oloid export` take it; to run, give a surface, like a torus");
  }
};

}  // namespace

Result<Curve, Errors> compile_curve(const WireSpec& given) {
  return std::visit(CurveMaker{given.curve.place}, given.curve.value);
}

Result<Shape, Errors> compile_shape(const Given<ShapeSpec>& given) {
  return std::visit(Maker{given.place}, given.value);
}

}  // namespace oloid
