// Writes a run as a CSV table, one row per frame, for spreadsheets and quick scripts.
#pragma once

#include <memory>
#include <string>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

// Columns carry names and units, e.g. "ball.position.x [m]"; numbers have 17 digits, so they read
// back exactly. The file gets its name in end(); before that it is PATH.part.
Result<std::unique_ptr<Recorder>> make_csv_writer(const std::string& path);

}  // namespace oloid::io
