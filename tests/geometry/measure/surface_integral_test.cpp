#include "oloid/geometry/measure/surface_integral.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/surfaces.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/numerics/quadrature.h"
#include "support/rooms.h"

namespace oloid::test::surface_integral_test {

// A cube [−1, 1]³ bent by a cubic map of space; its six faces are bicubic patches, exactly.
Vec3<double> bent(const Vec3<double>& x) {
  return {x.x() + 0.1 * x.y() * x.z() + 0.05 * x.x() * x.x() * x.x(),
          0.8 * x.y() + 0.2 * x.x() * x.x() - 0.1 * x.z(),
          1.1 * x.z() + 0.1 * x.x() * x.y() * x.y() + 0.05};
}

// The bicubic through 4 × 4 points of a bicubic function, as a Bezier net: solves for the net.
Patch interpolated(const std::function<Vec3<double>(double, double)>& f) {
  Eigen::Matrix4d B;
  for (int i = 0; i < 4; ++i) {
    const auto b = bernstein<0>(3, i / 3.0);
    for (int k = 0; k < 4; ++k) B(i, k) = b[0][static_cast<std::size_t>(k)];
  }
  const Eigen::Matrix4d inverse = B.inverse();
  Rows net(4, std::vector<Vec3<double>>(4, Vec3<double>::Zero()));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          net[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] +=
              inverse(i, a) * inverse(j, b) * f(a / 3.0, b / 3.0);
  return make_patch(net).value();
}

std::vector<PatchPiece> bent_cube() {
  std::vector<PatchPiece> faces;
  for (int axis = 0; axis < 3; ++axis) {
    for (double sign : {-1.0, 1.0}) {
      const auto face = [&](double u, double v) {
        Vec3<double> x;
        x(axis) = sign;
        x((axis + 1) % 3) = 2 * (sign > 0 ? u : v) - 1;
        x((axis + 2) % 3) = 2 * (sign > 0 ? v : u) - 1;
        return bent(x);
      };
      faces.push_back({interpolated(face), "face"});
    }
  }
  return faces;
}

// Volume integrals of the bent cube over the cube itself, with the determinant of the map.
Solid exact_bent_cube() {
  const GaussRule rule = gauss_legendre(12);
  double volume = 0;
  Vec3<double> first = Vec3<double>::Zero();
  Mat3<double> second = Mat3<double>::Zero();
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < 12; ++j) {
      for (std::size_t k = 0; k < 12; ++k) {
        const double x = 2 * rule.points[i] - 1, y = 2 * rule.points[j] - 1,
                     z = 2 * rule.points[k] - 1;
        Mat3<double> D;
        D << 1 + 0.15 * x * x, 0.1 * z, 0.1 * y,  //
            0.4 * x, 0.8, -0.1,                   //
            0.1 * y * y, 0.2 * x * y, 1.1;
        const double dV = 8 * rule.weights[i] * rule.weights[j] * rule.weights[k] * D.determinant();
        const Vec3<double> p = bent({x, y, z});
        volume += dV;
        first += dV * p;
        second += dV * p * p.transpose();
      }
    }
  }
  const Vec3<double> c = first / volume;
  const Mat3<double> central = second - volume * c * c.transpose();
  return {volume, c, central.trace() * Mat3<double>::Identity() - central};
}

TEST(SurfaceIntegral, IsExactForPolynomialPatches) {
  const Patchwork cube = Patchwork::make(bent_cube()).value();
  ASSERT_TRUE(cube.closed());
  const Solid solid = cube.solid().value(), exact = exact_bent_cube();
  EXPECT_NEAR(solid.volume, exact.volume, 1e-14 * exact.volume);
  EXPECT_LE(difference(solid.centre, exact.centre), 1e-14);
  EXPECT_LE(difference(solid.inertia, exact.inertia), 1e-13 * exact.inertia.norm());
}

// The same cube with S-patches of four sides for faces.
TEST(SurfaceIntegral, IsTheSameForFourSidedSPatches) {
  std::vector<PatchPiece> faces = bent_cube();
  for (PatchPiece& face : faces) {
    const auto& net = std::get<BicubicPatch>(face.patch).net();
    std::vector<Vec<double, 4>> points;
    for (const SPatch::Corners& corners : SPatch::all_corners(4, 3)) {
      std::size_t i = 0, j = 0;
      for (const int corner : corners) {
        if (corner == 1 || corner == 2) ++i;
        if (corner >= 2) ++j;
      }
      points.push_back(weighted<3>(net[i][j], 1));
    }
    face.patch = SPatch(4, 3, points);
  }
  const Patchwork cube = Patchwork::make(faces).value();
  ASSERT_TRUE(cube.closed());
  const Solid solid = cube.solid().value(), exact = exact_bent_cube();
  EXPECT_NEAR(solid.volume, exact.volume, 1e-14 * exact.volume);
  EXPECT_LE(difference(solid.centre, exact.centre), 1e-14);
  EXPECT_LE(difference(solid.inertia, exact.inertia), 1e-13 * exact.inertia.norm());
}

