// The one list of everything a scene file may contain; checks and reference text both come from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oloid {

enum class ValueKind {
  integer,
  number,
  friction,  // number or "unlimited"
  spin,      // number, "free" or "stuck"
  text,
  flag,
  choice,        // one of SceneKey::choices
  vector,        // 3 numbers
  matrix,        // symmetric: 3 numbers (the diagonal) or 3 × 3
  quaternion,    // [w, x, y, z]
  turns,         // [["x", angle], ...] in radians
  turns_deg,     // the same in degrees
  numbers,       // any number of numbers
  rows,          // rows of numbers
  points,        // points of a plane
  net,           // rows of points of space
  space_points,  // points of space
  box,           // two corners
  formulas,      // text or texts
  formula,       // text or number
  three_formulas,
  quaternions,  // any number of [w, x, y, z]
  two_points,   // of space
  two_names,
  table,
  tables,
};
std::string_view name(ValueKind kind);

struct SceneKey {
  std::string_view table;  // "" is the top of the file
  std::string_view key;
  ValueKind kind;
  std::string_view unit;
  std::string_view fallback;  // what holds if the key is missing; "required" if it must be there
  std::string_view meaning;
  std::string_view choices = "";  // words separated by blanks, for ValueKind::choice

  bool required() const { return fallback == "required"; }
};

// The words a key of ValueKind::choice takes.
std::vector<std::string_view> choices_of(const SceneKey& key);

// All keys, in the order of the reference.
std::span<const SceneKey> scene_schema();

// The schema as markdown tables; docs/formats/scene.md contains this text.
std::string scene_reference();

}  // namespace oloid
