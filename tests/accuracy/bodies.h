// The bodies of the table of errors: one of each kind of surface, all of them 20 cm large.
#pragma once

#include <string>
#include <vector>

#include "laws/random.h"
#include "oloid/contact/placed_shape.h"
#include "oloid/geometry/any_surface.h"
#include "support/rooms.h"

namespace oloid::test {

class Body {
 public:
  Body(std::string name, std::string description, Shape shape);

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  const PlacedShape& side() const { return side_; }
  const Shape& shape() const { return side_.shape; }
  double size() const { return size_; }  // [m], bounding radius
  bool is_polyhedron() const { return shape().is<Polyhedron>(); }

  // Of a patchwork: a patch drawn by its area, one time in eight any patch or cap, then a point of
  // it; else the location near a point of the box.
  Location random_location(Random&) const;
  // From a location a way [m] over the surface, across charts, about straight; up to a border.
  Location walked(Location from, const Vec3<double>& direction, double way) const;

 private:
  Location random_location_on(const Patchwork&, Random&) const;

  std::string name_, description_;
  PlacedShape side_;
  double size_;
  std::vector<double> area_;  // of a patchwork: sums of the patches' areas, about
};

std::vector<Body> make_bodies();

// How far the discs that close a subdivision surface around extraordinary vertices are off the
// limit surface [m]; 0 for all other kinds. Extrapolated from discs 2⁶ and 2¹⁰ times as large, as
// the distance falls as K r² with the radius (docs/theory/surfaces.md, section 9).
double cap_deviation(const Body&);

}  // namespace oloid::test
