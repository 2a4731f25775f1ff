#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <set>

#include "oloid/base/version.h"
#include "oloid/contact/surface_surface.h"
#include "oloid/world/compile_curve.h"
#include "oloid/world/compile_shape.h"
#include "oloid/world/forms.h"
#include "oloid/world/model.h"

namespace oloid {
namespace {

// Numbers beyond these are typing errors or would lose all digits: lengths, times, masses in SI
// units.
constexpr double kLargest = 1e9;
constexpr double kSmallest = 1e-12;

class Compiler {
 public:
  explicit Compiler(const Spec& spec) : spec_(spec) {}

  Result<Model, Errors> compile() {
    settings();
    bodies();
    if (!errors_.empty()) return Unexpected{errors_};
    scales();
    initial_contact();
    if (!errors_.empty()) return Unexpected{errors_};
    header();
    return model_;
  }

  Result<std::vector<BodyForm>, Errors> forms() {
    std::vector<BodyForm> result;
    if (spec_.bodies.empty()) {
      refuse({spec_.duration.place.file, "body", 0, 0}, "the scene has no bodies", "give [[body]]");
    }
    for (const BodySpec& body : spec_.bodies) {
      const std::size_t before = errors_.size();
      if (const auto* wire = std::get_if<WireSpec>(&body.shape.value)) {
        check_pose(body);
        const auto curve = compile_curve(*wire);
        if (!curve) errors_.insert(errors_.end(), curve.error().begin(), curve.error().end());
        if (errors_.size() != before) continue;
        const Vec3<double> p =
            body.shape_position ? body.shape_position->value : Vec3<double>::Zero();
        const Pose<double> X_BS{rotation_matrix(body.shape_orientation.value), p};
        result.push_back({body.name.value, *curve, start_of(body) * X_BS});
        continue;
      }
      place(body, model_.A);
      if (errors_.size() == before && body.density) mass_from_density(body);
      if (errors_.size() != before) continue;
      result.push_back({body.name.value, model_.A.shape, start_of(body) * model_.A.X_BS});
    }
    if (!errors_.empty()) return Unexpected{errors_};
    return result;
  }

 private:
  static Pose<double> start_of(const BodySpec& body) {
    return {rotation_matrix(body.orientation.value), body.position.value};
  }
  void refuse(const Place& place, std::string message, std::string remedy) {
    errors_.push_back({place, std::move(message), std::move(remedy)});
  }
  // A number in [low, high].
  bool in_range(const Given<double>& x, std::string_view what, double low, double high,
                std::string_view remedy) {
    if (x.value >= low && x.value <= high) return true;
    refuse(x.place, fmt::format("{} is {}, outside of [{:g}, {:g}]", what, x.value, low, high),
           std::string(remedy));
    return false;
  }
  bool bounded(const Given<Vec3<double>>& x, std::string_view what) {
    if (x.value.allFinite() && x.value.norm() <= kLargest) return true;
    refuse(x.place,
           fmt::format("{} [{}, {}, {}] is not finite or too large", what, x.value.x(), x.value.y(),
                       x.value.z()),
           fmt::format("components are finite and at most {:g} in SI units", kLargest));
    return false;
  }

  void settings() {
    in_range(spec_.duration, "duration", kSmallest, kLargest, "give the duration in seconds");
    in_range(spec_.output_dt, "output interval", kSmallest, kLargest, "give output.dt in seconds");
    if (errors_.empty() && spec_.duration.value / spec_.output_dt.value > 1e8) {
      refuse(spec_.output_dt.place.file.empty() ? spec_.duration.place : spec_.output_dt.place,
             fmt::format("{:.3g} frames would be written",
                         spec_.duration.value / spec_.output_dt.value),
             "at most 1e8; take a larger output.dt");
    }
    bounded(spec_.gravity, "gravity");
    const SolverSpec& solver = spec_.solver;
    in_range(solver.rtol, "relative tolerance", 1e-15, 1e-2, "1e-11 is the default");
    if (solver.max_step)
      in_range(*solver.max_step, "largest step", 1e-9, kLargest, "give solver.max_step in seconds");
    in_range(solver.max_steps, "step budget", 1, 1e15, "give a number of steps");
    model_.scheme = solver.method.value == Method::rk4 ? Scheme::rk4 : Scheme::dop853;
    model_.rtol = solver.rtol.value;
    if (solver.max_step) {
      model_.max_step = solver.max_step->value;
    } else if (model_.scheme == Scheme::rk4) {
      model_.max_step = 1e-3;
    }
    model_.max_steps = static_cast<std::int64_t>(std::min(solver.max_steps.value, 1e15));
    model_.t_end = spec_.duration.value;
    model_.output_dt = spec_.output_dt.value;
    model_.gravity_W = spec_.gravity.value;
  }