// Prisms between two S-patches over the regular polygon: volume and centre from heights alone.
TEST(SurfaceIntegral, OfSPatchesIsGoodTo12Digits) {
  for (int n = 5; n <= SPatch::kMostSides; ++n) {
    {
      SCOPED_TRACE(testing::Message() << n << " sides");
      Random random(static_cast<unsigned>(n));
      const std::array<SPatch, 2> ends = prism_ends(random, n);
      const Patchwork prism = Patchwork::make(prism_pieces(ends)).value();
      ASSERT_TRUE(prism.closed());
      const Solid solid = prism.solid().value();
      // Over triangles from the middle, squares with one side shrunk. The lower patch is mirrored.
      const GaussRule rule = gauss_legendre(60);
      const PatchDomain& domain = PatchDomain::regular(n);
      double volume = 0, moment = 0;
      for (int side = 0; side < n; ++side) {
        const Uv<double> a = domain.corner(side), b = domain.corner(side + 1);
        for (std::size_t i = 0; i < 60; ++i) {
          for (std::size_t j = 0; j < 60; ++j) {
            const double s = rule.points[i], r = rule.points[j];
            const Uv<double> q = r * ((1 - s) * a + s * b);
            const double dA =
                rule.weights[i] * rule.weights[j] * r * (a.x() * b.y() - a.y() * b.x());
            const double low = ends[0].jet<0>(Uv<double>(q.x(), -q.y())).d(0, 0).z(),
                         high = ends[1].jet<0>(q).d(0, 0).z();
            volume += dA * (high - low);
            moment += dA * (high * high - low * low) / 2;
          }
        }
      }
      EXPECT_NEAR(solid.volume, volume, 1e-12 * volume);
      EXPECT_NEAR(solid.centre.z(), moment / volume, 1e-12);
    }
  }
}

// A tetrahedron: four triangles of degree 1, and the same as degree 3.
TEST(SurfaceIntegral, IsExactForTriangles) {
  const Vec3<double> O(0.3, 0.2, 0.1), X(1.3, 0.2, 0.1), Y(0.3, 2.2, 0.1), Z(0.3, 0.2, 3.1);
  const auto face = [](const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
    return PatchPiece{make_triangle({{a, b}, {c}}).value(), "face"};
  };
  const Patchwork surface =
      Patchwork::make({face(O, Y, X), face(O, Z, Y), face(O, X, Z), face(X, Y, Z)}).value();
  ASSERT_TRUE(surface.closed());
  const Solid solid = surface.solid().value();
  EXPECT_NEAR(solid.volume, 1, 1e-15);
  EXPECT_LE(difference(solid.centre, O + Vec3<double>(1, 2, 3) / 4), 1e-15);
  // ∫ x² = V a² / 10, ∫ x y = V a b / 20 about the corner.
  const Vec3<double> abc(1, 2, 3);
  Mat3<double> second = abc * abc.transpose() / 20;
  second.diagonal() *= 2;
  second -= abc * abc.transpose() / 16;
  const Mat3<double> inertia = second.trace() * Mat3<double>::Identity() - second;
  EXPECT_LE(difference(solid.inertia, inertia), 1e-15);
}

TEST(SurfaceIntegral, OfRationalPatchesIsGoodTo13Digits) {
  const Solid ball =
      Patchwork::make(pieces_of(nurbs_sphere(0.7), "sphere")).value().solid().value();
  const Solid exact_ball = ellipsoid(0.7, 0.7, 0.7).solid().value();
  EXPECT_NEAR(ball.volume, exact_ball.volume, 1e-13 * exact_ball.volume);
  EXPECT_LE(ball.centre.norm(), 1e-14);
  EXPECT_LE(difference(ball.inertia, exact_ball.inertia), 1e-13 * exact_ball.inertia.norm());
  const Solid ring =
      Patchwork::make(pieces_of(nurbs_torus(1, 0.3), "torus")).value().solid().value();
  const Solid exact_ring = Torus::make(1, 0.3).value().solid().value();
  EXPECT_NEAR(ring.volume, exact_ring.volume, 1e-13 * exact_ring.volume);
  EXPECT_LE(difference(ring.inertia, exact_ring.inertia), 1e-13 * exact_ring.inertia.norm());
}

