#include "oloid/geometry/bezier/patchwork.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <string>

#include "geometry/surfaces.h"
#include "oloid/geometry/revolution/revolution.h"
#include "support/rooms.h"

namespace oloid::test::patchwork_test {

std::vector<PatchPiece> pieces(const std::vector<PointRows>& nets) {
  std::vector<PatchPiece> result;
  for (std::size_t i = 0; i < nets.size(); ++i)
    result.push_back({make_patch(nets[i]).value(), "patch " + std::to_string(i)});
  return result;
}

// A patch cut into n × m parts, every other one turned, so that sides of all kinds meet.
std::vector<PatchPiece> cut(const Patch& whole, int n, int m) {
  std::vector<PatchPiece> result;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const Uv<double> low(static_cast<double>(i) / n, static_cast<double>(j) / m);
      Patch part = sub_patch(whole, low, low + Uv<double>(1.0 / n, 1.0 / m));
      const TensorPatch* tensor = std::get_if<TensorPatch>(&part);
      const int p = tensor ? tensor->degree_u() : 3, q = tensor ? tensor->degree_v() : 3;
      const auto points = control_points(part);
      std::vector<std::vector<Vec<double, 4>>> net(static_cast<std::size_t>(q) + 1);
      if ((i + j) % 2 == 1) {  // a quarter turn
        for (int b = 0; b <= q; ++b)
          for (int a = p; a >= 0; --a)
            net[static_cast<std::size_t>(b)].push_back(
                points[static_cast<std::size_t>(a * (q + 1) + b)]);
        part = make_patch(net);
      }
      result.push_back({part, "part"});
    }
  }
  return result;
}

Vec3<double> point(const Patchwork& surface, const Location& q) {
  return surface.jet<0>(q.chart.index, Uv<double>(q.x.head<2>())).d(0, 0);
}
LocalSurface<double> local(const Patchwork& surface, const Location& q, const Vec3<double>& e) {
  return local_surface(surface.jet<2>(q.chart.index, Uv<double>(q.x.head<2>())), e);
}
Location on_side(const Patchwork& surface, const PatchSide& at, double s) {
  Location q{ChartId{at.patch}};
  q.x.head<2>() = domain(surface.patch(at.patch)).on_side(at.side, s);
  return q;
}

// Crossing anywhere along a seam, from either side, keeps point, normal and what is claimed, lands
// inside, and a velocity over the surface is the same vector on both sides.
void expect_seam_laws(const Patchwork& surface, double size) {
  int seams = 0;
  for (int patch = 0; patch < surface.patches(); ++patch) {
    for (int side = 0; side < sides(surface.patch(patch)); ++side) {
      const PatchSide at{patch, side};
      if (!surface.seam(at).beyond.at.valid() || surface.side(at).parts == 2) continue;
      const PatchSide& beyond = surface.seam(at).beyond.at;
      if (surface.side(beyond).parts == 1) {
        EXPECT_EQ(surface.seam(beyond).beyond.at, at);
      }
      ++seams;
      for_random_cases(10, [&](Random& random) {
        SCOPED_TRACE(testing::Message() << "side " << side << " of patch " << patch);
        const Location q = on_side(surface, at, random.uniform(0.01, 0.99));
        EXPECT_NEAR(surface.margin(q), surface.side(at).slack, 1e-15);
        const ChartExit exit = surface.leave(q);
        const Crossing* crossing = std::get_if<Crossing>(&exit);
        ASSERT_NE(crossing, nullptr);
        EXPECT_EQ(crossing->to.chart.index, surface.seam(at).beyond.at.patch);
        EXPECT_GE(crossing->joint, surface.seam(at).joint);
        EXPECT_GT(surface.margin(crossing->to), 0);
        const Vec3<double> n = local(surface, q, random.direction()).R.col(2);
        const Vec3<double> e = fair_reference(random, {n});
        const auto before = local(surface, q, e), after = local(surface, crossing->to, e);
        EXPECT_LE(difference(after.p, before.p), 1e-14 * size);
        if (crossing->joint == Joint::G0) return;
        EXPECT_LE(difference(after.R, before.R), kSmoothAngle);
        if (crossing->joint == Joint::G1) return;
        EXPECT_LE(difference(after.K, before.K),
                  kSmoothCurvature * (before.K.norm() + after.K.norm() + 1 / size));
        // Back again.
        const ChartExit back = surface.leave(crossing->to);
        ASSERT_TRUE(std::holds_alternative<Crossing>(back));
        EXPECT_EQ(std::get<Crossing>(back).to.chart, q.chart);
        EXPECT_LE(difference(std::get<Crossing>(back).to.x, q.x), 1e-12);
      });
    }
  }
  EXPECT_GT(seams, 0);
}

