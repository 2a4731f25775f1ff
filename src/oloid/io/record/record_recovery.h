// Closes the record of a run that did not finish.
#pragma once

#include <string>

#include "oloid/base/result.h"

namespace oloid::io {

struct Recovery {
  std::string path;  // of the new record
  double t_end = 0;  // [s], of its last frame
  std::size_t frames = 0, events = 0;
};

// Makes an ordinary record of NAME.h5.part: all complete frames and all events, marked as
// recovered. It goes to `to`, or to NAME.h5 if that is empty, and must not exist yet; then the part
// is removed. A part that is damaged, or that a run is writing, is left alone.
Result<Recovery> recover_record(const std::string& part, std::string to);

}  // namespace oloid::io
