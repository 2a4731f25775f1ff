// Contacts that run over seams and corners of patches, and over poles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "oloid/geometry/bezier/patchwork.h"
#include "oloid/world/simulation.h"
#include "support/ball_force.h"
#include "support/patches.h"
#include "support/rooms.h"
#include "support/simulate.h"
#include "support/specs.h"

namespace oloid::test::seams_test {

using test::Memory;
using test::simulate;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();
using Rows = std::vector<std::vector<Vec3<double>>>;

// z = a x² + b x y + c y² + d x³ over |x|, |y| ≤ size, facing up.
struct Bowl {
  double a, b, c, d, size;

  // Puts a ball on the point above (x, y), with a velocity that is v seen from above.
  BodySpec with(BodySpec ball, double r, const Vec2<double>& q, const Vec2<double>& v) const {
    const double x = q.x(), y = q.y();
    const Vec2<double> slope(2 * a * x + b * y + 3 * d * x * x, b * x + 2 * c * y);
    const Vec3<double> n = Vec3<double>(-slope.x(), -slope.y(), 1).normalized();
    const Vec3<double> p(x, y, a * x * x + b * x * y + c * y * y + d * x * x * x);
    ball.position = Vec3<double>(p + r * n);
    ball.velocity = Vec3<double>(v.x(), v.y(), slope.dot(v));
    return ball;
  }
};
Rows surface(const Bowl& bowl) {
  const auto [a, b, c, d, size] = bowl;
  // Control points of the monomials on [−1, 1]: of x, x² and x³, degree 3.
  const double x1[4] = {-1, -1.0 / 3, 1.0 / 3, 1}, x2[4] = {1, -1.0 / 3, -1.0 / 3, 1},
               x3[4] = {-1, 1, -1, 1};
  Rows net(4, std::vector<Vec3<double>>(4));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double z = size * size * (a * x2[i] + b * x1[i] * x1[j] + c * x2[j]) +
                       size * size * size * d * x3[i];
      net[i][j] = {size * x1[i], size * x1[j], z};
    }
  }
  return net;
}

Rows net_of(const Patch& patch) {
  Rows net(4);
  const auto points = control_points(patch);
  for (std::size_t k = 0; k < 16; ++k) net[k / 4].push_back(points[k].head<3>() / points[k](3));
  return net;
}

// The same patch in n × m pieces, turned by different numbers of quarter turns, so that sides of
// all kinds meet; `halved`: every other row in 2 m pieces, so that sides meet halves.
PatchesSpec in_pieces(const Rows& net, int n, int m, bool halved = false) {
  const Patch whole = make_patch(net).value();
  PatchesSpec shape;
  for (int i = 0; i < n; ++i) {
    const int pieces = halved && i % 2 == 1 ? 2 * m : m;
    for (int j = 0; j < pieces; ++j) {
      const Uv<double> low(static_cast<double>(i) / n, static_cast<double>(j) / pieces);
      Rows part = net_of(sub_patch(whole, low, low + Uv<double>(1.0 / n, 1.0 / pieces)));
      for (int turn = 0; turn < (i + 2 * j) % 4; ++turn) {
        Rows turned(4, std::vector<Vec3<double>>(4));
        for (std::size_t a = 0; a < 4; ++a)
          for (std::size_t b = 0; b < 4; ++b) turned[b][3 - a] = part[a][b];
        part = turned;
      }
      shape.patches.emplace_back().net = part;
    }
  }
  return shape;
}

double distance(const BodyFrame& a, const BodyFrame& b) {
  const Quat<double>&p = a.orientation, &q = b.orientation;
  const double sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -1 : 1;
  const double turned = std::hypot(std::hypot(p.w - sign * q.w, p.x - sign * q.x),
                                   std::hypot(p.y - sign * q.y, p.z - sign * q.z));
  return std::max({(a.position - b.position).norm(), (a.velocity - b.velocity).norm(), turned,
                   (a.angular_velocity - b.angular_velocity).norm()});
}

