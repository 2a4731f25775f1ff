// Any bytes are a cage or an error; a cage is a polyhedron, a hull, a subdivision surface, or none.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "oloid/geometry/polyhedral/polyhedron.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "oloid/io/mesh/obj_reader.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

// Whatever was accepted is a proper body.
void use(const oloid::geometry::Polyhedron& body) {
  using namespace oloid::geometry;
  using namespace oloid::io;
  for (const ConvexPolyhedron& part : body.parts()) {
    require(part.vertices() - part.edges() + part.faces() == 2);
    const Solid solid = part.solid();
    require(solid.volume > 0 && solid.centre.allFinite());
    require(part.height(solid.centre) < 0);
    const double reach = part.size() + solid.centre.norm();
    for (int f = 0; f < part.faces(); ++f) {
      double height = -std::numeric_limits<double>::infinity();
      for (int v = 0; v < part.vertices(); ++v)
        height = std::max(height, part.face(f).normal.dot(part.vertex(v)));
      require(std::abs(height - part.face(f).offset) <= 1e-7 * reach);
    }
  }
  require(!body.seeds().empty());
  for (const Location& q : body.seeds()) require(std::isfinite(body.margin(q)));
  const Location q = body.near(body.box().high);
  require(std::isfinite(body.margin(q)) && std::isfinite(q.x.norm()));
  body.leave(q);
  body.tiles(1);
  if (const auto solid = body.solid()) require(std::isfinite(solid->volume));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oloid::geometry;
  using namespace oloid::io;
  ObjLimits limits;
  limits.vertices = limits.faces = 200;
  const auto cage =
      parse_obj(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.obj", limits);
  if (!cage) {
    require(!cage.error().message.empty() && !cage.error().remedy.empty());
    return 0;
  }
  require(cage->part_of_face.size() == cage->faces.size());
  require(cage->line_of_face.size() == cage->faces.size());
  for (const int part : cage->part_of_face)
    require(part >= 0 && part < static_cast<int>(cage->parts.size()));
  for (const bool hull : {false, true}) {
    const auto body = Polyhedron::make(*cage, hull);
    if (body) {
      use(*body);
    } else {
      require(!body.error().message.empty() && !body.error().remedy.empty());
    }
  }
  for (const SubdivisionScheme scheme :
       {SubdivisionScheme::catmull_clark, SubdivisionScheme::loop}) {
    const auto checked = checked_cage(*cage, scheme);
    require(checked || !checked.error().remedy.empty());
    if (!checked || checked->faces.size() > 6) continue;  // more take too long
    const auto pieces = subdivide(*checked, scheme, {0.25});
    if (!pieces) continue;
    if (const auto surface = patchwork_of(*pieces)) require(!surface->seeds().empty());
  }
  return 0;
}
