// Any bytes are a formula or an error; formulas can be evaluated for all scalars.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "oloid/base/interval.h"
#include "oloid/base/second_order.h"
#include "oloid/formula/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oloid::formula;
  constexpr std::array<std::string_view, 3> kXyz{"x", "y", "z"};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Expression> e = Expression::parse(text, kXyz);
  if (!e) {
    const int column = e.error().place.column;
    if (column < 1 || column > static_cast<int>(size) + 1 || e.error().remedy.empty()) std::abort();
    return 0;
  }
  if (e->text() != text || e->stack() > Expression::kMaxStack) std::abort();
  (*e)(std::array{0.3, -1.7, 2.5});
  using D = SecondOrder<double, 3>;
  (*e)(std::array{D::variable(0.3, 0), D::variable(-1.7, 1), D::variable(2.5, 2)});
  using B = Dual<Interval, 3>;
  const B bound = (*e)(std::array{B::variable(Interval(-1, 1), 0), B::variable(Interval(-2, 0), 1),
                                  B::variable(Interval(1, 3), 2)});
  if (!(bound.v.low <= bound.v.high)) std::abort();
  for (const Interval& d : bound.d)
    if (!(d.low <= d.high)) std::abort();
  return 0;
}