TEST(Patchwork, FindsTheSeamsOfACutPatch) {
  for_random_cases(3, [](Random& random) {
    const Rows net = random_net(random, 4, 4);
    WeightRows weights;
    for (int i = 0; i < 4; ++i) {
      weights.emplace_back();
      for (int j = 0; j < 4; ++j) weights.back().push_back(random.uniform(0.5, 2));
    }
    for (const Patch& whole : {make_patch(net).value(), make_patch(net, weights).value(),
                               make_patch(random_net(random, 6, 3)).value()}) {
      const Patchwork surface = Patchwork::make(cut(whole, 3, 4)).value();
      int free_sides = 0, seams = 0;
      for (int i = 0; i < surface.patches(); ++i) {
        for (int side = 0; side < 4; ++side) {
          const auto& seam = surface.seam({i, side});
          (seam.open() ? free_sides : seams) += 1;
          if (!seam.open()) {
            EXPECT_EQ(seam.joint, Joint::G2);
          }
        }
      }
      EXPECT_EQ(free_sides, 14);
      EXPECT_EQ(seams, 2 * 17);
      EXPECT_FALSE(surface.closed());
      expect_seam_laws(surface, 1);
    }
  });
}

TEST(Patchwork, GluesTrianglesToSquaresAndDegreesToDegrees) {
  // The unit square of a cubic height field, one half as two triangles of degree 4 (raised).
  const auto z = [](double x, double y) { return 0.2 * x * x - 0.1 * x * y + 0.15 * y * y; };
  // Degree 2 control points of a quadratic z by its polar form.
  const auto polar = [&](double x1, double y1, double x2, double y2) {
    return 0.2 * x1 * x2 - 0.05 * (x1 * y2 + x2 * y1) + 0.15 * y1 * y2;
  };
  const auto corner = [&](std::array<Vec2<double>, 3> c) {
    Rows net(3);
    for (int j = 0; j <= 2; ++j) {
      for (int i = 0; i + j <= 2; ++i) {
        std::array<int, 2> pick{};  // which corners the two arguments are: 0, then 1, then 2
        for (int k = 0; k < 2; ++k)
          pick[static_cast<std::size_t>(k)] = k < i ? 1 : k < i + j ? 2 : 0;
        const Vec2<double>&a = c[static_cast<std::size_t>(pick[0])],
              &b = c[static_cast<std::size_t>(pick[1])];
        const Vec2<double> m = 0.5 * (a + b);
        net[static_cast<std::size_t>(j)].push_back(
            {m.x(), m.y(), polar(a.x(), a.y(), b.x(), b.y())});
      }
    }
    return make_triangle(net).value();
  };
  Rows square(3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double x = 1 + i / 2.0, y = j / 2.0;
      const double x1 = i == 0 ? 1 : 2, x2 = i == 2 ? 2 : 1, y1 = j == 0 ? 0 : 1,
                   y2 = j == 2 ? 1 : 0;
      const double mixed = -0.1 * x * y;  // bilinear
      square[static_cast<std::size_t>(i)].push_back({x, y, 0.2 * x1 * x2 + mixed + 0.15 * y1 * y2});
    }
  }
  const Patchwork surface =
      Patchwork::make({{corner({Vec2<double>(0, 0), {1, 0}, {0, 1}}), "lower left"},
                       {corner({Vec2<double>(1, 1), {0, 1}, {1, 0}}), "upper right"},
                       {make_patch(square).value(), "square"}})
          .value();
  for (const Location& q : surface.seeds()) {
    const Vec3<double> p = point(surface, q);
    EXPECT_NEAR(p.z(), z(p.x(), p.y()), 1e-15);
  }
  EXPECT_EQ(surface.seam({0, 1}).beyond.at, (PatchSide{1, 1}));
  EXPECT_TRUE(surface.seam({2, 3}).beyond.at.valid());  // cubic against quadratic
  expect_seam_laws(surface, 1);
}

