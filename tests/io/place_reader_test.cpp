// Placements of scene files: what is read, and what is complained about. The bad scenes of
// tests/data/scenes_bad have the rest.
#include "oloid/io/place_reader.h"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "oloid/io/scene_reader.h"

namespace oloid {
namespace {

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

}  // namespace
}  // namespace oloid
