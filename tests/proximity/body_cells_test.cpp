#include "oloid/proximity/body_cells.h"

#include <gtest/gtest.h>

#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test::body_cells_test {

struct Body {
  ProximityBody proximity;
  explicit Body(Shape shape) : proximity(TouchableBody(PlacedShape{std::move(shape), {}})) {}
};

// A ball is its middle, bent alike everywhere; opposite to a point is where a ray meets it.
TEST(BodyCells, OfABallOnlyTheMiddleCounts) {
  for (const bool hollow : {false, true}) {
    const Body body(*Ellipsoid::make({2, 2, 2}, hollow));
    const BodyCells cells(body.proximity);
    EXPECT_EQ(cells.is_ball(), !hollow);
    EXPECT_EQ(cells.is_hollow_ball(), hollow);
    ASSERT_EQ(cells.tree().roots().size(), 1u);
    const CellNode& middle = cells.tree().nodes()[0];
    EXPECT_TRUE(middle.is_point());
    EXPECT_EQ(cells.bend(&middle).least, hollow ? -0.5 : 0.5);
    const Spot spot = cells.spot(&middle, {}, {0, 3, 4});
    EXPECT_LT((body.proximity.features().at(spot).p - Vec3<double>(0, 1.2, 1.6)).norm(), 1e-14);
  }
}

TEST(BodyCells, OfAPlaneNothingCounts) {
  const Body body(Shape{Plane{}});
  const BodyCells cells(body.proximity);
  EXPECT_TRUE(cells.is_plane());
  EXPECT_EQ(cells.bend(nullptr).most, 0);
  const Spot spot = cells.spot(nullptr, {}, {1, 2, 3});
  EXPECT_LT((body.proximity.features().at(spot).p - Vec3<double>(1, 2, 0)).norm(), 1e-14);
}

// Bounds of curvature hold at the middles of all cells, where they are known: of an ellipsoid
// xᵀ D x = 1 they are tᵀ D t / |D x|.
TEST(BodyCells, BoundsOfCurvatureHold) {
  const Vec3<double> axes(0.5, 0.4, 0.1);
  const Body body(*Ellipsoid::make(axes));
  const BodyCells cells(body.proximity);
  const Mat3<double> D = axes.cwiseInverse().cwiseAbs2().asDiagonal();
  int known = 0;
  for (const CellNode& node : cells.tree().nodes()) {
    if (!node.cell || node.kind != Spot::Kind::surface) continue;
    const BodyCells::Bend bend = cells.bend(&node);
    if (!std::isfinite(bend.least)) continue;
    ++known;
    for (const double s : {-1.0, -0.3, 0.0, 0.6, 1.0}) {
      for (const double t : {-1.0, 0.2, 1.0}) {
        const Vec3<double> x = cells.tree().point(node, {s, t}).p, Dx = D * x;
        if (std::abs(x.dot(Dx) - 1) > 1e-9) continue;  // beyond the surface's part of the cell
        const Mat3<double> n = Dx.normalized() * Dx.normalized().transpose();
        const Mat3<double> across = Mat3<double>::Identity() - n;
        const Mat3<double> K = across * D * across / Dx.norm();
        const double trace = K.trace(), squares = (K * K).trace();
        const double half = std::sqrt(std::max(0.0, 0.5 * squares - 0.25 * trace * trace));
        const double least = 0.5 * trace - half, most = 0.5 * trace + half, off = 1e-9 * most;
        EXPECT_LE(bend.least, least + off);
        EXPECT_GE(bend.most, most - off);
        EXPECT_GE(bend.most_least, least - off);
      }
    }
  }
  EXPECT_GT(known, 50);
}

}  // namespace oloid::test::body_cells_test
