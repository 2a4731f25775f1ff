#include "oloid/io/scene_text/table_reader.h"

#include <algorithm>

#include "oloid/base/did_you_mean.h"

namespace oloid::io {
namespace {

// body[1].shape.trim → body.shape.trim, as tables are headed in TOML.
std::string without_indices(std::string_view path) {
  std::string plain;
  bool inside = false;
  for (const char c : path) {
    if (c == '[') inside = true;
    if (!inside) plain += c;
    if (c == ']') inside = false;
  }
  return plain;
}

}  // namespace

const SceneKey* find_key(const Tables& tables, std::string_view key) {
  for (const SceneKey& k : scene_schema()) {
    if (k.key == key && std::find(tables.begin(), tables.end(), k.table) != tables.end()) return &k;
  }
  return nullptr;
}

std::string_view chosen(const NodeTable& table, const SceneKey& key) {
  for (const Entry& entry : table) {
    const auto* given = std::get_if<std::string>(&entry.value.value);
    if (entry.key != key.key || !given) continue;
    for (const std::string_view word : choices_of(key)) {
      if (word == *given) return word;
    }
  }
  return {};
}

TableReader::TableReader(const NodeTable& table, Spot spot, std::string path, const Tables& schema,
                         Complaints& complaints, Missing missing)
    : spot_(spot), path_(std::move(path)), schema_(schema), complaints_(complaints) {
  for (const Entry& entry : table) read(entry, schema);
  if (missing == Missing::allowed) return;
  for (const SceneKey& key : scene_schema()) {
    if (key.required() && std::find(schema.begin(), schema.end(), key.table) != schema.end()) {
      require(table, key);
    }
  }
}

void TableReader::read(const Entry& entry, const Tables& schema) {
  const SceneKey* key = find_key(schema, entry.key);
  if (!key) return refuse(entry, schema);
  const std::string path = path_of(key->key);
  if (key->kind == ValueKind::table) return read_table(entry, *key, path);
  if (key->kind == ValueKind::tables) return read_tables(entry, *key, path);
  if (auto value = read_value(*key, entry.value, path, complaints_)) {
    values_.push_back({key->key, std::move(*value), complaints_.place(entry.value.spot, path)});
  }
}

void TableReader::read_table(const Entry& entry, const SceneKey& key, const std::string& path) {
  if (const auto* table = std::get_if<NodeTable>(&entry.value.value)) {
    below_.push_back({key.key, table, entry.value.spot, path});
  } else {
    complaints_.add(entry.value.spot, path,
                    fmt::format("expected a table, got {}", describe(entry.value)),
                    fmt::format("write {} = {{ ... }} or [{}]", key.key, without_indices(path)));
  }
}

void TableReader::read_tables(const Entry& entry, const SceneKey& key, const std::string& path) {
  const std::string remedy =
      fmt::format("write [[{}]], with double brackets", without_indices(path));
  const auto* array = std::get_if<NodeArray>(&entry.value.value);
  if (!array) {
    complaints_.add(entry.value.spot, path,
                    fmt::format("expected tables, got {}", describe(entry.value)), remedy);
    return;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    const Node& node = (*array)[i];
    const std::string item = fmt::format("{}[{}]", path, i);
    if (const auto* table = std::get_if<NodeTable>(&node.value)) {
      below_.push_back({key.key, table, node.spot, item});
    } else {
      complaints_.add(node.spot, item, fmt::format("expected a table, got {}", describe(node)),
                      remedy);
    }
  }
}

void TableReader::refuse(const Entry& entry, const Tables& schema) {
  std::vector<std::string_view> known;
  for (const SceneKey& k : scene_schema()) {
    if (std::find(schema.begin(), schema.end(), k.table) != schema.end()) known.push_back(k.key);
  }
  const std::string_view near = did_you_mean(entry.key, known);
  if (!near.empty()) misspelt_.push_back(near);
  const std::string shown = entry.key.substr(0, 40);
  complaints_.add(entry.spot, path_of(shown), fmt::format("unknown key `{}`", shown),
                  near.empty() ? fmt::format("available keys: {}", fmt::join(known, ", "))
                               : fmt::format("did you mean `{}`?", near));
}

void TableReader::require(const NodeTable& table, const SceneKey& key) {
  const auto is_key = [&](const Entry& entry) { return entry.key == key.key; };
  if (std::any_of(table.begin(), table.end(), is_key)) return;
  if (std::find(misspelt_.begin(), misspelt_.end(), key.key) != misspelt_.end()) return;
  const bool nested = key.kind == ValueKind::table || key.kind == ValueKind::tables;
  const std::string unit = key.unit.empty() ? "" : fmt::format(" in {}", key.unit);
  const std::string how =
      nested ? std::string("it") : fmt::format("{} = <{}{}>", key.key, name(key.kind), unit);
  complaints_.add(spot_, path_of(key.key), fmt::format("required key `{}` is missing", key.key),
                  fmt::format("add {}. {}", how, key.meaning));
}

}  // namespace oloid::io
