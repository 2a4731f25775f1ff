// Writes a run as a glTF animation: bodies with their meshes, and how they move.
#pragma once

#include <memory>
#include <string>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid {

struct GltfOptions {
  bool contacts = false;  // whether points of contact are shown, as small balls
};

// Binary, or text if the name ends with .gltf. The meshes are those of Header::meshes. The file
// appears in end().
Result<std::unique_ptr<Recorder>> make_gltf_recorder(const std::string& path,
                                                     const GltfOptions& options = {});

}  // namespace oloid
