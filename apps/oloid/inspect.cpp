#include "inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <vector>

#include "oloid/io/obj_writer.h"
#include "oloid/io/output_file.h"
#include "oloid/io/scene_reader.h"
#include "oloid/world/describe_shape.h"
#include "oloid/world/display_mesh.h"
#include "oloid/world/state.h"
#include "simulate.h"

namespace oloid::app {
namespace {

ExitCode refused(const Errors& errors, ExitCode code) {
  print_errors(errors);
  return code;
}

Result<Model, Errors> compile_file(const std::string& path) {
  const Result<Spec, Errors> spec = read_scene(path);
  if (!spec) return Unexpected{spec.error()};
  return compile(*spec);
}

// In the scene's order.
std::vector<BodyId> all_bodies(const Model& model) {
  std::vector<BodyId> bodies(model.bodies.begin(), model.bodies.end());
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

const std::string& name_of(const Model& model, BodyId body) {
  return model.header.bodies[static_cast<std::size_t>(body.index)];
}

}  // namespace

ExitCode check_scene(const std::string& scene_file) {
  const Result<Model, Errors> model = compile_file(scene_file);
  if (!model) return refused(model.error(), kBadInput);
  const State start = initial_state(*model);
  const Vec3<double>& p = model->start.body.p_WA;
  fmt::print("{} is good: \"{}\" starts {} {} \"{}\" at [{:.17g}, {:.17g}, {:.17g}]\n", scene_file,
             name_of(*model, model->bodies[0]), name(start.mode),
             start.in_contact() ? "on" : "from", name_of(*model, model->bodies[1]), p.x(), p.y(),
             p.z());
  const double tiny = 1e-9 * model->speed;
  if (start.removed_normal_speed > tiny || start.removed_slip_speed > tiny) {
    fmt::print("removed at the contact: approach {:.3g} m/s, slip {:.3g} m/s\n",
               start.removed_normal_speed, start.removed_slip_speed);
  }
  for (const BodyId body : all_bodies(*model)) {
    const Side& side = body == model->bodies[0] ? model->A : model->B;
    fmt::print("{}: {}\n", name_of(*model, body), describe_shape(side.shape));
  }
  return kOk;
}

ExitCode export_scene(const std::string& scene_file, const std::string& obj_file,
                      std::optional<double> tolerance) {
  if (tolerance && !(*tolerance > 0 && std::isfinite(*tolerance))) {
    return refused({{{"--tolerance", "", 0, 0},
                     fmt::format("the tolerance is {}", *tolerance),
                     "give a length in metres, greater than 0"}},
                   kUsage);
  }
  if (const auto error = named_twice({scene_file, obj_file})) return refused({*error}, kUsage);
  const Result<Model, Errors> model = compile_file(scene_file);
  if (!model) return refused(model.error(), kBadInput);
  auto file = OutputFile::make(obj_file);  // before the work: a wrong path costs no time
  if (!file) return refused({file.error()}, kOutputFailed);

  std::vector<ObjObject> objects;
  for (const BodyId body : all_bodies(*model)) {
    const Place place{scene_file, fmt::format("\"{}\"", name_of(*model, body)), 0, 0};
    auto mesh = display_mesh(*model, body, tolerance);
    if (!mesh) return refused({{place, mesh.error().message, mesh.error().remedy}}, kUsage);
    if (mesh->empty()) {
      print_errors({{place, "left out: its surface has no triangles",
                     "only ellipsoids among the quadrics have some"}});
      continue;
    }
    objects.push_back({name_of(*model, body), moved(initial_pose(*model, body), *std::move(mesh))});
  }
  if (objects.empty()) {
    return refused({{{scene_file, "", 0, 0},
                     "there is nothing to write: no body has triangles",
                     "give a body another surface"}},
                   kBadInput);
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a write error like a full disk
  write_obj(objects, [&](std::string_view text) { file->write(text); });
  file->commit();
  if (const auto& error = file->trouble()) return refused({*error}, kOutputFailed);
  for (const ObjObject& object : objects) {
    fmt::print("{}: {} vertices, {} triangles\n", object.name, object.mesh.vertices.size(),
               object.mesh.triangles.size());
  }
  fmt::print("wrote {}\n", obj_file);
  return kOk;
}

}  // namespace oloid::app
