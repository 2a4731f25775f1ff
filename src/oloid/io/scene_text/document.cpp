#include "oloid/io/scene_text/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

// toml++ 3.3 has preconditions that damaged files break ("[[[" is one): it aborts, or without
// assertions assumes the impossible. Compiled here, with assertions that throw, they are errors
// like others. This is the only file that includes it.
namespace oloid::io {
namespace {
constexpr void expect_of_parser(bool condition) {
  if (!condition) throw std::logic_error("unexpected character");
}
}  // namespace
}  // namespace oloid::io
#undef NDEBUG
#undef TOML_HEADER_ONLY
#undef TOML_SHARED_LIB
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(condition) ::oloid::io::expect_of_parser(static_cast<bool>(condition))
#include <toml++/toml.h>

namespace oloid::io {
namespace {

Spot spot_of(const toml::source_region& region, int file = 0) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column), file};
}

// Depth is bounded by the parser's own limit on nesting.
Node convert(const toml::node& from, Spot parent) {
  Node node;
  node.spot = spot_of(from.source(), parent.file);
  if (node.spot.line == 0) node.spot = parent;
  switch (from.type()) {
    case toml::node_type::boolean:
      node.value = from.as_boolean()->get();
      break;
    case toml::node_type::integer:
      node.value = from.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      node.value = from.as_floating_point()->get();
      break;
    case toml::node_type::string:
      node.value = from.as_string()->get();
      break;
    case toml::node_type::array: {
      NodeArray array;
      array.reserve(from.as_array()->size());
      for (const toml::node& item : *from.as_array()) array.push_back(convert(item, node.spot));
      node.value = std::move(array);
      break;
    }
    case toml::node_type::table: {
      NodeTable table;
      for (const auto& [key, item] : *from.as_table()) {
        Spot spot = spot_of(key.source(), parent.file);
        if (spot.line == 0) spot = node.spot;
        table.push_back({std::string(key.str()), convert(item, spot), spot});
      }
      node.value = std::move(table);
      break;
    }
    default:
      node.value = NodeDate{};
      break;
  }
  return node;
}

// What the parser must not see, and where it is: a character beyond ASCII outside of strings and
// comments, which TOML does not allow and on which the parser's behaviour is sometimes undefined;
// or a dotted key of so many parts that the tables made of it, one inside the other, would exhaust
// the stack. Errors before that place are left to the parser.
struct Stray {
  std::size_t offset = std::string_view::npos;
  std::string_view why;
};

constexpr int kMostDots = 256;  // of a key; arrays and inline tables have the same limit

Stray find_stray(std::string_view text) {
  std::string_view quote;  // that ends the string we are in
  bool comment = false;
  int dots = 0;  // since the last character that ends a key or a number
  for (std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      if (quote.size() == 1) break;  // not closed: the parser stops here
      comment = false;
      dots = 0;
    } else if (comment) {
      continue;
    } else if (!quote.empty()) {
      if (c == '\\' && quote.front() == '"') {
        ++i;
      } else if (text.substr(i, quote.size()) == quote) {
        i += quote.size() - 1;
        // Up to two more quotes belong to a long string.
        while (quote.size() == 3 && i + 1 < text.size() && text[i + 1] == quote.front()) ++i;
        quote = {};
      }
    } else if (c == '#') {
      comment = true;
    } else if (c == '"' || c == '\'') {
      const std::string_view three = text.substr(i, 3);
      const bool is_long = three.size() == 3 && three[1] == c && three[2] == c;
      quote = text.substr(i, is_long ? 3 : 1);
      i += quote.size() - 1;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return {i, "non-ASCII character outside quotes"};
    } else if (c == '.') {
      if (++dots > kMostDots) return {i, "a key has too many parts"};
    } else if (std::string_view("=,[]{}").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
  return {};
}

// Line and column, in characters, of a place in the text.
Spot spot_at(std::string_view text, std::size_t offset) {
  Spot spot{1, 1};
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      spot = {spot.line + 1, 1};
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      ++spot.column;
    }
  }
  return spot;
}

bool breaks_parser(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const toml::parse_error&) {
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}

// The line at which the parser breaks: the fewest lines that break it, by bisection.
int breaking_line(std::string_view text) {
  std::vector<std::size_t> ends;  // of each line
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ends.push_back(i + 1);
  }
  ends.push_back(text.size());
  const auto first = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    return !breaks_parser(text.substr(0, end));
  });
  return static_cast<int>(first - ends.begin()) + 1;
}

}  // namespace

Result<Node> parse_document(std::string_view text, const std::string& file, int number) {
  const auto refused = [&](Spot spot, std::string_view why) {
    return Unexpected{
        Error{{file, "", spot.line, spot.column},
              fmt::format("not valid TOML: {}", why),
              "correct the file at this place; see the worked example in docs/formats/scene.md"}};
  };
  const Stray stray = find_stray(text);
  const auto refused_stray = [&] { return refused(spot_at(text, stray.offset), stray.why); };
  // Lines before a stray character may be wrong themselves.
  const bool is_stray = stray.offset != std::string_view::npos;
  const std::string_view good =
      is_stray ? text.substr(0, text.substr(0, stray.offset).rfind('\n') + 1) : text;
  try {
    const toml::table root = toml::parse(good);
    if (is_stray) return refused_stray();
    return convert(root, {1, 1, number});
  } catch (const toml::parse_error& error) {
    const Spot spot = spot_of(error.source());
    if (is_stray && spot.line >= spot_at(text, stray.offset).line) return refused_stray();
    return refused(spot, error.description());
  } catch (const std::logic_error& error) {
    return refused({breaking_line(good), 1}, error.what());
  }
}

const Entry* find_entry(const NodeTable& table, std::string_view key) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Entry& e) { return e.key == key; });
  return found == table.end() ? nullptr : &*found;
}

Entry* find_entry(NodeTable& table, std::string_view key) {
  return const_cast<Entry*>(find_entry(std::as_const(table), key));
}

std::string describe(const Node& node) {
  struct Describer {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return fmt::format("the integer {}", i); }
    std::string operator()(double x) const { return fmt::format("the number {}", x); }
    std::string operator()(const std::string& s) const {
      return s.size() <= 40 ? fmt::format("the string \"{}\"", s) : std::string("a long string");
    }
    std::string operator()(NodeDate) const { return "a date or time"; }
    std::string operator()(const NodeArray& a) const {
      return a.empty() ? std::string("an empty array") : fmt::format("an array of {}", a.size());
    }
    std::string operator()(const NodeTable&) const { return "a table"; }
  };
  return std::visit(Describer{}, node.value);
}

}  // namespace oloid::io
