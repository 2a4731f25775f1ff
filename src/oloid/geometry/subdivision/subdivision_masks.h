// Where a vertex of a subdivided mesh ends up, and the tangents there: left eigenvectors of the
// step that takes a vertex and its neighbours to the next level.
//   position   p = Σ l w,  l Σ = l        tangents   t = Σ l w,  l Σ = λ l,  λ the next largest
#pragma once

#include <vector>

#include "oloid/geometry/subdivision/subdivision_mesh.h"

namespace oloid::geometry {

// Weights of the vertex, of the other ends of its edges, and (Catmull-Clark) of the opposite
// corners of its faces, all quadrangles; counter-clockwise, face i between edges i and i + 1.
struct RingMask {
  double centre = 0;
  std::vector<double> edges, faces;
};

// The first tangent times the second points outwards. Their lengths have no meaning.
struct LimitMasks {
  RingMask position;
  RingMask tangents[2];
};

// No sharp edge; as many edges as faces. [HalsteadKassDeRose93], [Loop87]. Valence 3 or more.
LimitMasks smooth_masks(SubdivisionScheme scheme, int valence);

// Between the two edges of a boundary or a crease, with `faces` faces between them: faces + 1
// edges. The first tangent runs along the crease, the second across it. Of one face the second is
// the curvature of the crease, because the surface is tangent to the crease on both sides.
LimitMasks crease_masks(SubdivisionScheme scheme, int faces);

// Between two edges of a vertex that stays where it is; tangents along those edges.
LimitMasks corner_masks(SubdivisionScheme scheme, int faces);

// One sharp edge, the first and the last of faces + 1; the last has no weight. By iteration.
LimitMasks dart_masks(SubdivisionScheme scheme, int faces);

// How much smaller the neighbourhood becomes with each level in the limit.
double shrinking(SubdivisionScheme scheme, subdivision::Rule rule, int faces);

// The masks for a sector of a vertex.
LimitMasks masks_for(SubdivisionScheme scheme, subdivision::Rule rule, int faces);
LimitMasks masks_at(const subdivision::Mesh& mesh, const subdivision::Ring& ring,
                    const subdivision::Sector& sector);
subdivision::Point applied(const RingMask& mask, const subdivision::SectorPoints& points);

// Whether the masks apply: nothing is semi-sharp and all faces have the regular shape.
bool settled(const subdivision::Mesh& mesh, const subdivision::Ring& ring);

}  // namespace oloid::geometry
