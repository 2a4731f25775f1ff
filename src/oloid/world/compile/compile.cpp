#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <set>

#include "oloid/base/version.h"
#include "oloid/geometry/measure/solid.h"
#include "oloid/world/compile/bounded_body.h"
#include "oloid/world/compile/checks.h"
#include "oloid/world/compile/compile_curve.h"
#include "oloid/world/compile/compile_law.h"
#include "oloid/world/compile/compile_loads.h"
#include "oloid/world/compile/compile_motion.h"
#include "oloid/world/compile/compile_place.h"
#include "oloid/world/compile/compile_probes.h"
#include "oloid/world/compile/compile_shape.h"
#include "oloid/world/compile/compile_touch.h"
#include "oloid/world/model/model.h"
#include "oloid/world/tools/display_mesh.h"
#include "oloid/world/tools/forms.h"

namespace oloid::world {
namespace {

// Times, masses and densities below this are typing errors or would lose all digits. [SI]
constexpr double kSmallestQuantity = 1e-12;

class Compiler {
 public:
  explicit Compiler(const Spec& spec) : spec_(spec) {}

  Result<Model, Errors> compile() {
    settings();
    bodies();
    if (!errors_.empty()) return Unexpected{errors_};
    pairs();
    if (model_.formulation == Formulation::parameter_rates) check_parameter_rates();
    if (!errors_.empty()) return Unexpected{errors_};
    scales();
    loads();
    take(compile_probes(spec_, model_));
    take(compile_touches(spec_, model_));
    if (!errors_.empty()) return Unexpected{errors_};
    header();
    return model_;
  }

  Result<std::vector<BodyForm>, Errors> forms() {
    std::vector<BodyForm> result;
    if (spec_.bodies.empty()) {
      refuse({spec_.duration.place.file, "body", 0, 0}, "the scene has no bodies", "add [[body]]");
    }
    std::vector<Pose<double>> X_BS;
    for (const BodySpec& body : spec_.bodies) {
      const std::size_t before = errors_.size();
      if (const auto* wire = std::get_if<WireSpec>(&body.shape.value)) {
        check_pose(body);
        const auto curve = compile_curve(*wire);
        if (!curve) errors_.insert(errors_.end(), curve.error().begin(), curve.error().end());
        if (errors_.size() != before) continue;
        const Vec3<double> p =
            body.shape_position ? body.shape_position->value : Vec3<double>::Zero();
        X_BS.push_back({rotation_matrix(body.shape_orientation.value), p});
        result.push_back({body.name.value, *curve, start_of(body) * X_BS.back()});
        continue;
      }
      Body made;
      place(body, made.side);
      if (errors_.size() == before && body.density) mass_from_density(body, made);
      if (errors_.size() != before) continue;
      X_BS.push_back(made.side.X_BS);
      result.push_back({body.name.value, made.side.shape, start_of(body) * made.side.X_BS});
    }
    if (errors_.empty()) place_forms(X_BS, result);
    if (!errors_.empty()) return Unexpected{errors_};
    return result;
  }

