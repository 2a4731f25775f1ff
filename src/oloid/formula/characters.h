// What names and numbers in formulas are made of, in any locale.
#pragma once

#include "oloid/base/rooms.h"

namespace oloid::formula {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace oloid::formula
