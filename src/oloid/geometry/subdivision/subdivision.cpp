#include "oloid/geometry/subdivision/subdivision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/base/index.h"
#include "oloid/geometry/measure/surface_integral.h"

namespace oloid::geometry {
namespace {

using subdivision::Edge;
using subdivision::EdgeTree;
using subdivision::Face;
using subdivision::Mesh;
using subdivision::Origin;
using subdivision::Point;
using subdivision::Ring;
using subdivision::Rule;
using subdivision::Sector;

// --- the cage ------------------------------------------------------------------------------------

std::optional<Error> check_faces(const Cage& cage, SubdivisionScheme scheme) {
  const int count = static_cast<int>(cage.vertices.size());
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    const std::vector<int>& face = cage.faces[f];
    if (face.size() < 3) {
      return Error{
          {}, fmt::format("face {} has {} vertices", f, face.size()), "a face has at least 3"};
    }
    if (scheme == SubdivisionScheme::loop && face.size() != 3) {
      return Error{{},
                   fmt::format("face {} has {} vertices", f, face.size()),
                   "Loop subdivision needs triangles: divide it, or use Catmull-Clark"};
    }
    std::set<int> seen;
    for (int v : face) {
      if (v < 0 || v >= count) {
        return Error{
            {},
            fmt::format("face {} refers to vertex {}", f, v),
            count == 0 ? "there are no vertices" : fmt::format("vertices are 0 to {}", count - 1)};
      }
      if (!seen.insert(v).second) {
        return Error{{},
                     fmt::format("face {} contains vertex {} twice", f, v),
                     "list each vertex of a face once"};
      }
    }
  }
  return std::nullopt;
}

std::optional<Error> check_edges(const Cage& cage) {
  std::map<std::pair<int, int>, std::vector<std::size_t>> faces_along;  // by directed edge
  for (std::size_t f = 0; f < cage.faces.size(); ++f) {
    const std::vector<int>& face = cage.faces[f];
    for (std::size_t i = 0; i < face.size(); ++i)
      faces_along[{face[i], face[(i + 1) % face.size()]}].push_back(f);
  }
  for (const auto& [edge, there] : faces_along) {
    const auto [a, b] = edge;
    const auto back = faces_along.find({b, a});
    const std::size_t all = there.size() + (back == faces_along.end() ? 0 : back->second.size());
    if (all > 2) {
      std::size_t third = there.back();
      if (back != faces_along.end()) third = std::max(third, back->second.back());
      return Error{{},
                   fmt::format("{} faces share the edge {}-{}; face {} is one too many", all,
                               std::min(a, b), std::max(a, b), third),
                   "at most two faces may meet along an edge"};
    }
    if (there.size() == 2) {
      return Error{
          {},
          fmt::format("faces {} and {} both run from vertex {} to {}", there[0], there[1], a, b),
          "flip one of them: reverse the order of its vertices"};
    }
  }
  std::set<std::pair<int, int>> creased;
  for (std::size_t c = 0; c < cage.creases.size(); ++c) {
    const auto& [a, b, sharpness] = cage.creases[c];
    if (faces_along.count({a, b}) + faces_along.count({b, a}) == 0) {
      return Error{
          {},
          fmt::format("crease {} runs from vertex {} to {}, which is not an edge", c, a, b),
          "a crease must join two neighbouring vertices of a face"};
    }
    if (!(sharpness >= 0)) {
      return Error{{},
                   fmt::format("crease {} (edge {}-{}) has sharpness {}", c, a, b, sharpness),
                   "use 0 for a smooth edge, larger values for sharper edges, inf for a sharp one"};
    }
    if (!creased.insert(std::minmax(a, b)).second) {
      return Error{{},
                   fmt::format("the crease on edge {}-{} is given twice", a, b),
                   "specify one sharpness per edge"};
    }
  }
  return std::nullopt;
}

std::optional<Error> check_vertices(const Cage& cage, SubdivisionScheme scheme) {
  EdgeTree tree;
  const Mesh mesh = subdivision::mesh_of(cage, scheme, tree);
  for (int v = 0; v < static_cast<int>(cage.vertices.size()); ++v) {
    const std::vector<int>& around = mesh.faces_at[at(v)];
    if (around.empty()) {
      return Error{{}, fmt::format("vertex {} belongs to no face", v), "remove it"};
    }
    constexpr std::size_t kMostAround = 48;
    if (around.size() > kMostAround) {
      return Error{
          {},
          fmt::format("{} faces meet at vertex {}", around.size(), v),
          fmt::format("at most {} are allowed: divide them into rings around it", kMostAround)};
    }
    const Ring ring = mesh.ring(v);
    if (!ring.complete) {
      int other = around[0];
      for (int f : around)
        if (std::find(ring.faces.begin(), ring.faces.end(), f) == ring.faces.end()) other = f;
      return Error{{},
                   fmt::format("faces {} and {} meet only at vertex {}", ring.faces[0], other, v),
                   "use separate vertices there, or join the faces along an edge"};
    }
    if (ring.closed && ring.valence() == 2) {
      return Error{
          {},
          fmt::format("faces {} and {} are the only ones around vertex {}", ring.faces[0],
                      ring.faces[1], v),
          "at an interior vertex three or more faces must meet; remove the vertex from both"};
    }
  }
  return std::nullopt;
}

// --- regular faces -------------------------------------------------------------------------------

// The net of a regular quadrangle: P[1..2][1..2] are its corners.
using Grid = std::array<std::array<Point, 4>, 4>;

Grid quad_net(const Mesh& mesh, int f) {
  constexpr int kAt[4][2] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
  constexpr int kOut[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};  // beyond each side
  Grid P;
  const auto put = [&](int i, int j, int vertex) { P[at(i)][at(j)] = mesh.point(vertex); };
  const Face& face = mesh.face(f);
  for (int k = 0; k < 4; ++k) {
    const auto [i, j] = kAt[k];
    const int next = (k + 1) % 4, last = (k + 3) % 4;
    put(i, j, face.vertex(k));
    if (mesh.sharp_for_ever(face.edge(k))) continue;
    const int g = mesh.across(face.edge(k), f);
    const Face& beyond = mesh.face(g);
    const int c = beyond.corner_of(face.vertex(k));  // its next two corners lie outside
    put(i + kOut[k][0], j + kOut[k][1], beyond.vertex(c + 1));
    put(kAt[next][0] + kOut[k][0], kAt[next][1] + kOut[k][1], beyond.vertex(c + 2));
    if (mesh.sharp_for_ever(face.edge(last))) continue;
    const Face& diagonal = mesh.face(mesh.across(beyond.edge(c), g));
    put(i + kOut[k][0] + kOut[last][0], j + kOut[k][1] + kOut[last][1],
        diagonal.vertex(diagonal.corner_of(face.vertex(k)) + 2));
  }
  // Beyond sharp sides, mirrored: first along u, then along v, which also fills the corners.
  const auto mirrored = [](const Point& on, const Point& inside) { return on + (on - inside); };
  for (std::size_t j = 0; j < 4; ++j) {
    if (mesh.sharp_for_ever(face.edge(3))) P[0][j] = mirrored(P[1][j], P[2][j]);
    if (mesh.sharp_for_ever(face.edge(1))) P[3][j] = mirrored(P[2][j], P[1][j]);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    if (mesh.sharp_for_ever(face.edge(0))) P[i][0] = mirrored(P[i][1], P[i][2]);
    if (mesh.sharp_for_ever(face.edge(2))) P[i][3] = mirrored(P[i][2], P[i][1]);
  }
  return P;
}

// Uniform cubic B-spline to Bezier, 6 times.
constexpr double kSpline[4][4] = {{1, 4, 1, 0}, {0, 4, 2, 0}, {0, 2, 4, 0}, {0, 1, 4, 1}};

Patch quad_patch(const Mesh& mesh, int f, const Vec3<double>& origin) {
  const Grid P = quad_net(mesh, f);
  Grid rows;
  BicubicPatch::Net net;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k)
        if (kSpline[i][k] != 0) rows[i][j] = rows[i][j] + kSpline[i][k] * P[k][j];
    }
    for (std::size_t j = 0; j < 4; ++j) {
      Point sum;  // 36 times the point; differences from the first keep the origin's digits
      for (std::size_t k = 0; k < 4; ++k)
        if (kSpline[j][k] != 0) sum = sum + kSpline[j][k] * (rows[i][k] - 6.0 * Point(origin));
      net[i][j] = sum.rounded() / 36;
    }
  }
  return BicubicPatch(net);
}

