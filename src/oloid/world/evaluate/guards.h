// The guards of a body that is held.
#pragma once

#include "oloid/dynamics/stick.h"

namespace oloid::world {

// Guards of a body that is held, in the order of the transition table; ties are resolved in that
// order.
enum class Guard { painleve, normal_force, slip, spin, roll, chart_A, chart_B, conformity };
inline constexpr int kBodyGuards = 8;
inline Eigen::Index guards_at(int node) { return Eigen::Index{kBodyGuards} * node; }

constexpr Guard guard_of(Channel channel) {
  return channel == Channel::slip   ? Guard::slip
         : channel == Channel::spin ? Guard::spin
                                    : Guard::roll;
}

// A step may leave its chart by a tenth of the chart's size before it is tried again with half the
// length.
inline constexpr double kChartOvershoot = -0.1;

// A guard is armed above 1e-10. Seams are crossed 1e-13 of a chart beyond them, and the contact is
// inside the next chart by as much: in these units that is clearly inside.
inline constexpr double kChartGuard = 1e4;

}  // namespace oloid::world
