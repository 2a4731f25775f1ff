// The schema of scene files in the form that editors understand.
#pragma once

#include <string>

#include "oloid/base/rooms.h"

namespace oloid::io {

// JSON Schema, draft 7, generated from scene_schema(); docs/formats/scene.schema.json has this
// text. It knows keys, kinds of values and words, not what values are sensible.
std::string scene_json_schema();

}  // namespace oloid::io
