#include "oloid/geometry/subdivision/subdivision_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/base/contract.h"
#include "oloid/base/index.h"

namespace oloid::geometry::subdivision {
namespace {

Twofold two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
Twofold renormalised(double a, double b) {  // |a| ≥ |b|
  const double s = a + b;
  return {s, b - (s - a)};
}
Twofold operator+(const Twofold& a, const Twofold& b) {
  const Twofold s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
  const Twofold r = renormalised(s.hi, s.lo + t.hi);
  return renormalised(r.hi, r.lo + t.lo);
}
Twofold operator*(double w, const Twofold& a) {
  const double p = w * a.hi;
  return renormalised(p, std::fma(w, a.hi, -p) + w * a.lo);
}

}  // namespace

Point::Point(const Vec3<double>& p) : x{{{p.x(), 0}, {p.y(), 0}, {p.z(), 0}}} {}

Vec3<double> Point::relative_to(const Vec3<double>& origin) const {
  return (*this - Point(origin)).rounded();
}

Point operator+(const Point& a, const Point& b) {
  Point r;
  for (std::size_t i = 0; i < 3; ++i) r.x[i] = a.x[i] + b.x[i];
  return r;
}
Point operator-(const Point& a, const Point& b) { return a + -1.0 * b; }
Point operator*(double w, const Point& a) {
  Point r;
  for (std::size_t i = 0; i < 3; ++i) r.x[i] = w * a.x[i];
  return r;
}

namespace {

double next_sharpness(double s) { return s == kInfinity ? s : s > 1 ? s - 1 : 0; }

void connect(Mesh& mesh) {
  for (Edge& edge : mesh.edges) edge.faces = {-1, -1};
  mesh.faces_at.assign(mesh.points.size(), {});
  for (int f = 0; f < static_cast<int>(mesh.faces.size()); ++f) {
    const Face& face = mesh.face(f);
    for (int i = 0; i < face.size(); ++i) {
      Edge& edge = mesh.edges[at(face.edge(i))];
      edge.faces[edge.a == face.vertex(i) ? 0 : 1] = f;
      mesh.faces_at[at(face.vertex(i))].push_back(f);
    }
  }
}

// Which edges of a ring are sharp, and what that makes of the vertex.
struct VertexRule {
  Rule rule;
  std::array<int, 2> ends{-1, -1};  // of a crease: the edges
};
template <class Sharpness>
VertexRule vertex_rule(const Ring& ring, const Sharpness& sharpness) {
  VertexRule result{Rule::smooth};
  int sharp = 0;
  for (int e : ring.edges) {
    if (!(sharpness(e) > 0)) continue;
    if (sharp < 2) result.ends[at(sharp)] = e;
    ++sharp;
  }
  const bool corner_of_boundary = !ring.closed && ring.valence() == 1;
  result.rule = sharp > 2 || corner_of_boundary ? Rule::corner
                : sharp == 2                    ? Rule::crease
                : sharp == 1                    ? Rule::dart
                                                : Rule::smooth;
  return result;
}

// The smooth rule's weight of each neighbour [Loop87].
double loop_weight(int valence) {
  if (valence == 6) return 0.0625;  // exact, as the box spline needs it
  const double c = 0.375 + 0.25 * std::cos(2 * std::numbers::pi / valence);
  return (0.625 - c * c) / valence;
}

// All rules are written as differences: weights that are not exact cannot move the surface.
class Refinement {
 public:
  Refinement(const Mesh& mesh, EdgeTree& tree) : mesh_(mesh), tree_(tree) {}

  Mesh run() {
    next_.scheme = mesh_.scheme;
    next_.level = mesh_.level + 1;
    place_face_points();
    place_edge_points();
    place_vertex_points();
    split_edges();
    make_children();
    connect(next_);
    return std::move(next_);
  }

 private:
  bool quads() const { return mesh_.scheme == SubdivisionScheme::catmull_clark; }

