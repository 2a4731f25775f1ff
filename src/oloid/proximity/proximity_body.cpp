#include "oloid/proximity/proximity_body.h"

#include "oloid/proximity/chord_curvature.h"

namespace oloid::proximity {

ProximityBody::ProximityBody(TouchableBody features)
    : features_(std::move(features)), search_(features_) {}
ProximityBody::~ProximityBody() = default;

const FarBody* ProximityBody::far() const {
  std::call_once(once_, [this] {
    const PlacedShape* side = features_.side();
    if (!side || few_cells(side->shape)) far_ = std::make_unique<const FarBody>(features_);
  });
  return far_.get();
}

const ChordCurvature& ProximityBody::chords() const {
  std::call_once(chords_once_,
                 [this] { chords_ = std::make_unique<const ChordCurvature>(features_, far()); });
  return *chords_;
}

}  // namespace oloid::proximity
