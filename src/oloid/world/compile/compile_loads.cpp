#include "oloid/world/compile/compile_loads.h"

#include <cmath>
#include <string>
#include <vector>

#include "oloid/world/compile/checks.h"
#include "oloid/world/compile/compile_formula.h"
#include "oloid/world/compile/error_list.h"
#include "oloid/world/compile/find_body.h"

namespace oloid::world {
namespace {

class LoadsMaker {
 public:
  LoadsMaker(const Spec& spec, std::span<const BodyMotion> start) : spec_(spec), start_(start) {
    OLOID_EXPECT(start.size() == spec.bodies.size());
  }

  Result<Loads, Errors> make() {
    for (const LoadSpec& load : spec_.loads) add(load);
    for (const SpringSpec& spring : spec_.springs) add(spring);
    for (const DragSpec& drag : spec_.drags) add(drag);
    if (!errors_.empty()) return Unexpected{errors_.all()};
    return loads_;
  }

 private:
  using Formulas = std::array<Expression, 3>;

  const BodySpec& body(BodyId id) const { return spec_.bodies[static_cast<std::size_t>(id.index)]; }
  static bool is_free(const BodySpec& body) { return !body.fixed && !body.motion; }

  // The body of that name; not valid after a complaint.
  BodyId find(const std::string& name, const Place& place) {
    const auto found = find_body(spec_, name, place);
    if (found) return BodyId{static_cast<std::int32_t>(*found)};
    errors_.take(found.error());
    return {};
  }
  // The same; complains if forces cannot move the body.
  BodyId find_free(const Located<std::string>& name, std::string_view what) {
    const BodyId id = find(name.value, name.place);
    if (!id.valid() || is_free(body(id))) return id;
    errors_.refuse(name.place,
                   fmt::format("the {} acts on \"{}\", which {}", what, name.value,
                               body(id).fixed ? "is fixed" : "has a motion"),
                   "loads can act only on bodies with a mass");
    return {};
  }

  bool not_negative(const Located<double>& x, std::string_view what) {
    if (x.value >= 0 && x.value <= kLargest) return true;
    errors_.refuse(x.place, fmt::format("{} is {}", what, x.value),
                   fmt::format("must be a number from 0 to {:g}", kLargest));
    return false;
  }
  bool bounded(const Vec3<double>& p, const Place& place) {
    if (p.norm() <= kLargest) return true;
    errors_.refuse(place,
                   fmt::format("the point ({}, {}, {}) is too far away", p.x(), p.y(), p.z()),
                   fmt::format("the limit is {:g} m", kLargest));
    return false;
  }

  // Formulas that are finite at the start; 0 if none are given.
  std::optional<Formulas> formulas(const std::optional<FormulasSpec>& given,
                                   const BodyMotion& start) {
    auto made = compile_formulas(given.value_or(FormulasSpec({"0", "0", "0"})), kLoadVariables);
    if (!made) {
      errors_.take(made.error());
      return std::nullopt;
    }
    const auto values = load_variables(0, start);
    bool finite = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const double value = (*made)[i](values);
      if (std::isfinite(value)) {
        if (given)
          refuse_singularity((*made)[i], item_of(given->place, i), 0, spec_.duration.value,
                             errors_);
        continue;
      }
      errors_.refuse(item_of(given->place, i), fmt::format("the formula is {} at t = 0", value),
                     "it must be finite at the start of the run");
      finite = false;
    }
    if (!finite) return std::nullopt;
    return *std::move(made);
  }

  void add(const LoadSpec& spec) {
    const BodyId id = find_free(spec.body, "load");
    if (!spec.force && !spec.torque) {
      errors_.refuse(spec.body.place, "the load has neither force nor torque",
                     "add force = [\"...\", \"...\", \"...\"], or torque");
    }
    if (!id.valid() || !bounded(spec.point.value, spec.point.place)) return;
    const BodyMotion& start = start_[static_cast<std::size_t>(id.index)];
    auto force = formulas(spec.force, start);
    auto torque = formulas(spec.torque, start);
    if (!force || !torque) return;
    loads_.add_load({id, *std::move(force), *std::move(torque), spec.point.value, spec.body_axes});
  }

  void add(const SpringSpec& spec) {
    Spring spring;
    bool good = true;
    for (std::size_t i = 0; i < 2; ++i) {
      spring.bodies[i] = find(spec.bodies.value[i], item_of(spec.bodies.place, i));
      good = good && spring.bodies[i].valid();
    }
    for (const Vec3<double>& p : spec.points.value) good = bounded(p, spec.points.place) && good;
    good = not_negative(spec.stiffness, "stiffness") && good;
    good = not_negative(spec.damping, "damping") && good;
    good = not_negative(spec.length, "length") && good;
    if (!good) return;
    if (spring.bodies[0] == spring.bodies[1]) {
      return errors_.refuse(spec.bodies.place, "the spring connects a body to itself",
                            "name two bodies");
    }
    if (!is_free(body(spring.bodies[0])) && !is_free(body(spring.bodies[1]))) {
      return errors_.refuse(spec.bodies.place, "neither body of the spring is free to move",
                            "at least one of them must have a mass");
    }
    spring.points = spec.points.value;
    spring.stiffness = spec.stiffness.value;
    spring.damping = spec.damping.value;
    spring.length = spec.length.value;
    std::array<Vec3<double>, 2> ends;
    for (std::size_t i = 0; i < 2; ++i) {
      spring.driven[i] = body(spring.bodies[i]).motion.has_value();
      ends[i] = start_[static_cast<std::size_t>(spring.bodies[i].index)].X_WB * spring.points[i];
    }
    if (spring.length > 0 && ends[0] == ends[1]) {
      return errors_.refuse(spec.points.place,
                            "both ends of the spring are at the same point, so it has no direction",
                            "move one end, or set its length to 0");
    }
    loads_.add_spring(spring);
  }

  void add(const DragSpec& spec) {
    const BodyId id = find_free(spec.body, "drag");
    const bool linear = not_negative(spec.linear, "linear drag");
    const bool angular = not_negative(spec.angular, "angular drag");
    if (!id.valid() || !linear || !angular) return;
    if (spec.linear.value == 0 && spec.angular.value == 0) {
      return errors_.refuse(spec.body.place, "the drag is 0", "specify linear, angular or both");
    }
    loads_.add_drag({id, spec.linear.value, spec.angular.value});
  }

  const Spec& spec_;
  std::span<const BodyMotion> start_;
  Loads loads_;
  ErrorList errors_;
};

}  // namespace

Result<Loads, Errors> compile_loads(const Spec& spec, std::span<const BodyMotion> start) {
  return LoadsMaker(spec, start).make();
}

}  // namespace oloid::world
