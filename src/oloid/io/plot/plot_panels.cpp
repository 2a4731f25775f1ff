#include "oloid/io/plot/plot_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "oloid/io/plot/plot_names.h"

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

std::optional<std::size_t> index_in(const std::vector<std::string>& names, std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<std::size_t>(at - names.begin());
}

class Reader {
 public:
  Reader(const Header& header, std::span<const std::size_t> contacts) : header_(header) {
    contacts_.assign(contacts.begin(), contacts.end());
    all_contacts_ = contacts_.empty();
    for (std::size_t i = 0; all_contacts_ && i < header.pairs.size(); ++i) contacts_.push_back(i);
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
    return Unexpected{unknown_quantity(header_, text)};
  }

 private:
  std::vector<PlotPanel> probes() const {
    std::vector<PlotPanel> list;
    for (std::size_t i = 0; i < header_.probes.size(); ++i)
      list.push_back({{{nullptr, i, 0, false}}, false});
    return list;
  }

  // None if it cannot be read this way.
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
  const auto pieces = split_outside_quotes(what, ',');
  if (!pieces) return Unexpected{pieces.error()};
  for (const std::string& piece : *pieces) {
    const auto joined = split_outside_quotes(piece, '+');
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
