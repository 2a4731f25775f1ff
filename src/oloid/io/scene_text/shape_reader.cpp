#include "oloid/io/scene_text/shape_reader.h"

#include <fmt/format.h>

#include <array>

#include "oloid/io/scene_text/place_reader.h"

namespace oloid::io {
namespace {

CurveSpec read_curve(const NodeTable& table, Spot spot, const std::string& path,
                     Complaints& complaints) {
  const TableReader reader(table, spot, path, {"curve"}, complaints);
  CurveSpec curve;
  reader.get("points", curve.points);
  reader.get("weights", curve.weights);
  reader.get("degree", curve.degree);
  reader.get("knots", curve.knots);
  return curve;
}

PatchSpec make_patch(std::string_view type, const TableReader& table, Complaints& complaints) {
  const auto flag = [&](std::string_view key) {
    return table.get<bool>(key).value_or(Given<bool>()).value;
  };
  PatchSpec patch;
  patch.kind = type == "nurbs"      ? PatchSpec::Kind::nurbs
               : type == "triangle" ? PatchSpec::Kind::triangle
               : type == "s-patch"  ? PatchSpec::Kind::s_patch
                                    : PatchSpec::Kind::bezier;
  table.get("net", patch.net);
  table.get("border", patch.border);
  table.get("weights", patch.weights);
  table.get("degree", patch.degree);
  table.get("knots_u", patch.knots_u);
  table.get("knots_v", patch.knots_v);
  patch.periodic_u = flag("periodic_u");
  patch.periodic_v = flag("periodic_v");
  table.each("trim", [&](const NodeTable& loop, Spot spot, const std::string& path) {
    patch.trim.push_back(read_curve(loop, spot, path, complaints));
  });
  return patch;
}

PatchesSpec make_patches(const TableReader& table, Complaints& complaints) {
  PatchesSpec patches;
  table.each("patch", [&](const NodeTable& patch, Spot spot, const std::string& path) {
    std::string_view type = chosen(patch, *find_key({"patch"}, "type"));
    if (type.empty()) type = "bezier";
    const TableReader reader(patch, spot, path, {"patch", type}, complaints);
    patches.patches.push_back(make_patch(type, reader, complaints));
  });
  patches.glue = table.get<std::vector<std::vector<double>>>("glue");
  table.get("tolerance", patches.tolerance);
  return patches;
}

// A curve of one of the kinds; the kind decides which keys are known.
WireCurveSpec make_wire_curve(const NodeTable& table, Spot spot, const std::string& path,
                              Complaints& complaints) {
  const std::string_view kind = chosen(table, *find_key({"space_curve"}, "kind"));
  const std::string own = fmt::format("curve_{}", kind);
  NodeTable checked;  // without a valid kind only that is checked
  for (const Entry& entry : table)
    if (!kind.empty() || entry.key == "kind") checked.push_back(entry);
  const TableReader reader(checked, spot, path,
                           kind.empty() ? Tables{"space_curve"} : Tables{"space_curve", own},
                           complaints);
  if (kind == "ellipse") {
    EllipseCurveSpec ellipse;
    reader.get("semi_axes", ellipse.semi_axes);
    reader.get("from", ellipse.from);
    reader.get("to", ellipse.to);
    return ellipse;
  }
  if (kind == "helix") {
    HelixCurveSpec helix;
    helix.turns = 1.0;
    reader.get("radius", helix.radius);
    reader.get("pitch", helix.pitch);
    reader.get("turns", helix.turns);
    return helix;
  }
  if (kind == "polyline") {
    PolylineSpec polyline;
    reader.get("points", polyline.points);
    polyline.closed = reader.get<bool>("closed").value_or(Given<bool>()).value;
    return polyline;
  }
  if (kind == "bezier" || kind == "nurbs") {
    SplineSpec spline;
    reader.get("points", spline.points);
    reader.get("weights", spline.weights);
    spline.degree = reader.get<double>("degree");
    reader.get("knots", spline.knots);
    return spline;
  }
  CircleCurveSpec circle;
  reader.get("radius", circle.radius);
  return circle;
}

ShapeSpec make_shape(std::string_view type, const TableReader& table, Complaints& complaints,
                     CageFiles& files) {
  const auto cavity = [&] { return table.get<bool>("cavity").value_or(Given<bool>()).value; };
  if (type == "sphere") {
    SphereSpec sphere;
    table.get("radius", sphere.radius);
    sphere.cavity = cavity();
    return sphere;
  }
  if (type == "ellipsoid") {
    EllipsoidSpec ellipsoid;
    table.get("semi_axes", ellipsoid.semi_axes);
    ellipsoid.cavity = cavity();
    return ellipsoid;
  }
  if (type == "superellipsoid") {
    SuperellipsoidSpec superellipsoid;
    table.get("semi_axes", superellipsoid.semi_axes);
    table.get("exponents", superellipsoid.exponents);
    superellipsoid.cavity = cavity();
    return superellipsoid;
  }
  if (type == "cylinder") {
    CylinderSpec cylinder;
    table.get("radius", cylinder.radius);
    table.get("length", cylinder.length);
    cylinder.cavity = cavity();
    return cylinder;
  }
  if (type == "cone") {
    ConeSpec cone;
    table.get("half_angle", cone.half_angle);
    table.get("from", cone.from);
    table.get("to", cone.to);
    cone.cavity = cavity();
    return cone;
  }
  if (type == "torus") {
    TorusSpec torus;
    table.get("major_radius", torus.major_radius);
    table.get("minor_radius", torus.minor_radius);
    return torus;
  }
  if (type == "revolution") {
    RevolutionSpec revolution;
    table.each("profile", [&](const NodeTable& curve, Spot spot, const std::string& path) {
      revolution.profile = read_curve(curve, spot, path, complaints);
    });
    revolution.cavity = cavity();
    return revolution;
  }
  if (type == "bezier" || type == "triangle" || type == "nurbs" || type == "s-patch") {
    PatchesSpec alone;
    alone.patches.push_back(make_patch(type, table, complaints));
    return alone;
  }
  if (type == "patches") return make_patches(table, complaints);
  if (type == "subdivision") {
    SubdivisionSpec subdivision;
    subdivision.cage = files.cage(table);
    const auto scheme = table.get<std::string>("scheme");
    if (scheme && scheme->value == "loop") subdivision.scheme = SubdivisionSpec::Scheme::loop;
    return subdivision;
  }
  if (type == "quadric") {
    QuadricSpec quadric;
    table.get("Q", quadric.Q);
    table.get("b", quadric.b);
    table.get("c", quadric.c);
    return quadric;
  }
  if (type == "implicit") {
    ImplicitSpec implicit;
    table.get("f", implicit.formulas);
    table.get("box", implicit.box);
    implicit.open = table.get<bool>("open").value_or(Given<bool>()).value;
    return implicit;
  }
  if (type == "metaballs") {
    MetaballsSpec metaballs;
    table.each("ball", [&](const NodeTable& ball, Spot spot, const std::string& path) {
      const TableReader reader(ball, spot, path, {"ball"}, complaints);
      MetaballsSpec::Ball& made = metaballs.balls.emplace_back();
      reader.get("centre", made.centre);
      reader.get("radius", made.radius);
      reader.get("weight", made.weight);
    });
    table.get("threshold", metaballs.threshold);
    const auto kernel = table.get<std::string>("kernel");
    if (kernel && kernel->value == "rational") metaballs.kernel = MetaballsSpec::Kernel::rational;
    return metaballs;
  }
  if (type == "polyhedron") {
    PolyhedronSpec polyhedron;
    polyhedron.mesh = files.cage(table);
    table.get("points", polyhedron.points);
    polyhedron.hull = table.get<bool>("hull").value_or(Given<bool>()).value;
    table.get("tolerance", polyhedron.tolerance);
    return polyhedron;
  }
  if (type == "box") {
    BoxSpec box;
    table.get("size", box.size);
    return box;
  }
  if (type == "oloid") {
    OloidSpec oloid;
    table.get("radius", oloid.radius);
    oloid.distance = table.get<double>("distance");
    return oloid;
  }
  if (type == "two_circles") {
    TwoCirclesSpec circles;
    constexpr std::array<std::array<std::string_view, 3>, 2> kKeys{
        {{"centre_1", "axis_1", "radius_1"}, {"centre_2", "axis_2", "radius_2"}}};
    for (std::size_t i = 0; i < 2; ++i) {
      circles.centre[i] = Vec3<double>(Vec3<double>::Zero());
      circles.axis[i] = Vec3<double>(Vec3<double>::UnitZ());
      table.get(kKeys[i][0], circles.centre[i]);
      table.get(kKeys[i][1], circles.axis[i]);
      table.get(kKeys[i][2], circles.radius[i]);
    }
    return circles;
  }
  if (type == "sphericon") {
    SphericonSpec sphericon;
    table.get("radius", sphericon.radius);
    return sphericon;
  }
  if (type == "wire") {
    WireSpec wire;
    table.each("curve", [&](const NodeTable& curve, Spot spot, const std::string& path) {
      wire.curve = {make_wire_curve(curve, spot, path, complaints), complaints.place(spot, path)};
    });
    return wire;
  }
  return PlaneSpec{};
}

}  // namespace

void read_shape(const NodeTable& table, Spot spot, const std::string& path, Complaints& complaints,
                CageFiles& files, BodySpec& body) {
  const SceneKey& type_key = *find_key({"shape"}, "type");
  const std::string_view type = chosen(table, type_key);
  const Tables schema = type.empty() ? Tables{"shape"} : Tables{"shape", type};
  NodeTable checked;
  for (const Entry& entry : table) {
    const bool of_some_shape = find_key(choices_of(type_key), entry.key);
    if (!type.empty() || !of_some_shape) checked.push_back(entry);
  }
  const TableReader reader(checked, spot, path, schema, complaints);
  body.shape = {make_shape(type, reader, complaints, files), reader.place()};
  Given<Vec3<double>> position = Vec3<double>(Vec3<double>::Zero());
  read_pose(reader, complaints, position, body.shape_orientation);
  if (reader.get<Vec3<double>>("position")) body.shape_position = position;
}

}  // namespace oloid::io
