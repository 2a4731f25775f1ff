#include "oloid/formula/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "laws/difference.h"
#include "laws/random.h"
#include "oloid/base/interval.h"
#include "oloid/base/pack.h"
#include "oloid/base/second_order.h"
#include "support/rooms.h"

namespace oloid::test::expression_test {

constexpr std::array<std::string_view, 3> kXyz{"x", "y", "z"};
constexpr std::array<double, 3> kHere{0.3, -1.7, 2.5};

Expression parsed(const std::string& text) {
  Result<Expression> e = Expression::parse(text, kXyz);
  EXPECT_TRUE(e.has_value()) << text << ": " << (e ? "" : to_string(e.error()));
  return e ? std::move(e).value() : Expression::parse("0", kXyz).value();
}

TEST(Expression, TakesAnyNamesIfAsked) {
  const auto e = Expression::parse_with_any_names("2 * ball.z + t - ball.z^2 * max(pi, a.b_2.c)");
  ASSERT_TRUE(e);
  EXPECT_EQ(e->variables(), (std::vector<std::string>{"ball.z", "t", "a.b_2.c"}));
  EXPECT_EQ((*e)(std::array<double, 3>{3, 5, 7}), 2 * 3 + 5 - 9 * 7);
  // Constants and functions keep their meaning.
  EXPECT_TRUE(Expression::parse_with_any_names("e + pi")->variables().empty());
  EXPECT_FALSE(Expression::parse_with_any_names("sin"));
  const auto unknown = Expression::parse_with_any_names("1 + squrt(x)");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "column 5: unknown name \"squrt\"");
  EXPECT_NE(unknown.error().remedy.find("did you mean \"sqrt\"?"), std::string::npos);
}

TEST(Expression, ComputesWhatIsWritten) {
  const auto [x, y, z] = kHere;
  const std::pair<const char*, double> cases[] = {
      {"1", 1},
      {" 1.5e2 ", 150},
      {".5", 0.5},
      {"5.", 5},
      {"1E-3", 1e-3},
      {"2e", NAN},  // not a number: 2 e
      {"x", x},
      {"pi", std::numbers::pi},
      {"e", std::numbers::e},
      {"x + y - z", x + y - z},
      {"x - y - z", x - y - z},
      {"x - (y - z)", x - (y - z)},
      {"x * y / z", x * y / z},
      {"x / y * z", x / y * z},
      {"x / (y * z)", x / (y * z)},
      {"x + y * z", x + y * z},
      {"(x + y) * z", (x + y) * z},
      {"2 - x", 2 - x},
      {"2 / x", 2 / x},
      {"2 * x + 3", 2 * x + 3},
      {"x - 2", x - 2},
      {"x / 3", x / 3},
      {"-x^2", -(x * x)},
      {"(-x)^2", x * x},
      {"2^3^2", 512},
      {"(2^3)^2", 64},
      {"2^-1", 0.5},
      {"-2^2", -4},
      {"--x", x},
      {"+-+x", -x},
      {"x*-y", x * -y},
      {"y^3", y * y * y},
      {"y^-2", 1 / (y * y)},
      {"z^0", 1},
      {"0^0", 1},
      {"z^2.5", std::pow(z, 2.5)},
      {"2^z", std::pow(2, z)},
      {"z^x", std::pow(z, x)},
      {"pow(y, 3)", y * y * y},
      {"sqrt(z)", std::sqrt(z)},
      {"exp(x)", std::exp(x)},
      {"log(z)", std::log(z)},
      {"sin(x) + cos(y) + tan(z)", std::sin(x) + std::cos(y) + std::tan(z)},
      {"asin(x) + acos(x) + atan(z)", std::asin(x) + std::acos(x) + std::atan(z)},
      {"sinh(x) + cosh(y) + tanh(z)", std::sinh(x) + std::cosh(y) + std::tanh(z)},
      {"atan2(y, x)", std::atan2(y, x)},
      {"atan2(-1, 1)", std::atan2(-1, 1)},
      {"abs(y)", -y},
      {"min(x, y)", y},
      {"max(x, y, z)", z},
      {"max(1, 2, 3)", 3},
      {"min(3, x, 1, 2)", x},
      {"hypot(x, y)", std::hypot(x, y)},
      {"hypot(x, y, z)", std::hypot(std::hypot(x, y), z)},
      {"\tx\n+\r1", x + 1},
      {"sin(pi / 6) * 2", std::sin(std::numbers::pi / 6) * 2},
      {"x^2/4 + y^4 + z^2 - 1", x * x / 4 + y * y * (y * y) + z * z - 1},
  };
  for (const auto& [text, value] : cases) {
    if (std::isnan(value)) {
      EXPECT_FALSE(Expression::parse(text, kXyz).has_value()) << text;
      continue;
    }
    const Expression e = parsed(text);
    EXPECT_EQ(e(kHere), value) << text;
    EXPECT_EQ(e.text(), text);
  }
}

