// Strong indices: a body's number cannot be mistaken for a contact's.
#pragma once

#include <compare>
#include <cstdint>

#include "oloid/base/rooms.h"

namespace oloid::base {

template <class Tag>
struct Id {
  std::int32_t index = -1;  // -1: none
  constexpr bool valid() const { return index >= 0; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using BodyId = Id<struct BodyTag>;
using ContactId = Id<struct ContactTag>;
using ChartId = Id<struct ChartTag>;

}  // namespace oloid::base