  int add_point(const Point& p, int cage_vertex = -1, int cage_face = -1, int centre = -1) {
    next_.points.push_back(p);
    next_.cage_vertex.push_back(cage_vertex);
    next_.cage_face.push_back(cage_face);
    next_.centre.push_back(centre);
    return static_cast<int>(next_.points.size()) - 1;
  }

  void place_face_points() {
    if (!quads()) return;
    for (const Face& face : mesh_.faces) {
      const Point& first = mesh_.point(face.vertices[0]);
      Point sum;
      for (int v : face.vertices) sum = sum + (mesh_.point(v) - first);
      const int special = mesh_.level == 0 && face.size() != 4 ? face.origin.face : -1;
      face_point_.push_back(add_point(first + (1.0 / face.size()) * sum, -1, special));
    }
  }

  // Edges with a face missing have no point.
  void place_edge_points() {
    for (const Edge& edge : mesh_.edges) {
      const bool both = edge.faces[0] >= 0 && edge.faces[1] >= 0;
      const bool one = edge.faces[0] >= 0 || edge.faces[1] >= 0;
      if (!both && !(one && edge.boundary)) {
        edge_point_.push_back(-1);
        continue;
      }
      const Point& a = mesh_.point(edge.a);
      const Point& b = mesh_.point(edge.b);
      Point p = a + 0.5 * (b - a);
      if (both && edge.sharpness < 1) {
        Point far[2];
        for (std::size_t k = 0; k < 2; ++k) far[k] = far_point(edge.faces[k], edge);
        const double w = quads() ? 0.25 : 0.125;
        const Point smooth = p + w * ((far[0] - p) + (far[1] - p));
        p = edge.sharpness > 0 ? smooth + edge.sharpness * (p - smooth) : smooth;
      }
      edge_point_.push_back(add_point(p));
    }
  }
  // What a face adds to the point of its edge: its own point, or its opposite corner.
  Point far_point(int f, const Edge& edge) const {
    if (quads()) return next_.points[at(face_point_[at(f)])];
    for (int v : mesh_.face(f).vertices)
      if (v != edge.a && v != edge.b) return mesh_.point(v);
    return {};
  }

  void place_vertex_points() {
    for (int v = 0; v < static_cast<int>(mesh_.points.size()); ++v) {
      const Ring ring = mesh_.ring(v);
      vertex_point_.push_back(ring.complete
                                  ? add_point(vertex_point(ring), mesh_.cage_vertex[at(v)],
                                              mesh_.cage_face[at(v)], mesh_.centre[at(v)])
                                  : -1);
    }
  }
  // Where sharpness runs out between two rules, both are blended.
  Point vertex_point(const Ring& ring) const {
    const auto now = [&](int e) { return mesh_.edge(e).sharpness; };
    const auto then = [&](int e) { return next_sharpness(mesh_.edge(e).sharpness); };
    const VertexRule before = vertex_rule(ring, now);
    const Point p = by_rule(ring, before);
    if (before.rule == Rule::smooth || before.rule == Rule::dart) return p;
    const VertexRule after = vertex_rule(ring, then);
    if (after.rule == before.rule) return p;
    double sum = 0;
    int count = 0;
    for (int e : ring.edges) {
      if (!(now(e) > 0) || then(e) > 0) continue;
      sum += now(e);
      ++count;
    }
    const double weight = std::min(1.0, sum / count);
    const Point q = by_rule(ring, after);
    return q + weight * (p - q);
  }
  Point by_rule(const Ring& ring, const VertexRule& rule) const {
    const Point& p = mesh_.point(ring.vertex);
    Point sum;
    if (rule.rule == Rule::corner) return p;
    if (rule.rule == Rule::crease) {
      for (int e : rule.ends) sum = sum + (mesh_.point(mesh_.other_end(e, ring.vertex)) - p);
      return p + 0.125 * sum;
    }
    for (int e : ring.edges) sum = sum + (mesh_.point(mesh_.other_end(e, ring.vertex)) - p);
    const int n = ring.valence();
    if (!quads()) return p + loop_weight(n) * sum;
    for (int f : ring.faces) sum = sum + (next_.points[at(face_point_[at(f)])] - p);
    return p + (1.0 / (n * n)) * sum;
  }

