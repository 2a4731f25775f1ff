#include "oloid/io/scene_text/document.h"

#include <gtest/gtest.h>

#include <string>

#include "support/rooms.h"

namespace oloid::test::document_test {

// a.a.a. ... .a = 1
std::string dotted_key(int parts) {
  std::string text = "a";
  for (int i = 1; i < parts; ++i) text += ".a";
  return text + " = 1\n";
}

TEST(Document, IsATreeThatKnowsItsPlaces) {
  const Result<Node> root = parse_document("x = 1\n[table]\n  y = [2.5, \"z\"]\n", "scene.toml", 3);
  ASSERT_TRUE(root.has_value());
  const Entry* table = find_entry(std::get<NodeTable>(root->value), "table");
  ASSERT_NE(table, nullptr);
  const Entry* y = find_entry(std::get<NodeTable>(table->value.value), "y");
  ASSERT_NE(y, nullptr);
  EXPECT_EQ(y->spot.line, 3);
  EXPECT_EQ(y->spot.column, 3);
  EXPECT_EQ(y->spot.file, 3);
  EXPECT_EQ(describe(y->value), "an array of 2");
}

TEST(Document, KeysOfVeryManyPartsAreRefused) {
  for (const std::string& text :
       {dotted_key(40000), "[" + dotted_key(40000), "x = { " + dotted_key(40000)}) {
    const Result<Node> root = parse_document("oloid = 1\n" + text, "scene.toml");
    ASSERT_FALSE(root.has_value());
    EXPECT_NE(root.error().message.find("too many parts"), std::string::npos);
    EXPECT_EQ(root.error().place.line, 2);
  }
  EXPECT_TRUE(parse_document(dotted_key(257), "scene.toml").has_value());
  EXPECT_FALSE(parse_document(dotted_key(258), "scene.toml").has_value());
}

TEST(Document, DotsOfNumbersStringsAndCommentsAreNoParts) {
  const std::string dots(1000, '.');
  std::string numbers = "x = [0.5";
  for (int i = 0; i < 1000; ++i) numbers += ", 0.5";
  const std::string text = numbers + "]\ny = \"" + dots + "\"  # " + dots + "\n";
  EXPECT_TRUE(parse_document(text, "scene.toml").has_value());
}

TEST(Document, CharactersBeyondAsciiAreRefusedOutsideOfStrings) {
  EXPECT_TRUE(parse_document("name = \"\xC3\xA9\"  # \xC3\xA9\n", "scene.toml").has_value());
  const Result<Node> root = parse_document("oloid = 1\n\xC3\xA9 = 1\n", "scene.toml");
  ASSERT_FALSE(root.has_value());
  EXPECT_NE(root.error().message.find("non-ASCII"), std::string::npos);
  EXPECT_EQ(root.error().place.line, 2);
}

}  // namespace oloid::test::document_test
