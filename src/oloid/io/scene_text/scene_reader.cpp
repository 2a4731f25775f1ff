#include "oloid/io/scene_text/scene_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "oloid/io/files/text_file.h"
#include "oloid/io/mesh/obj_reader.h"
#include "oloid/io/scene_text/document.h"
#include "oloid/io/scene_text/load_reader.h"
#include "oloid/io/scene_text/place_reader.h"
#include "oloid/io/scene_text/scene_files.h"
#include "oloid/io/scene_text/scene_include.h"
#include "oloid/io/scene_text/scene_override.h"
#include "oloid/io/scene_text/scene_schema.h"
#include "oloid/io/scene_text/scene_value.h"
#include "oloid/io/scene_text/table_reader.h"

namespace oloid::io {
namespace {

ContactLawSpec read_law(const TableReader& table) {
  return {table.get<double>("friction"),           table.get<double>("kinetic_friction"),
          table.get<double>("restitution"),        table.get<double>("tangential_restitution"),
          table.get<double>("rolling_resistance"), table.get<double>("spin")};
}

void read_pose(const TableReader& table, Complaints& complaints, Given<Vec3<double>>& position,
               Given<Quat<double>>& orientation) {
  table.get("position", position);
  orientation.place = complaints.place(table.spot(), table.path_of("orientation"));
  std::string_view used;
  for (const std::string_view key : {"orientation", "rotate", "rotate_deg"}) {
    const auto given = table.get<Quat<double>>(key);
    if (!given) continue;
    if (!used.empty()) {
      complaints.add(given->place,
                     fmt::format("`{}` and `{}` both specify the orientation", used, key),
                     "keep one of them");
    }
    used = key;
    orientation = *given;
  }
}

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

// The cages that shapes name; each is read once.
class CageFiles {
 public:
  CageFiles(SceneFiles& files, Complaints& complaints) : files_(files), complaints_(complaints) {}

  // The cage that the key `file` names; complains where there is none.
  CageFileSpec cage(const TableReader& table) {
    CageFileSpec spec;
    table.get("file", spec.file);
    table.get("scale", spec.scale);
    const auto named = table.get<std::string>("file");
    if (!named) return spec;
    spec.file.value = files_.name_of(named->place.file, named->value);
    const auto known = cages_.find(spec.file.value);
    spec.cage = known == cages_.end() ? read(spec.file) : known->second;
    return spec;
  }

 private:
  std::shared_ptr<const Cage> read(const Given<std::string>& named) {
    const std::string path = files_.path_of(named.value);
    const auto wrong = [&](const Error& error) {
      const std::string line =
          error.place.line > 0 ? fmt::format(":{}:{}", error.place.line, error.place.column) : "";
      complaints_.add(named.place, fmt::format("{}{}: {}", path, line, error.message),
                      error.remedy);
      return nullptr;
    };
    const auto text = files_.read(named.value, ObjLimits{}.bytes);
    if (!text) {
      Error error = text.error();
      error.remedy = "check the spelling; paths are relative to the scene file's directory";
      return wrong(error);
    }
    auto cage = parse_obj(*text, path);
    if (!cage) return wrong(cage.error());
    return cages_[named.value] = std::make_shared<const Cage>(*std::move(cage));
  }