// The six points around a corner of a regular triangle, counter-clockwise from its next corner.
std::array<Point, 6> triangle_ring(const Mesh& mesh, int f, int corner) {
  const Face& face = mesh.face(f);
  const int v = face.vertex(corner);
  const Point& p = mesh.point(v);
  const Sector sector = subdivision::sector_of(mesh, mesh.ring(v), f);
  std::vector<Point> q = subdivision::points_of(mesh, v, sector).edges;
  if (sector.valence() == 1) {
    q = {q[0], q[1], p + (q[1] - q[0]), p + (p - q[0]), p + (p - q[1]), p + (q[0] - q[1])};
  } else if (!sector.closed) {
    const Point after = p + (q[3] - q[2]), before = p + (q[0] - q[1]);
    q.push_back(after);
    q.push_back(before);
  }
  const auto first = std::find(sector.faces.begin(), sector.faces.end(), f) - sector.faces.begin();
  std::array<Point, 6> ring;
  for (std::size_t i = 0; i < 6; ++i) ring[i] = q[(static_cast<std::size_t>(first) + i) % 6];
  return ring;
}

// Control points of the box spline over a triangle, on the lattice where its corners are (0, 0),
// (1, 0) and (0, 1), and 24 times the weights that give its quartic Bezier points, row by row.
constexpr int kLattice[12][2] = {{0, 0},  {1, 0},  {0, 1},  {1, -1}, {1, 1}, {-1, 1},
                                 {-1, 0}, {0, -1}, {2, -1}, {2, 0},  {0, 2}, {-1, 2}};
