// Writes a run as a glTF animation: bodies with their meshes, and how they move.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

struct GltfOptions {
  bool contacts = false;  // whether points of contact are shown, as small balls
};

class GltfRecorder : public Recorder {
 public:
  // Key frames of the animation, which starts with time 0 at the first of them.
  virtual std::size_t key_frames() const = 0;
  // Frames that are left out: poses or times that are not numbers or do not fit into 32-bit floats,
  // or times that decrease. If no frame is left, end() reports an error.
  virtual std::size_t left_out() const = 0;
};

// Binary, or text if the name ends with .gltf. The meshes are those of Header::meshes. The file
// appears in end().
Result<std::unique_ptr<GltfRecorder>> make_gltf_recorder(const std::string& path,
                                                         const GltfOptions& options = {});

}  // namespace oloid::io
