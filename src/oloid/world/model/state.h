// What changes during a run, as plain data.
#pragma once

#include "oloid/world/model/island_state.h"

namespace oloid::world {

// Bodies whose motions depend on each other.
struct IslandPart {
  std::vector<BodyId> members;
  IslandState state;
};

struct State {
  std::vector<IslandPart> islands;              // in the order of their first bodies
  double removed_normal_speed = 0;              // [m/s], of approach, removed before the start
  double removed_slip_speed = 0;                // [m/s], removed because friction is unlimited
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
// over. Energy recorded before that belongs to no body goes to the first that takes it: `from`
// loses it.
void take_over(const IslandIndex& from_group, IslandState& from, const IslandIndex& to_group,
               IslandState& to);

}  // namespace oloid::world
