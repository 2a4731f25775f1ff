// Energy over long runs on every kind of surface. The default is 6 s; with OLOID_FULL=1 in the
// environment 60 s.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numbers>

#include "oloid/base/cage.h"
#include "oloid/world/events/encounter.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::drift_test {

double duration() {
  const char* full = std::getenv("OLOID_FULL");
  return full != nullptr && std::string(full) == "1" ? 60 : 6;
}

// Bowls in which a ball goes round: z = 0.4 (x² + y²) [m] in one form or another.
BodySpec bicubic_bowl() {
  // Degree 3 of u², on [-1, 1]: 1, -1/3, -1/3, 1.
  const std::array<double, 4> x{-1.5, -0.5, 0.5, 1.5}, z{1, -1.0 / 3, -1.0 / 3, 1};
  std::vector<std::vector<Vec3<double>>> net(4, std::vector<Vec3<double>>(4));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) net[i][j] = {x[i], x[j], 0.4 * 2.25 * (z[i] + z[j])};
  }
  return ground(one_patch(net));
}
BodySpec nurbs_bowl() {
  PatchSpec patch;
  patch.kind = PatchSpec::Kind::nurbs;
  std::vector<std::vector<Vec3<double>>> net;
  for (int i = 0; i < 6; ++i) {
    auto& row = net.emplace_back();
    for (int j = 0; j < 6; ++j) {
      const double x = -1.5 + 0.6 * i, y = -1.5 + 0.6 * j;
      row.emplace_back(x, y, 0.4 * (x * x + y * y));
    }
  }
  patch.net = net;
  patch.degree = std::vector<double>{3, 3};
  PatchesSpec shape;
  shape.patches = {patch};
  return ground(shape);
}
BodySpec implicit_bowl() {
  ImplicitSpec shape;
  shape.formulas = std::vector<std::string>{"z - 0.4*(x^2 + y^2)"};
  shape.box =
      std::array<Vec3<double>, 2>{Vec3<double>(-1.5, -1.5, -0.5), Vec3<double>(1.5, 1.5, 1)};
  shape.open = true;
  return ground(shape);
}
BodySpec ellipsoid_bowl() {
  EllipsoidSpec shape;
  shape.semi_axes = Vec3<double>(1.5, 1.2, 1);
  shape.cavity = true;
  BodySpec body = ground(shape);
  body.position = Vec3<double>(0, 0, 1);
  return body;
}
// The cage of scenes/shapes/bowl.obj: a ring of seven vertices and two poles, of valence 7.
BodySpec loop_bowl() {
  Cage cage;
  for (int i = 0; i < 7; ++i) {
    const double a = 2 * std::numbers::pi * i / 7;
    cage.vertices.emplace_back(1.5 * std::cos(a), 1.5 * std::sin(a), 0.6);
  }
  cage.vertices.emplace_back(0, 0, -1.9);
  cage.vertices.emplace_back(0, 0, -1.4);
  for (int i = 0; i < 7; ++i) {
    const int next = (i + 1) % 7;
    cage.faces.push_back({7, next, i});
    cage.faces.push_back({8, i, next});
  }
  SubdivisionSpec shape;
  shape.cage.cage = std::make_shared<const Cage>(cage);
  shape.scheme = SubdivisionSpec::Scheme::loop;
  BodySpec body = ground(shape);
  body.position = Vec3<double>(0, 0, 0.45);
  return body;
}

// A ball somewhere on the slope with a velocity across it.
Spec around(const BodySpec& bowl, double friction, double rtol) {
  BodySpec moving = ball(0.1);
  moving.position = Vec3<double>(0.35, 0.05, 0.25);
  moving.velocity = Vec3<double>(0.1, 0.8, 0);
  moving.angular_velocity = Vec3<double>(1, 0.5, 2);
  Spec spec = touching(scene(moving, bowl, friction, duration()));
  for (int tries = 0; tries < 30; ++tries) {  // down to the ground
    const auto model = compile(spec);
    if (!model || !model->touches.empty()) break;
    const FreeState<double>& x = model->bodies[0].start;
    const Pose<double> X_WA{rotation_matrix(x.q_WA), x.p_WA};
    const TrackedPair near =
        nearest_anywhere(*model, 0, inverse(model->bodies[1].motion.at(0).X_WB) * X_WA);
    spec.bodies[0].position.value -= near.gap * near.normal;
  }
  spec.solver.rtol = rtol;
  spec.output_dt = 1;
  return gliding(spec);
}

void expect_small_drift(const char* name, const BodySpec& bowl, double friction) {
  for (const double rtol : {1e-11, 1e-13}) {
    const Film f = film(around(bowl, friction, rtol));
    ASSERT_TRUE(f.ended()) << name << " " << friction << " " << scene::name(f.events.back().kind);
    EXPECT_EQ(f.summary.t_end, duration());
    EXPECT_TRUE(f.of(EventKind::take_off).empty());
    std::printf("%-10s friction %4.2f rtol %.0e: drift %.1e, gap %.1e m, %lld steps, %.2f s\n",
                name, friction, rtol, f.drift(), f.summary.max_gap_error,
                static_cast<long long>(f.summary.counters.steps), f.summary.wall_s);
    EXPECT_LE(f.drift(), rtol > 1e-12 ? 1e-9 : 1e-11) << name << " " << friction;
    EXPECT_EQ(f.summary.energy.dissipated > 0, friction == 0.03);
  }
}
void expect_small_drift(const char* name, const BodySpec& bowl) {
  for (const double friction : {0.0, 0.03, static_cast<double>(INFINITY)})
    expect_small_drift(name, bowl, friction);
}

TEST(Drift, BicubicPatch) { expect_small_drift("bicubic", bicubic_bowl()); }
TEST(Drift, Nurbs) { expect_small_drift("NURBS", nurbs_bowl()); }
TEST(Drift, Implicit) { expect_small_drift("implicit", implicit_bowl()); }
TEST(Drift, Analytic) { expect_small_drift("ellipsoid", ellipsoid_bowl()); }

TEST(Drift, LoopFrictionless) { expect_small_drift("Loop", loop_bowl(), 0); }
TEST(Drift, LoopSliding) { expect_small_drift("Loop", loop_bowl(), 0.03); }
TEST(Drift, LoopRolling) { expect_small_drift("Loop", loop_bowl(), INFINITY); }

}  // namespace oloid::test::drift_test
