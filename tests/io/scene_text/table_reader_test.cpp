#include "oloid/io/scene_text/table_reader.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/rooms.h"

namespace oloid::test::table_reader_test {

Entry entry(const std::string& key, auto value) {
  Node node;
  node.value = value;
  node.spot = {3, 4};
  return {key, node, {3, 1}};
}

TEST(TableReader, PutsValuesWhereTheSchemaSays) {
  Complaints complaints("scene.toml");
  const NodeTable table{entry("method", std::string("rk4")), entry("rtol", 1e-6)};
  const TableReader reader(table, {2, 1}, "solver", {"solver"}, complaints);
  ASSERT_TRUE(complaints.empty());
  const auto solver = reader.make<SolverSpec>();
  EXPECT_EQ(solver.method.value, Method::rk4);
  EXPECT_EQ(solver.method.place.column, 4);
  EXPECT_EQ(solver.rtol.value, 1e-6);
  EXPECT_EQ(solver.max_steps.value, 1e8);     // its default
  EXPECT_EQ(solver.max_steps.place.line, 2);  // and the place of the table
  EXPECT_FALSE(solver.max_step);
}

// Keys of other Specs in the same table are left to those.
TEST(TableReader, FillsOnlyItsOwnSpec) {
  Complaints complaints("scene.toml");
  const NodeTable table{entry("name", std::string("wood")), entry("friction", 0.5)};
  const TableReader reader(table, {2, 1}, "material", {"material"}, complaints);
  auto material = reader.make<MaterialSpec>();
  EXPECT_EQ(material.name.value, "wood");
  EXPECT_FALSE(material.law.friction);
  reader.fill(material.law);
  EXPECT_EQ(material.law.friction->value, 0.5);
}

// Whoever adds a key says where it goes, or adds code that reads it, and its name here.
TEST(SceneSchema, FewKeysAreReadBySpecialCode) {
  std::set<std::string> special;
  for (const SceneKey& key : scene_schema()) {
    const bool below = key.kind == ValueKind::table || key.kind == ValueKind::tables;
    if (!below && !key.target.put) special.insert(fmt::format("{}.{}", key.table, key.key));
  }
  const std::set<std::string> expected{".oloid",
                                       ".name",
                                       ".include",
                                       "body.position",
                                       "body.orientation",
                                       "body.rotate",
                                       "body.rotate_deg",
                                       "body.rotation",
                                       "place_touch.turn_deg",
                                       "place_drop.drop",
                                       "shape.type",
                                       "shape.position",
                                       "shape.orientation",
                                       "shape.rotate",
                                       "shape.rotate_deg",
                                       "shape.rotation",
                                       "patch.type",
                                       "two_circles.radius_1",
                                       "two_circles.centre_1",
                                       "two_circles.axis_1",
                                       "two_circles.radius_2",
                                       "two_circles.centre_2",
                                       "two_circles.axis_2",
                                       "space_curve.kind",
                                       "load.frame"};
  EXPECT_EQ(special, expected);
}

}  // namespace oloid::test::table_reader_test
