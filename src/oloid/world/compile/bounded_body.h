// A body in a form that provides bounds of distances. It is costly, so it is made when first
// requested.
#pragma once

#include <memory>
#include <mutex>

#include "oloid/proximity/far.h"

namespace oloid::world {

class BoundedBody {
 public:
  explicit BoundedBody(Side side) : side_(std::move(side)) {}

  // Several threads may call this at the same time.
  const FarBody& far() const;

 private:
  struct Made {
    Features features;
    FarBody far;
    explicit Made(const Side& side) : features(side), far(features) {}
  };
  Side side_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const Made> made_;
};

}  // namespace oloid::world
