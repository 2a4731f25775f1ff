#include "oloid/io/scene_text/scene_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "oloid/base/contract.h"
#include "oloid/formula/expression.h"
#include "oloid/io/scene_text/complaints.h"
#include "oloid/io/scene_text/scene_schema.h"

namespace oloid::io {
namespace {

constexpr std::size_t kMost = 1000;  // parameters

// Words that some keys accept instead of numbers.
constexpr std::string_view kWords[] = {"unlimited", "free", "stuck"};

// Names that mean something else in some formula of a scene.
bool is_variable(std::string_view name) {
  for (const SceneKey& key : scene_schema()) {
    if (!takes_formulas(key.kind)) continue;
    const auto variables = choices_of(key);
    if (std::find(variables.begin(), variables.end(), name) != variables.end()) return true;
  }
  return false;
}

std::optional<std::string> why_not(std::string_view name) {
  if (!is_formula_name(name)) return "is not a valid name in formulas";
  if (is_formula_word(name)) return "is a built-in function or constant";
  if (is_variable(name)) return "is a variable in formulas";
  if (std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords))
    return "is a word that some keys accept instead of a number";
  return std::nullopt;
}

Unexpected<Error> not_finite(double value) {
  return refuse(fmt::format("the formula gives {}, which is not a finite number", value),
                "correct the formula or the parameters it uses");
}

// Parameters while they are worked out, each after those that it uses.
class Resolver {
 public:
  explicit Resolver(Complaints& complaints) : complaints_(complaints) {}

  void add(const Entry& entry) {
    const std::string path = fmt::format("parameters.{}", entry.key.substr(0, 40));
    if (const auto why = why_not(entry.key)) {
      complaints_.add(entry.spot, path, fmt::format("\"{}\" {}", entry.key.substr(0, 40), *why),
                      fmt::format("choose another name of letters, digits and _, such as {}",
                                  is_formula_name(entry.key) ? entry.key + "_0" : "ball_radius"));
      return;
    }
    items_.push_back({&entry, path, std::nullopt, {}, State::waiting});
  }

  Parameters resolve() {
    for (const Item& item : items_) names_.push_back(item.entry->key);
    values_.resize(items_.size());
    for (Item& item : items_) parse(item);
    for (std::size_t i = 0; i < items_.size(); ++i) find(i);
    std::map<std::string, double, std::less<>> known;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      // An invalid parameter stays known, so that formulas that use it are not reported as well.
      known[items_[i].entry->key] = items_[i].state == State::known ? values_[i] : 1.0;
    }
    return Parameters(std::move(known));
  }

 private:
  enum class State { waiting, entered, known, wrong };
  struct Item {
    const Entry* entry;
    std::string path;
    std::optional<Expression> formula;
    std::vector<std::size_t> uses;
    State state;
  };

  void wrong(Item& item, std::string message, std::string remedy) {
    complaints_.add(item.entry->value.spot, item.path, std::move(message), std::move(remedy));
    item.state = State::wrong;
  }

  void parse(Item& item) {
    const Node& node = item.entry->value;
    const auto k = static_cast<std::size_t>(&item - items_.data());
    if (const auto* text = std::get_if<std::string>(&node.value)) {
      auto formula = Expression::parse(*text, names_);
      if (!formula) return wrong(item, formula.error().message, formula.error().remedy);
      for (std::size_t i = 0; i < names_.size(); ++i)
        if (formula->uses(i)) item.uses.push_back(i);
      item.formula = *std::move(formula);
      return;
    }
    const auto* whole = std::get_if<std::int64_t>(&node.value);
    const auto* real = std::get_if<double>(&node.value);
    if (!whole && !real) {
      return wrong(item, fmt::format("expected a number or a formula, got {}", describe(node)),
                   "write r = 0.25, or d = \"2 * r\"");
    }
    values_[k] = whole ? static_cast<double>(*whole) : *real;
    if (!std::isfinite(values_[k])) {
      return wrong(item, fmt::format("the value is {}, which is not a finite number", values_[k]),
                   "use a finite number");
    }
    item.state = State::known;
  }

  // Depth first, with a stack of its own: chains may be long.
  void find(std::size_t first) {
    std::vector<std::size_t> stack{first};
    while (!stack.empty()) {
      Item& item = items_[stack.back()];
      if (item.state == State::waiting) item.state = State::entered;
      if (item.state != State::entered) {
        stack.pop_back();
        continue;
      }
      const auto next = std::find_if(item.uses.begin(), item.uses.end(), [&](std::size_t i) {
        return items_[i].state == State::waiting || items_[i].state == State::entered;
      });
      if (next == item.uses.end()) {
        work_out(stack.back());
        stack.pop_back();
      } else if (items_[*next].state == State::entered) {
        refuse_cycle({std::find(stack.begin(), stack.end(), *next), stack.end()});
      } else {
        stack.push_back(*next);
      }
    }
  }

