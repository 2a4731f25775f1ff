#include "oloid/io/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

// toml++ 3.3 has preconditions that damaged files break ("[[[" is one): it aborts, or without
// assertions assumes the impossible. Compiled here, with assertions that throw, they are errors
// like others. This is the only file that includes it.
namespace oloid {
namespace {
constexpr void expect_of_parser(bool condition) {
  if (!condition) throw std::logic_error("unexpected character");
}
}  // namespace
}  // namespace oloid
#undef NDEBUG
#undef TOML_HEADER_ONLY
#undef TOML_SHARED_LIB
#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(condition) ::oloid::expect_of_parser(static_cast<bool>(condition))
#include <toml++/toml.h>

namespace oloid {
namespace {

Spot spot_of(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// Depth is bounded by the parser's own limit on nesting.
Node convert(const toml::node& from, Spot parent) {
  Node node;
  node.spot = spot_of(from.source());
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
        Spot spot = spot_of(key.source());
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

Result<Node> parse_document(std::string_view text, const std::string& file) {
  const auto refused = [&](Spot spot, std::string_view why) {
    return Unexpected{Error{{file, "", spot.line, spot.column},
                            fmt::format("not valid TOML: {}", why),
                            "correct this place; docs/formats/scene.md has a worked example"}};
  };
  try {
    const toml::table root = toml::parse(text);
    return convert(root, {1, 1});
  } catch (const toml::parse_error& error) {
    return refused(spot_of(error.source()), error.description());
  } catch (const std::logic_error& error) {
    return refused({breaking_line(text), 1}, error.what());
  }
}

std::string describe(const Node& node) {
  struct Describer {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return fmt::format("the integer {}", i); }
    std::string operator()(double x) const { return fmt::format("the number {}", x); }
    std::string operator()(const std::string& s) const {
      return s.size() <= 40 ? fmt::format("the text \"{}\"", s) : std::string("a long text");
    }
    std::string operator()(NodeDate) const { return "a date or time"; }
    std::string operator()(const NodeArray& a) const {
      return a.empty() ? std::string("an empty array") : fmt::format("an array of {}", a.size());
    }
    std::string operator()(const NodeTable&) const { return "a table"; }
  };
  return std::visit(Describer{}, node.value);
}

}  // namespace oloid
