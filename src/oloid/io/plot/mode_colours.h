// The colours of modes, the same in pictures and in the replay page.
#pragma once

#include <string_view>

#include "oloid/scene/event.h"

namespace oloid::io {

struct ModeColours {
  std::string_view on_light, on_dark;  // "#rrggbb", for light and for dark ground
};

ModeColours colours_of(Mode mode);

}  // namespace oloid::io
