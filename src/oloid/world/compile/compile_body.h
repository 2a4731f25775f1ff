// One body of a scene: its surface and where it is, its mass, its motion if it has one.
#pragma once

#include "oloid/world/compile/error_list.h"
#include "oloid/world/model/model.h"

namespace oloid::world {

// Position and orientation of the body, and of the shape in it.
void check_pose(const BodySpec& body, ErrorList& errors);

// The surface, placed in the body.
void compile_side(const BodySpec& body, PlacedShape& side, ErrorList& errors);

// Mass and inertia. If they follow from the shape, which needs one that is `shaped`, it is moved
// until its centre of mass is the origin of the body's frame.
void compile_mass(const BodySpec& body, bool shaped, Body& made, ErrorList& errors);

// Surface and inertia of a body that moves.
void compile_moving(const BodySpec& body, Body& made, ErrorList& errors);

// The motion of ground.
void compile_ground(const BodySpec& body, double t_end, Body& made, ErrorList& errors);

// Pose and velocity at the start, as given, of a body that moves.
FreeState<double> start_state(const BodySpec& body);

}  // namespace oloid::world
