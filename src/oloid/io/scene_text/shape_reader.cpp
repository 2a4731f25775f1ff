#include "oloid/io/scene_text/shape_reader.h"

#include <fmt/format.h>

#include <array>

#include "oloid/io/scene_text/place_reader.h"

namespace oloid::io {
namespace {

CurveSpec read_curve(const NodeTable& table, Spot spot, const std::string& path,
                     Complaints& complaints) {
  return TableReader(table, spot, path, {"curve"}, complaints).make<CurveSpec>();
}

PatchSpec make_patch(std::string_view type, const TableReader& table, Complaints& complaints) {
  auto patch = table.make<PatchSpec>();
  patch.kind = type == "nurbs"      ? PatchSpec::Kind::nurbs
               : type == "triangle" ? PatchSpec::Kind::triangle
               : type == "s-patch"  ? PatchSpec::Kind::s_patch
                                    : PatchSpec::Kind::bezier;
  table.each("trim", [&](const NodeTable& loop, Spot spot, const std::string& path) {
    patch.trim.push_back(read_curve(loop, spot, path, complaints));
  });
  return patch;
}

PatchesSpec make_patches(const TableReader& table, Complaints& complaints) {
  auto patches = table.make<PatchesSpec>();
  table.each("patch", [&](const NodeTable& patch, Spot spot, const std::string& path) {
    std::string_view type = chosen(patch, *find_key({"patch"}, "type"));
    if (type.empty()) type = "bezier";
    const TableReader reader(patch, spot, path, {"patch", type}, complaints);
    patches.patches.push_back(make_patch(type, reader, complaints));
  });
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
  if (kind == "ellipse") return reader.make<EllipseCurveSpec>();
  if (kind == "helix") return reader.make<HelixCurveSpec>();
  if (kind == "polyline") return reader.make<PolylineSpec>();
  if (kind == "bezier" || kind == "nurbs") return reader.make<SplineSpec>();
  return reader.make<CircleCurveSpec>();
}

RevolutionSpec make_revolution(const TableReader& table, Complaints& complaints) {
  auto revolution = table.make<RevolutionSpec>();
  table.each("profile", [&](const NodeTable& curve, Spot spot, const std::string& path) {
    revolution.profile = read_curve(curve, spot, path, complaints);
  });
  return revolution;
}

MetaballsSpec make_metaballs(const TableReader& table, Complaints& complaints) {
  auto metaballs = table.make<MetaballsSpec>();
  table.each("ball", [&](const NodeTable& ball, Spot spot, const std::string& path) {
    const TableReader reader(ball, spot, path, {"ball"}, complaints);
    metaballs.balls.push_back(reader.make<MetaballsSpec::Ball>());
  });
  return metaballs;
}

TwoCirclesSpec make_two_circles(const TableReader& table) {
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

WireSpec make_wire(const TableReader& table, Complaints& complaints) {
  WireSpec wire;
  table.each("curve", [&](const NodeTable& curve, Spot spot, const std::string& path) {
    wire.curve = {make_wire_curve(curve, spot, path, complaints), complaints.place(spot, path)};
  });
  return wire;
}

// Shapes of which the schema says where every key goes.
struct PlainShape {
  std::string_view type;
  ShapeSpec (*make)(const TableReader& table);
};
template <class S>
ShapeSpec plain(const TableReader& table) {
  return table.make<S>();
}
constexpr PlainShape kPlainShapes[] = {
    {"plane", plain<PlaneSpec>},         {"sphere", plain<SphereSpec>},
    {"ellipsoid", plain<EllipsoidSpec>}, {"superellipsoid", plain<SuperellipsoidSpec>},
    {"cylinder", plain<CylinderSpec>},   {"cone", plain<ConeSpec>},
    {"torus", plain<TorusSpec>},         {"quadric", plain<QuadricSpec>},
    {"implicit", plain<ImplicitSpec>},   {"box", plain<BoxSpec>},
    {"capsule", plain<CapsuleSpec>},     {"disc", plain<DiscSpec>},
    {"pipe", plain<PipeSpec>},           {"oloid", plain<OloidSpec>},
    {"sphericon", plain<SphericonSpec>},
};

ShapeSpec make_shape(std::string_view type, const TableReader& table, Complaints& complaints,
                     CageFiles& files) {
  for (const PlainShape& shape : kPlainShapes)
    if (shape.type == type) return shape.make(table);
  if (type == "bezier" || type == "triangle" || type == "nurbs" || type == "s-patch") {
    PatchesSpec alone;
    alone.patches.push_back(make_patch(type, table, complaints));
    return alone;
  }
  if (type == "patches") return make_patches(table, complaints);
  if (type == "revolution") return make_revolution(table, complaints);
  if (type == "metaballs") return make_metaballs(table, complaints);
  if (type == "two_circles") return make_two_circles(table);
  if (type == "wire") return make_wire(table, complaints);
  if (type == "subdivision") {
    auto subdivision = table.make<SubdivisionSpec>();
    subdivision.cage = files.cage(table);
    return subdivision;
  }
  if (type == "polyhedron") {
    auto polyhedron = table.make<PolyhedronSpec>();
    polyhedron.mesh = files.cage(table);
    return polyhedron;
  }
  return PlaneSpec{};  // without a valid type
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
  Located<Vec3<double>> position = Vec3<double>(Vec3<double>::Zero());
  read_pose(reader, complaints, position, body.shape_orientation);
  if (reader.get<Vec3<double>>("position")) body.shape_position = position;
}

}  // namespace oloid::io
