// Where a formula that uses one variable is not bounded, or not defined: poles, ends of its domain.
#pragma once

#include <optional>

#include "oloid/formula/expression.h"

namespace oloid::formula {

// The first place in [from, to] where the formula or one of its first derivatives (0 to 2 of them)
// grows without bound or is not a number. Intervals prove where none is; where they cannot, values
// nearby decide, so that what can be removed (sin(t)/t) or is weak (|t|^1.5) does not count.
std::optional<double> first_singularity(const Expression& formula, int derivatives, double from,
                                        double to);

}  // namespace oloid::formula