// Weights squeeze the parameters together; the surface, and its volume, stay.
TEST(SurfaceIntegral, OfUnevenWeightsIsAsGood) {
  // A ball whose octants run at different paces: u / (1 − u) times W on every one.
  for (double W : {10.0, 1e3}) {
    NurbsNet sphere = nurbs_sphere(0.7);
    std::vector<PatchPiece> octants = pieces_of(sphere, "sphere");
    for (PatchPiece& piece : octants) {
      const auto& tensor = std::get<TensorPatch>(piece.patch);
      std::vector<std::vector<Vec<double, 4>>> net(3);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          net[static_cast<std::size_t>(i)].push_back(std::pow(W, i) * tensor.point(i, j));
      piece.patch = make_patch(net);
    }
    const Solid ball = Patchwork::make(octants).value().solid().value();
    const Solid exact = ellipsoid(0.7, 0.7, 0.7).solid().value();
    EXPECT_NEAR(ball.volume, exact.volume, 1e-13 * exact.volume) << W;
    EXPECT_LE(difference(ball.inertia, exact.inertia), 1e-13 * exact.inertia.norm()) << W;
  }
}

// Moved far away the numbers keep their digits: integrals are taken about the middle.
TEST(SurfaceIntegral, DoesNotDependOnThePlace) {
  NurbsNet far = nurbs_sphere(0.7);
  for (auto& row : far.net)
    for (auto& h : row) h.head<3>() += h(3) * Vec3<double>(1000, -500, 200);
  const Solid ball = Patchwork::make(pieces_of(far, "sphere")).value().solid().value();
  const Solid exact = ellipsoid(0.7, 0.7, 0.7).solid().value();
  EXPECT_NEAR(ball.volume, exact.volume, 1e-12 * exact.volume);
  EXPECT_LE(difference(ball.inertia, exact.inertia), 1e-12 * exact.inertia.norm());
}

TEST(SurfaceIntegral, RefusesOpenAndInsideOutSurfaces) {
  std::vector<PatchPiece> faces = bent_cube();
  faces.pop_back();
  EXPECT_EQ(Patchwork::make(faces).value().solid().error().message.substr(0, 27),
            "the surface is open at side");
  NurbsNet inside_out = nurbs_torus(1, 0.3);
  std::reverse(inside_out.net.begin(), inside_out.net.end());
  const auto solid = Patchwork::make(pieces_of(inside_out, "ring")).value().solid();
  ASSERT_FALSE(solid.has_value());
  EXPECT_EQ(solid.error().message.substr(0, 27), "the surface is inside out: ");
}

// Closed forms of every other closed surface, against the integral over its tiles.
TEST(Solid, ClosedFormsAreTheIntegrals) {
  const Mat3<double> Q = (Mat3<double>() << 2, 0.3, 0.1, 0.3, 3, -0.2, 0.1, -0.2, 4).finished();
  for (const Shape& shape : {Shape(ellipsoid(0.7, 0.5, 0.4)), Shape(Torus::make(1, 0.3).value()),
                             Shape(Quadric::make(Q, {0.1, 0.2, -0.1}, -1).value())}) {
    const GaussRule rule = gauss_legendre(32);
    SurfaceIntegral sum;
    for (const Tile& tile : tiles(shape, 1)) {
      for (std::size_t i = 0; i < rule.points.size(); ++i) {
        for (std::size_t j = 0; j < rule.points.size(); ++j) {
          const double s = rule.points[i], t = rule.points[j], h = 1e-3;
          const auto at = [&](double ds, double dt) {
            const Location q = location(shape, tile, s + ds, t + dt);
            return local_surface<double>(shape, q.chart, q.x, {0.6, 0.64, 0.48}).p;
          };
          const auto slope = [&](double x, double y) -> Vec3<double> {  // sixth order
            return (45 * (at(x, y) - at(-x, -y)) - 9 * (at(2 * x, 2 * y) - at(-2 * x, -2 * y)) +
                    (at(3 * x, 3 * y) - at(-3 * x, -3 * y))) /
                   (60 * h);
          };
          sum.add(at(0, 0), rule.weights[i] * rule.weights[j] * slope(h, 0).cross(slope(0, h)));
        }
      }
    }
    const Solid exact = solid(shape).value(), integrated = sum.solid({0, 0, 0}).value();
    EXPECT_NEAR(integrated.volume, exact.volume, 1e-11 * exact.volume);
    EXPECT_LE(difference(integrated.centre, exact.centre), 1e-11);
    EXPECT_LE(difference(integrated.inertia, exact.inertia), 1e-11 * exact.inertia.norm());
  }
}

}  // namespace oloid::test::surface_integral_test
