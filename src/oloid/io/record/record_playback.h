// Passes a recorded run to a recorder.
#pragma once

#include <optional>

#include "oloid/io/record/record_reader.h"

namespace oloid::io {

// Shows a record to a recorder as if the run took place again: begin, frames and events in order of
// time, end. If the run did not finish, the summary is derived from the last frame.
std::optional<Error> play(const RecordReader& record, Recorder& recorder);

}  // namespace oloid::io