// Nothing that counts changes at a crossing of a G2 seam: neither motion nor force.
void expect_smooth_crossings(const Memory& m) {
  for (std::size_t i = 1; i < m.frames.size(); ++i) {
    const auto &before = m.frames[i - 1], &after = m.frames[i];
    if (before.side != -1 || after.side != 1) continue;
    EXPECT_LE(distance(before.body, after.body), 1e-11);
    EXPECT_NEAR(before.contact.normal_force, after.contact.normal_force,
                1e-9 * before.contact.normal_force);
    EXPECT_LE((before.contact.friction - after.contact.friction).norm(),
              1e-9 * before.contact.normal_force);
    EXPECT_LE((before.contact.point_A - after.contact.point_A).norm(), 1e-11);
  }
}

void expect_same_motion(const Memory& a, const Memory& b, double tolerance) {
  std::size_t j = 0, compared = 0;
  for (const auto& frame : a.frames) {
    if (frame.side != 0) continue;
    while (j < b.frames.size() && (b.frames[j].side != 0 || b.frames[j].t < frame.t)) ++j;
    ASSERT_LT(j, b.frames.size());
    EXPECT_LE(distance(frame.body, b.frames[j].body), tolerance) << "t = " << frame.t;
    ++compared;
  }
  EXPECT_GT(compared, 20u);
}

// Crossings on the given side; the ball's own charts are of no interest here.
std::vector<Event> crossings(const Memory& m, int side) {
  std::vector<Event> found = m.of(EventKind::chart_crossing);
  std::erase_if(found, [&](const Event& e) { return e.value != side; });
  return found;
}

struct Mover {
  const char* name;
  BodySpec body;
  double friction;
};

EllipsoidSpec ellipsoid(const Vec3<double>& semi_axes) {
  EllipsoidSpec shape;
  shape.semi_axes = semi_axes;
  return shape;
}

// A convex cap of bicubic patches as the underside of a body.
BodySpec cap(bool split) {
  const Rows net = surface({-2.0, 0.3, -1.5, 0.4, 0.3});  // facing up
  PatchesSpec shape = split ? in_pieces(net, 3, 2) : test::one_patch(net);
  BodySpec body = test::moving_body(shape, 1, Vec3<double>(0.01, 0.012, 0.015).asDiagonal());
  body.shape_orientation = Quat<double>{0, 1, 0, 0};  // turned upside down
  return body;
}

constexpr Bowl kBowl{0.5, 0.1, 0.4, 0.05, 1};

std::vector<Mover> movers() {
  BodySpec egg = test::moving_body(ellipsoid({0.1, 0.095, 0.09}), 1,
                                   Vec3<double>(3.425e-3, 3.62e-3, 3.805e-3).asDiagonal());
  std::vector<Mover> all{{"rolling ball", test::ball(0.1), kUnlimited},
                         {"sliding ball", test::ball(0.1), 0},
                         {"rubbing ball", test::ball(0.1), 0.05},
                         {"rolling ellipsoid", egg, kUnlimited},
                         {"sliding ellipsoid", egg, 0}};
  const auto from_rest = [](BodySpec& body) { body.velocity.value.setZero(); };
  for (Mover& mover : all) mover.body = kBowl.with(mover.body, 0.1, {0.5, 0.3}, {0.2, 0.8});
  from_rest(all[3].body);  // they do not touch just there
  from_rest(all[4].body);
  return all;
}

