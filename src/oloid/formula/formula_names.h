// Names in formulas: which ones formulas have themselves, and numbers in the place of others.
// Formulas are parsed by formula/expression.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/rooms.h"

namespace oloid::formula {

struct NamedNumber {
  std::string name;
  double value = 0;  // finite
};

// Letters, digits and _, not beginning with a digit.
bool is_formula_name(std::string_view text);

// Whether every formula knows this name: a function or constant such as sin or pi.
bool is_formula_word(std::string_view name);

// The names in a formula, as often as they occur; functions and constants, too.
std::vector<std::string_view> names_in(std::string_view formula);

// The formula with these numbers, all their digits, in the place of their names. For formulas that
// parse.
std::string with_numbers(std::string_view formula, std::span<const NamedNumber> numbers);

}  // namespace oloid::formula
