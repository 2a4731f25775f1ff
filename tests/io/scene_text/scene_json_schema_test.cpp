#include "oloid/io/scene_text/scene_json_schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "io/sample_run.h"
#include "oloid/io/scene_text/document.h"
#include "oloid/io/scene_text/scene_schema.h"
#include "support/rooms.h"

namespace oloid::test::scene_json_schema_test {

using Json = nlohmann::json;

Json to_json(const Node& node) {
  struct Converter {
    Json operator()(bool b) const { return b; }
    Json operator()(std::int64_t i) const { return i; }
    Json operator()(double x) const { return x; }
    Json operator()(const std::string& s) const { return s; }
    Json operator()(NodeDate) const { return nullptr; }
    Json operator()(const NodeArray& array) const {
      Json list = Json::array();
      for (const Node& item : array) list.push_back(to_json(item));
      return list;
    }
    Json operator()(const NodeTable& table) const {
      Json object = Json::object();
      for (const Entry& entry : table) object[entry.key] = to_json(entry.value);
      return object;
    }
  };
  return std::visit(Converter{}, node.value);
}

// The part of draft 7 that our schema uses; a keyword that is not known here is a failure.
class Validator {
 public:
  explicit Validator(const std::string& schema) : root_(Json::parse(schema)) {}
  bool accepts(const Json& value) const { return valid(root_, value); }
  const Json& root() const { return root_; }

 private:
  bool valid(const Json& schema, const Json& value) const {
    if (schema.is_boolean()) return schema.get<bool>();
    for (const auto& item : schema.items())
      if (!keyword(item.key(), item.value(), schema, value)) return false;
    return true;
  }

  bool keyword(const std::string& key, const Json& rule, const Json& schema,
               const Json& value) const {
    static const std::set<std::string> kNotes{"$schema", "title", "description", "definitions"};
    if (kNotes.count(key)) return true;
    if (key == "$ref")
      return valid(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value);
    if (key == "type") return of_type(rule, value);
    if (key == "const") return value == rule;
    if (key == "enum") return std::find(rule.begin(), rule.end(), value) != rule.end();
    if (key == "allOf" || key == "anyOf" || key == "oneOf") {
      const auto good = static_cast<std::size_t>(std::count_if(
          rule.begin(), rule.end(), [&](const Json& one) { return valid(one, value); }));
      return key == "allOf" ? good == rule.size() : key == "anyOf" ? good > 0 : good == 1;
    }
    if (key == "pattern")
      return !value.is_string() ||
             std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
    if (key == "minLength") return !value.is_string() || value.get<std::string>().size() >= rule;
    if (key == "items") return !value.is_array() || items(rule, value);
    if (key == "minItems") return !value.is_array() || value.size() >= rule;
    if (key == "maxItems") return !value.is_array() || value.size() <= rule;
    if (key == "minProperties") return !value.is_object() || value.size() >= rule;
    if (key == "required") {
      const auto has = [&](const Json& name) { return value.contains(name.get<std::string>()); };
      return !value.is_object() || std::all_of(rule.begin(), rule.end(), has);
    }
    if (key == "properties" || key == "additionalProperties" || key == "propertyNames")
      return !value.is_object() || properties(key, rule, schema, value);
    ADD_FAILURE() << "the schema uses " << key;
    return false;
  }

  static bool of_type(const Json& rule, const Json& value) {
    if (rule.is_array())
      return std::any_of(rule.begin(), rule.end(),
                         [&](const Json& one) { return of_type(one, value); });
    return rule == value.type_name() || (rule == "integer" && value.is_number_integer());
  }

  bool items(const Json& rule, const Json& value) const {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (!valid(rule.is_array() ? rule.at(std::min(i, rule.size() - 1)) : rule, value[i]))
        return false;
    return true;
  }

  bool properties(const std::string& key, const Json& rule, const Json& schema,
                  const Json& value) const {
    for (const auto& item : value.items()) {
      const bool known = schema.contains("properties") && schema["properties"].contains(item.key());
      if (key == "propertyNames" && !valid(rule, item.key())) return false;
      if (key == "properties" && known && !valid(rule[item.key()], item.value())) return false;
      if (key == "additionalProperties" && !known && !valid(rule, item.value())) return false;
    }
    return true;
  }

