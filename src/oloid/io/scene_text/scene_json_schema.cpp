#include "oloid/io/scene_text/scene_json_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "oloid/io/scene_text/scene_schema.h"

namespace oloid::io {
namespace {

using Json = nlohmann::ordered_json;

// Which tables of the schema a key leads to, where that is not the table of its name. With a
// selector the value of that key chooses one: the keys are those of `table` and of prefix + value.
struct Below {
  std::string_view key, table, selector, prefix;
};
constexpr Below kBelow[] = {
    {"shape", "shape", "type", ""},
    {"patch", "patch", "type", ""},
    {"curve", "space_curve", "kind", "curve_"},
    {"profile", "curve", "", ""},
    {"trim", "curve", "", ""},
    {"place", "place_touch", "", ""},
    {"place", "place_drop", "", ""},
    {"motion", "motion_formula", "", ""},
    {"motion", "motion_frames", "", ""},
    {"motion", "motion_belt", "", ""},
};

Json reference(std::string_view definition) {
  return {{"$ref", fmt::format("#/definitions/{}", definition)}};
}

Json list_of(const Json& item) { return {{"type", "array"}, {"items", item}}; }

Json exactly(std::size_t count, const Json& item) {
  Json list = list_of(item);
  list["minItems"] = list["maxItems"] = count;
  return list;
}

Json any_of(std::initializer_list<Json> alternatives) {
  return {{"anyOf", Json::array_t(alternatives)}};
}

Json word(const std::vector<std::string_view>& words) { return {{"enum", words}}; }

Json list_of_turns() {
  return list_of({{"type", "array"},
                  {"items", Json::array({word({"x", "y", "z"}), reference("number")})},
                  {"minItems", 2},
                  {"maxItems", 2}});
}

Json about_axis() {
  const Json angle = reference("number");
  return {{"type", "object"},
          {"properties", {{"axis", reference("vector")}, {"angle", angle}, {"angle_deg", angle}}},
          {"required", {"axis"}},
          {"additionalProperties", false}};
}

Json value_of(const SceneKey& key) {
  const Json number = reference("number"), vector = reference("vector"), text = reference("text"),
             formula = reference("formula");
  switch (key.kind) {
    case ValueKind::version:
      return {{"const", 1}};
    case ValueKind::integer:
      return reference("integer");
    case ValueKind::number:
    case ValueKind::friction:  // the words are texts, as formulas are
    case ValueKind::spin:
      return reference("number");
    case ValueKind::text:
      return reference("text");
    case ValueKind::texts:
      return any_of({text, list_of(text)});
    case ValueKind::flag:
      return {{"type", "boolean"}};
    case ValueKind::choice:
      return word(choices_of(key));
    case ValueKind::vector:
      return reference("vector");
    case ValueKind::matrix:
      return any_of({number, vector, exactly(3, vector)});
    case ValueKind::quaternion:
      return exactly(4, number);
    case ValueKind::turns:
    case ValueKind::turns_deg:
      return list_of_turns();
    case ValueKind::rotation:
      return about_axis();
    case ValueKind::numbers:
      return list_of(number);
    case ValueKind::rows:
      return list_of(list_of(number));
    case ValueKind::points:
      return list_of(exactly(2, number));
    case ValueKind::net:
      return list_of(list_of(vector));
    case ValueKind::space_points:
      return list_of(vector);
    case ValueKind::box:
    case ValueKind::two_points:
      return exactly(2, vector);
    case ValueKind::formulas:
      return any_of({text, list_of(text)});
    case ValueKind::formula:
      return reference("formula");
    case ValueKind::three_formulas:
      return exactly(3, formula);
    case ValueKind::quaternions:
      return list_of(exactly(4, number));
    case ValueKind::two_names:
      return exactly(2, text);
    case ValueKind::table:
      return reference(key.key);
    case ValueKind::tables:
      return list_of(reference(key.key));
  }
  return {};
}

// A key as an editor shows it. Some ignore keys beside a reference, so that is wrapped.
Json property(const SceneKey& key) {
  Json value = value_of(key);
  if (value.contains("$ref")) value = {{"allOf", Json::array({value})}};
  std::string about(key.meaning);
  if (!key.unit.empty()) about += fmt::format(" Unit: {}.", key.unit);
  if (!key.required()) about += fmt::format(" Default: {}.", key.fallback);
  value["description"] = about;
  return value;
}

// An object with the keys of these tables; `selector` must have the value `selected`.
Json object_of(const std::vector<std::string_view>& tables, std::string_view selector = "",
               std::string_view selected = "") {
  Json properties = Json::object(), required = Json::array();
  for (const SceneKey& key : scene_schema()) {
    if (std::find(tables.begin(), tables.end(), key.table) == tables.end()) continue;
    const std::string name(key.key);
    properties[name] = property(key);
    if (key.key == selector) {
      properties[name] = {{"const", selected}, {"description", key.meaning}};
      // If the key is missing, the default, the first of the words, applies.
      if (key.required() || choices_of(key).front() != selected) required.push_back(name);
    } else if (key.required()) {
      required.push_back(name);
    }
  }
  Json object = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) object["required"] = required;
  return object;
}

Json alternatives_of(const Below& below) {
  Json all = Json::array();
  for (const SceneKey& key : scene_schema()) {
    if (key.table != below.table || key.key != below.selector) continue;
    for (const std::string_view choice : choices_of(key)) {
      const std::string own = fmt::format("{}{}", below.prefix, choice);
      all.push_back(object_of({below.table, own}, key.key, choice));
    }
  }
  return all;
}

// What stands below a key that is a table or a list of tables.
Json table_of(std::string_view key) {
  Json all = Json::array();
  for (const Below& below : kBelow) {
    if (below.key != key) continue;
    if (!below.selector.empty()) return {{"oneOf", alternatives_of(below)}};
    all.push_back(object_of({below.table}));
  }
  if (all.empty()) return object_of({key});
  if (all.size() == 1) return all.front();
  return {{"minProperties", 1}, {"oneOf", all}};
}

Json values() {
  return {
      {"number",
       {{"type", Json::array({"number", "string"})},
        {"pattern", "^[-+*/^(), .0-9A-Za-z_]+$"},
        {"description", "A number, or a formula in the parameters, in quotes."}}},
      {"integer",
       {{"type", Json::array({"integer", "string"})},
        {"pattern", "^[-+*/^(), .0-9A-Za-z_]+$"},
        {"description", "An integer, or a formula in the parameters, in quotes."}}},
      {"formula",
       {{"type", Json::array({"number", "string"})},
        {"minLength", 1},
        {"description", "A formula in quotes, or a number."}}},
      {"text", {{"type", "string"}, {"minLength", 1}}},
      {"vector", exactly(3, reference("number"))},
      {"parameters",
       {{"type", "object"},
        {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}},
        {"additionalProperties", reference("number")}}},
  };
}

}  // namespace

std::string scene_json_schema() {
  Json definitions = values();
  for (const SceneKey& key : scene_schema()) {
    const bool is_table = key.kind == ValueKind::table || key.kind == ValueKind::tables;
    const std::string name(key.key);
    if (is_table && !definitions.contains(name)) definitions[name] = table_of(key.key);
  }
  Json root = {{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"title", "oloid scene"},
               {"description", "An oloid scene file, format version 1."}};
  root.update(object_of({""}));
  // An included file is not a complete scene, and a scene may rely on the files it includes.
  root["required"] = Json::array({"oloid"});
  root["definitions"] = definitions;
  return root.dump(1) + "\n";
}

}  // namespace oloid::io