constexpr double kBoxSpline[15][12] = {{12, 2, 2, 2, 0, 2, 2, 2, 0, 0, 0, 0},   // (0, 0)
                                       {12, 4, 3, 3, 0, 1, 0, 1, 0, 0, 0, 0},   // (1, 0)
                                       {8, 8, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0},    // (2, 0)
                                       {4, 12, 3, 3, 1, 0, 0, 0, 1, 0, 0, 0},   // (3, 0)
                                       {2, 12, 2, 2, 2, 0, 0, 0, 2, 2, 0, 0},   // (4, 0)
                                       {12, 3, 4, 1, 0, 3, 1, 0, 0, 0, 0, 0},   // (0, 1)
                                       {10, 6, 6, 1, 0, 1, 0, 0, 0, 0, 0, 0},   // (1, 1)
                                       {6, 10, 6, 1, 1, 0, 0, 0, 0, 0, 0, 0},   // (2, 1)
                                       {3, 12, 4, 1, 3, 0, 0, 0, 0, 1, 0, 0},   // (3, 1)
                                       {8, 4, 8, 0, 0, 4, 0, 0, 0, 0, 0, 0},    // (0, 2)
                                       {6, 6, 10, 0, 1, 1, 0, 0, 0, 0, 0, 0},   // (1, 2)
                                       {4, 8, 8, 0, 4, 0, 0, 0, 0, 0, 0, 0},    // (2, 2)
                                       {4, 3, 12, 0, 1, 3, 0, 0, 0, 0, 0, 1},   // (0, 3)
                                       {3, 4, 12, 0, 3, 1, 0, 0, 0, 0, 1, 0},   // (1, 3)
                                       {2, 2, 12, 0, 2, 2, 0, 0, 0, 0, 2, 2}};  // (0, 4)

Patch triangle_patch(const Mesh& mesh, int f, const Vec3<double>& origin) {
  constexpr int kCorner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  constexpr int kStep[6][2] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};
  Grid lattice;  // shifted by 1
  for (int k = 0; k < 3; ++k) {
    const auto [x, y] = kCorner[k];
    lattice[at(x + 1)][at(y + 1)] = mesh.point(mesh.face(f).vertex(k)) - Point(origin);
    const std::array<Point, 6> ring = triangle_ring(mesh, f, k);
    for (int i = 0; i < 6; ++i) {  // corner k's first neighbour lies in direction 2 k
      const auto& step = kStep[(i + 2 * k) % 6];
      lattice[at(x + 1 + step[0])][at(y + 1 + step[1])] = ring[at(i)] - Point(origin);
    }
  }
  std::vector<Vec<double, 4>> points;
  for (const auto& weights : kBoxSpline) {
    Point sum;
    for (std::size_t k = 0; k < 12; ++k) {
      if (weights[k] != 0)
        sum = sum + weights[k] * lattice[at(kLattice[k][0] + 1)][at(kLattice[k][1] + 1)];
    }
    points.push_back(weighted<3>(sum.rounded() / 24, 1));
  }
  return TrianglePatch(4, points);
}

