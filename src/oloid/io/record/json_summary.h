// Writes what came out of a run as JSON, for scripts. Keys: docs/formats/summary.md.
#pragma once

#include <memory>
#include <string>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

// The file appears in end(), complete; numbers read back exactly, those that are not finite are
// null.
Result<std::unique_ptr<Recorder>> make_json_summary(const std::string& path);

}  // namespace oloid::io