  // Children 2 e and 2 e + 1 of edge e; some will have no face and no end.
  void split_edges() {
    for (std::size_t e = 0; e < mesh_.edges.size(); ++e) {
      const Edge& edge = mesh_.edges[e];
      const double s = next_sharpness(edge.sharpness);
      const bool known = edge_point_[e] >= 0;
      for (int half = 0; half < 2; ++half) {
        const int end = vertex_point_[at(half == 0 ? edge.a : edge.b)];
        Edge child{half == 0 ? end : edge_point_[e], half == 0 ? edge_point_[e] : end};
        child.sharpness = s;
        child.boundary = edge.boundary;
        if (known && end >= 0) child.id = tree_.add(edge.id, half == 1);
        next_.edges.push_back(child);
      }
    }
  }
  int half_at(int e, int vertex) const { return 2 * e + (mesh_.edge(e).a == vertex ? 0 : 1); }
  int inner_edge(int a, int b) {
    Edge edge{a, b};
    edge.id = tree_.add();
    next_.edges.push_back(edge);
    return static_cast<int>(next_.edges.size()) - 1;
  }

  void make_children() {
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      if (quads()) {
        make_quads(mesh_.faces[f], face_point_[f]);
      } else {
        make_triangles(mesh_.faces[f]);
      }
    }
  }
  Face child_of(const Face& parent, int part) const {
    Face child;
    child.origin = parent.origin;
    child.origin.path.push_back(part);
    child.active = parent.active;
    child.centre = parent.centre;
    child.last_level = parent.last_level;
    return child;
  }
  static void turn(Origin& origin, const Uv<double>& from, const Uv<double>& along_u,
                   const Uv<double>& along_v) {
    Mat2<double> M;
    M << along_u, along_v;
    origin.at += origin.turn * from;
    origin.turn = origin.turn * M;
  }

