// The cells of a body as a certificate sees them.
//
// Balls, hollow balls and planes have no cells, because their nearest point to any other point is
// known: a ball is represented by its middle, a plane needs nothing. The conditions of an extremal
// pair then involve only the other body's parameters.
#pragma once

#include <optional>

#include "oloid/proximity/cell_tree.h"
#include "oloid/proximity/proximity_body.h"

namespace oloid::proximity {

class BodyCells {
 public:
  explicit BodyCells(const ProximityBody& body);  // which must outlive it

  const TouchableBody& body() const { return body_; }
  const CellTree& tree() const { return *tree_; }  // of a ball: its middle; of a plane: nothing
  bool is_plane() const { return kind_ == Kind::plane; }
  bool is_ball() const { return kind_ == Kind::ball; }
  bool is_hollow_ball() const { return kind_ == Kind::hollow_ball; }
  double radius() const { return radius_; }  // [m], of a ball; 0 of all others

  // Bounds of normal curvatures [1/m], as in CellNode.
  struct Bend {
    double least, most, most_least;
  };
  Bend bend(const CellNode* node) const;
  // A place in a cell; for a body without cells, the place opposite to a point in the body's frame.
  Spot spot(const CellNode* node, const CellPoint& at, const Vec3<double>& other) const;
  Spot middle_of(const CellNode* node, const Vec3<double>& other) const;

 private:
  enum class Kind { general, ball, hollow_ball, plane };

  const TouchableBody& body_;
  Kind kind_ = Kind::general;
  double radius_ = 0;
  std::optional<TouchableBody> middle_;
  std::optional<CellTree> own_;
  const CellTree* tree_;
};

}  // namespace oloid::proximity
