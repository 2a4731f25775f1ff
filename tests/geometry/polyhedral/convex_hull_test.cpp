#include "oloid/geometry/polyhedral/convex_hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "laws/random.h"
#include "oloid/geometry/polyhedral/orientation.h"
#include "oloid/geometry/polyhedral/polygon_mesh.h"
#include "support/rooms.h"

namespace oloid::test::convex_hull_test {

using Points = std::vector<Vec3<double>>;

// Closed, of one piece, Euler's formula; faces flat, convex and outward; all points inside.
void expect_hull_laws(const Points& points, const Cage& hull) {
  const double size = size_of(points);
  double reach = 0;
  for (const Vec3<double>& p : points) reach = std::max(reach, p.cwiseAbs().maxCoeff());
  const double slack = std::max(1e-12 * size, 0x1p-50 * reach);
  const auto error = topology_error(hull);
  ASSERT_FALSE(error) << to_string(*error);
  std::set<int> used;
  for (const std::vector<int>& face : hull.faces) {
    const PolygonPlane plane = plane_of(hull.vertices, face);
    ASSERT_GT(plane.area, 0);
    for (const Vec3<double>& p : points) ASSERT_LE(plane.normal.dot(p - plane.middle), slack);
    for (std::size_t i = 0; i < face.size(); ++i) {
      used.insert(face[i]);
      const auto at = [&](std::size_t k) -> const Vec3<double>& {
        return hull.vertices[static_cast<std::size_t>(face[k % face.size()])];
      };
      EXPECT_LE(std::abs(plane.normal.dot(at(i) - plane.middle)), slack);
      EXPECT_GE(plane.normal.dot((at(i + 1) - at(i)).cross(at(i + 2) - at(i + 1))),
                -slack * (at(i + 2) - at(i)).norm());
    }
  }
  EXPECT_EQ(used.size(), hull.vertices.size());  // no others are listed
  for (const Vec3<double>& v : hull.vertices)
    EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
}

Cage hull_of(const Points& points, double tolerance = kHullTolerance) {
  const auto hull = convex_hull(points, tolerance);
  EXPECT_TRUE(hull) << (hull ? "" : to_string(hull.error()));
  if (!hull) return {};
  expect_hull_laws(points, *hull);
  return *hull;
}

Points lattice(int n) {
  Points points;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) points.emplace_back(i, j, k);
  return points;
}

// Triangles with all points on one side: n⁴ work, but plainly right.
std::set<std::set<int>> faces_by_brute_force(const Points& points) {
  std::set<std::set<int>> faces;
  const int n = static_cast<int>(points.size());
  const auto at = [&](int i) -> const Vec3<double>& { return points[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int k = j + 1; k < n; ++k) {
        bool above = false, below = false;
        std::set<int> on;
        for (int l = 0; l < n; ++l) {
          const int side = orientation(at(i), at(j), at(k), at(l));
          above = above || side > 0;
          below = below || side < 0;
          if (side == 0) on.insert(l);
        }
        if (above != below) faces.insert(on);
      }
    }
  }
  return faces;
}

// Points on the hull that a face has: its corners, and those that were left out within it.
std::set<std::set<int>> faces_of(const Points& points, const Cage& hull) {
  std::set<std::set<int>> faces;
  for (const std::vector<int>& face : hull.faces) {
    std::set<int> on;
    for (std::size_t l = 0; l < points.size(); ++l) {
      const auto at = [&](std::size_t k) -> const Vec3<double>& {
        return hull.vertices[static_cast<std::size_t>(face[k])];
      };
      if (orientation(at(0), at(1), at(2), points[l]) == 0) on.insert(static_cast<int>(l));
    }
    faces.insert(on);
  }
  return faces;
}

TEST(ConvexHull, OfSmallSetsIsThatOfBruteForce) {
  for_random_cases(200, [](Random& random) {
    const int n = static_cast<int>(random(4, 14));
    Points points;
    for (int i = 0; i < n; ++i) points.push_back(random.vector<3>(-1, 1));
    const Cage hull = hull_of(points);
    EXPECT_EQ(faces_of(points, hull), faces_by_brute_force(points));
  });
  // On a grid nearly everything is degenerate: points on edges and in faces, and duplicates.
  for_random_cases(300, [](Random& random) {
    const int n = static_cast<int>(random(6, 20));
    Points points;
    for (int i = 0; i < n; ++i) {
      const Vec3<double> p = random.vector<3>(-1.5, 1.5);
      points.emplace_back(std::round(p.x()), std::round(p.y()), std::round(p.z()));
    }
    const auto faces = faces_by_brute_force(points);
    if (faces.size() < 4) {  // in a plane
      EXPECT_FALSE(convex_hull(points));
      return;
    }
    EXPECT_EQ(faces_of(points, hull_of(points)), faces);
  });
}

TEST(ConvexHull, OfACubeLatticeIsACube) {
  for (const int n : {2, 3, 4, 9, 20}) {
    for_random_cases(n < 9 ? 10 : 2, [&](Random& random) {
      const Mat3<double> R = random.rotation();
      const Vec3<double> far = 100 * random.direction();
      Points points = lattice(n), turned, moved;
      for (const Vec3<double>& p : points) {
        turned.push_back(R * p);
        moved.push_back(far + R * p / 3);
      }
      for (const Points& set : {points, turned, moved}) {
        const Cage hull = hull_of(set);
        EXPECT_EQ(hull.vertices.size(), 8U);
        EXPECT_EQ(hull.faces.size(), 6U);
      }
    });
  }
}

