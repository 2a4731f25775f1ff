// What can happen in a run, as plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oloid/base/id.h"

namespace oloid::scene {

// What of a body a contact lies on. A body has one surface; its edges and vertices are numbered.
enum class FeatureKind { surface, edge, vertex };
inline constexpr FeatureKind kFeatureKinds[] = {FeatureKind::surface, FeatureKind::edge,
                                                FeatureKind::vertex};
struct ContactFeature {
  FeatureKind kind = FeatureKind::surface;
  std::int32_t index = 0;
  friend constexpr bool operator==(const ContactFeature&, const ContactFeature&) = default;
};

std::string to_string(const ContactFeature& feature);  // "surface", "edge 3", "vertex 0"

// What a contact does, from its law's three channels.
enum class Mode {
  separated,
  frictionless,  // slips without friction
  sliding,       // slips against friction
  rolling,       // does not slip
  no_spin,       // neither slips nor spins
  spinning,      // neither slips nor rolls
  rest,          // nothing moves
};
inline constexpr Mode kModes[] = {Mode::separated, Mode::frictionless, Mode::sliding, Mode::rolling,
                                  Mode::no_spin,   Mode::spinning,     Mode::rest};
std::string_view name(Mode mode);
std::string_view meaning(Mode mode);  // one line for people
std::optional<Mode> mode_named(std::string_view word);

enum class EventKind {
  contact_start,       // the initial contact was found
  mode_change,         // e.g. sliding → rolling
  take_off,            // normal force fell through zero, or a collision elsewhere parts the bodies
  impact,              // bodies that were apart have met
  grazing,             // bodies have touched without approaching each other
  chart_crossing,      // contact went over to another chart
  open_border,         // contact reached a border: the body leaves it; an edge ends its island
  witness_change,      // in flight another pair of points came nearer
  conforming,          // relative curvature nearly too small for a point contact, or, as the last
                       // event, too small
  painleve,            // sliding has no unique force: the contact jams, or the bodies part
  inconsistent,        // rolling would need a pull, but without friction the bodies would not part;
                       // ends its island
  unsupported_island,  // bodies touch at more places than a tree has; ends their island
  unsupported_contact,  // bodies touch at an edge, a vertex, along a line or over a face, or touch
                        // a body whose island has ended; ends their island
  mode_cycle,           // too many mode changes at one instant
  zeno,                 // events follow each other without end; ends their island
  solver_trouble,       // step too small, rates not defined, a check failed; ends its island
  probe,                // a probe is zero
  stopped,              // a formula of stop_when is zero; ends the run
  budget,               // step budget used up; ends the run
  output_failed,        // a recorder reported trouble; ends the run
  interrupted,          // the user asked to stop
  end,                  // regular end of the run
};
inline constexpr EventKind kEventKinds[] = {EventKind::contact_start,
                                            EventKind::mode_change,
                                            EventKind::take_off,
                                            EventKind::impact,
                                            EventKind::grazing,
                                            EventKind::chart_crossing,
                                            EventKind::open_border,
                                            EventKind::witness_change,
                                            EventKind::conforming,
                                            EventKind::painleve,
                                            EventKind::inconsistent,
                                            EventKind::unsupported_island,
                                            EventKind::unsupported_contact,
                                            EventKind::mode_cycle,
                                            EventKind::zeno,
                                            EventKind::solver_trouble,
                                            EventKind::probe,
                                            EventKind::stopped,
                                            EventKind::budget,
                                            EventKind::output_failed,
                                            EventKind::interrupted,
                                            EventKind::end};
std::string_view name(EventKind kind);
std::string_view meaning(EventKind kind);        // one line for people
std::string_view value_meaning(EventKind kind);  // what Event::value is; empty: it has none
// Of coordinates and nearest points: nothing of it shows in the motion.
bool is_quiet(EventKind kind);
std::optional<EventKind> event_named(std::string_view word);

struct Event {
  double t = 0;  // [s]
  EventKind kind = EventKind::end;
  std::array<BodyId, 2> bodies{};  // A, B; invalid if the event concerns the whole run
  ContactId contact;               // invalid if there is none: bodies are apart, or bounce off
  Mode before = Mode::separated;
  Mode after = Mode::separated;
  double value = 0;       // see value_meaning
  std::string_view note;  // a static text for people; may be empty
  int probe = -1;         // of `probe`: which probe; of `stopped`: which formula of stop_when
  int pair = -1;          // place in Header::pairs; -1: it concerns the whole run
  int ordinal = 0;        // of the contact among those of its pair
  std::array<ContactFeature, 2> features{};  // of the contact: of A, of B
};

}  // namespace oloid::scene