TEST(Expression, KnowsItsVariables) {
  const Expression e = parsed("x + 2 * z - x");
  EXPECT_TRUE(e.uses(0));
  EXPECT_FALSE(e.uses(1));
  EXPECT_TRUE(e.uses(2));
  EXPECT_EQ(e.variables(), (std::vector<std::string>{"x", "y", "z"}));
  // Any names, also with points; they come before constants.
  const std::array<std::string_view, 3> names{"e", "ball.v_x", "t2"};
  const auto own = Expression::parse("e + ball.v_x * t2", names);
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ((*own)(std::array{1.0, 2.0, 3.0}), 7);
  EXPECT_EQ((*Expression::parse("2 * pi", {}))(std::span<const double>{}), 2 * std::numbers::pi);
}

TEST(Expression, ConstantsAreComputedOnce) {
  EXPECT_EQ(parsed("2 * pi * (1 + sqrt(4)) / max(1, 3)").operations(), 1U);
  EXPECT_EQ(parsed("2 * pi * x").operations(), 2U);
  EXPECT_EQ(parsed("x^2/4 + y^4 + z^2 - 1").operations(), 10U);
  EXPECT_EQ(parsed("x^2/4 + y^4 + z^2 - 1").stack(), 2U);
}

void expect_error(const std::string& text, int column, const std::string& message,
                  const std::string& remedy) {
  const auto e = Expression::parse(text, kXyz);
  ASSERT_FALSE(e.has_value()) << text;
  EXPECT_EQ(e.error().place.column, column) << text;
  EXPECT_EQ(e.error().message, "column " + std::to_string(column) + ": " + message) << text;
  EXPECT_EQ(e.error().remedy, remedy) << text;
}

