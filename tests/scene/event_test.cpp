#include "oloid/scene/event.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "support/rooms.h"

namespace oloid::test::event_test {

TEST(Event, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const EventKind kind : kEventKinds) {
    EXPECT_TRUE(names.insert(name(kind)).second);
    EXPECT_EQ(event_named(name(kind)), kind);
    EXPECT_NE(meaning(kind), "?");
    EXPECT_LT(name(kind).size(), 24u);  // fits into a record
  }
  EXPECT_EQ(std::size(kEventKinds), static_cast<std::size_t>(EventKind::end) + 1);
  EXPECT_FALSE(event_named("?"));
}

TEST(Event, EveryModeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const Mode mode : kModes) {
    EXPECT_TRUE(names.insert(name(mode)).second);
    EXPECT_EQ(mode_named(name(mode)), mode);
    EXPECT_NE(meaning(mode), "?");
  }
  EXPECT_EQ(std::size(kModes), static_cast<std::size_t>(Mode::rest) + 1);
  EXPECT_FALSE(mode_named(""));
}

std::string row(std::initializer_list<std::string_view> cells) {
  std::string line = "|";
  for (const std::string_view cell : cells) line += " " + std::string(cell) + " |";
  return line + "\n";
}

std::string code(std::string_view word) { return "`" + std::string(word) + "`"; }

std::string mode_table() {
  std::string text = row({"number", "mode", "meaning"}) + "|--:|---|---|\n";
  for (const Mode mode : kModes)
    text += row({std::to_string(static_cast<int>(mode)), code(name(mode)), meaning(mode)});
  return text;
}

std::string event_table() {
  std::string text = row({"kind", "meaning", "value"}) + "|---|---|---|\n";
  for (const EventKind kind : kEventKinds)
    text += row({code(name(kind)), meaning(kind), value_meaning(kind)});
  return text;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Event, IsQuietIfNothingShowsInTheMotion) {
  EXPECT_TRUE(is_quiet(EventKind::chart_crossing));
  EXPECT_TRUE(is_quiet(EventKind::witness_change));
  EXPECT_FALSE(is_quiet(EventKind::mode_change));
  EXPECT_FALSE(is_quiet(EventKind::end));
}

// OLOID_UPDATE_DOCS=1 writes the tables into the document instead of comparing.
TEST(EventReference, IsTheOneInTheDocument) {
  const std::string path = std::string(OLOID_TEST_DATA) + "/../../docs/formats/events.md";
  const std::string begin = "<!-- reference: generated from src/oloid/scene/event.cpp -->\n\n";
  const std::string end = "<!-- end of reference -->\n";
  const std::string tables =
      "## Modes\n\n" + mode_table() + "\n## Events\n\n" + event_table() + "\n";
  std::string document = read_text(path);
  const std::size_t from = document.find(begin), to = document.find(end);
  ASSERT_TRUE(from != document.npos && to != document.npos) << path;
  const std::size_t start = from + begin.size();
  if (std::getenv("OLOID_UPDATE_DOCS")) {
    document.replace(start, to - start, tables);
    std::ofstream(path) << document;
  } else {
    EXPECT_EQ(document.substr(start, to - start), tables)
        << "run this test once with OLOID_UPDATE_DOCS=1";
  }
}

}  // namespace oloid::test::event_test
