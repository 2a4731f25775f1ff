#include "oloid/io/scene_text/place_reader.h"

#include <algorithm>
#include <numbers>

#include "oloid/base/did_you_mean.h"

namespace oloid::io {
namespace {

constexpr std::string_view kTouch = "place_touch", kDrop = "place_drop";

void refuse(const Place& place, std::string message, std::string remedy, Complaints& complaints) {
  complaints.add(place, std::move(message), std::move(remedy));
}

TouchSpec read_touch(const TableReader& table, Complaints& complaints) {
  auto touch = table.make<TouchSpec>();
  if (touch.own && touch.own_normal) {
    refuse(touch.own_normal->place, "`own` and `own_normal` both specify where the body touches",
           "keep one of them", complaints);
  }
  if (const auto degrees = table.get<double>("turn_deg")) {
    if (table.get<double>("turn")) {
      refuse(degrees->place, "`turn` and `turn_deg` both specify the angle", "keep one of them",
             complaints);
    }
    touch.turn = {degrees->value * std::numbers::pi / 180, degrees->place};
  }
  return touch;
}

DropSpec read_drop(const TableReader& table, Complaints& complaints) {
  const auto drop = table.make<DropSpec>();
  const auto anywhere = table.get<bool>("drop");
  if (drop.on && anywhere && anywhere->value) {
    refuse(anywhere->place, "`drop` and `drop_on` both specify what the body falls on",
           "keep one of them", complaints);
  } else if (!drop.on && anywhere && !anywhere->value) {
    refuse(anywhere->place, "the placement neither drops the body nor makes it touch another",
           "use drop = true, drop_on = \"...\" or touch = \"...\", or remove the placement",
           complaints);
  }
  return drop;
}

bool has(const NodeTable& table, std::string_view key) {
  return std::any_of(table.begin(), table.end(), [&](const Entry& e) { return e.key == key; });
}

// Neither touched nor dropped. A misspelt word for it was complained about as such.
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

void read_pose(const TableReader& table, Complaints& complaints, Given<Vec3<double>>& position,
               Given<Quat<double>>& orientation) {
  table.get("position", position);
  orientation.place = complaints.place(table.spot(), table.path_of("orientation"));
  std::string_view used;
  for (const std::string_view key : {"orientation", "rotate", "rotate_deg"}) {
    const auto given = table.get<Quat<double>>(key);
    if (!given) continue;
    if (!used.empty()) {
      complaints.add(given->place,
                     fmt::format("`{}` and `{}` both specify the orientation", used, key),
                     "keep one of them");
    }
    used = key;
    orientation = *given;
  }
}

Given<PlacementSpec> read_placement(const NodeTable& table, Spot spot, const std::string& path,
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

void refuse_given_twice(const TableReader& body, const Given<PlacementSpec>& placement,
                        Complaints& complaints) {
  const auto* touch = std::get_if<TouchSpec>(&placement.value.how);
  const auto position = body.get<Vec3<double>>("position");
  if (position && touch && touch->at) {
    refuse(position->place, "the position is given although it follows from `place.at`",
           "keep one of them: without `at`, the contact is at the point of the other body nearest "
           "to the position",
           complaints);
  }
  const auto velocity = body.get<Vec3<double>>("velocity");
  if (velocity && placement.value.rolling) {
    refuse(velocity->place, "the velocity is given although it follows from `place.rolling`",
           "specify only the angular velocity, or remove `rolling`", complaints);
  }
}

}  // namespace oloid::io
