#include "oloid/geometry/core/edge.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "geometry/surfaces.h"
#include "laws/edge_laws.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "support/cages.h"
#include "support/edged_shapes.h"
#include "support/rooms.h"

namespace oloid::test::edge_test {

constexpr double kPi = std::numbers::pi;

SurfaceOfRevolution revolution(const std::vector<Vec2<double>>& points, bool cavity = false) {
  std::vector<BezierCurve<2>> spans;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    spans.push_back({{weighted<2>(points[i], 1), weighted<2>(points[i + 1], 1)}});
  return SurfaceOfRevolution::make(spans, cavity).value();
}

// A box of six bilinear faces.
Patchwork box(double a) {
  std::vector<PatchPiece> pieces;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {a, -a}) {
      const Vec3<double> n = side * Vec3<double>::Unit(axis);
      const Vec3<double> u = a * Vec3<double>::Unit((axis + 1) % 3), v = n.cross(u) / a;
      pieces.push_back(
          {make_patch(Rows{{n - u - v, n - u + v}, {n + u - v, n + u + v}}).value(), "face"});
    }
  }
  return Patchwork::make(std::move(pieces)).value();
}

// A subdivided drum with a sharp ring round its waist.
const Cage& waisted() {
  static const Cage cage =
      creased(drum(5, 3, 7, false), {5, 6, 7, 8, 9, 5}, std::numeric_limits<double>::infinity());
  return cage;
}
Patchwork creased_drum() {
  return patchwork_of(subdivide(waisted(), SubdivisionScheme::catmull_clark).value()).value();
}

// They are the closed uniform cubic spline of the vertices along them.
TEST(Edge, CreasesOfACageAreEdges) {
  double length = 0, expected = 0;
  const Shape shape = creased_drum();
  for (const Edge& edge : edges(shape)) {
    length += edge.curve.length();
    const EdgeSection at = section(shape, edge, 0.5);
    EXPECT_TRUE(at.right.has_value());
    EXPECT_TRUE(at.convex());
  }
  for (std::size_t i = 0; i < 5; ++i) {
    const auto p = [&](std::size_t k) { return waisted().vertices[5 + (i + k) % 5]; };
    expected += Curve::bezier({(p(0) + 4 * p(1) + p(2)) / 6, (2 * p(1) + p(2)) / 3,
                               (p(1) + 2 * p(2)) / 3, (p(1) + 4 * p(2) + p(3)) / 6})
                    .value()
                    .length();
  }
  EXPECT_NEAR(length, expected, 1e-12);
}

// Two boxes side by side, one lower: edges between flush faces and where they lie against each
// other are none.
TEST(Edge, PartsHideEdges) {
  const auto moved = [](const Vec3<double>& low, const Vec3<double>& high) {
    std::vector<Vec3<double>> corners;
    for (int i = 0; i < 8; ++i)
      corners.emplace_back(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(),
                           i & 4 ? high.z() : low.z());
    return ConvexPolyhedron::hull(corners).value();
  };
  const auto length = [](const Polyhedron& body) {
    double sum = 0;
    for (const Edge& edge : body.edges()) sum += edge.curve.length();
    return sum;
  };
  const auto tall = moved({0, 0, 0}, {1, 1, 2}), low = moved({1, 0, 0}, {2, 1, 1}),
             beside = moved({1, 0, 0}, {2, 1, 2}), through = moved({-1, 0.25, 0.5}, {2, 0.75, 1});
  EXPECT_NEAR(length(Polyhedron::make({tall, beside}).value()), 4 * (2 + 1 + 2), 1e-9);
  // The step: its outline twice (2 + 2 + 1 + 1 + 1, the notch left out), and five edges across.
  EXPECT_NEAR(length(Polyhedron::make({tall, low}).value()), 2 * 8 + 5, 1e-9);
  // A beam through a block: the block's own edges, and what sticks out on both sides.
  EXPECT_NEAR(length(Polyhedron::make({tall, through}).value()),
              16 + 4 * (1 + 1) + 2 * 2 * (0.5 + 0.5), 1e-9);
}

