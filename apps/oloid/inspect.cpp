#include "inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "find_scene.h"
#include "oloid/world/model/state.h"
#include "oloid/world/model/supported.h"
#include "oloid/world/tools/describe_shape.h"
#include "oloid/world/tools/distances.h"
#include "oloid/world/tools/forms.h"
#include "refuse.h"

namespace oloid::app {
namespace {

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
  fmt::print("{} is valid for export but cannot be run: contacts of wires are not simulated\n",
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
  const Contact* hold = state.hold_of(id);
  const Vec3<double>& p = model.body(id).start.p_WA;
  const auto touches = [&](const StartContact& contact) {
    const auto& bodies = model.pair(contact.pair).bodies;
    return bodies[0] == id || bodies[1] == id;
  };
  const bool free = std::none_of(model.unsupported.begin(), model.unsupported.end(), touches);
  fmt::print("\"{}\" starts {} at [{}, {}, {}]\n", model.name(id),
             hold   ? fmt::format("{} on \"{}\"", name(mode_of(*hold)), model.name(hold->parent))
             : free ? "in flight"
                    : "touching",
             p.x(), p.y(), p.z());
}

// What the run may end with at once. What touches at an edge or a vertex may also bounce off, and
// bodies in a loop that are not pressed together go on.
void print_unsupported(const Model& model) {
  for (const StartContact& contact : model.unsupported) {
    const auto& [A, B] = model.pair(contact.pair).bodies;
    const std::string_view why = why_unsupported(contact.near);
    if (why.empty()) {
      fmt::print(
          "\"{}\" and \"{}\" touch in a loop of bodies: they will stop if they are pressed "
          "together\n",
          model.name(A), model.name(B));
      continue;
    }
    const bool may_bounce = why_no_impact(contact.near).empty();
    fmt::print("\"{}\" and \"{}\" will stop at once{}: {}\n", model.name(A), model.name(B),
               may_bounce ? ", unless they bounce or part" : "", why);
  }
}

// Bodies that touch and approach each other.
void print_impacts(const Model& model) {
  for (const StartContact& touch : model.touches) {
    const auto& [A, B] = model.pair(touch.pair).bodies;
    const BodyMotion a = model.body(A).at_start(), b = model.body(B).at_start();
    const Vec3<double> point = b.X_WB * touch.near.point_B, n = b.X_WB.R * touch.near.normal;
    const auto velocity = [&](const BodyMotion& x) -> Vec3<double> {
      const Twist<double> frame = x.phi - x.belt;
      return x.X_WB.R * (frame.v + frame.w.cross(inverse(x.X_WB) * point));
    };
    const double approach = n.dot(velocity(b) - velocity(a));
    if (approach > 1e-9 * model.speed) {
      fmt::print("\"{}\" hits \"{}\" at the start, at {:.3g} m/s\n", model.name(A), model.name(B),
                 approach);
    }
  }
}

// Whether friction with every other body is given pair by pair.
bool given_in_pairs(const Spec& spec, const BodySpec& body) {
  const auto gives = [&](const PairSpec& pair) {
    const auto& [one, other] = pair.bodies.value;
    return pair.law.friction && (one == body.name.value || other == body.name.value);
  };
  const auto pairs = std::count_if(spec.pairs.begin(), spec.pairs.end(), gives);
  return static_cast<std::size_t>(pairs) + 1 >= spec.bodies.size();
}

// What the scene leaves to defaults.
void print_defaults(const Spec& spec, const Model& model) {
  for (const MaterialSpec& material : spec.materials) {
    const bool friction = !material.law.friction, restitution = !material.law.restitution;
    if (!friction && !restitution) continue;
    fmt::print("material \"{}\" by default:{}{}{}\n", material.name.value,
               friction ? fmt::format(" friction {}", kDefaultFriction) : "",
               friction && restitution ? "," : "",
               restitution ? fmt::format(" restitution {}", kDefaultRestitution) : "");
  }
  std::string without;
  for (const BodySpec& body : spec.bodies) {
    if (body.material || given_in_pairs(spec, body)) continue;
    without += fmt::format("{}\"{}\"", without.empty() ? "" : ", ", body.name.value);
  }
  if (!without.empty()) {
    fmt::print("no material, so friction {} and restitution {}: {}\n", kDefaultFriction,
               kDefaultRestitution, without);
  }
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    const BodySpec& body = spec.bodies[i];
    if (!body.density && (!body.mass || body.inertia)) continue;
    const BodyInertia<double>& M = model.bodies[i].inertia;
    fmt::print("\"{}\" is homogeneous: mass {:.6g} kg, inertia [{:.6g}, {:.6g}, {:.6g}] kg m2\n",
               body.name.value, M.mass, M.J(0, 0), M.J(1, 1), M.J(2, 2));
  }
}

}  // namespace

ExitCode check_scene(const std::string& scene_file, const SceneOptions& options) {
  const auto scene = find_scene(scene_file, options);
  if (!scene) return refused(scene.error(), kBadInput);
  const Spec* spec = &scene->spec;
  if (has_wires(*spec)) return check_forms(*spec, scene_file);
  const Result<Model, Errors> model = compile(*spec);
  if (!model) return refused(model.error(), kBadInput);
  const State start = initial_state(*model);
  fmt::print("{} is valid\n", scene_file);
  print_defaults(*spec, *model);
  for (const BodyId id : model->moving) print_start(*model, start, id);
  print_unsupported(*model);
  print_impacts(*model);
  const double tiny = 1e-9 * model->speed;
  for (const auto& [pair, slip] : start.removed_speed) {
    const auto& [A, B] = model->pairs[static_cast<std::size_t>(pair)];
    if (slip > tiny) {
      fmt::print("slip of {:.3g} m/s removed where \"{}\" touches \"{}\"\n", slip, model->name(A),
                 model->name(B));
    }
  }
  for (const Vec3<double>& q : other_contacts(*model)) {
    fmt::print(
        "the bodies also touch at ({:.6g}, {:.6g}, {:.6g}): only one contact is simulated, and "
        "they will stop if they overlap there\n",
        q.x(), q.y(), q.z());
  }
  for (const BodyId body : all_bodies(*model))
    fmt::print("{}: {}\n", model->name(body), describe_shape(model->body(body).side.shape));
  return kOk;
}

}  // namespace oloid::app
