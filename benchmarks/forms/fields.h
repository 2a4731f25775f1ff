// The same rolling body in four sets of variables, as fields that can be integrated.
#pragma once

#include "forms/surfaces.h"
#include "oloid/dynamics/parameter_rates.h"
#include "support/rooms.h"

namespace oloid::bench {

inline constexpr Law kRolling{Slip::stuck, Spin::free};

// Where a run begins, in terms that all forms share. B is fixed.
struct Start {
  Uv<double> on_A, on_B;
  Pose<double> X_BA;
  Twist<double> phi_A;  // in A
};

struct Load {
  BodyInertia<double> body;
  Vec3<double> gravity_B;  // [m/s²]

  Wrench<double> on_A(const Pose<double>& X_BA) const {
    return {Vec3<double>::Zero(), body.mass * (X_BA.R.transpose() * gravity_B)};
  }
};

// The contact twist of a start that rolls.
inline Vec5<double> rolling_twist(const Start& start, const LocalSurface<double>& A) {
  const Twist<double> at_C = transform(inverse(Pose<double>{A.R, A.p}), start.phi_A);
  Vec5<double> w;
  w << at_C.w, 0, 0;
  return w;
}

// Parameter rates: y = (q, ζ).
template <class A, class B>
struct ParameterField {
  static constexpr int kSize = 10, kGuards = 0;
  const A& a;
  const B& b;
  Load load;

  ParametricPair<double> pair(const Vec5<double>& q) const {
    return {parametric_side(a.template jet<3>(Uv<double>(q.segment<2>(0)))),
            parametric_side(b.template jet<3>(Uv<double>(q.segment<2>(2))))};
  }
  Pose<double> pose(const Vec<double, 10>& y) const {
    return pose_of_A_in_B(pair_geometry(pair(y.head<5>())), y(4));
  }
  Vec<double, 10> start(const Start& at) const {
    Vec5<double> q;
    q << at.on_A, at.on_B, 0;
    const ParametricPair<double> sides = pair(q);
    q(4) = psi_of_pose(pair_geometry(sides), at.X_BA.R);
    const Vec5<double> w = rolling_twist(at, local_surface(sides.A));
    Vec<double, 10> y;
    y << q, admissible_rates_of_twist(kRolling, contact_matrix(sides, q(4)), w);
    return y;
  }
  bool rates(double, const Vec<double, 10>& y, Vec<double, 10>& dy, Vec<double, 0>&) const {
    const ParametricPair<double> sides = pair(y.head<5>());
    const Pose<double> X = pose_of_A_in_B(pair_geometry(sides), y(4));
    const auto out = parameter_rates(kRolling, sides, y(4), Vec5<double>(y.tail<5>()), load.body,
                                     load.on_A(X), {});
    dy << out.q, out.rates;
    return true;
  }
};

// What a contact-twist form stores of its place on A, and the frame it sees there.
template <class A>
struct ParameterLines {  // (s, t), frame along the parameter lines
  static constexpr int kSize = 2;
  const A& a;
  LocalSurface<double> at(const Uv<double>& q) const {
    return local_surface(parametric_side(a.template jet<3>(q)));
  }
  Uv<double> start(const Start& start) const { return start.on_A; }
};
template <class A>
struct ReferenceDirection {  // (s, t), frame along a direction fixed in the body
  static constexpr int kSize = 2;
  const A& a;
  Vec3<double> reference;
  LocalSurface<double> at(const Uv<double>& q) const {
    return local_surface(a.template jet<2>(q), reference);
  }
  Uv<double> start(const Start& start) const { return start.on_A; }
};
struct PointState {  // the point itself
  static constexpr int kSize = 3;
  PointBall ball;
  Vec3<double> reference;
  LocalSurface<double> at(const Vec3<double>& p) const { return local_surface(ball, p, reference); }
  Vec3<double> start(const Start& start) const {  // touches B where B says
    return inverse(start.X_BA) * Vec3<double>(start.on_B.x(), start.on_B.y(), 0);
  }
};

// Contact twist: y = (place on A, (u, v), ψ, w).
template <class PlaceA, class B>
struct TwistField {
  static constexpr int n = PlaceA::kSize, kSize = n + 8, kGuards = 0;
  PlaceA a;
  const B& b;
  Load load;

  PairGeometry<double> pair(const Vec<double, kSize>& y) const {
    return {
        a.at(y.template head<n>()),
        local_surface(parametric_side(b.template jet<3>(Uv<double>(y.template segment<2>(n)))))};
  }
  Pose<double> pose(const Vec<double, kSize>& y) const { return pose_of_A_in_B(pair(y), y(n + 2)); }
  Vec<double, kSize> start(const Start& at) const {
    Vec<double, kSize> y = Vec<double, kSize>::Zero();
    y.template head<n + 2>() << a.start(at), at.on_B;
    const PairGeometry<double> sides = pair(y);
    y(n + 2) = psi_of_pose(sides, at.X_BA.R);
    y.template tail<5>() = rolling_twist(at, sides.A);
    return y;
  }
  bool rates(double, const Vec<double, kSize>& y, Vec<double, kSize>& dy, Vec<double, 0>&) const {
    const PairGeometry<double> sides = pair(y);
    const double psi = y(n + 2);
    const ContactState<double> state{{}, {}, psi, y.template tail<5>()};
    const auto out =
        contact_rates<kRolling>(sides, state, load.body, load.on_A(pose_of_A_in_B(sides, psi)), {});
    dy << out.location_A.template head<n>(), out.location_B.template head<2>(), out.psi, out.w;
    return true;
  }
};

}  // namespace oloid::bench
