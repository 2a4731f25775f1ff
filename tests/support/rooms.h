// Tests see the names of all rooms.
#pragma once

#include "oloid/base/rooms.h"
#include "support/rooms.h"

namespace oloid::test {

using namespace world;
using namespace haptics;
using namespace io;

}  // namespace oloid::test
