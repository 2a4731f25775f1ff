#include "oloid/io/scene_text/complaints.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::complaints_test {

TEST(Complaints, AreToldFileByFileFromTopToBottom) {
  Complaints complaints("scene.toml");
  const int part = complaints.add_file("part.toml");
  const int set = complaints.add_file("--set a=1");
  complaints.add(Spot{0, 0, set}, "", "fifth", "");
  complaints.add(Spot{7, 1, part}, "x", "fourth", "");
  complaints.add(complaints.place({3, 2, part}, "y"), "third", "");
  complaints.add(Spot{9, 1}, "z", "second", "");
  complaints.add(Error{{"scene.toml", "", 8, 4}, "first", ""});
  EXPECT_FALSE(complaints.empty());
  const Errors errors = complaints.take();
  ASSERT_EQ(errors.size(), 5U);
  EXPECT_EQ(to_string(errors[0]), "scene.toml:8:4: first");
  EXPECT_EQ(to_string(errors[1]), "scene.toml:9:1 z: second");
  EXPECT_EQ(to_string(errors[2]), "part.toml:3:2 y: third");
  EXPECT_EQ(to_string(errors[3]), "part.toml:7:1 x: fourth");
  EXPECT_EQ(to_string(errors[4]), "--set a=1: fifth");
}

TEST(Complaints, TwoKeysThatSayTheSame) {
  Complaints complaints("scene.toml");
  complaints.add_both(complaints.place({1, 2}, "body.turn_deg"), "turn", "turn_deg", "the angle");
  EXPECT_EQ(to_string(complaints.take().front()),
            "scene.toml:1:2 body.turn_deg: `turn` and `turn_deg` both specify the angle "
            "(keep one of them)");
}

}  // namespace oloid::test::complaints_test
