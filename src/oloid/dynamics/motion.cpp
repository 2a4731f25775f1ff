#include "oloid/dynamics/motion.h"

#include <algorithm>
#include <cmath>

#include "oloid/base/second_order.h"
#include "oloid/spatial/turn.h"

namespace oloid::dynamics {
namespace {

template <class... Fs>
struct Overload : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overload(Fs...) -> Overload<Fs...>;

using Second = SecondOrder<double, 1>;  // in t

Second evaluated(const Expression& formula, double t) {
  return formula(std::array<Second, 1>{Second::variable(t, 0)});
}

CurvePoint<3> evaluated(const std::array<Expression, 3>& formulas, double t) {
  CurvePoint<3> p;
  for (int i = 0; i < 3; ++i) {
    const Second y = evaluated(formulas[static_cast<std::size_t>(i)], t);
    p.x(i) = y.v;
    p.v(i) = y.d[0];
    p.a(i) = y.h[0];
  }
  return p;
}

// From world velocity and acceleration of the origin to body components (see BodyMotion).
BodyMotion assembled(const CurvePoint<3>& p, const Turn& turn) {
  const Vec3<double> v = turn.R.transpose() * p.v;
  return {
      {turn.R, p.x}, {turn.w, v}, {turn.w_rate, turn.R.transpose() * p.a - turn.w.cross(v)}, {}};
}

Quat<double> quat(const Vec<double, 4>& q) { return {q(0), q(1), q(2), q(3)}; }

BodyMotion motion_at(const Still& still, double) { return {still.X_WB, {}, {}, {}}; }

BodyMotion motion_at(const FormulaMotion& m, double t) {
  CurvePoint<3> p;
  p.x = m.X_WB.p;
  if (m.position) p = evaluated(*m.position, t);
  if (m.rotation_vector) {
    const CurvePoint<3> theta = evaluated(*m.rotation_vector, t);
    return assembled(p, turn_by_vector(theta.x, theta.v, theta.a, m.X_WB.R));
  }
  if (!m.angle) return assembled(p, {m.X_WB.R, Vec3<double>::Zero(), Vec3<double>::Zero()});
  const Second angle = evaluated(*m.angle, t);
  const Vec3<double> axis_B = m.X_WB.R.transpose() * m.axis;  // the turn leaves it in place
  return assembled(
      p, {axis_angle(m.axis, angle.v) * m.X_WB.R, angle.d[0] * axis_B, angle.h[0] * axis_B});
}

BodyMotion motion_at(const KeyFrameMotion& m, double t) {
  CurvePoint<3> p;
  p.x = m.X_WB.p;
  if (m.position) p = m.position->at(t);
  if (m.quaternion) {
    const CurvePoint<4> s = m.quaternion->at(t);
    return assembled(p, turn_by_quaternion(quat(s.x), quat(s.v), quat(s.a)));
  }
  CurvePoint<3> theta;
  if (m.rotation_vector) theta = m.rotation_vector->at(t);
  return assembled(p, turn_by_vector(theta.x, theta.v, theta.a, m.X_WB.R));
}

BodyMotion motion_at(const BeltMotion& m, double t) {
  const CurvePoint<3> v = evaluated(m.velocity, t);
  const Second spin = evaluated(m.spin, t);
  const Mat3<double> R_BW = m.X_WB.R.transpose();
  const Vec3<double> from_axis = m.point.cross(m.axis);  // velocity of the origin for spin 1
  const Twist<double> phi{spin.v * m.axis, R_BW * v.x + spin.v * from_axis};
  const Twist<double> rate{spin.d[0] * m.axis, R_BW * v.v + spin.d[0] * from_axis};
  return {m.X_WB, phi, rate, phi, rate};
}

// The knots of either spline: all have the same times.
const std::vector<double>& times_of(const KeyFrameMotion& m, bool& periodic) {
  static const std::vector<double> kNone;
  const auto of = [&](const auto& spline) -> const std::vector<double>& {
    periodic = spline->is_periodic();
    return spline->knots();
  };
  if (m.position) return of(m.position);
  if (m.rotation_vector) return of(m.rotation_vector);
  if (m.quaternion) return of(m.quaternion);
  return kNone;
}

bool uses_time(const std::array<Expression, 3>& formulas) {
  return std::any_of(formulas.begin(), formulas.end(),
                     [](const Expression& f) { return f.uses(0); });
}

}  // namespace

BodyMotion Motion::at(double t) const {
  return std::visit([&](const auto& kind) { return motion_at(kind, t); }, kind_);
}

bool Motion::is_moving() const {
  return std::visit(Overload{[](const Still&) { return false; },
                             [](const FormulaMotion& m) {
                               return (m.position && uses_time(*m.position)) ||
                                      (m.angle && m.angle->uses(0)) ||
                                      (m.rotation_vector && uses_time(*m.rotation_vector));
                             },
                             [](const KeyFrameMotion& m) {
                               return m.position || m.rotation_vector || m.quaternion;
                             },
                             [](const BeltMotion&) { return true; }},
                    kind_);
}

std::vector<double> Motion::breaks() const {
  const auto* frames = std::get_if<KeyFrameMotion>(&kind_);
  if (!frames) return {};
  bool periodic = false;
  const std::vector<double>& times = times_of(*frames, periodic);
  if (periodic || times.empty()) return {};
  return {times.front(), times.back()};
}

std::vector<double> Motion::knots(double from, double to) const {
  const auto* frames = std::get_if<KeyFrameMotion>(&kind_);
  if (!frames) return {};
  bool periodic = false;
  const std::vector<double>& times = times_of(*frames, periodic);
  if (times.empty()) return {};
  const double period = times.back() - times.front();
  const double first = periodic ? std::floor((from - times.front()) / period) : 0;
  const double last = periodic ? std::floor((to - times.front()) / period) : 0;
  std::vector<double> found;
  for (double n = first; n <= last; ++n) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (periodic && i + 1 == times.size()) continue;  // the first of the next period
      const double t = times[i] + n * period;
      if (t >= from && t <= to) found.push_back(t);
    }
  }
  return found;
}

}  // namespace oloid::dynamics
