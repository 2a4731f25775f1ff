// Formulas of a scene; errors are reported with their place.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "oloid/formula/expression.h"
#include "oloid/scene/spec.h"
#include "oloid/world/compile/error_list.h"

namespace oloid::world {

Result<Expression> compile_formula(const std::string& text, const Place& place,
                                   std::span<const std::string_view> variables);

// One for each axis; all errors are reported.
Result<std::array<Expression, 3>, Errors> compile_formulas(
    const FormulasSpec& given, std::span<const std::string_view> variables);

// Refuses a formula that depends only on t if it, or one of its first `derivatives` derivatives,
// has a pole or is undefined at some time of the run after the start.
void refuse_singularity(const Expression& formula, const Place& place, int derivatives,
                        double t_end, ErrorList& errors);

// The place of an item in a list.
Place item_of(Place list, std::size_t item);

}  // namespace oloid::world