TEST(Edge, KeepsTheLawsOnEveryShape) {
  Random random(2);
  const std::vector<Shape> shapes{
      Frustum::cylinder(0.5, 2).value(),
      Frustum::cylinder(0.5, 2, true).value(),
      Frustum::cone(0.5, 0.3, 1).value(),
      revolution({{0.5, 0}, {0.7, 0.4}, {0.4, 1}}),
      revolution({{0.5, 0}, {0.7, 0.4}, {0.4, 1}}, true),
      revolution({{0, 0}, {0.7, 0}, {0.5, 1}, {0, 1}}),
      single_patch(random_net(random, 4, 4)),
      box(0.5),
      Polyhedron::make({ConvexPolyhedron::cuboid({1, 0.7, 0.4}).value()}).value(),
      Polyhedron::make(
          {ConvexPolyhedron::hull({{0, 0, 0}, {1, 0, 0}, {0.2, 1, 0}, {0.3, 0.3, 0.8}}).value()})
          .value(),
      creased_drum(),
      CircleHull::oloid(1).value(),
      CircleHull::sphericon(0.7).value(),
      CircleHull::of_circles({{0, 0, 0}, {0, 0, 1}, 1}, {{0.3, 0.2, 1}, {0.1, 0, 1}, 0.6}).value(),
      CircleHull::of_circles({{0, 0, 0}, {0, 0, 1}, 1}, {{0.1, 0, 0}, {1, 0, 0}, 0.5}).value(),
      hill_with_hole(1),
      hill_with_hole(3),
      notched_hill(1),
      notched_hill(2),
      lens(),
      can(),
      eighth_of_a_ball(),
      bent_wedge()};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(testing::Message() << "alternative " << shape.surface().kind.index());
    EXPECT_FALSE(edges(shape).empty());
    expect_edge_laws(shape, 1);
  }
}

TEST(Edge, SmoothShapesHaveNone) {
  for (const Shape& shape :
       std::vector<Shape>{Plane{}, ellipsoid(1, 1, 1), Torus::make(1, 0.3).value(),
                          Patchwork::make(pieces_of(nurbs_torus(1, 0.3), "torus")).value(),
                          Frustum::cylinder(0.5, INFINITY).value()}) {
    EXPECT_TRUE(edges(shape).empty());
  }
}

TEST(Edge, BoxesHaveTwelveConvexOnes) {
  const Shape shape = box(0.5);
  const auto all = edges(shape);
  ASSERT_EQ(all.size(), 12U);
  for (const Edge& edge : all) {
    const EdgeSection at = section(shape, edge, 0.3);
    EXPECT_NEAR(at.angle(), kPi / 2, 1e-15);
    EXPECT_TRUE(at.convex());
    EXPECT_TRUE(at.supports((at.left + *at.right).normalized()));
    EXPECT_TRUE(at.supports(at.left));
    EXPECT_FALSE(at.supports((at.left - 0.1 * *at.right).normalized()));
    EXPECT_FALSE(at.supports(-at.left));
    EXPECT_FALSE(at.supports(at.tangent));
    EXPECT_NEAR(edge.curve.length(), 1, 1e-15);
  }
}

// The body of revolution in the middle is waisted there.
TEST(Edge, WaistsAreConcave) {
  const Shape shape = revolution({{1, 0}, {0.5, 0.5}, {1, 1}});
  int concave = 0;
  for (const Edge& edge : edges(shape)) {
    const EdgeSection at = section(shape, edge, 0.6);
    if (!at.right) continue;
    ++concave;
    EXPECT_NEAR(at.angle(), -kPi / 2, 1e-14);
    EXPECT_FALSE(at.convex());
  }
  EXPECT_EQ(concave, 1);
  EXPECT_EQ(edges(shape).size(), 3U);
}