 private:
  static Pose<double> start_of(const BodySpec& body) {
    if (body.motion) {
      if (const auto motion = compile_motion(body)) return motion->at(0).X_WB;
    }
    return {rotation_matrix(body.orientation.value), body.position.value};
  }
  void place_forms(const std::vector<Pose<double>>& X_BS, std::vector<BodyForm>& forms) {
    std::vector<Pose<double>> poses;
    poses.reserve(forms.size());
    for (const BodySpec& body : spec_.bodies) poses.push_back(start_of(body));
    const auto placed = place_bodies(spec_, std::move(poses), [&](std::size_t i) {
      const auto* curve = std::get_if<Curve>(&forms[i].form);
      return curve ? Features(*curve, X_BS[i])
                   : Features(Side{std::get<Shape>(forms[i].form), X_BS[i]});
    });
    if (!placed) {
      take(placed.error());
      return;
    }
    for (const Placement& one : *placed)
      forms[one.body].X_WS = start_of(spec_.bodies[one.body]) * X_BS[one.body];
  }
  void refuse(const Place& place, std::string message, std::string remedy) {
    errors_.push_back({place, std::move(message), std::move(remedy)});
  }
  void take(const Errors& errors) { errors_.insert(errors_.end(), errors.begin(), errors.end()); }
  // A number in [low, high].
  bool in_range(const Given<double>& x, std::string_view what, double low, double high,
                std::string_view remedy) {
    if (x.value >= low && x.value <= high) return true;
    refuse(x.place, fmt::format("{} is {}, outside [{:g}, {:g}]", what, x.value, low, high),
           std::string(remedy));
    return false;
  }
  bool bounded(const Given<Vec3<double>>& x, std::string_view what) {
    if (x.value.allFinite() && x.value.norm() <= kLargest) return true;
    refuse(x.place,
           fmt::format("{} [{}, {}, {}] is not finite or too large", what, x.value.x(), x.value.y(),
                       x.value.z()),
           fmt::format("components must be finite and at most {:g} in SI units", kLargest));
    return false;
  }

  void settings() {
    in_range(spec_.duration, "duration", kSmallestQuantity, kLargest,
             "specify the duration in seconds");
    in_range(spec_.output_dt, "output interval", kSmallestQuantity, kLargest,
             "specify output.dt in seconds");
    if (errors_.empty() && spec_.duration.value / spec_.output_dt.value > 1e8) {
      refuse(spec_.output_dt.place.file.empty() ? spec_.duration.place : spec_.output_dt.place,
             fmt::format("{:.3g} frames would be written",
                         spec_.duration.value / spec_.output_dt.value),
             "at most 1e8 are allowed; use a larger output.dt");
    }
    bounded(spec_.gravity, "gravity");
    const SolverSpec& solver = spec_.solver;
    in_range(solver.rtol, "relative tolerance", 1e-15, 1e-2, "the default is 1e-11");
    if (solver.max_step)
      in_range(*solver.max_step, "largest step", 1e-9, kLargest,
               "specify solver.max_step in seconds");
    if (solver.min_step) least_step(*solver.min_step);
    if (solver.slip_threshold && in_range(*solver.slip_threshold, "slip threshold", kSmallest,
                                          kLargest, "must be a speed in m/s greater than 0"))
      model_.slip_threshold = solver.slip_threshold->value;
    model_.formulation = solver.formulation.value;
    if (in_range(solver.max_steps, "step budget", 1, 1e15, "specify a number of steps"))
      model_.max_steps = static_cast<std::int64_t>(solver.max_steps.value);
    model_.scheme = solver.method.value == Method::rk4 ? Scheme::rk4 : Scheme::dop853;
    model_.rtol = solver.rtol.value;
    if (solver.max_step) {
      model_.max_step = solver.max_step->value;
    } else if (model_.scheme == Scheme::rk4) {
      model_.max_step = 1e-3;
    }
    if (solver.min_step) model_.min_step = solver.min_step->value;
    model_.t_end = spec_.duration.value;
    model_.output_dt = spec_.output_dt.value;
    model_.gravity_W = spec_.gravity.value;
  }

  void least_step(const Given<double>& step) {
    const SolverSpec& solver = spec_.solver;
    const double most = solver.max_step ? solver.max_step->value : 1e-3;
    if (solver.method.value != Method::rk4) {
      refuse(step.place, "min_step is set for dop853",
             "it applies only to method = \"rk4\"; dop853 chooses its steps according to rtol");
    } else if (in_range(step, "smallest step", 1e-9, kLargest,
                        "specify solver.min_step in seconds") &&
               step.value > most) {
      refuse(
          step.place,
          fmt::format("the smallest step, {:g} s, exceeds the largest, {:g} s", step.value, most),
          "min_step must not exceed max_step");
    }
  }

