#include "oloid/contact/extremal_pair.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "oloid/contact/surface_surface.h"
#include "oloid/spatial/rotation.h"
#include "support/eq5_frame.h"
#include "support/feature_frame.h"
#include "support/gap_motion.h"
#include "support/random_contact.h"
#include "support/reference_features.h"
#include "support/rooms.h"

namespace oloid::test::extremal_pair_test {

double number(const nlohmann::json& j) { return j.get<double>(); }

// --- Reference data ----------------------------------------------------------------------------

// f is our B, g our A: the normal points from f to g, and g moves relative to f.
TEST(ExtremalPair, ReproducesTheReferenceRatesOfSurfaces) {
  const nlohmann::json data = read_data("closest_point_tracking.json");
  for (const auto& c : data["surface_surface"]) {
    SCOPED_TRACE(c["case"].get<std::string>());
    const ReferencePose f = reference_pose(c["pose_f"]), g = reference_pose(c["pose_g"]);
    const Vec<double, 4> u = vec<4>(c["u"]);
    const auto local_f = local_feature(parameter_surface(FormulaSurface{c["f"]}.jet(u.head<2>())));
    const auto local_g = local_feature(parameter_surface(FormulaSurface{c["g"]}.jet(u.tail<2>())));
    const ExtremalPair pair(g.X * local_g, f.X * local_f, {0, 0, 1});
    EXPECT_LE(pair.residual(1), 1e-12);
    EXPECT_NEAR(pair.gap(), number(c["beta"]), 1e-13);
    const GapMotion motion = gap_motion(pair, g.motion, f.motion);
    EXPECT_NEAR(motion.rate, number(c["beta_dot"]), 1e-12);
    Vec<double, 4> rates;
    rates << (local_f.L * (pair.B.E.transpose() * motion.s_B)).head<2>(),
        (local_g.L * (pair.A.E.transpose() * motion.s_A)).head<2>();
    expect_near(rates, vec<4>(c["u_dot"]), 1e-11, "rates of the parameters");
  }
}

TEST(ExtremalPair, ReproducesTheReferenceRatesOfSurfaceAndCurve) {
  const nlohmann::json data = read_data("closest_point_tracking.json");
  for (const auto& c : data["surface_curve"]) {
    const ReferencePose f = reference_pose(c["pose_f"]), g = reference_pose(c["pose_g"]);
    const Vec3<double> u = vec<3>(c["u"]);
    const auto local_f = local_feature(parameter_surface(FormulaSurface{c["f"]}.jet(u.head<2>())));
    const auto local_g = curve_feature(reference_curve(c["g"], u(2)));
    const ExtremalPair pair(g.X * local_g, f.X * local_f, {0, 0, 1});
    EXPECT_LE(pair.residual(1), 1e-12);
    EXPECT_NEAR(pair.gap(), number(c["beta"]), 1e-13);
    const GapMotion motion = gap_motion(pair, g.motion, f.motion);
    EXPECT_NEAR(motion.rate, number(c["beta_dot"]), 1e-12);
    Vec3<double> rates;
    rates << (local_f.L * (pair.B.E.transpose() * motion.s_B)).head<2>(),
        local_g.L(0, 0) * pair.A.E.col(0).dot(motion.s_A);
    expect_near(rates, vec<3>(c["u_dot"]), 1e-11, "rates of the parameters");
  }
}

// Every pair of kinds: implicit, parametric, face, edge, curve, vertex.
TEST(ExtremalPair, ReproducesTheReferenceGapsOfAllFeatures) {
  const nlohmann::json data = read_data("multi_contact.json");
  ASSERT_GE(data["chi"].size(), 40U);
  for (const auto& c : data["chi"]) {
    SCOPED_TRACE(c["case"].get<std::string>());
    const ReferencePose A = reference_pose(c["A"]["motion"]), B = reference_pose(c["B"]["motion"]);
    const Vec3<double> n = vec<3>(c["n"]);
    const ExtremalPair pair(A.X * reference_feature(c["A"]["shape"], c["A"]["param_or_body_point"]),
                            B.X * reference_feature(c["B"]["shape"], c["B"]["param_or_body_point"]),
                            n);
    EXPECT_LE(pair.residual(1), 1e-10);
    expect_near(pair.n, n, 1e-10, "normal");
    expect_near(pair.A.p, vec<3>(c["p_a"]), 1e-10, "point of A");
    expect_near(pair.B.p, vec<3>(c["p_b"]), 1e-10, "point of B");
    EXPECT_NEAR(pair.gap(), number(c["chi"]), 1e-10);
    const GapMotion motion = gap_motion(pair, A.motion, B.motion);
    expect_near(motion.s_A, vec<3>(c["s_a"]), 1e-9, "way over A");
    expect_near(motion.s_B, vec<3>(c["s_b"]), 1e-9, "way over B");
    expect_near(motion.n_rate, vec<3>(c["n_dot"]), 1e-9, "turning of the normal");
    EXPECT_NEAR(motion.rate, number(c["chi_dot"]), 1e-10);
    EXPECT_NEAR(motion.acceleration, number(c["chi_ddot"]),
                1e-9 * std::max(1.0, std::abs(number(c["chi_ddot"]))));
  }
}

// Theorems 1 to 3: body 1 is our B, body 2 our A, whose outward normal is C₂'s z.
struct TheoremSide {
  LocalFeature<double> local;
  LocalSurface<double> surface;
  CurveJet<double, 3> curve;
  Pose<double> X;
  bool is_curve;
};
TheoremSide theorem_surface(const nlohmann::json& shape, const Vec2<double>& q,
                            const Pose<double>& X) {
  const auto surface = eq5_surface(FormulaSurface{shape}.jet(q));  // x along the first parameter
  return {X * local_feature(surface), surface, {}, X, false};
}
TheoremSide theorem_curve(const nlohmann::json& shape, double s, const Pose<double>& X) {
  const auto x = reference_curve(shape, s);
  return {X * curve_feature(x), {}, x, X, true};
}

// Contact frame of a side, its turning ẋ·y, and the rate of φ, in a moving pair.
struct TheoremFrame {
  Pose<double> frame;  // in the body
  double phi = 0, phi_rate = 0, turn = 0, speed = 0;
};
TheoremFrame theorem_frame(const TheoremSide& side, const Vec2<double>& s,
                           const Vec3<double>& outward_W, const Vec3<double>& outward_rate_W) {
  if (!side.is_curve) return {{side.surface.R, side.surface.p}, 0, 0, side.surface.T.dot(s), 0};
  const Frenet<double> frenet = geometry::frenet(side.curve, {0, 0, 1});
  const Mat3<double> R_t = side.X.R.transpose();
  const double phi = CurveFrame::angle_of(frenet, R_t * outward_W);
  const CurveFrame at(frenet, side.curve[0], phi);
  return {at.frame, phi, at.angle_rate(s(0), R_t * outward_rate_W), at.turn(s(0)), s(0)};
}

struct TheoremResult {
  TheoremFrame side_1, side_2;
  PairStep step;
  double psi, psi_rate, gap, gap_rate;
};
TheoremResult theorem(const TheoremSide& side_1, const TheoremSide& side_2,
                      const ReferencePose& pose_1, const ReferencePose& pose_2,
                      const Vec3<double>& hint) {
  const ExtremalPair pair(side_2.local, side_1.local, hint);
  EXPECT_LE(pair.residual(1), 1e-11);
  const SpatialMotion &A = pose_2.motion, &B = pose_1.motion;
  const Vec3<double> zero = Vec3<double>::Zero(), w = A.w - B.w;
  TheoremResult result;
  result.step = pair.rates({w, A.velocity(zero) - B.velocity(zero)});
  const Vec3<double> n_rate = result.step.n + B.w.cross(pair.n);
  result.side_1 = theorem_frame(side_1, result.step.s_B, pair.n, n_rate - B.w.cross(pair.n));
  result.side_2 = theorem_frame(side_2, result.step.s_A, -pair.n, -(n_rate - A.w.cross(pair.n)));
  const Mat3<double> R_12 = side_1.X.R.transpose() * side_2.X.R;
  result.psi = psi_of_pose(result.side_2.frame.R, result.side_1.frame.R, R_12);
  result.psi_rate = w.dot(-pair.n) + result.side_1.turn + result.side_2.turn;
  const GapMotion motion = gap_motion(pair, A, B);
  result.gap = pair.gap();
  result.gap_rate = motion.rate;
  return result;
}
void expect_theorem(const TheoremResult& result, const nlohmann::json& c) {
  EXPECT_NEAR(result.gap, number(c["d"]), 1e-11);
  EXPECT_NEAR(result.gap_rate, number(c["d_dot"]), 1e-11);
  EXPECT_NEAR(std::remainder(result.psi - number(c["psi"]), 2 * std::acos(-1.0)), 0, 1e-11);
  EXPECT_NEAR(result.psi_rate, number(c["psi_dot"]), 1e-10);
}
Vec3<double> hint_of(const TheoremSide& one, const TheoremSide& two) {
  return (two.local.p - one.local.p).normalized();
}

TEST(ExtremalPair, ReproducesTheTheoremsOnRolling) {
  const nlohmann::json data = read_data("rolling.json");
  for (const auto& c : data["theorem1"]) {
    const ReferencePose p1 = reference_pose(c["pose1"]), p2 = reference_pose(c["pose2"]);
    const TheoremSide one = theorem_curve(c["circle"], number(c["s1"]), p1.X);
    const TheoremSide two = theorem_curve(c["helix"], number(c["s2"]), p2.X);
    const TheoremResult r = theorem(one, two, p1, p2, hint_of(one, two));
    expect_theorem(r, c);
    EXPECT_NEAR(r.side_1.speed, number(c["lambda1_dot"]), 1e-10);
    EXPECT_NEAR(r.side_2.speed, number(c["lambda2_dot"]), 1e-10);
    EXPECT_NEAR(r.side_1.phi, number(c["phi1"]), 1e-11);
    EXPECT_NEAR(r.side_2.phi, number(c["phi2"]), 1e-11);
    EXPECT_NEAR(r.side_1.phi_rate, number(c["phi1_dot"]), 1e-10);
    EXPECT_NEAR(r.side_2.phi_rate, number(c["phi2_dot"]), 1e-10);
  }
  for (const auto& c : data["theorem2"]) {
    const ReferencePose p1 = reference_pose(c["pose1"]), p2 = reference_pose(c["pose2"]);
    const TheoremSide one = theorem_surface(c["f1"], vec<2>(c["a1"]), p1.X);
    const TheoremSide two = theorem_surface(c["f2"], vec<2>(c["a2"]), p2.X);
    const TheoremResult r = theorem(one, two, p1, p2, hint_of(one, two));
    expect_theorem(r, c);
    Vec<double, 4> rates;
    rates << (one.surface.L * r.step.s_B).head<2>(), (two.surface.L * r.step.s_A).head<2>();
    expect_near(rates, vec<4>(c["a_dot"]), 1e-10, "rates of the parameters");
  }
  for (const auto& c : data["theorem3"]) {
    const ReferencePose p1 = reference_pose(c["pose1"]), p2 = reference_pose(c["pose2"]);
    const TheoremSide one = theorem_surface(c["f"], vec<2>(c["a"]), p1.X);
    const TheoremSide two = theorem_curve(c["helix"], number(c["s"]), p2.X);
    const TheoremResult r = theorem(one, two, p1, p2, hint_of(one, two));
    expect_theorem(r, c);
    expect_near(Vec2<double>((one.surface.L * r.step.s_B).head<2>()), vec<2>(c["a_dot"]), 1e-10,
                "rates of the parameters");
    EXPECT_NEAR(r.side_2.speed, number(c["lambda_dot"]), 1e-10);
    EXPECT_NEAR(r.side_2.phi, number(c["phi"]), 1e-11);
    EXPECT_NEAR(r.side_2.phi_rate, number(c["phi_dot"]), 1e-10);
  }
}

// --- Laws for every pair of kinds --------------------------------------------------------------

// A side of a random pair: a surface, a curve or a vertex, with its two coordinates.
struct AnySide {
  enum class Kind { surface, implicit, curve, line, vertex };
  Kind kind;
  PlacedShape side{};  // surface
  ChartAnchor anchor{};
  Vec3<double> x{0, 0, 0};  // location; (s, φ, 0); outward direction
  nlohmann::json curve{};
  Vec3<double> point{0, 0, 0}, reference{0, 0, 1};

