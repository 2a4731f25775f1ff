// The cells of a body as a certificate sees them.
//
// Of a ball or a hollow ball only the middle counts, and of a plane nothing but that it is there:
// the nearest point of these to any other is known. So they have no cells, and the conditions of an
// extremal pair are those of the other body's parameters alone.
#pragma once

#include <optional>

#include "oloid/proximity/cell_tree.h"
#include "oloid/proximity/proximity_body.h"

namespace oloid::proximity {

class BodyCells {
 public:
  explicit BodyCells(const ProximityBody& body);  // which must outlive it

  const TouchableBody& body() const { return body_; }
  const CellTree& tree() const { return *tree_; }  // the middle of a ball; nothing of a plane
  bool is_plane() const { return kind_ == Kind::plane; }
  bool is_ball() const { return kind_ == Kind::ball; }
  bool is_hollow_ball() const { return kind_ == Kind::hollow_ball; }
  double radius() const { return radius_; }  // [m], of a ball; 0 of all others

  // Bounds of normal curvatures [1/m], as in CellNode.
  struct Bend {
    double least, most, most_least;
  };
  Bend bend(const CellNode* node) const;
  // A place of a cell; of a body without cells, what is opposite to a point in the body's frame.
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
