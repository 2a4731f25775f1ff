#include "oloid/proximity/body_cells.h"

#include "oloid/geometry/any_surface.h"

namespace oloid::proximity {

BodyCells::BodyCells(const ProximityBody& body) : body_(body.features()) {
  const Shape* shape = body_.side() ? &body_.side()->shape : nullptr;
  const Ellipsoid* round = shape ? shape->as<Ellipsoid>() : nullptr;
  if (shape && shape->is<Plane>()) kind_ = Kind::plane;
  if (round && round->semi_axes().maxCoeff() == round->semi_axes().minCoeff()) {
    kind_ = round->cavity() ? Kind::hollow_ball : Kind::ball;
    radius_ = round->semi_axes().x();
    middle_.emplace(std::vector<Vec3<double>>{Vec3<double>::Zero()});
    own_.emplace(*middle_);
  }
  tree_ = own_ ? &*own_ : &body.far()->tree();
}

BodyCells::Bend BodyCells::bend(const CellNode* node) const {
  if (kind_ == Kind::general)
    return {node->curvature, node->most_curvature, node->most_least_curvature};
  const double all = is_plane() ? 0 : (is_ball() ? 1 : -1) / radius_;
  return {all, all, all};
}

Spot BodyCells::spot(const CellNode* node, const CellPoint& at, const Vec3<double>& other) const {
  return kind_ == Kind::general ? tree_->spot(*node, at) : body_.near(other);
}
Spot BodyCells::middle_of(const CellNode* node, const Vec3<double>& other) const {
  return kind_ == Kind::general ? tree_->middle_of(*node) : body_.near(other);
}

}  // namespace oloid::proximity