TEST(Expression, ErrorsNameColumnAndRemedy) {
  const std::string operand = "a number, a name or ( is expected";
  expect_error("", 1, "the formula is empty", "write an expression such as 2 * (x + 1)");
  expect_error("  ", 1, "the formula is empty", "write an expression such as 2 * (x + 1)");
  expect_error("x +", 4, "the formula ends where " + operand, "complete it");
  expect_error("x + * y", 5, "* where " + operand, "specify both operands");
  expect_error("x y", 3, "\"y\" is not preceded by an operator",
               "write products with *, like 2 * x");
  expect_error("2x", 2, "\"x\" is not preceded by an operator",
               "write products with *, like 2 * x");
  expect_error("2(x)", 2, "\"(\" is not preceded by an operator",
               "write products with *, like 2 * x");
  expect_error("x(3)", 2, "\"(\" is not preceded by an operator",
               "write products with *, like 2 * x");
  expect_error("x**2", 2, "** is not an operator", "write ^ for powers");
  expect_error("x + (y", 5, "( without matching )", "add ) where the subexpression ends");
  expect_error("x + y)", 6, ") without matching (", "remove it, or add ( before it");
  expect_error("()", 2, ") where " + operand, "complete the expression before it");
  expect_error("sni(x)", 1, "unknown name \"sni\"", "did you mean \"sin\"?");
  expect_error("1 + Sqrt(x)", 5, "unknown name \"Sqrt\"", "did you mean \"sqrt\"?");
  expect_error("x + w", 5, "unknown name \"w\"", "available variables: x, y, z; constants: pi, e");
  expect_error("sin x", 1, "the function sin is used without arguments", "write sin(a)");
  expect_error("sin()", 1, "sin takes 1 argument but has 0", "write sin(a)");
  expect_error("sin(x, y)", 1, "sin takes 1 argument but has 2", "write sin(a)");
  expect_error("z + atan2(x)", 5, "atan2 takes 2 arguments but has 1", "write atan2(a, b)");
  expect_error("atan2(1, 2, 3)", 1, "atan2 takes 2 arguments but has 3", "write atan2(a, b)");
  expect_error("max(x)", 1, "max takes 2 or more arguments but has 1", "write max(a, b, ...)");
  expect_error("max(x, y", 4, "( without matching )", "add ) where the subexpression ends");
  expect_error("1,5 * x", 2, "comma outside the arguments of a function",
               "only functions such as atan2(y, x) take commas; write decimals with a point");
  expect_error("x = 1", 3, "\"=\" is not an operator", "write f for f = 0 and for f <= 0");
  expect_error("x $ y", 3, "unexpected \"$\"",
               "formulas consist of numbers, names, + - * / ^ ( ) and commas");
  expect_error("x²", 2, "not a printable ASCII character (byte 0xC2)",
               "formulas consist of numbers, names, + - * / ^ ( ) and commas");
  expect_error("1e999 + x", 1, "\"1e999\" cannot be represented as a double",
               "use magnitudes from 1e-307 to 1e308");
  expect_error("x + 1/0", 5, "\"1/0\" is not a finite number", "correct the formula");
  expect_error("x + sqrt(1 - 2)", 5, "\"sqrt(1 - 2)\" is not a finite number",
               "correct the formula");
  expect_error("0^-1", 1, "\"0^-1\" is not a finite number", "correct the formula");
  expect_error(std::string("x\0+y", 4), 2, "not a printable ASCII character (byte 0x00)",
               "formulas consist of numbers, names, + - * / ^ ( ) and commas");
  const auto none = Expression::parse("a", {});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().remedy,
            "no variables are available here, only numbers, pi, e and functions");
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Expression, RefusesWhatIsTooLarge) {
  const auto message = [](const std::string& text) {
    const auto e = Expression::parse(text, kXyz);
    if (e) return std::string();
    return e.error().message.substr(e.error().message.find(": ") + 2);
  };
  const std::string nested = "more than 200 nested parentheses, signs and exponents";
  EXPECT_EQ(message(repeated("(", 90) + "x" + repeated(")", 90)), "");
  EXPECT_EQ(message(repeated("(", 5000) + "x"), nested);
  EXPECT_EQ(message(repeated("-", 5000) + "x"), nested);
  EXPECT_EQ(message(repeated("x^", 5000) + "x"), nested);
  EXPECT_EQ(message(repeated("sin(", 4000) + "x"), nested);
  EXPECT_EQ(message(repeated("x+", 499) + "x"), "");
  EXPECT_EQ(message(repeated("x+", 501) + "x"), "more than 1000 operations");
  EXPECT_EQ(message(repeated("x*(y+", 40) + "x" + repeated(")", 40)),
            "the formula needs 81 intermediate results at a time");
  EXPECT_EQ(message(repeated(" ", 20001)), "the formula has 20001 characters");
}