TEST(Seams, ASplitSurfaceMovesBodiesAsTheWholeOne) {
  const Rows bowl = surface(kBowl);
  for (const Mover& mover : movers()) {
    SCOPED_TRACE(mover.name);
    const Spec whole = test::touching(
        test::scene(mover.body, test::ground(test::one_patch(bowl)), mover.friction, 3));
    const Memory a = simulate(whole);
    for (bool halved : {false, true}) {
      Spec split = whole;
      split.bodies[1].shape = Located<ShapeSpec>(in_pieces(bowl, 5, 4, halved));
      const Memory b = simulate(split);
      EXPECT_EQ(b.events.back().kind, EventKind::end);
      EXPECT_GE(crossings(b, 1).size(), 7u);
      for (const Event& e : crossings(b, 1)) EXPECT_EQ(e.note, "on B, G2");
      expect_same_motion(a, b, 1e-10);
      expect_smooth_crossings(b);
      EXPECT_LE(b.summary.energy.max_relative_drift, 1e-9);
      EXPECT_LE(b.summary.max_gap_error, 1e-12);
    }
  }
}

// The bowl as a ring of bicubic patches around an S-patch.
PatchesSpec with_s_patch(const Bowl& bowl, int sides) {
  const auto polar = [&](const Vec2<double>& p, const Vec2<double>& q, const Vec2<double>& r) {
    const Vec2<double> sum = p + q + r;
    const double xx = p.x() * q.x() + q.x() * r.x() + r.x() * p.x(),
                 yy = p.y() * q.y() + q.y() * r.y() + r.y() * p.y(),
                 xy = sum.x() * sum.y() - p.x() * p.y() - q.x() * q.y() - r.x() * r.y();
    return bowl.a * xx / 3 + bowl.b * xy / 6 + bowl.c * yy / 3 + bowl.d * p.x() * q.x() * r.x();
  };
  PatchesSpec shape;
  for (const auto& polygon : ring_of_quadrangles(sides, 0.4 * bowl.size, 1.2 * bowl.size)) {
    const Rows net = graph_over(polygon, polar);
    PatchSpec& patch = shape.patches.emplace_back();
    const bool inside = shape.patches.size() == 1;
    if (inside) patch.kind = PatchSpec::Kind::s_patch;
    patch.net = inside ? net : net_of(make_s_patch(net).value());
  }
  return shape;
}

TEST(Seams, AnSPatchInAHoleMovesBodiesAsTheWholeSurface) {
  for (const Mover& mover : movers()) {
    SCOPED_TRACE(mover.name);
    const Spec whole = test::touching(
        test::scene(mover.body, test::ground(test::one_patch(surface(kBowl))), mover.friction, 3));
    const Memory a = simulate(whole);
    for (int sides : {5, 6, 10}) {
      SCOPED_TRACE(testing::Message() << sides << " sides");
      Spec closed = whole;
      closed.bodies[1].shape = Located<ShapeSpec>(with_s_patch(kBowl, sides));
      const Memory b = simulate(closed);
      EXPECT_EQ(b.events.back().kind, EventKind::end);
      EXPECT_GE(crossings(b, 1).size(), 4u);
      for (const Event& e : crossings(b, 1)) EXPECT_EQ(e.note, "on B, G2");
      expect_same_motion(a, b, 1e-10);
      expect_smooth_crossings(b);
      EXPECT_LE(b.summary.energy.max_relative_drift, 1e-9);
      EXPECT_LE(b.summary.max_gap_error, 1e-12);
    }
  }
}

TEST(Seams, ABodyOfPatchesRollsOverPatches) {
  const Rows bowl = surface({0.2, 0.05, 0.25, 0.02, 1});
  for (double friction : {0.0, kUnlimited}) {
    BodySpec whole_body = cap(false), split_body = cap(true);
    for (BodySpec* body : {&whole_body, &split_body}) {
      body->position = Vec3<double>(0.1, 0.05, 0.1);
      body->orientation = unit(Quat<double>{1, 0.15, -0.2, 0.1});
    }
    const Spec whole =
        test::touching(test::scene(whole_body, test::ground(test::one_patch(bowl)), friction, 2));
    Spec split = whole;
    split.bodies[0].shape = split_body.shape;
    split.bodies[1].shape = Located<ShapeSpec>(in_pieces(bowl, 4, 4));
    const Memory a = simulate(whole), b = simulate(split);
    EXPECT_EQ(b.events.back().kind, EventKind::end);
    EXPECT_GE(crossings(b, 0).size(), 4u);
    EXPECT_GE(crossings(b, 1).size(), 4u);
    expect_same_motion(a, b, 1e-10);
    expect_smooth_crossings(b);
    EXPECT_LE(b.summary.energy.max_relative_drift, 1e-9);
  }
}