TEST(ConvexHull, KeepsAllPointsOfASphere) {
  for_random_cases(5, [](Random& random) {
    Points points;
    for (int i = 0; i < 300; ++i) points.push_back(random.direction());
    const Cage hull = hull_of(points);
    EXPECT_EQ(hull.vertices.size(), points.size());
  });
  // Longitudes and latitudes: four points of a cell lie in a plane.
  Points globe{{0, 0, 1}, {0, 0, -1}};
  for (int i = 1; i < 12; ++i) {
    const double latitude = std::numbers::pi * (i / 12.0 - 0.5);
    for (int j = 0; j < 24; ++j) {
      const double longitude = std::numbers::pi * j / 12;
      globe.emplace_back(std::cos(latitude) * std::cos(longitude),
                         std::cos(latitude) * std::sin(longitude), std::sin(latitude));
    }
  }
  const Cage hull = hull_of(globe);
  EXPECT_EQ(hull.vertices.size(), globe.size());
  EXPECT_EQ(hull.faces.size(), 12U * 24U);
}

// Rounding of all sizes about a lattice: what is flat enough becomes flat, the rest stays valid.
TEST(ConvexHull, IsValidForNearlyDegeneratePoints) {
  for (const double noise : {1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-9, 1e-6}) {
    for_random_cases(5, [&](Random& random) {
      Points points;
      for (const Vec3<double>& p : lattice(7))
        points.push_back(p / 6 + noise * random.vector<3>(-1, 1));
      const Cage hull = hull_of(points);
      if (noise < 1e-14) {
        EXPECT_EQ(hull.vertices.size(), 8U);
      }
    });
    for_random_cases(5, [&](Random& random) {  // clusters of nearly the same point
      Points points;
      for (int i = 0; i < 40; ++i) {
        const Vec3<double> p = random.direction();
        for (int k = 0; k < 5; ++k) points.push_back(p + noise * random.vector<3>(-1, 1));
      }
      const Cage hull = hull_of(points);
      if (noise < 1e-14) {
        EXPECT_EQ(hull.vertices.size(), 40U);
      }
    });
    for_random_cases(5, [&](Random& random) {  // points near the edges of a tetrahedron
      Points points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      for (int i = 0; i < 60; ++i) {
        const auto a = static_cast<std::size_t>(i % 4), b = static_cast<std::size_t>((i + 1) % 4);
        const double t = random(0, 1);
        points.push_back((1 - t) * points[a] + t * points[b] + noise * random.vector<3>(-1, 1));
      }
      hull_of(points);
    });
  }
}

TEST(ConvexHull, DoesNotDependOnTheOrderOfThePoints) {
  for_random_cases(20, [](Random& random) {
    Points points = lattice(4);
    for (int i = 0; i < 30; ++i)
      points.push_back(1.5 * Vec3<double>::Ones() + 3 * random.direction());
    const Cage hull = hull_of(points);
    for (std::size_t i = points.size(); i-- > 1;)
      std::swap(points[i], points[static_cast<std::size_t>(random(0, double(i) + 1))]);
    points.insert(points.end(), points.begin(), points.begin() + 10);  // duplicates
    const Cage other = hull_of(points);
    EXPECT_EQ(other.vertices, hull.vertices);
    EXPECT_EQ(other.faces, hull.faces);
  });
}

TEST(ConvexHull, TurnsWithItsPoints) {
  for_random_cases(50, [](Random& random) {
    Points points, turned;
    const Mat3<double> R = random.rotation();
    for (int i = 0; i < 100; ++i) points.push_back(random.vector<3>(-1, 1));
    for (const Vec3<double>& p : points) turned.push_back(R * p);
    EXPECT_EQ(faces_of(points, hull_of(points)), faces_of(turned, hull_of(turned)));
  });
}

// Scales far from 1, and coordinates that are subnormal: exact arithmetic keeps its range.
TEST(ConvexHull, WorksAtAllScales) {
  for (const double scale : {1e-29, 1e-10, 1.0, 1e10, 1e29}) {
    Points points;
    for (const Vec3<double>& p : lattice(3)) points.push_back(scale * p);
    points.emplace_back(scale, scale, 1e-310);
    EXPECT_EQ(hull_of(points).vertices.size(), 8U);
  }
}

TEST(ConvexHull, RefusesWhatIsNoBody) {
  const auto refusal = [](const Points& points) {
    const auto hull = convex_hull(points);
    EXPECT_FALSE(hull);
    if (hull) return std::string();
    EXPECT_FALSE(hull.error().remedy.empty());
    return hull.error().message;
  };
  const std::string flat = "the points are coplanar, collinear or coincident";
  EXPECT_EQ(refusal({}), "there are 0 points");
  EXPECT_EQ(refusal(Points(100, {1, 2, 3})), flat);
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), flat);
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.4, 0}}), flat);
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-12}, {0.3, 0.4, 0}}), flat);
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, std::nan(""), 1}}),
            "point 3 is not finite or too far away");
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1e200, 0}, {0, 0, 1}}),
            "point 2 is not finite or too far away");
  for_random_cases(20, [&](Random& random) {  // a turned plane
    const Mat3<double> R = random.rotation();
    Points points;
    for (int i = 0; i < 50; ++i)
      points.push_back(R * Vec3<double>(random(-1, 1), random(-1, 1), 0));
    EXPECT_EQ(refusal(points), flat);
  });
}

}  // namespace oloid::test::convex_hull_test
