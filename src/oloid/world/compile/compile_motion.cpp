#include "oloid/world/compile/compile_motion.h"

#include <algorithm>
#include <cmath>

#include "oloid/world/compile/checks.h"
#include "oloid/world/compile/compile_formula.h"
#include "oloid/world/compile/error_list.h"

namespace oloid::world {
namespace {

constexpr std::array<std::string_view, 1> kTime{"t"};
constexpr double kLargestTurn = 3;  // [rad], from one key frame to the next
constexpr double kShortestQuaternion =
    0.5;  // a spline between unit quaternions must not come nearer to 0
constexpr std::size_t kMostKeyFrames = 1'000'000;

// Makes the motion of one body; problems are in `errors`.
class MotionMaker {
 public:
  MotionMaker(const BodySpec& body, double t_end)
      : body_(body),
        X_WB_{rotation_matrix(body.orientation.value), body.position.value},
        t_end_(t_end) {}

  Result<Motion, Errors> make() {
    check_body();
    if (!body_.motion) {
      if (!errors_.empty()) return Unexpected{errors_.all()};
      return Motion(Still{X_WB_});
    }
    const std::optional<Motion> motion =
        std::visit([this](const auto& spec) { return make(spec); }, body_.motion->value);
    if (motion && errors_.empty()) check_start(*motion);
    if (!motion || !errors_.empty()) return Unexpected{errors_.all()};
    return *motion;
  }

 private:
  using Formulas = std::array<Expression, 3>;

  // The body is fixed or has a motion: it must have no velocity and, with a motion, no mass.
  void check_body() {
    const std::string_view kind = body_.fixed ? "a fixed body" : "a body with a motion";
    const std::string_view remedy =
        body_.fixed ? "remove it" : "remove it: the motion determines it";
    if (body_.velocity.value.norm() != 0) {
      errors_.refuse(body_.velocity.place, fmt::format("{} has a velocity", kind),
                     std::string(remedy));
    }
    if (body_.angular_velocity.value.norm() != 0) {
      errors_.refuse(body_.angular_velocity.place, fmt::format("{} has an angular velocity", kind),
                     std::string(remedy));
    }
    if (!body_.motion) return;
    if (body_.fixed) {
      errors_.refuse(body_.motion->place, "a fixed body has a motion",
                     "keep either fixed = true or the motion");
    }
    const auto no_mass = [&](const auto& given, std::string_view what) {
      if (!given) return;
      errors_.refuse(given->place, fmt::format("a body with a motion has {}", what),
                     "remove it or the motion: forces do not affect a prescribed motion");
    };
    no_mass(body_.mass, "a mass");
    no_mass(body_.inertia, "an inertia");
    no_mass(body_.density, "a density");
  }

  // A formula that has this many derivatives at all times of the run.
  std::optional<Expression> formula(const std::string& text, const Place& place, int derivatives) {
    auto made = compile_formula(text, place, kTime);
    if (!made) {
      errors_.take(made.error());
      return std::nullopt;
    }
    refuse_singularity(*made, place, derivatives, t_end_, errors_);
    return *std::move(made);
  }
  std::optional<Formulas> formulas(const FormulasSpec& given, int derivatives) {
    auto made = compile_formulas(given, kTime);
    if (!made) {
      errors_.take(made.error());
      return std::nullopt;
    }
    for (std::size_t i = 0; i < made->size(); ++i)
      refuse_singularity((*made)[i], item_of(given.place, i), derivatives, t_end_, errors_);
    return *std::move(made);
  }

  std::optional<Motion> make(const FormulaMotionSpec& spec) {
    FormulaMotion motion{X_WB_};
    if (spec.position) motion.position = formulas(*spec.position, 2);
    if (spec.rotation_vector) motion.rotation_vector = formulas(*spec.rotation_vector, 2);
    if (spec.angle) motion.angle = formula(spec.angle->value, spec.angle->place, 2);
    const double length = spec.rotation_axis.value.norm();
    if (!(length > 0) || !std::isfinite(length)) {
      errors_.refuse(spec.rotation_axis.place, "the rotation axis has no direction",
                     "use a nonzero vector, like [0, 0, 1]");
      return std::nullopt;
    }
    motion.axis = spec.rotation_axis.value / length;
    if (spec.angle && spec.rotation_vector) {
      errors_.refuse(spec.rotation_vector->place, "the rotation is given twice",
                     "keep either the angle or the rotation vector");
    } else if (!spec.position && !spec.angle && !spec.rotation_vector) {
      errors_.refuse(body_.motion->place, "the motion is empty",
                     "specify position, angle or rotation_vector");
    }
    return Motion(std::move(motion));
  }

