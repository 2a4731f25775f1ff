#include "oloid/geometry/curves/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "laws/difference.h"
#include "laws/random.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/core/tangents.h"
#include "oloid/geometry/curves/patch_curve.h"
#include "oloid/geometry/curves/traced_curve.h"
#include "support/edged_shapes.h"
#include "support/rooms.h"

namespace oloid::test::curve_test {

constexpr double kPi = std::numbers::pi;
using Points = std::vector<Vec3<double>>;

Points random_points(Random& random, std::size_t n) {
  Points points;
  for (std::size_t i = 0; i < n; ++i)
    points.push_back(Vec3<double>(static_cast<double>(i), 0, 0) + random.vector<3>(-0.7, 0.7));
  return points;
}
Curve random_bezier(Random& random) {
  std::vector<double> weights;
  for (int i = 0; i < 5; ++i) weights.push_back(random(0.5, 2));
  return Curve::bezier(random_points(random, 5), weights).value();
}
Curve random_nurbs(Random& random) {
  return Curve::nurbs(uniform_knots(3, 8), random_points(random, 8)).value();
}
// A square with rounded corners: straight lines and arcs.
Curve stadium(double r, double length) {
  const auto line = [](const Vec3<double>& a, const Vec3<double>& b) {
    return BezierCurve<3>{{weighted<3>(a, 1), weighted<3>(b, 1)}};
  };
  const auto arc = [r](double x, double from) {
    Winding w{{x, 0, 0}, {r, 0, 0}, {0, r, 0}};
    w.from = from;
    w.to = from + kPi;
    return w;
  };
  const double h = length / 2;
  return Curve::make({line({-h, -r, 0}, {h, -r, 0}), arc(h, -kPi / 2), line({h, r, 0}, {-h, r, 0}),
                      arc(-h, kPi / 2)})
      .value();
}
std::vector<Curve> all_curves() {
  Random random(3);
  return {Curve::circle({0.1, -0.2, 0.3}, {1, 2, 3}, 0.7).value(),
          Curve::ellipse({1, 0, 0}, {0.5, 0, 0.1}, {0, 0.3, 0}, 0.2, 4).value(),
          Curve::helix(0.4, 0.3, 5.3).value(),
          Curve::polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0.2}}).value(),
          Curve::polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0.2}}, true).value(),
          random_bezier(random),
          random_nurbs(random),
          stadium(0.3, 1),
          edges(hill_with_hole(2)).back().curve,
          edges(bent_wedge()).front().curve};
}

template <int Order>
void expect_jet_law(const Curve& curve, int piece, double t) {
  using D = Dual<double, 1>;
  const auto low = curve.jet<Order>(piece, t);
  const auto high = curve.jet<Order + 1>(piece, t);
  const auto duals = curve.jet<Order>(piece, D::variable(t, 0));
  const auto lanes = curve.jet<Order>(piece, Pack<4>(t));
  double scale = 1;
  for (std::size_t k = 0; k <= Order + 1; ++k) scale = std::max(scale, high[k].norm());
  for (std::size_t k = 0; k <= Order; ++k) {
    EXPECT_LE(difference(low[k], high[k]), 1e-13 * scale);
    EXPECT_LE(difference(value(duals[k]), high[k]), 1e-13 * scale);
    EXPECT_LE(difference(derivative(duals[k], 0), high[k + 1]), 1e-13 * scale);
    EXPECT_LE(difference(lane(lanes[k], 2), high[k]), 1e-13 * scale);
  }
}

TEST(Curve, JetsAreDerivatives) {
  for (const Curve& curve : all_curves()) {
    for_random_cases(20, [&](Random& random) {
      for (int i = 0; i < curve.pieces(); ++i) {
        const double t = random(-0.1, 1.1);
        expect_jet_law<0>(curve, i, t);
        expect_jet_law<1>(curve, i, t);
        expect_jet_law<2>(curve, i, t);
      }
    });
  }
}

