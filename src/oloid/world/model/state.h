// What changes during a run, as plain data.
#pragma once

#include <map>
#include <utility>

#include "oloid/world/model/island_state.h"

namespace oloid::world {

// Bodies whose motions depend on each other.
struct IslandPart {
  std::vector<BodyId> members;
  IslandState state;
  bool ended = false;  // it could not be continued: its bodies stay where they are
};

// The last contact of a pair. It is kept when the contact has ended, because an event at that
// instant may still show it.
struct LastContact {
  ContactId id;
  bool lasts = false;
};

// The value of a formula at the last end of a step up to t.
struct FormulaState {
  double largest = 0;  // of the absolute values
  int sign = 0;        // of the last value
};

// Everything up to t has been recorded. Islands may start a little earlier, at the start of the
// step that contains t: this step is repeated, and nothing up to t is recorded again.
struct State {
  double t = 0;                                // [s]
  bool begun = false;                          // whether the start has been recorded
  std::vector<IslandPart> islands;             // in the order of their first bodies
  std::vector<std::pair<int, Witness>> apart;  // nearest points of pairs of different islands
  std::map<ContactKey, LastContact> last_contacts;
  std::map<int, Witness> shown;                 // by pair: nearest points in the last frame
  std::map<int, Witness> asked;                 // by pair that formulas ask for
  std::vector<FormulaState> formulas;           // at formulas_t; empty: not evaluated yet
  double formulas_t = 0;                        // [s]
  std::map<int, double> removed_speed;          // by pair [m/s]: slip that cannot be, at the start
  double kinetic_largest = 0;                   // [J]
  std::int64_t next_frame = 0;                  // frames are at k · dt
  std::int32_t next_contact = 0;                // contacts are numbered as they begin
  std::vector<Quat<double>> last_orientations;  // by body
  Summary summary;

  // The contact that holds a body, if any.
  const Contact* hold_of(BodyId body) const;
};

// The start of a run: contact coordinates, first modes, motion made consistent with the contacts.
State initial_state(const Model& model);

// The sets of members of a group that are connected by contacts and springs.
std::vector<std::vector<BodyId>> parts_of(const IslandIndex& group, const DiscreteState& discrete);

// The state of a part, or of a whole from its parts: everything that both groups know is taken
// over. Dissipated energy that belongs to no single body goes to the first group that takes it:
// `from` loses it.
void take_over(const IslandIndex& from_group, IslandState& from, const IslandIndex& to_group,
               IslandState& to);

}  // namespace oloid::world
