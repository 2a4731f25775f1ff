#include "oloid/io/scene_text/load_reader.h"

#include <array>
#include <utility>

namespace oloid::io {
namespace {

constexpr std::array<std::string_view, 3> kMotions{"motion_formula", "motion_frames",
                                                   "motion_belt"};

FormulaMotionSpec read_formula_motion(const TableReader& table, Complaints& complaints) {
  auto motion = table.make<FormulaMotionSpec>();
  if (motion.angle && motion.rotation_vector) {
    complaints.add_both(motion.rotation_vector->place, "angle", "rotation_vector", "the rotation");
  }
  const auto axis = table.get<Vec3<double>>("rotation_axis");
  if (axis && !motion.angle) {
    complaints.add(axis->place, "`rotation_axis` is given without `angle`",
                   "add angle = \"...\", a formula in t");
  }
  return motion;
}

KeyFrameMotionSpec read_key_frames(const TableReader& table, Complaints& complaints) {
  auto motion = table.make<KeyFrameMotionSpec>();
  if (motion.orientations && motion.rotation_vectors) {
    complaints.add_both(motion.rotation_vectors->place, "orientations", "rotation_vectors",
                        "the rotation");
  }
  return motion;
}

// The kind of motion and the key that decides it: the first in the file that belongs to one.
struct Decided {
  std::string_view kind, key;
};
Decided decide_kind(const NodeTable& table) {
  Decided decided;
  std::pair<int, int> first;
  for (const Entry& entry : table) {
    const std::pair at(entry.spot.line, entry.spot.column);
    for (const std::string_view kind : kMotions) {
      if (!find_key({kind}, entry.key) || (!decided.kind.empty() && first <= at)) continue;
      decided = {kind, entry.key};
      first = at;
    }
  }
  return decided;
}

}  // namespace

Located<MotionSpec> read_motion(const NodeTable& table, Spot spot, const std::string& path,
                                Complaints& complaints) {
  const auto [kind, key] = decide_kind(table);
  NodeTable own;
  for (const Entry& entry : table) {
    if (kind.empty() || find_key({kind}, entry.key) ||
        !find_key({kMotions.begin(), kMotions.end()}, entry.key)) {
      own.push_back(entry);
      continue;
    }
    complaints.add(entry.spot, fmt::format("{}.{}", path, entry.key),
                   fmt::format("`{}` cannot be combined with `{}`", entry.key, key),
                   "a motion is given by formulas (position, angle, ...), by key frames (times, "
                   "positions, ...) or as a moving surface (surface_velocity, surface_spin)");
  }
  const Tables schema = kind.empty() ? Tables{"motion_formula"} : Tables{kind};
  const TableReader reader(own, spot, path, schema, complaints);
  if (own.empty()) {
    complaints.add(spot, path, "the motion is empty",
                   "specify formulas (position, angle), key frames (times, positions) or "
                   "surface_velocity; for a body at rest use fixed = true");
  }
  const Place place = reader.place();
  if (kind == "motion_frames") return {read_key_frames(reader, complaints), place};
  if (kind == "motion_belt") return {reader.make<BeltMotionSpec>(), place};
  return {read_formula_motion(reader, complaints), place};
}

LoadSpec read_load(const TableReader& table) {
  auto load = table.make<LoadSpec>();
  const auto frame = table.get<std::string>("frame");
  load.body_axes = frame && frame->value == "body";
  return load;
}

}  // namespace oloid::io
