#include "oloid/contact/feature.h"

#include <cmath>

#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/core/tangents.h"

namespace oloid::contact {
namespace {

// Tangents x = c_u / |c_u| and y = n × x, in which [c_u c_v] = [x y] A, with m = c_u × c_v:
//   A = ( |c_u|     x·c_v     )        L = A⁻¹,  K = −Lᵀ B L,  B = second fundamental form
//       (   0    |m| / |c_u|  )
// The two roots do not wait for each other.
LocalFeature<double> from_jet(const Jet<double, 2>& c) {
  const Vec3<double>&c_u = c.d(1, 0), &c_v = c.d(0, 1);
  const Vec3<double> m = c_u.cross(c_v);
  const double length_u = std::sqrt(c_u.squaredNorm()), along = 1 / length_u;
  const double per_area = 1 / std::sqrt(m.squaredNorm());
  LocalFeature<double> at;
  at.dimension = 2;
  at.p = c.d(0, 0);
  at.z = per_area * m;
  const Vec3<double> x = along * c_u;
  at.E.col(0) = x;
  at.E.col(1) = at.z.cross(x);
  const double L_01 = -along * per_area * c_u.dot(c_v), L_11 = length_u * per_area;
  at.L << along, L_01,  //
      0, L_11,          //
      0, 0;
  const double uu = per_area * m.dot(c.d(2, 0)), uv = per_area * m.dot(c.d(1, 1)),
               vv = per_area * m.dot(c.d(0, 2));
  const double first = uu * L_01 + uv * L_11, second = uv * L_01 + vv * L_11;  // B L, right column
  const double K_01 = -along * first;
  at.K << -along * along * uu, K_01,  //
      K_01, -(L_01 * first + L_11 * second);
  return at;
}

// K = [x y]ᵀ ∇²f [x y] / |∇f|, L = [x y].
template <class F>
LocalFeature<double> from_field(const F& field, const Vec3<double>& stored) {
  LocalFeature<double> at;
  at.dimension = 2;
  at.p = project(field, stored, 1);
  const ImplicitJet<double> f = field.implicit_jet(at.p);
  const double scale = 1 / f.gradient.norm();
  at.z = scale * f.gradient;
  at.E.col(0) = tangent_towards(farthest_axis(at.z), at.z);
  at.E.col(1) = at.z.cross(Vec3<double>(at.E.col(0)));
  at.L = at.E;
  at.K = scale * (at.E.transpose() * f.hessian * at.E);
  return at;
}

}  // namespace

LocalFeature<double> local_feature(const Shape& shape, const Location& q) {
  return visit(
      [&]<class F>(const F& surface) {
        if constexpr (ImplicitSurface<F>) {
          return from_field(surface, q.x);
        } else if constexpr (requires { surface.field(q.chart.index); }) {
          return from_field(surface.field(q.chart.index), q.x);
        } else {
          return from_jet(
              surface.template jet<2>(q.chart.index, Uv<double>(q.x.template head<2>())));
        }
      },
      shape);
}

}  // namespace oloid::contact
