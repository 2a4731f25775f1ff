#include "oloid/world/compile/error_list.h"

#include <fmt/format.h>

#include "oloid/world/compile/checks.h"

namespace oloid::world {

bool ErrorList::in_range(const Located<double>& x, std::string_view what, double low, double high,
                         std::string_view remedy) {
  if (x.value >= low && x.value <= high) return true;
  refuse(x.place, fmt::format("{} is {}, outside [{:g}, {:g}]", what, x.value, low, high),
         std::string(remedy));
  return false;
}

bool ErrorList::bounded(const Located<Vec3<double>>& x, std::string_view what) {
  if (x.value.allFinite() && x.value.norm() <= kLargest) return true;
  refuse(x.place,
         fmt::format("{} [{}, {}, {}] is not finite or too large", what, x.value.x(), x.value.y(),
                     x.value.z()),
         fmt::format("components must be finite and at most {:g} in SI units", kLargest));
  return false;
}

}  // namespace oloid::world