  bool is_surface() const { return kind == Kind::surface || kind == Kind::implicit; }
  bool is_curve() const { return kind == Kind::curve || kind == Kind::line; }

  LocalSurface<double> surface(const Vec3<double>& at) const { return side.at<double>(anchor, at); }
  CurveFrame curve_frame(const Vec3<double>& at) const {
    const auto jet = reference_curve(curve, at(0));
    return {frenet(jet, reference), jet[0], at(1)};
  }
  // In the body.
  Pose<double> frame(const Vec3<double>& at) const {
    if (is_surface()) {
      const auto s = surface(at);
      return {s.R, s.p};
    }
    if (is_curve()) return curve_frame(at).frame;
    return VertexFrame(point, at.normalized(), reference).frame;
  }
  LocalFeature<double> feature() const {
    if (is_surface()) return local_feature(surface(x));
    if (is_curve()) return curve_feature(reference_curve(curve, x(0)));
    return local_feature<double>(point);
  }
  // Rates of x and the turning of the frame, for a way s over the feature and a normal that turns
  // by z' in the body.
  std::pair<Vec3<double>, double> rates(const Vec2<double>& s, const Vec3<double>& z_rate) const {
    if (is_surface()) {
      const auto at = surface(x);
      return {at.L * s, at.T.dot(s)};
    }
    if (is_curve()) {
      const CurveFrame at = curve_frame(x);
      return {{s(0) / at.frenet.speed, at.angle_rate(s(0), z_rate), 0}, at.turn(s(0))};
    }
    return {z_rate, VertexFrame(point, x, reference).turn(z_rate)};
  }
};

AnySide random_side(Random& random, int kind, bool convex) {
  AnySide any{static_cast<AnySide::Kind>(kind)};
  if (any.is_surface()) {
    const int shape = kind == 1 ? (convex ? 8 : 6) : static_cast<int>(random(0, 3));
    any.side.shape = convex ? random_convex(random, shape) : random_support(random, shape);
    any.side.X_BS = {random.rotation(), random.vector<3>(-0.1, 0.1)};
    const Location at = random_location(random, any.side.shape);
    any.anchor = {at.chart, fresh_reference(any.side, at)};
    any.x = at.x;
  } else if (any.is_curve()) {
    any.curve = kind == 2 ? nlohmann::json::array({0.3, 0.1, 0.02})
                          : nlohmann::json{{"p0", {0.1, 0.0, 0.2}}, {"e", {0.6, 0.0, 0.8}}};
    any.x = {random(-0.5, 0.5), random(-3, 3), 0};
    any.reference = Vec3<double>(1, 2, -1).normalized();
  } else {
    any.point = random.vector<3>(-0.3, 0.3);
    any.x = random.vector<3>(-1, 1).normalized();
    any.reference = tangents(any.x).col(0);
  }
  return any;
}

// The pose rebuilt from moved contact coordinates has the twist that moved them, for every pair of
// kinds, apart, touching and overlapping.
TEST(ExtremalPair, RebuiltPoseHasTheTwistThatMovedIt) {
  Random random(7);
  int pairs = 0;
  for (int kind_A = 0; kind_A < 5; ++kind_A) {
    for (int kind_B = 0; kind_B < 5; ++kind_B) {
      for (const double gap : {0.05, 0.0, -0.02}) {
        if (kind_A == 4 && kind_B == 4 && gap <= 0) continue;  // two points have no normal then
        for (int i = 0; i < 4; ++i) {
          SCOPED_TRACE(fmt::format("kinds {} {}, gap {}, {}", kind_A, kind_B, gap, i));
          const AnySide A = random_side(random, kind_A, true);
          const AnySide B = random_side(random, kind_B, false);
          const double psi = random(-3, 3);
          const auto pose = [&](double t, const Vec3<double>& a, const Vec3<double>& b,
                                double psi_rate, double gap_rate) {
            return pose_of_A_in_B<double>(A.frame(A.x + t * a), B.frame(B.x + t * b),
                                          psi + t * psi_rate, gap + t * gap_rate);
          };
          const Pose<double> X = pose(0, {0, 0, 0}, {0, 0, 0}, 0, 0);
          const Vec3<double> n = B.frame(B.x).R.col(2);
          const ExtremalPair pair(X * A.feature(), B.feature(), n);
          ASSERT_LE(pair.residual(1), 1e-12);
          if (std::abs(pair.quality(0.3).conformity) < 0.02) continue;
          const Twist<double> V{random.vector<3>(-1, 1), random.vector<3>(-1, 1)};
          const PairStep step = pair.rates(V);
          const Vec3<double> nu_A_rate = X.R.transpose() * -(step.n - V.w.cross(pair.n));
          const auto [a, turn_A] = A.rates(step.s_A, nu_A_rate);
          const auto [b, turn_B] = B.rates(step.s_B, step.n);
          const double psi_rate = V.w.dot(-pair.n) + turn_A + turn_B;
          const double gap_rate = pair.gap_rate(V);
          // Sixth-order difference of the rebuilt pose.
          const double h = 2e-3 / std::max({1.0, step.s_A.norm(), step.s_B.norm(), step.n.norm()});
          Mat3<double> R_rate = Mat3<double>::Zero();
          Vec3<double> p_rate = Vec3<double>::Zero();
          const std::array<double, 3> weights{3.0 / 4, -3.0 / 20, 1.0 / 60};
          for (int k = 1; k <= 3; ++k) {
            const Pose<double> up = pose(k * h, a, b, psi_rate, gap_rate);
            const Pose<double> down = pose(-k * h, a, b, psi_rate, gap_rate);
            const double weight = weights[static_cast<std::size_t>(k - 1)] / h;
            R_rate += weight * (up.R - down.R);
            p_rate += weight * (up.p - down.p);
          }
          const Mat3<double> W = R_rate * X.R.transpose();
          const Vec3<double> w(W(2, 1), W(0, 2), W(1, 0));
          EXPECT_LE((w - V.w).norm(), 1e-9);
          EXPECT_LE((p_rate - w.cross(X.p) - V.v).norm(), 1e-9);
          ++pairs;
        }
      }
    }
  }
  EXPECT_GT(pairs, 200);
}

}  // namespace oloid::test::extremal_pair_test
