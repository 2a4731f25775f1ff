#include "oloid/formula/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "oloid/base/did_you_mean.h"
#include "oloid/formula/characters.h"

namespace oloid::formula {
namespace {

// What strtod would read in the "C" locale; nothing if a double cannot hold it.
std::optional<double> to_number(const std::string& digits) {
  double value = 0;
#ifdef __cpp_lib_to_chars
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{}) return std::nullopt;
#else
  value = std::strtod(digits.c_str(), nullptr);
#endif
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Text for messages: long ones are cut, what is no printable ASCII is replaced.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string result = "\"";
  for (const char c : text.substr(0, kMost)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > kMost ? "...\"" : "\"");
}

}  // namespace

// Recursive descent:
//   sum     = product { ("+" | "-") product }
//   product = signed { ("*" | "/") signed }
//   signed  = ("-" | "+") signed | power
//   power   = primary [ "^" signed ]
//   primary = number | name | name "(" sum { "," sum } ")" | "(" sum ")"
// The first error stops it: every function gives up as soon as there is one.
class Expression::Parser {
 public:
  Parser(std::string_view text, std::span<const std::string_view> variables, bool any_names)
      : text_(text),
        variables_(variables.begin(), variables.end()),
        used_(variables.size()),
        any_names_(any_names) {}

  Result<Expression> parse() {
    if (text_.size() > kMaxText) {
      fail(0, fmt::format("the formula has {} characters", text_.size()),
           fmt::format("at most {} are allowed", kMaxText));
    } else if (at_end()) {
      fail(0, "the formula is empty", "write an expression such as 2 * (x + 1)");
    } else {
      sum();
      if (!error_ && !at_end()) unexpected();
    }
    if (!error_ && stack() > kMaxStack) {
      fail(0, fmt::format("the formula needs {} intermediate results at a time", stack()),
           fmt::format("at most {} are allowed; write long chains from the left, like a + b + c",
                       kMaxStack));
    }
    if (error_) return Unexpected{*error_};
    Expression e;
    e.text_ = text_;
    e.variables_.assign(variables_.begin(), variables_.end());
    e.used_ = used_;
    e.stack_ = stack();
    e.program_ = std::move(program_);
    return e;
  }

