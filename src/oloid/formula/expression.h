// Formulas such as "x^2/4 + y^4 + z^2 - 1", read from text and evaluated for any scalar.
//
// Numbers, variables named by the caller, pi and e; + - * / and ^, which binds first, from the
// right, and before a sign: -x^2 is -(x^2). Functions: sqrt exp log sin cos tan asin acos atan sinh
// cosh tanh abs, atan2 pow, and with two or more arguments min max hypot. Nothing else is ever run.
//
// A formula becomes a postfix program. Subformulas without variables are computed once, in double.
// Powers with a constant whole exponent are products: defined for negative bases, and smooth at 0.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/contract.h"
#include "oloid/base/dual.h"
#include "oloid/base/result.h"
#include "oloid/base/second_order.h"

namespace oloid::formula {

class Expression {
 public:
  static constexpr std::size_t kMaxOperations = 1000;
  static constexpr std::size_t kMaxStack = 64;     // intermediate results at a time
  static constexpr int kMaxNesting = 200;          // parentheses, signs and exponents
  static constexpr std::size_t kMaxText = 20'000;  // characters
  static constexpr int kMaxWholePower = 1024;      // beyond, powers are those of the C library

  // Names of variables come before those of constants. Errors name the column, counted from 1.
  static Result<Expression> parse(std::string_view text,
                                  std::span<const std::string_view> variables);

  // The same with any names: each that is neither a constant nor a function is a variable, in the
  // order of first use. variables() tells which there are.
  static Result<Expression> parse_with_any_names(std::string_view text);

  // One value for each variable, in the order of parse(). No allocation. S is double, a Dual, a
  // Pack or an Interval, or made of them.
  template <class S>
  S operator()(std::span<const S> values) const;
  template <class S, std::size_t N>
  S operator()(const std::array<S, N>& values) const {
    return (*this)(std::span<const S>(values));
  }

  const std::string& text() const { return text_; }
  const std::vector<std::string>& variables() const { return variables_; }  // as given to parse()
  bool uses(std::size_t variable) const { return used_[variable]; }
  bool has_kinks() const;  // abs, min or max: not smooth where they change over
  std::size_t operations() const { return program_.size(); }
  std::size_t stack() const { return stack_; }

 private:
  enum class Operation : unsigned char {
    constant,
    variable,
    // of two
    plus,
    minus,
    times,
    over,
    power,
    arctangent_of_two,
    hypotenuse,
    minimum,
    maximum,
    // of one and a number
    plus_constant,
    times_constant,
    over_constant,
    constant_minus,
    constant_over,
    whole_power,
    real_power,
    // of one
    negative,
    square_root,
    exponential,
    logarithm,
    sine,
    cosine,
    tangent,
    arcsine,
    arccosine,
    arctangent,
    hyperbolic_sine,
    hyperbolic_cosine,
    hyperbolic_tangent,
    absolute,
  };
  struct Instruction {
    Operation operation;
    int index = 0;        // of a variable; a whole exponent
    double constant = 0;  // the number
  };
  class Parser;

  Expression() = default;
  template <std::size_t Stack, class S>
  static S run(std::span<const Instruction> program, std::span<const S> values);

  std::string text_;
  std::vector<std::string> variables_;
  std::vector<bool> used_;
  std::vector<Instruction> program_;
  std::size_t stack_ = 0;
};

template <class S>
S Expression::operator()(std::span<const S> values) const {
  OLOID_EXPECT(values.size() >= variables_.size());
  // Clearing the stack is a good part of the work: take no more than needed, for the scalars that
  // matter; each size takes its time to compile.
  if constexpr (sizeof(S) <= 10 * sizeof(double)) {
    if (stack_ <= 4) return run<4>(std::span<const Instruction>(program_), values);
  }
  if (stack_ <= 16) return run<16>(std::span<const Instruction>(program_), values);
  return run<kMaxStack>(std::span<const Instruction>(program_), values);
}

template <std::size_t Stack, class S>
S Expression::run(std::span<const Instruction> program, std::span<const S> values) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
      std::hypot, std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan,
      std::tanh;
  std::array<S, Stack> stack;
  std::size_t size = 0;
  for (const Instruction& step : program) {
    if (step.operation == Operation::constant) {
      stack[size++] = S(step.constant);
      continue;
    }
    if (step.operation == Operation::variable) {
      stack[size++] = values[static_cast<std::size_t>(step.index)];
      continue;
    }
    if (step.operation <= Operation::maximum) {
      --size;
      S& a = stack[size - 1];
      const S& b = stack[size];
      switch (step.operation) {
        case Operation::plus:
          a = a + b;
          break;
        case Operation::minus:
          a = a - b;
          break;
        case Operation::times:
          a = a * b;
          break;
        case Operation::over:
          a = a / b;
          break;
        case Operation::power:
          a = pow(a, b);
          break;
        case Operation::arctangent_of_two:
          a = atan2(a, b);
          break;
        case Operation::hypotenuse:
          a = hypot(a, b);
          break;
        case Operation::minimum:
          a = min(a, b);
          break;
        default:
          a = max(a, b);
          break;
      }
      continue;
    }
    S& a = stack[size - 1];
    switch (step.operation) {
      case Operation::plus_constant:
        a = a + step.constant;
        break;
      case Operation::times_constant:
        a = a * step.constant;
        break;
      case Operation::over_constant:
        a = a / step.constant;
        break;
      case Operation::constant_minus:
        a = step.constant - a;
        break;
      case Operation::constant_over:
        a = step.constant / a;
        break;
      case Operation::whole_power:
        a = whole_power(a, step.index);
        break;
      case Operation::real_power:
        a = pow(a, step.constant);
        break;
      case Operation::negative:
        a = -a;
        break;
      case Operation::square_root:
        a = sqrt(a);
        break;
      case Operation::exponential:
        a = exp(a);
        break;
      case Operation::logarithm:
        a = log(a);
        break;
      case Operation::sine:
        a = sin(a);
        break;
      case Operation::cosine:
        a = cos(a);
        break;
      case Operation::tangent:
        a = tan(a);
        break;
      case Operation::arcsine:
        a = asin(a);
        break;
      case Operation::arccosine:
        a = acos(a);
        break;
      case Operation::arctangent:
        a = atan(a);
        break;
      case Operation::hyperbolic_sine:
        a = sinh(a);
        break;
      case Operation::hyperbolic_cosine:
        a = cosh(a);
        break;
      case Operation::hyperbolic_tangent:
        a = tanh(a);
        break;
      default:
        a = abs(a);
        break;
    }
  }
  return stack[0];
}

// Compiled once, in expression.cpp.
extern template double Expression::operator()(std::span<const double>) const;
extern template SecondOrder<double, 3> Expression::operator()(
    std::span<const SecondOrder<double, 3>>) const;

}  // namespace oloid::formula