// Straight through the corner where four patches meet, and along a seam.
TEST(Seams, CornersAndSeamsThemselvesAreNoObstacle) {
  constexpr Bowl kRound{0.5, 0, 0.5, 0, 1};
  const Rows bowl = surface(kRound);
  struct Start {
    const char* name;
    double x, y, v_x, v_y;
    std::size_t crossings;
  };
  for (const Start& start : {Start{"diagonal", 0.4, 0.4, -1, -1, 4},
                             Start{"along", 0.4, 0, -1, 0, 4}, Start{"at rest", 0.5, 0.5, 0, 0, 4},
                             Start{"nearly diagonal", 0.4, 0.4, -1, -1 - 1e-9, 4}}) {
    SCOPED_TRACE(start.name);
    const BodySpec ball =
        kRound.with(test::ball(0.1), 0.1, {start.x, start.y}, {start.v_x, start.v_y});
    const Spec whole =
        test::touching(test::scene(ball, test::ground(test::one_patch(bowl)), kUnlimited, 3));
    Spec split = whole;
    split.bodies[1].shape = Located<ShapeSpec>(in_pieces(bowl, 4, 4));
    const Memory a = simulate(whole), b = simulate(split), c = simulate(split, 1e-11);
    EXPECT_EQ(b.events.back().kind, EventKind::end);
    EXPECT_GE(crossings(b, 1).size(), start.crossings);
    expect_same_motion(a, b, 1e-9);
    EXPECT_EQ(c.events.back().kind, EventKind::end);
    for (const Memory* m : {&b, &c}) {
      EXPECT_LE(crossings(*m, 1).size(), 16u) << "chatter";
      EXPECT_LE(m->summary.energy.max_relative_drift, 1e-9);
    }
  }
}

// Biquadratic splines are C¹: the curvature jumps at every seam, and the force with it, as the
// contact equations on either side say; in between it is smooth, and nothing else jumps.
TEST(Seams, CurvatureMayJump) {
  constexpr double kRadius = 0.1;
  PatchesSpec hills;
  PatchSpec& spline = hills.patches.emplace_back();
  spline.kind = PatchSpec::Kind::nurbs;
  spline.degree = std::vector<double>{2, 2};
  Rows net;
  for (int i = 0; i < 10; ++i) {
    net.emplace_back();
    for (int j = 0; j < 10; ++j) {
      const double x = 0.5 * (i - 4.5), y = 0.5 * (j - 4.5);
      net.back().push_back({x, y, 0.06 * (x * x + y * y) + 0.02 * ((i + 2 * j) % 3)});
    }
  }
  spline.net = net;
  for (double friction : {0.0, kUnlimited}) {
    BodySpec ball = test::ball(kRadius);
    ball.position = Vec3<double>(0.9, 0.2, 0.3);
    const Spec spec = test::touching(test::scene(ball, test::ground(hills), friction, 8));
    const Memory m = simulate(spec);
    EXPECT_EQ(m.events.back().kind, EventKind::end);
    EXPECT_GE(crossings(m, 1).size(), 5u);
    test::expect_force_of_curvature(m, compile(spec).value().bodies[1].side.shape, kRadius, 1e-8);
    int jumps = 0;
    for (std::size_t i = 1; i < m.frames.size(); ++i) {
      const auto &before = m.frames[i - 1], &after = m.frames[i];
      if (before.side != -1 || after.side != 1) continue;
      EXPECT_LE(distance(before.body, after.body), 1e-11);
      if (std::abs(before.contact.normal_force - after.contact.normal_force) > 1e-3) ++jumps;
    }
    EXPECT_GE(jumps, 3);
    for (const Event& e : crossings(m, 1)) EXPECT_EQ(e.note, "on B, G1");
    EXPECT_LE(m.summary.energy.max_relative_drift, 1e-9);
  }
}

