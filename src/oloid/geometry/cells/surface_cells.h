// Any of our surfaces cut into cells, as small as one likes.
//
// Charts: with third derivatives by intervals over a rectangle, second derivatives follow from the
// middle by the mean value theorem, from these the first, and so on. Implicit surfaces: boxes.
// docs/theory/proximity_far.md, section "Cells".
#pragma once

#include <optional>
#include <vector>

#include "oloid/geometry/cells/cell.h"
#include "oloid/geometry/implicit/implicit_field.h"
#include "oloid/geometry/shape.h"

namespace oloid::geometry {

class ImplicitBody;

class SurfaceCells {
 public:
  explicit SurfaceCells(Shape shape);

  // Whether cells hold all of the surface, for certain.
  bool is_rigorous() const { return rigorous_; }
  bool is_bounded() const { return bounded_; }

  // Cells that cover the part of the surface in a box in its frame, perhaps more.
  std::vector<Cell> roots(const Box& within) const;
  // Puts the parts of a cell behind what there is; none that lie beside the surface.
  void split(const Cell& cell, std::vector<Cell>& parts) const;
  // The same middle with sides so many times as long, as far as the chart reaches; none of implicit
  // surfaces.
  std::optional<Cell> grown(const Cell& cell, double times) const;
  // At parameters s, t, which may be a little outside of −1 to 1.
  CellPoint point(const Cell& cell, const Vec2<double>& st) const;
  // The location on the shape of a point of a cell.
  Location location(const CellPoint& at) const;

 private:
  struct Domain {  // of a chart
    ChartId chart;
    Uv<double> low, high;
    std::vector<Uv<double>> polygon = {};  // convex, counter-clockwise; empty: the rectangle
    double disc = 0;                       // of this radius about 0; 0: the rectangle
    bool is_outside(const Uv<double>& from, const Uv<double>& to) const;
  };
  void add(int chart, const Uv<double>& low, const Uv<double>& high) {
    domains_.push_back({ChartId{chart}, low, high});
  }
  void set_domains(const Plane&);
  void set_domains(const Ellipsoid&);
  void set_domains(const Frustum&);
  void set_domains(const Torus&);
  void set_domains(const SurfaceOfRevolution&);
  void set_domains(const Patchwork&);
  void set_domains(const Polyhedron&);
  void set_domains(const CircleHull&);
  void set_domains(const Superellipsoid&);
  void set_domains(const Quadric&);
  void set_domains(const ImplicitBody&);

  void add_rectangle(const Domain& domain, const Uv<double>& low, const Uv<double>& high,
                     std::vector<Cell>& parts) const;
  void add_box(int face, const Box& box, std::vector<Cell>& parts) const;
  Domain clipped(const Domain& domain, const Box& within) const;

  Shape shape_;
  std::vector<Domain> domains_;        // by their place in the list
  std::vector<int> domain_of_;         // of a chart
  std::vector<ImplicitField> fields_;  // if it is cut into boxes
  bool rigorous_ = true, bounded_ = true;
};

}  // namespace oloid::geometry