// A hole with any number of sides, closed by an S-patch: all of one cubic surface.
TEST(Patchwork, GluesSPatchesToSquares) {
  const auto z = [](double x, double y) {
    return 0.2 * x * x - 0.1 * x * y + 0.15 * y * y + 0.1 * x * x * x;
  };
  const auto polar = [](const Vec2<double>& p, const Vec2<double>& q, const Vec2<double>& r) {
    const Vec2<double> sum = p + q + r;
    const double xx = p.x() * q.x() + q.x() * r.x() + r.x() * p.x(),
                 yy = p.y() * q.y() + q.y() * r.y() + r.y() * p.y(),
                 xy = sum.x() * sum.y() - p.x() * p.y() - q.x() * q.y() - r.x() * r.y();
    return 0.2 * xx / 3 - 0.1 * xy / 6 + 0.15 * yy / 3 + 0.1 * p.x() * q.x() * r.x();
  };
  for (int n = 3; n <= SPatch::kMostSides; ++n) {
    SCOPED_TRACE(testing::Message() << n << " sides");
    std::vector<PatchPiece> pieces;
    for (const auto& polygon : ring_of_quadrangles(n, 0.5, 1))
      pieces.push_back({make_s_patch(graph_over(polygon, polar)).value(), "piece"});
    const Patchwork surface = Patchwork::make(pieces).value();
    for (const Location& q : surface.seeds()) {
      const Vec3<double> p = point(surface, q);
      EXPECT_NEAR(p.z(), z(p.x(), p.y()), 1e-15);
    }
    for (int k = 0; k < n; ++k) {
      EXPECT_EQ(surface.seam({0, k}).beyond.at, (PatchSide{k + 1, 0}));
      EXPECT_EQ(surface.seam({0, k}).joint, Joint::G2);
      EXPECT_EQ(surface.seam({k + 1, 1}).beyond.at, (PatchSide{(k + n - 1) % n + 1, 3}));
    }
    expect_seam_laws(surface, 1);
  }
}

// A whole side against two halves, from both.
TEST(Patchwork, GluesSidesToHalves) {
  for_random_cases(5, [](Random& random) {
    const Patch whole = make_patch(random_net(random, 4, 5)).value();
    const auto part = [&](double u0, double u1, double v0, double v1) {
      return PatchPiece{sub_patch(whole, {u0, v0}, {u1, v1}), "part"};
    };
    const Patchwork surface =
        Patchwork::make({part(0, 0.5, 0, 1), part(0.5, 1, 0, 0.5), part(0.5, 1, 0.5, 1)}).value();
    EXPECT_EQ(surface.side({0, 1}).parts, 2);
    EXPECT_EQ(surface.seam({0, 1}, 0).beyond.at, (PatchSide{1, 3}));
    EXPECT_EQ(surface.seam({0, 1}, 1).beyond.at, (PatchSide{2, 3}));
    EXPECT_EQ(surface.seam({1, 3}).beyond.at, (PatchSide{0, 1}));
    EXPECT_EQ(surface.seam({2, 3}).beyond.from, 0.5);
    expect_seam_laws(surface, 1);
    for (double s : {0.1, 0.4, 0.6, 0.9}) {  // from the whole side
      const Location q = on_side(surface, {0, 1}, s);
      const ChartExit exit = surface.leave(q);
      ASSERT_TRUE(std::holds_alternative<Crossing>(exit));
      const Location& to = std::get<Crossing>(exit).to;
      EXPECT_EQ(to.chart.index, s < 0.5 ? 1 : 2);
      EXPECT_LE(difference(point(surface, to), point(surface, q)), 1e-14);
      EXPECT_EQ(std::get<Crossing>(exit).joint, Joint::G2);
    }
  });
}

