// Limits of single vertices of a cage.
#include <algorithm>

#include "oloid/base/index.h"
#include "oloid/geometry/subdivision/subdivision.h"

namespace oloid::geometry {

LimitVertex limit_vertex(const Cage& cage, SubdivisionScheme scheme, int vertex) {
  subdivision::EdgeTree tree;
  subdivision::Mesh mesh = subdivision::mesh_of(cage, scheme, tree);
  const auto around = [&] {
    const auto v = std::find(mesh.cage_vertex.begin(), mesh.cage_vertex.end(), vertex);
    return mesh.ring(static_cast<int>(v - mesh.cage_vertex.begin()));
  };
  subdivision::Ring ring = around();
  while (!settled(mesh, ring)) {
    for (subdivision::Face& face : mesh.faces) face.active = false;
    for (int f : ring.faces) mesh.faces[at(f)].active = true;
    mesh = subdivision::refined(subdivision::pruned(mesh), tree);
    ring = around();
  }
  LimitVertex result{};
  for (int f : ring.faces) {
    const subdivision::Sector sector = subdivision::sector_of(mesh, ring, f);
    const LimitMasks masks = masks_at(mesh, ring, sector);
    const subdivision::SectorPoints points = subdivision::points_of(mesh, ring.vertex, sector);
    result.position = applied(masks.position, points).rounded();
    LimitVertex::PlacedShape side{mesh.face(sector.faces[0]).origin.face, {}, {}};
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
