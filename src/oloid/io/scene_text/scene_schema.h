// The one list of everything a scene file may contain, and where it goes: reader, checks, reference
// text and the JSON Schema (scene_json_schema.h) come from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/rooms.h"

namespace oloid::io {

enum class ValueKind {
  version,  // a plain integer
  integer,
  number,
  friction,  // number or "unlimited"
  spin,      // number, "free" or "stuck"
  text,
  texts,  // one or several
  flag,
  choice,        // one of SceneKey::choices
  vector,        // 3 numbers
  matrix,        // symmetric: 3 numbers (the diagonal) or 3 × 3
  quaternion,    // [w, x, y, z]
  turns,         // [["x", angle], ...] in radians
  turns_deg,     // the same in degrees
  rotation,      // { axis, angle_deg }
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

// Whether values are formulas in variables of their own, beside parameters.
bool takes_formulas(ValueKind kind);

// As SceneKey::choices: formulas whose names depend on the whole scene.
inline constexpr std::string_view kAnyNames = "*";

struct SceneKey;
class TableReader;

// The member of a Spec that takes the value of a key (table_reader.h, into). Empty: whoever reads
// the table has code for the key.
struct SceneTarget {
  const void* spec = nullptr;  // stands for the type of the Spec
  void (*put)(const TableReader& table, const SceneKey& key, void* spec) = nullptr;
};

struct SceneKey {
  std::string_view table;  // "" is the top of the file
  std::string_view key;
  SceneTarget target;
  ValueKind kind;
  std::string_view unit;
  std::string_view fallback;  // default if the key is missing; "required" if there is none
  std::string_view meaning;
  // Words separated by blanks: those of ValueKind::choice; the variables of formulas.
  std::string_view choices = "";

  bool required() const { return fallback == "required"; }
};

// The words of SceneKey::choices.
std::vector<std::string_view> choices_of(const SceneKey& key);

// All keys, in the order of the reference.
std::span<const SceneKey> scene_schema();

// The schema as markdown tables; docs/formats/scene.md contains this text.
std::string scene_reference();

}  // namespace oloid::io
