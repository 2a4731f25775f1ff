#include "oloid/formula/formula_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "oloid/formula/characters.h"
#include "oloid/formula/expression.h"

namespace oloid::formula {
namespace {

bool is_part(char c) { return is_letter(c) || is_digit(c); }

// Where the number that begins at `at` ends: 12, 1.5, .5, 2e-3.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  const auto digits = [&] {
    while (at < text.size() && is_digit(text[at])) ++at;
  };
  digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    digits();
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t next = at + 1;
    if (next < text.size() && (text[next] == '+' || text[next] == '-')) ++next;
    if (next < text.size() && is_digit(text[next])) {
      at = next;
      digits();
    }
  }
  return at;
}

// Where the name that begins at `at` ends; names may have parts: ball.x.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_part(text[at]) || (text[at] == '.' && at + 1 < text.size() &&
                                                    is_letter(text[at + 1])))) {
    ++at;
  }
  return at;
}

// The name, number or single character that begins at `at`.
std::string_view word_at(std::string_view text, std::size_t at) {
  const std::size_t end = is_letter(text[at]) ? end_of_name(text, at) : end_of_number(text, at);
  return text.substr(at, std::max<std::size_t>(end - at, 1));
}

}  // namespace

bool is_formula_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), is_part);
}

// Asked of the one parser: a constant is a formula alone, a function is one with one or two
// arguments.
bool is_formula_word(std::string_view name) {
  for (const std::string_view arguments : {"", "(1)", "(1, 1)"}) {
    if (Expression::parse(fmt::format("{}{}", name, arguments), {})) return is_formula_name(name);
  }
  return false;
}

std::vector<std::string_view> names_in(std::string_view formula) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < formula.size();) {
    const std::string_view word = word_at(formula, at);
    if (is_letter(word.front())) names.push_back(word);
    at += word.size();
  }
  return names;
}

std::string with_numbers(std::string_view formula, std::span<const NamedNumber> numbers) {
  std::string text;
  for (std::size_t at = 0; at < formula.size();) {
    const std::string_view word = word_at(formula, at);
    const auto found = std::find_if(numbers.begin(), numbers.end(),
                                    [&](const NamedNumber& number) { return number.name == word; });
    text += found == numbers.end() ? std::string(word) : fmt::format("({})", found->value);
    at += word.size();
  }
  return text;
}

}  // namespace oloid::formula
