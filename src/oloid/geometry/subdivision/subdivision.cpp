#include "oloid/geometry/subdivision/subdivision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "oloid/base/index.h"
#include "oloid/geometry/subdivision/subdivision_patches.h"

namespace oloid::geometry {
namespace {

using subdivision::Edge;
using subdivision::EdgeTree;
using subdivision::Face;
using subdivision::Mesh;
using subdivision::Origin;
using subdivision::Ring;
using subdivision::Rule;
using subdivision::Sector;

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
    Patch patch = scheme_ == SubdivisionScheme::loop ? subdivision::triangle_patch(mesh_, f, origin)
                                                     : subdivision::quad_patch(mesh_, f, origin);
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

}  // namespace oloid::geometry
