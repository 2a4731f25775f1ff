#include "oloid/geometry/analytic/quadric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "geometry/surfaces.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/display/tessellation.h"
#include "oloid/spatial/pose.h"
#include "oloid/spatial/rotation.h"
#include "support/rooms.h"

namespace oloid::test::quadric_test {

// (p − centre)ᵀ R D Rᵀ (p − centre) = level
Quadric moved(const Vec3<double>& D, const Pose<double>& X, double level) {
  const Mat3<double> Q = X.R * D.asDiagonal() * X.R.transpose();
  return Quadric::make(0.5 * (Q + Q.transpose()), -Q * X.p, X.p.dot(Q * X.p) - level).value();
}
Pose<double> some_pose(Random& random) {
  return {axis_angle(random.direction(), random(0, 3)), random.vector<3>(-2, 2)};
}

TEST(Quadric, KeepsTheLawsOfImplicitSurfaces) {
  const Vec3<double> semi_axes(0.7, 0.5, 0.4);
  const auto on_ellipsoid = [&](Random& random) {
    return Vec3<double>(semi_axes.cwiseProduct(random.direction()));
  };
  for (bool cavity : {false, true}) {
    const Quadric q = quadric_of(Ellipsoid::make(semi_axes, cavity).value());
    expect_implicit_laws(q, on_ellipsoid, 0.7);
    expect_projection_is_quadratic(q, on_ellipsoid, 0.7);
  }
  const Quadric hyperboloid =
      Quadric::make(Vec3<double>(1, 1, -1).asDiagonal(), Vec3<double>::Zero(), -1).value();
  const auto on_hyperboloid = [](Random& random) {
    const double z = random(-1, 1), angle = random(-3, 3);
    const double r = std::sqrt(1 + z * z);
    return Vec3<double>(r * std::cos(angle), r * std::sin(angle), z);
  };
  expect_implicit_laws(hyperboloid, on_hyperboloid, 1);
  expect_projection_is_quadratic(hyperboloid, on_hyperboloid, 1);
  const Quadric paraboloid =  // z = x² + y²
      Quadric::make(Vec3<double>(1, 1, 0).asDiagonal(), {0, 0, -0.5}, 0).value();
  const auto on_paraboloid = [](Random& random) {
    const Vec2<double> xy = random.vector<2>(-1, 1);
    return Vec3<double>(xy.x(), xy.y(), xy.squaredNorm());
  };
  expect_implicit_laws(paraboloid, on_paraboloid, 1);
  expect_projection_is_quadratic(paraboloid, on_paraboloid, 1);
}

// One ellipsoid in two descriptions is one surface.
TEST(Quadric, AgreesWithTheParametricEllipsoid) {
  for (bool cavity : {false, true}) {
    const Ellipsoid parametric = ellipsoid(0.7, 0.5, 0.4, cavity);
    const Quadric implicit = quadric_of(parametric);
    EXPECT_NEAR(implicit.bounding_radius(), parametric.bounding_radius(), 4 * kEps);
    for (const ChartDomain& chart : domain_of(parametric).charts) {
      for_random_cases(50, [&](Random& random) {
        const Jet<double, 2> c = parametric.jet<2>(chart.chart, chart.sample(random, kBeyond));
        const Vec3<double> n = c.d(1, 0).cross(c.d(0, 1)).normalized();
        const Vec3<double> e = fair_reference(random, {n});
        const auto a = local_surface(c, e), b = local_surface(implicit, c.d(0, 0), e);
        EXPECT_LE(difference(a.p, b.p), kLawTolerance);
        EXPECT_LE(difference(a.R, b.R), kLawTolerance);
        EXPECT_LE(difference(a.K, b.K), kLawTolerance * a.K.norm());
        EXPECT_LE(difference(a.T, b.T), kLawTolerance * a.K.norm());
      });
    }
  }
}

TEST(Quadric, MovesRigidly) {
  const Vec3<double> D(1 / 0.49, 1 / 0.25, 1 / 0.16);
  const Quadric still = moved(D, {}, 1);
  for_random_cases(50, [&](Random& random) {
    const Pose<double> X = some_pose(random);
    const Quadric other = moved(D, X, 1);
    const Vec3<double> p = Vec3<double>(0.7, 0.5, 0.4).cwiseProduct(random.direction());
    const Vec3<double> n = D.cwiseProduct(p).normalized(), e = fair_reference(random, {n});
    const auto a = local_surface(still, p, e);
    const auto b = local_surface(other, Vec3<double>(X * p), Vec3<double>(X.R * e));
    // f at the moved place is a difference of terms as large as Q |centre|², about 50 of its own.
    EXPECT_LE(difference(b.p, X * a.p), kLawTolerance);
    EXPECT_LE(difference(b.R, X.R * a.R), kLawTolerance);
    EXPECT_LE(difference(b.K, a.K), kLawTolerance * a.K.norm());
    EXPECT_LE(difference(b.T, a.T), kLawTolerance * a.K.norm());
  });
}

// near() gives a point of the surface wherever it starts.
void expect_near_lies_on(const Quadric& surface, const Vec3<double>& start) {
  const Location q = surface.near(start);
  ASSERT_TRUE(q.x.allFinite()) << start.transpose();
  EXPECT_LE(residual(surface, q.x), 1e-9 * (1 + q.x.norm())) << start.transpose();
}

TEST(Quadric, NearLiesOnTheSurface) {
  const Vec3<double> signatures[] = {{1, 2, 3},   {-1, -2, -3}, {1, 1, -1}, {1, -1, -1},
                                     {-1, 1, -1}, {1, 2, 0},    {1, 0, 0},  {1, -1, 0}};
  for (const Vec3<double>& D : signatures) {
    SCOPED_TRACE(testing::Message() << "signature " << D.transpose());
    const double level = D.x() < 0 && D.maxCoeff() < 0 ? -1 : 1;
    for_random_cases(20, [&](Random& random) {
      const Pose<double> X = some_pose(random);
      const Quadric surface = moved(D, X, level);
      EXPECT_FALSE(surface.seeds().empty());
      for (const Location& q : surface.seeds())
        EXPECT_LE(residual(surface, q.x), 1e-9 * (1 + q.x.norm()));
      expect_near_lies_on(surface, X.p + random.vector<3>(-3, 3));
      expect_near_lies_on(surface, X.p + 1e-3 * random.vector<3>(-1, 1));
    });
    expect_near_lies_on(moved(D, {}, level), Vec3<double>::Zero());  // the centre: no gradient
  }
  // Between the sheets f has no zero along its gradient.
  expect_near_lies_on(moved({-1, 1, 1}, {}, -1), {0, 1, 0});
}

TEST(Quadric, BoundingRadiusContainsEllipsoids) {
  for_random_cases(50, [](Random& random) {
    const Vec3<double> semi_axes = random.vector<3>(0.2, 2);
    const Pose<double> X = some_pose(random);
    const Quadric surface = moved(semi_axes.cwiseAbs2().cwiseInverse(), X, 1);
    EXPECT_LE(difference(surface.bounding_radius(), X.p.norm() + semi_axes.maxCoeff()), 1e-12 * 10);
    for (const Location& q : surface.seeds())
      EXPECT_LE(q.x.norm(), surface.bounding_radius() * (1 + 1e-12));
  });
}

TEST(Quadric, OtherSurfacesAreUnbounded) {  // also where round-off hides a zero eigenvalue
  for (const Vec3<double>& D : {Vec3<double>(1, 1, 0), Vec3<double>(1, 0, 0),
                                Vec3<double>(1, 1, -1), Vec3<double>(2, 3, 0)}) {
    for_random_cases(50, [&](Random& random) {
      const Quadric surface = moved(D, some_pose(random), 1);
      EXPECT_TRUE(std::isinf(surface.bounding_radius())) << D.transpose();
      for (const Location& q : surface.seeds()) EXPECT_LE(q.x.norm(), 100);
    });
  }
}

void expect_refused(const Mat3<double>& Q, const Vec3<double>& b, double c,
                    const std::string& message) {
  const Result<Quadric> r = Quadric::make(Q, b, c);
  ASSERT_FALSE(r.has_value()) << message;
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy, "");
}

