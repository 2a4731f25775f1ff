#include "oloid/io/plot/plot_captions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace oloid::io {
namespace {

// The quantity in words, without the owner.
std::string title_of(const Header& header, const PlotCurve& curve) {
  if (!curve.quantity) return header.probes[curve.owner].name;
  const PlotQuantity& quantity = *curve.quantity;
  const std::string_view part = quantity.parts.empty() ? "" : quantity.parts[curve.part];
  if (part == "up") {
    if (quantity.name == "angular_velocity") return "Spin about the vertical";
    if (quantity.name == "position") return "Height";
    return fmt::format("{} upwards", quantity.title);
  }
  if (quantity.name == "slip" && part == "norm") return "Slip speed";
  return std::string(quantity.title);
}
// What tells curves of one quantity and owner apart.
std::string part_label(const PlotCurve& curve) {
  if (!curve.quantity || curve.quantity->parts.empty()) return "";
  const std::string_view part = curve.quantity->parts[curve.part];
  if (part == "up" || (part == "norm" && curve.quantity->usual == 1)) return "";
  if (part == "potential") return "potential from the start";
  return std::string(part == "total" ? "kinetic + potential" : part);
}

bool shared(const std::vector<std::string>& list) {
  return std::adjacent_find(list.begin(), list.end(), std::not_equal_to<>()) == list.end();
}

}  // namespace

PlotCaptions::PlotCaptions(const Header& header, std::span<const PlotCurve* const> curves) {
  for (const PlotCurve* curve : curves) {
    title_.push_back(title_of(header, *curve));
    owner_.push_back(owner_name(header, *curve));
    part_.push_back(part_label(*curve));
  }
}

std::string PlotCaptions::heading(std::string_view unit) const {
  std::string heading;
  std::vector<std::string> seen;
  for (const std::string& title : title_) {
    if (std::find(seen.begin(), seen.end(), title) == seen.end()) seen.push_back(title);
  }
  heading = fmt::format("{}", fmt::join(seen, ", "));
  if (shared(part_) && !part_[0].empty()) heading += " " + part_[0];
  if (shared(owner_) && !owner_[0].empty()) heading += fmt::format(", {}", owner_[0]);
  if (!unit.empty()) heading += fmt::format(" [{}]", unit);
  return heading;
}

std::string PlotCaptions::label(std::size_t curve) const {
  std::vector<std::string> words;
  for (const auto* list : {&title_, &owner_, &part_}) {
    if (!shared(*list) && !(*list)[curve].empty()) words.push_back((*list)[curve]);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string event_label(const Header& header, const Event& event) {
  switch (event.kind) {
    case EventKind::mode_change:
      return fmt::format("{} → {}", name(event.before), name(event.after));
    case EventKind::probe: {
      const auto i = static_cast<std::size_t>(event.probe);
      return event.probe >= 0 && i < header.probes.size() ? header.probes[i].name + " = 0" : "";
    }
    default: {
      std::string text(name(event.kind));
      std::replace(text.begin(), text.end(), '_', ' ');
      return text;
    }
  }
}

}  // namespace oloid::io
