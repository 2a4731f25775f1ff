// Placements of scene files: what is read, and what is complained about. The bad scenes of
// tests/data/scenes_bad have the rest.
#include "oloid/io/scene_text/place_reader.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <vector>

#include "oloid/io/scene_text/scene_reader.h"
#include "support/rooms.h"

namespace oloid::test::place_reader_test {

Result<Spec, Errors> with_body(const std::string& lines) {
  return parse_scene(
      "oloid = 1\nduration = 1\n[[body]]\nname = \"a\"\nshape.type = \"plane\"\n" + lines,
      "place.toml");
}

TEST(PlaceReader, ReadsTouches) {
  const auto scene = with_body(
      "place = { touch = \"b\", at = [1, 2, 3], own = [4, 5, 6], turn_deg = 90, rolling = true "
      "}\n");
  ASSERT_TRUE(scene) << to_string(scene.error()[0]);
  const PlacementSpec& placement = scene->bodies[0].placement->value;
  EXPECT_TRUE(placement.rolling);
  const auto& touch = std::get<TouchSpec>(placement.how);
  EXPECT_EQ(touch.body.value, "b");
  EXPECT_EQ(touch.at->value, Vec3<double>(1, 2, 3));
  EXPECT_EQ(touch.own->value, Vec3<double>(4, 5, 6));
  EXPECT_FALSE(touch.own_normal);
  EXPECT_DOUBLE_EQ(touch.turn.value, std::numbers::pi / 2);
  EXPECT_EQ(scene->bodies[0].placement->place.path, "body[0].place");
}

TEST(PlaceReader, ReadsDrops) {
  const auto on = with_body("place = { drop_on = \"b\" }\n"),
             any = with_body("place.drop = true\n");
  ASSERT_TRUE(on);
  ASSERT_TRUE(any);
  EXPECT_EQ(std::get<DropSpec>(on->bodies[0].placement->value.how).on->value, "b");
  EXPECT_FALSE(std::get<DropSpec>(any->bodies[0].placement->value.how).on);
  EXPECT_FALSE(any->bodies[0].placement->value.rolling);
}

TEST(PlaceReader, WithoutATableThereIsNone) {
  const auto scene = with_body("");
  ASSERT_TRUE(scene);
  EXPECT_FALSE(scene->bodies[0].placement);
}

TEST(PlaceReader, TellsAllThatIsWrongAtOnce) {
  const auto scene = with_body(
      "position = [0, 0, 1]\nvelocity = [1, 0, 0]\n"
      "place = { touch = \"b\", at = [0, 0, 0], drop = true, rolling = true, turn = 1, turn_deg = "
      "2 "
      "}\n");
  ASSERT_FALSE(scene);
  ASSERT_EQ(scene.error().size(), 4u);
  EXPECT_EQ(scene.error()[0].place.path, "body[0].position");
  EXPECT_EQ(scene.error()[1].place.path, "body[0].velocity");
  EXPECT_EQ(scene.error()[2].place.path, "body[0].place.drop");
  EXPECT_EQ(scene.error()[3].place.path, "body[0].place.turn_deg");
}

std::vector<std::string> told(const std::string& lines) {
  std::vector<std::string> texts;
  const auto scene = with_body(lines);
  if (scene) return texts;
  for (const Error& error : scene.error()) texts.push_back(to_string(error));
  return texts;
}

// A misspelt word is one error, not two; one that is missing may be any of three.
TEST(PlaceReader, AsksForWhatIsMissingOnce) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(told("place = { dropon = \"b\" }\n"),
            Texts{"place.toml:6:11 body[0].place.dropon: unknown key `dropon` (did you mean "
                  "`drop_on`?)"});
  EXPECT_EQ(told("place = { tuoch = \"b\", turn = 1 }\n"),
            Texts{"place.toml:6:11 body[0].place.tuoch: unknown key `tuoch` (did you mean "
                  "`touch`?)"});
  for (const char* lines : {"place = {}\n", "place = { rolling = true }\n"}) {
    EXPECT_EQ(told(lines),
              Texts{"place.toml:6:9 body[0].place: the placement does not specify what the body "
                    "touches or falls on (add touch = \"...\", drop_on = \"...\" or drop = true)"});
  }
}

// With includes, errors name the file in which the placement is written.
TEST(PlaceReader, NamesTheFileOfAnError) {
  SceneOptions options;
  options.files.emplace().push_back(
      {"part.toml",
       "oloid = 1\n[[body]]\nname = \"a\"\nshape.type = \"plane\"\n"
       "place = { touch = \"b\", own = [0, 0, 1], own_normal = [0, 0, 1] }\n"});
  const auto scene =
      parse_scene("oloid = 1\ninclude = \"part.toml\"\nduration = 1\n", "whole.toml", options);
  ASSERT_FALSE(scene);
  ASSERT_EQ(scene.error().size(), 1u);
  EXPECT_EQ(scene.error()[0].place.file, "part.toml");
  EXPECT_EQ(scene.error()[0].place.line, 5);
}

}  // namespace oloid::test::place_reader_test
