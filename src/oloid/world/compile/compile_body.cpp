#include "oloid/world/compile/compile_body.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "oloid/geometry/measure/solid.h"
#include "oloid/world/compile/checks.h"
#include "oloid/world/compile/compile_motion.h"
#include "oloid/world/compile/compile_shape.h"

namespace oloid::world {
namespace {

void check_inertia(const Located<Mat3<double>>& given, ErrorList& errors) {
  const Mat3<double>& J = given.value;
  if (!J.allFinite() || J.norm() > kLargest * kLargest) {
    errors.refuse(given.place, "the inertia is not finite or too large",
                  "use finite numbers in kg m2");
    return;
  }
  if ((J - J.transpose()).norm() > 1e-12 * J.norm()) {
    errors.refuse(given.place, "the inertia is not symmetric",
                  "entries (i, j) and (j, i) must be equal");
    return;
  }
  const Vec3<double> principal = Eigen::SelfAdjointEigenSolver<Mat3<double>>(J).eigenvalues();
  if (!(principal(0) > 1e-14 * principal(2)) || !(principal(2) > 0)) {
    errors.refuse(
        given.place,
        fmt::format(
            "the inertia is not positive definite: its principal moments are {:g}, {:g}, {:g}",
            principal(0), principal(1), principal(2)),
        "all principal moments must be positive");
  } else if (principal(2) > (principal(0) + principal(1)) * (1 + 1e-9)) {
    errors.refuse(
        given.place,
        fmt::format("impossible principal moments {:g}, {:g}, {:g}: the largest exceeds the "
                    "sum of the others",
                    principal(0), principal(1), principal(2)),
        "check the inertia");
  }
}

// Mass and inertia as they are given.
void given_mass(const BodySpec& body, Body& made, ErrorList& errors) {
  if (errors.in_range(*body.mass, "mass", kSmallestQuantity, kLargest,
                      "specify a positive mass in kg"))
    made.inertia.mass = body.mass->value;
  const std::size_t before = errors.size();
  check_inertia(*body.inertia, errors);
  made.inertia.J = 0.5 * (body.inertia->value + body.inertia->value.transpose());
  const bool light = made.inertia.J.trace() < 1e-18 * made.inertia.mass;
  if (light && errors.size() == before) {
    errors.refuse(body.inertia->place, "the inertia is too small for the mass",
                  "check the units (kg m2); a body of this mass would be smaller than 1e-9 m");
  }
}

// From a density, or from a mass alone: the same material everywhere in the shape.
void homogeneous_mass(const BodySpec& body, Body& made, ErrorList& errors) {
  const Located<double>& given = body.density ? *body.density : *body.mass;
  const std::string_view what = body.density ? "density" : "mass";
  if (body.shape_position) {
    errors.refuse(
        body.shape_position->place,
        fmt::format("the shape has a position although the body has a {}{}", what,
                    body.density ? "" : " but no inertia"),
        fmt::format(
            "remove it: the centre of mass, which is the body's origin, follows from the shape{}",
            body.density ? "" : "; or specify the inertia"));
    return;
  }
  if (!errors.in_range(
          given, what, kSmallestQuantity, kLargest,
          fmt::format("specify a positive {} in {}", what, body.density ? "kg/m3" : "kg")))
    return;
  const Result<Solid> solid = geometry::solid(made.side.shape);
  if (!solid) {
    errors.refuse(given.place,
                  fmt::format("the {} cannot be computed from the {}: {}",
                              body.density ? "mass" : "inertia", what, solid.error().message),
                  body.density ? solid.error().remedy
                               : "specify the inertia about the centre of mass: 3 principal "
                                 "moments or a 3 x 3 matrix, in kg m2");
    return;
  }
  const double density = body.density ? given.value : given.value / solid->volume;
  const Located<double> mass(body.density ? density * solid->volume : given.value, given.place);
  if (!errors.in_range(mass, "the mass from the density", kSmallestQuantity, kLargest,
                       "check the units: kg/m3, m"))
    return;
  const Mat3<double>& R = made.side.X_BS.R;
  made.side.X_BS.p = -(R * solid->centre);
  made.inertia.mass = mass.value;
  made.inertia.J = density * (R * solid->inertia * R.transpose());
}

}  // namespace

void check_pose(const BodySpec& body, ErrorList& errors) {
  errors.bounded(body.position, "position");
  if (body.shape_position) errors.bounded(*body.shape_position, "position of the shape");
  for (const auto* q : {&body.orientation, &body.shape_orientation}) {
    if (!(std::abs(squared_norm(q->value) - 1) < 1e-6)) {
      errors.refuse(q->place, "the orientation is not a unit quaternion",
                    "must satisfy w² + x² + y² + z² = 1");
    }
  }
}

void compile_side(const BodySpec& body, PlacedShape& side, ErrorList& errors) {
  check_pose(body, errors);
  side.X_BS = {rotation_matrix(body.shape_orientation.value), Vec3<double>::Zero()};
  if (body.shape_position) side.X_BS.p = body.shape_position->value;
  auto made = compile_shape(body.shape);
  if (made) {
    side.shape = *std::move(made);
  } else {
    errors.take(made.error());
  }
}

void compile_mass(const BodySpec& body, bool shaped, Body& made, ErrorList& errors) {
  if (body.density && (body.mass || body.inertia)) {
    errors.refuse(body.density->place, "density is given together with mass or inertia",
                  "specify either density, or mass and inertia");
  } else if (!body.density && !body.mass) {
    errors.refuse(body.name.place, fmt::format("body \"{}\" has no mass", body.name.value),
                  "specify mass in kg, density in kg/m3, fixed = true, or a motion");
  } else if (body.inertia) {
    given_mass(body, made, errors);
  } else if (shaped) {
    homogeneous_mass(body, made, errors);
  }
}

void compile_moving(const BodySpec& body, Body& made, ErrorList& errors) {
  const std::size_t before = errors.size();
  compile_side(body, made.side, errors);
  compile_mass(body, errors.size() == before, made, errors);
  errors.bounded(body.velocity, "velocity");
  errors.bounded(body.angular_velocity, "angular velocity");
  if (!errors.empty()) return;
  BodyInertia<double>& M = made.inertia;
  M.inverse_mass = 1 / M.mass;
  M.J_inv = M.J.inverse();
}

void compile_ground(const BodySpec& body, double t_end, Body& made, ErrorList& errors) {
  auto motion = compile_motion(body, t_end);
  if (motion) {
    made.motion = *std::move(motion);
  } else {
    errors.take(motion.error());
  }
}

FreeState<double> start_state(const BodySpec& body) {
  const Mat3<double> R = rotation_matrix(body.orientation.value);
  return {body.position.value,
          unit(body.orientation.value),
          {R.transpose() * body.angular_velocity.value, R.transpose() * body.velocity.value}};
}

}  // namespace oloid::world