// Elliptic, hyperbolic and cylindrical, anywhere: triangles on the surface that see its outside.
TEST(Quadric, ParaboloidsHaveTriangles) {
  Random random(7);
  for (const Vec2<double>& bend : {Vec2<double>(1, 3), {2, -1}, {-1, -2}, {2, 0}}) {
    for (const double side : {1.0, -1.0}) {
      const Pose<double> X = some_pose(random);
      const Mat3<double> Q =
          X.R * Vec3<double>(bend.x(), bend.y(), 0).asDiagonal() * X.R.transpose();
      const Vec3<double> b = -Q * X.p + 0.5 * side * X.R.col(2);
      const double c = X.p.dot(Q * X.p) - side * X.R.col(2).dot(X.p);
      const Quadric surface = Quadric::make(0.5 * (Q + Q.transpose()), b, c).value();
      const auto mesh = tessellate(surface, {1e-2, 1});
      ASSERT_TRUE(mesh);
      ASSERT_GT(mesh->triangles.size(), 10u);
      for (const Vec3<double>& p : mesh->vertices) EXPECT_NEAR(surface.implicit_jet(p).f, 0, 1e-11);
      for (const auto& t : mesh->triangles) {
        const auto p = [&](std::size_t k) {
          return mesh->vertices[static_cast<std::size_t>(t[k])];
        };
        const Vec3<double> flat = (p(1) - p(0)).cross(p(2) - p(0));
        EXPECT_GT(flat.dot(surface.implicit_jet(Vec3<double>((p(0) + p(1) + p(2)) / 3)).gradient),
                  0);
      }
    }
  }
}

