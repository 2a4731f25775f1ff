#include "oloid/io/scene_text/scene_files.h"

#include <gtest/gtest.h>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::scene_files_test {

TEST(SceneFiles, AreCountedFromTheTextThatNamesThem) {
  SceneFiles files("scenes/ball.toml", nullptr);
  EXPECT_EQ(files.name_of("scenes/ball.toml", "a.obj"), "a.obj");
  EXPECT_EQ(files.path_of("a.obj"), "scenes/a.obj");
  EXPECT_EQ(files.path_of("/tmp/a.obj"), "/tmp/a.obj");
  files.add_scene("parts/table.toml");
  EXPECT_EQ(files.name_of("scenes/parts/table.toml", "a.obj"), "parts/a.obj");
  EXPECT_EQ(files.name_of("scenes/parts/table.toml", "/tmp/a.obj"), "/tmp/a.obj");
  EXPECT_EQ(files.name_of("--set body.a.shape.file=a.obj", "a.obj"), "a.obj");
}

TEST(SceneFiles, AreKeptOnce) {
  const TestFolder folder;
  write_file(folder / "a.obj", "v 0 0 0\n");
  SceneFiles files(folder / "scene.toml", nullptr);
  for (int i = 0; i < 2; ++i) {
    const auto text = files.read("a.obj", 1000);
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "v 0 0 0\n");
  }
  EXPECT_FALSE(files.read("b.obj", 1000));
  const std::vector<SceneFile> kept = files.take();
  ASSERT_EQ(kept.size(), 1U);

  SceneFiles stored("/nowhere/scene.toml", &kept);
  EXPECT_EQ(*stored.read("a.obj", 1000), "v 0 0 0\n");
  EXPECT_NE(to_string(stored.read("b.obj", 1000).error()).find("/nowhere/b.obj: "),
            std::string::npos);
  EXPECT_EQ(stored.take().size(), 1U);
}

}  // namespace oloid::test::scene_files_test
