#include "oloid/world/compile/bounded_body.h"

namespace oloid::world {

const FarBody& BoundedBody::far() const {
  std::call_once(once_, [this] { made_ = std::make_unique<const Made>(side_); });
  return made_->far;
}

}  // namespace oloid::world
