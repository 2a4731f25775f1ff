#include <fmt/format.h>

#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/revolution/revolution.h"
#include "oloid/haptics/pair_finder.h"

using namespace oloid::haptics;

int main() {
  // The bodies: any shapes, with their edges and vertices. They must outlive the tool.
  const TouchableBody fingertip(PlacedShape{Ellipsoid::make({0.02, 0.01, 0.01}).value(), {}});
  const TouchableBody model(PlacedShape{Torus::make(0.1, 0.03).value(), {}});

  const ForceLaw law{.stiffness = 1000, .damping = 2, .largest_force = 8};
  Result<HapticTool> tool = HapticTool::make(fingertip, model, law);
  if (!tool) {
    fmt::print("{}\n", to_string(tool.error()));
    return 1;
  }
  PairFinder finder(*tool);
  finder.start();  // searches in a thread of its own

  const double dt = 1e-3;
  Pose<double> hand{Mat3<double>::Identity(), {0.1, 0, 0.045}};  // 5 mm above the ring
  while (tool->update(hand, dt).pairs == 0) {                    // until the first pair is known
  }
  for (int i = 0; i < 7000; ++i) {  // the servo loop: read the device, update, send the force
    hand.p.z() -= 1e-6;
    tool->update(hand, dt);
  }
  const HapticOutput& out = tool->update(hand, dt);
  fmt::print("{}: {:.3f} N, drawn {:.3f} mm higher\n", name(out.status), out.wrench.f.norm(),
             1e3 * (out.proxy.p - hand.p).norm());
}
