#include "oloid/io/plot/plot_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "oloid/base/did_you_mean.h"

namespace oloid::io {
namespace {

constexpr std::size_t kMostPanels = 40;

// A quantity with what was written around it.
struct Named {
  const PlotQuantity* quantity = nullptr;
  std::optional<std::size_t> part;
  std::string_view owner;  // empty: none was written
};

// All ways to read a text as [OWNER.]QUANTITY[.PART].
std::vector<Named> readings(std::string_view text) {
  std::vector<Named> found;
  const auto take = [](std::string_view& rest, std::string_view end) {
    if (!rest.ends_with(end)) return false;
    rest.remove_suffix(end.size());
    return rest.empty() || rest.ends_with('.');
  };
  for (const PlotQuantity& quantity : plot_quantities()) {
    const auto add = [&](std::string_view rest, std::optional<std::size_t> part) {
      if (!take(rest, quantity.name)) return;
      if (!rest.empty()) rest.remove_suffix(1);
      found.push_back({&quantity, part, rest});
    };
    add(text, std::nullopt);
    for (std::size_t i = 0; i < quantity.parts.size(); ++i) {
      std::string_view rest = text;
      if (!take(rest, quantity.parts[i]) || rest.empty()) continue;
      rest.remove_suffix(1);
      add(rest, i);
    }
  }
  return found;
}

std::string body_name(const Header& header, BodyId id) {
  const auto k = static_cast<std::size_t>(id.index);
  return id.valid() && k < header.bodies.size() ? header.bodies[k] : std::string("?");
}

std::string pair_text(const Header& header, std::size_t contact, bool swapped = false) {
  const auto& [a, b] = header.contacts[contact];
  return fmt::format("{}-{}", body_name(header, swapped ? b : a),
                     body_name(header, swapped ? a : b));
}

std::optional<std::size_t> index_in(const std::vector<std::string>& names, std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<std::size_t>(at - names.begin());
}

std::optional<std::size_t> pair_index(const Header& header, std::string_view text) {
  for (const bool swapped : {false, true}) {
    for (std::size_t i = 0; i < header.contacts.size(); ++i) {
      if (pair_text(header, i, swapped) == text) return i;
    }
  }
  return std::nullopt;
}

// A text with commas, + and quotes in a name, as it is to be written.
std::string quoted(std::string_view name) {
  if (name.find_first_of(",+\"\\") == name.npos) return std::string(name);
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

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
      for (std::size_t i = 0; i < header.contacts.size(); ++i)
        add(quoted(pair_text(header, i)) + ".", quantity);
    }
  }
  for (const ProbeHeader& probe : header.probes) names.push_back(quoted(probe.name));
  return names;
}

