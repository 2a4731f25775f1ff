// What happens when a guard of a held body reaches zero. The order of guards breaks ties, so runs
// repeat exactly.
#pragma once

#include "oloid/world/evaluate/fields.h"

namespace oloid::world {

enum class Action {
  jam,              // sliding has no force: an impact without collision, or separation
  separate,         // take off into free flight
  grip_or_move_on,  // slip, spin or roll has stopped: stick if the law allows it, else move on
  let_go,           // the law's limit is reached: move, starting in the direction of onset
  cross_chart,      // same mode, new coordinates; at an open border the body is let go
  stop,             // beyond what the equations describe: end the run with an event
};

struct Transition {
  Guard why;
  Action action;
  EventKind event;
};

// Of a channel that moves; one that is stuck is let go.
inline constexpr Transition kTransitions[] = {
    {Guard::painleve, Action::jam, EventKind::painleve},
    {Guard::normal_force, Action::separate, EventKind::take_off},
    {Guard::slip, Action::grip_or_move_on, EventKind::mode_change},
    {Guard::spin, Action::grip_or_move_on, EventKind::mode_change},
    {Guard::roll, Action::grip_or_move_on, EventKind::mode_change},
    {Guard::chart_A, Action::cross_chart, EventKind::chart_crossing},
    {Guard::chart_B, Action::cross_chart, EventKind::chart_crossing},
    {Guard::conformity, Action::stop, EventKind::conforming},
};

inline constexpr Channel channel_of(Guard guard) {
  return guard == Guard::slip   ? Channel::slip
         : guard == Guard::spin ? Channel::spin
                                : Channel::roll;
}
inline constexpr bool is_channel(Guard guard) {
  return guard == Guard::slip || guard == Guard::spin || guard == Guard::roll;
}

inline Transition transition_of(const Contact& hold, Guard guard) {
  Transition found = kTransitions[static_cast<std::size_t>(guard)];
  if (is_channel(guard) && hold[channel_of(guard)].grip == Grip::stuck)
    found.action = Action::let_go;
  return found;
}

}  // namespace oloid::world
