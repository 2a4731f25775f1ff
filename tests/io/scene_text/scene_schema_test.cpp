#include "oloid/io/scene_text/scene_schema.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "io/sample_run.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "support/rooms.h"

namespace oloid::test::scene_schema_test {

// OLOID_UPDATE_DOCS=1 writes the reference into the document instead of comparing.
TEST(SceneReference, IsTheOneInTheDocument) {
  const std::string path = std::string(OLOID_TEST_DATA) + "/../../docs/formats/scene.md";
  const std::string begin =
      "<!-- reference: generated from src/oloid/io/scene_text/scene_schema.cpp -->\n\n";
  const std::string end = "<!-- end of reference -->\n";
  std::string document = read_file(path);
  const std::size_t from = document.find(begin), to = document.find(end);
  ASSERT_TRUE(from != document.npos && to != document.npos) << path;
  const std::size_t start = from + begin.size();
  if (std::getenv("OLOID_UPDATE_DOCS")) {
    document.replace(start, to - start, scene_reference());
    write_file(path, document);
  } else {
    EXPECT_EQ(document.substr(start, to - start), scene_reference())
        << "run this test once with OLOID_UPDATE_DOCS=1";
  }
}

// The worked example of the document is a scene.
TEST(SceneReference, HasAnExampleThatReads) {
  const std::string document =
      read_file(std::string(OLOID_TEST_DATA) + "/../../docs/formats/scene.md");
  const std::size_t from = document.find("```toml\n"), to = document.find("\n```", from);
  ASSERT_NE(from, document.npos);
  const auto scene = parse_scene(document.substr(from + 8, to - from - 8), "example.toml");
  EXPECT_TRUE(scene) << to_string(scene.error()[0]);
}

}  // namespace oloid::test::scene_schema_test
