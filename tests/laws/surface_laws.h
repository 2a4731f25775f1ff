// Laws that every surface obeys. A new surface joins by one line:
//   TEST(Torus, KeepsTheLawsOfSurfaces) { expect_surface_laws(torus, {charts, size, degree}); }
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "laws/difference.h"
#include "laws/random.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/core/local_surface.h"
#include "support/rooms.h"

namespace oloid::test {

// The working domain of a chart: a rectangle, the ellipse inscribed in it, its lower left half, or
// a regular polygon in the ellipse, its first corner at the right.
struct ChartDomain {
  int chart = 0;
  Uv<double> centre, half;
  bool round = false;
  bool triangle = false;
  int polygon = 0;  // its sides, 0 for none

  // A point of the domain stretched about its centre.
  Uv<double> sample(Random& random, double stretch) const {
    Vec2<double> q = random.vector<2>(-1, 1);
    while ((round && q.squaredNorm() > 1) || (triangle && q.sum() > 0) || !in_polygon(q))
      q = random.vector<2>(-1, 1);
    return centre + stretch * half.cwiseProduct(q);
  }
  bool in_polygon(const Vec2<double>& q) const {
    const double pi = std::acos(-1.0);
    for (int k = 0; k < polygon; ++k) {
      const double angle = (2 * k + 1) * pi / polygon;
      if (q.x() * std::cos(angle) + q.y() * std::sin(angle) > std::cos(pi / polygon)) return false;
    }
    return true;
  }
};

struct SurfaceDomain {
  std::vector<ChartDomain> charts;
  double size;  // [m], of the surface: sets the scale of round-off
  int degree;   // of its polynomials: derivatives of order n grow like degreeⁿ
};

inline constexpr double kBeyond = 1.1;  // jets are valid 10 % beyond the working domain
inline constexpr double kLawTolerance = 1e-12;
inline constexpr double kLaneTolerance = 1e-13;

// A direction at least 37° off all given normals, so that tangent frames are well conditioned.
inline Vec3<double> fair_reference(Random& random, const std::vector<Vec3<double>>& normals) {
  for (int tries = 0; tries < 1000; ++tries) {
    const Vec3<double> e = random.direction();
    if (std::all_of(normals.begin(), normals.end(),
                    [&](const Vec3<double>& n) { return std::abs(e.dot(n)) < 0.8; }))
      return e;
  }
  ADD_FAILURE() << "no fair reference direction";
  return Vec3<double>::UnitX();
}

// The frame is a rotation with third axis n and x nearest to e; K is symmetric.
inline void expect_frame_laws(const LocalSurface<double>& at, const Vec3<double>& e) {
  EXPECT_LE(difference(at.R.transpose() * at.R, Mat3<double>::Identity()), 16 * kEps);
  EXPECT_LE(difference(at.R.determinant(), 1.0), 16 * kEps);
  EXPECT_LE(std::abs(at.R.col(1).dot(e)), 16 * kEps);
  EXPECT_GT(at.R.col(0).dot(e), 0);
  EXPECT_LE(difference(at.K, at.K.transpose()), kLawTolerance * at.K.norm());
}

// Moves the stored location with tangential velocity v = (v_x, v_y), by dual numbers, and reads
// off L, K and T as the header of local_surface.h defines them:
//   ṗ = [x y] v,   ṅ = [x y] K v,   ẋ = (T v) y − (K v)_x n
// at(location, e) gives the LocalSurface of any scalar.
template <class At>
void expect_motion_laws(const At& at, const Vec3<double>& location, const Vec3<double>& e,
                        double size) {
  using D = Dual<double, 2>;
  const LocalSurface<double> here = at(location, e);
  Vec3<D> moving_location;
  for (int i = 0; i < 3; ++i) {
    moving_location(i).v = location(i);
    for (int k = 0; k < 2; ++k) moving_location(i).d[k] = here.L(i, k);
  }
  const LocalSurface<D> moving = at(moving_location, e);
  const double bending = kLawTolerance * (1 / size + here.K.norm());
  EXPECT_LE(difference(value(moving.p), here.p), kLaneTolerance * size);
  EXPECT_LE(difference(value(moving.R), here.R), kLaneTolerance);
  EXPECT_LE(difference(value(moving.K), here.K), bending);
  EXPECT_LE(difference(value(moving.T), here.T), bending);
  const Vec3<double> x = here.R.col(0), y = here.R.col(1), n = here.R.col(2);
  for (int k = 0; k < 2; ++k) {
    EXPECT_LE(difference(derivative(moving.p, k), here.R.col(k)), kLawTolerance);
    const Mat3<double> dR = derivative(moving.R, k);
    EXPECT_LE(difference(dR.col(2), here.K(0, k) * x + here.K(1, k) * y), bending);
    EXPECT_LE(difference(dR.col(0), here.T(k) * y - here.K(0, k) * n), bending);
  }
}

// Lanes of a pack equal scalars.
template <class P, class At>
void expect_lane_laws(const At& at, const std::vector<Vec3<double>>& locations,
                      const Vec3<double>& e, double size) {
  ASSERT_EQ(locations.size(), static_cast<std::size_t>(P::size()));
  Vec3<P> wide;
  for (int i = 0; i < 3; ++i) wide(i) = P::generate([&](std::size_t l) { return locations[l](i); });
  const LocalSurface<P> all = at(wide, e);
  for (int l = 0; l < P::size(); ++l) {
    const LocalSurface<double> one = at(locations[static_cast<std::size_t>(l)], e);
    EXPECT_LE(difference(lane(all.p, l), one.p), kLaneTolerance * size);
    EXPECT_LE(difference(lane(all.R, l), one.R), kLaneTolerance);
    EXPECT_LE(difference(lane(all.K, l), one.K), kLaneTolerance * (1 / size + one.K.norm()));
    EXPECT_LE(difference(lane(all.T, l), one.T), kLaneTolerance * (1 / size + one.K.norm()));
    EXPECT_LE(difference(lane(all.L, l), one.L), kLaneTolerance * one.L.norm());
  }
}

// Jets: order n + 1 is the dual derivative of order n, and a lower order is part of a higher one.
template <int Order, class F>
void expect_jet_law(const F& surface, int chart, const Uv<double>& q, double size, int degree) {
  using D = Dual<double, 2>;
  const Jet<double, Order> low = surface.template jet<Order>(chart, q);
  const Jet<double, Order + 1> high = surface.template jet<Order + 1>(chart, q);
  const Uv<D> moving(D::variable(q.x(), 0), D::variable(q.y(), 1));
  const Jet<D, Order> duals = surface.template jet<Order>(chart, moving);
  for (int order = 0; order <= Order; ++order) {
    const double tolerance = kLawTolerance * size * std::pow(degree, order + 1);
    for (int j = 0; j <= order; ++j) {
      const int i = order - j;
      EXPECT_LE(difference(low.d(i, j), high.d(i, j)), tolerance);
      EXPECT_LE(difference(value(duals.d(i, j)), high.d(i, j)), tolerance);
      EXPECT_LE(difference(derivative(duals.d(i, j), 0), high.d(i + 1, j)), tolerance);
      EXPECT_LE(difference(derivative(duals.d(i, j), 1), high.d(i, j + 1)), tolerance);
    }
  }
}

// Another parameterisation of the same surface, q = q₀ + M r + (r·S r) w, gives the same frame,
// curvature and turning; only L knows the parameters.
template <class F>
void expect_parameters_do_not_matter(const F& surface, int chart, const Uv<double>& q0,
                                     const Vec3<double>& e, Random& random, double size) {
  Mat2<double> M;
  M << random(0.6, 1.4), random(-0.4, 0.4),  //
      random(-0.4, 0.4), random(0.6, 1.4);   // keeps the orientation
  M *= random(0.2, 5);
  const Vec3<double> S = random.vector<3>(-1, 1);
  const Vec2<double> w = random.vector<2>(-1, 1);

  using D = Dual<double, 2>;
  using DD = Dual<D, 2>;
  const DD r0 = DD::variable(D::variable(0, 0), 0), r1 = DD::variable(D::variable(0, 1), 1);
  const DD square = S(0) * r0 * r0 + S(1) * r0 * r1 + S(2) * r1 * r1;
  Uv<DD> q;
  for (int i = 0; i < 2; ++i) q(i) = q0(i) + M(i, 0) * r0 + M(i, 1) * r1 + w(i) * square;
  const Vec3<DD> x = surface.template jet<0>(chart, q).d(0, 0);
  Jet<double, 2> c;
  for (int i = 0; i < 3; ++i) {
    c.d(0, 0)(i) = x(i).v.v;
    c.d(1, 0)(i) = x(i).d[0].v;
    c.d(0, 1)(i) = x(i).d[1].v;
    c.d(2, 0)(i) = x(i).d[0].d[0];
    c.d(1, 1)(i) = x(i).d[0].d[1];
    c.d(0, 2)(i) = x(i).d[1].d[1];
  }
  const LocalSurface<double> ours = local_surface(surface.template jet<2>(chart, q0), e);
  const LocalSurface<double> other = local_surface(c, e);
  const double bending = kLawTolerance * (1 / size + ours.K.norm());
  EXPECT_LE(difference(other.p, ours.p), kLawTolerance * size);
  EXPECT_LE(difference(other.R, ours.R), kLawTolerance);
  EXPECT_LE(difference(other.K, ours.K), bending);
  EXPECT_LE(difference(other.T, ours.T), bending);
  EXPECT_LE(difference(M * other.L.topRows<2>(), ours.L.topRows<2>()),
            kLawTolerance * ours.L.norm());
}

// A closed form is what the jet gives.
inline void expect_same_surface(const LocalSurface<double>& ours, const LocalSurface<double>& jet,
                                double size) {
  const double bending = kLawTolerance * (1 / size + jet.K.norm());
  EXPECT_LE(difference(ours.p, jet.p), kLawTolerance * size);
  EXPECT_LE(difference(ours.R, jet.R), kLawTolerance);
  EXPECT_LE(difference(ours.K, jet.K), bending);
  EXPECT_LE(difference(ours.T, jet.T), bending);
  EXPECT_LE(difference(ours.L, jet.L), kLawTolerance * jet.L.norm());
}

// All of the above for a parametric surface.
template <class F>
void expect_surface_laws(const F& surface, const SurfaceDomain& domain) {
  static_assert(ParametricSurface<F> && ParametricSurface<F, Dual<double, 2>> &&
                ParametricSurface<F, Pack<4>>);
  for (const ChartDomain& chart : domain.charts) {
    SCOPED_TRACE(testing::Message() << "chart " << chart.chart);
    const auto at = [&]<class S>(const Vec3<S>& location, const Vec3<double>& e) {
      return local_surface(surface.template jet<2>(chart.chart, Uv<S>(location.template head<2>())),
                           e);
    };
    const auto normal = [&](const Vec3<double>& location) {
      const Jet<double, 1> c = surface.template jet<1>(chart.chart, Uv<double>(location.head<2>()));
      return Vec3<double>(c.d(1, 0).cross(c.d(0, 1)).normalized());
    };
    for_random_cases(40, [&](Random& random) {
      std::vector<Vec3<double>> locations, normals;
      for (int i = 0; i < 4; ++i) {
        const Uv<double> q = chart.sample(random, kBeyond);
        locations.emplace_back(q.x(), q.y(), 0);
        normals.push_back(normal(locations.back()));
      }
      const Uv<double> q = locations[0].head<2>();
      SCOPED_TRACE(testing::Message() << "(u, v) = (" << q.x() << ", " << q.y() << ")");
      expect_jet_law<0>(surface, chart.chart, q, domain.size, domain.degree);
      expect_jet_law<1>(surface, chart.chart, q, domain.size, domain.degree);
      expect_jet_law<2>(surface, chart.chart, q, domain.size, domain.degree);
      const Vec3<double> e = fair_reference(random, {normals[0]});
      EXPECT_LE(difference(at(locations[0], e).R.col(2), normals[0]), 16 * kEps);
      expect_frame_laws(at(locations[0], e), e);
      expect_motion_laws(at, locations[0], e, domain.size);
      expect_parameters_do_not_matter(surface, chart.chart, q, e, random, domain.size);
      const Vec3<double> e_all = fair_reference(random, normals);
      if constexpr (requires { surface.local(0, locations[0], e); }) {
        const auto closed = [&]<class S>(const Vec3<S>& location, const Vec3<double>& reference) {
          return LocalSurface<S>(surface.local(chart.chart, location, reference));
        };
        expect_same_surface(closed(locations[0], e), at(locations[0], e), domain.size);
        expect_frame_laws(closed(locations[0], e), e);
        expect_motion_laws(closed, locations[0], e, domain.size);
        expect_lane_laws<Pack<4>>(closed, locations, e_all, domain.size);
      }
      expect_lane_laws<Pack<4>>(at, locations, e_all, domain.size);
      expect_lane_laws<PortablePack<4>>(at, locations, e_all, domain.size);
    });
  }
}

// The surface stays inside its radius; seeds lie inside their charts; crossing keeps the point, the
// normal and, where claimed (G2), the curvature, and lands inside the new chart.
template <class F>
void expect_atlas_laws(const F& surface, const SurfaceDomain& domain) {
  const auto at = [&](const Location& q, const Vec3<double>& e) {
    return local_surface(surface.template jet<2>(q.chart.index, Uv<double>(q.x.head<2>())), e);
  };
  const auto point = [&](const Location& q) {
    return Vec3<double>(surface.template jet<0>(q.chart.index, Uv<double>(q.x.head<2>())).d(0, 0));
  };
  const double radius = surface.bounding_radius() * (1 + 4 * kEps);
  EXPECT_FALSE(surface.seeds().empty());
  for (const Location& q : surface.seeds()) {
    EXPECT_GT(surface.margin(q), 0);
    EXPECT_LE(point(q).norm(), radius);
  }
  for (const ChartDomain& chart : domain.charts) {
    SCOPED_TRACE(testing::Message() << "chart " << chart.chart);
    for_random_cases(100, [&](Random& random) {
      Location q{ChartId{chart.chart}};
      q.x.head<2>() = chart.sample(random, 1);
      EXPECT_GE(surface.margin(q), 0);
      EXPECT_LE(point(q).norm(), radius);

      q.x.head<2>() = chart.sample(random, kBeyond);
      const ChartExit exit = surface.leave(q);
      if (const Crossing* crossing = std::get_if<Crossing>(&exit)) {
        const Vec3<double> n = at(q, random.direction()).R.col(2);
        const Vec3<double> e = fair_reference(random, {n});
        const LocalSurface<double> before = at(q, e), after = at(crossing->to, e);
        EXPECT_GT(surface.margin(crossing->to), 0);
        EXPECT_LE(difference(after.p, before.p), 16 * kEps * domain.size);
        if (crossing->joint != Joint::G0) {
          EXPECT_LE(difference(after.R, before.R), kLawTolerance);
        }
        if (crossing->joint == Joint::G2) {
          EXPECT_LE(difference(after.K, before.K),
                    kLawTolerance * (1 / domain.size + before.K.norm()));
        }
      }
    });
  }
}

// An implicit surface: gradient and Hessian are the derivatives of f, and the frame moves as it
// says. on_surface(random) gives points with f = 0.
template <class F, class Sample>
void expect_implicit_laws(const F& surface, const Sample& on_surface, double size) {
  using D = Dual<double, 3>;
  static_assert(ImplicitSurface<F> && ImplicitSurface<F, D> && ImplicitSurface<F, Pack<4>>);
  const auto at = [&]<class S>(const Vec3<S>& location, const Vec3<double>& e) {
    return local_surface(surface, location, e);
  };
  for_random_cases(100, [&](Random& random) {
    const Vec3<double> p = on_surface(random) + random.vector<3>(-0.1, 0.1) * size;
    const ImplicitJet<double> f = surface.implicit_jet(p);
    const ImplicitJet<D> duals = surface.implicit_jet(
        Vec3<D>(D::variable(p.x(), 0), D::variable(p.y(), 1), D::variable(p.z(), 2)));
    // f is built from terms up to |∇²f| p²: their round-off sets the scale, not f itself.
    const double scale = f.hessian.norm() * p.squaredNorm() + f.gradient.norm() * p.norm();
    EXPECT_LE(difference(duals.f.v, f.f), kLawTolerance * scale);
    for (int k = 0; k < 3; ++k) {
      EXPECT_LE(difference(duals.f.d[k], f.gradient(k)), kLawTolerance * scale / size);
      EXPECT_LE(difference(derivative(duals.gradient, k), f.hessian.col(k)),
                kLawTolerance * scale / (size * size));
    }
    EXPECT_LE(difference(f.hessian, f.hessian.transpose()), kLawTolerance * f.hessian.norm());
  });
  for_random_cases(100, [&](Random& random) {
    std::vector<Vec3<double>> locations, normals;
    for (int i = 0; i < 4; ++i) {
      locations.push_back(on_surface(random));
      normals.push_back(surface.implicit_jet(locations.back()).gradient.normalized());
    }
    const Vec3<double> e = fair_reference(random, {normals[0]});
    const LocalSurface<double> here = at(locations[0], e);
    EXPECT_LE(difference(here.p, locations[0]), 64 * kEps * size);  // already on the surface
    EXPECT_GT(here.R.col(2).dot(normals[0]), 0.99);                 // f grows outwards
    expect_frame_laws(here, e);
    expect_motion_laws(at, locations[0], e, size);
    const Vec3<double> e_all = fair_reference(random, normals);
    expect_lane_laws<Pack<4>>(at, locations, e_all, size);
    expect_lane_laws<PortablePack<4>>(at, locations, e_all, size);
  });
}

// Distance from f = 0 to first order. [m]
template <class F>
double residual(const F& surface, const Vec3<double>& p) {
  const ImplicitJet<double> f = surface.implicit_jet(p);
  return std::abs(f.f) / f.gradient.norm();
}

// One Newton step squares the distance: a tenth of it leaves a hundredth of the error.
template <class F, class Sample>
void expect_projection_is_quadratic(const F& surface, const Sample& on_surface, double size) {
  for_random_cases(50, [&](Random& random) {
    const Vec3<double> p = on_surface(random);
    const ImplicitJet<double> f = surface.implicit_jet(p);
    const Vec3<double> n = f.gradient.normalized();
    const auto left = [&](double distance) {
      return residual(surface, project(surface, Vec3<double>(p + distance * n), 1));
    };
    const double far = left(1e-3 * size), near = left(1e-4 * size);
    // Along the gradient f'' = n·∇²f n; where that vanishes the step is even better.
    const double bend = std::abs(n.dot(f.hessian * n)) / f.gradient.norm();
    EXPECT_LE(far, (bend + 1e-2 * f.hessian.norm() / f.gradient.norm()) * 1e-6 * size * size);
    if (bend * size > 0.1) {
      EXPECT_NEAR(far / near, 100, 5);
    }
    // What integration may leave (1e-5 of the size) is gone after the steps of local_surface.
    const Vec3<double> off = p + 1e-5 * size * random.direction();
    EXPECT_LE(residual(surface, project(surface, off, kProjectionSteps)), 64 * kEps * size);
  });
}

}  // namespace oloid::test