Error unknown(const Header& header, const std::string& text) {
  const std::vector<std::string> names = known_names(header);
  const std::string_view near =
      did_you_mean(text, std::vector<std::string_view>(names.begin(), names.end()));
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

// Splits at a character outside of quotes; quotes and backslashes stay.
Result<std::vector<std::string>> split(std::string_view text, char separator) {
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

class Reader {
 public:
  Reader(const Header& header, std::span<const std::size_t> contacts) : header_(header) {
    contacts_.assign(contacts.begin(), contacts.end());
    all_contacts_ = contacts_.empty();
    for (std::size_t i = 0; all_contacts_ && i < header.contacts.size(); ++i)
      contacts_.push_back(i);
    for (std::size_t i = 0; i < header.bodies.size(); ++i) {
      if (i < header.masses.size() && header.masses[i] > 0) moving_.push_back(i);
    }
  }

  // Panels of one piece between + signs.
  Result<std::vector<PlotPanel>> read(const std::string& text) const {
    if (text == "probes") return probes();
    for (const Named& named : readings(text)) {
      if (auto owners = owners_of(named)) return panels(named, *owners);
    }
    std::string_view probe = text;
    if (probe.starts_with("probe.")) probe.remove_prefix(6);
    for (std::size_t i = 0; i < header_.probes.size(); ++i) {
      for (const std::string_view name : {std::string_view(text), probe}) {
        if (header_.probes[i].name == name)
          return std::vector<PlotPanel>{{{{nullptr, i, 0, false}}, false}};
      }
    }
    return Unexpected{unknown(header_, text)};
  }

 private:
  std::vector<PlotPanel> probes() const {
    std::vector<PlotPanel> list;
    for (std::size_t i = 0; i < header_.probes.size(); ++i)
      list.push_back({{{nullptr, i, 0, false}}, false});
    return list;
  }

  // None: it cannot be meant.
  std::optional<std::vector<std::size_t>> owners_of(const Named& named) const {
    switch (named.quantity->of) {
      case PlotQuantity::Of::run:
        if (!named.owner.empty()) return std::nullopt;
        return std::vector<std::size_t>{0};
      case PlotQuantity::Of::body: {
        if (named.owner.empty()) return moving_;
        const auto body = index_in(header_.bodies, named.owner);
        if (!body) return std::nullopt;
        return std::vector<std::size_t>{*body};
      }
      case PlotQuantity::Of::contact: {
        if (named.owner.empty()) return contacts_;
        const auto contact = pair_index(header_, named.owner);
        if (!contact) return std::nullopt;
        return std::vector<std::size_t>{*contact};
      }
    }
    return std::nullopt;
  }

  // Several owners share a panel, unless each has several curves.
  std::vector<PlotPanel> panels(const Named& named, const std::vector<std::size_t>& owners) const {
    const PlotQuantity& quantity = *named.quantity;
    const std::size_t first = named.part.value_or(0);
    const std::size_t count = named.part || quantity.parts.empty() ? 1 : quantity.usual;
    const bool on_demand = (quantity.of == PlotQuantity::Of::contact && named.owner.empty() &&
                            all_contacts_ && owners.size() > 1) ||
                           (quantity.of == PlotQuantity::Of::run && count > 1);
    std::vector<PlotPanel> list;
    for (const std::size_t owner : owners) {
      if (list.empty() || count > 1) list.emplace_back();
      for (std::size_t k = first; k < first + count; ++k)
        list.back().curves.push_back({&quantity, owner, k, on_demand});
    }
    return list;
  }

  const Header& header_;
  std::vector<std::size_t> contacts_, moving_;
  bool all_contacts_ = false;
};

std::string_view unit_of(const Header& header, const PlotCurve& curve) {
  return curve.quantity ? curve.quantity->unit : header.probes[curve.owner].unit;
}

bool is_band(const PlotCurve& curve) { return curve.quantity && !curve.quantity->value; }

// What shares a panel shares its axis.
std::optional<Error> join(const Header& header, PlotPanel& panel,
                          const std::vector<PlotPanel>& more, const std::string& text) {
  for (const PlotPanel& one : more) {
    for (const PlotCurve& curve : one.curves) {
      if (!panel.curves.empty()) {
        const PlotCurve& before = panel.curves.front();
        const std::string_view a = unit_of(header, before), b = unit_of(header, curve);
        const bool special = is_band(before) != is_band(curve) ||
                             (before.quantity != curve.quantity &&
                              ((before.quantity && before.quantity->name == "energy_error") ||
                               (curve.quantity && curve.quantity->name == "energy_error")));
        if (a != b || special) {
          return Error{{"--what", "", 0, 0},
                       fmt::format("\"{}\" joins quantities that cannot share an axis{}", text,
                                   a == b ? "" : fmt::format(" ([{}] and [{}])", a, b)),
                       "use a comma instead of + to give each its own panel"};
        }
      }
      panel.curves.push_back(curve);
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<PlotPanel>> plot_panels(const Header& header, std::string_view what,
                                           std::span<const std::size_t> contacts) {
  const bool usual = what.empty();
  if (usual) what = kUsualPlot;
  const Reader reader(header, contacts);
  std::vector<PlotPanel> panels;
  const auto pieces = split(what, ',');
  if (!pieces) return Unexpected{pieces.error()};
  for (const std::string& piece : *pieces) {
    const auto joined = split(piece, '+');
    if (!joined) return Unexpected{joined.error()};
    std::vector<PlotPanel> list;
    for (const std::string& text : *joined) {
      auto read = reader.read(unquoted(text));
      if (!read) return Unexpected{read.error()};
      if (joined->size() == 1) {
        list = *std::move(read);
        continue;
      }
      if (list.empty()) list.emplace_back();
      if (const auto error = join(header, list.front(), *read, piece)) return Unexpected{*error};
    }
    for (PlotPanel& panel : list) {
      if (panel.curves.empty()) continue;
      panel.if_any = usual && panel.curves[0].quantity && panel.curves[0].quantity->name == "slip";
      panels.push_back(std::move(panel));
    }
  }
  if (usual && panels.size() > kMostPanels) panels.resize(kMostPanels);
  if (panels.size() > kMostPanels) {
    return Unexpected{Error{
        {"--what", "", 0, 0},
        fmt::format("this would make {} panels", panels.size()),
        fmt::format(
            "at most {} fit in a picture: select bodies, contacts or parts, e.g. {}.position.z",
            kMostPanels, quoted(header.bodies.back()))}};
  }
  if (panels.empty()) {
    return Unexpected{Error{{"--what", "", 0, 0},
                            fmt::format("the run has no data for \"{}\"", what),
                            "`oloid plot RECORD --list` shows what is available"}};
  }
  return panels;
}

Result<std::size_t> contact_named(const Header& header, std::string_view text) {
  std::size_t index = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (trouble == std::errc() && end == text.data() + text.size() && index < header.contacts.size())
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
  for (std::size_t i = 0; i < header.contacts.size(); ++i) pairs.push_back(pair_text(header, i));
  const std::string_view near =
      did_you_mean(text, std::vector<std::string_view>(pairs.begin(), pairs.end()));
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
  const auto& [a, b] = header.contacts[contact];
  return fmt::format("{} – {}", body_name(header, a), body_name(header, b));
}

std::string owner_name(const Header& header, const PlotCurve& curve) {
  if (!curve.quantity) return "";
  switch (curve.quantity->of) {
    case PlotQuantity::Of::body:
      return header.bodies[curve.owner];
    case PlotQuantity::Of::contact:
      return contact_name(header, curve.owner);
    case PlotQuantity::Of::run:
      break;
  }
  return "";
}

}  // namespace oloid::io
