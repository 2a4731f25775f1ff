// Scene files: text in, plain data or all complaints at once out. Format: docs/formats/scene.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/scene/spec.h"

namespace oloid::io {

struct SceneOptions {
  // "PATH=VALUE", each overriding a value of the scene: scene_override.h.
  std::vector<std::string> overrides{};
  // The files that the scene names, as a record keeps them (Header::files); none: they are read
  // from the disk.
  std::optional<std::vector<SceneFile>> files{};
};

// Checks form, types and finiteness; whether masses are positive and names exist is up to
// `compile`.
Result<Spec, Errors> read_scene(const std::string& path, const SceneOptions& options = {});

// The same for a text already in memory; `file` is named in places and gives the default name.
Result<Spec, Errors> parse_scene(std::string_view text, const std::string& file,
                                 const SceneOptions& options = {});

}  // namespace oloid::io