  std::optional<Motion> make(const BeltMotionSpec& spec) {
    const FormulasSpec none{{"0", "0", "0"}, body_.motion->place};
    auto velocity = formulas(spec.velocity.value_or(none), 1);
    auto spin = spec.spin ? formula(spec.spin->value, spec.spin->place, 1)
                          : formula("0", body_.motion->place, 1);
    if (!velocity || !spin) return std::nullopt;
    const Vec3<double> axis = rotation_matrix(body_.shape_orientation.value).col(2);
    const Vec3<double> point =
        body_.shape_position ? body_.shape_position->value : Vec3<double>::Zero();
    return Motion(BeltMotion{X_WB_, *std::move(velocity), *std::move(spin), axis, point});
  }

  std::optional<Motion> make(const KeyFrameMotionSpec& spec) {
    if (!spec.positions && !spec.orientations && !spec.rotation_vectors) {
      errors_.refuse(spec.times.place, "the key frames have no poses",
                     "specify positions, orientations or rotation_vectors, one for each time");
    } else if (spec.orientations && spec.rotation_vectors) {
      errors_.refuse(spec.rotation_vectors->place, "the rotation is given twice",
                     "keep either the orientations or the rotation vectors");
    }
    check_times(spec);
    if (!errors_.empty()) return std::nullopt;
    KeyFrameMotion motion{X_WB_};
    if (spec.positions) motion.position = spline(spec, *spec.positions, "positions");
    if (spec.rotation_vectors) {
      motion.rotation_vector = spline(spec, *spec.rotation_vectors, "rotation vectors");
    }
    if (spec.orientations) motion.quaternion = quaternion_spline(spec, *spec.orientations);
    return Motion(std::move(motion));
  }

  void check_times(const KeyFrameMotionSpec& spec) {
    const std::vector<double>& t = spec.times.value;
    const std::size_t fewest = spec.periodic ? 3 : 2;
    if (t.size() < fewest || t.size() > kMostKeyFrames) {
      errors_.refuse(spec.times.place, fmt::format("there are {} key frames", t.size()),
                     fmt::format("specify {} to {}{}", fewest, kMostKeyFrames,
                                 spec.periodic ? "; the last must equal the first" : ""));
    }
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (!(std::abs(t[i]) <= kLargest)) {
        return errors_.refuse(item_of(spec.times.place, i), fmt::format("the time is {}", t[i]),
                              fmt::format("the limit is {:g} s", kLargest));
      }
      if (i > 0 && !(t[i] - t[i - 1] >= kSmallest)) {
        return errors_.refuse(item_of(spec.times.place, i),
                              fmt::format("the time {} is not after {}", t[i], t[i - 1]),
                              "times must increase by at least 1 ns");
      }
    }
  }

  template <class T>
  bool as_many(const KeyFrameMotionSpec& spec, const Located<std::vector<T>>& given,
               std::string_view what) {
    const std::size_t n = spec.times.value.size();
    if (given.value.size() == n) return true;
    errors_.refuse(given.place,
                   fmt::format("there are {} {} for {} times", given.value.size(), what, n),
                   "specify one for each time");
    return false;
  }