  Json root_;
};

bool accepts(const Validator& schema, const std::string& text) {
  const auto document = parse_document(text, "scene.toml");
  return document && schema.accepts(to_json(*document));
}

// OLOID_UPDATE_DOCS=1 writes the file instead of comparing.
TEST(SceneReference, SchemaIsTheOneInTheDocuments) {
  const std::string path = std::string(OLOID_TEST_DATA) + "/../../docs/formats/scene.schema.json";
  if (std::getenv("OLOID_UPDATE_DOCS")) {
    write_file(path, scene_json_schema());
  } else {
    EXPECT_EQ(read_file(path), scene_json_schema())
        << "run this test once with OLOID_UPDATE_DOCS=1";
  }
}

TEST(SceneJsonSchema, AcceptsAllGoodScenes) {
  const Validator schema(scene_json_schema());
  int scenes = 0;
  for (const std::string folder : {OLOID_SCENES, OLOID_TEST_DATA "/scenes_good"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const bool to_come = entry.path().parent_path().filename() == "to_come";
      if (entry.path().extension() != ".toml" || to_come) continue;
      ++scenes;
      EXPECT_TRUE(accepts(schema, read_file(entry.path().string()))) << entry.path();
    }
  }
  EXPECT_GE(scenes, 50);
}

// Whatever the reader says about keys and kinds of values the schema says, too.
TEST(SceneJsonSchema, RefusesWrongKeysAndKinds) {
  const Validator schema(scene_json_schema());
  int tried = 0, refused = 0;
  std::string missed;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(OLOID_TEST_DATA) + "/scenes_bad")) {
    if (entry.path().extension() != ".toml") continue;
    const std::string text = read_file(entry.path().string());
    const std::string first = text.substr(0, text.find('\n'));
    const auto has = [&](const char* words) { return first.find(words) != first.npos; };
    // What formulas mean is not the schema's business, nor are other files.
    const bool of_form = has("unknown key") || has("is not allowed here") ||
                         (has("expected ") && !has("expected a number, got the string"));
    if (!of_form || has("parts/")) continue;
    ++tried;
    if (accepts(schema, text)) {
      missed += entry.path().filename().string() + " ";
    } else {
      ++refused;
    }
  }
  EXPECT_GE(tried, 10);
  EXPECT_GE(refused, 0.8 * tried) << missed;
}

TEST(SceneJsonSchema, KnowsEachValueOfEachKey) {
  const Validator schema(scene_json_schema());
  const std::string top = "oloid = 1\nduration = 1\n[[body]]\nname = \"a\"\n";
  const auto good = [&](const std::string& text) { return accepts(schema, top + text + "\n"); };
  EXPECT_TRUE(good("shape = { type = \"sphere\", radius = \"2*r\" }"));
  EXPECT_FALSE(good("shape = { type = \"sphere\", radius = true }"));
  EXPECT_FALSE(good("shape = { type = \"sphere\", radius = \"2 ä\" }"));
  EXPECT_FALSE(good("shape = { type = \"sphere\" }"));
  EXPECT_FALSE(good("shape = { type = \"sphere\", radius = 1, size = [1, 1, 1] }"));
  EXPECT_FALSE(good("shape = { type = \"ball\", radius = 1 }"));
  EXPECT_TRUE(good("shape.type = \"plane\"\nmotion = { angle = \"t\" }"));
  EXPECT_FALSE(good("shape.type = \"plane\"\nmotion = { angle = \"t\", times = [1] }"));
  EXPECT_FALSE(good("shape.type = \"plane\"\nmotion = {}"));
  EXPECT_TRUE(good("shape.type = \"plane\"\nrotate_deg = [[\"x\", 30], [\"y\", \"a\"]]"));
  EXPECT_FALSE(good("shape.type = \"plane\"\nrotate_deg = [[\"w\", 30]]"));
  EXPECT_TRUE(good("shape.type = \"plane\"\nrotation = { axis = [0, 1, 1], angle_deg = 30 }"));
  EXPECT_FALSE(good("shape.type = \"plane\"\nrotation = { angle_deg = 30 }"));
  EXPECT_TRUE(good("shape.type = \"plane\"\ninertia = 0.1"));
  EXPECT_FALSE(good("shape.type = \"plane\"\nposition = [1, 2]"));
  const std::string patch = "shape = { type = \"patches\", patch = [{ net = [[[0, 0, 0]]]";
  EXPECT_TRUE(good(patch + " }] }"));
  EXPECT_TRUE(good(patch + ", type = \"triangle\" }] }"));
  EXPECT_FALSE(good(patch + ", type = \"triangle\", trim = [] }] }"));
  EXPECT_TRUE(good("shape = { type = \"wire\", curve = { kind = \"circle\", radius = 1 } }"));
  EXPECT_FALSE(good("shape = { type = \"wire\", curve = { kind = \"circle\", pitch = 1 } }"));
  EXPECT_TRUE(accepts(schema, "oloid = 1\ninclude = \"a.toml\"\n[parameters]\nr = 1\nq = \"r\"\n"));
  EXPECT_FALSE(accepts(schema, "oloid = 1\ninclude = 3\n"));
  EXPECT_FALSE(accepts(schema, "oloid = 1\n[parameters]\nr = [1]\n"));
  EXPECT_FALSE(accepts(schema, "oloid = 2\n"));
  EXPECT_FALSE(accepts(schema, "duration = 2\n"));
}

void collect(const Json& json, std::set<std::string>& descriptions) {
  if (json.is_object() && json.contains("description") && json["description"].is_string())
    descriptions.insert(json["description"].get<std::string>());
  for (const auto& item : json)
    if (item.is_structured()) collect(item, descriptions);
}

// No table is forgotten: every key of the one list is in it, with its meaning.
TEST(SceneJsonSchema, HasEveryKey) {
  std::set<std::string> descriptions;
  collect(Validator(scene_json_schema()).root(), descriptions);
  for (const SceneKey& key : scene_schema()) {
    const auto begins = [&](const std::string& text) { return text.rfind(key.meaning, 0) == 0; };
    EXPECT_TRUE(std::any_of(descriptions.begin(), descriptions.end(), begins))
        << key.table << "." << key.key;
  }
}

}  // namespace oloid::test::scene_json_schema_test
