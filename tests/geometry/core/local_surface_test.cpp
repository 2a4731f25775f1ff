#include "oloid/geometry/core/local_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/surfaces.h"
#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test::local_surface_test {

// Any function with gradient and Hessian by nested dual numbers.
template <class Function>
struct ImplicitFromFunction {
  Function f;

  template <class S>
  ImplicitJet<S> implicit_jet(const Vec3<S>& p) const {
    using D = Dual<S, 3>;
    using DD = Dual<D, 3>;
    Vec3<DD> x;
    for (int i = 0; i < 3; ++i) x(i) = DD::variable(D::variable(p(i), i), i);
    const DD y = f(x);
    ImplicitJet<S> jet;
    jet.f = y.v.v;
    for (int i = 0; i < 3; ++i) {
      jet.gradient(i) = y.v.d[i];
      for (int j = 0; j < 3; ++j) jet.hessian(i, j) = y.d[i].d[j];
    }
    return jet;
  }
};

struct TorusFunction {  // (|p|² + R² − r²)² − 4 R² (x² + y²)
  double R, r;
  template <class S>
  S operator()(const Vec3<S>& p) const {
    const S xy = p.x() * p.x() + p.y() * p.y();
    const S sum = xy + p.z() * p.z() + S(R * R - r * r);
    return sum * sum - S(4 * R * R) * xy;
  }
};

TEST(LocalSurface, OfATorusKeepsTheLawsOfImplicitSurfaces) {
  const ImplicitFromFunction<TorusFunction> torus{{1, 0.3}};
  const auto on_torus = [](Random& random) {
    const double a = random(-3, 3), b = random(-3, 3);
    const double rho = 1 + 0.3 * std::cos(b);
    return Vec3<double>(rho * std::cos(a), rho * std::sin(a), 0.3 * std::sin(b));
  };
  expect_implicit_laws(torus, on_torus, 1);
  expect_projection_is_quadratic(torus, on_torus, 0.3);
}

// Reference numbers, evaluated with 40 digits.
template <class F>
void expect_vector(const F& surface, const nlohmann::json& v) {
  const auto at = local_surface(surface, vec3(v.at("p")), vec3(v.at("e")));
  const Mat2<double> K = mat2(v.at("K"));
  EXPECT_LE(difference(at.p, vec3(v.at("p"))), kLawTolerance);
  EXPECT_LE(difference(at.R.col(0), vec3(v.at("x"))), kLawTolerance);
  EXPECT_LE(difference(at.R.col(1), vec3(v.at("y"))), kLawTolerance);
  EXPECT_LE(difference(at.R.col(2), vec3(v.at("n"))), kLawTolerance);
  EXPECT_LE(difference(at.K, K), kLawTolerance * K.norm());
  EXPECT_LE(difference(at.T, vec2(v.at("T"))), kLawTolerance * K.norm());
}

TEST(LocalSurface, MatchesTheImplicitVectors) {
  const nlohmann::json vectors = contact_vectors();
  int seen = 0;
  for (const auto& v : vectors.at("implicit")) {
    if (v.at("surface") == "ellipsoid") {
      const Vec3<double> axes = vec3(v.at("semi_axes"));
      const Ellipsoid parametric = Ellipsoid::make(axes).value();
      expect_vector(quadric_of(parametric), v);
      // The parametric ellipsoid at the same point.
      const Location q = parametric.near(vec3(v.at("p")));
      const auto at =
          local_surface(parametric.jet<2, double>(q.chart.index, q.x.head<2>()), vec3(v.at("e")));
      EXPECT_LE(difference(at.p, vec3(v.at("p"))), kLawTolerance);
      EXPECT_LE(difference(at.K, mat2(v.at("K"))), kLawTolerance * at.K.norm());
      EXPECT_LE(difference(at.T, vec2(v.at("T"))), kLawTolerance * at.K.norm());
      ++seen;
    } else if (v.at("surface") == "torus") {
      expect_vector(
          ImplicitFromFunction<TorusFunction>{{v.at("R").get<double>(), v.at("r").get<double>()}},
          v);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 2);
}

// The vectors' frame has x along c_u: with that as reference ours is the same there, and as e·n = 0
// it does not turn.
TEST(LocalSurface, MatchesTheParametricVectors) {
  const auto expect_side = [](const nlohmann::json& net, const Uv<double>& q,
                              const nlohmann::json& frame, const nlohmann::json& K_json) {
    const Patchwork patch = single_patch(rows(net));
    const Jet<double, 2> c = patch.jet<2>(0, q);
    const auto at = local_surface(c, Vec3<double>(c.d(1, 0).normalized()));
    const Mat2<double> K = mat2(K_json);
    EXPECT_LE(difference(at.p, vec3(frame.at("p"))), kLawTolerance);
    EXPECT_LE(difference(at.R.col(0), vec3(frame.at("x"))), kLawTolerance);
    EXPECT_LE(difference(at.R.col(1), vec3(frame.at("y"))), kLawTolerance);
    EXPECT_LE(difference(at.R.col(2), vec3(frame.at("z"))), kLawTolerance);
    EXPECT_LE(difference(at.K, K), kLawTolerance * K.norm());
    EXPECT_LE(at.T.norm(), kLawTolerance * K.norm());
  };
  const nlohmann::json vectors = contact_vectors();
  EXPECT_EQ(vectors.at("configurations").size(), 3u);
  for (const auto& v : vectors.at("configurations")) {
    const auto& in = v.at("input");
    const auto& out = v.at("output");
    const auto& q = in.at("q");
    expect_side(in.at("net1"), {q.at(0).get<double>(), q.at(1).get<double>()}, out.at("frame1"),
                out.at("K1"));
    expect_side(in.at("net2"), {q.at(2).get<double>(), q.at(3).get<double>()}, out.at("frame2"),
                out.at("K2"));
  }
}

TEST(LocalSurface, SwappingTheParametersTurnsTheSurfaceInsideOut) {
  for_random_cases(20, [](Random& random) {
    const Patchwork patch = single_patch(random_net(random, 4, 4));
    const Jet<double, 2> c = patch.jet<2, double>(0, random.vector<2>(0, 1));
    Jet<double, 2> swapped;
    for (int i = 0; i <= 2; ++i)
      for (int j = 0; i + j <= 2; ++j) swapped.d(i, j) = c.d(j, i);
    const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1)).normalized(), e = fair_reference(random, {n});
    const auto a = local_surface(c, e), b = local_surface(swapped, e);
    // n and y change sign, x stays: K is −K with its mixed terms changed once more.
    EXPECT_LE(difference(b.R, a.R * Vec3<double>(1, -1, -1).asDiagonal()), 1e-14);
    Mat2<double> K = -a.K;
    K(0, 1) = a.K(0, 1);
    K(1, 0) = a.K(1, 0);
    EXPECT_LE(difference(b.K, K), kLawTolerance * (1 + K.norm()));
  });
}

}  // namespace oloid::test::local_surface_test