// A side against two halves, and sides that run at different paces along one curve.
TEST(Edge, HalvesAndPacesAreFollowed) {
  const Rows left{{{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {1, 1, 0}}};
  const auto right = [](double from, double to) {
    return Rows{{{1, from, 0}, {1, to, 0}}, {{2, from, -1}, {2, to, -1}}};
  };
  const Shape halves = Patchwork::make({{make_patch(left).value(), "a"},
                                        {make_patch(right(0, 0.5)).value(), "b"},
                                        {make_patch(right(0.5, 1)).value(), "c"}})
                           .value();
  const auto bent = [](double x, double z) {
    return std::vector<Vec3<double>>{{x, 0, z}, {x, 0.3, z}, {x, 0.7, z}, {x, 1, z}};
  };
  const WeightRows weights{{1, 2, 4, 8}, {1, 2, 4, 8}};
  const Shape paces = Patchwork::make({{make_patch({bent(0, 0), bent(1, 0)}, weights).value(), "a"},
                                       {make_patch({bent(1, 0), bent(2, -1)}).value(), "b"}})
                          .value();
  int sharp = 0;
  for (const Shape& shape : {halves, paces}) {
    expect_edge_laws(shape, 1);
    for (const Edge& edge : edges(shape)) {
      if (!edge.has(EdgeFace::right)) continue;
      ++sharp;
      EXPECT_NEAR(section(shape, edge, 0.4).angle(), kPi / 4, 1e-14);
    }
  }
  EXPECT_EQ(sharp, 3);
}

double length_of_edges(const Shape& shape) {
  double sum = 0;
  for (const Edge& edge : edges(shape)) sum += edge.curve.length();
  return sum;
}

// Where loops cut sides off, both end there; loops along a side are that side.
TEST(Edge, TrimmedBordersAreClosedAndComplete) {
  const auto flat = [](std::vector<TrimmingLoop> loops) {
    std::vector<PatchPiece> pieces{
        {make_patch(Rows{{{0, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {1, 1, 0}}}).value(), "plate"}};
    pieces[0].trimming =
        std::make_shared<const Trimming>(Trimming::make({0, 1, 0, 1}, std::move(loops)).value());
    return Shape(Patchwork::make(std::move(pieces)).value());
  };
  EXPECT_NEAR(length_of_edges(flat({circle_loop({0.5, 0.5}, 0.2, true)})), 4 + 0.4 * kPi, 1e-12);
  EXPECT_NEAR(length_of_edges(flat({circle_loop({0.5, 0.5}, 0.2, false)})), 0.4 * kPi, 1e-12);
  const double cut = std::sqrt(0.5);
  EXPECT_NEAR(length_of_edges(flat({polygon_loop({{0, 0}, {1, 0}, {1, 0.5}, {0.5, 1}, {0, 1}})})),
              3 + cut, 1e-12);
  // Knots divide borders; one of them is a side of the loop.
  for (const int spans : {1, 2, 3}) {
    const Shape half =
        trimmed_hill({polygon_loop({{0, 0}, {0.5, 0}, {0.5, 1}, {0, 1}})}, 2 * spans);
    int borders = 0;
    for (const Edge& edge : edges(half)) borders += edge.has(EdgeFace::right) ? 0 : 1;
    EXPECT_EQ(borders, 2 * spans + 4 * spans);
  }
}

// Their lengths in closed form; each closed, so that arcs follow each other all round.
TEST(Edge, IntersectionsOfImplicitBodiesAreTraced) {
  EXPECT_NEAR(length_of_edges(lens()), std::sqrt(3.0) * kPi, 1e-10);
  EXPECT_NEAR(length_of_edges(can()), 2 * 1.4 * kPi, 1e-10);
  EXPECT_NEAR(length_of_edges(eighth_of_a_ball()), 3 + 3 * kPi / 2, 1e-10);
  EXPECT_NEAR(length_of_edges(intersection_of(
                  {"0.6*x + 0.8*z - 0.5", "-0.6*x - 0.8*z - 0.5", "0.8*x - 0.6*z - 0.5",
                   "-0.8*x + 0.6*z - 0.5", "y - 0.4", "-y - 0.4"},
                  1.5)),
              4 * (1 + 1 + 0.8), 1e-10);
  const Shape shape = bent_wedge();
  const auto& body = *shape.as<ImplicitIntersection>();
  for (const Edge& edge : edges(shape)) {
    for (int k = 0; k <= 10; ++k) {
      const Vec3<double> p = edge.curve.point({0, k / 10.0});
      for (const EdgeFace face : {EdgeFace::left, EdgeFace::right}) {
        const auto at = body.implicit_jet(location(shape, edge, face, k / 10.0).chart.index, p);
        EXPECT_LE(std::abs(at.f), 1e-15 * at.gradient.norm() * 4);
      }
    }
  }
}

// Its dihedral angle is largest in the middle of the arc and vanishes towards its ends.
TEST(Edge, OloidFadesAtTheEndsOfItsArcs) {
  const Shape shape = CircleHull::oloid(1).value();
  for (const Edge& edge : edges(shape)) {
    const auto angle = [&](double s) { return section(shape, edge, s).angle(); };
    // At t = 0 the planes touch the other circle where it ends: normals (0, −1, ±√3) / 2.
    EXPECT_NEAR(angle(0.5), 2 * kPi / 3, 1e-13);
    EXPECT_NEAR(angle(0.3), angle(0.7), 1e-13);
    EXPECT_LT(angle(1e-6), 1e-2);
    EXPECT_GT(angle(1e-6), 0);
    const EdgeSection at = section(shape, edge, 0.2);
    EXPECT_TRUE(at.supports((at.left + *at.right).normalized()));
  }
}

}  // namespace oloid::test::edge_test
