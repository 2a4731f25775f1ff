// A body with all that searches for its nearest points to others need. Made once for each body.
#pragma once

#include <memory>
#include <mutex>

#include "oloid/proximity/far.h"
#include "oloid/proximity/search.h"

namespace oloid::proximity {

class ChordCurvature;

class ProximityBody {
 public:
  explicit ProximityBody(TouchableBody features);
  ~ProximityBody();
  ProximityBody(const ProximityBody&) = delete;
  ProximityBody& operator=(const ProximityBody&) = delete;

  const TouchableBody& features() const { return features_; }
  const SearchBody& search() const { return search_; }
  // Its bounds, made when first requested; none where that would take minutes. Several threads may
  // call this at the same time.
  const FarBody* far() const;
  // Where it touches once only, likewise.
  const ChordCurvature& chords() const;

 private:
  TouchableBody features_;
  SearchBody search_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const FarBody> far_;
  mutable std::once_flag chords_once_;
  mutable std::unique_ptr<const ChordCurvature> chords_;
};

}  // namespace oloid::proximity
