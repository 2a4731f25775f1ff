#include "oloid/dynamics/impact.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "oloid/base/contract.h"
#include "oloid/numerics/root.h"
#include "oloid/numerics/small_solve.h"

namespace oloid::dynamics {

namespace {

// P with W P = −v. Bodies that are held elsewhere may be unable to move in some direction: then the
// least one that stops what can be stopped.
Vec3<double> impulse_to_rest(const Mat3<double>& W, const Vec3<double>& v) {
  constexpr double kSingular = 1e-9;
  const double scale = W.cwiseAbs().maxCoeff();
  if (std::abs(W.determinant()) > kSingular * scale * scale * scale)
    return Lu<double, 3>(W).solve(-v);
  Eigen::CompleteOrthogonalDecomposition<Mat3<double>> qr;
  qr.setThreshold(kSingular);
  qr.compute(W);
  return qr.solve(-v);
}

}  // namespace

// P_I stops the normal velocity without friction, P_II all of the velocity (theory/impact.md eqs. 2
// to 5):
//   P = (1 + e) P_I + κ D,   D = P_II − P_I,   κ = 1 + e_t, or less, so that P is on the cone
// The cone of unlimited friction is all that does not pull.
// W D has no normal part and P_I no tangential one, so the two parts of the loss do not mix.
Collision collide(const Mat3<double>& W, const Vec3<double>& v, const CollisionLaw& law) {
  if (!(v.z() > 0)) return {Vec3<double>::Zero(), v, 0, CollisionBranch::none};
  const double e = law.restitution, mu = law.friction;
  const double p_I = v.z() / W(2, 2);  // pushes along −z
  Vec3<double> D = Vec3<double>::Zero();
  if (mu > 0) D = impulse_to_rest(W, v) + Vec3<double>(0, 0, p_I);
  const double D_t = D.head<2>().norm(), D_n = -D.z();
  double kappa = 1 + law.tangential_restitution;
  CollisionBranch branch = CollisionBranch::inside;
  const double push = (1 + e) * p_I + kappa * D_n;
  if (std::isfinite(mu) ? kappa * D_t > mu * push : push < 0) {
    kappa = std::isfinite(mu) ? mu * (1 + e) * p_I / (D_t - mu * D_n) : (1 + e) * p_I / -D_n;
    branch = CollisionBranch::clamped;
  }
  Collision out;
  out.P = kappa * D - Vec3<double>(0, 0, (1 + e) * p_I);
  out.v = v + W * out.P;
  out.v.z() = -e * v.z();
  out.energy_loss =
      0.5 * ((1 - e * e) * v.z() * p_I + kappa * (2 - kappa) * D.dot(Vec3<double>(W * D)));
  out.branch = branch;
  return out;
}

namespace {

// The contact during the jam. Slip is followed by its own equation and not by v + W P: that keeps
// its direction as it vanishes.
struct JamState {
  Vec2<double> slip;  // [m/s]
  Vec3<double> P;     // [N s]
};

JamState operator+(const JamState& a, const JamState& b) { return {a.slip + b.slip, a.P + b.P}; }
JamState operator*(double s, const JamState& a) { return {s * a.slip, s * a.P}; }

class Compression {
 public:
  Compression(const Mat3<double>& W, const Vec3<double>& v, double friction)
      : W_(W),
        v_(v),
        mu_(friction),
        W_tt_(W.topLeftCorner<2, 2>()),
        W_tz_(W.topRightCorner<2, 1>()) {
    fastest_ = mu_ * W_tt_.norm() + W_tz_.norm();
  }

  Jam run();

 private:
  static constexpr int kMaxSteps = 100000;
  static constexpr double kTolerance = 1e-13;  // of the slip, relative, in one step
  static constexpr double kStopped = 1e-13;    // of the slip, relative to the first

  double normal_velocity(const Vec3<double>& P) const { return v_.z() + W_.row(2).dot(P); }

  // Impulse and change of slip for a unit of pushing, while sliding along a direction: eq. 7.
  Vec3<double> push(const Vec2<double>& direction) const {
    return {-mu_ * direction.x(), -mu_ * direction.y(), -1};
  }
  Vec2<double> drift(const Vec2<double>& direction) const {
    return -mu_ * (W_tt_ * direction) - W_tz_;
  }
  double resistance(const Vec2<double>& direction) const {  // Δ
    return W_(2, 2) + mu_ * W_tz_.dot(direction);
  }

