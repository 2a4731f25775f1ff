#include "oloid/world/compile/compile_formula.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "oloid/formula/singularity.h"

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

void refuse_singularity(const Expression& formula, const Place& place, int derivatives,
                        double t_end, ErrorList& errors) {
  for (std::size_t i = 0; i < formula.variables().size(); ++i) {
    if (formula.uses(i) != (formula.variables()[i] == "t")) return;
  }
  if (!(t_end > 0) || !std::isfinite(t_end)) return;
  const auto t = first_singularity(formula, derivatives, 0, t_end);
  if (!t || *t < 1e-9 * t_end) return;
  const std::string_view what = derivatives == 0   ? "the formula is"
                                : derivatives == 1 ? "the formula or its first derivative is"
                                                   : "the formula or one of its first two "
                                                     "derivatives is";
  errors.refuse(place, fmt::format("{} not finite at t = {:.9g} s", what, *t),
                "avoid the pole, or let the run end before it");
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