// A random formula with the function that it means.
struct Formula {
  std::string text;
  std::function<double(const std::array<double, 3>&)> f;
};
Formula random_formula(Random& random, int depth) {
  using Values = std::array<double, 3>;
  const auto pick = [&](int n) { return static_cast<int>(random(0, n)); };
  if (depth == 0 || random(0, 1) < 0.1) {
    if (pick(4) == 0) {
      const double c = pick(64) / 16.0;
      return {std::to_string(c), [c](const Values&) { return c; }};
    }
    const auto i = static_cast<std::size_t>(pick(3));
    return {std::string(kXyz[i]), [i](const Values& v) { return v[i]; }};
  }
  const Formula a = random_formula(random, depth - 1), b = random_formula(random, depth - 1);
  const auto f = a.f, g = b.f;
  switch (pick(13)) {
    case 0:
      return {"(" + a.text + " + " + b.text + ")", [=](auto& v) { return f(v) + g(v); }};
    case 1:
      return {"(" + a.text + "-" + b.text + ")", [=](auto& v) { return f(v) - g(v); }};
    case 2:
      return {"(" + a.text + "*" + b.text + ")", [=](auto& v) { return f(v) * g(v); }};
    case 3:
      return {"(" + a.text + ")/(1.5+(" + b.text + ")^2)",
              [=](auto& v) { return f(v) / (g(v) * g(v) + 1.5); }};
    case 4:
      return {"(-" + a.text + ")", [=](auto& v) { return -f(v); }};
    case 5:
      return {"sin(" + a.text + ")", [=](auto& v) { return std::sin(f(v)); }};
    case 6:
      return {"tanh(" + a.text + ")", [=](auto& v) { return std::tanh(f(v)); }};
    case 7:
      return {"hypot(" + a.text + ", " + b.text + ")",
              [=](auto& v) { return std::hypot(f(v), g(v)); }};
    case 8:
      return {"cos(" + a.text + ")", [=](auto& v) { return std::cos(f(v)); }};
    case 9:
      return {"max(" + a.text + "," + b.text + ")", [=](auto& v) { return std::max(f(v), g(v)); }};
    case 10:
      return {"abs(" + a.text + ")", [=](auto& v) { return std::abs(f(v)); }};
    case 11:
      return {"atan(" + a.text + ")", [=](auto& v) { return std::atan(f(v)); }};
    default:
      return {"((" + a.text + ")^3)", [=](auto& v) {
                const double x = f(v);
                return x * (x * x);
              }};
  }
}
TEST(Expression, AgreesWithTheFunctionItMeans) {
  for_random_cases(500, [](Random& random) {
    const Formula formula = random_formula(random, 4);
    const Expression e = parsed(formula.text);
    const Vec3<double> p = random.vector<3>(-2, 2);
    const std::array<double, 3> v{p.x(), p.y(), p.z()};
    // Products of three factors and sums with constants may be taken in another order.
    const double expected = formula.f(v);
    EXPECT_LE(difference(e(v), expected), 1e-11 * (1 + std::abs(expected))) << formula.text;
  });
}

TEST(Expression, ScalarsAgree) {
  for_random_cases(300, [](Random& random) {
    const Expression e = parsed(random_formula(random, 4).text);
    using D = Dual<double, 3>;
    using DD = SecondOrder<double, 3>;
    using P = Pack<4>;
    const Vec3<double> p = random.vector<3>(-2, 2);
    std::array<double, 3> v;
    std::array<D, 3> d;
    std::array<Dual<D, 3>, 3> nested;
    std::array<DD, 3> second;
    std::array<P, 3> wide;
    std::array<Interval, 3> box;
    for (int i = 0; i < 3; ++i) {
      const auto k = static_cast<std::size_t>(i);
      v[k] = p(i);
      d[k] = D::variable(p(i), i);
      nested[k] = Dual<D, 3>::variable(d[k], i);
      second[k] = DD::variable(p(i), i);
      wide[k] = P::generate([&](std::size_t l) { return p(i) + 0.1 * static_cast<double>(l); });
      box[k] = Interval(p(i) - random(0, 0.1), p(i) + random(0, 0.1));
    }
    const double f = e(v);
    const DD at = e(second);
    const Dual<D, 3> twice = e(nested);
    const double scale = 1 + std::abs(f);
    EXPECT_LE(difference(e(d).v, f), 1e-12 * scale) << e.text();
    EXPECT_LE(difference(at.v, f), 1e-12 * scale) << e.text();
    EXPECT_EQ(e(wide)[0], f) << e.text();
    EXPECT_TRUE(e(box).contains(f)) << e.text();
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(difference(at.d[i], twice.v.d[i]), 1e-11 * (1 + std::abs(at.d[i]))) << e.text();
      for (int j = 0; j < 3; ++j) {
        const double h = twice.d[i].d[j];
        // hypot(0, 0), where a formula hits it, has no derivative.
        if (!std::isfinite(h)) continue;
        EXPECT_LE(difference(at.hessian(i, j), h), 1e-9 * (1 + std::abs(h))) << e.text();
      }
    }
  });
}