TEST(Quadric, RefusesWhatIsNoSurface) {
  const Mat3<double> I = Mat3<double>::Identity(), O = Mat3<double>::Zero();
  const Vec3<double> zero = Vec3<double>::Zero();
  expect_refused(I, zero, 1, "no point satisfies f = 0");
  expect_refused(-I, zero, -1, "no point satisfies f = 0");
  expect_refused(I, zero, 0, "no point satisfies f = 0");  // a single point
  expect_refused(O, zero, 1, "the quadric has neither a quadratic nor a linear part");
  for (const Vec3<double>& D : {Vec3<double>(1, 0, 0), Vec3<double>(1, 1, 0)}) {
    expect_refused(D.asDiagonal(), zero, 1, "no regular point of f = 0 was found");
    expect_refused(D.asDiagonal(), zero, 0,
                   "no regular point of f = 0 was found");  // without inside
  }
  for_random_cases(50, [&](Random& random) {  // a single point somewhere
    const Pose<double> X = some_pose(random);
    const Vec3<double> D = random.vector<3>(1, 3);
    const Mat3<double> A = X.R * D.asDiagonal() * X.R.transpose(), Q = 0.5 * (A + A.transpose());
    EXPECT_FALSE(Quadric::make(Q, -Q * X.p, X.p.dot(Q * X.p)).has_value());
  });
}

TEST(Quadric, RefusesBadCoefficients) {
  const Mat3<double> I = Mat3<double>::Identity();
  const Vec3<double> zero = Vec3<double>::Zero();
  const double nan = std::nan("");
  Mat3<double> bad = I;
  bad(1, 2) = nan;
  expect_refused(bad, zero, -1, "the quadric has a coefficient that is not finite");
  expect_refused(I, {0, nan, 0}, -1, "the quadric has a coefficient that is not finite");
  expect_refused(I, zero, HUGE_VAL, "the quadric has a coefficient that is not finite");
  Mat3<double> lopsided = I;
  lopsided(0, 1) = 0.1;
  expect_refused(lopsided, zero, -1, "Q is not symmetric");
}

}  // namespace oloid::test::quadric_test
