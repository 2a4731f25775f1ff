// A convex polyhedron: its faces, edges and vertices, how they hang together, and their normals.
//
// Each feature has a normal cone, the outward directions in which it is farthest: of a face its
// normal, of an edge the arc between the normals of its faces, of a vertex the spherical polygon
// whose sides are the arcs of its edges. Together they cover the sphere once. Another body touches
// a feature only along a direction of its cone. docs/theory/surfaces.md eq. S6.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "oloid/base/cage.h"
#include "oloid/base/result.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/measure/solid.h"

namespace oloid::geometry {

// Of a polyhedron: how far from flat a face may be, as a part of its size.
inline constexpr double kFlatness = 1e-9;

class ConvexPolyhedron {
 public:
  // From a closed mesh whose faces are flat and run counter-clockwise seen from outside. Vertices
  // that coincide become one, and faces in one plane become one. Refused with the worst face if it
  // is not convex within the tolerance.
  static Result<ConvexPolyhedron> make(const Cage& cage, double tolerance = kFlatness);
  static Result<ConvexPolyhedron> hull(const std::vector<Vec3<double>>& points,
                                       double tolerance = kFlatness);
  static Result<ConvexPolyhedron> cuboid(const Vec3<double>& size);  // [m], about the origin

  // All vertices lie on the inner side of n·x = offset.
  struct Face {
    Vec3<double> normal;  // unit, outward
    double offset;        // [m]
    int first, count;     // among the corners
  };
  struct Edge {
    std::array<int, 2> vertices;  // face 0 runs from the first to the second, face 1 back
    std::array<int, 2> faces;
    double dihedral_angle;  // [rad], inside the body: less than π
  };
  // Round a vertex, counter-clockwise seen from outside: an edge and the vertex at its other end,
  // and the face between this edge and the next one.
  struct Spoke {
    int vertex, edge, face;
  };

  int faces() const { return static_cast<int>(faces_.size()); }
  int edges() const { return static_cast<int>(edges_.size()); }
  int vertices() const { return static_cast<int>(vertices_.size()); }
  const Face& face(int i) const { return faces_[static_cast<std::size_t>(i)]; }
  const Edge& edge(int i) const { return edges_[static_cast<std::size_t>(i)]; }
  const Vec3<double>& vertex(int i) const { return vertices_[static_cast<std::size_t>(i)]; }
  // Vertices of a face, counter-clockwise seen from outside.
  std::span<const int> corners(int face) const;
  // Edges of a face: entry i runs from corner i to the next.
  std::span<const int> sides(int face) const;
  std::span<const Spoke> around(int vertex) const;

  // How far outside a point lies, by the plane that is exceeded most: negative inside. [m]
  double height(const Vec3<double>& p) const;

  Solid solid() const;
  Box box() const;
  double bounding_radius() const;  // [m], about the origin
  double size() const { return size_; }

 private:
  std::optional<Error> set_planes(const Cage& cage, double distance);
  std::optional<Error> set_edges(const Cage& cage, double distance);
  std::optional<Error> set_spokes();
  std::optional<Error> check_convex(const Cage& cage, double distance) const;

  std::vector<Vec3<double>> vertices_;  // [m]
  std::vector<Face> faces_;
  std::vector<int> corners_, sides_;  // of all faces, one after the other
  std::vector<Edge> edges_;
  std::vector<Spoke> spokes_;     // of all vertices, one after the other
  std::vector<int> first_spoke_;  // of each vertex, and their number
  double size_ = 0;               // [m], the largest extent
};

}  // namespace oloid::geometry
