// Finds the word a person probably wanted to write.
#pragma once

#include <span>
#include <string_view>

#include "oloid/base/rooms.h"

namespace oloid::base {

// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
int edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, empty if none is near enough to be worth proposing.
std::string_view did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace oloid::base
