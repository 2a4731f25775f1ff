#include "oloid/io/scene_text/scene_override.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <variant>

#include "oloid/base/did_you_mean.h"
#include "oloid/io/scene_text/table_reader.h"

namespace oloid::io {
namespace {

// A key, the name of a table in a list, or an index.
using Step = std::variant<std::string, std::size_t>;

constexpr std::string_view kExample = "write it like --set body.ball.mass=2";

Error trouble(std::string message, std::string remedy) {
  return {{}, std::move(message), std::move(remedy)};
}

// Where the path ends and the value begins: the first = outside of quotes, which begin a key.
std::size_t equals_sign(std::string_view text) {
  char quote = 0, before = '.';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && (before == '.' || before == ' ')) {
      quote = c;
    } else if (c == '=') {
      return i;
    }
    before = c;
  }
  return text.npos;
}

Error no_equals_sign(std::string_view text) {
  if (text.find('=') == text.npos) return trouble("the = is missing", std::string(kExample));
  return trouble("unclosed quote in the path",
                 "close it before the =, as in body.\"my ball\".mass=2; remember that your shell "
                 "also interprets quotes");
}

// The first byte that does not belong to a character of UTF-8; npos: all do.
std::size_t no_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80                    ? 1
                               : lead >= 0xC2 && lead <= 0xDF ? 2
                               : lead >= 0xE0 && lead <= 0xEF ? 3
                               : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                              : 0;
    if (length == 0 || i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k)
      if ((byte(i + k) & 0xC0U) != 0x80U) return i;
    // An overlong form, half of a UTF-16 surrogate pair, or beyond the last character.
    const unsigned next = length > 2 ? byte(i + 1) : 0x80U;
    if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) ||
        (lead == 0xF0 && next < 0x90) || (lead == 0xF4 && next > 0x8F))
      return i;
    i += length;
  }
  return text.npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// body[0]."my ball".position → steps.
class PathParser {
 public:
  explicit PathParser(std::string_view text) : text_(text) {}

  Result<std::vector<Step>> parse() {
    bool good = key();
    while (good && at_ < text_.size()) good = next();
    if (good) return std::move(steps_);
    return Unexpected{
        trouble(fmt::format("syntax error in the path \"{}\" at character {}", text_, at_ + 1),
                "separate keys by dots and put indices in brackets: body[0].shape.radius")};
  }

 private:
  bool next() {
    if (text_[at_] == '[') return index();
    if (text_[at_] != '.') return false;
    ++at_;
    return key();
  }
  bool key() {
    if (at_ >= text_.size()) return false;
    const char c = text_[at_];
    std::size_t begin = at_, end = 0;
    if (c == '"' || c == '\'') {
      begin = at_ + 1;
      end = text_.find(c, begin);
      if (end == text_.npos) return false;
      at_ = end + 1;
    } else {
      end = at_ = std::min(text_.find_first_of(".[] \t", at_), text_.size());
    }
    if (end == begin) return false;
    steps_.emplace_back(std::string(text_.substr(begin, end - begin)));
    return true;
  }
  bool index() {
    std::size_t number = 0;
    const char* first = text_.data() + at_ + 1;
    const char* last = text_.data() + text_.size();
    const auto [end, error] = std::from_chars(first, last, number);
    if (error != std::errc{} || end == last || *end != ']') return false;
    steps_.emplace_back(number);
    at_ = static_cast<std::size_t>(end - text_.data()) + 1;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Step> steps_;
};

void move_to(Node& node, Spot spot) {
  node.spot = spot;
  if (auto* array = std::get_if<NodeArray>(&node.value)) {
    for (Node& item : *array) move_to(item, spot);
  } else if (auto* table = std::get_if<NodeTable>(&node.value)) {
    for (Entry& entry : *table) {
      entry.spot = spot;
      move_to(entry.value, spot);
    }
  }
}

Result<Node> read_override(std::string_view text, Spot spot) {
  if (text.empty()) return Unexpected{trouble("the value is missing", std::string(kExample))};
  auto parsed = parse_document(fmt::format("value = {}", text), "");
  Node node;
  if (parsed) {
    auto& table = std::get<NodeTable>(parsed->value);
    if (table.size() != 1 || table.front().key != "value")
      return Unexpected{trouble("there is more than one value", "use one --set for each")};
    node = std::move(table.front().value);
  } else if (std::string_view("[{\"'").find(text.front()) != std::string_view::npos) {
    return Unexpected{trouble(parsed.error().message,
                              "write values as in scene files: 0.5, [1, 0, \"2 * r\"], { type = "
                              "\"plane\" }; remember that your shell also interprets quotes")};
  } else {
    node.value = std::string(text);  // a word, or a formula
  }
  move_to(node, spot);
  return node;
}

std::vector<std::string_view> entry_names(const NodeArray& array) {
  std::vector<std::string_view> names;
  for (const Node& item : array) {
    const auto* table = std::get_if<NodeTable>(&item.value);
    const Entry* name = table ? find_entry(*table, "name") : nullptr;
    const auto* text = name ? std::get_if<std::string>(&name->value.value) : nullptr;
    names.push_back(text ? std::string_view(*text) : std::string_view());
  }
  return names;
}

// Follows a path through the document.
class Walk {
 public:
  Walk(Node& root, std::vector<Step> steps, Spot spot)
      : node_(&root), steps_(std::move(steps)), spot_(spot) {}

  std::optional<Error> set(Node value) {
    for (; at_ < steps_.size(); ++at_) {
      const auto* key = std::get_if<std::string>(&steps_[at_]);
      auto error = key ? by_key(*key) : by_index(std::get<std::size_t>(steps_[at_]));
      if (error) return error;
    }
    *node_ = std::move(value);
    return std::nullopt;
  }

