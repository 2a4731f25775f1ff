// One level of a mesh under subdivision, and the step to the next: Catmull-Clark and Loop with
// boundaries and creases as OpenSubdiv defines them (edges and corners of the boundary are kept).
//
// A mesh may be a part of the whole that has been cut out: only vertices with all their faces are
// refined, so what is left after a step is exact. Points carry twice the digits of a double, so
// that second differences of a patch of 1e-6 are still good.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "oloid/base/cage.h"
#include "oloid/geometry/core/jet.h"

namespace oloid::geometry {

enum class SubdivisionScheme { catmull_clark, loop };

namespace subdivision {

// hi + lo, not evaluated: 106 bits (Dekker 1971).
struct Twofold {
  double hi = 0, lo = 0;
};
struct Point {
  std::array<Twofold, 3> x;

  Point() = default;
  explicit Point(const Vec3<double>& p);
  Vec3<double> rounded() const { return {x[0].hi, x[1].hi, x[2].hi}; }
  Vec3<double> relative_to(const Vec3<double>& origin) const;
};
Point operator+(const Point& a, const Point& b);
Point operator-(const Point& a, const Point& b);
Point operator*(double w, const Point& a);

// How a face came about, and where in its cage face it lies.
struct Origin {
  int face = -1;          // of the cage
  int corner = -1;        // of a face that is no quadrangle (triangle): which of its parts
  std::vector<int> path;  // which part, level by level
  // (u, v) of the cage face, or of the part of it, from that of this one: at + turn (u, v).
  Uv<double> at = Uv<double>::Zero();
  Mat2<double> turn = Mat2<double>::Identity();
};

struct Edge {
  int a = -1, b = -1;                // vertices
  std::array<int, 2> faces{-1, -1};  // the one that runs from a to b first
  double sharpness = 0;
  bool boundary = false;  // of the whole surface, not only of this part of it
  int id = -1;            // the same edge everywhere, see EdgeTree
};

struct Face {
  std::vector<int> vertices;  // counter-clockwise
  std::vector<int> edges;     // edges[i] from vertices[i] to vertices[i + 1]
  Origin origin;
  bool active = true;  // to be made into patches; else there for its neighbours' sake
  int centre = -1;     // the irregular vertex it surrounds, by a number of the caller's
  int last_level = 0;  // of the refinement towards it

  int size() const { return static_cast<int>(vertices.size()); }
  int vertex(int i) const { return vertices[wrapped(i)]; }
  int edge(int i) const { return edges[wrapped(i)]; }
  int corner_of(int vertex) const;

 private:
  std::size_t wrapped(int i) const { return static_cast<std::size_t>((i + size()) % size()); }
};

// Faces and edges around a vertex, counter-clockwise: faces[i] lies between edges[i] and
// edges[i + 1]. Closed: as many edges as faces.
struct Ring {
  int vertex = -1;
  std::vector<int> faces, edges;
  bool closed = false;
  bool complete = false;  // nothing has been cut off

  int valence() const { return static_cast<int>(faces.size()); }
};

// The edges of all levels: halves of an edge know the whole.
struct EdgeTree {
  struct Node {
    int parent = -1;
    bool second = false;  // from the middle of the parent to its b
  };
  std::vector<Node> nodes;

  int add(int parent = -1, bool second = false) {
    nodes.push_back({parent, second});
    return static_cast<int>(nodes.size()) - 1;
  }
};

struct Mesh {
  SubdivisionScheme scheme{};
  int level = 0;
  std::vector<Point> points;
  std::vector<int> centre;                  // per vertex: as for faces
  std::vector<int> cage_vertex, cage_face;  // per vertex: the one it came from, or -1
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<std::vector<int>> faces_at;  // per vertex, in no order

  const Face& face(int i) const { return faces[static_cast<std::size_t>(i)]; }
  const Edge& edge(int i) const { return edges[static_cast<std::size_t>(i)]; }
  const Point& point(int i) const { return points[static_cast<std::size_t>(i)]; }
  int other_end(int e, int vertex) const { return edge(e).a == vertex ? edge(e).b : edge(e).a; }
  int across(int e, int from_face) const {
    const auto& f = edge(e).faces;
    return f[0] == from_face ? f[1] : f[0];
  }
  bool sharp_for_ever(int e) const;
  bool settled(int e) const;  // smooth or sharp for ever
  Ring ring(int vertex) const;
};

// Of a cage that has been checked.
Mesh mesh_of(const Cage& cage, SubdivisionScheme scheme, EdgeTree& tree);

// All children whose position can be known.
Mesh refined(const Mesh& mesh, EdgeTree& tree);

// Only active faces and those that share a vertex with one.
Mesh pruned(const Mesh& mesh);

enum class Rule { smooth, dart, crease, corner };
// For edges that are all settled.
Rule rule_at(const Mesh& mesh, const Ring& ring);

// The part of a ring between sharp edges that holds a face; the whole ring if there are none.
struct Sector {
  std::vector<int> faces, edges;  // as in Ring
  bool closed = false;

  int valence() const { return static_cast<int>(faces.size()); }
};
Sector sector_of(const Mesh& mesh, const Ring& ring, int face);

// The control points of a sector for the masks: at the ends of the edges, and opposite corners.
struct SectorPoints {
  Point centre;
  std::vector<Point> edges, faces;
};
SectorPoints points_of(const Mesh& mesh, int vertex, const Sector& sector);

}  // namespace subdivision
}  // namespace oloid::geometry
