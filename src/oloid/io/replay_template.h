// The page that shows a run, without the run: web/dist/replay.html, built in.
#pragma once

#include <string_view>

namespace oloid {

extern const std::string_view kReplayTemplate;

}  // namespace oloid
