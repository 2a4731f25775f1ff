#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "oloid/base/version.h"
#include "oloid/world/compile/compile_body.h"
#include "oloid/world/compile/compile_law.h"
#include "oloid/world/compile/compile_loads.h"
#include "oloid/world/compile/compile_place.h"
#include "oloid/world/compile/compile_probes.h"
#include "oloid/world/compile/compile_settings.h"
#include "oloid/world/compile/compile_touch.h"
#include "oloid/world/compile/error_list.h"
#include "oloid/world/model/model.h"
#include "oloid/world/tools/display_mesh.h"

namespace oloid::world {
namespace {

// Assembles the model from what the other compilers make of the parts of a scene.
class Compiler {
 public:
  explicit Compiler(const Spec& spec) : spec_(spec) {}

  Result<Model, Errors> compile() {
    compile_settings(spec_, model_, errors_);
    bodies();
    if (!errors_.empty()) return Unexpected{errors_.all()};
    pairs();
    if (model_.formulation == Formulation::parameter_rates)
      check_parameter_rates(spec_, model_, errors_);
    if (!errors_.empty()) return Unexpected{errors_.all()};
    scales();
    loads();
    errors_.take(compile_probes(spec_, model_));
    errors_.take(compile_touches(spec_, model_));
    if (!errors_.empty()) return Unexpected{errors_.all()};
    header();
    return model_;
  }

 private:
  void bodies() {
    std::set<std::string> names;
    for (const BodySpec& body : spec_.bodies) {
      if (body.name.value.empty())
        errors_.refuse(body.name.place, "a body has no name", "add name = \"...\"");
      if (!names.insert(body.name.value).second) {
        errors_.refuse(body.name.place, fmt::format("two bodies are named \"{}\"", body.name.value),
                       "names must be unique");
      }
    }
    for (const BodySpec& body : spec_.bodies) {
      Body& made = model_.bodies.emplace_back();
      made.moves = !body.fixed && !body.motion;
      if (made.moves) {
        model_.moving.push_back(BodyId{static_cast<std::int32_t>(model_.bodies.size() - 1)});
        compile_moving(body, made, errors_);
        if (errors_.empty() && !body.placement) made.start = start_state(body);
      } else {
        compile_side(body, made.side, errors_);
        if (!body.placement) compile_ground(body, spec_.duration.value, made, errors_);
      }
    }
    if (errors_.empty()) {
      for (Body& body : model_.bodies)
        body.proximity = std::make_shared<const ProximityBody>(TouchableBody(body.side));
      placements();
    }
    if (!model_.moving.empty()) {
      if (names.size() == spec_.bodies.size()) laws();
      return;
    }
    const Place place = spec_.bodies.empty() ? Place{spec_.duration.place.file, "body", 0, 0}
                                             : spec_.bodies.back().name.place;
    errors_.refuse(
        place,
        spec_.bodies.empty() ? "the scene has no bodies" : "no body in the scene is free to move",
        "add at least one [[body]] with a mass or density, without fixed = true");
  }

  // Bodies that are placed on others, in that order.
  void placements() {
    std::vector<Pose<double>> poses;
    poses.reserve(model_.bodies.size());
    for (std::size_t i = 0; i < model_.bodies.size(); ++i)
      poses.push_back(initial_pose(model_, BodyId{static_cast<std::int32_t>(i)}));
    ProximityBodies bodies;
    bodies.reserve(model_.bodies.size());
    for (const Body& body : model_.bodies) bodies.push_back(body.proximity);
    const auto placed = place_bodies(spec_, std::move(poses), bodies);
    if (!placed) {
      errors_.take(placed.error());
      return;
    }
    for (const Placement& one : *placed) {
      BodySpec& body = spec_.bodies[one.body];
      Body& made = model_.bodies[one.body];
      if (body.placement->value.rolling)
        body.velocity.value = velocity_at(model_.bodies[one.on], one) +
                              body.angular_velocity.value.cross(body.position.value - one.point);
      if (made.moves) {
        made.start = start_state(body);
      } else {
        compile_ground(body, spec_.duration.value, made, errors_);
      }
    }
  }
  // Velocity of the body's material where another body is placed on it, in world axes; that of a
  // belt runs along the surface. [m/s]
  static Vec3<double> velocity_at(const Body& body, const Placement& place) {
    const BodyMotion now = body.at_start();
    const Vec3<double> p = inverse(now.X_WB) * place.point;
    const auto velocity = [&](const Twist<double>& phi) -> Vec3<double> {
      return now.X_WB.R * (phi.v + phi.w.cross(p));
    };
    return velocity(now.phi) - place.normal.dot(velocity(now.belt)) * place.normal;
  }