 private:
  struct Function {
    std::string_view name;
    Operation operation;
    int arguments;
    bool or_more;
  };
  static constexpr Function kFunctions[] = {
      {"sqrt", Operation::square_root, 1, false},
      {"exp", Operation::exponential, 1, false},
      {"log", Operation::logarithm, 1, false},
      {"sin", Operation::sine, 1, false},
      {"cos", Operation::cosine, 1, false},
      {"tan", Operation::tangent, 1, false},
      {"asin", Operation::arcsine, 1, false},
      {"acos", Operation::arccosine, 1, false},
      {"atan", Operation::arctangent, 1, false},
      {"atan2", Operation::arctangent_of_two, 2, false},
      {"abs", Operation::absolute, 1, false},
      {"min", Operation::minimum, 2, true},
      {"max", Operation::maximum, 2, true},
      {"tanh", Operation::hyperbolic_tangent, 1, false},
      {"sinh", Operation::hyperbolic_sine, 1, false},
      {"cosh", Operation::hyperbolic_cosine, 1, false},
      {"hypot", Operation::hypotenuse, 2, true},
      {"pow", Operation::power, 2, false},
  };
  struct Constant {
    std::string_view name;
    double value;
  };
  static constexpr Constant kConstants[] = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};

  // Where an operand begins, in the program and in the text.
  struct Operand {
    std::size_t code, text;
  };
  Operand here() {
    peek();
    return {program_.size(), at_};
  }

  // The next character that is no space; at the end '\0', which may also be in the text.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r')))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool at_end() {
    peek();
    return at_ == text_.size();
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void fail(std::size_t at, const std::string& what, std::string remedy) {
    if (error_) return;
    int column = 1;  // characters, not bytes of UTF-8
    for (const char c : text_.substr(0, at))
      column += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    Place place;
    place.column = column;
    error_ = Error{place, fmt::format("column {}: {}", column, what), std::move(remedy)};
  }

  // Something stands where an operator or the end should be, or an operand.
  void unexpected(bool operand = false) {
    const char c = peek();
    if (at_end()) {
      fail(at_, "the formula ends where a number, a name or ( is expected", "complete it");
    } else if (c == '*' && at_ > 0 && text_[at_ - 1] == '*') {
      fail(at_ - 1, "** is not an operator", "write ^ for powers");
    } else if (!operand && (is_letter(c) || is_digit(c) || c == '(' || c == '.')) {
      fail(at_, fmt::format("{} is not preceded by an operator", quoted(word())),
           "write products with *, like 2 * x");
    } else if (c == ')') {
      fail(at_, operand ? ") where a number, a name or ( is expected" : ") without matching (",
           operand ? "complete the expression before it" : "remove it, or add ( before it");
    } else if (c == ',') {
      fail(at_, "comma outside the arguments of a function",
           "only functions such as atan2(y, x) take commas; write decimals with a point");
    } else if (c == '=' || c == '<' || c == '>') {
      fail(at_, fmt::format("{} is not an operator", quoted(text_.substr(at_, 1))),
           "write f for f = 0 and for f <= 0");
    } else if (operand && (c == '*' || c == '/' || c == '^')) {
      fail(at_, fmt::format("{} where a number, a name or ( is expected", c),
           "specify both operands");
    } else {
      std::size_t end = at_ + 1;  // all bytes of a character
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
      const bool printable = c >= ' ' && c <= '~';
      fail(at_,
           printable ? fmt::format("unexpected {}", quoted(text_.substr(at_, 1)))
                     : fmt::format("not a printable ASCII character (byte 0x{:02X})",
                                   static_cast<unsigned char>(c)),
           "formulas consist of numbers, names, + - * / ^ ( ) and commas");
    }
  }

  // The name or number that begins here.
  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() &&
           (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.'))
      ++end;
    return text_.substr(at_, std::max<std::size_t>(end - at_, 1));
  }

  bool enter() {
    if (nesting_ >= kMaxNesting) {
      fail(at_, fmt::format("more than {} nested parentheses, signs and exponents", kMaxNesting),
           "simplify the formula");
      return false;
    }
    ++nesting_;
    return !error_;
  }
  void exit() { --nesting_; }

  void sum() {
    const Operand left = here();
    product();
    while (!error_) {
      const char c = peek();
      if (c != '+' && c != '-') return;
      ++at_;
      const Operand right = here();
      product();
      combine(c == '+' ? Operation::plus : Operation::minus, left, right);
    }
  }

  void product() {
    const Operand left = here();
    with_sign();
    while (!error_) {
      const char c = peek();
      if (c != '*' && c != '/') return;
      ++at_;
      if (c == '*' && at_ < text_.size() && text_[at_] == '*') return unexpected(true);
      const Operand right = here();
      with_sign();
      combine(c == '*' ? Operation::times : Operation::over, left, right);
    }
  }

  void with_sign() {
    if (!enter()) return;
    const Operand start = here();
    if (take('-')) {
      with_sign();
      apply(Operation::negative, start);
    } else if (take('+')) {
      with_sign();
    } else {
      power();
    }
    exit();
  }

  void power() {
    const Operand base = here();
    primary();
    if (error_ || !take('^')) return;
    const Operand exponent = here();
    with_sign();
    combine(Operation::power, base, exponent);
  }

  void primary() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      number();
    } else if (is_letter(c)) {
      name();
    } else if (take('(')) {
      const std::size_t open = at_ - 1;
      if (!enter()) return;
      sum();
      close(open);
      exit();
    } else {
      unexpected(true);
    }
  }

  void close(std::size_t open) {
    if (error_ || take(')')) return;
    if (at_end()) {
      fail(open, "( without matching )", "add ) where the subexpression ends");
    } else {
      unexpected();
    }
  }

  void number() {
    const std::size_t start = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t next = at_ + 1;
      if (next < text_.size() && (text_[next] == '+' || text_[next] == '-')) ++next;
      if (next < text_.size() && is_digit(text_[next])) {
        at_ = next;
        digits();
      }
    }
    const std::string token(text_.substr(start, at_ - start));
    const std::optional<double> value = to_number(token);
    if (!value) {
      return fail(start, fmt::format("{} cannot be represented as a double", quoted(token)),
                  "use magnitudes from 1e-307 to 1e308");
    }
    emit({Operation::constant, 0, *value});
  }

  void name() {
    const std::size_t start = at_;
    const auto part = [&] {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    };
    part();
    while (at_ + 1 < text_.size() && text_[at_] == '.' && is_letter(text_[at_ + 1])) {
      ++at_;
      part();
    }
    const std::string_view name = text_.substr(start, at_ - start);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i] == name) {
        used_[i] = true;
        return emit({Operation::variable, static_cast<int>(i), 0});
      }
    }
    for (const Constant& constant : kConstants) {
      if (constant.name == name) return emit({Operation::constant, 0, constant.value});
    }
    for (const Function& function : kFunctions) {
      if (function.name == name) return call(function, start);
    }
    if (!any_names_ || peek() == '(') return unknown(name, start);
    variables_.push_back(name);
    used_.push_back(true);
    emit({Operation::variable, static_cast<int>(variables_.size()) - 1, 0});
  }

  void unknown(std::string_view name, std::size_t start) {
    std::vector<std::string_view> known(variables_.begin(), variables_.end());
    for (const Constant& constant : kConstants) known.push_back(constant.name);
    for (const Function& function : kFunctions) known.push_back(function.name);
    const std::string_view nearest = did_you_mean(name, known);
    std::string remedy;
    if (!nearest.empty()) {
      remedy = fmt::format("did you mean \"{}\"?", nearest);
    } else if (variables_.empty()) {
      remedy = "no variables are available here, only numbers, pi, e and functions";
    } else {
      remedy =
          fmt::format("available variables: {}; constants: pi, e", fmt::join(variables_, ", "));
    }
    fail(start, fmt::format("unknown name {}", quoted(name)), std::move(remedy));
  }

  void call(const Function& function, std::size_t start) {
    const std::string shape =
        fmt::format("{}({}{})", function.name, function.arguments == 1 ? "a" : "a, b",
                    function.or_more ? ", ..." : "");
    const std::size_t code = program_.size();
    if (!take('(')) {
      return fail(start, fmt::format("the function {} is used without arguments", function.name),
                  fmt::format("write {}", shape));
    }
    const std::size_t open = at_ - 1;
    if (!enter()) return;
    int count = 0;
    if (peek() != ')') {
      do {
        const Operand argument = here();
        sum();
        if (error_) return;
        ++count;
        if (count >= 2 && (count == 2 || function.or_more)) {
          combine(function.operation, {code, start}, argument);
        }
      } while (!error_ && take(','));
    }
    close(open);
    exit();
    if (error_) return;
    if (count < function.arguments || (count > function.arguments && !function.or_more)) {
      return fail(start,
                  fmt::format("{} takes {}{} argument{} but has {}", function.name,
                              function.arguments, function.or_more ? " or more" : "",
                              function.arguments == 1 ? "" : "s", count),
                  fmt::format("write {}", shape));
    }
    if (function.arguments == 1) apply(function.operation, {code, start});
  }

  void emit(const Instruction& instruction) {
    if (error_) return;
    if (program_.size() >= kMaxOperations) {
      return fail(at_, fmt::format("more than {} operations", kMaxOperations),
                  "simplify the formula");
    }
    program_.push_back(instruction);
  }

  bool is_constant(std::size_t begin, std::size_t end) const {
    return end - begin == 1 && program_[begin].operation == Operation::constant;
  }

  // Replaces constants and the operation on them, the last of the program, by their result.
  void fold(const Operand& first) {
    const std::span<const Instruction> part(program_.data() + first.code,
                                            program_.size() - first.code);
    const double value = run<2, double>(part, {});
    if (!std::isfinite(value)) {
      const std::string_view written = text_.substr(first.text, at_ - first.text);
      return fail(first.text, fmt::format("{} is not a finite number", quoted(written)),
                  "correct the formula");
    }
    program_.resize(first.code);
    emit({Operation::constant, 0, value});
  }

  void apply(Operation operation, const Operand& a) {
    if (error_) return;
    const bool constant = is_constant(a.code, program_.size());
    emit({operation, 0, 0});
    if (constant && !error_) fold(a);
  }

  void combine(Operation operation, const Operand& a, const Operand& b) {
    if (error_) return;
    const bool a_constant = is_constant(a.code, b.code);
    const bool b_constant = is_constant(b.code, program_.size());
    if (a_constant && b_constant && operation != Operation::power) {
      emit({operation, 0, 0});
      if (!error_) fold(a);
    } else if (b_constant && with_constant(operation)) {
      if (a_constant) fold(a);
    } else if (a_constant && constant_with(operation, a)) {
      // done
    } else {
      emit({operation, 0, 0});
    }
  }

  // Operations whose second operand is a number, the last of the program.
  bool with_constant(Operation operation) {
    const double c = program_.back().constant;
    const bool whole = std::floor(c) == c && std::abs(c) <= kMaxWholePower;
    Instruction fused{operation, 0, c};
    switch (operation) {
      case Operation::plus:
        fused = {Operation::plus_constant, 0, c};
        break;
      case Operation::minus:
        fused = {Operation::plus_constant, 0, -c};
        break;
      case Operation::times:
        fused = {Operation::times_constant, 0, c};
        break;
      case Operation::over:
        fused = {Operation::over_constant, 0, c};
        break;
      case Operation::power:
        fused = whole ? Instruction{Operation::whole_power, static_cast<int>(c), 0}
                      : Instruction{Operation::real_power, 0, c};
        break;
      default:
        return false;
    }
    program_.back() = fused;
    return true;
  }

  // Operations whose first operand is a number.
  bool constant_with(Operation operation, const Operand& a) {
    const double c = program_[a.code].constant;
    Operation fused;
    switch (operation) {
      case Operation::plus:
        fused = Operation::plus_constant;
        break;
      case Operation::minus:
        fused = Operation::constant_minus;
        break;
      case Operation::times:
        fused = Operation::times_constant;
        break;
      case Operation::over:
        fused = Operation::constant_over;
        break;
      default:
        return false;
    }
    program_.erase(program_.begin() + static_cast<std::ptrdiff_t>(a.code));
    emit({fused, 0, c});
    return true;
  }

  // The most intermediate results that are kept at a time.
  std::size_t stack() const {
    std::size_t size = 0, most = 0;
    for (const Instruction& step : program_) {
      if (step.operation <= Operation::variable) {
        ++size;
      } else if (step.operation <= Operation::maximum) {
        --size;
      }
      most = std::max(most, size);
    }
    return most;
  }

  std::string_view text_;
  std::vector<std::string_view> variables_;
  std::vector<bool> used_;
  bool any_names_;  // whether unknown ones are variables, too
  std::vector<Instruction> program_;
  std::size_t at_ = 0;  // in the text
  int nesting_ = 0;
  std::optional<Error> error_;
};

Result<Expression> Expression::parse(std::string_view text,
                                     std::span<const std::string_view> variables) {
  return Parser(text, variables, false).parse();
}

Result<Expression> Expression::parse_with_any_names(std::string_view text) {
  return Parser(text, {}, true).parse();
}

bool Expression::has_kinks() const {
  return std::any_of(program_.begin(), program_.end(), [](const Instruction& i) {
    return i.operation == Operation::absolute || i.operation == Operation::minimum ||
           i.operation == Operation::maximum;
  });
}

template double Expression::operator()(std::span<const double>) const;
template SecondOrder<double, 3> Expression::operator()(
    std::span<const SecondOrder<double, 3>>) const;

}  // namespace oloid::formula
