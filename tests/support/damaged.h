// Texts that went wrong on their way: for readers that must not crash.
#pragma once

#include <cstddef>
#include <random>
#include <string>

#include "support/rooms.h"

namespace oloid::test {

// One to four bytes changed, stretches left out or doubled, or the rest cut off.
inline std::string damaged(std::string text, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t edits = 1 + pick(4);
  for (std::size_t e = 0; e < edits && !text.empty(); ++e) {
    const std::size_t at = pick(text.size());
    switch (pick(4)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, 1 + pick(8));
        break;
      case 2:
        text.insert(at, text.substr(pick(text.size()), pick(30)));
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

}  // namespace oloid::test