// Frame and numbers turn as Frenet and Serret say, by dual numbers along the arc length.
TEST(Curve, FrenetFramesTurnAsTheyShould) {
  using D = Dual<double, 1>;
  for (const Curve& curve : all_curves()) {
    for_random_cases(20, [&](Random& random) {
      for (int i = 0; i < curve.pieces(); ++i) {
        const double t = random(0, 1);
        const Frenet<double> at = curve.frenet(i, t);
        D moving = D::variable(t, 0);
        moving.d[0] = 1 / at.speed;  // so that derivatives are by λ
        const Frenet<D> f = curve.frenet(i, moving);
        const Vec3<double>&T = at.tangent, &N = at.normal, &B = at.binormal;
        Mat3<double> R;
        R << T, N, B;
        EXPECT_LE(difference(R.transpose() * R, Mat3<double>::Identity()), 8 * kEps);
        EXPECT_GT(R.determinant(), 0);
        const double k = at.curvature, tau = at.torsion;
        EXPECT_GE(k, 0);
        const double scale = 1 + k + std::abs(tau) + k * k;
        EXPECT_LE(difference(derivative(f.tangent, 0), k * N), 1e-12 * scale);
        EXPECT_LE(difference(derivative(f.normal, 0), -k * T + tau * B), 1e-11 * scale);
        EXPECT_LE(difference(derivative(f.binormal, 0), -tau * N), 1e-11 * scale);
        EXPECT_LE(difference(f.curvature.d[0], at.curvature_rate), 1e-11 * scale);
      }
    });
  }
}

TEST(Curve, CirclesAndHelicesAreExact) {
  const double r = 0.4, pitch = 0.3, h = pitch / (2 * kPi);
  const Curve helix = Curve::helix(r, pitch, 5).value();
  const Curve circle = Curve::circle({1, 2, 3}, {1, 1, 0}, r).value();
  EXPECT_NEAR(helix.length(), 5 * 2 * kPi * std::hypot(r, h), 1e-13);
  EXPECT_NEAR(circle.length(), 2 * kPi * r, 1e-15);
  EXPECT_TRUE(circle.closed());
  EXPECT_EQ(circle.joint_after(0), Joint::G2);
  EXPECT_FALSE(helix.closed());
  for (const double t : {0.0, 0.3, 0.77, 1.0}) {
    const Frenet<double> f = helix.frenet(0, t), c = circle.frenet(0, t);
    EXPECT_NEAR(f.curvature, r / (r * r + h * h), 1e-14);
    EXPECT_NEAR(f.torsion, h / (r * r + h * h), 1e-14);
    EXPECT_NEAR(f.curvature_rate, 0, 1e-13);
    EXPECT_NEAR(c.curvature, 1 / r, 1e-14);
    EXPECT_NEAR(c.torsion, 0, 1e-14);
    EXPECT_LE(difference(c.binormal, Vec3<double>(1, 1, 0).normalized()), 8 * kEps);
    EXPECT_LE(difference(circle.point({0, t}) + r * c.normal, Vec3<double>(1, 2, 3)), 1e-15);
  }
}

// At the vertices of an ellipse κ = a/b², b/a²; κ' = 0.
TEST(Curve, EllipsesHaveTheirVertices) {
  const double a = 0.5, b = 0.3;
  const Curve curve = Curve::ellipse({0, 0, 0}, {a, 0, 0}, {0, b, 0}).value();
  EXPECT_NEAR(curve.frenet(0, 0.0).curvature, a / (b * b), 1e-14);
  EXPECT_NEAR(curve.frenet(0, 0.25).curvature, b / (a * a), 1e-14);
  EXPECT_NEAR(curve.frenet(0, 0.0).curvature_rate, 0, 1e-13);
  EXPECT_GT(std::abs(curve.frenet(0, 0.1).curvature_rate), 0.1);
  EXPECT_NEAR(curve.length(), 4 * a * std::comp_ellint_2(0.8), 1e-14);  // k² = 1 − b²/a² = 0.64
}