  void bodies() {
    if (spec_.bodies.size() != 2) {
      const Place place = spec_.bodies.empty() ? Place{spec_.duration.place.file, "body", 0, 0}
                                               : spec_.bodies.back().name.place;
      refuse(place,
             fmt::format("the scene has {} {}", spec_.bodies.size(),
                         spec_.bodies.size() == 1 ? "body" : "bodies"),
             "give one moving and one fixed body");
      return;
    }
    std::set<std::string> names;
    for (const BodySpec& body : spec_.bodies) {
      if (body.name.value.empty())
        refuse(body.name.place, "a body has no name", "give name = \"...\"");
      if (!names.insert(body.name.value).second) {
        refuse(body.name.place, fmt::format("two bodies are called \"{}\"", body.name.value),
               "names are unique");
      }
    }
    if (spec_.bodies[0].fixed == spec_.bodies[1].fixed) {
      refuse(spec_.bodies[1].name.place,
             spec_.bodies[0].fixed ? "both bodies are fixed" : "both bodies move",
             "exactly one body has fixed = true");
      return;
    }
    const int a = spec_.bodies[0].fixed ? 1 : 0;
    model_.bodies = {BodyId{a}, BodyId{1 - a}};
    moving(spec_.bodies[static_cast<std::size_t>(a)]);
    fixed(spec_.bodies[static_cast<std::size_t>(1 - a)]);
    law();
  }

  void moving(const BodySpec& body) {
    const std::size_t before = errors_.size();
    place(body, model_.A);
    if (body.density) {
      if (errors_.size() == before) mass_from_density(body);
    } else {
      given_mass(body);
    }
    bounded(body.velocity, "velocity");
    bounded(body.angular_velocity, "angular velocity");
    if (!errors_.empty()) return;
    BodyInertia<double>& M = model_.inertia;
    M.inverse_mass = 1 / M.mass;
    M.J_inv = M.J.inverse();
    const Mat3<double> R = rotation_matrix(body.orientation.value);
    model_.start.body = {
        body.position.value,
        unit(body.orientation.value),
        {R.transpose() * body.angular_velocity.value, R.transpose() * body.velocity.value}};
  }

  void given_mass(const BodySpec& body) {
    if (!body.mass) {
      refuse(body.name.place, fmt::format("body \"{}\" has no mass", body.name.value),
             "give mass in kg, density in kg/m3, or fixed = true");
    } else if (in_range(*body.mass, "mass", kSmallest, kLargest, "a mass is positive, in kg")) {
      model_.inertia.mass = body.mass->value;
    }
    if (!body.inertia) {
      refuse(
          body.name.place, fmt::format("body \"{}\" has no inertia", body.name.value),
          "give inertia about the centre of mass: 3 principal moments or a 3 x 3 matrix, in kg m2");
    } else {
      inertia(*body.inertia);
      model_.inertia.J = 0.5 * (body.inertia->value + body.inertia->value.transpose());
    }
  }