// A rational border and the same curve one degree higher.
TEST(Patchwork, GluesRationalBordersOfDifferentDegree) {
  const std::vector<Vec<double, 4>> low{weighted<3>(Vec3<double>(1, 0, 0), 1),
                                        weighted<3>(Vec3<double>(1, 0.5, 0.3), 1),
                                        weighted<3>(Vec3<double>(1, 1, 0), 4)};
  const auto high = elevated(BezierCurve<3>{low}).points;
  const auto shifted = [](std::vector<Vec<double, 4>> row, double x) {
    for (auto& h : row) h.x() += x * h(3);
    return row;
  };
  const Patch a = make_patch({shifted(low, -1), low});
  const Patch b = make_patch({high, shifted(high, 1)});
  const Patchwork surface = Patchwork::make({{a, "a"}, {b, "b"}}).value();
  EXPECT_EQ(surface.seam({0, 1}).beyond.at, (PatchSide{1, 3}));
  expect_seam_laws(surface, 2);
}

// Points count from the origin of their patch; nothing else changes.
TEST(Patchwork, OriginsOfPatchesAreAdded) {
  Random random(1);
  const Patch patch = make_patch(random_net(random, 4, 4)).value();
  const Vec3<double> origin(3, -2, 1);
  const Patchwork plain = Patchwork::make({{patch, "patch"}}).value();
  const Patchwork moved =
      Patchwork::make({{patch, "patch", nullptr, {0, 1, 0, 1}, origin}}).value();
  const Uv<double> q(0.3, 0.6);
  EXPECT_LE(difference(moved.jet<2>(0, q).d(0, 0), plain.jet<2>(0, q).d(0, 0) + origin), 1e-15);
  EXPECT_EQ(moved.jet<2>(0, q).d(1, 1), plain.jet<2>(0, q).d(1, 1));
  EXPECT_LE(difference(moved.box().low, plain.box().low + origin), 1e-15);
}

// A disc over the hole in a surface of four patches: a contact goes over the hole and out again.
TEST(Patchwork, ClosesHolesByDiscs) {
  // The paraboloid z = −(x² + y²) / 2 without |x|, |y| < 1e-7, in eight patches.
  const auto patch = [](double x0, double x1, double y0, double y1) {
    PointRows net(3, std::vector<Vec3<double>>(3));
    const double x[3] = {x0, (x0 + x1) / 2, x1}, y[3] = {y0, (y0 + y1) / 2, y1};
    const double xx[3] = {x0 * x0, x0 * x1, x1 * x1}, yy[3] = {y0 * y0, y0 * y1, y1 * y1};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) net[i][j] = {x[i], y[j], -0.5 * (xx[i] + yy[j])};
    return PatchPiece{make_patch(net).value(), "patch"};
  };
  constexpr double kHole = 1e-7;
  const double at[4] = {-1e-6, -kHole, kHole, 1e-6};
  std::vector<PatchPiece> ring;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (i != 1 || j != 1) ring.push_back(patch(at[i], at[i + 1], at[j], at[j + 1]));
  const PatchHole hole{{0, 0, 0}, {0, 0, 1}, {{3, 2}, {1, 1}, {4, 0}, {6, 3}}};
  const Patchwork surface = Patchwork::make(ring, {}, {hole}).value();
  ASSERT_EQ(surface.caps(), 1);
  for_random_cases(50, [&](Random& random) {
    Location q = on_side(surface, hole.around[static_cast<std::size_t>(random.uniform(0, 4))],
                         random.uniform(0.05, 0.95));
    const ChartExit in = surface.leave(q);
    ASSERT_TRUE(std::holds_alternative<Crossing>(in));
    Location cap = std::get<Crossing>(in).to;
    EXPECT_EQ(cap.chart.index, surface.patches());
    EXPECT_EQ(std::get<Crossing>(in).joint, Joint::G2);
    EXPECT_GT(surface.margin(cap), 0);
    EXPECT_LE((point(surface, cap) - point(surface, q)).norm(), 1e-20);
    // Over the rim of the square hole, which the disc reaches over by 1 %, in any direction.
    Uv<double> out_of_it = random.direction().head<2>();
    out_of_it *= 1.011 * kHole / out_of_it.cwiseAbs().maxCoeff();
    const Jet<double, 1> c = surface.jet<1>(cap.chart.index, Uv<double>(0, 0));
    Mat2<double> axes;
    axes << c.d(1, 0).head<2>(), c.d(0, 1).head<2>();
    cap.x.head<2>() = axes.inverse() * (out_of_it - c.d(0, 0).head<2>());
    EXPECT_LT(surface.margin(cap), 0);
    const ChartExit out = surface.leave(cap);
    ASSERT_TRUE(std::holds_alternative<Crossing>(out));
    const Location& to = std::get<Crossing>(out).to;
    EXPECT_LT(to.chart.index, surface.patches());
    EXPECT_GE(surface.margin(to), 0);
    EXPECT_LE((point(surface, to) - point(surface, cap)).norm(), 1e-20);
    EXPECT_NE(std::get<Crossing>(out).joint, Joint::G0);
  });
}

