// Bodies and their motion as glTF 2.0, which Blender, web pages and most viewers read.
// Documented in docs/formats/gltf.md.
#pragma once

#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/scene/display_mesh.h"
#include "oloid/spatial/rotation.h"

namespace oloid::io {

// Poses at the key times of a scene.
struct GltfTrack {
  std::vector<float> positions;     // x, y, z for each [m]
  std::vector<float> orientations;  // x, y, z, w for each, unit, neighbours on the same side;
                                    // empty: it does not turn
  std::vector<float> sizes;         // 1: shown, 0: hidden; empty: always shown

  void add(const Vec3<double>& position);
  void add(const Quat<double>& orientation);
};

// A thing that moves as a whole; its mesh and lines are in its own frame, in metres.
struct GltfNode {
  enum class Kind { body, fixed, mark };  // says how it is coloured
  std::string name;
  Kind kind = Kind::body;
  DisplayMesh mesh{};
  std::vector<Polyline> lines{};
  GltfTrack track{};
};

struct GltfScene {
  std::string name;
  std::vector<float> times;  // [s], strictly increasing; one is a scene at rest
  std::vector<GltfNode> nodes;
};

enum class GltfFormat {
  binary,   // .glb
  embedded  // .gltf: text, with the numbers in it as base64
};
GltfFormat gltf_format(const std::string& path);  // by the end of its name

// The bytes of the file. Refused: more than its format can hold.
Result<std::string> gltf_of(const GltfScene& scene, GltfFormat format);

}  // namespace oloid::io
