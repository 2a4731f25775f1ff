#include "oloid/scene/describe_event.h"

#include <fmt/format.h>

namespace oloid::scene {

std::string describe(const Event& e, const Header& header) {
  std::string text(name(e.kind));
  const auto body = [&](BodyId id) { return header.bodies[static_cast<std::size_t>(id.index)]; };
  const bool named = e.kind == EventKind::unsupported_contact;
  if (header.pairs.size() > 1 && e.pair >= 0 && !named) {
    text += fmt::format(" of {} and {}", body(e.bodies[0]), body(e.bodies[1]));
  }
  if (e.before != e.after || e.kind == EventKind::mode_change)
    text += fmt::format(": {} -> {}", name(e.before), name(e.after));
  if (e.kind == EventKind::contact_start && e.value > 1e-9)
    text += fmt::format(", {:.3g} m/s removed at the contact", e.value);
  if (e.kind == EventKind::impact) text += fmt::format(", at {:.3g} m/s", e.value);
  const auto probe = static_cast<std::size_t>(e.probe);
  if (e.kind == EventKind::probe && probe < header.probes.size())
    text +=
        fmt::format(" {} {} through 0", header.probes[probe].name, e.value < 0 ? "falls" : "rises");
  if (e.kind == EventKind::stopped && probe < header.stops.size())
    text += fmt::format(": {} = 0", header.stops[probe]);
  if (named && e.pair >= 0) {
    text += fmt::format(": {} of {}, {} of {}", to_string(e.features[0]), body(e.bodies[0]),
                        to_string(e.features[1]), body(e.bodies[1]));
  }
  if (!e.note.empty()) text += fmt::format(" ({})", e.note);
  return text;
}

}  // namespace oloid::scene
