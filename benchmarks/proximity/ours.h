// One pair of bodies as our library answers for it. The only place that knows how it is asked.
#pragma once

#include <utility>

#include "oloid/proximity/search.h"
#include "oloid/proximity/tracker.h"
#include "support/rooms.h"

namespace oloid::bench {

class OurPair {
 public:
  struct Answer {
    bool found;
    double gap;           // [m], negative when the bodies overlap
    Vec3<double> normal;  // from B to A, in B's frame
  };

  OurPair(PlacedShape A, PlacedShape B)
      : A_(std::move(A)), B_(std::move(B)), search_A_(A_), search_B_(B_), tracker_(A_, B_) {}
  OurPair(const OurPair&) = delete;
  OurPair& operator=(const OurPair&) = delete;

  // The nearest pair of all, with nothing known before.
  Answer anywhere(const Pose<double>& X_BA) const { return answer(nearest(X_BA)); }
  // The pair that is followed from now on, with the bodies apart.
  void begin(const Pose<double>& X_BA) { tracker_.start(X_BA, nearest(X_BA)); }
  // That pair at a pose a little further on.
  Answer follow(const Pose<double>& X_BA) { return answer(tracker_.update(X_BA)); }

 private:
  static Answer answer(const TrackedPair& pair) { return {pair.usable(), pair.gap, pair.normal}; }
  TrackedPair nearest(const Pose<double>& X_BA) const {
    const SearchResult found = search_pairs(search_A_, search_B_, X_BA, 0);
    return found.pairs.empty() ? TrackedPair{} : found.pairs.front();
  }

  TouchableBody A_, B_;
  SearchBody search_A_, search_B_;
  Tracker tracker_;
};

}  // namespace oloid::bench