TEST(Expression, RandomPolynomials) {
  for_random_cases(200, [](Random& random) {
    std::string text;
    for (int term = 0; term < 8; ++term) {
      text += (term ? " + " : "") + std::to_string(random(-1, 1));
      for (const std::string_view x : kXyz) {
        const int n = static_cast<int>(random(0, 4));
        if (n > 0) text += " * " + std::string(x) + "^" + std::to_string(n);
      }
    }
    const Expression e = parsed(text);
    using D = Dual<double, 3>;
    using DI = Dual<Interval, 3>;
    const Vec3<double> p = random.vector<3>(-1, 1);
    const auto at = [&](const Vec3<double>& q) { return e(std::array{q.x(), q.y(), q.z()}); };
    const auto slopes = [&](const Vec3<double>& q) {
      return e(std::array{D::variable(q.x(), 0), D::variable(q.y(), 1), D::variable(q.z(), 2)});
    };
    const double r = random(0, 0.3);
    std::array<DI, 3> box;
    for (int i = 0; i < 3; ++i)
      box[static_cast<std::size_t>(i)] = DI::variable(Interval(p(i) - r, p(i) + r), i);
    const DI bound = e(box);
    const D here = slopes(p);
    const double h = 1e-5;  // central differences: h² from the method, 1e-16 / h from round-off
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> step = h * Vec3<double>::Unit(i);
      EXPECT_NEAR((at(p + step) - at(p - step)) / (2 * h), here.d[i], 1e-8) << text;
    }
    for (int k = 0; k < 20; ++k) {
      const Vec3<double> q = p + r * random.vector<3>(-1, 1);
      EXPECT_TRUE(bound.v.contains(at(q))) << text;
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(bound.d[i].contains(slopes(q).d[i])) << text;
    }
  });
}

// Whatever is typed gives a formula or an error with a column in the text.
TEST(Expression, SurvivesMutations) {
  const std::vector<std::string> seeds{"x^2/4 + y^4 + z^2 - 1", "sin(x) * exp(-y) + hypot(x, y, z)",
                                       "-(1.5e-3 + pow(x, 2.5)) / max(x, y, pi)",
                                       "atan2(y, x) - log(abs(z) + e)"};
  const std::string letters = "xyz0123456789.+-*/^(), episncotaqrth\t\xC2\xB2=$";
  for_random_cases(3000, [&](Random& random) {
    const auto pick = [&](std::size_t n) {
      return static_cast<std::size_t>(random(0, static_cast<double>(n)));
    };
    std::string text = seeds[pick(seeds.size())];
    const std::size_t changes = 1 + pick(6);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
      const std::size_t at = pick(text.size());
      switch (pick(4)) {
        case 0:
          text[at] = letters[pick(letters.size())];
          break;
        case 1:
          text.insert(at, 1, letters[pick(letters.size())]);
          break;
        case 2:
          text.erase(at, 1 + pick(3));
          break;
        default:
          text.insert(at, text.substr(pick(text.size()), pick(8)));
          break;
      }
    }
    const auto e = Expression::parse(text, kXyz);
    if (e) {
      (*e)(kHere);
      const Interval all = (*e)(std::array{Interval(-1, 1), Interval(-2, 0), Interval(1, 3)});
      EXPECT_LE(all.low, all.high) << text;
    } else {
      EXPECT_GE(e.error().place.column, 1) << text;
      EXPECT_LE(e.error().place.column, static_cast<int>(text.size()) + 1) << text;
      EXPECT_NE(e.error().remedy, "") << text;
    }
  });
}

}  // namespace oloid::test::expression_test
