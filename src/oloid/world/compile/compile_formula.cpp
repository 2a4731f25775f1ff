#include "oloid/world/compile/compile_formula.h"

#include <fmt/format.h>

#include <optional>

namespace oloid::world {

Place item_of(Place list, std::size_t item) {
  list.path += fmt::format("[{}]", item);
  return list;
}

Result<Expression> compile_formula(const std::string& text, const Place& place,
                                   std::span<const std::string_view> variables) {
  auto formula = Expression::parse(text, variables);
  if (formula) return formula;
  Error error = formula.error();
  error.place = place;
  return Unexpected{error};
}

Result<std::array<Expression, 3>, Errors> compile_formulas(
    const FormulasSpec& given, std::span<const std::string_view> variables) {
  Errors errors;
  std::array<std::optional<Expression>, 3> made;
  for (std::size_t i = 0; i < 3; ++i) {
    auto formula = compile_formula(given.value[i], item_of(given.place, i), variables);
    if (formula) {
      made[i] = *std::move(formula);
    } else {
      errors.push_back(formula.error());
    }
  }
  if (!errors.empty()) return Unexpected{errors};
  return std::array<Expression, 3>{*std::move(made[0]), *std::move(made[1]), *std::move(made[2])};
}

}  // namespace oloid::world
