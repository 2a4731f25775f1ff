// Scene files: text in, plain data or all complaints at once out. Format: docs/formats/scene.md.
#pragma once

#include <string>
#include <string_view>

#include "oloid/base/result.h"
#include "oloid/scene/spec.h"

namespace oloid {

// Checks form, types and finiteness; whether masses are positive and names exist is up to
// `compile`.
Result<Spec, Errors> read_scene(const std::string& path);

// The same for a text already in memory; `file` is named in places and gives the default name.
Result<Spec, Errors> parse_scene(std::string_view text, const std::string& file);
// The same, with the files that it names: none is looked for on the disk.
Result<Spec, Errors> parse_scene(std::string_view text, const std::string& file,
                                 const std::vector<SceneFile>& files);

}  // namespace oloid
