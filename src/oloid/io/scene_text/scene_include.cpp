#include "oloid/io/scene_text/scene_include.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "oloid/io/scene_text/scene_schema.h"
#include "oloid/io/scene_text/scene_value.h"
#include "oloid/io/scene_text/table_reader.h"

namespace oloid::io {
namespace {

constexpr int kVersion = 1;
constexpr std::size_t kDeepest = 16;  // files inside each other
constexpr std::size_t kMostFiles = 256;

std::optional<Error> why_no_text(std::string_view text) {
  if (text.size() > kLargestScene) {
    return Error{
        {}, "the file is larger than 64 MB", "scene files are small: is this the right file?"};
  }
  if (text.find_first_not_of(" \t\r\n") == text.npos)
    return Error{{}, "the file is empty", "start with oloid = 1; see docs/formats/scene.md"};
  return std::nullopt;
}

void put(NodeTable& into, Entry&& entry) {
  if (Entry* known = find_entry(into, entry.key)) {
    *known = std::move(entry);
  } else {
    into.push_back(std::move(entry));
  }
}

// What is written in `over` wins; see load_document.
void merge(NodeTable& into, NodeTable&& over) {
  for (Entry& entry : over) {
    Entry* known = find_entry(into, entry.key);
    const SceneKey* key = find_key({""}, entry.key);
    auto* table = known ? std::get_if<NodeTable>(&known->value.value) : nullptr;
    auto* array = known ? std::get_if<NodeArray>(&known->value.value) : nullptr;
    auto* more_table = std::get_if<NodeTable>(&entry.value.value);
    auto* more_array = std::get_if<NodeArray>(&entry.value.value);
    if (table && more_table) {
      for (Entry& inner : *more_table) put(*table, std::move(inner));
      known->spot = entry.spot;
      known->value.spot = entry.value.spot;
    } else if (array && more_array && key && key->kind == ValueKind::tables) {
      std::move(more_array->begin(), more_array->end(), std::back_inserter(*array));
    } else {
      put(into, std::move(entry));
    }
  }
}

class Loader {
 public:
  Loader(const std::string& path, SceneFiles& files, Complaints& complaints)
      : files_(files), complaints_(complaints), chain_{path} {}

  // Merges the text, after what it includes, into the document.
  void load(std::string_view text, int number) {
    const std::string path = chain_.back();
    if (const auto error = why_no_text(text))
      return complaints_.add(Place{path, "", 0, 0}, error->message, error->remedy);
    auto document = parse_document(text, path, number);
    if (!document) return complaints_.add(document.error());
    auto& table = std::get<NodeTable>(document->value);
    if (!check_version(table, number)) return;
    if (const Entry* include = find_entry(table, "include")) {
      const SceneKey& key = *find_key({""}, "include");
      if (read_value(key, include->value, "include", complaints_)) load_all(include->value);
      std::erase_if(table, [](const Entry& entry) { return entry.key == "include"; });
    }
    merge(root_, std::move(table));
  }

  NodeTable take() { return std::move(root_); }

 private:
  // Another version makes all other complaints meaningless. Included files are checked here, the
  // scene itself with its other keys.
  bool check_version(NodeTable& table, int number) {
    const Entry* entry = find_entry(table, "oloid");
    const auto* version = entry ? std::get_if<std::int64_t>(&entry->value.value) : nullptr;
    if (version && *version != kVersion) {
      complaints_.add(
          entry->value.spot, "oloid",
          fmt::format("the file has format version {}, but this program reads version {}", *version,
                      kVersion),
          *version > kVersion ? "install a newer oloid, or use format version 1"
                              : "write oloid = 1");
      return false;
    }
    if (chain_.size() == 1) return true;
    if (!entry) {
      complaints_.add(Spot{1, 1, number}, "oloid", "required key `oloid` is missing",
                      "included files are scene files too: start with oloid = 1");
    } else {
      read_value(*find_key({""}, "oloid"), entry->value, "oloid", complaints_);
    }
    std::erase_if(table, [](const Entry& e) { return e.key == "oloid"; });
    return true;
  }

  void load_all(const Node& names) {
    if (const auto* array = std::get_if<NodeArray>(&names.value)) {
      for (std::size_t i = 0; i < array->size(); ++i)
        load_one((*array)[i], fmt::format("include[{}]", i));
    } else {
      load_one(names, "include");
    }
  }

  void load_one(const Node& node, const std::string& where) {
    const auto& written = std::get<std::string>(node.value);
    const std::string name = files_.name_of(chain_.back(), written);
    const std::string path = files_.path_of(name);
    const std::string normal = std::filesystem::path(path).lexically_normal().string();
    const auto refuse = [&](std::string message, std::string remedy) {
      complaints_.add(node.spot, where, std::move(message), std::move(remedy));
    };
    const auto again = std::find_if(chain_.begin(), chain_.end(), [&](const std::string& link) {
      return std::filesystem::path(link).lexically_normal() == normal;
    });
    if (again != chain_.end()) {
      std::string cycle;
      for (auto link = again; link != chain_.end(); ++link) cycle += *link + " -> ";
      return refuse(fmt::format("files include each other: {}{}", cycle, *again),
                    "move what both need into a third file");
    }
    if (!seen_.insert(normal).second) return;
    if (chain_.size() > kDeepest) {
      return refuse(fmt::format("files are nested more than {} levels deep", kDeepest),
                    "include them from one file instead");
    }
    if (seen_.size() > kMostFiles)
      return refuse(fmt::format("more than {} files are included", kMostFiles),
                    "merge some of them");
    const auto text = files_.read(name, kLargestScene);
    if (!text) {
      return refuse(
          fmt::format("{}: {}", text.error().place.file, text.error().message),
          "check the spelling; paths are relative to the directory of the including file");
    }
    files_.add_scene(name);
    chain_.push_back(path);
    load(*text, complaints_.add_file(path));
    chain_.pop_back();
  }

  SceneFiles& files_;
  Complaints& complaints_;
  std::vector<std::string> chain_;  // paths: the scene, then each included by the one before
  std::set<std::string> seen_;      // normal paths of included files
  NodeTable root_;
};

}  // namespace

std::optional<Node> load_document(std::string_view text, const std::string& path, SceneFiles& files,
                                  Complaints& complaints) {
  Loader loader(path, files, complaints);
  loader.load(text, 0);
  if (!complaints.empty()) return std::nullopt;
  return Node{loader.take(), {1, 1}};
}

}  // namespace oloid::io
