#include "oloid/io/scene_text/place_reader.h"

#include <algorithm>
#include <numbers>

#include "oloid/base/did_you_mean.h"

namespace oloid::io {
namespace {

constexpr std::string_view kTouch = "place_touch", kDrop = "place_drop";

TouchSpec read_touch(const TableReader& table, Complaints& complaints) {
  auto touch = table.make<TouchSpec>();
  if (touch.own && touch.own_normal) {
    complaints.add_both(touch.own_normal->place, "own", "own_normal", "where the body touches");
  }
  if (const auto degrees = table.get<double>("turn_deg")) {
    if (table.get<double>("turn")) {
      complaints.add_both(degrees->place, "turn", "turn_deg", "the angle");
    }
    touch.turn = {degrees->value * std::numbers::pi / 180, degrees->place};
  }
  return touch;
}

DropSpec read_drop(const TableReader& table, Complaints& complaints) {
  auto drop = table.make<DropSpec>();
  const auto anywhere = table.get<bool>("drop");
  if (drop.on && anywhere && anywhere->value) {
    complaints.add_both(anywhere->place, "drop", "drop_on", "what the body falls on");
  } else if (!drop.on && anywhere && !anywhere->value) {
    complaints.add(
        anywhere->place, "the placement neither drops the body nor makes it touch another",
        "use drop = true, drop_on = \"...\" or touch = \"...\", or remove the placement");
  }
  return drop;
}

bool has(const NodeTable& table, std::string_view key) {
  return std::any_of(table.begin(), table.end(), [&](const Entry& e) { return e.key == key; });
}

// The placement neither touches nor drops. If its key is misspelt, that was already reported.
void refuse_undecided(const NodeTable& table, Spot spot, const std::string& path,
                      Complaints& complaints) {
  constexpr std::string_view kWays[] = {"touch", "drop_on", "drop"};
  const auto misspelt = [&](const Entry& entry) {
    return !find_key({kDrop, kTouch}, entry.key) && !did_you_mean(entry.key, kWays).empty();
  };
  if (std::any_of(table.begin(), table.end(), misspelt)) return;
  complaints.add(spot, path, "the placement does not specify what the body touches or falls on",
                 "add touch = \"...\", drop_on = \"...\" or drop = true");
}

}  // namespace

void read_pose(const TableReader& table, Complaints& complaints, Located<Vec3<double>>& position,
               Located<Quat<double>>& orientation) {
  table.get("position", position);
  orientation.place = complaints.place(table.spot(), table.path_of("orientation"));
  std::string_view used;
  for (const std::string_view key : {"orientation", "rotate", "rotate_deg", "rotation"}) {
    const auto given = table.get<Quat<double>>(key);
    if (!given) continue;
    if (!used.empty()) {
      complaints.add_both(given->place, used, key, "the orientation");
    }
    used = key;
    orientation = *given;
  }
}

Located<PlacementSpec> read_placement(const NodeTable& table, Spot spot, const std::string& path,
                                      Complaints& complaints) {
  const bool touches = has(table, "touch");
  const bool dropped = has(table, "drop") || has(table, "drop_on");
  NodeTable own;
  for (const Entry& entry : table) {
    const bool strange = touches && !find_key({kTouch}, entry.key) && find_key({kDrop}, entry.key);
    const bool of_touch =
        !touches && dropped && !find_key({kDrop}, entry.key) && find_key({kTouch}, entry.key);
    if (!strange && !of_touch) {
      own.push_back(entry);
      continue;
    }
    complaints.add(entry.spot, fmt::format("{}.{}", path, entry.key),
                   fmt::format("`{}` cannot be combined with `{}`", entry.key,
                               touches                 ? "touch"
                               : has(table, "drop_on") ? "drop_on"
                                                       : "drop"),
                   "a body either touches another (touch, at, own, own_normal, turn) or is dropped "
                   "(drop_on, drop)");
  }
  const bool decided = touches || dropped;
  const TableReader reader(own, spot, path,
                           touches   ? Tables{kTouch}
                           : dropped ? Tables{kDrop}
                                     : Tables{kDrop, kTouch},
                           complaints, decided ? Missing::refused : Missing::allowed);
  auto placement = reader.make<PlacementSpec>();
  if (touches) {
    placement.how = read_touch(reader, complaints);
  } else if (decided) {
    placement.how = read_drop(reader, complaints);
  } else {
    refuse_undecided(table, spot, path, complaints);
  }
  return {std::move(placement), reader.place()};
}

void refuse_given_twice(const TableReader& body, const Located<PlacementSpec>& placement,
                        Complaints& complaints) {
  const auto* touch = std::get_if<TouchSpec>(&placement.value.how);
  const auto position = body.get<Vec3<double>>("position");
  if (position && touch && touch->at) {
    complaints.add(
        position->place, "the position is given although it follows from `place.at`",
        "keep one of them: without `at`, the contact is at the point of the other body nearest "
        "to the position");
  }
  const auto velocity = body.get<Vec3<double>>("velocity");
  if (velocity && placement.value.rolling) {
    complaints.add(velocity->place,
                   "the velocity is given although it follows from `place.rolling`",
                   "specify only the angular velocity, or remove `rolling`");
  }
}

}  // namespace oloid::io