  // The shape is moved until its centre of mass is the origin of the body's frame.
  void mass_from_density(const BodySpec& body) {
    for (const bool given : {body.mass.has_value(), body.inertia.has_value()}) {
      if (!given) continue;
      refuse(body.density->place, "the density is given as well as mass or inertia",
             "keep the density alone, or mass and inertia");
      return;
    }
    if (body.shape_position) {
      refuse(body.shape_position->place, "the shape has a position as well as a density",
             "remove it: the centre of mass, which is the body's origin, follows from the shape");
      return;
    }
    if (!in_range(*body.density, "density", kSmallest, kLargest, "positive, in kg/m3")) return;
    const Result<Solid> solid = oloid::solid(model_.A.shape);
    if (!solid) {
      refuse(body.density->place,
             fmt::format("no mass from the density: {}", solid.error().message),
             solid.error().remedy);
      return;
    }
    const Mat3<double>& R = model_.A.X_BS.R;
    const double density = body.density->value;
    const Given<double> mass(density * solid->volume, body.density->place);
    if (!in_range(mass, "the mass from the density", kSmallest, kLargest, "check units: kg/m3, m"))
      return;
    model_.A.X_BS.p = -(R * solid->centre);
    model_.inertia.mass = mass.value;
    model_.inertia.J = density * (R * solid->inertia * R.transpose());
  }

  void inertia(const Given<Mat3<double>>& given) {
    const Mat3<double>& J = given.value;
    if (!J.allFinite() || J.norm() > kLargest * kLargest) {
      refuse(given.place, "inertia is not finite or too large", "give finite numbers in kg m2");
      return;
    }
    if ((J - J.transpose()).norm() > 1e-12 * J.norm()) {
      refuse(given.place, "inertia is not symmetric", "entry (i, j) equals entry (j, i)");
      return;
    }
    const Vec3<double> principal = Eigen::SelfAdjointEigenSolver<Mat3<double>>(J).eigenvalues();
    if (!(principal(0) > 1e-14 * principal(2)) || !(principal(2) > 0)) {
      refuse(given.place,
             fmt::format("inertia is not positive definite: principal moments {:g}, {:g}, {:g}",
                         principal(0), principal(1), principal(2)),
             "all principal moments are positive");
    } else if (principal(2) > (principal(0) + principal(1)) * (1 + 1e-9)) {
      refuse(given.place,
             fmt::format("no body has principal moments {:g}, {:g}, {:g}: the largest exceeds the "
                         "sum of the others",
                         principal(0), principal(1), principal(2)),
             "check the inertia");
    }
  }

  void fixed(const BodySpec& body) {
    place(body, model_.B);
    if (body.velocity.value.norm() != 0)
      refuse(body.velocity.place, "a fixed body has a velocity", "remove it");
    if (body.angular_velocity.value.norm() != 0) {
      refuse(body.angular_velocity.place, "a fixed body has an angular velocity", "remove it");
    }
    model_.X_WB = {rotation_matrix(body.orientation.value), body.position.value};
  }