// --- division ------------------------------------------------------------------------------------

std::string name_of(const Origin& origin) {
  const std::vector<int>& path = origin.path;
  std::string name = fmt::format("face {}", origin.face);
  if (path.empty()) return name;
  const bool towards_corner = path.size() > 1 && std::all_of(path.begin() + 1, path.end() - 1,
                                                             [](int p) { return p == 0; });
  if (towards_corner) {
    return fmt::format("{}, corner {}, level {}, part {}", name, path.front(), path.size(),
                       path.back());
  }
  return fmt::format("{}, level {}, part {}", name, path.size(), fmt::join(path, "."));
}

LimitMasks masks_at(const Mesh& mesh, const Ring& ring, const Sector& sector) {
  return masks_for(mesh.scheme, subdivision::rule_at(mesh, ring), sector.valence());
}

// Whether the masks apply: nothing is semi-sharp and all faces have the regular shape.
bool settled(const Mesh& mesh, const Ring& ring) {
  const int shape = mesh.scheme == SubdivisionScheme::loop ? 3 : 4;
  return std::all_of(ring.edges.begin(), ring.edges.end(),
                     [&](int e) { return mesh.settled(e); }) &&
         std::all_of(ring.faces.begin(), ring.faces.end(),
                     [&](int f) { return mesh.face(f).size() == shape; });
}

class Division {
 public:
  Division(const Cage& cage, SubdivisionScheme scheme, const SubdivisionOptions& options)
      : scheme_(scheme), options_(options), mesh_(subdivision::mesh_of(cage, scheme, tree_)) {}

  Result<SubdivisionPieces> run() {
    constexpr std::size_t kMostPieces = 200'000;
    while (step()) {
      mesh_ = subdivision::pruned(subdivision::refined(mesh_, tree_));
      if (result_.pieces.size() + mesh_.faces.size() > kMostPieces) {
        return refuse(fmt::format("the cage needs more than {} patches", kMostPieces),
                      "use fewer faces, irregular vertices and creases with sharpness below 10");
      }
    }
    glue();
    return std::move(result_);
  }

 private:
  // Emits what is regular; whether anything remains to be divided.
  bool step() {
    rings_.assign(mesh_.points.size(), {});
    std::vector<int> irregular;
    std::vector<int> centres;  // which corner of each; -1: more than one
    for (int f = 0; f < static_cast<int>(mesh_.faces.size()); ++f) {
      if (!mesh_.face(f).active) continue;
      if (const Corners corners = look_at(f); corners.regular) {
        emit(f);
        mesh_.faces[at(f)].active = false;
      } else {
        irregular.push_back(f);
        centres.push_back(corners.centre);
      }
    }
    const bool isolated = std::count(centres.begin(), centres.end(), -1) == 0;
    bool more = false;
    std::vector<bool> closed(mesh_.faces.size(), false);
    for (std::size_t i = 0; i < irregular.size(); ++i) {
      const int f = irregular[i];
      if (centres[i] >= 0) prepare(f, centres[i]);
      Face& face = mesh_.faces[at(f)];
      face.active = !was_isolated_ || mesh_.level < face.last_level;
      more = more || face.active;
      if (face.active || closed[at(f)]) continue;
      const int v = face.vertex(centres[i]);
      if (regular(f, ring(v))) {
        emit(f);
      } else {
        close(f, v, closed);
      }
    }
    was_isolated_ = isolated;
    if (more) mesh_ = subdivision::pruned(mesh_);
    return more;
  }

  const Ring& ring(int v) {
    Ring& known = rings_[at(v)];
    if (known.vertex < 0) known = mesh_.ring(v);
    return known;
  }

  // A corner is special if the part of its ring that holds the face is irregular, or another part
  // of it is: pieces on both sides of a sharp edge are equally long.
  struct Corners {
    bool regular;
    int centre;  // the only special corner of an otherwise settled face; -1: there is none
  };
  Corners look_at(int f) {
    const Face& face = mesh_.face(f);
    Corners result{true, -1};
    bool isolated = true;
    for (int i = 0; i < face.size(); ++i) {
      const Ring& around = ring(face.vertex(i));
      const bool good = settled(mesh_, around);
      if (good && std::all_of(around.faces.begin(), around.faces.end(),
                              [&](int g) { return regular(g, around); }))
        continue;
      isolated = good && result.regular;
      result = {false, i};
      if (!isolated) break;
    }
    if (!isolated) result.centre = -1;
    return result;
  }
  bool regular(int f, const Ring& around) const {
    const bool loop = scheme_ == SubdivisionScheme::loop;
    const int n = subdivision::sector_of(mesh_, around, f).valence();
    switch (subdivision::rule_at(mesh_, around)) {
      case Rule::smooth:
        return n == (loop ? 6 : 4);
      case Rule::crease:
        return n == (loop ? 3 : 2);
      case Rule::corner:
        return n == 1;
      default:
        return false;
    }
  }

