// A TOML file as a plain tree that remembers where each value was written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oloid/base/result.h"

namespace oloid::io {

struct Spot {
  int line = 0;  // 1-based; 0: unknown
  int column = 0;
  int file = 0;  // of several, the number that parse_document was given
};

struct Node;
struct Entry;
using NodeArray = std::vector<Node>;
using NodeTable = std::vector<Entry>;
// TOML's dates and times: parsed, but no scene uses them.
struct NodeDate {};

struct Node {
  std::variant<bool, std::int64_t, double, std::string, NodeDate, NodeArray, NodeTable> value;
  Spot spot;
};

struct Entry {
  std::string key;
  Node value;
  Spot spot;  // of the key
};

// The root is a NodeTable. Stops at the first syntax error, which names line and column.
Result<Node> parse_document(std::string_view text, const std::string& file, int number = 0);

// The value of this key; null if there is none.
Entry* find_entry(NodeTable& table, std::string_view key);
const Entry* find_entry(const NodeTable& table, std::string_view key);

// "a number", "an array of 3", ...: what a person would call it.
std::string describe(const Node& node);

}  // namespace oloid::io