  void work_out(std::size_t k) {
    Item& item = items_[k];
    const auto bad = [&](std::size_t i) { return items_[i].state == State::wrong; };
    if (std::any_of(item.uses.begin(), item.uses.end(), bad)) {
      item.state = State::wrong;  // told there
      return;
    }
    values_[k] = (*item.formula)(std::span<const double>(values_));
    if (std::isfinite(values_[k])) {
      item.state = State::known;
    } else {
      const Error error = not_finite(values_[k]).error;
      wrong(item, error.message, error.remedy);
    }
  }

  void refuse_cycle(const std::vector<std::size_t>& cycle) {
    std::string chain;
    for (const std::size_t i : cycle) chain += fmt::format("{} -> ", names_[i]);
    wrong(items_[cycle.front()],
          fmt::format("parameters depend on each other: {}{}", chain, names_[cycle.front()]),
          "set one of them to a number");
    for (const std::size_t i : cycle) items_[i].state = State::wrong;
  }

  Complaints& complaints_;
  std::vector<Item> items_;
  std::vector<std::string_view> names_;
  std::vector<double> values_;
};

}  // namespace

std::vector<NamedNumber> Parameters::named_in(std::string_view text) const {
  std::vector<NamedNumber> used;
  for (const std::string_view name : names_in(text)) {
    const auto found = values_.find(name);
    const auto is_it = [&](const NamedNumber& number) { return number.name == name; };
    if (found != values_.end() && std::none_of(used.begin(), used.end(), is_it))
      used.push_back({found->first, found->second});
  }
  return used;
}

Error Parameters::error_of(std::string_view text,
                           std::span<const std::string_view> variables) const {
  std::vector<std::string_view> names(variables.begin(), variables.end());
  for (const auto& [name, value] : values_) names.emplace_back(name);
  const auto parsed = Expression::parse(text, names);
  OLOID_EXPECT(!parsed);
  return parsed.error();
}

Result<double> Parameters::value(std::string_view formula) const {
  const std::vector<NamedNumber> used = named_in(formula);
  std::vector<std::string_view> names;
  std::vector<double> numbers;
  names.reserve(used.size());
  numbers.reserve(used.size());
  for (const NamedNumber& number : used) {
    names.emplace_back(number.name);
    numbers.push_back(number.value);
  }
  const auto parsed = Expression::parse(formula, names);
  if (!parsed) return Unexpected{error_of(formula, {})};
  const double value = (*parsed)(std::span<const double>(numbers));
  if (!std::isfinite(value)) return not_finite(value);
  return value;
}

Result<std::string> Parameters::formula(std::string_view text,
                                        std::span<const std::string_view> variables) const {
  const std::vector<NamedNumber> used = named_in(text);
  const bool any_names = variables.size() == 1 && variables[0] == kAnyNames;
  const auto parse = [&](std::string_view formula, std::span<const std::string_view> names) {
    return any_names ? Expression::parse_with_any_names(formula)
                     : Expression::parse(formula, names);
  };
  std::vector<std::string_view> names(variables.begin(), variables.end());
  for (const NamedNumber& number : used) names.emplace_back(number.name);
  if (const auto whole = parse(text, names); !whole)
    return Unexpected{any_names ? whole.error() : error_of(text, variables)};
  if (used.empty()) return std::string(text);
  std::string plain = with_numbers(text, used);
  // Numbers are folded, so that a division by zero between them is found now.
  if (const auto folded = parse(plain, variables); !folded) {
    return refuse(fmt::format("with the values of the parameters, \"{}\": {}", plain.substr(0, 60),
                              folded.error().message),
                  folded.error().remedy);
  }
  return plain;
}

Parameters read_parameters(const NodeTable& table, Complaints& complaints) {
  if (table.size() > kMost) {
    complaints.add(table.front().spot, "parameters",
                   fmt::format("there are {} parameters", table.size()),
                   fmt::format("at most {} are allowed", kMost));
    return {};
  }
  std::vector<const Entry*> entries;  // in the order of the files
  entries.reserve(table.size());
  for (const Entry& entry : table) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](const Entry* a, const Entry* b) {
    return std::tie(a->spot.file, a->spot.line, a->spot.column) <
           std::tie(b->spot.file, b->spot.line, b->spot.column);
  });
  Resolver resolver(complaints);
  for (const Entry* entry : entries) resolver.add(*entry);
  return resolver.resolve();
}

}  // namespace oloid::io
