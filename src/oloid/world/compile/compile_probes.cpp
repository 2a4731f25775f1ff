#include "oloid/world/compile/compile_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "oloid/base/did_you_mean.h"
#include "oloid/world/compile/compile_formula.h"
#include "oloid/world/compile/error_list.h"

namespace oloid::world {
namespace {

using Of = ProbeVariable::Of;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether a name can be written in a formula.
bool is_word(std::string_view name) {
  return !name.empty() && (is_letter(name[0]) || name[0] == '_') &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}
std::string as_word(std::string_view name) {
  std::string word;
  for (const char c : name) word += is_word({&c, 1}) || is_digit(c) ? c : '_';
  return is_word(word) ? word : "_" + word;
}

// Whether a name is suitable for a dataset and a column.
bool is_probe_name(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-';
  });
}

std::vector<std::string_view> split(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    parts.push_back(name.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

class ProbesMaker {
 public:
  ProbesMaker(const Spec& spec, Model& model) : spec_(spec), model_(model) {
    names_.reserve(spec.bodies.size());
    for (const BodySpec& body : spec.bodies) names_.push_back(body.name.value);
  }

  Errors make() {
    std::set<std::string> names;
    for (const ProbeSpec& spec : spec_.probes) {
      if (!is_probe_name(spec.name.value)) {
        errors_.refuse(spec.name.place,
                       fmt::format("\"{}\" is not a valid probe name", spec.name.value),
                       "use letters, digits, _ and -, starting with a letter");
      } else if (!names.insert(spec.name.value).second) {
        errors_.refuse(spec.name.place, fmt::format("two probes are named \"{}\"", spec.name.value),
                       "names must be unique");
      }
      add(spec.formula.value, spec.formula.place, spec.name.value, spec.unit, spec.event,
          model_.probes);
    }
    const auto& stops = spec_.stop_when;
    for (std::size_t i = 0; i < stops.value.size(); ++i) {
      const Place place = stops.value.size() == 1 ? stops.place : item_of(stops.place, i);
      add(stops.value[i], place, "stop_when", "", true, model_.stops);
    }
    return errors_.all();
  }

 private:
  void add(const std::string& text, const Place& place, const std::string& name,
           const std::string& unit, bool event, std::vector<Probe>& to) {
    auto formula = Expression::parse_with_any_names(text);
    if (!formula) {
      errors_.refuse(place, formula.error().message, formula.error().remedy + unnamable());
      return;
    }
    Probe probe{name, unit, *std::move(formula), {}, event};
    const auto& written = probe.formula.variables();
    if (written.size() > Probe::kMostVariables) {
      errors_.refuse(place, fmt::format("the formula uses {} different names", written.size()),
                     fmt::format("at most {} are allowed", Probe::kMostVariables));
      return;
    }
    const std::size_t before = errors_.size();
    for (const std::string& variable : written) {
      probe.variables.push_back(meant_by(variable, place));
    }
    if (errors_.size() == before) to.push_back(std::move(probe));
  }

  // After a complaint, the result is arbitrary.
  ProbeVariable meant_by(const std::string& name, const Place& place) {
    if (name == "t") return {Of::time, 0, 0};
    const std::vector<std::string_view> words = split(name);
    if (words.size() == 2 && words[0] == "energy")
      return {Of::energy, 0, part(kEnergyParts, name, words[1], place)};
    if (words.size() < 2 || words.size() > 3) return unknown(name, place);
    const std::int32_t A = body(words[0], name, place);
    if (A < 0) return {};
    if (words.size() == 2) return of_body(A, name, words[1], place);
    const std::int32_t B = body(words[1], name, place);
    if (B < 0) return {};
    return of_pair(A, B, name, words[2], place);
  }

  ProbeVariable unknown(const std::string& name, const Place& place) {
    const bool is_body = std::find(names_.begin(), names_.end(), name) != names_.end();
    if (is_body) {
      errors_.refuse(place, fmt::format("\"{}\" is a body, not a number", name),
                     fmt::format("use one of its quantities: {}.{}", name,
                                 fmt::join(kBodyParts, fmt::format(" {}.", name))));
    } else {
      errors_.refuse(place, fmt::format("unknown name \"{}\"", name), "available: " + known());
    }
    return {};
  }

  ProbeVariable of_body(std::int32_t id, const std::string& name, std::string_view word,
                        const Place& place) {
    const ProbeVariable made{Of::body, id, part(kBodyParts, name, word, place)};
    if (word == "kinetic" && !model_.bodies[static_cast<std::size_t>(id)].moves) {
      errors_.refuse(place,
                     fmt::format("\"{}\": the body \"{}\" has no mass", name,
                                 names_[static_cast<std::size_t>(id)]),
                     "energy.kinetic is the total of all bodies that have one");
    }
    return made;
  }

  ProbeVariable of_pair(std::int32_t A, std::int32_t B, const std::string& name,
                        std::string_view word, const Place& place) {
    if (const auto pair = model_.pairs.find(BodyId{A}, BodyId{B}))
      return {Of::pair, *pair, part(kPairParts, name, word, place)};
    errors_.refuse(place, fmt::format("\"{}\": these two bodies never touch", name),
                   A == B ? "name two different bodies"
                          : "name two bodies, at least one of which is free to move");
    return {};
  }

  // The body of that name; -1 after a complaint.
  std::int32_t body(std::string_view word, const std::string& name, const Place& place) {
    const auto found = std::find(names_.begin(), names_.end(), word);
    if (found != names_.end()) return static_cast<std::int32_t>(found - names_.begin());
    std::vector<std::string_view> candidates = namable();
    const std::string_view near = did_you_mean(word, candidates);
    errors_.refuse(
        place, fmt::format("\"{}\": unknown body \"{}\"", name, word),
        (near.empty() ? "available: " + known() : fmt::format("did you mean \"{}\"?", near)) +
            unnamable());
    return -1;
  }

  template <std::size_t N>
  std::int32_t part(const std::array<std::string_view, N>& parts, const std::string& name,
                    std::string_view word, const Place& place) {
    const auto found = std::find(parts.begin(), parts.end(), word);
    if (found != parts.end()) return static_cast<std::int32_t>(found - parts.begin());
    const std::string_view near = did_you_mean(word, parts);
    const std::string stem = name.substr(0, name.size() - word.size());
    errors_.refuse(place, fmt::format("unknown name \"{}\"", name),
                   near.empty() ? fmt::format("available: {}{}", stem, fmt::join(parts, " ."))
                                : fmt::format("did you mean \"{}{}\"?", stem, near));
    return 0;
  }

  std::vector<std::string_view> namable() const {
    std::vector<std::string_view> result;
    std::copy_if(names_.begin(), names_.end(), std::back_inserter(result),
                 [](std::string_view name) { return is_word(name) && name != "energy"; });
    return result;
  }
  // Examples of valid names.
  std::string known() const {
    const std::vector<std::string_view> bodies = namable();
    std::string text = "t, energy.kinetic";
    if (!bodies.empty()) text += fmt::format(", {}.z", bodies[0]);
    if (bodies.size() > 1) text += fmt::format(", {}.{}.gap", bodies[0], bodies[1]);
    return text + " and others: docs/formats/scene.md";
  }
  std::string unnamable() const {
    for (const std::string_view name : names_) {
      if (is_word(name) && name != "energy") continue;
      return fmt::format("; the body \"{}\" cannot be used in formulas: rename it, e.g. to {}",
                         name, name == "energy" ? "energy_" : as_word(name));
    }
    return "";
  }

  const Spec& spec_;
  Model& model_;
  std::vector<std::string_view> names_;  // of bodies
  ErrorList errors_;
};

}  // namespace

Errors compile_probes(const Spec& spec, Model& model) { return ProbesMaker(spec, model).make(); }

}  // namespace oloid::world
