// Numbers of things, for people: "1 patch", "2 patches".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace oloid::base {

// The plural has an s if none is given.
inline std::string counted(std::int64_t n, std::string_view one, std::string_view several = {}) {
  std::string text = std::to_string(n) + ' ';
  if (n == 1) return text.append(one);
  return several.empty() ? text.append(one) + 's' : text.append(several);
}

}  // namespace oloid::base