  // Once a face has one special corner only: where that is, and how far to divide.
  void prepare(int f, int corner) {
    Face& face = mesh_.faces[at(f)];
    if (face.centre >= 0) return;
    const int v = face.vertex(corner);
    const Ring& around = ring(v);
    const auto levels = [&](int g) {
      if (regular(g, around)) return 0;
      const double rate = shrinking(scheme_, subdivision::rule_at(mesh_, around),
                                    subdivision::sector_of(mesh_, around, g).valence());
      return static_cast<int>(std::ceil(std::log(options_.cap_size) / std::log(rate)));
    };
    face.last_level = levels(f);
    if (face.last_level == 0)
      for (int g : around.faces) face.last_level = std::max(face.last_level, levels(g));
    int& centre = mesh_.centre[at(v)];
    if (centre < 0) {
      centre = static_cast<int>(centres_.size());
      const Sector sector = subdivision::sector_of(mesh_, around, f);
      centres_.push_back(applied(masks_at(mesh_, around, sector).position,
                                 subdivision::points_of(mesh_, v, sector))
                             .rounded());
    }
    face.centre = centre;
  }

  void emit(int f) {
    const Face& face = mesh_.face(f);
    Vec3<double> origin = Vec3<double>::Zero();
    if (face.centre >= 0) {  // the middle of its vertices, as good as any point there
      for (int v : face.vertices) origin += mesh_.point(v).rounded() / face.size();
    }
    Patch patch = scheme_ == SubdivisionScheme::loop ? triangle_patch(mesh_, f, origin)
                                                     : quad_patch(mesh_, f, origin);
    const int piece = static_cast<int>(result_.pieces.size());
    result_.pieces.push_back({std::move(patch), name_of(face.origin)});
    result_.pieces.back().origin = origin;
    result_.places.push_back(
        {face.origin.face, face.origin.corner, mesh_.level, face.origin.at, face.origin.turn});
    sides_.resize(tree_.nodes.size());
    for (int k = 0; k < face.size(); ++k) {
      const Edge& edge = mesh_.edge(face.edge(k));
      Sides& sides = sides_[at(edge.id)];
      sides.along[edge.a == face.vertex(k) ? 0 : 1] = {piece, k};
      sides.sharp = mesh_.sharp_for_ever(face.edge(k));
      sides.boundary = edge.boundary;
    }
  }

  // The faces around an irregular vertex become a cap.
  void close(int f, int v, std::vector<bool>& closed) {
    const Ring& around = ring(v);
    const Sector sector = subdivision::sector_of(mesh_, around, f);
    const LimitMasks masks = masks_at(mesh_, around, sector);
    const subdivision::SectorPoints points = subdivision::points_of(mesh_, v, sector);
    SubdivisionCap cap;
    cap.rule = subdivision::rule_at(mesh_, around);
    cap.vertex = mesh_.cage_vertex[at(v)];
    cap.face = mesh_.cage_face[at(v)];
    cap.valence = sector.valence();
    cap.level = mesh_.level;
    cap.position = centres_[at(mesh_.centre[at(v)])];
    cap.offset = applied(masks.position, points).relative_to(cap.position);
    for (std::size_t i = 0; i < 2; ++i)
      cap.tangents[i] = applied(masks.tangents[i], points).rounded().normalized();
    cap.normal = cap.tangents[0].cross(cap.tangents[1]).normalized();
    if (!sector.closed) {
      // The first edge is run through outwards by the sector's own face, the last one inwards.
      const Edge& first = mesh_.edge(sector.edges.front());
      const Edge& last = mesh_.edge(sector.edges.back());
      const int cap_index = static_cast<int>(result_.caps.size());
      cap_ends_[first.id] = {cap_index, first.a == v ? 1 : 0};
      cap_ends_[last.id] = {cap_index, last.a == v ? 0 : 1};
    }
    std::vector<Outer>& border = borders_.emplace_back();
    for (int g : sector.faces) {
      closed[at(g)] = true;
      const Face& face = mesh_.face(g);
      const int c = face.corner_of(v);
      for (int k = c + 1; k + 1 < c + face.size(); ++k) {
        const Edge& edge = mesh_.edge(face.edge(k));
        border.push_back({edge.id, edge.a == face.vertex(k) ? 1 : 0});
      }
    }
    result_.caps.push_back(std::move(cap));
  }

