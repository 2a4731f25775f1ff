#include "inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <optional>
#include <vector>

#include "oloid/io/obj_writer.h"
#include "oloid/io/output_file.h"
#include "oloid/world/describe_shape.h"
#include "oloid/world/display_mesh.h"
#include "oloid/world/distances.h"
#include "oloid/world/forms.h"
#include "oloid/world/state.h"
#include "simulate.h"

namespace oloid::app {
namespace {

ExitCode refused(const Errors& errors, ExitCode code) {
  print_errors(errors);
  return code;
}

// In the scene's order.
std::vector<BodyId> all_bodies(const Model& model) {
  std::vector<BodyId> bodies;
  bodies.reserve(model.bodies.size());
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    bodies.push_back(BodyId{static_cast<std::int32_t>(i)});
  return bodies;
}

// A scene with wires can be looked at only.
ExitCode check_forms(const Spec& spec, const std::string& scene_file) {
  const auto forms = compile_forms(spec);
  if (!forms) return refused(forms.error(), kBadInput);
  fmt::print("{} is good to export; it cannot be run: contacts of wires are not simulated\n",
             scene_file);
  for (const BodyForm& body : *forms) {
    const auto* shape = std::get_if<Shape>(&body.form);
    fmt::print("{}: {}\n", body.name,
               shape ? describe_shape(*shape) : describe_curve(std::get<Curve>(body.form)));
  }
  return kOk;
}

// How a body starts: on what, in which mode, where.
void print_start(const Model& model, const State& state, BodyId id) {
  const Hold* hold = state.hold_of(id);
  const Vec3<double>& p = model.body(id).start.p_WA;
  fmt::print("\"{}\" starts {} at [{}, {}, {}]\n", model.name(id),
             hold ? fmt::format("{} on \"{}\"", name(mode_of(*hold)), model.name(hold->parent))
                  : "in flight",
             p.x(), p.y(), p.z());
}

// What is written for a body; `why` it cannot be, if so.
struct Drawn {
  ObjObject object;
  std::optional<Error> why;
};

std::vector<Polyline> moved_lines(const Pose<double>& X, std::vector<Polyline> lines) {
  for (Polyline& line : lines) line = moved(X, std::move(line));
  return lines;
}

std::vector<Drawn> drawn(const Model& model, std::optional<double> tolerance) {
  std::vector<Drawn> result;
  for (const BodyId body : all_bodies(model)) {
    Drawn one{{model.name(body), {}}, std::nullopt};
    const Side& side = model.body(body).side;
    const Pose<double> X_WB = initial_pose(model, body);
    auto mesh = display_mesh(model, body, tolerance);
    if (mesh) {
      one.object.mesh = moved(X_WB, *std::move(mesh));
      one.object.lines = moved_lines(
          X_WB * side.X_BS,
          outlines(side.shape, tolerance.value_or(display_options(model, body).tolerance)));
    } else {
      one.why = mesh.error();
    }
    result.push_back(std::move(one));
  }
  return result;
}

std::vector<Drawn> drawn(const std::vector<BodyForm>& forms, std::optional<double> tolerance) {
  std::vector<Drawn> result;
  for (const BodyForm& body : forms) {
    Drawn one{{body.name, {}}, std::nullopt};
    MeshOptions options = display_options(forms, body);
    if (tolerance) options.tolerance = *tolerance;
    std::vector<Polyline> lines;
    if (const auto* curve = std::get_if<Curve>(&body.form)) {
      lines = outlines(*curve, options.tolerance);
    } else {
      const Shape& shape = std::get<Shape>(body.form);
      auto mesh = display_mesh(shape, options);
      if (mesh) {
        one.object.mesh = moved(body.X_WS, *std::move(mesh));
        lines = outlines(shape, options.tolerance);
      } else {
        one.why = mesh.error();
      }
    }
    one.object.lines = moved_lines(body.X_WS, std::move(lines));
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace

ExitCode check_scene(const std::string& scene_file, const SceneOptions& options) {
  const Result<Spec, Errors> spec = read_scene(scene_file, options);
  if (!spec) return refused(spec.error(), kBadInput);
  if (has_wires(*spec)) return check_forms(*spec, scene_file);
  const Result<Model, Errors> model = compile(*spec);
  if (!model) return refused(model.error(), kBadInput);
  const State start = initial_state(*model);
  fmt::print("{} is good\n", scene_file);
  for (const BodyId id : model->moving) print_start(*model, start, id);
  const double tiny = 1e-9 * model->speed;
  if (start.removed_normal_speed > tiny || start.removed_slip_speed > tiny) {
    fmt::print("removed at the contact: approach {:.3g} m/s, slip {:.3g} m/s\n",
               start.removed_normal_speed, start.removed_slip_speed);
  }
  for (const Vec3<double>& q : other_contacts(*model)) {
    fmt::print(
        "the bodies touch at ({:.6g}, {:.6g}, {:.6g}) too: only one contact is simulated, "
        "and the run will end when they overlap there\n",
        q.x(), q.y(), q.z());
  }
  for (const BodyId body : all_bodies(*model))
    fmt::print("{}: {}\n", model->name(body), describe_shape(model->body(body).side.shape));
  return kOk;
}

ExitCode export_scene(const std::string& scene_file, const SceneOptions& options,
                      const std::string& obj_file, std::optional<double> tolerance) {
  if (tolerance && !(*tolerance > 0 && std::isfinite(*tolerance))) {
    return refused({{{"--tolerance", "", 0, 0},
                     fmt::format("the tolerance is {}", *tolerance),
                     "give a length in metres, greater than 0"}},
                   kUsage);
  }
  const Result<Spec, Errors> spec = read_scene(scene_file, options);
  if (!spec) return refused(spec.error(), kBadInput);
  if (const auto error = named_twice(inputs_of(*spec, scene_file), {obj_file}))
    return refused({*error}, kUsage);
  // A scene that cannot run is refused as by check; wires need no contact.
  const auto forms = has_wires(*spec) ? compile_forms(*spec) : std::vector<BodyForm>();
  if (!forms) return refused(forms.error(), kBadInput);
  const auto model = forms->empty() ? std::optional(compile(*spec)) : std::nullopt;
  if (model && !*model) return refused(model->error(), kBadInput);
  auto file = OutputFile::make(obj_file);  // before the work: a wrong path costs no time
  if (!file) return refused({file.error()}, kOutputFailed);

  std::vector<ObjObject> objects;
  for (Drawn& body : model ? drawn(**model, tolerance) : drawn(*forms, tolerance)) {
    const Place place{scene_file, fmt::format("\"{}\"", body.object.name), 0, 0};
    if (body.why) return refused({{place, body.why->message, body.why->remedy}}, kUsage);
    if (body.object.mesh.empty() && body.object.lines.empty()) {
      print_errors({{place, "left out: its surface has no triangles",
                     "quadrics other than ellipsoids and paraboloids, and implicit surfaces that "
                     "no ray from "
                     "inside leaves just once, have none"}});
      continue;
    }
    objects.push_back(std::move(body.object));
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
    fmt::print("{}: {} vertices, {} triangles", object.name, object.mesh.vertices.size(),
               object.mesh.triangles.size());
    if (!object.lines.empty()) {
      fmt::print(", {} line{}", object.lines.size(), object.lines.size() == 1 ? "" : "s");
    }
    fmt::print("\n");
  }
  fmt::print("wrote {}\n", obj_file);
  return kOk;
}

}  // namespace oloid::app
