// Every room is a namespace, and sees the names of the rooms that it may include: the arrows of
// src/CMakeLists.txt once more. scripts/check_includes compares the two.
#pragma once

namespace oloid {

namespace base {}
namespace formula {
using namespace base;
}
namespace numerics {
using namespace base;
}
namespace spatial {
using namespace base;
}
namespace integrate {
using namespace numerics;
}
namespace geometry {
using namespace spatial;
using namespace numerics;
using namespace formula;
}  // namespace geometry
namespace contact {
using namespace geometry;
}
namespace proximity {
using namespace contact;
}
namespace dynamics {
using namespace contact;
}
namespace haptics {
using namespace proximity;
}
namespace scene {
using namespace spatial;
}
namespace world {
using namespace integrate;
using namespace proximity;
using namespace dynamics;
using namespace scene;
}  // namespace world
namespace io {
using namespace scene;
using namespace formula;
}  // namespace io
namespace app {
using namespace world;
using namespace io;
}  // namespace app

}  // namespace oloid
