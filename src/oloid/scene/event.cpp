#include "oloid/scene/event.h"

namespace oloid {

std::string_view name(Mode mode) {
  switch (mode) {
    case Mode::separated:
      return "separated";
    case Mode::frictionless:
      return "frictionless";
    case Mode::sliding:
      return "sliding";
    case Mode::rolling:
      return "rolling";
    case Mode::no_spin:
      return "no_spin";
    case Mode::spinning:
      return "spinning";
    case Mode::rest:
      return "rest";
  }
  return "?";
}

std::string_view name(EventKind kind) {
  switch (kind) {
    case EventKind::contact_start:
      return "contact_start";
    case EventKind::mode_change:
      return "mode_change";
    case EventKind::take_off:
      return "take_off";
    case EventKind::impact:
      return "impact";
    case EventKind::grazing:
      return "grazing";
    case EventKind::chart_crossing:
      return "chart_crossing";
    case EventKind::open_border:
      return "open_border";
    case EventKind::witness_change:
      return "witness_change";
    case EventKind::conforming:
      return "conforming";
    case EventKind::painleve:
      return "painleve";
    case EventKind::inconsistent:
      return "inconsistent";
    case EventKind::unsupported_island:
      return "unsupported_island";
    case EventKind::mode_cycle:
      return "mode_cycle";
    case EventKind::zeno:
      return "zeno";
    case EventKind::solver_trouble:
      return "solver_trouble";
    case EventKind::budget:
      return "budget";
    case EventKind::output_failed:
      return "output_failed";
    case EventKind::interrupted:
      return "interrupted";
    case EventKind::end:
      return "end";
  }
  return "?";
}

}  // namespace oloid