  // Child i: corner i, the point of edge i, the face's, the point of edge i − 1.
  void make_quads(const Face& face, int middle) {
    const Uv<double> corners[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int n = face.size();
    std::vector<int> spokes;  // from the point of edge i to the middle
    for (int i = 0; i < n; ++i) {
      const int p = edge_point_[at(face.edge(i))];
      spokes.push_back(p < 0 ? -1 : inner_edge(p, middle));
    }
    for (int i = 0; i < n; ++i) {
      const int v = face.vertex(i), before = (i + n - 1) % n;
      if (vertex_point_[at(v)] < 0) continue;
      Face child = child_of(face, i);
      child.vertices = {vertex_point_[at(v)], edge_point_[at(face.edge(i))], middle,
                        edge_point_[at(face.edge(before))]};
      child.edges = {half_at(face.edge(i), v), spokes[at(i)], spokes[at(before)],
                     half_at(face.edge(before), v)};
      if (n == 4) {
        const Uv<double>& c = corners[i];
        turn(child.origin, c, 0.5 * (corners[(i + 1) % 4] - c), 0.5 * (corners[before] - c));
      } else {
        child.origin.corner = i;
      }
      next_.faces.push_back(std::move(child));
    }
  }

  // Child i < 3: corner i, the points of edges i and i − 1; child 3: the points of edges 0, 1, 2.
  void make_triangles(const Face& face) {
    const Uv<double> corners[3] = {{0, 0}, {1, 0}, {0, 1}};
    std::array<int, 3> p{}, cuts{};  // cuts[i]: from the point of edge i to that of edge i − 1
    bool all = true;
    for (int i = 0; i < 3; ++i) {
      p[at(i)] = edge_point_[at(face.edge(i))];
      all = all && p[at(i)] >= 0;
    }
    for (int i = 0; i < 3; ++i) {
      const int v = face.vertex(i), before = (i + 2) % 3;
      const bool known = vertex_point_[at(v)] >= 0;
      cuts[at(i)] = known || all ? inner_edge(p[at(i)], p[at(before)]) : -1;
      if (!known) continue;
      Face child = child_of(face, i);
      child.vertices = {vertex_point_[at(v)], p[at(i)], p[at(before)]};
      child.edges = {half_at(face.edge(i), v), cuts[at(i)], half_at(face.edge(before), v)};
      const Uv<double>& c = corners[i];
      turn(child.origin, c, 0.5 * (corners[(i + 1) % 3] - c), 0.5 * (corners[before] - c));
      next_.faces.push_back(std::move(child));
    }
    if (!all) return;
    Face child = child_of(face, 3);
    child.vertices = {p[0], p[1], p[2]};
    child.edges = {cuts[1], cuts[2], cuts[0]};
    turn(child.origin, {0.5, 0}, {0, 0.5}, {-0.5, 0.5});
    next_.faces.push_back(std::move(child));
  }

  const Mesh& mesh_;
  EdgeTree& tree_;
  Mesh next_;
  std::vector<int> face_point_, edge_point_, vertex_point_;  // in next_; -1: not known
};

}  // namespace

int Face::corner_of(int vertex) const {
  return static_cast<int>(std::find(vertices.begin(), vertices.end(), vertex) - vertices.begin());
}

bool Mesh::sharp_for_ever(int e) const { return edge(e).sharpness == kInfinity; }
bool Mesh::settled(int e) const { return edge(e).sharpness == 0 || sharp_for_ever(e); }

Ring Mesh::ring(int vertex) const {
  Ring ring;
  ring.vertex = vertex;
  const std::vector<int>& around = faces_at[at(vertex)];
  if (around.empty()) return ring;
  // A face at a vertex lies between the edge that leaves and, counter-clockwise, the one that
  // arrives.
  const auto leaving = [&](int f) { return face(f).edge(face(f).corner_of(vertex)); };
  const auto arriving = [&](int f) { return face(f).edge(face(f).corner_of(vertex) - 1); };
  int start = around[0];
  for (int f : around)
    if (across(leaving(f), f) < 0) start = f;
  int f = start;
  do {
    ring.faces.push_back(f);
    ring.edges.push_back(leaving(f));
    const int e = arriving(f);
    f = across(e, f);
    if (f < 0) ring.edges.push_back(e);
  } while (f >= 0 && f != start);
  ring.closed = f == start;
  ring.complete =
      ring.faces.size() == around.size() &&
      (ring.closed || (edge(ring.edges.front()).boundary && edge(ring.edges.back()).boundary));
  return ring;
}

Mesh mesh_of(const Cage& cage, SubdivisionScheme scheme, EdgeTree& tree) {
  Mesh mesh;
  mesh.scheme = scheme;
  for (std::size_t v = 0; v < cage.vertices.size(); ++v) {
    mesh.points.emplace_back(cage.vertices[v]);
    mesh.cage_vertex.push_back(static_cast<int>(v));
  }
  mesh.centre.assign(cage.vertices.size(), -1);
  mesh.cage_face.assign(cage.vertices.size(), -1);
  std::map<std::pair<int, int>, int> known;
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    Face face;
    face.vertices = cage.faces[f];
    face.origin.face = static_cast<int>(f);
    for (int i = 0; i < face.size(); ++i) {
      const int a = face.vertex(i), b = face.vertex(i + 1);
      const auto [it, fresh] =
          known.try_emplace(std::minmax(a, b), static_cast<int>(mesh.edges.size()));
      if (fresh) {
        Edge edge{a, b};
        edge.id = tree.add();
        mesh.edges.push_back(edge);
      }
      face.edges.push_back(it->second);
    }
    mesh.faces.push_back(std::move(face));
  }
  for (const Crease& crease : cage.creases) {
    Edge& edge = mesh.edges[at(known.at(std::minmax(crease.a, crease.b)))];
    edge.sharpness = crease.sharpness;
    if (crease.sharpness >= 10) edge.sharpness = kInfinity;
  }
  connect(mesh);
  for (Edge& edge : mesh.edges) {
    edge.boundary = edge.faces[0] < 0 || edge.faces[1] < 0;
    if (edge.boundary) edge.sharpness = kInfinity;
  }
  return mesh;
}

