// Meshes as Wavefront OBJ, which nearly every program that shows triangles can read.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "oloid/scene/display_mesh.h"

namespace oloid::io {

struct ObjObject {
  std::string name;  // blanks and other characters that OBJ would misread become _
  DisplayMesh mesh;
  std::vector<Polyline> lines{};  // sharp edges, or a body that is a curve
};

// Hands out the text in pieces, each ending with a line: `o NAME`, then all v, vn and f v//vn of
// the triangles, then v and l of each chain of lines. Coordinates are written so that reading them
// gives the same bits; OBJ has no units, these are metres. Objects whose names become equal are
// numbered.
void write_obj(std::span<const ObjObject> objects,
               const std::function<void(std::string_view)>& write);

}  // namespace oloid::io