// One border, run along at two paces: u ↦ u / (u + c (1 − u)) on one side only.
TEST(Patchwork, GluesBordersOfDifferentPace) {
  const auto patch = [](double x0, double pace) {
    Rows net;
    WeightRows weights;
    for (int i = 0; i < 3; ++i) {
      net.emplace_back();
      weights.emplace_back();
      for (int j = 0; j < 3; ++j) {
        const double x = x0 + i / 2.0;
        net.back().push_back({x, j / 2.0, 0.1 * (j == 1 ? 0.3 : 1)});
        weights.back().push_back(std::pow(pace, j) * (j == 1 ? 0.8 : 1));
      }
    }
    return make_patch(net, weights).value();
  };
  const Patchwork surface = Patchwork::make({{patch(0, 1), "a"}, {patch(1, 2.3), "b"}}).value();
  EXPECT_EQ(surface.seam({0, 1}).beyond.at, (PatchSide{1, 3}));
  EXPECT_NE(surface.seam({0, 1}).pace, 1);
  expect_seam_laws(surface, 2);
}

// Around a corner of any number of patches every direction leads to one patch, the same from
// everywhere, and the point stays where it is.
TEST(Patchwork, TurnsRoundCorners) {
  for (int n : {3, 4, 5, 6, 8}) {
    const Patchwork surface = Patchwork::make(pieces(fan(n))).value();
    SCOPED_TRACE(testing::Message() << n << " patches");
    for_random_cases(100, [&](Random& random) {
      for (double away : {1e-9, 1e-6, 1e-4}) {
        const double angle = random.uniform(0, 2 * std::numbers::pi);
        const Vec3<double> p = away * Vec3<double>(std::cos(angle), std::sin(angle), 0);
        int inside = -1;
        for (int from = 0; from < n; ++from) {
          // The place in the plane of this patch, mostly outside of its square.
          const Jet<double, 1> c = surface.jet<1>(from, Uv<double>(0, 0));
          Mat2<double> A;
          A << c.d(1, 0).head<2>(), c.d(0, 1).head<2>();
          Location q{ChartId{from}};
          q.x.head<2>() = A.inverse() * p.head<2>();
          if (surface.margin(q) >= 0) {
            if (inside < 0) inside = from;
            continue;
          }
          const ChartExit exit = surface.leave(q);
          ASSERT_TRUE(std::holds_alternative<Crossing>(exit));
          const Location& to = std::get<Crossing>(exit).to;
          EXPECT_GE(surface.margin(to), 0);
          EXPECT_LE((point(surface, to) - p).norm(), 1e-3 * away + 1e-15);
        }
        EXPECT_GE(inside, 0);
      }
    });
  }
}

