#include "oloid/world/evaluate/fields.h"

#include "oloid/world/events/grip.h"

namespace oloid::world {

bool IslandField::inside_charts(const StateVector& y, StateVector& guards) const {
  for (int node = 0; node < group_.nodes(); ++node) {
    const Contact& hold = discrete_.joint(node);
    if (!hold.on) continue;
    const auto margin_of = [&](const Body& body, const ChartAnchor& anchor, int location) {
      return margin(body.side.shape, {anchor.chart, y.segment<3>(block_at(node) + location)});
    };
    const double a = margin_of(group_.at_node(node), hold.A, kLocationA);
    const double b = margin_of(group_.body(hold.parent), hold.B, kLocationB);
    if (!(a > kChartOvershoot) || !(b > kChartOvershoot)) return false;
    guards(kBodyGuards * node + static_cast<int>(Guard::chart_A)) = kChartGuard * a;
    guards(kBodyGuards * node + static_cast<int>(Guard::chart_B)) = kChartGuard * b;
  }
  return true;
}

// A motion that is just starting must not become fast within a step.
bool IslandField::still_starting() const {
  for (int node = 0; node < group_.nodes(); ++node) {
    const Contact& hold = discrete_.joint(node);
    for (const Channel channel : kChannels) {
      if (hold.on && hold[channel].grip == Grip::starting &&
          part(instant_.contact(node).state.w, channel).norm() > 2 * hold[channel].start_speed)
        return false;
    }
  }
  return true;
}

bool IslandField::rates(double t, const StateVector& y, StateVector& dy,
                        StateVector& guards) const {
  if (single_.applies_to(discrete_)) return single_.rates(discrete_.joint(0), y, dy, guards);
  return forest_rates(t, y, dy, guards);
}

bool IslandField::forest_rates(double t, const StateVector& y, StateVector& dy,
                               StateVector& guards) const {
  guards.setOnes();
  dy.setZero();
  if (!inside_charts(y, guards)) return false;
  const bool defined = instant_.evaluate(discrete_, t, y);
  for (int node = 0; node < group_.nodes(); ++node) {
    if (discrete_.joint(node).on) {
      held_rates(node, dy);
      held_guards(node, guards);
    } else {
      free_rates(node, y, dy);
    }
  }
  dy.tail<kWorkSize>() << instant_.load_power, instant_.drive_power;
  return defined && still_starting();
}

void IslandField::held_rates(int node, StateVector& dy) const {
  const ContactEvaluation& c = instant_.contact(node);
  const Node& joint = instant_.forest[node];
  auto out = dy.segment<kBlock>(block_at(node));
  if (group_.model.formulation == Formulation::contact_twist) {
    out.segment<3>(kLocationA) = c.pair.A.L * c.path.v_A;
    out.segment<3>(kLocationB) = c.pair.B.L * c.path.v_B;
    out(kPsi) = c.path.psi_rate;
    out.segment<5>(kRates) = joint.w_rate.head<5>();
  } else {
    out.segment<2>(kLocationA) = c.own.q.head<2>();
    out.segment<2>(kLocationB) = c.own.q.segment<2>(2);
    out(kPsi) = c.own.q(4);
    out.segment<5>(kRates) = c.own.rates;
  }
  out.segment<3>(kBooked) = dissipation<double>(joint.f, c.state.w);
}

void IslandField::free_rates(int node, const StateVector& y, StateVector& dy) const {
  const FreeState<double> x = unpack_free(y.segment<kBlock>(block_at(node)));
  const Twist<double>& a = instant_.forest[node].a;
  const Quat<double> q_rate = quaternion_rate(x.q_WA, x.phi.w);
  auto out = dy.segment<kBlock>(block_at(node));
  out.segment<3>(kPosition) = y.segment<3>(block_at(node) + kVelocity);
  out.segment<4>(kQuaternion) << q_rate.w, q_rate.x, q_rate.y, q_rate.z;
  out.segment<3>(kSpinning) = a.w;
  out.segment<3>(kVelocity) = rotation_matrix(x.q_WA) * (a.v + x.phi.w.cross(x.phi.v));
}

void IslandField::held_guards(int node, StateVector& guards) const {
  const Contact& hold = discrete_.joint(node);
  const Node& joint = instant_.forest[node];
  const Body& body = group_.at_node(node);
  auto out = guards.segment<kBodyGuards>(guards_at(node));
  const auto set = [&](Guard guard, double value) { out(static_cast<int>(guard)) = value; };
  set(Guard::painleve, joint.regularity);
  set(Guard::normal_force, -joint.f(kNormalRow) / body.force);
  for (const Channel channel : kChannels)
    set(guard_of(channel), grip_guard(group_, hold, instant_, node, channel));
  set(Guard::conformity,
      conformity(instant_.contact(node).k.K_rel, group_.pair(hold.key.pair).length) -
          kConformityRefuse);
}

}  // namespace oloid::world
