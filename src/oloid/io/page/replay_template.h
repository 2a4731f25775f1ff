// The page that shows a run, without the run: web/dist/replay.html, built in.
#pragma once

#include <string_view>

#include "oloid/base/rooms.h"

namespace oloid::io {

extern const std::string_view kReplayTemplate;

}  // namespace oloid::io