  void bodies() {
    std::set<std::string> names;
    for (const BodySpec& body : spec_.bodies) {
      if (body.name.value.empty())
        refuse(body.name.place, "a body has no name", "add name = \"...\"");
      if (!names.insert(body.name.value).second) {
        refuse(body.name.place, fmt::format("two bodies are named \"{}\"", body.name.value),
               "names must be unique");
      }
    }
    for (const BodySpec& body : spec_.bodies) {
      Body& made = model_.bodies.emplace_back();
      made.moves = !body.fixed && !body.motion;
      if (made.moves) {
        model_.moving.push_back(BodyId{static_cast<std::int32_t>(model_.bodies.size() - 1)});
        moving(body, made);
        if (errors_.empty() && !body.placement) made.start = start_state(body);
      } else {
        place(body, made.side);
        if (!body.placement) ground(body, made);
      }
    }
    if (errors_.empty()) placements();
    if (!model_.moving.empty()) {
      if (names.size() == spec_.bodies.size()) laws();
      return;
    }
    const Place place = spec_.bodies.empty() ? Place{spec_.duration.place.file, "body", 0, 0}
                                             : spec_.bodies.back().name.place;
    refuse(
        place,
        spec_.bodies.empty() ? "the scene has no bodies" : "no body in the scene is free to move",
        "add at least one [[body]] with a mass or density, without fixed = true");
  }

  void moving(const BodySpec& body, Body& made) {
    const std::size_t before = errors_.size();
    place(body, made.side);
    if (body.density) {
      if (errors_.size() == before) mass_from_density(body, made);
    } else {
      given_mass(body, made);
    }
    bounded(body.velocity, "velocity");
    bounded(body.angular_velocity, "angular velocity");
    if (!errors_.empty()) return;
    BodyInertia<double>& M = made.inertia;
    M.inverse_mass = 1 / M.mass;
    M.J_inv = M.J.inverse();
  }

  static FreeState<double> start_state(const BodySpec& body) {
    const Mat3<double> R = rotation_matrix(body.orientation.value);
    return {body.position.value,
            unit(body.orientation.value),
            {R.transpose() * body.angular_velocity.value, R.transpose() * body.velocity.value}};
  }

  // Bodies that are placed on others, in that order.
  void placements() {
    std::vector<Pose<double>> poses;
    poses.reserve(model_.bodies.size());
    for (std::size_t i = 0; i < model_.bodies.size(); ++i)
      poses.push_back(initial_pose(model_, BodyId{static_cast<std::int32_t>(i)}));
    const auto placed = place_bodies(
        spec_, std::move(poses), [&](std::size_t i) { return Features(model_.bodies[i].side); });
    if (!placed) {
      take(placed.error());
      return;
    }
    for (const Placement& one : *placed) {
      BodySpec& body = spec_.bodies[one.body];
      Body& made = model_.bodies[one.body];
      if (!one.smooth) {
        refuse(body.placement->place,
               fmt::format("\"{}\" would touch \"{}\" at an edge of either body", body.name.value,
                           spec_.bodies[one.on].name.value),
               "only contacts between smooth surfaces are simulated: rotate or move it");
      }
      if (body.placement->value.rolling)
        body.velocity.value = velocity_at(model_.bodies[one.on], one.point) +
                              body.angular_velocity.value.cross(body.position.value - one.point);
      if (made.moves) {
        made.start = start_state(body);
      } else {
        ground(body, made);
      }
    }
  }
  // Of the body's material, at a point in world axes. [m/s]
  static Vec3<double> velocity_at(const Body& body, const Vec3<double>& point) {
    BodyMotion now;
    if (body.moves) {
      now.X_WB = {rotation_matrix(body.start.q_WA), body.start.p_WA};
      now.phi = body.start.phi;
    } else {
      now = body.motion.at(0);
    }
    return now.X_WB.R * (now.phi.v + now.phi.w.cross(inverse(now.X_WB) * point));
  }

