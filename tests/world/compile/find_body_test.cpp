#include "oloid/world/compile/find_body.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::find_body_test {

Spec scene() {
  Spec spec;
  for (const char* name : {"ball", "table"}) spec.bodies.emplace_back().name.value = name;
  return spec;
}

TEST(FindBody, CountsInTheOrderOfTheScene) {
  EXPECT_EQ(*find_body(scene(), "ball", {}), 0u);
  EXPECT_EQ(*find_body(scene(), "table", {}), 1u);
}

TEST(FindBody, ProposesTheNearestNameOrAll) {
  const auto near = find_body(scene(), "tabel", {"scene.toml", "pair[0].bodies", 3, 1});
  ASSERT_FALSE(near);
  EXPECT_EQ(to_string(near.error()),
            "scene.toml:3:1 pair[0].bodies: unknown body \"tabel\" (did you mean \"table\"?)");
  EXPECT_EQ(find_body(scene(), "moon", {}).error().remedy, "available: \"ball\", \"table\"");
}

}  // namespace oloid::test::find_body_test