  SceneFiles& files_;
  Complaints& complaints_;
  std::map<std::string, std::shared_ptr<const Cage>> cages_;
};

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

// The type decides which keys are known; without a valid one only the common keys are checked.
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

BodySpec read_body(const TableReader& table, Complaints& complaints, CageFiles& files) {
  BodySpec body;
  table.get("name", body.name);
  body.fixed = table.get<bool>("fixed").value_or(Given<bool>()).value;
  body.mass = table.get<double>("mass");
  body.inertia = table.get<Mat3<double>>("inertia");
  body.density = table.get<double>("density");
  table.get("velocity", body.velocity);
  table.get("angular_velocity", body.angular_velocity);
  body.material = table.get<std::string>("material");
  read_pose(table, complaints, body.position, body.orientation);
  table.each("shape", [&](const NodeTable& shape, Spot spot, const std::string& path) {
    read_shape(shape, spot, path, complaints, files, body);
  });
  table.each("motion", [&](const NodeTable& motion, Spot spot, const std::string& path) {
    body.motion = read_motion(motion, spot, path, complaints);
  });
  table.each("place", [&](const NodeTable& place, Spot spot, const std::string& path) {
    body.placement = read_placement(place, spot, path, complaints);
    refuse_given_twice(table, *body.placement, complaints);
  });
  return body;
}

SolverSpec read_solver(const TableReader& table) {
  SolverSpec solver;
  if (const auto method = table.get<std::string>("method")) {
    solver.method = {method->value == "rk4" ? Method::rk4 : Method::dop853, method->place};
  }
  if (const auto form = table.get<std::string>("formulation")) {
    solver.formulation = {form->value == "parameter-rates" ? Formulation::parameter_rates
                                                           : Formulation::contact_twist,
                          form->place};
  }
  table.get("rtol", solver.rtol);
  solver.max_step = table.get<double>("max_step");
  solver.min_step = table.get<double>("min_step");
  solver.slip_threshold = table.get<double>("slip_threshold");
  table.get("max_steps", solver.max_steps);
  return solver;
}

ProbeSpec read_probe(const TableReader& table) {
  ProbeSpec probe;
  table.get("name", probe.name);
  table.get("formula", probe.formula);
  probe.unit = table.get<std::string>("unit").value_or(Given<std::string>()).value;
  probe.event = table.get<bool>("event").value_or(Given<bool>(true)).value;
  return probe;
}

// Bodies are found by name, and so are materials; with includes the other one may be far away.
template <class Named>
void refuse_twins(const std::vector<Named>& all, std::string_view what, Complaints& complaints) {
  std::map<std::string, Place> known;
  for (const Named& one : all) {
    const auto [other, is_new] = known.emplace(one.name.value, one.name.place);
    if (is_new || one.name.value.empty()) continue;
    const Place& at = other->second;
    const std::string line = at.line > 0 ? fmt::format(":{}:{}", at.line, at.column) : "";
    complaints.add(one.name.place,
                   fmt::format("two {} are named \"{}\"; the other one is in {}{}", what,
                               one.name.value, at.file, line),
                   "names must be unique");
  }
}

Spec read_root(const NodeTable& root, const std::string& file, SceneFiles& scene_files,
               Complaints& complaints) {
  const TableReader top(root, {1, 1}, "", {""}, complaints);
  const auto sub = [&](std::string_view key, auto read) {
    top.each(key, [&](const NodeTable& table, Spot spot, const std::string& path) {
      read(TableReader(table, spot, path, {key}, complaints));
    });
  };
  Spec spec;
  CageFiles files(scene_files, complaints);
  const auto name = top.get<std::string>("name");
  spec.name = name ? name->value : std::filesystem::path(file).stem().string();
  top.get("duration", spec.duration);
  top.get("gravity", spec.gravity);
  sub("solver", [&](const TableReader& t) { spec.solver = read_solver(t); });
  sub("output", [&](const TableReader& t) { t.get("dt", spec.output_dt); });
  sub("material", [&](const TableReader& t) {
    MaterialSpec material;
    t.get("name", material.name);
    material.law = read_law(t);
    spec.materials.push_back(std::move(material));
  });
  sub("body",
      [&](const TableReader& t) { spec.bodies.push_back(read_body(t, complaints, files)); });
  sub("pair", [&](const TableReader& t) {
    PairSpec pair;
    t.get("bodies", pair.bodies);
    pair.law = read_law(t);
    spec.pairs.push_back(std::move(pair));
  });
  sub("load", [&](const TableReader& t) { spec.loads.push_back(read_load(t)); });
  sub("spring", [&](const TableReader& t) { spec.springs.push_back(read_spring(t)); });
  sub("drag", [&](const TableReader& t) { spec.drags.push_back(read_drag(t)); });
  sub("probe", [&](const TableReader& t) { spec.probes.push_back(read_probe(t)); });
  top.get("stop_when", spec.stop_when);
  refuse_twins(spec.bodies, "bodies", complaints);
  refuse_twins(spec.materials, "materials", complaints);
  return spec;
}

// Before anything else: other values may be formulas of them.
void find_parameters(const NodeTable& root, Complaints& complaints) {
  const Entry* entry = find_entry(root, "parameters");
  const auto* table = entry ? std::get_if<NodeTable>(&entry->value.value) : nullptr;
  if (table) complaints.set_parameters(read_parameters(*table, complaints));
}

}  // namespace

Result<Spec, Errors> parse_scene(std::string_view text, const std::string& file,
                                 const SceneOptions& options) {
  Complaints complaints(file);
  SceneFiles files(file, options.files ? &*options.files : nullptr);
  auto document = load_document(text, file, files, complaints);
  if (!document) return Unexpected{complaints.take()};
  override_values(*document, options.overrides, complaints);
  if (!complaints.empty()) return Unexpected{complaints.take()};
  const NodeTable& root = std::get<NodeTable>(document->value);
  find_parameters(root, complaints);
  Spec spec = read_root(root, file, files, complaints);
  if (!complaints.empty()) return Unexpected{complaints.take()};
  spec.text = text;
  spec.file = file;
  spec.files = files.take();
  spec.overrides = options.overrides;
  return spec;
}

Result<Spec, Errors> read_scene(const std::string& path, const SceneOptions& options) {
  const auto text = read_text_file(path, kLargestScene);
  if (!text) return Unexpected{Errors{text.error()}};
  return parse_scene(*text, path, options);
}

}  // namespace oloid::io