// A G0 seam is an edge: the run ends there, the record intact.
TEST(Seams, ASharpEdgeEndsTheRun) {
  PatchesSpec roof;
  roof.patches.emplace_back().net = Rows{{{-1, -1, 0}, {-1, 1, 0}}, {{0, -1, 0}, {0, 1, 0}}};
  roof.patches.emplace_back().net = Rows{{{0, -1, 0}, {0, 1, 0}}, {{1, -1, 0.1}, {1, 1, 0.1}}};
  BodySpec ball = test::ball(0.1);
  ball.position = Vec3<double>(-0.5, 0, 0.1);
  ball.velocity = Vec3<double>(1, 0, 0);
  const Memory m = simulate(test::scene(ball, test::ground(roof), 0, 1));
  EXPECT_EQ(m.events.back().kind, EventKind::open_border);
  EXPECT_EQ(m.events.back().note,
            "the contact has reached a sharp edge: the simulation of its bodies ends here");
  EXPECT_NEAR(m.summary.t_end, 0.5, 1e-10);
}

PatchesSpec nurbs_sphere(double r) {
  const double w = std::sqrt(0.5);
  const Vec2<double> circle[9] = {{1, 0},   {1, 1},  {0, 1},  {-1, 1}, {-1, 0},
                                  {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
  const Vec2<double> meridian[5] = {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}};
  PatchesSpec shape;
  PatchSpec& patch = shape.patches.emplace_back();
  patch.kind = PatchSpec::Kind::nurbs;
  patch.degree = std::vector<double>{2, 2};
  patch.knots_u = std::vector<double>{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
  patch.knots_v = std::vector<double>{0, 0, 0, 1, 1, 2, 2, 2};
  Rows net;
  std::vector<std::vector<double>> weights;
  for (int i = 0; i < 9; ++i) {
    net.emplace_back();
    weights.emplace_back();
    for (int j = 0; j < 5; ++j) {
      const Vec2<double>&c = circle[i], &m = meridian[j];
      net.back().push_back(r * Vec3<double>(m.x() * c.x(), m.x() * c.y(), m.y()));
      weights.back().push_back((i % 2 == 1 ? w : 1) * (j % 2 == 1 ? w : 1));
    }
  }
  patch.net = net;
  patch.weights = weights;
  return shape;
}

// A NURBS sphere rolls over its poles as if there were none.
TEST(Seams, ThePoleOfANurbsSphereIsNotNoticed) {
  for (double aside : {0.0, 1e-9, 1e-4}) {
    BodySpec ball = test::ball(0.1);
    ball.position = Vec3<double>(-0.1, 0, 0.1);
    ball.velocity = Vec3<double>(1, aside, 0);
    ball.angular_velocity = Vec3<double>(-10 * aside, 10, 0);
    const Spec analytic = test::scene(ball, test::ground(), kUnlimited, 1);
    Spec spline = analytic;
    spline.bodies[0].shape = Located<ShapeSpec>(nurbs_sphere(0.1));
    spline.bodies[0].mass.reset();
    spline.bodies[0].inertia.reset();
    spline.bodies[0].density = Located<double>(1 / (4 * std::numbers::pi / 3 * 1e-3));
    const Memory a = simulate(analytic), b = simulate(spline);
    EXPECT_EQ(b.events.back().kind, EventKind::end);
    expect_same_motion(a, b, 1e-10);
    expect_smooth_crossings(b);
    EXPECT_LE(b.summary.energy.max_relative_drift, 1e-9);
  }
}

}  // namespace oloid::test::seams_test