TEST(Curve, StraightPiecesHaveAFrameAndNoCurvature) {
  const Curve lines = Curve::polyline({{0, 0, 0}, {1, 2, 3}, {1, 2, 7}}).value();
  for (int i = 0; i < 2; ++i) {
    const Frenet<double> f = lines.frenet(i, 0.4), g = lines.frenet(i, 0.9);
    EXPECT_EQ(f.curvature, 0);
    EXPECT_EQ(f.torsion, 0);
    EXPECT_EQ(f.curvature_rate, 0);
    EXPECT_NEAR(f.normal.norm(), 1, 4 * kEps);
    EXPECT_LE(difference(f.normal, g.normal), kEps);  // does not turn along the piece
  }
  EXPECT_EQ(lines.joint_after(0), Joint::G0);
  // A cubic that is straight, and one with a point of inflection.
  const Curve cubic = Curve::bezier({{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {4, 4, 0}}).value();
  EXPECT_EQ(cubic.frenet(0, 0.3).curvature, 0);
  const Curve wave = Curve::bezier({{0, 0, 0}, {1, 1, 0}, {2, -1, 0}, {3, 0, 0}}).value();
  EXPECT_TRUE(wave.frenet(0, 0.5).normal.allFinite());
  EXPECT_TRUE(std::isfinite(wave.frenet(0, 0.5).torsion));
}

// Neither the parameter nor the place in space matters.
TEST(Curve, CurvatureBelongsToTheCurve) {
  for_random_cases(30, [](Random& random) {
    const Points points = random_points(random, 5);
    const Curve curve = Curve::bezier(points).value();
    // x ↦ x with weights w_i c^i runs at another pace.
    const double c = random(0.4, 2);
    std::vector<double> weights;
    for (int i = 0; i < 5; ++i) weights.push_back(std::pow(c, i));
    const Curve other = Curve::bezier(points, weights).value();
    const Vec3<double> axis = random.direction(), shift = random.vector<3>(-1, 1);
    const Mat3<double> R =
        Eigen::AngleAxisd(random(0, 3), Eigen::Vector3d(axis)).toRotationMatrix();
    Points moved;
    for (const Vec3<double>& p : points) moved.push_back(R * p + shift);
    const Curve turned = Curve::bezier(moved).value();
    const double t = random(0.05, 0.95), s = t / (t + c * (1 - t));
    const Frenet<double> f = curve.frenet(0, t), g = other.frenet(0, s), h = turned.frenet(0, t);
    ASSERT_LE(difference(curve.point({0, t}), other.point({0, s})), 1e-13);
    const double scale = 1 + f.curvature + std::abs(f.torsion) + std::abs(f.curvature_rate);
    for (const Frenet<double>& k : {g, h}) {
      EXPECT_NEAR(k.curvature, f.curvature, 1e-10 * scale);
      EXPECT_NEAR(k.torsion, f.torsion, 1e-10 * scale);
      EXPECT_NEAR(k.curvature_rate, f.curvature_rate, 1e-10 * scale);
    }
    EXPECT_LE(difference(g.normal, f.normal), 1e-11 * scale);
    EXPECT_LE(difference(h.normal, R * f.normal), 1e-11 * scale);
    EXPECT_NEAR(turned.length(), curve.length(), 1e-13 * curve.length());
    EXPECT_NEAR(other.length(), curve.length(), 1e-13 * curve.length());
  });
}

TEST(Curve, RingsAndRodsHaveTheirInertia) {
  const double r = 0.7, L = 2 * kPi * r;
  const Wire ring = Curve::circle({1, 2, 3}, {0, 0, 1}, r).value().wire();
  EXPECT_NEAR(ring.length, L, 1e-14);
  EXPECT_LE(difference(ring.centre, Vec3<double>(1, 2, 3)), 1e-14);
  const Vec3<double> moments = L * r * r * Vec3<double>(0.5, 0.5, 1);
  EXPECT_LE(difference(ring.inertia, Mat3<double>(moments.asDiagonal())), 1e-14);
  const Wire rod = Curve::polyline({{0, 0, 0}, {0, 0, 1}, {0, 0, 3}}).value().wire();
  EXPECT_NEAR(rod.length, 3, 1e-14);
  EXPECT_LE(difference(rod.centre, Vec3<double>(0, 0, 1.5)), 1e-14);
  EXPECT_LE(difference(rod.inertia, Mat3<double>(Vec3<double>(2.25, 2.25, 0).asDiagonal())), 1e-14);
  // A wire of many turns: the moments of a thin tube.
  const Wire spring = Curve::helix(0.1, 1e-3, 1000).value().wire();
  EXPECT_NEAR(spring.inertia(2, 2), spring.length * 0.01, 1e-11);
}

TEST(Curve, PiecesJoinAsSmoothlyAsTheyAre) {
  const Curve track = stadium(0.3, 1);
  EXPECT_TRUE(track.closed());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(track.joint_after(i), Joint::G1);
  EXPECT_NEAR(track.length(), 2 + 2 * kPi * 0.3, 1e-14);
  Random random(1);
  const Curve spline = random_nurbs(random);
  for (int i = 0; i + 1 < spline.pieces(); ++i) EXPECT_EQ(spline.joint_after(i), Joint::G2);
  EXPECT_EQ(spline.pieces(), 5);
}

// Crossing keeps the point, lands inside the next piece, and open ends stay where they are.
TEST(Curve, LeavingLeadsOnOrEnds) {
  for (const Curve& curve : all_curves()) {
    for (int i = 0; i < curve.pieces(); ++i) {
      for (const double beyond : {-2e-10, 1 + 2e-10}) {
        const CurveLocation q{i, beyond};
        EXPECT_LT(curve.margin(q), 0);
        const bool end = beyond > 0;
        const bool open = !curve.closed() && (end ? i == curve.pieces() - 1 : i == 0);
        const CurveExit exit = curve.leave(q);
        ASSERT_EQ(std::holds_alternative<CurveEnd>(exit), open);
        if (open) {
          EXPECT_EQ(std::get<CurveEnd>(exit).at.t, end ? 1 : 0);
          continue;
        }
        const auto& crossing = std::get<CurveCrossing>(exit);
        EXPECT_GT(curve.margin(crossing.to), 0);
        const double apart = crossing.joint == Joint::G0 ? 1e-8 : 1e-14;
        EXPECT_LE(difference(curve.point(crossing.to), curve.point(q)), apart);
      }
      EXPECT_GE(curve.margin({i, 1}), 0);
      EXPECT_GT(curve.margin({i, 0.5}), 0);
    }
  }
}

TEST(Curve, BoxesContainIt) {
  for (const Curve& curve : all_curves()) {
    const Box box = curve.box();
    Box sampled;
    for (int i = 0; i < curve.pieces(); ++i) {
      for (int k = 0; k <= 5000; ++k) {
        const Vec3<double> p = curve.point({i, k / 5000.0});
        EXPECT_TRUE(box.contains(p));
        sampled.add(p);
      }
    }
    EXPECT_LE(difference(sampled.low, box.low), 1e-5);
    EXPECT_LE(difference(sampled.high, box.high), 1e-5);
  }
}

TEST(Curve, NearFindsTheFootOfThePerpendicular) {
  for (const Curve& curve : all_curves()) {
    for (const CurveLocation& q : curve.seeds()) {
      EXPECT_GT(curve.margin(q), 0);
      const auto x = curve.jet<1>(q.piece, q.t);
      const Vec3<double> p = x[0] + 1e-3 * crosswise(x[1]).a;
      EXPECT_LE((curve.point(curve.near(p)) - p).norm(), 1e-3 * (1 + 1e-9));
    }
  }
}

TEST(Curve, OutlinesStayNear) {
  for (const Curve& curve : all_curves()) {
    const Points points = curve.outline(1e-3);
    EXPECT_LE(difference(points.front(), curve.point({0, 0})), 0);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const Vec3<double> middle = 0.5 * (points[i] + points[i + 1]);
      EXPECT_LE((curve.point(curve.near(middle)) - middle).norm(), 1e-3);
    }
  }
}

