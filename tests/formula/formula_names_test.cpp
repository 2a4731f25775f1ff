#include "oloid/formula/formula_names.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "oloid/formula/expression.h"
#include "support/rooms.h"

namespace oloid::test::formula_names_test {

TEST(FormulaNames, KnowWhatEveryFormulaHas) {
  for (const char* word : {"pi", "e", "sin", "sqrt", "atan2", "pow", "min", "max", "hypot", "acos"})
    EXPECT_TRUE(is_formula_word(word)) << word;
  for (const char* word : {"r", "x", "radius", "sinus", "", "1", "(1)", "-1", "pi/2"})
    EXPECT_FALSE(is_formula_word(word)) << word;
  for (const char* name : {"r", "ball_radius", "_", "R2"}) EXPECT_TRUE(is_formula_name(name));
  for (const char* name : {"", "2r", "ball.radius", "my r", "größe"})
    EXPECT_FALSE(is_formula_name(name)) << name;
}

TEST(FormulaNames, AreFoundInFormulas) {
  EXPECT_EQ(names_in("a + ab*sin(1e3*x) - a.x"),
            (std::vector<std::string_view>{"a", "ab", "sin", "x", "a.x"}));
  EXPECT_TRUE(names_in("").empty());
  EXPECT_TRUE(names_in("1e5 * (2 + .5)").empty());
}

TEST(FormulaNames, PutNumbersInThePlaceOfNames) {
  const std::array<NamedNumber, 3> numbers{{{"a", 2}, {"ab", -0.1}, {"e1", 1e300}}};
  EXPECT_EQ(with_numbers("a + ab*a1 - a.x", numbers), "(2) + (-0.1)*a1 - a.x");
  // The exponents of numbers are no names.
  EXPECT_EQ(with_numbers("1e1*e1 + 2.5e-1 + .5E+1", numbers), "1e1*(1e+300) + 2.5e-1 + .5E+1");
  EXPECT_EQ(with_numbers("", numbers), "");
  EXPECT_EQ(with_numbers("\xC3\xBC[", numbers), "\xC3\xBC[");
}

// The same value as if the names were variables.
TEST(FormulaNames, KeepTheValueOfFormulas) {
  constexpr std::array<std::string_view, 3> kAll{"p", "q", "x"};
  constexpr std::array<std::string_view, 1> kX{"x"};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-3, 3);
  for (const char* text : {"p*x + q", "x^2/p - sin(q*x)", "-p^2 + max(q, x, p)", "(p - q)*(x+1e-3)",
                           "hypot(p, q)*exp(-x)/(2+p*p)"}) {
    for (int i = 0; i < 100; ++i) {
      const std::array<NamedNumber, 2> numbers{{{"p", number(random)}, {"q", number(random)}}};
      const std::array values{numbers[0].value, numbers[1].value, number(random)};
      const auto open = Expression::parse(text, kAll);
      const auto closed = Expression::parse(with_numbers(text, numbers), kX);
      ASSERT_TRUE(open && closed) << text;
      const double expected = (*open)(values);
      EXPECT_NEAR((*closed)(std::array{values[2]}), expected, 1e-14 * (1 + std::abs(expected)))
          << closed->text();
    }
  }
}

}  // namespace oloid::test::formula_names_test
