#include "oloid/io/plot/plot_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "oloid/base/did_you_mean.h"
#include "oloid/io/plot/plot_quantity.h"

namespace oloid::io {
namespace {

std::string body_name(const Header& header, BodyId id) {
  const auto k = static_cast<std::size_t>(id.index);
  return id.valid() && k < header.bodies.size() ? header.bodies[k] : std::string("?");
}

std::string pair_text(const Header& header, std::size_t contact) {
  const auto [a, b] = header.pairs[contact];
  return fmt::format("{}-{}", body_name(header, a), body_name(header, b));
}

// Pairs whose names are compared with what was written, for suggestions.
constexpr std::size_t kMostCompared = 10'000;

// Everything that may be written, for suggestions.
std::vector<std::string> known_names(const Header& header) {
  std::vector<std::string> names{"probes"};
  const auto add = [&](const std::string& prefix, const PlotQuantity& quantity) {
    names.push_back(prefix + std::string(quantity.name));
    for (const std::string_view part : quantity.parts)
      names.push_back(fmt::format("{}{}.{}", prefix, quantity.name, part));
  };
  for (const PlotQuantity& quantity : plot_quantities()) {
    add("", quantity);
    if (quantity.of == PlotQuantity::Of::body) {
      for (const std::string& body : header.bodies) add(quoted(body) + ".", quantity);
    } else if (quantity.of == PlotQuantity::Of::contact) {
      for (std::size_t i = 0; i < std::min(header.pairs.size(), kMostCompared); ++i)
        add(quoted(pair_text(header, i)) + ".", quantity);
    }
  }
  for (const ProbeHeader& probe : header.probes) names.push_back(quoted(probe.name));
  return names;
}

// The nearest of these names, empty if none is near enough.
std::string_view nearest(std::string_view text, const std::vector<std::string>& names) {
  return did_you_mean(text, std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace

std::string quoted(std::string_view name) {
  if (name.find_first_of(",+\"\\") == name.npos) return std::string(name);
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

Result<std::vector<std::string>> split_outside_quotes(std::string_view text, char separator) {
  std::vector<std::string> pieces{""};
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') inside = !inside;
    if (text[i] == separator && !inside) {
      pieces.emplace_back();
      continue;
    }
    pieces.back() += text[i];
    if (inside && text[i] == '\\' && i + 1 < text.size()) pieces.back() += text[++i];
  }
  if (inside) {
    return Unexpected{Error{{"--what", "", 0, 0},
                            fmt::format("unclosed quote in {}", text),
                            "put \" at both ends of the name"}};
  }
  return pieces;
}

std::string unquoted(std::string_view text) {
  std::string result;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      inside = !inside;
    } else {
      if (inside && text[i] == '\\' && i + 1 < text.size()) ++i;
      result += text[i];
    }
  }
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!result.empty() && blank(result.back())) result.pop_back();
  while (!result.empty() && blank(result.front())) result.erase(0, 1);
  return result;
}

Error unknown_quantity(const Header& header, const std::string& text) {
  const std::vector<std::string> names = known_names(header);
  const std::string_view near = nearest(text, names);
  std::string remedy = fmt::format("did you mean {}?", near);
  if (near.empty()) {
    std::vector<std::string_view> all{"probes"};
    for (const PlotQuantity& quantity : plot_quantities()) all.push_back(quantity.name);
    remedy = fmt::format(
        "available: {}, names of probes, and these with a body or contact in front, e.g. "
        "{}.position.z; `oloid plot RECORD --list` shows them all",
        fmt::join(all, ", "), header.bodies.empty() ? "ball" : quoted(header.bodies.back()));
  }
  return {{"--what", "", 0, 0}, fmt::format("unknown quantity \"{}\"", text), remedy};
}

std::optional<std::size_t> pair_index(const Header& header, std::string_view text) {
  const auto body_named = [&](std::string_view name) -> BodyId {
    const auto at = std::find(header.bodies.begin(), header.bodies.end(), name);
    if (at == header.bodies.end()) return {};
    return BodyId{static_cast<std::int32_t>(at - header.bodies.begin())};
  };
  for (std::size_t at = text.find('-'); at != text.npos; at = text.find('-', at + 1)) {
    const BodyId a = body_named(text.substr(0, at)), b = body_named(text.substr(at + 1));
    if (!a.valid() || !b.valid()) continue;
    if (const auto pair = header.pairs.find(a, b)) return static_cast<std::size_t>(*pair);
  }
  return std::nullopt;
}

Result<std::size_t> contact_named(const Header& header, std::string_view text) {
  std::size_t index = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (trouble == std::errc() && end == text.data() + text.size() && index < header.pairs.size())
    return index;
  for (std::size_t at = text.find_first_of(",-"); at != text.npos;
       at = text.find_first_of(",-", at + 1)) {
    const std::string_view a = text.substr(0, at), b = text.substr(at + 1);
    for (const auto& pair :
         {fmt::format("{}-{}", a, b), fmt::format("{}-{}", unquoted(a), unquoted(b))}) {
      if (const auto found = pair_index(header, pair)) return *found;
    }
  }
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < std::min(header.pairs.size(), kMostCompared); ++i)
    pairs.push_back(pair_text(header, i));
  const std::string_view near = nearest(text, pairs);
  constexpr std::size_t kMostTold = 12;
  const bool more = pairs.size() > kMostTold;
  if (more) pairs.resize(kMostTold);
  return Unexpected{Error{{"--contact", "", 0, 0},
                          fmt::format("unknown contact \"{}\"", text),
                          !near.empty() ? fmt::format("did you mean {}?", near)
                          : pairs.empty()
                              ? std::string("the scene has no contacts")
                              : fmt::format("available: {}{}, or their numbers, counted from 0",
                                            fmt::join(pairs, ", "), more ? ", ..." : "")}};
}

std::string contact_name(const Header& header, std::size_t contact) {
  const auto [a, b] = header.pairs[contact];
  return fmt::format("{} – {}", body_name(header, a), body_name(header, b));
}

}  // namespace oloid::io
