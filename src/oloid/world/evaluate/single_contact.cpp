#include "oloid/world/evaluate/single_contact.h"

#include <cmath>

#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/analytic/plane.h"
#include "oloid/world/events/grip.h"

namespace oloid::world {
namespace {

// Shapes by their types: how far a location is inside its chart, and the surface there.
struct SphereSide {
  const Ellipsoid& sphere;
  double margin(ChartId, const Vec3<double>& q) const {
    return sphere_charts::margin<double>(q.head<2>());
  }
  LocalSurface<double> at(const ChartAnchor& anchor, const Vec3<double>& q) const {
    return sphere.local_sphere(anchor.chart.index, q, anchor.reference);
  }
};
struct EllipsoidSide {
  const Ellipsoid& ellipsoid;
  double margin(ChartId, const Vec3<double>& q) const {
    return sphere_charts::margin<double>(q.head<2>());
  }
  LocalSurface<double> at(const ChartAnchor& anchor, const Vec3<double>& q) const {
    return ellipsoid.local(anchor.chart.index, q, anchor.reference);
  }
};
struct PlaneSide {
  double margin(ChartId, const Vec3<double>&) const { return 1; }
  LocalPlane<double> at(const ChartAnchor& anchor, const Vec3<double>& q) const {
    return Plane{}.local(anchor.chart.index, q, anchor.reference);
  }
};
struct AnySide {
  const Shape& shape;
  double margin(ChartId chart, const Vec3<double>& q) const {
    return geometry::margin(shape, {chart, q});
  }
  LocalSurface<double> at(const ChartAnchor& anchor, const Vec3<double>& q) const {
    return local_surface<double>(shape, anchor.chart, q, anchor.reference);
  }
};
template <class Side>
Side side_of(const Shape& shape, const Ellipsoid* ellipsoid) {
  if constexpr (std::is_same_v<Side, AnySide>) {
    return {shape};
  } else if constexpr (std::is_same_v<Side, PlaneSide>) {
    return {};
  } else {
    return {*ellipsoid};
  }
}

constexpr Law kFrictionless{Slip::frictionless}, kSliding{Slip::sliding}, kRolling{Slip::stuck},
    kNoSpin{Slip::stuck, Spin::stuck};

}  // namespace

SingleContact::SingleContact(const IslandIndex& group)
    : group_(group),
      alone_(group.nodes() == 1 && group.loads.empty() &&
             group.model.formulation == Formulation::contact_twist) {
  if (!alone_) return;
  const Body& body = group.at_node(0);
  const Mat3<double>& R = body.side.X_BS.R;
  body_ = body.inertia;
  body_.J = R.transpose() * body.inertia.J * R;
  body_.J_inv = R.transpose() * body.inertia.J_inv * R;
  shape_at_ = R.transpose() * body.side.X_BS.p;
  shape_A_ = &body.side.shape;
  ellipsoid_ = shape_A_->as<Ellipsoid>();
  force_scale_ = force_scale(group, 0, Channel::slip);
  moment_scale_ = force_scale(group, 0, Channel::spin);
}

void SingleContact::choose(const Contact& hold) {
  key_ = Key(hold);
  rates_ = nullptr;
  const Body& ground = group_.body(hold.parent);
  if (ground.moves || ground.motion.is_moving()) return;
  for (const ChannelSetting& channel : hold.channels) {
    if (channel.grip == Grip::starting) return;
  }
  const Pose<double> X_WS = ground.motion.at(0).X_WB * ground.side.X_BS;
  weight_ = body_.mass * (X_WS.R.transpose() * group_.model.gravity_W);
  to_ground_ = ground.side.X_BS.R.transpose();
  shape_B_ = &ground.side.shape;
  const Pair& pair = group_.pair(hold.key.pair);
  length_ = pair.length;
  slip_limit_ = holding_limit(pair.law, Channel::slip);
  spin_limit_ = holding_limit(pair.law, Channel::spin);
  const Law law = law_of(hold);
  if (ellipsoid_ == nullptr) {
    choose_ground<AnySide>(law);
  } else if (ellipsoid_->is_sphere()) {
    choose_ground<SphereSide>(law);
  } else {
    choose_ground<EllipsoidSide>(law);
  }
}

template <class SideA>
void SingleContact::choose_ground(Law law) {
  if (shape_B_->is<Plane>()) {
    choose_law<SideA, PlaneSide>(law);
  } else {
    choose_law<SideA, AnySide>(law);
  }
}

template <class SideA, class SideB>
void SingleContact::choose_law(Law law) {
  rates_ = law == kFrictionless ? &rates_of<SideA, SideB, kFrictionless>
           : law == kSliding    ? &rates_of<SideA, SideB, kSliding>
           : law == kRolling    ? &rates_of<SideA, SideB, kRolling>
           : law == kNoSpin     ? &rates_of<SideA, SideB, kNoSpin>
                                : Rates{nullptr};
}

template <class SideA, class SideB, Law L>
[[gnu::flatten]] bool SingleContact::rates_of(const SingleContact& self, const Contact& hold,
                                              const double* y, double* dy, double* guards) {
  const auto at = [&](int i) -> Vec3<double> { return {y[i], y[i + 1], y[i + 2]}; };
  const Vec3<double> location_A = at(kLocationA), location_B = at(kLocationB);
  const SideA side_A = side_of<SideA>(*self.shape_A_, self.ellipsoid_);
  const SideB side_B = side_of<SideB>(*self.shape_B_, nullptr);
  const double margin_A = side_A.margin(hold.A.chart, location_A),
               margin_B = side_B.margin(hold.B.chart, location_B);
  if (!(margin_A > kChartOvershoot) || !(margin_B > kChartOvershoot)) return false;

  const Vec5<double> w = Vec5<double>::Map(y + kRates);
  const auto B = side_B.at(hold.B, location_B);
  PairGeometry<double, std::remove_const_t<decltype(B)>> pair{side_A.at(hold.A, location_A), B};
  pair.A.p += self.shape_at_;
  const ContactEquation<double> e = contact_equation(pair, y[kPsi], w);
  const Wrench<double> load{Vec3<double>::Zero(), e.X_AC.R * (e.X_BC.R.transpose() * self.weight_)};
  Frictions frictions;
  if constexpr (L.slip == Slip::sliding) {
    frictions.slip = hold[Channel::slip].friction;
    frictions.slip.direction_B = self.to_ground_ * frictions.slip.direction_B;
  }
  const ContactRates<double> r = contact_rates<L>(e, pair, w, self.body_, load, frictions);

  Vec3<double>::Map(dy + kLocationA) = r.location_A;
  Vec3<double>::Map(dy + kLocationB) = r.location_B;
  dy[kPsi] = r.psi;
  Vec5<double>::Map(dy + kRates) = r.w;
  Vec3<double>::Map(dy + kBooked) = r.dissipation;
  Vec<double, kWorkSize>::Map(dy + kBlock).setZero();

  const double normal_force = -r.f(kNormalRow);
  const auto set = [&](Guard guard, double value) { guards[static_cast<int>(guard)] = value; };
  set(Guard::painleve, gives_forces(L) ? r.denominator * self.body_.mass : 1);
  set(Guard::normal_force, normal_force / self.force_scale_);
  set(Guard::slip, 1);
  set(Guard::spin, 1);
  set(Guard::roll, 1);
  if constexpr (L.slip == Slip::sliding) {
    set(Guard::slip, moving_guard(frictions.slip, Channel::slip, w.tail<2>(), e.X_BC.R));
  } else if constexpr (L.slip == Slip::stuck) {
    set(Guard::slip,
        stuck_guard(self.slip_limit_, self.force_scale_, normal_force, part(r.f, Channel::slip)));
  }
  if constexpr (L.spin == Spin::stuck) {
    set(Guard::spin,
        stuck_guard(self.spin_limit_, self.moment_scale_, normal_force, part(r.f, Channel::spin)));
  }
  set(Guard::chart_A, kChartGuard * margin_A);
  set(Guard::chart_B, kChartGuard * margin_B);
  set(Guard::conformity, conformity(r.K_rel, self.length_) - kConformityRefuse);
  return true;
}

}  // namespace oloid::world
