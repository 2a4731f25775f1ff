#include <fmt/format.h>

#include <cmath>

#include "export.h"
#include "find_scene.h"
#include "oloid/base/counted.h"
#include "oloid/io/files/output_file.h"
#include "oloid/io/mesh/gltf_writer.h"
#include "oloid/io/mesh/obj_writer.h"
#include "oloid/world/tools/display_mesh.h"
#include "oloid/world/tools/forms.h"
#include "output_files.h"
#include "refuse.h"
#include "unfinished_files.h"

namespace oloid::app {
namespace {

// What is written for a body, in its own frame B; `why` it cannot be, if so.
struct Drawn {
  std::string name;
  bool moves = true;
  Pose<double> X_WB;  // at the start
  DisplayMesh mesh;
  std::vector<Polyline> lines;
  std::optional<Error> why;
};

std::vector<Drawn> drawn(const Model& model, std::optional<double> tolerance) {
  std::vector<Drawn> result;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyId body{static_cast<std::int32_t>(i)};
    Drawn one{model.name(body), model.header.masses[i] > 0, initial_pose(model, body), {}, {}, {}};
    const PlacedShape& side = model.body(body).side;
    auto mesh = display_mesh(model, body, tolerance);
    if (mesh) {
      one.mesh = *std::move(mesh);
      one.lines = outlines(side.shape, tolerance.value_or(display_options(model, body).tolerance));
      for (Polyline& line : one.lines) line = moved(side.X_BS, std::move(line));
    } else {
      one.why = mesh.error();
    }
    result.push_back(std::move(one));
  }
  return result;
}

std::vector<Drawn> drawn(const Spec& spec, const std::vector<BodyForm>& forms,
                         std::optional<double> tolerance) {
  std::vector<Drawn> result;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const BodyForm& body = forms[i];
    const bool moves = !spec.bodies[i].fixed && !spec.bodies[i].motion;
    Drawn one{body.name, moves, body.X_WS, {}, {}, {}};
    MeshOptions options = display_options(forms, body);
    if (tolerance) options.tolerance = *tolerance;
    if (const auto* curve = std::get_if<Curve>(&body.form)) {
      one.lines = outlines(*curve, options.tolerance);
    } else {
      const Shape& shape = std::get<Shape>(body.form);
      auto mesh = display_mesh(shape, options);
      if (mesh) {
        one.mesh = *std::move(mesh);
        one.lines = outlines(shape, options.tolerance);
      } else {
        one.why = mesh.error();
      }
    }
    result.push_back(std::move(one));
  }
  return result;
}

void write_obj_file(const std::vector<Drawn>& bodies, OutputFile& file) {
  std::vector<ObjObject> objects;
  for (const Drawn& body : bodies) {
    ObjObject object{body.name, moved(body.X_WB, body.mesh), body.lines};
    for (Polyline& line : object.lines) line = moved(body.X_WB, std::move(line));
    objects.push_back(std::move(object));
  }
  write_obj(objects, [&](std::string_view text) { file.write(text); });
  file.commit();
}

std::optional<Error> write_gltf_file(const std::vector<Drawn>& bodies, const std::string& name,
                                     GltfFormat format, OutputFile& file) {
  GltfScene scene{name, {0}, {}};
  for (const Drawn& body : bodies) {
    GltfNode node{body.name, body.moves ? GltfNode::Kind::body : GltfNode::Kind::fixed, body.mesh,
                  body.lines};
    node.track.add(body.X_WB.p);
    node.track.add(quaternion(body.X_WB.R));
    scene.nodes.push_back(std::move(node));
  }
  const auto bytes = gltf_of(scene, format);
  if (!bytes) return bytes.error();
  file.write(*bytes);
  file.commit();
  return file.trouble();
}

}  // namespace

ExitCode export_scene(const ExportRequest& request) {
  const std::optional<double>& tolerance = request.tolerance;
  if (tolerance && !(*tolerance > 0 && std::isfinite(*tolerance))) {
    return refused({{{"--tolerance", "", 0, 0},
                     fmt::format("the tolerance is {}", *tolerance),
                     "specify a length in metres greater than 0"}},
                   kUsage);
  }
  const auto scene = find_scene(request.input, request.options);
  if (!scene) return refused(scene.error(), kBadInput);
  const Spec* spec = &scene->spec;
  if (const auto error = named_twice(inputs_of(*spec, scene->file), request.outputs()))
    return refused({*error}, kUsage);
  // A scene that cannot run is refused as by check; wires need no contact.
  const auto forms = has_wires(*spec) ? compile_forms(*spec) : std::vector<BodyForm>();
  if (!forms) return refused(forms.error(), kBadInput);
  const auto model = forms->empty() ? std::optional(compile(*spec)) : std::nullopt;
  if (model && !*model) return refused(model->error(), kBadInput);
  const UnfinishedFiles unfinished(request.outputs());
  std::optional<OutputFile> obj, gltf;  // before the work: a wrong path costs no time
  for (auto [path, file] : {std::pair(&request.obj, &obj), std::pair(&request.gltf, &gltf)}) {
    if (path->empty()) continue;
    auto made = OutputFile::make(*path);
    if (!made) return refused({made.error()}, kOutputFailed);
    file->emplace(*std::move(made));
  }

  std::vector<Drawn> bodies;
  for (Drawn& body : model ? drawn(**model, tolerance) : drawn(*spec, *forms, tolerance)) {
    const Place place{request.input, fmt::format("\"{}\"", body.name), 0, 0};
    if (body.why) return refused({{place, body.why->message, body.why->remedy}}, kUsage);
    if (body.mesh.empty() && body.lines.empty()) {
      print_errors({{place, "omitted: its surface cannot be triangulated",
                     "this is so for quadrics other than ellipsoids and paraboloids, and for "
                     "implicit surfaces that are not star-shaped"}});
      continue;
    }
    bodies.push_back(std::move(body));
  }
  if (bodies.empty()) {
    return refused({{{request.input, "", 0, 0},
                     "nothing to write: no body has triangles",
                     "use another surface for one of the bodies"}},
                   kBadInput);
  }
  if (obj) {
    write_obj_file(bodies, *obj);
    if (const auto& error = obj->trouble()) return refused({*error}, kOutputFailed);
  }
  if (gltf) {
    const GltfFormat format = gltf_format(request.gltf);
    if (const auto error = write_gltf_file(bodies, spec->name, format, *gltf))
      return refused({*error}, kOutputFailed);
  }
  for (const Drawn& body : bodies) {
    fmt::print("{}: {} vertices, {} triangles", body.name, body.mesh.vertices.size(),
               body.mesh.triangles.size());
    if (!body.lines.empty())
      fmt::print(", {}", counted(static_cast<std::int64_t>(body.lines.size()), "line"));
    fmt::print("\n");
  }
  for (const std::string& path : request.outputs())
    if (!path.empty()) fmt::print("wrote {}\n", path);
  return kOk;
}

}  // namespace oloid::app
