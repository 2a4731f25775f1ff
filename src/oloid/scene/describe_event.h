// An event in words.
#pragma once

#include <string>

#include "oloid/scene/recorder.h"

namespace oloid::scene {

// As "impact of ball and table: separated -> sliding, at 0.3 m/s". Bodies are named if the scene
// has more than one pair that may touch.
std::string describe(const Event& event, const Header& header);

}  // namespace oloid::scene