 private:
  std::optional<Error> by_key(const std::string& key) {
    if (auto* array = std::get_if<NodeArray>(&node_->value)) return by_name(*array, key);
    auto* table = std::get_if<NodeTable>(&node_->value);
    if (!table) {
      return trouble(fmt::format("{} is {} and has no keys", so_far(), describe(*node_)),
                     fmt::format("end the path at {}", so_far()));
    }
    Entry* entry = find_entry(*table, key);
    if (!entry) {
      if (in_parameters()) return no_parameter(*table, key);
      if (at_ == 0 && steps_.size() > 1 && is_list(key)) return no_tables(key);
      is_new_ = true;
      table->push_back({key, Node{NodeTable{}, spot_}, spot_});
      entry = &table->back();
    }
    node_ = &entry->value;
    return std::nullopt;
  }

  std::optional<Error> by_name(NodeArray& array, const std::string& wanted) {
    const auto names = entry_names(array);
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end()) {
      node_ = &array[static_cast<std::size_t>(found - names.begin())];
      return std::nullopt;
    }
    const std::string_view near = did_you_mean(wanted, names);
    return trouble(fmt::format("no {} named \"{}\"", so_far(), wanted.substr(0, 40)),
                   near.empty() ? fmt::format("{}; or use an index counted from 0: {}[0]",
                                              known(names), so_far())
                                : fmt::format("did you mean {}.{}?", so_far(), near));
  }

  static std::string known(std::vector<std::string_view> names) {
    std::erase(names, std::string_view());
    if (names.empty()) return "none of them has a name";
    return fmt::format("available: {}", fmt::join(names, ", "));
  }

  std::optional<Error> by_index(std::size_t index) {
    auto* array = std::get_if<NodeArray>(&node_->value);
    if (!array && is_new_) {
      return trouble(
          fmt::format("the scene does not set {}, so no item of it can be changed", so_far()),
          fmt::format("set the whole list: --set '{}=[...]'", so_far()));
    }
    if (!array)
      return trouble(fmt::format("{} is not a list", so_far()), "omit the index in brackets");
    if (index >= array->size()) {
      return trouble(fmt::format("{} has {} items", so_far(), array->size()),
                     array->empty()
                         ? "choose another path"
                         : fmt::format("they are {0}[0] to {0}[{1}]", so_far(), array->size() - 1));
    }
    node_ = &(*array)[index];
    return std::nullopt;
  }

  // Whether tables with this name at the top of a scene are written [[key]].
  static bool is_list(const std::string& key) {
    const SceneKey* known = find_key({""}, key);
    return known && known->kind == ValueKind::tables;
  }
  static Error no_tables(const std::string& key) {
    return trouble(
        fmt::format("the scene has no {}", key),
        fmt::format("add [[{0}]] to the scene, or set the whole list: --set '{0}=[{{ ... }}]'",
                    key));
  }

  // A new parameter would not be used by anything.
  bool in_parameters() const { return at_ == 1 && steps_[0] == Step("parameters"); }
  static Error no_parameter(const NodeTable& table, const std::string& key) {
    std::vector<std::string_view> names;
    names.reserve(table.size());
    for (const Entry& entry : table) names.emplace_back(entry.key);
    const std::string_view near = did_you_mean(key, names);
    return trouble(fmt::format("the scene has no parameter \"{}\"", key.substr(0, 40)),
                   !near.empty()   ? fmt::format("did you mean parameters.{}?", near)
                   : names.empty() ? "the scene has no parameters"
                                   : fmt::format("available: {}", fmt::join(names, ", ")));
  }

  // The part of the path that was followed.
  std::string so_far() const {
    std::string path;
    for (std::size_t i = 0; i < at_; ++i) {
      if (const auto* key = std::get_if<std::string>(&steps_[i])) {
        path += fmt::format("{}{}", path.empty() ? "" : ".", *key);
      } else {
        path += fmt::format("[{}]", std::get<std::size_t>(steps_[i]));
      }
    }
    return path.substr(0, 80);
  }

  Node* node_;
  std::vector<Step> steps_;
  std::size_t at_ = 0;
  bool is_new_ = false;  // the node was not in the scene
  Spot spot_;
};

std::optional<Error> apply(Node& root, std::string_view text, Spot spot) {
  const std::size_t equals = equals_sign(text);
  if (equals == text.npos) return no_equals_sign(text);
  auto steps = PathParser(trimmed(text.substr(0, equals))).parse();
  if (!steps) return steps.error();
  if (steps->front() == Step("include") || steps->front() == Step("oloid")) {
    return trouble("`include` and `oloid` control how the file is read and cannot be set",
                   "change them in the scene file");
  }
  auto value = read_override(trimmed(text.substr(equals + 1)), spot);
  if (!value) return value.error();
  return Walk(root, *std::move(steps), spot).set(*std::move(value));
}

}  // namespace

void override_values(Node& root, const std::vector<std::string>& overrides,
                     Complaints& complaints) {
  constexpr std::size_t kMostShown = 100;
  for (const std::string& text : overrides) {
    // Shown up to the first invalid byte.
    const std::size_t stray = no_utf8(text);
    const std::size_t most = std::min(kMostShown, no_utf8(text.substr(0, kMostShown)));
    const std::string shown =
        fmt::format("--set {}{}", text.substr(0, most), text.size() > most ? "..." : "");
    const Spot spot{0, 0, complaints.add_file(shown)};
    if (stray != text.npos) {
      complaints.add(spot, "", fmt::format("byte {} is not valid UTF-8", stray + 1),
                     "use a UTF-8 terminal");
      continue;
    }
    if (const auto error = apply(root, text, spot))
      complaints.add(spot, "", error->message, error->remedy);
  }
}

}  // namespace oloid::io
