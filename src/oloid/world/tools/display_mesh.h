// Triangles of a scene's bodies for pictures and files; made on demand, never by compile.
#pragma once

#include <optional>
#include <vector>

#include "oloid/geometry/display/tessellation.h"
#include "oloid/scene/display_mesh.h"
#include "oloid/world/model/model.h"
#include "oloid/world/tools/forms.h"

namespace oloid::world {

// Default tolerance and reach: within 2e-3 of the shape's size (of the model's length if it is
// unbounded), cut off 20 lengths beyond the first contact, or 2 for a body that moves.
MeshOptions display_options(const Model& model, BodyId body);

// The same where no contact is known: unbounded shapes are cut off 20 lengths beyond the other
// bodies.
MeshOptions display_options(const std::vector<BodyForm>& forms, const BodyForm& form);

// In the shape's frame; empty if the surface has no mesh.
Result<DisplayMesh> display_mesh(const Shape& shape, const MeshOptions& options);

// In the body's frame; empty if the surface has no mesh (a quadric that is no ellipsoid). Refused:
// a tolerance [m] that is not positive or would take too many triangles.
Result<DisplayMesh> display_mesh(const Model& model, BodyId body,
                                 std::optional<double> tolerance = std::nullopt);

// Those of all bodies, in the scene's order, for Header::meshes; what is refused is empty.
std::vector<DisplayMesh> display_meshes(const Model& model);

// X_WB of any body B at the start.
Pose<double> initial_pose(const Model& model, BodyId body);

}  // namespace oloid::world