  std::optional<CubicSpline<3>> spline(const KeyFrameMotionSpec& spec,
                                       const Located<std::vector<Vec3<double>>>& given,
                                       std::string_view what) {
    if (!as_many(spec, given, what)) return std::nullopt;
    std::vector<Vec3<double>> points = given.value;
    double largest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!(points[i].norm() <= kLargest)) {
        errors_.refuse(item_of(given.place, i), "the components are too large",
                       fmt::format("the limit is {:g}", kLargest));
        return std::nullopt;
      }
      largest = std::max(largest, points[i].norm());
    }
    if (!spec.periodic) return CubicSpline<3>::at_rest_outside(spec.times.value, points);
    if ((points.back() - points.front()).norm() > 1e-9 * largest) {
      refuse_open(given.place, points.size() - 1);
      return std::nullopt;
    }
    points.back() = points.front();
    return CubicSpline<3>::periodic(spec.times.value, points);
  }

  // q and -q are one rotation: signs are chosen so that neighbours are near, and after a whole
  // number of turns the spline may come back with the opposite sign.
  std::optional<CubicSpline<4>> quaternion_spline(const KeyFrameMotionSpec& spec,
                                                  const Located<std::vector<Quat<double>>>& given) {
    if (!as_many(spec, given, "orientations")) return std::nullopt;
    std::vector<Vec<double, 4>> points;
    points.reserve(given.value.size());
    for (std::size_t i = 0; i < given.value.size(); ++i) {
      const Quat<double> q = unit(given.value[i]);
      Vec<double, 4> x(q.w, q.x, q.y, q.z);
      if (!x.allFinite()) {
        errors_.refuse(item_of(given.place, i), "the orientation is not a unit quaternion",
                       "must satisfy w² + x² + y² + z² = 1");
        return std::nullopt;
      }
      if (i > 0) {
        const double cosine = points.back().dot(x);
        const double turn = 2 * std::acos(std::min(1.0, std::abs(cosine)));
        if (turn > kLargestTurn) {
          errors_.refuse(
              item_of(given.place, i),
              fmt::format("the rotation from the previous key frame is {:.4g} rad", turn),
              fmt::format("it must be less than {:g} rad: add key frames in between, or use "
                          "rotation_vectors",
                          kLargestTurn));
          return std::nullopt;
        }
        if (cosine < 0) x = -x;
      }
      points.push_back(x);
    }
    if (!spec.periodic) {
      return checked(CubicSpline<4>::at_rest_outside(spec.times.value, points), given.place);
    }
    const double sign = points.back().dot(points.front()) < 0 ? -1 : 1;
    if ((points.back() - sign * points.front()).norm() > 1e-9) {
      refuse_open(given.place, points.size() - 1);
      return std::nullopt;
    }
    points.back() = sign * points.front();
    return checked(CubicSpline<4>::periodic(spec.times.value, points, sign), given.place);
  }

  void refuse_open(const Place& list, std::size_t last) {
    errors_.refuse(item_of(list, last),
                   "the last key frame of a periodic motion differs from the first",
                   "repeat the first key frame at the end of the period");
  }

  // The spline must stay away from 0, where a quaternion has no direction.
  std::optional<CubicSpline<4>> checked(CubicSpline<4> spline, const Place& place) {
    constexpr int kSamples = 16;
    const std::vector<double>& t = spline.knots();
    for (std::size_t i = 0; i + 1 < t.size(); ++i) {
      for (int k = 1; k < kSamples; ++k) {
        const double u = static_cast<double>(k) / kSamples;
        if (spline.at(t[i] + u * (t[i + 1] - t[i])).x.norm() >= kShortestQuaternion) continue;
        errors_.refuse(item_of(place, i + 1), "the orientations change too much between key frames",
                       "add key frames in between, or use rotation_vectors");
        return std::nullopt;
      }
    }
    return spline;
  }

  // The motion must be finite at t = 0, and start at the position of the body if that is given.
  void check_start(const Motion& motion) {
    const BodyMotion start = motion.at(0);
    const bool finite = start.X_WB.R.allFinite() && start.X_WB.p.allFinite() &&
                        start.phi.w.allFinite() && start.phi.v.allFinite() &&
                        start.phi_rate.w.allFinite() && start.phi_rate.v.allFinite();
    if (!finite) {
      return errors_.refuse(
          body_.motion->place, "the motion or its first two derivatives are not finite at t = 0",
          "pose, velocity and acceleration must be finite: avoid terms like sqrt(t) and 1 / t");
    }
    const Vec3<double>& given = body_.position.value;
    if (given.norm() != 0 && (start.X_WB.p - given).norm() > 1e-9 * given.norm()) {
      errors_.refuse(
          body_.position.place,
          fmt::format(
              "the body is at ({:g}, {:g}, {:g}), but its motion starts at ({:g}, {:g}, {:g})",
              given.x(), given.y(), given.z(), start.X_WB.p.x(), start.X_WB.p.y(),
              start.X_WB.p.z()),
          "remove the position of the body: the motion determines it");
    }
  }

  const BodySpec& body_;
  Pose<double> X_WB_;
  double t_end_;  // [s]
  ErrorList errors_;
};

}  // namespace

Result<Motion, Errors> compile_motion(const BodySpec& body, double t_end) {
  OLOID_EXPECT(body.fixed || body.motion);
  return MotionMaker(body, t_end).make();
}

}  // namespace oloid::world