// Exactly through the corner of three patches, onto the border between the two others: over the
// side that ends there, so to the one that is next counter-clockwise.
TEST(Patchwork, ExactCornersAreTurnedCounterClockwise) {
  const Patchwork surface = Patchwork::make(pieces(fan(3))).value();
  for (int i = 0; i < 3; ++i) {
    const ChartExit exit = surface.leave({ChartId{i}, {-1e-9, -1e-9, 0}});
    ASSERT_TRUE(std::holds_alternative<Crossing>(exit));
    EXPECT_LE(point(surface, std::get<Crossing>(exit).to).norm(), 4e-9);
    EXPECT_EQ(std::get<Crossing>(exit).to.chart.index, (i + 1) % 3);
  }
}

TEST(Patchwork, OpenBordersAreOpen) {
  const Patchwork surface = Patchwork::make(pieces(fan(3))).value();
  for (int i = 0; i < 3; ++i) {
    for (const Vec3<double>& q : {Vec3<double>(1.01, 0.4, 0), Vec3<double>(0.4, 1.01, 0)}) {
      const ChartExit exit = surface.leave({ChartId{i}, q});
      ASSERT_TRUE(std::holds_alternative<OpenEdge>(exit));
      EXPECT_LE(difference(std::get<OpenEdge>(exit).at.x, q.cwiseMin(1.0)), 1e-15);
      EXPECT_EQ(std::get<OpenEdge>(exit).border, Border::free);
    }
  }
}

// Pieces of rational splines against the surfaces they are.
template <class Analytic>
void expect_same_surface(const Patchwork& spline, const Analytic& exact, double size) {
  for_random_cases(300, [&](Random& random) {
    const int chart = static_cast<int>(random.uniform(0, spline.patches()));
    Location q{ChartId{chart}};
    q.x.head<2>() = random.vector<2>(0.1, 0.9);
    const Vec3<double> p = point(spline, q);
    const Location there = exact.near(p);
    const Vec3<double> n = local(spline, q, random.direction()).R.col(2);
    const Vec3<double> e = fair_reference(random, {n});
    const auto a = local(spline, q, e);
    const auto b =
        local_surface(exact.template jet<2>(there.chart.index, Uv<double>(there.x.head<2>())), e);
    EXPECT_LE(difference(a.p, b.p), 1e-14 * size);
    EXPECT_LE(difference(a.R, b.R), 1e-12);
    EXPECT_LE(difference(a.K, b.K), 1e-10 / size);
  });
}

TEST(Patchwork, NurbsSphereTorusAndCylinderAreThemselves) {
  const Patchwork sphere = Patchwork::make(pieces_of(nurbs_sphere(0.7), "sphere")).value();
  const Patchwork torus = Patchwork::make(pieces_of(nurbs_torus(1, 0.3), "torus")).value();
  const Patchwork cylinder = Patchwork::make(pieces_of(nurbs_cylinder(0.5, 2), "cylinder")).value();
  EXPECT_TRUE(sphere.closed());
  EXPECT_TRUE(torus.closed());
  EXPECT_FALSE(cylinder.closed());
  expect_same_surface(sphere, ellipsoid(0.7, 0.7, 0.7), 0.7);
  expect_same_surface(torus, Torus::make(1, 0.3).value(), 1);
  expect_same_surface(cylinder, Frustum::cylinder(0.5, 2).value(), 1);
  expect_seam_laws(torus, 1);
  expect_seam_laws(cylinder, 1);
}

TEST(Patchwork, ASideThatIsOnePointIsATip) {
  const Patchwork sphere = Patchwork::make(pieces_of(nurbs_sphere(0.7), "sphere")).value();
  EXPECT_TRUE(sphere.side({0, 0}).collapsed);
  const Location q{ChartId{0}, {0.3, 1e-3, 0}};
  EXPECT_NEAR(sphere.margin(q), 0, 1e-15);
  const ChartExit exit = sphere.leave(q);
  ASSERT_TRUE(std::holds_alternative<OpenEdge>(exit));
  EXPECT_EQ(std::get<OpenEdge>(exit).border, Border::tip);
}

