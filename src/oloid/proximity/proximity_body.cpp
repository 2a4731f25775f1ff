#include "oloid/proximity/proximity_body.h"

namespace oloid::proximity {

const FarBody* ProximityBody::far() const {
  std::call_once(once_, [this] {
    const PlacedShape* side = features_.side();
    if (!side || few_cells(side->shape)) far_ = std::make_unique<const FarBody>(features_);
  });
  return far_.get();
}

}  // namespace oloid::proximity