  void given_mass(const BodySpec& body, Body& made) {
    if (!body.mass) {
      refuse(body.name.place, fmt::format("body \"{}\" has no mass", body.name.value),
             "specify mass in kg, density in kg/m3, fixed = true, or a motion");
    } else if (in_range(*body.mass, "mass", kSmallestQuantity, kLargest,
                        "specify a positive mass in kg")) {
      made.inertia.mass = body.mass->value;
    }
    if (!body.inertia) {
      refuse(body.name.place, fmt::format("body \"{}\" has no inertia", body.name.value),
             "specify the inertia about the centre of mass: 3 principal moments or a 3 x 3 matrix, "
             "in kg m2");
    } else {
      const std::size_t before = errors_.size();
      inertia(*body.inertia);
      made.inertia.J = 0.5 * (body.inertia->value + body.inertia->value.transpose());
      const bool light = made.inertia.J.trace() < 1e-18 * made.inertia.mass;
      if (light && errors_.size() == before) {
        refuse(body.inertia->place, "the inertia is too small for the mass",
               "check the units (kg m2); a body of this mass would be smaller than 1e-9 m");
      }
    }
  }

  // The shape is moved until its centre of mass is the origin of the body's frame.
  void mass_from_density(const BodySpec& body, Body& made) {
    for (const bool given : {body.mass.has_value(), body.inertia.has_value()}) {
      if (!given) continue;
      refuse(body.density->place, "density is given together with mass or inertia",
             "specify either density, or mass and inertia");
      return;
    }
    if (body.shape_position) {
      refuse(body.shape_position->place, "the shape has a position although the body has a density",
             "remove it: the centre of mass, which is the body's origin, follows from the shape");
      return;
    }
    if (!in_range(*body.density, "density", kSmallestQuantity, kLargest,
                  "specify a positive density in kg/m3"))
      return;
    const Result<Solid> solid = geometry::solid(made.side.shape);
    if (!solid) {
      refuse(body.density->place,
             fmt::format("the mass cannot be computed from the density: {}", solid.error().message),
             solid.error().remedy);
      return;
    }
    const Mat3<double>& R = made.side.X_BS.R;
    const double density = body.density->value;
    const Given<double> mass(density * solid->volume, body.density->place);
    if (!in_range(mass, "the mass from the density", kSmallestQuantity, kLargest,
                  "check the units: kg/m3, m"))
      return;
    made.side.X_BS.p = -(R * solid->centre);
    made.inertia.mass = mass.value;
    made.inertia.J = density * (R * solid->inertia * R.transpose());
  }

  void inertia(const Given<Mat3<double>>& given) {
    const Mat3<double>& J = given.value;
    if (!J.allFinite() || J.norm() > kLargest * kLargest) {
      refuse(given.place, "the inertia is not finite or too large", "use finite numbers in kg m2");
      return;
    }
    if ((J - J.transpose()).norm() > 1e-12 * J.norm()) {
      refuse(given.place, "the inertia is not symmetric",
             "entries (i, j) and (j, i) must be equal");
      return;
    }
    const Vec3<double> principal = Eigen::SelfAdjointEigenSolver<Mat3<double>>(J).eigenvalues();
    if (!(principal(0) > 1e-14 * principal(2)) || !(principal(2) > 0)) {
      refuse(given.place,
             fmt::format(
                 "the inertia is not positive definite: its principal moments are {:g}, {:g}, {:g}",
                 principal(0), principal(1), principal(2)),
             "all principal moments must be positive");
    } else if (principal(2) > (principal(0) + principal(1)) * (1 + 1e-9)) {
      refuse(given.place,
             fmt::format("impossible principal moments {:g}, {:g}, {:g}: the largest exceeds the "
                         "sum of the others",
                         principal(0), principal(1), principal(2)),
             "check the inertia");
    }
  }

