// Lets recorders see a run that was recorded.
#pragma once

#include <optional>

#include "oloid/io/record/record_reader.h"

namespace oloid::io {

// Shows a record to a recorder as if the run took place again: begin, frames and events in order of
// time, end. Of a run that did not come to its end, the summary is made up from the last frame.
std::optional<Error> play(const RecordReader& record, Recorder& recorder);

}  // namespace oloid::io