  void glue() {
    sides_.resize(tree_.nodes.size());
    std::vector<bool> capped(sides_.size(), false);
    for (std::size_t i = 0; i < borders_.size(); ++i) {
      for (const Outer& outer : borders_[i]) {
        capped[at(outer.edge)] = true;
        const PatchSide& side = sides_[at(outer.edge)].along[at(outer.beyond)];
        OLOID_EXPECT(side.valid());
        result_.caps[i].border.push_back(side);
      }
      measure(result_.caps[i]);
    }
    for (const auto& [id, end] : cap_ends_) {
      const SidePart beyond = find_wider(id, at(end.beyond));
      if (!beyond.at.valid()) continue;  // finer pieces will come to it, or there are none
      result_.caps[at(end.cap)].across.push_back(beyond);
      capped[at(id)] = true;
    }
    for (std::size_t id = 0; id < sides_.size(); ++id) {
      const Sides& sides = sides_[id];
      if (sides.along[0].valid() && sides.along[1].valid()) {
        result_.seams.push_back({{sides.along[0]}, {sides.along[1]}, sides.sharp});
        continue;
      }
      for (std::size_t k = 0; k < 2; ++k) {
        if (!sides.along[k].valid()) continue;
        if (sides.boundary) {
          result_.boundary.push_back(sides.along[k]);
        } else if (!capped[id]) {
          glue_to_coarser(static_cast<int>(id), k);
        }
      }
    }
  }
  // The side of a piece on which an edge or an edge it is part of lies; which part of it.
  SidePart find_wider(int edge, std::size_t along) const {
    double from = 0, to = 1;  // the part of the ancestor, from its a to its b
    while (!sides_[at(edge)].along[along].valid()) {
      const EdgeTree::Node& node = tree_.nodes[at(edge)];
      if (node.parent < 0) return {};
      const double shift = node.second ? 0.5 : 0;
      from = shift + 0.5 * from;
      to = shift + 0.5 * to;
      edge = node.parent;
    }
    const PatchSide& side = sides_[at(edge)].along[along];
    return along == 0 ? SidePart{side, from, to} : SidePart{side, 1 - to, 1 - from};
  }
  // To a piece of an earlier level, or to a cap of one; if there is neither, finer pieces come to
  // this one.
  void glue_to_coarser(int id, std::size_t k) {
    const Sides& own = sides_[at(id)];
    if (const SidePart beyond = find_wider(id, 1 - k); beyond.at.valid()) {
      result_.seams.push_back({{own.along[k]}, beyond, own.sharp});
      return;
    }
    for (int edge = id; edge >= 0; edge = tree_.nodes[at(edge)].parent) {
      if (const auto end = cap_ends_.find(edge); end != cap_ends_.end()) {
        result_.caps[at(end->second.cap)].across.push_back({own.along[k]});
        return;
      }
    }
  }

  void measure(SubdivisionCap& cap) const {
    constexpr int kSamples = 8;
    for (const PatchSide& side : cap.border) {
      const BezierCurve<3> curve = side_curve(result_.pieces[at(side.patch)].patch, side.side);
      const Vec3<double> away = result_.pieces[at(side.patch)].origin - cap.position - cap.offset;
      for (int i = 0; i <= kSamples; ++i) {
        const Vec3<double> p = point_on(curve, static_cast<double>(i) / kSamples);
        cap.radius = std::max(cap.radius, (away + p).norm());
      }
    }
  }

  struct Sides {
    std::array<PatchSide, 2> along;  // the piece that runs from a to b, and from b to a
    bool sharp = false, boundary = false;
  };
  struct Outer {
    int edge;
    int beyond;  // which of the edge's sides lies outside the cap
  };

