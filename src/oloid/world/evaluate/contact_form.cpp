#include "oloid/world/evaluate/contact_form.h"

namespace oloid::world {
namespace {

ParametricSide<double> side_at(const Model& model, BodyId body, const ChartAnchor& anchor,
                               const Vec3<double>& location) {
  const auto jet = third_order_jet(model.body(body).side, {anchor.chart, location});
  OLOID_EXPECT(jet.has_value());
  return parametric_side(*jet);
}

}  // namespace

LocalSurface<double> surface_at(const Model& model, BodyId body, const ChartAnchor& anchor,
                                const Vec3<double>& location) {
  if (model.formulation == Formulation::parameter_rates)
    return local_surface(side_at(model, body, anchor, location));
  return model.body(body).side.at<double>(anchor, location);
}

ParametricContact parametric_contact(const Model& model, BodyId A, const Contact& hold,
                                     const Vec3<double>& location_A, const Vec3<double>& location_B,
                                     double psi) {
  ParametricContact c;
  c.pair = {side_at(model, A, hold.A, location_A), side_at(model, hold.parent, hold.B, location_B)};
  c.H = contact_matrix(c.pair, psi);
  return c;
}

Vec5<double> twist_of_parameter_rates(Law law, const ParametricContact& c,
                                      const Vec5<double>& rates) {
  Vec5<double> w = twist_of_rates(c.H, expanded_rates(law, c.H, rates));
  if (law.slip == Slip::stuck) w.tail<2>().setZero();
  if (law.spin == Spin::stuck) w(kSpinRow) = 0;
  return w;
}

}  // namespace oloid::world