TEST(Patchwork, TrimmedEdgesEndTheSurface) {
  Random random(1);
  const auto hole = std::make_shared<const Trimming>(
      Trimming::make({0, 1, 0, 1},
                     {polygon_loop({{0.25, 0.25}, {0.25, 0.75}, {0.75, 0.75}, {0.75, 0.25}})})
          .value());
  const Patchwork surface =
      Patchwork::make({{make_patch(random_net(random, 4, 4)).value(), "plate", hole, {0, 1, 0, 1}}})
          .value();
  EXPECT_LT(surface.margin({ChartId{0}, {0.5, 0.5, 0}}), 0);
  EXPECT_NEAR(surface.margin({ChartId{0}, {0.2, 0.5, 0}}), 0.05, 1e-15);
  EXPECT_NEAR(surface.margin({ChartId{0}, {0.05, 0.5, 0}}), 0.05, 1e-15);
  const ChartExit exit = surface.leave({ChartId{0}, {0.251, 0.5, 0}});
  ASSERT_TRUE(std::holds_alternative<OpenEdge>(exit));
  EXPECT_EQ(std::get<OpenEdge>(exit).border, Border::trimmed);
  EXPECT_LE(difference(std::get<OpenEdge>(exit).at.x, Vec3<double>(0.25, 0.5, 0)), 1e-15);
  for (const Location& q : surface.seeds()) EXPECT_GT(surface.margin(q), 0);
  EXPECT_EQ(surface.solid().error().message, "the surface is open: plate is trimmed");
}

TEST(Patchwork, ANarrowTrimmedStripIsFound) {
  Random random(1);
  const auto strip = std::make_shared<const Trimming>(
      Trimming::make({0, 1, 0, 1}, {polygon_loop({{0.56, 0}, {0.57, 0}, {0.57, 1}, {0.56, 1}})})
          .value());
  const Patchwork surface =
      Patchwork::make(
          {{make_patch(random_net(random, 4, 4)).value(), "plate", strip, {0, 1, 0, 1}}})
          .value();
  EXPECT_GE(surface.seeds().size(), 4u);
}

// Beyond the seam the next patch may be trimmed away: the surface ends at the seam.
TEST(Patchwork, SeamsWithNothingBeyondAreTrimmedEdges) {
  const std::vector<PointRows> nets{{{{-1, 0, 0}, {-1, 1, 0}}, {{0, 0, 0}, {0, 1, 0}}},
                                    {{{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {1, 1, 0}}}};
  std::vector<PatchPiece> both = pieces(nets);
  both[1].trimming = std::make_shared<const Trimming>(
      Trimming::make({0, 1, 0, 1}, {polygon_loop({{0.3, 0.3}, {0.6, 0.3}, {0.6, 0.6}, {0.3, 0.6}})})
          .value());
  const Patchwork surface = Patchwork::make(both).value();
  const ChartExit exit = surface.leave({ChartId{0}, {1 + 1e-9, 0.5, 0}});
  ASSERT_TRUE(std::holds_alternative<OpenEdge>(exit));
  EXPECT_EQ(std::get<OpenEdge>(exit).border, Border::trimmed);
  EXPECT_EQ(std::get<OpenEdge>(exit).at.chart.index, 0);
}

TEST(Patchwork, BoundsContainTheSurface) {
  const Patchwork torus = Patchwork::make(pieces_of(nurbs_torus(1, 0.3), "torus")).value();
  const Box box = torus.box();
  for_random_cases(200, [&](Random& random) {
    Location q{ChartId{static_cast<int>(random.uniform(0, torus.patches()))}};
    q.x.head<2>() = random.vector<2>(0, 1);
    EXPECT_TRUE(box.contains(point(torus, q), 4 * kEps));
    EXPECT_LE(point(torus, q).norm(), torus.bounding_radius() + 4 * kEps);
  });
}

void expect_refused(const Result<Patchwork>& r, const std::string& message) {
  ASSERT_FALSE(r.has_value()) << message;
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy, "");
}