  void ground(const BodySpec& body, Body& made) {
    auto motion = compile_motion(body);
    if (motion) {
      made.motion = *std::move(motion);
    } else {
      take(motion.error());
    }
  }

  void check_pose(const BodySpec& body) {
    bounded(body.position, "position");
    if (body.shape_position) bounded(*body.shape_position, "position of the shape");
    for (const auto* q : {&body.orientation, &body.shape_orientation}) {
      if (!(std::abs(squared_norm(q->value) - 1) < 1e-6)) {
        refuse(q->place, "the orientation is not a unit quaternion", "w² + x² + y² + z² = 1");
      }
    }
  }

  void place(const BodySpec& body, Side& side) {
    check_pose(body);
    side.X_BS = {rotation_matrix(body.shape_orientation.value), Vec3<double>::Zero()};
    if (body.shape_position) side.X_BS.p = body.shape_position->value;
    auto made = compile_shape(body.shape);
    if (made) {
      side.shape = *std::move(made);
    } else {
      errors_.insert(errors_.end(), made.error().begin(), made.error().end());
    }
  }

  void laws() {
    auto made = compile_laws(spec_);
    if (made) {
      laws_ = *std::move(made);
    } else {
      take(made.error());
    }
  }

  // Each two bodies of which one moves; A moves.
  void pairs() {
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      for (std::size_t j = i + 1; j < model_.bodies.size(); ++j) {
        const bool first = model_.bodies[i].moves;
        if (!first && !model_.bodies[j].moves) continue;
        const std::size_t a = first ? i : j, b = first ? j : i;
        Pair& pair = model_.pairs.emplace_back();
        pair.bodies = {BodyId{static_cast<std::int32_t>(a)}, BodyId{static_cast<std::int32_t>(b)}};
        pair.law = laws_.between(i, j);
        const Side &A = model_.bodies[a].side, &B = model_.bodies[b].side;
        pair.convex = is_convex(A.shape) && is_convex(B.shape);
        pair.starts = {starts_of(a), starts_of(b)};
        if (!pair.convex) pair.bounded = bounds({a, b});
      }
    }
  }

  const std::shared_ptr<const BodyStarts>& starts_of(std::size_t body) {
    starts_.resize(model_.bodies.size());
    if (!starts_[body]) starts_[body] = make_starts(model_.bodies[body].side);
    return starts_[body];
  }

  // Those of bodies of many patches would cost minutes.
  std::array<std::shared_ptr<const BoundedBody>, 2> bounds(const std::array<std::size_t, 2>& pair) {
    bounded_.resize(model_.bodies.size());
    for (const std::size_t i : pair) {
      const Side& side = model_.bodies[i].side;
      if (!few_cells(side.shape)) return {};
      if (!bounded_[i]) bounded_[i] = std::make_shared<const BoundedBody>(side);
    }
    return {bounded_[pair[0]], bounded_[pair[1]]};
  }

  // What the published form does not take.
  void check_parameter_rates() {
    const auto no = [&](std::string message, std::string_view remedy) {
      refuse(spec_.solver.formulation.place, "parameter-rates: " + std::move(message),
             std::string(remedy));
    };
    if (model_.bodies.size() != 2) {
      no(fmt::format("the scene has {} bodies", model_.bodies.size()),
         "this formulation supports two bodies; contact-twist supports any number");
      return;
    }
    const Pair& pair = model_.pairs.front();
    const auto& starts = pair.starts;
    for (const auto& [id, at] :
         {std::pair(pair.bodies[0], &starts.A->at), {pair.bodies[1], &starts.B->at}}) {
      if (at->empty() || third_order_jet(model_.body(id).side, at->front())) continue;
      no(fmt::format("the surface of \"{}\" has no parameters",
                     spec_.bodies[static_cast<std::size_t>(id.index)].name.value),
         "use contact-twist for implicit surfaces and quadrics");
    }
    const bool spin =
        pair.law.spin == 0 || (std::isinf(pair.law.spin) && std::isinf(pair.law.static_friction));
    if (pair.law.roll > 0 || !spin) {
      no("resistance to rolling or spinning is not supported",
         "this formulation supports free spin, or spin = \"stuck\" with unlimited friction; "
         "contact-twist supports all resistances");
    }
    for (const BodySpec& body : spec_.bodies) {
      if (body.motion && std::holds_alternative<BeltMotionSpec>(body.motion->value))
        no("moving surfaces (belts) are not supported",
           "use contact-twist, or move the body itself");
    }
  }

