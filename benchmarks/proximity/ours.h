// One pair of bodies as our library answers for it. The only place that knows how it is asked.
#pragma once

#include <utility>

#include "oloid/contact/side.h"
#include "oloid/proximity/closest.h"

namespace oloid::bench {

class OurPair {
 public:
  struct Answer {
    bool found;
    double gap;           // [m], negative when the bodies overlap
    Vec3<double> normal;  // from B to A, in B's frame
  };

  OurPair(Side A, Side B) : A_(std::move(A)), B_(std::move(B)), starts_(make_starts(A_, B_)) {}
  OurPair(const OurPair&) = delete;
  OurPair& operator=(const OurPair&) = delete;

  // The nearest pair of all, with nothing known before.
  Answer anywhere(const Pose<double>& X_BA) {
    return answer(closest_anywhere(A_, B_, X_BA, starts_));
  }
  // The pair that is followed from now on, with the bodies apart.
  void begin(const Pose<double>& X_BA) { last_ = closest_anywhere(A_, B_, X_BA, starts_); }
  // That pair at a pose a little further on.
  Answer follow(const Pose<double>& X_BA) {
    last_ = closest_from(A_, B_, X_BA, last_.A, last_.B);
    return answer(last_);
  }

 private:
  static Answer answer(const Closest& found) {
    return {found.status == ClosestStatus::found, found.gap, found.normal_B};
  }

  Side A_, B_;
  ClosestStarts starts_;
  Closest last_;
};

}  // namespace oloid::bench