  SubdivisionScheme scheme_;
  SubdivisionOptions options_;
  EdgeTree tree_;
  Mesh mesh_;
  bool was_isolated_ = false;          // at the level before: no face had two irregular corners
  std::vector<Ring> rings_;            // of mesh_, as far as asked for
  std::vector<Vec3<double>> centres_;  // [m], limit positions of special vertices
  std::vector<Sides> sides_;           // by edge id
  std::vector<std::vector<Outer>> borders_;  // of caps
  struct CapEnd {
    int cap;
    int beyond;  // which of the edge's sides lies across it
  };
  std::map<int, CapEnd> cap_ends_;  // by edge id: the cap that ends at a sharp edge
  SubdivisionPieces result_;
};

}  // namespace

Result<Cage> checked_cage(Cage cage, SubdivisionScheme scheme) {
  if (cage.vertices.empty() || cage.faces.empty())
    return refuse("the cage has no faces", "specify vertices and faces");
  for (std::size_t v = 0; v < cage.vertices.size(); ++v) {
    if (!cage.vertices[v].allFinite())
      return refuse(fmt::format("vertex {} is not finite", v), "use finite numbers");
  }
  if (auto error = check_faces(cage, scheme)) return Unexpected{*std::move(error)};
  if (auto error = check_edges(cage)) return Unexpected{*std::move(error)};
  if (auto error = check_vertices(cage, scheme)) return Unexpected{*std::move(error)};
  for (Crease& crease : cage.creases)
    if (crease.sharpness >= 10) crease.sharpness = kInfinity;
  return cage;
}

Result<SubdivisionPieces> subdivide(const Cage& cage, SubdivisionScheme scheme,
                                    const SubdivisionOptions& options) {
  if (!(options.cap_size >= 1e-9 && options.cap_size <= 0.5)) {
    return refuse(fmt::format("the requested cap size is {} of a face", options.cap_size),
                  "it must be from 1e-9 to 0.5 of a face's size");
  }
  const Result<Cage> checked = checked_cage(cage, scheme);
  if (!checked) return Unexpected{checked.error()};
  return Division(*checked, scheme, options).run();
}

Result<Patchwork> patchwork_of(const SubdivisionPieces& surface) {
  Gluing gluing;
  gluing.automatic = false;
  for (const PieceSeam& seam : surface.seams) gluing.declared.push_back({seam.a, seam.b});
  std::vector<PatchHole> holes;
  holes.reserve(surface.caps.size());
  for (const SubdivisionCap& cap : surface.caps) {
    const bool sharp = cap.rule != Rule::smooth;
    holes.push_back({cap.position + cap.offset, cap.normal, cap.border, sharp, cap.across});
  }
  return Patchwork::make(surface.pieces, gluing, holes);
}

LimitVertex limit_vertex(const Cage& cage, SubdivisionScheme scheme, int vertex) {
  EdgeTree tree;
  Mesh mesh = subdivision::mesh_of(cage, scheme, tree);
  const auto around = [&] {
    const auto v = std::find(mesh.cage_vertex.begin(), mesh.cage_vertex.end(), vertex);
    return mesh.ring(static_cast<int>(v - mesh.cage_vertex.begin()));
  };
  Ring ring = around();
  while (!settled(mesh, ring)) {
    for (Face& face : mesh.faces) face.active = false;
    for (int f : ring.faces) mesh.faces[at(f)].active = true;
    mesh = subdivision::refined(subdivision::pruned(mesh), tree);
    ring = around();
  }
  LimitVertex result{};
  for (int f : ring.faces) {
    const Sector sector = subdivision::sector_of(mesh, ring, f);
    const LimitMasks masks = masks_at(mesh, ring, sector);
    const subdivision::SectorPoints points = subdivision::points_of(mesh, ring.vertex, sector);
    result.position = applied(masks.position, points).rounded();
    LimitVertex::Side side{mesh.face(sector.faces[0]).origin.face, {}, {}};
    for (std::size_t k = 0; k < 2; ++k)
      side.tangents[k] = applied(masks.tangents[k], points).rounded().normalized();
    side.normal = side.tangents[0].cross(side.tangents[1]).normalized();
    // The ring may begin inside a sector: it is met again at the end.
    const auto known = std::find_if(result.sides.begin(), result.sides.end(),
                                    [&](const auto& s) { return s.face == side.face; });
    if (known == result.sides.end()) result.sides.push_back(side);
    if (sector.closed) break;
  }
  return result;
}

}  // namespace oloid::geometry