  // Each body has scales of its own, whatever others there are.
  void scales() {
    const double g = model_.gravity_W.norm();
    model_.length = INFINITY;
    model_.speed = 0;
    for (const BodyId id : model_.moving) {
      Body& body = model_.bodies[static_cast<std::size_t>(id.index)];
      const BodyInertia<double>& M = body.inertia;
      const Twist<double>& phi = body.start.phi;
      body.length = body.radius();
      if (!std::isfinite(body.length)) body.length = gyration(M);
      const double speed =
          g > 0 ? std::sqrt(g * body.length) : phi.v.norm() + phi.w.norm() * body.length;
      if (speed > 0) body.speed = speed;
      body.force = M.mass * body.speed * body.speed / body.length;
      model_.length = std::min(model_.length, body.length);
      model_.speed = std::max(model_.speed, body.speed);
    }
    for (Pair& pair : model_.pairs) {
      const double a = model_.body(pair.bodies[0]).radius(),
                   b = model_.body(pair.bodies[1]).radius();
      pair.length = std::min(a, b);
      pair.reach = a + b;
      if (!std::isfinite(pair.length)) pair.length = gyration(model_.body(pair.bodies[0]).inertia);
    }
  }
  static double gyration(const BodyInertia<double>& M) {
    return std::sqrt(0.5 * M.J.trace() * M.inverse_mass);
  }

  void loads() {
    std::vector<BodyMotion> start;
    start.reserve(model_.bodies.size());
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      Body& body = model_.bodies[i];
      const FreeState<double>& x = body.start;
      if (!body.moves && body.motion.is_moving())
        model_.drives.push_back(BodyId{static_cast<std::int32_t>(i)});
      body.breaks = body.motion.breaks();
      BodyMotion moved;
      moved.X_WB = {rotation_matrix(x.q_WA), x.p_WA};
      moved.phi = x.phi;
      start.push_back(body.moves ? moved : body.motion.at(0));
    }
    auto made = compile_loads(spec_, start);
    if (!made) {
      take(made.error());
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
    h.gravity = model_.gravity_W;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const Body& body = model_.bodies[i];
      const double mass = body.moves ? body.inertia.mass : 0;
      h.bodies.push_back(spec_.bodies[i].name.value);
      h.masses.push_back(mass);
      h.energy_scale += mass * model_.gravity_W.norm() * body.length;
    }
    for (const Pair& pair : model_.pairs) {
      h.contacts.push_back(pair.bodies);
      h.friction.push_back({pair.law.static_friction, pair.law.kinetic_friction});
    }
    for (const Probe& p : model_.probes)
      h.probes.push_back({p.name, p.unit, p.formula.text(), p.event});
    for (const Probe& p : model_.stops) h.stops.push_back(p.formula.text());
  }

  Spec spec_;  // positions of bodies that are placed on others follow
  Model model_;
  PairLaws laws_{0};
  std::vector<std::shared_ptr<const BodyStarts>> starts_;    // by body, as far as asked for
  std::vector<std::shared_ptr<const BoundedBody>> bounded_;  // likewise
  Errors errors_;
};

}  // namespace

Result<Model, Errors> compile(const Spec& spec) { return Compiler(spec).compile(); }

Result<std::vector<BodyForm>, Errors> compile_forms(const Spec& spec) {
  return Compiler(spec).forms();
}

}  // namespace oloid::world
