// Shapes and wires of a scene where they start, without masses and contacts: tools/forms.h.
#include <algorithm>
#include <variant>

#include "oloid/world/compile/compile_body.h"
#include "oloid/world/compile/compile_curve.h"
#include "oloid/world/compile/compile_motion.h"
#include "oloid/world/compile/compile_place.h"
#include "oloid/world/tools/forms.h"

namespace oloid::world {
namespace {

Pose<double> start_of(const BodySpec& body) {
  if (body.motion) {
    if (const auto motion = compile_motion(body)) return motion->at(0).X_WB;
  }
  return {rotation_matrix(body.orientation.value), body.position.value};
}

// Takes a copy of the scene, because placing changes it.
void place_forms(Spec spec, const std::vector<Pose<double>>& X_BS, std::vector<BodyForm>& forms,
                 ErrorList& errors) {
  std::vector<Pose<double>> poses;
  poses.reserve(forms.size());
  for (const BodySpec& body : spec.bodies) poses.push_back(start_of(body));
  ProximityBodies bodies;
  bodies.reserve(forms.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const auto* curve = std::get_if<Curve>(&forms[i].form);
    bodies.push_back(std::make_shared<const ProximityBody>(
        curve ? TouchableBody(*curve, X_BS[i])
              : TouchableBody(PlacedShape{std::get<Shape>(forms[i].form), X_BS[i]})));
  }
  const auto placed = place_bodies(spec, std::move(poses), bodies);
  if (!placed) {
    errors.take(placed.error());
    return;
  }
  for (const Placement& one : *placed)
    forms[one.body].X_WS = start_of(spec.bodies[one.body]) * X_BS[one.body];
}

}  // namespace

Result<std::vector<BodyForm>, Errors> compile_forms(const Spec& spec) {
  ErrorList errors;
  std::vector<BodyForm> result;
  if (spec.bodies.empty()) {
    errors.refuse({spec.duration.place.file, "body", 0, 0}, "the scene has no bodies",
                  "add [[body]]");
  }
  std::vector<Pose<double>> X_BS;
  for (const BodySpec& body : spec.bodies) {
    const std::size_t before = errors.size();
    if (const auto* wire = std::get_if<WireSpec>(&body.shape.value)) {
      check_pose(body, errors);
      const auto curve = compile_curve(*wire);
      if (!curve) errors.take(curve.error());
      if (errors.size() != before) continue;
      const Vec3<double> p =
          body.shape_position ? body.shape_position->value : Vec3<double>::Zero();
      X_BS.push_back({rotation_matrix(body.shape_orientation.value), p});
      result.push_back({body.name.value, *curve, start_of(body) * X_BS.back()});
      continue;
    }
    Body made;
    compile_side(body, made.side, errors);
    const bool homogeneous = body.density || (body.mass && !body.inertia);
    if (homogeneous) compile_mass(body, errors.size() == before, made, errors);
    if (errors.size() != before) continue;
    X_BS.push_back(made.side.X_BS);
    result.push_back({body.name.value, made.side.shape, start_of(body) * made.side.X_BS});
  }
  const bool any_placed = std::any_of(spec.bodies.begin(), spec.bodies.end(),
                                      [](const BodySpec& body) { return body.placement; });
  if (errors.empty() && any_placed) place_forms(spec, X_BS, result, errors);
  if (!errors.empty()) return Unexpected{errors.all()};
  return result;
}

}  // namespace oloid::world
