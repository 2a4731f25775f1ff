#include "oloid/geometry/cells/surface_cells.h"

#include <gtest/gtest.h>

#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/cells/curve_cells.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::surface_cells_test {

void expect_inside(const VectorRange& range, const Vec3<double>& v, const char* what) {
  const double slack = 1e-12 * (1 + v.norm());
  for (int i = 0; i < 3; ++i)
    EXPECT_LE(std::abs(v(i) - range.mid(i)), range.rad(i) + slack) << what << ' ' << i;
}

// Points, derivatives and normals of a cell lie in its ranges.
void expect_holds(const Cell& cell, const CellPoint& at, const Vec2<double>& st) {
  const Mat3<double> to_cell = cell.frame.transpose();
  EXPECT_LE((at.p - cell.p).norm(), cell.radius + 1e-12);
  if (!cell.is_smooth()) return;
  VectorRange p;
  for (int i = 0; i < cell.dimension; ++i) {
    const auto k = static_cast<std::size_t>(i);
    expect_inside(cell.P[k], to_cell * at.P[k], "P");
    p = p + st(i) * cell.P[k];
    if (cell.dimension == 2) expect_inside(cell.N_rate[k], to_cell * at.N_rate[k], "N'");
  }
  expect_inside(p, to_cell * (at.p - cell.p), "p");
  if (cell.dimension == 2) expect_inside(cell.N, to_cell * at.N, "N");
  if (cell.dimension == 1) expect_inside(cell.P_ss, to_cell * at.P_ss, "P''");
}

struct Named {
  const char* name;
  Shape shape;
};
std::vector<Named> shapes() {
  Random random(5);
  return {{"plane", Plane{}},
          {"ellipsoid", *Ellipsoid::make({0.5, 0.3, 0.2})},
          {"cavity", *Ellipsoid::make({2, 3, 1}, true)},
          {"superellipsoid", *Superellipsoid::make({0.4, 0.3, 0.5}, 4, 2.5)},
          {"cone", *Frustum::cone(0.4, 0.5, 1)},
          {"torus", *Torus::make(0.5, 0.2)},
          {"revolution", *recognise_revolution(nurbs_sphere(0.4))},
          {"patch", random_patch(random, 1.2)},
          {"rational patches", *Patchwork::make(pieces_of(nurbs_sphere(0.4), "sphere"))},
          {"s-patch", random_s_patch(random, 1.2)},
          {"quadric", *Quadric::make(Vec3<double>(4, 9, 6).asDiagonal(), {0.1, 0, 0}, -1)},
          {"formula", random_convex(random, 8)},
          {"box", *Polyhedron::make({*ConvexPolyhedron::cuboid({0.5, 0.6, 0.7})})},
          {"oloid", *CircleHull::oloid(0.3)},
          {"sphericon", *CircleHull::sphericon(0.3)}};
}

TEST(SurfaceCells, HoldTheirPointsNormalsAndDerivatives) {
  Random random(1);
  for (const Named& named : shapes()) {
    SCOPED_TRACE(named.name);
    const SurfaceCells cells(named.shape);
    int checked = 0;
    for (int run = 0; run < 100; ++run) {
      std::vector<Cell> parts = cells.roots({Vec3<double>(-1, -1, -1), Vec3<double>(1, 1, 1)});
      for (int depth = 0; depth < 14 && !parts.empty(); ++depth) {
        const Cell cell =
            parts[static_cast<std::size_t>(random(0, 0.999) * static_cast<double>(parts.size()))];
        if (cell.height >= 0) {
          for (int k = 0; k < 8; ++k, ++checked) {
            const Vec2<double> st(random(-1, 1), random(-1, 1));
            expect_holds(cell, cells.point(cell, st), st);
          }
        }
        parts.clear();
        cells.split(cell, parts);
      }
    }
    EXPECT_GT(checked, 200);
  }
}

// Places of the surface, 15 or a few more, that lie in the box.
std::vector<Vec3<double>> places_in(const Shape& shape, const Box& box) {
  const std::vector<Location> all = seeds(shape);
  const std::size_t every = 1 + all.size() / 15;
  std::vector<Vec3<double>> places;
  for (std::size_t i = 0; i < all.size(); i += every) {
    const Location& q = all[i];
    const Vec3<double> p =
        PlacedShape{shape, {}}.at<double>({q.chart, Vec3<double>(0.6, 0, 0.8)}, q.x).p;
    if ((p.array() >= box.low.array()).all() && (p.array() <= box.high.array()).all())
      places.push_back(p);
  }
  return places;
}

// Every point of the surface is in the ball of one of the cells, at every depth.
TEST(SurfaceCells, CoverTheSurface) {
  const Box box{Vec3<double>::Constant(-1), Vec3<double>::Constant(1)};
  for (const Named& named : shapes()) {
    SCOPED_TRACE(named.name);
    const SurfaceCells cells(named.shape);
    const std::vector<Cell> roots = cells.roots(cells.is_bounded() ? everywhere() : box);
    std::vector<Cell> level, next;
    for (const Vec3<double>& p : places_in(named.shape, cells.is_bounded() ? everywhere() : box)) {
      level = roots;
      for (int depth = 0; depth < 8; ++depth) {
        next.clear();
        for (const Cell& cell : level)
          if ((cell.p - p).norm() <= cell.radius + 1e-9) cells.split(cell, next);
        ASSERT_FALSE(next.empty()) << "depth " << depth << " at " << p.transpose();
        level.swap(next);
      }
    }
  }
}

TEST(CurveCells, HoldTheirPointsAndDerivatives) {
  Random random(2);
  const Curve curves[] = {
      *Curve::helix(0.3, 0.2, 2), *Curve::circle({0, 0, 1}, {1, 1, 0}, 0.4),
      *Curve::bezier({{0, 0, 0}, {1, 0, 0.2}, {1, 1, 0}, {0, 1, 0.5}}, {1, 2, 1, 3}),
      *Curve::polyline({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}})};
  for (const Curve& curve : curves) {
    for (int run = 0; run < 100; ++run) {
      std::vector<Cell> parts = curve_cells::roots(curve);
      for (int depth = 0; depth < 10; ++depth) {
        const Cell cell =
            parts[static_cast<std::size_t>(random(0, 0.999) * static_cast<double>(parts.size()))];
        const Vec2<double> st(random(-1, 1), 0);
        expect_holds(cell, curve_cells::point(curve, cell, st(0)), st);
        parts.clear();
        curve_cells::split(curve, cell, parts);
      }
    }
  }
}

}  // namespace oloid::test::surface_cells_test
