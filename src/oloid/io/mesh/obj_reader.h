// Control cages from Wavefront OBJ files. Format: vertices (v), polygons (f) and the crease tags of
// OpenSubdiv; objects (o) and groups (g) divide the faces into parts; materials, texture
// coordinates, normals, lines and points are skipped.
//
//   v 1 0 0
//   f 1 2 3 4           also 1/1/1 or 1//1; -1 is the last vertex so far
//   t crease 2/1/0 0 1 2.5      vertices count from 0 here; 3/1/0 is a chain of two edges
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "oloid/base/cage.h"
#include "oloid/base/result.h"

namespace oloid::io {

// More than this is refused, so that a wrong or hostile file cannot take all memory.
struct ObjLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t vertices = 1'000'000;
  std::size_t faces = 1'000'000;
  std::size_t corners = 1000;  // of a face
};

// Numbers are finite and vertices exist; whether the faces make a surface is up to checked_cage.
// `file` is named in places.
Result<Cage> parse_obj(std::string_view text, const std::string& file,
                       const ObjLimits& limits = {});

}  // namespace oloid::io
