// Lines drawn on a surface in pictures: where its pieces meet, and lines of constant parameter.
#pragma once

#include <vector>

#include "oloid/geometry/display/tessellation.h"

namespace oloid::geometry {

struct SurfaceLines {
  std::vector<std::vector<Vec3<double>>> borders;     // [m], in the shape's frame: chains of points
  std::vector<std::vector<Vec3<double>>> parameters;  // likewise
};

// Chords are within the tolerance of the surface as far as their middles tell. Borders are those of
// patches, each once, and sharp edges and rims of all shapes. Parameter lines run across patches,
// charts of revolution and the like; what is trimmed away has none, nor have pieces smaller than a
// hundredth of the surface (near the corners of a subdivision surface there are thousands). A
// surface without tiles has no parameter lines.
SurfaceLines surface_lines(const Shape& shape, const MeshOptions& options = {});

}  // namespace oloid::geometry
