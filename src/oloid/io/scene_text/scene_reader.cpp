#include "oloid/io/scene_text/scene_reader.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "oloid/io/files/text_file.h"
#include "oloid/io/scene_text/document.h"
#include "oloid/io/scene_text/load_reader.h"
#include "oloid/io/scene_text/place_reader.h"
#include "oloid/io/scene_text/scene_files.h"
#include "oloid/io/scene_text/scene_include.h"
#include "oloid/io/scene_text/scene_override.h"
#include "oloid/io/scene_text/shape_reader.h"
#include "oloid/io/scene_text/table_reader.h"

namespace oloid::io {
namespace {

BodySpec read_body(const TableReader& table, Complaints& complaints, CageFiles& files) {
  auto body = table.make<BodySpec>();
  read_pose(table, complaints, body.position, body.orientation);
  table.each("shape", [&](const NodeTable& shape, Spot spot, const std::string& path) {
    read_shape(shape, spot, path, complaints, files, body);
  });
  table.each("motion", [&](const NodeTable& motion, Spot spot, const std::string& path) {
    body.motion = read_motion(motion, spot, path, complaints);
  });
  table.each("place", [&](const NodeTable& place, Spot spot, const std::string& path) {
    body.placement = read_placement(place, spot, path, complaints);
    refuse_given_twice(table, *body.placement, complaints);
  });
  return body;
}

// Bodies are found by name, and so are materials; with includes the other one may be far away.
template <class Named>
void refuse_twins(const std::vector<Named>& all, std::string_view what, Complaints& complaints) {
  std::map<std::string, Place> known;
  for (const Named& one : all) {
    const auto [other, is_new] = known.emplace(one.name.value, one.name.place);
    if (is_new || one.name.value.empty()) continue;
    const Place& at = other->second;
    const std::string line = at.line > 0 ? fmt::format(":{}:{}", at.line, at.column) : "";
    complaints.add(one.name.place,
                   fmt::format("two {} are named \"{}\"; the other one is in {}{}", what,
                               one.name.value, at.file, line),
                   "names must be unique");
  }
}

Spec read_root(const NodeTable& root, const std::string& file, SceneFiles& scene_files,
               Complaints& complaints) {
  const TableReader top(root, {1, 1}, "", {""}, complaints);
  const auto sub = [&](std::string_view key, auto read) {
    top.each(key, [&](const NodeTable& table, Spot spot, const std::string& path) {
      read(TableReader(table, spot, path, {key}, complaints));
    });
  };
  Spec spec;
  CageFiles files(scene_files, complaints);
  const auto name = top.get<std::string>("name");
  spec.name = name ? name->value : std::filesystem::path(file).stem().string();
  top.fill(spec);
  sub("solver", [&](const TableReader& t) { t.fill(spec.solver); });
  sub("output", [&](const TableReader& t) { t.fill(spec); });
  sub("material", [&](const TableReader& t) {
    MaterialSpec& material = spec.materials.emplace_back(t.make<MaterialSpec>());
    t.fill(material.law);
  });
  sub("body",
      [&](const TableReader& t) { spec.bodies.push_back(read_body(t, complaints, files)); });
  sub("pair", [&](const TableReader& t) {
    PairSpec& pair = spec.pairs.emplace_back(t.make<PairSpec>());
    t.fill(pair.law);
  });
  sub("load", [&](const TableReader& t) { spec.loads.push_back(read_load(t)); });
  sub("spring", [&](const TableReader& t) { spec.springs.push_back(t.make<SpringSpec>()); });
  sub("drag", [&](const TableReader& t) { spec.drags.push_back(t.make<DragSpec>()); });
  sub("probe", [&](const TableReader& t) { spec.probes.push_back(t.make<ProbeSpec>()); });
  refuse_twins(spec.bodies, "bodies", complaints);
  refuse_twins(spec.materials, "materials", complaints);
  return spec;
}

// Before anything else: other values may be formulas of them.
void find_parameters(const NodeTable& root, Complaints& complaints) {
  const Entry* entry = find_entry(root, "parameters");
  const auto* table = entry ? std::get_if<NodeTable>(&entry->value.value) : nullptr;
  if (table) complaints.set_parameters(read_parameters(*table, complaints));
}

}  // namespace

Result<Spec, Errors> parse_scene(std::string_view text, const std::string& file,
                                 const SceneOptions& options) {
  Complaints complaints(file);
  SceneFiles files(file, options.files ? &*options.files : nullptr);
  auto document = load_document(text, file, files, complaints);
  if (!document) return Unexpected{complaints.take()};
  override_values(*document, options.overrides, complaints);
  if (!complaints.empty()) return Unexpected{complaints.take()};
  const NodeTable& root = std::get<NodeTable>(document->value);
  find_parameters(root, complaints);
  Spec spec = read_root(root, file, files, complaints);
  if (!complaints.empty()) return Unexpected{complaints.take()};
  spec.text = text;
  spec.file = file;
  spec.files = files.take();
  spec.overrides = options.overrides;
  return spec;
}

Result<Spec, Errors> read_scene(const std::string& path, const SceneOptions& options) {
  const auto text = read_text_file(path, kLargestScene);
  if (!text) return Unexpected{Errors{text.error()}};
  return parse_scene(*text, path, options);
}

}  // namespace oloid::io