  // Eq. 9: in the parameter σ with dp = |v_s| dσ the slip has no end, and nothing is singular.
  JamState rates(const JamState& x) const {
    const double speed = x.slip.norm();
    return {-mu_ * (W_tt_ * x.slip) - speed * W_tz_,
            {-mu_ * x.slip.x(), -mu_ * x.slip.y(), -speed}};
  }
  JamState rk4(const JamState& x, double h) const {
    const JamState k1 = rates(x), k2 = rates(x + 0.5 * h * k1), k3 = rates(x + 0.5 * h * k2),
                   k4 = rates(x + h * k3);
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  // Two half steps, corrected by the difference from a whole one: order 5. The impulse is counted
  // from the start of the step, because it does not become small as the slip does.
  struct Step {
    JamState x;
    double error;  // of the slip, relative
  };
  Step step(double h) const {
    const JamState start{x_.slip, Vec3<double>::Zero()};
    const JamState two = rk4(rk4(start, 0.5 * h), 0.5 * h);
    const JamState correction = 1.0 / 15 * (two + -1.0 * rk4(start, h));
    const double impulse = fastest_ * correction.P.norm() / (1 + mu_);
    return {two + correction + JamState{Vec2<double>::Zero(), x_.P},
            std::max(correction.slip.norm(), impulse) / x_.slip.norm()};
  }

  // The direction of the slip no longer changes: everything is linear in p.
  bool is_straight() const {
    const Vec2<double> v = x_.slip.normalized(), a = drift(v);
    return std::abs(v.x() * a.y() - v.y() * a.x()) <=
           8 * std::numeric_limits<double>::epsilon() * fastest_;
  }
  Jam finish_straight();
  Jam finish_stopped();
  Jam slide_until(double h);
  Jam done(JamEnd end) const;

  const Mat3<double>& W_;
  const Vec3<double>& v_;
  double mu_;
  Mat2<double> W_tt_;
  Vec2<double> W_tz_;
  double fastest_;  // [1/kg], bound of the rates
  JamState x_;
  int steps_ = 0;
};

Jam Compression::done(JamEnd end) const {
  Jam out;
  out.P = x_.P;
  const double v_z = normal_velocity(x_.P);
  out.v << x_.slip, end == JamEnd::none || end == JamEnd::unfinished ? v_z : 0;
  out.energy_loss = std::max(0.0, -0.5 * x_.P.dot(Vec3<double>(v_ + out.v)));
  out.end = end;
  out.steps = steps_;
  return out;
}

// At rest at the contact except for the approach. Sticking needs the impulse (W_tt⁻¹ W_tz, −1) for
// a unit of pushing. If that is inside the cone, it continues to v = 0, and however it gets there
// the impulse is −W⁻¹ v. If not, slip sets in along the one direction that it keeps: eqs. 10 and
// 11.
Jam Compression::finish_stopped() {
  const Vec2<double> hold = Ldlt<double, 2>(W_tt_).solve(W_tz_);
  if (hold.norm() <= mu_) {
    x_ = {Vec2<double>::Zero(), Ldlt<double, 3>(W_).solve(-v_)};
    return done(JamEnd::sticks);
  }
  const auto direction = [&](double rate) {
    const Mat2<double> M = mu_ * W_tt_ + rate * Mat2<double>::Identity();
    return Vec2<double>(-Ldlt<double, 2>(M).solve(W_tz_));
  };
  const auto excess = [&](double rate) { return direction(rate).norm() - 1; };
  const double largest = W_tz_.norm();
  const double rate = find_root(excess, 0, excess(0), largest, excess(largest)).x;
  const Vec2<double> v_hat = direction(rate).normalized();
  const double p = normal_velocity(x_.P) / resistance(v_hat);
  x_ = {p * rate * v_hat, x_.P + p * push(v_hat)};
  return done(JamEnd::slides_anew);
}

Jam Compression::finish_straight() {
  const double speed = x_.slip.norm();
  const Vec2<double> v_hat = x_.slip / speed;
  const double slowing = -v_hat.dot(drift(v_hat)), closing = resistance(v_hat);
  const double to_stop = slowing > 0 ? speed / slowing : INFINITY;
  const double to_end = closing > 0 ? normal_velocity(x_.P) / closing : INFINITY;
  if (!std::isfinite(std::min(to_stop, to_end))) return done(JamEnd::unfinished);
  const double p = std::min(to_stop, to_end);
  x_ = {x_.slip - p * slowing * v_hat, x_.P + p * push(v_hat)};
  return to_stop < to_end ? finish_stopped() : done(JamEnd::slides_on);
}

// The last step: as long as it takes to bring the normal velocity to 0.
Jam Compression::slide_until(double h) {
  const auto approach = [&](double part) { return normal_velocity(step(part).x.P); };
  const double now = normal_velocity(x_.P);
  x_ = step(find_root(approach, 0, now, h, approach(h)).x).x;
  return done(JamEnd::slides_on);
}

Jam Compression::run() {
  x_ = {v_.head<2>(), Vec3<double>::Zero()};
  const double first_speed = x_.slip.norm();
  const bool approaches = v_.z() > 0;
  if (!approaches && (first_speed == 0 || resistance(x_.slip / first_speed) > 0))
    return done(JamEnd::none);
  double h = 0.01 / fastest_;
  while (steps_ < kMaxSteps) {
    if (x_.slip.norm() <= kStopped * first_speed) return finish_stopped();
    if (is_straight()) return finish_straight();
    const Step next = step(h);
    ++steps_;
    if (next.error <= kTolerance && normal_velocity(next.x.P) <= 0) {
      if (normal_velocity(x_.P) > 0) return slide_until(h);
      // From v_z = 0, up and down again within the first step, or not up at all.
      if (h * fastest_ < std::numeric_limits<double>::epsilon()) return done(JamEnd::none);
      h *= 0.5;
      continue;
    }
    if (next.error <= kTolerance) x_ = next.x;
    h *= std::clamp(0.9 * std::pow(next.error / kTolerance, -0.2), 0.2, 2.0);
  }
  return done(JamEnd::unfinished);
}

}  // namespace

Jam impact_without_collision(const Mat3<double>& W, const Vec3<double>& v, double friction) {
  OLOID_EXPECT(friction > 0 && std::isfinite(friction));
  return Compression(W, v, friction).run();
}

}  // namespace oloid::dynamics
