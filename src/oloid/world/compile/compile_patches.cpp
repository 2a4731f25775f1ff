#include "oloid/world/compile/compile_patches.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "oloid/geometry/bezier/bezier.h"
#include "oloid/geometry/bezier/fill_hole.h"
#include "oloid/geometry/bezier/nurbs.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/geometry/revolution/recognise_revolution.h"
#include "oloid/geometry/revolution/surface_of_revolution.h"
#include "oloid/world/compile/checks.h"
#include "oloid/world/compile/compile_curve.h"

namespace oloid::world {
namespace {

Result<KnotVector, Errors> surface_knots(const Located<std::vector<double>>& given, int degree,
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
          fmt::format("{} control points of a periodic surface need {} knots", points, points + 1));
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
    return refuse(spec.net.place, "the control net is empty", "specify rows of control points");
  }
  if (spec.degree.value.size() != 2) {
    return refuse(spec.degree.place,
                  fmt::format("the degree has {} numbers", spec.degree.value.size()),
                  "write degree = [p, q], for u and v");
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
                  "specify one weight per control point, or none");
  }
  for (std::size_t i = 0; i < net.size(); ++i) {
    if (net[i].size() != net[0].size()) {
      return refuse(spec.net.place,
                    fmt::format("row {} of the control net has {} points, but the first has {}", i,
                                net[i].size(), net[0].size()),
                    "all rows must have the same length");
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
  if (!made) {  // blame the first loop that is invalid by itself, else the first one
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
    return base::refuse(
        fmt::format("there are {} rows of weights for {} borders", weights.size(), border.size()),
        "specify one weight per control point, or none");
  }
  std::vector<BezierCurve<3>> curves(border.size());
  for (std::size_t i = 0; i < border.size(); ++i) {
    if (!weights.empty() && weights[i].size() != border[i].size()) {
      return base::refuse(fmt::format("row {} has {} weights for {} control points", i,
                                      weights[i].size(), border[i].size()),
                          "specify one weight per control point, or none");
    }
    for (std::size_t j = 0; j < border[i].size(); ++j)
      curves[i].points.push_back(weighted<3>(border[i][j], weights.empty() ? 1 : weights[i][j]));
  }
  return fill_hole(curves);
}

// What a patch is made from.
const Located<PointRows>& points_of(const PatchSpec& spec) {
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
                  has_net ? "the S-patch has both a net and a border"
                          : "the S-patch has neither a net nor a border",
                  "specify one of them");
  }
  const Located<PointRows>& points = points_of(spec);
  for (const auto& row : points.value) {
    for (const Vec3<double>& p : row) {
      if (p.allFinite() && p.norm() > kLargest) {
        return refuse(points.place, "the control net has a point that is too far away",
                      fmt::format("the limit is {:g} m", kLargest));
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
  if (!patch) {  // because of the weights, if the net alone is valid
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
                  "must be a fraction of the surface's size, at most 1e-3");
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

}  // namespace

Result<Shape, Errors> compile_patches(const PatchesSpec& s, const Place& place) {
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
}  // namespace oloid::world
