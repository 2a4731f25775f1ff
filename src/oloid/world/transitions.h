// What happens when a guard reaches zero. The order breaks ties, so runs repeat exactly.
#pragma once

#include "oloid/world/fields.h"

namespace oloid {

enum class Action {
  separate,          // take off into free flight
  grip_or_slide_on,  // slip has stopped: stick if the cone allows it, else slide on
  slip,              // the cone is reached: slide, starting in the direction of onset
  cross_chart,       // same mode, new coordinates; an open border ends the run
  stop,              // beyond what the equations of this mode describe: end the run with an event
};

struct Transition {
  Mode from;
  Guard why;
  Action action;
  EventKind event;
};

inline constexpr Transition kTransitions[] = {
    {Mode::sliding, Guard::painleve, Action::stop, EventKind::painleve},
    {Mode::frictionless, Guard::normal_force, Action::separate, EventKind::take_off},
    {Mode::sliding, Guard::normal_force, Action::separate, EventKind::take_off},
    {Mode::rolling, Guard::normal_force, Action::separate, EventKind::take_off},
    {Mode::sliding, Guard::grip, Action::grip_or_slide_on, EventKind::mode_change},
    {Mode::rolling, Guard::grip, Action::slip, EventKind::mode_change},
    {Mode::frictionless, Guard::chart_A, Action::cross_chart, EventKind::chart_crossing},
    {Mode::sliding, Guard::chart_A, Action::cross_chart, EventKind::chart_crossing},
    {Mode::rolling, Guard::chart_A, Action::cross_chart, EventKind::chart_crossing},
    {Mode::frictionless, Guard::chart_B, Action::cross_chart, EventKind::chart_crossing},
    {Mode::sliding, Guard::chart_B, Action::cross_chart, EventKind::chart_crossing},
    {Mode::rolling, Guard::chart_B, Action::cross_chart, EventKind::chart_crossing},
    {Mode::frictionless, Guard::conformity, Action::stop, EventKind::conforming},
    {Mode::sliding, Guard::conformity, Action::stop, EventKind::conforming},
    {Mode::rolling, Guard::conformity, Action::stop, EventKind::conforming},
};

constexpr const Transition* find_transition(Mode mode, Guard guard) {
  for (const Transition& transition : kTransitions) {
    if (transition.from == mode && transition.why == guard) return &transition;
  }
  return nullptr;
}

}  // namespace oloid