  void laws() {
    auto made = compile_laws(spec_);
    if (made) {
      laws_ = *std::move(made);
    } else {
      errors_.take(made.error());
    }
  }

  void pairs() {
    std::vector<bool> moves;
    for (const Body& body : model_.bodies) moves.push_back(body.moves);
    model_.pairs = BodyPairs(moves);
    model_.laws = laws_;
  }

  // The scales of a body do not depend on the other bodies.
  void scales() {
    const double g = model_.gravity_W.norm();
    model_.length = INFINITY;
    model_.speed = 0;
    for (const BodyId id : model_.moving) {
      Body& body = model_.bodies[static_cast<std::size_t>(id.index)];
      const BodyInertia<double>& M = body.inertia;
      const Twist<double>& phi = body.start.phi;
      body.length = body.radius();
      if (!std::isfinite(body.length)) body.length = body.gyration();
      const double speed =
          g > 0 ? std::sqrt(g * body.length) : phi.v.norm() + phi.w.norm() * body.length;
      if (speed > 0) body.speed = speed;
      body.force = M.mass * body.speed * body.speed / body.length;
      model_.length = std::min(model_.length, body.length);
      model_.speed = std::max(model_.speed, body.speed);
    }
  }

  void loads() {
    std::vector<BodyMotion> start;
    start.reserve(model_.bodies.size());
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      Body& body = model_.bodies[i];
      if (!body.moves) {
        const BodyId id{static_cast<std::int32_t>(i)};
        model_.grounds.push_back(id);
        if (body.motion.is_moving()) model_.drives.push_back(id);
        body.rest = body.motion.at(0);
      }
      body.breaks = body.motion.breaks();
      start.push_back(body.at_start());
    }
    auto made = compile_loads(spec_, start);
    if (!made) {
      errors_.take(made.error());
      return;
    }
    model_.loads = *std::move(made);
  }

  void header() {
    Header& h = model_.header;
    h.scene_name = spec_.name;
    h.scene_text = spec_.text;
    h.scene_file = spec_.file;
    h.files = spec_.files;
    h.overrides = spec_.overrides;
    h.oloid_version = std::string(kVersion);
    h.build = std::string(kBuild);
    h.duration = model_.t_end;
    h.output_dt = model_.output_dt;
    h.chart_crossings = spec_.chart_crossings;
    h.gravity = model_.gravity_W;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const Body& body = model_.bodies[i];
      const double mass = body.moves ? body.inertia.mass : 0;
      h.bodies.push_back(spec_.bodies[i].name.value);
      h.masses.push_back(mass);
      h.energy_scale += mass * model_.gravity_W.norm() * body.length;
    }
    h.pairs = model_.pairs;
    h.friction = model_.laws.mapped([](const PairLaw& law) {
      return ContactFriction{law.static_friction, law.kinetic_friction};
    });
    for (const Probe& p : model_.probes)
      h.probes.push_back({p.name, p.unit, p.formula.text(), p.event});
    for (const Probe& p : model_.stops) h.stops.push_back(p.formula.text());
  }

  Spec spec_;  // positions of placed bodies are filled in later
  Model model_;
  PairLaws laws_;
  ErrorList errors_;
};

}  // namespace

Result<Model, Errors> compile(const Spec& spec) { return Compiler(spec).compile(); }

}  // namespace oloid::world
