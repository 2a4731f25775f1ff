// Checks of cages: what is no manifold surface is refused.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/base/index.h"
#include "oloid/geometry/subdivision/subdivision.h"

namespace oloid::geometry {
namespace {

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
  subdivision::EdgeTree tree;
  const subdivision::Mesh mesh = subdivision::mesh_of(cage, scheme, tree);
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
    const subdivision::Ring ring = mesh.ring(v);
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

}  // namespace oloid::geometry