Mesh refined(const Mesh& mesh, EdgeTree& tree) { return Refinement(mesh, tree).run(); }

Mesh pruned(const Mesh& mesh) {
  std::vector<bool> wanted(mesh.points.size(), false);
  for (const Face& face : mesh.faces) {
    if (!face.active) continue;
    for (int v : face.vertices) wanted[at(v)] = true;
  }
  Mesh part;
  part.scheme = mesh.scheme;
  part.level = mesh.level;
  std::vector<int> vertex(mesh.points.size(), -1), edge(mesh.edges.size(), -1);
  for (const Face& face : mesh.faces) {
    if (std::none_of(face.vertices.begin(), face.vertices.end(),
                     [&](int v) { return wanted[at(v)]; }))
      continue;
    Face copy = face;
    for (int& v : copy.vertices) {
      int& to = vertex[at(v)];
      if (to < 0) {
        to = static_cast<int>(part.points.size());
        part.points.push_back(mesh.point(v));
        part.centre.push_back(mesh.centre[at(v)]);
        part.cage_vertex.push_back(mesh.cage_vertex[at(v)]);
        part.cage_face.push_back(mesh.cage_face[at(v)]);
      }
      v = to;
    }
    for (int& e : copy.edges) {
      int& to = edge[at(e)];
      if (to < 0) {
        to = static_cast<int>(part.edges.size());
        Edge moved = mesh.edge(e);
        moved.a = moved.b = -1;
        part.edges.push_back(moved);
      }
      e = to;
    }
    part.faces.push_back(std::move(copy));
  }
  for (std::size_t e = 0; e < edge.size(); ++e) {
    if (edge[e] < 0) continue;
    part.edges[at(edge[e])].a = vertex[at(mesh.edges[e].a)];
    part.edges[at(edge[e])].b = vertex[at(mesh.edges[e].b)];
  }
  connect(part);
  return part;
}

Rule rule_at(const Mesh& mesh, const Ring& ring) {
  return vertex_rule(ring, [&](int e) { return mesh.edge(e).sharpness; }).rule;
}

Sector sector_of(const Mesh& mesh, const Ring& ring, int face) {
  const int n = ring.valence();
  const auto edge = [&](int i) { return ring.edges[at(i) % ring.edges.size()]; };
  int first =
      static_cast<int>(std::find(ring.faces.begin(), ring.faces.end(), face) - ring.faces.begin());
  int steps = 0;  // clockwise to a sharp edge, or once around
  while (!mesh.sharp_for_ever(edge(first)) && (ring.closed ? steps < n : first > 0)) {
    first = (first + n - 1) % n;
    ++steps;
  }
  Sector sector;
  sector.closed = !mesh.sharp_for_ever(edge(first)) && ring.closed;
  int i = first;
  do {
    sector.faces.push_back(ring.faces[at(i)]);
    sector.edges.push_back(edge(i));
    if (!ring.closed && i + 1 == n) {
      sector.edges.push_back(edge(n));
      break;
    }
    i = (i + 1) % n;
    if (mesh.sharp_for_ever(edge(i))) {
      sector.edges.push_back(edge(i));
      break;
    }
  } while (i != first);
  return sector;
}

SectorPoints points_of(const Mesh& mesh, int vertex, const Sector& sector) {
  SectorPoints points{mesh.point(vertex), {}, {}};
  for (int e : sector.edges) points.edges.push_back(mesh.point(mesh.other_end(e, vertex)));
  if (mesh.scheme == SubdivisionScheme::loop) return points;
  for (int f : sector.faces) {
    const Face& face = mesh.face(f);
    points.faces.push_back(mesh.point(face.vertex(face.corner_of(vertex) + 2)));
  }
  return points;
}

}  // namespace oloid::geometry::subdivision
