#include "oloid/world/evaluate/contact_form.h"

namespace oloid::world {
namespace {

// Calls f with the law as a constant; compile admits no others to this form.
template <class F>
auto with_law(Law law, F&& f) {
  constexpr Law kFrictionless{Slip::frictionless}, kSliding{Slip::sliding}, kRolling{Slip::stuck},
      kNoSpin{Slip::stuck, Spin::stuck};
  if (law.slip == Slip::frictionless) return f.template operator()<kFrictionless>();
  if (law.slip == Slip::sliding) return f.template operator()<kSliding>();
  if (law.spin == Spin::free) return f.template operator()<kRolling>();
  return f.template operator()<kNoSpin>();
}

ParametricSide<double> side_at(const Model& model, BodyId body, const SideAnchor& anchor,
                               const Vec3<double>& location) {
  const auto jet = third_order_jet(model.body(body).side, {anchor.chart, location});
  OLOID_EXPECT(jet.has_value());
  return parametric_side(*jet);
}

template <class Base>
ParameterRates<double> rates_on(Law law, const ParametricContact& c, double psi,
                                const Vec5<double>& rates, const BodyInertia<double>& body,
                                const Wrench<double>& load, const Friction& friction,
                                const Base& base) {
  return with_law(law, [&]<Law L>() {
    return dynamics::parameter_rates<L, double>(c.pair, psi, rates, body, load, friction, base);
  });
}

}  // namespace

LocalSurface<double> surface_at(const Model& model, BodyId body, const SideAnchor& anchor,
                                const Vec3<double>& location) {
  if (model.formulation == Formulation::parameter_rates)
    return local_surface(side_at(model, body, anchor, location));
  return model.body(body).side.at<double>(anchor, location);
}

ParametricContact parametric_contact(const Model& model, BodyId A, const Hold& hold,
                                     const Vec3<double>& location_A, const Vec3<double>& location_B,
                                     double psi) {
  ParametricContact c;
  c.pair = {side_at(model, A, hold.A, location_A), side_at(model, hold.parent, hold.B, location_B)};
  c.H = contact_matrix(c.pair, psi);
  return c;
}

Vec5<double> twist_of_parameter_rates(Law law, const ParametricContact& c,
                                      const Vec5<double>& rates) {
  return with_law(law, [&]<Law L>() -> Vec5<double> {
    Vec5<double> w = twist_of_rates<double>(c.H, expanded_rates<L, double>(c.H, rates));
    if (L.slip == Slip::stuck) w.tail<2>().setZero();
    if (L.spin == Spin::stuck) w(kSpinRow) = 0;
    return w;
  });
}

Vec5<double> parameter_rates_of_twist(Law law, const ParametricContact& c, const Vec5<double>& w) {
  return with_law(law, [&]<Law L>() { return admissible_rates_of_twist<L, double>(c.H, w); });
}

ParameterRates<double> parameter_rates(Law law, const ParametricContact& c, double psi,
                                       const Vec5<double>& rates, const BodyInertia<double>& body,
                                       const Wrench<double>& load, const Friction& friction,
                                       const DrivenBase<double>& base) {
  return rates_on(law, c, psi, rates, body, load, friction, base);
}
ParameterRates<double> parameter_rates(Law law, const ParametricContact& c, double psi,
                                       const Vec5<double>& rates, const BodyInertia<double>& body,
                                       const Wrench<double>& load, const Friction& friction,
                                       const FreeBase<double>& base) {
  return rates_on(law, c, psi, rates, body, load, friction, base);
}

}  // namespace oloid::world
