#include "oloid/scene/event.h"

namespace oloid::scene {
namespace {

template <class T, std::size_t N>
std::optional<T> named(const T (&all)[N], std::string_view word) {
  for (const T one : all) {
    if (name(one) == word) return one;
  }
  return std::nullopt;
}

}  // namespace

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
    case EventKind::unsupported_contact:
      return "unsupported_contact";
    case EventKind::mode_cycle:
      return "mode_cycle";
    case EventKind::zeno:
      return "zeno";
    case EventKind::solver_trouble:
      return "solver_trouble";
    case EventKind::probe:
      return "probe";
    case EventKind::stopped:
      return "stopped";
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

std::string to_string(const ContactFeature& feature) {
  switch (feature.kind) {
    case FeatureKind::surface:
      return "surface";
    case FeatureKind::edge:
      return "edge " + std::to_string(feature.index);
    case FeatureKind::vertex:
      return "vertex " + std::to_string(feature.index);
  }
  return "?";
}

std::string_view meaning(Mode mode) {
  switch (mode) {
    case Mode::separated:
      return "the bodies are apart";
    case Mode::frictionless:
      return "slips without friction";
    case Mode::sliding:
      return "slips against friction";
    case Mode::rolling:
      return "does not slip; may roll and spin about the normal";
    case Mode::no_spin:
      return "neither slips nor spins; may roll";
    case Mode::spinning:
      return "neither slips nor rolls; may spin";
    case Mode::rest:
      return "nothing moves";
  }
  return "?";
}

std::string_view meaning(EventKind kind) {
  switch (kind) {
    case EventKind::contact_start:
      return "the bodies touch at the start";
    case EventKind::mode_change:
      return "the mode changes while the bodies stay in contact";
    case EventKind::take_off:
      return "the bodies separate";
    case EventKind::impact:
      return "bodies that were apart collide: they bounce off or stay in contact";
    case EventKind::grazing:
      return "bodies touch without approaching each other";
    case EventKind::chart_crossing:
      return "the contact moved to another chart (coordinate system) of the surface";
    case EventKind::open_border:
      return "the contact reached a border of a surface, where the body leaves it, or a sharp "
             "edge, "
             "where the island ends";
    case EventKind::witness_change:
      return "in flight, another pair of points became the nearest";
    case EventKind::conforming:
      return "the surfaces nearly conform; if this is the last event, they conform too closely for "
             "a point contact";
    case EventKind::painleve:
      return "sliding has no unique contact force: the contact jams or the bodies separate";
    case EventKind::inconsistent:
      return "rolling would require an attractive normal force; the island ends";
    case EventKind::unsupported_island:
      return "the contacts would form a loop, or bodies touch at several points; the island ends";
    case EventKind::unsupported_contact:
      return "the bodies touch in a way that is not simulated: at an edge or a vertex, along a "
             "line, "
             "over a face, or with a body whose island has ended; their island ends";
    case EventKind::mode_cycle:
      return "too many mode changes at one instant";
    case EventKind::zeno:
      return "events accumulate without end; the island ends";
    case EventKind::solver_trouble:
      return "the step became too small, the rates are undefined, or a check of the result failed; "
             "the island ends";
    case EventKind::probe:
      return "a probe of the scene is zero";
    case EventKind::stopped:
      return "a formula of stop_when is zero; ends the run";
    case EventKind::budget:
      return "the step budget solver.max_steps is used up; ends the run";
    case EventKind::output_failed:
      return "a file could not be written; ends the run";
    case EventKind::interrupted:
      return "the user stopped the run";
    case EventKind::end:
      return "normal end of the run";
  }
  return "?";
}

std::string_view value_meaning(EventKind kind) {
  switch (kind) {
    case EventKind::contact_start:
      return "slip removed at the contact [m/s]";
    case EventKind::mode_change:
      return "energy dissipated by the change [J]";
    case EventKind::impact:
    case EventKind::grazing:
      return "speed of approach [m/s]";
    case EventKind::chart_crossing:
    case EventKind::open_border:
      return "0 on A, 1 on B";
    case EventKind::witness_change:
      return "gap [m]";
    case EventKind::conforming:
      return "conformity, theory/contact.md eq. 23";
    case EventKind::painleve:
      return "denominator of the force [1/kg]";
    case EventKind::inconsistent:
      return "normal force without friction [N]";
    case EventKind::unsupported_island:
      return "gap there [m], or speed of approach [m/s]";
    case EventKind::unsupported_contact:
      return "speed of approach [m/s]";
    case EventKind::mode_cycle:
    case EventKind::zeno:
      return "number of changes or events";
    case EventKind::solver_trouble:
      return "last step [s], or the value that failed the check";
    case EventKind::probe:
    case EventKind::stopped:
      return "+1 if it rises, -1 if it falls";
    case EventKind::budget:
      return "steps";
    case EventKind::take_off:
    case EventKind::output_failed:
    case EventKind::interrupted:
    case EventKind::end:
      break;
  }
  return "";
}

bool is_quiet(EventKind kind) {
  return kind == EventKind::chart_crossing || kind == EventKind::witness_change;
}

std::optional<Mode> mode_named(std::string_view word) { return named(kModes, word); }
std::optional<EventKind> event_named(std::string_view word) { return named(kEventKinds, word); }

}  // namespace oloid::scene
