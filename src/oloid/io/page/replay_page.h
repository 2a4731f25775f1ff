// Writes a run as one HTML file that shows it: bodies in motion, contacts, graphs, events. It needs
// nothing but a browser. The page itself is made in web/; web/README.md says what data it takes.
#pragma once

#include <memory>
#include <string>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

// How much of a run a page holds, so that it opens quickly.
struct PageLimits {
  std::size_t numbers = 1'000'000;  // of all frames together, 4 bytes each
  std::size_t events = 5'000;
  std::size_t vertices = 60'000;  // of all bodies together
};

// The page appears in end(), before that it is PATH.part. A long run is thinned out: of the frames
// at multiples of the output interval, every second one is kept, or every fourth, ...; frames at
// events are kept as long as they take less than half of the space. Of many pairs of bodies only
// those that touch are kept. Fine meshes are simplified. The page says so.
Result<std::unique_ptr<Recorder>> make_replay_page(const std::string& path,
                                                   const PageLimits& limits = {});

}  // namespace oloid::io
