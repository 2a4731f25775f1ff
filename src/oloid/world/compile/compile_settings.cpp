#include "oloid/world/compile/compile_settings.h"

#include <fmt/format.h>

#include <cmath>

#include "oloid/world/compile/checks.h"

namespace oloid::world {
namespace {

void check_least_step(const SolverSpec& solver, const Located<double>& step, ErrorList& errors) {
  const double most = solver.max_step ? solver.max_step->value : 1e-3;
  if (solver.method.value != Method::rk4) {
    errors.refuse(
        step.place, "min_step is set for dop853",
        "it applies only to method = \"rk4\"; dop853 chooses its steps according to rtol");
  } else if (errors.in_range(step, "smallest step", 1e-9, kLargest,
                             "specify solver.min_step in seconds") &&
             step.value > most) {
    errors.refuse(
        step.place,
        fmt::format("the smallest step, {:g} s, exceeds the largest, {:g} s", step.value, most),
        "min_step must not exceed max_step");
  }
}

}  // namespace

void compile_settings(const Spec& spec, Model& model, ErrorList& errors) {
  errors.in_range(spec.duration, "duration", kSmallestQuantity, kLargest,
                  "specify the duration in seconds");
  errors.in_range(spec.output_dt, "output interval", kSmallestQuantity, kLargest,
                  "specify output.dt in seconds");
  if (errors.empty() && spec.duration.value / spec.output_dt.value > 1e8) {
    errors.refuse(
        spec.output_dt.place.file.empty() ? spec.duration.place : spec.output_dt.place,
        fmt::format("{:.3g} frames would be written", spec.duration.value / spec.output_dt.value),
        "at most 1e8 are allowed; use a larger output.dt");
  }
  errors.bounded(spec.gravity, "gravity");
  const SolverSpec& solver = spec.solver;
  errors.in_range(solver.rtol, "relative tolerance", 1e-15, 1e-2, "the default is 1e-11");
  if (solver.max_step)
    errors.in_range(*solver.max_step, "largest step", 1e-9, kLargest,
                    "specify solver.max_step in seconds");
  if (solver.min_step) check_least_step(solver, *solver.min_step, errors);
  if (solver.slip_threshold && errors.in_range(*solver.slip_threshold, "slip threshold", kSmallest,
                                               kLargest, "must be a speed in m/s greater than 0"))
    model.slip_threshold = solver.slip_threshold->value;
  model.formulation = solver.formulation.value;
  if (errors.in_range(solver.max_steps, "step budget", 1, 1e15, "specify a number of steps"))
    model.max_steps = static_cast<std::int64_t>(solver.max_steps.value);
  model.stop_on_end = solver.stop_on_end;
  model.scheme = solver.method.value == Method::rk4 ? Scheme::rk4 : Scheme::dop853;
  model.rtol = solver.rtol.value;
  if (solver.max_step) {
    model.max_step = solver.max_step->value;
  } else if (model.scheme == Scheme::rk4) {
    model.max_step = 1e-3;
  }
  if (solver.min_step) model.min_step = solver.min_step->value;
  model.t_end = spec.duration.value;
  model.output_dt = spec.output_dt.value;
  model.gravity_W = spec.gravity.value;
}

void check_parameter_rates(const Spec& spec, const Model& model, ErrorList& errors) {
  const auto no = [&](std::string message, std::string_view remedy) {
    errors.refuse(spec.solver.formulation.place, "parameter-rates: " + std::move(message),
                  std::string(remedy));
  };
  if (model.bodies.size() != 2) {
    no(fmt::format("the scene has {} bodies", model.bodies.size()),
       "this formulation supports two bodies; contact-twist supports any number");
    return;
  }
  const Pair& pair = model.pair(0);
  for (const BodyId id : pair.bodies) {
    const PlacedShape& side = model.body(id).side;
    const std::vector<Location> at = seeds(side.shape);
    if (at.empty() || third_order_jet(side, at.front())) continue;
    no(fmt::format("the surface of \"{}\" has no parameters",
                   spec.bodies[static_cast<std::size_t>(id.index)].name.value),
       "use contact-twist for implicit surfaces and quadrics");
  }
  const bool spin =
      pair.law.spin == 0 || (std::isinf(pair.law.spin) && std::isinf(pair.law.static_friction));
  if (pair.law.roll > 0 || !spin) {
    no("resistance to rolling or spinning is not supported",
       "this formulation supports free spin, or spin = \"stuck\" with unlimited friction; "
       "contact-twist supports all resistances");
  }
  for (const BodySpec& body : spec.bodies) {
    if (body.motion && std::holds_alternative<BeltMotionSpec>(body.motion->value))
      no("moving surfaces (belts) are not supported", "use contact-twist, or move the body itself");
  }
}

}  // namespace oloid::world