TEST(Curve, RefusesWhatIsNoCurve) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Curve::make({}));
  EXPECT_FALSE(Curve::circle({0, 0, 0}, {0, 0, 0}, 1));
  EXPECT_FALSE(Curve::circle({0, 0, 0}, {0, 0, 1}, -1));
  EXPECT_FALSE(Curve::circle({nan, 0, 0}, {0, 0, 1}, 1));
  EXPECT_FALSE(Curve::ellipse({0, 0, 0}, {1, 0, 0}, {2, 0, 0}));  // flat: stands still at its ends
  EXPECT_FALSE(Curve::helix(1, nan, 1));
  EXPECT_FALSE(Curve::helix(1, 1, 1e9));
  EXPECT_FALSE(Curve::polyline({{0, 0, 0}}));
  EXPECT_FALSE(Curve::polyline({{0, 0, 0}, {0, 0, 0}}));
  EXPECT_FALSE(Curve::bezier({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}));  // turns back
  EXPECT_FALSE(Curve::bezier({{0, 0, 0}, {1, 0, 0}}, {1, 0}));
  EXPECT_FALSE(Curve::bezier({{0, 0, 0}, {1, 0, 0}}, {1, 1, 1}));
  EXPECT_FALSE(Curve::bezier(Points(17, Vec3<double>::Zero())));
  EXPECT_FALSE(Curve::nurbs(uniform_knots(3, 5), {{0, 0, 0}, {1, 0, 0}}));
}

}  // namespace oloid::test::curve_test
