// All cells of a body in a tree: the surface, its edges, its vertices.
//
// A node is a ball with what lies in it, and a cone: of the outward normals of surfaces, of the
// tangents of curves. The upper part of the tree is made once; each search makes what it needs
// below that for itself, so that several may run at the same time.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "oloid/base/constants.h"
#include "oloid/geometry/cells/cell.h"
#include "oloid/geometry/cells/surface_cells.h"
#include "oloid/proximity/touchable_body.h"

namespace oloid::proximity {

inline double angle_between(const Vec3<double>& a, const Vec3<double>& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

struct CellNode {
  Spot::Kind kind = Spot::Kind::surface;
  int index = 0;  // which curve or vertex
  Vec3<double> centre = Vec3<double>::Zero();
  double radius = 0;  // [m]
  Vec3<double> axis = Vec3<double>::UnitZ();
  double angle = 0;  // [rad], half of the opening; π: any direction
  // Bounds for normal curvatures [1/m]: lower and upper bound, and an upper bound for the smaller
  // curvature at each point. For curves: lower bound for how they bend inward.
  double curvature = -kInfinity, most_curvature = kInfinity, most_least_curvature = kInfinity;
  std::optional<Cell> cell = {};  // else only its parts have one
  int first = -1, count = 0;      // parts; −1: not made yet

  bool is_point() const { return kind == Spot::Kind::vertex && cell; }
};

// All in the frame of the shape.
class CellTree {
 public:
  explicit CellTree(const TouchableBody& features);  // which must outlive it

  const TouchableBody& features() const { return *features_; }
  bool is_rigorous() const { return rigorous_; }
  bool is_bounded() const { return !cells_ || cells_->is_bounded(); }
  double radius() const { return radius_; }  // of a ball about the middle [m]
  const Vec3<double>& middle() const { return middle_; }

  const std::vector<CellNode>& nodes() const { return nodes_; }
  const std::vector<int>& roots() const { return roots_; }

  // Of an unbounded surface: cells over a box.
  std::vector<Cell> cells_in(const Box& box) const { return cells_->roots(box); }
  void split(const CellNode& node, std::vector<CellNode>& parts) const;
  // A cell enlarged by this factor in its chart; none for implicit surfaces.
  std::optional<CellNode> grown(const CellNode& node, double times) const;
  CellPoint point(const CellNode& node, const Vec2<double>& st) const;
  Spot spot(const CellNode& node, const CellPoint& at) const;
  Spot middle_of(const CellNode& node) const;  // of one with a cell

  static CellNode node_of(Spot::Kind kind, int index, const Cell& cell);

 private:
  void add_tree(std::vector<CellNode> leaves);
  void fill(std::size_t at, std::vector<CellNode>& leaves, std::size_t from, std::size_t to);
  void refine();
  void tighten();

  const TouchableBody* features_;
  std::unique_ptr<SurfaceCells> cells_;
  std::vector<CellNode> nodes_;
  std::vector<int> roots_;
  bool rigorous_ = true;
  Vec3<double> middle_ = Vec3<double>::Zero();
  double radius_ = 0;
};

// A tree with the parts that one search has made.
class CellView {
 public:
  CellView(const CellTree& tree, const Box& within);  // the box cuts off unbounded surfaces

  const CellTree& tree() const { return *tree_; }
  const std::vector<int>& roots() const { return roots_; }
  const CellNode& operator[](int i) const {
    const auto n = static_cast<std::size_t>(i), base = tree_->nodes().size();
    return n < base ? tree_->nodes()[n] : own_[n - base];
  }
  struct Parts {
    int first, count;
  };
  Parts parts(int i);  // may move nodes in memory

 private:
  const CellTree* tree_;
  std::vector<CellNode> own_;
  std::vector<int> roots_;
  std::vector<Parts> below_;  // of nodes of the tree that have none there
};

}  // namespace oloid::proximity