TEST(Patchwork, RefusesWhatCannotBeGlued) {
  const std::vector<PointRows> nets = fan(3);
  const auto glue = [&](PatchSide a, PatchSide b) {
    Gluing gluing;
    gluing.automatic = false;
    gluing.declared = {{SidePart{a}, SidePart{b}}};
    return Patchwork::make(pieces(nets), gluing);
  };
  EXPECT_TRUE(glue({0, 3}, {1, 0}).has_value());
  expect_refused(glue({0, 3}, {0, 3}), "side 3 of patch 0 is glued to itself");
  expect_refused(glue({0, 3}, {3, 0}), "side 0 of patch 3 does not exist");
  expect_refused(glue({0, 4}, {1, 0}), "side 4 of patch 0 does not exist");
  expect_refused(glue({0, 0}, {1, 0}), "side 0 of patch 0 and side 0 of patch 1 are 0.7 m apart");
  PointRows over = nets[1];
  std::swap(over[0], over[1]);
  expect_refused(Patchwork::make(pieces({nets[0], over})),
                 "side 3 of patch 0 and side 0 of patch 1 match, but their patches have opposite "
                 "normals");
  const Vec3<double> up(0, 0, 1);
  const PointRows fin{{nets[0][0][1], nets[0][0][0]}, {nets[0][0][1] + up, nets[0][0][0] + up}};
  expect_refused(Patchwork::make(pieces({nets[0], nets[1], fin})),
                 "three sides meet along one curve: side 3 of patch 0 and side 3 of patch 2, and "
                 "side 0 of patch 1");
  expect_refused(Patchwork::make({}), "the surface has no patches");
}

TEST(Patchwork, RefusesDegeneratePatches) {
  Random random(1);
  Rows line = random_net(random, 4, 4);
  for (auto& row : line)
    for (auto& p : row) p = Vec3<double>(p.x(), 0, 0);
  expect_refused(Patchwork::make(pieces({line})), "patch 0 is degenerate at (u, v) = (0.5, 0.5)");
  const Rows dot(4, std::vector<Vec3<double>>(4, Vec3<double>(1, 2, 3)));
  EXPECT_FALSE(Patchwork::make(pieces({dot})).has_value());
  Rows over;
  for (double x : {0.0, 1.0, -0.1, 0.95}) over.push_back({{x, 0, 0}, {x, 1, 0}});
  const auto folded = Patchwork::make(pieces({over}));
  ASSERT_FALSE(folded.has_value());
  EXPECT_EQ(folded.error().message.substr(0, 22), "patch 0 is folded over");
  Rows fold = random_net(random, 4, 4);
  fold[3][3] = fold[3][2];  // c_u and c_v parallel in a corner
  fold[2][3] = 0.5 * (fold[3][3] + fold[3][2]);
  EXPECT_FALSE(Patchwork::make(pieces({fold})).has_value());
}

TEST(Patchwork, SizeDoesNotDecideWhatIsDegenerate) {  // nor does the place
  for (double scale : {1e-6, 1.0, 1e6}) {
    Random random(1);
    Rows net = random_net(random, 4, 4);
    for (auto& row : net)
      for (auto& p : row) p *= scale;
    EXPECT_TRUE(Patchwork::make(pieces({net})).has_value()) << scale;
  }
}

TEST(Patchwork, NearIsAGoodStart) {  // within the spacing of a 9 × 9 grid
  for_random_cases(20, [](Random& random) {
    const Patchwork patch = single_patch(random_net(random, 4, 4));
    const Vec3<double> p = patch.jet<0>(0, Uv<double>(random.vector<2>(0, 1))).d(0, 0);
    const Location start = patch.near(p);
    EXPECT_GT(patch.margin(start), 0);
    EXPECT_LE((point(patch, start) - p).norm(), 0.2);  // half a cell's diagonal, |c_u|, |c_v| ≤ 1.8
  });
}

}  // namespace oloid::test::patchwork_test
