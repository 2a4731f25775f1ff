// Meshes with more triangles than a picture can show, made smaller.
#pragma once

#include <cstddef>

#include "oloid/scene/display_mesh.h"

namespace oloid::io {

struct SimplifiedMesh {
  DisplayMesh mesh;
  double moved = 0;  // [m]: no vertex was moved farther; 0: the mesh is as it was
};

// Vertices of one small cube become one of them, or several at one place where normals differ by
// more than about 30 degrees: sharp edges stay sharp, and what was closed stays closed. Cubes are
// as small as they may be for `most` vertices. Lines stay.
SimplifiedMesh simplified(DisplayMesh mesh, std::size_t most);

}  // namespace oloid::io