  void check_pose(const BodySpec& body) {
    bounded(body.position, "position");
    if (body.shape_position) bounded(*body.shape_position, "position of the shape");
    for (const auto* q : {&body.orientation, &body.shape_orientation}) {
      if (!(std::abs(squared_norm(q->value) - 1) < 1e-6)) {
        refuse(q->place, "orientation is not a unit quaternion", "w² + x² + y² + z² = 1");
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

  struct Coefficients {
    double static_friction, kinetic_friction;
  };
  std::optional<Coefficients> coefficients(const FrictionSpec& law) {
    if (!law.friction) return std::nullopt;
    const Given<double>& mu = *law.friction;
    constexpr double kMostFriction = 1e6;
    if (!(mu.value >= 0) || (mu.value > kMostFriction && std::isfinite(mu.value))) {
      refuse(mu.place, fmt::format("friction is {}", mu.value),
             "a coefficient between 0 and 1e6, or \"unlimited\"");
      return std::nullopt;
    }
    const double kinetic = law.kinetic_friction ? law.kinetic_friction->value : mu.value;
    if (law.kinetic_friction && !(kinetic >= 0 && kinetic <= mu.value)) {
      refuse(law.kinetic_friction->place,
             fmt::format("kinetic friction is {}, static friction is {}", kinetic, mu.value),
             "0 <= kinetic_friction <= friction");
      return std::nullopt;
    }
    return Coefficients{mu.value, kinetic};
  }

  std::optional<Coefficients> of_material(const MaterialSpec& material) {
    if (!material.law.friction) {
      refuse(material.name.place,
             fmt::format("material \"{}\" has no friction", material.name.value),
             "give it friction = a number or \"unlimited\", or add a [[pair]] for its bodies");
    }
    return coefficients(material.law);
  }
  // Geometric means; nothing sticks to what has no friction.
  std::optional<Coefficients> combined(const MaterialSpec& m1, const MaterialSpec& m2) {
    const auto c1 = of_material(m1), c2 = &m1 == &m2 ? c1 : of_material(m2);
    if (!c1 || !c2) return std::nullopt;
    const auto mean = [](double a, double b) { return a == 0 || b == 0 ? 0.0 : std::sqrt(a * b); };
    return Coefficients{mean(c1->static_friction, c2->static_friction),
                        mean(c1->kinetic_friction, c2->kinetic_friction)};
  }

  const MaterialSpec* material_of(const BodySpec& body) {
    if (!body.material) return nullptr;
    for (const MaterialSpec& material : spec_.materials) {
      if (material.name.value == body.material->value) return &material;
    }
    refuse(body.material->place, fmt::format("there is no material \"{}\"", body.material->value),
           "define it with [[material]]");
    return nullptr;
  }

  void law() {
    const std::string &first = spec_.bodies[0].name.value, &second = spec_.bodies[1].name.value;
    const PairSpec* chosen = nullptr;
    for (const PairSpec& pair : spec_.pairs) {
      for (const std::string& body : pair.bodies.value) {
        if (body != first && body != second) {
          refuse(pair.bodies.place, fmt::format("there is no body \"{}\"", body),
                 "a pair names two bodies of the scene");
        }
      }
      if (pair.bodies.value[0] == pair.bodies.value[1]) {
        refuse(pair.bodies.place, "a pair names the same body twice", "name two bodies");
      } else if (chosen) {
        refuse(pair.bodies.place, "this pair is given twice", "keep one");
      } else {
        chosen = &pair;
      }
    }
    std::set<std::string> names;
    for (const MaterialSpec& material : spec_.materials) {
      if (!names.insert(material.name.value).second) {
        refuse(material.name.place,
               fmt::format("two materials are called \"{}\"", material.name.value),
               "names are unique");
      }
    }
    std::optional<Coefficients> found;
    if (chosen && chosen->law.friction) {
      found = coefficients(chosen->law);
    } else {
      const MaterialSpec *m1 = material_of(spec_.bodies[0]), *m2 = material_of(spec_.bodies[1]);
      if (m1 && m2) found = combined(*m1, *m2);
    }
    if (found) {
      model_.law = {found->static_friction, found->kinetic_friction};
    } else if (errors_.empty()) {
      const Place& at = chosen ? chosen->bodies.place : spec_.bodies[1].name.place;
      refuse(at, fmt::format("the friction between \"{}\" and \"{}\" is not given", first, second),
             "add [[pair]] with bodies and friction = a number or \"unlimited\", or give both "
             "bodies a material");
    }
  }

  void scales() {
    const auto radius = [](const Side& side) {
      return side.X_BS.p.norm() + bounding_radius(side.shape);
    };
    model_.length = std::min(radius(model_.A), radius(model_.B));
    const Twist<double>& phi = model_.start.body.phi;
    if (!std::isfinite(model_.length)) {  // both unbounded: A's radius of gyration
      model_.length = std::sqrt(0.5 * model_.inertia.J.trace() * model_.inertia.inverse_mass);
    }
    const double g = model_.gravity_W.norm();
    model_.speed = std::sqrt(g * model_.length);
    if (g == 0) model_.speed = phi.v.norm() + phi.w.norm() * model_.length;
    if (!(model_.speed > 0)) model_.speed = 1;
    model_.force = model_.inertia.mass * model_.speed * model_.speed / model_.length;
  }

  // A coordinate without the digits that are noise at the size of the body.
  double written(double x) const {
    const double unit = std::pow(10, std::floor(std::log10(model_.length)) - 13);
    return std::round(x / unit) * unit;
  }

  void initial_contact() {
    const BodySpec& body = spec_.bodies[static_cast<std::size_t>(model_.bodies[0].index)];
    FreeState<double>& x = model_.start.body;
    model_.starts = make_starts(model_.A, model_.B);
    const Pose<double> X_BA = inverse(model_.X_WB) * Pose<double>{rotation_matrix(x.q_WA), x.p_WA};
    const Closest near = closest_anywhere(model_.A, model_.B, X_BA, model_.starts);
    if (near.status != ClosestStatus::found) {
      refuse(
          body.position.place, "no pair of nearest points was found between the two bodies",
          near.status == ClosestStatus::at_border
              ? "the nearest point lies on a border, a trimmed edge or a tip, or on a sharp edge: "
                "move the body, or use another pose"
          : near.status == ClosestStatus::not_minimum
              ? "if they overlap deeply, raise the body and check again; surfaces that lie flat "
                "against each other, like a face on a plane, have no point contact, and only these "
                "are simulated"
              : "if they overlap deeply, raise the body and check again; only point contacts are "
                "simulated, not lines and sharp edges");
      return;
    }
    const Vec3<double> shift = model_.X_WB.R * (near.gap * near.normal_B);
    const Vec3<double> p = x.p_WA - shift;
    if (std::abs(near.gap) > 1e-9 * model_.length) {
      refuse(body.position.place,
             near.gap > 0 ? fmt::format("the bodies do not touch at the start: the gap is {:.6g} m",
                                        near.gap)
                          : fmt::format("the bodies overlap at the start by {:.6g} m", -near.gap),
             fmt::format("use position = [{:.17g}, {:.17g}, {:.17g}]", written(p.x()),
                         written(p.y()), written(p.z())));
      return;
    }
    model_.start.A = near.A;
    model_.start.B = near.B;
    model_.start.gap = near.gap;
    x.p_WA = p;
    const PairGeometry<double> pair{
        model_.A.at<double>({near.A.chart, fresh_reference(model_.A, near.A)}, near.A.x),
        model_.B.at<double>({near.B.chart, fresh_reference(model_.B, near.B)}, near.B.x)};
    const auto k = relative_curvature(pair, psi_of_pose(pair, X_BA.R));
    const double measure = conformity(k.K_rel, model_.length);
    if (!(measure > kConformityRefuse)) {
      refuse(body.shape.place,
             fmt::format(
                 "the surfaces conform at the contact: relative curvature times size is {:.3g}",
                 measure),
             fmt::format(
                 "a point contact needs more than {:g}; line and area contacts are not simulated",
                 kConformityRefuse));
    }
  }

  void header() {
    Header& h = model_.header;
    h.scene_name = spec_.name;
    h.scene_text = spec_.text;
    h.scene_file = spec_.duration.place.file;
    h.files = spec_.files;
    h.oloid_version = std::string(kVersion);
    h.duration = model_.t_end;
    h.output_dt = model_.output_dt;
    h.gravity = model_.gravity_W;
    h.energy_scale = model_.inertia.mass * model_.gravity_W.norm() * model_.length;
    for (const BodySpec& body : spec_.bodies) {
      h.bodies.push_back(body.name.value);
      h.masses.push_back(body.fixed ? 0 : model_.inertia.mass);
    }
    h.contacts.push_back(model_.bodies);
  }

  const Spec& spec_;
  Model model_;
  Errors errors_;
};

}  // namespace

Result<Model, Errors> compile(const Spec& spec) { return Compiler(spec).compile(); }

Result<std::vector<BodyForm>, Errors> compile_forms(const Spec& spec) {
  return Compiler(spec).forms();
}

}  // namespace oloid
