#include "oloid/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

#include "support/rooms.h"

namespace oloid::test::result_test {

Result<int> half(int x) {
  if (x % 2 != 0) return Unexpected{Error{{}, "odd", "give an even number"}};
  return x / 2;
}

TEST(Result, HoldsAValue) {
  Result<int> r = half(6);
  EXPECT_TRUE(r.has_value());
  EXPECT_TRUE(static_cast<bool>(r));
  EXPECT_EQ(r.value(), 3);
  EXPECT_EQ(*r, 3);
  *r = 4;
  EXPECT_EQ(std::as_const(r).value(), 4);
  EXPECT_EQ(*std::as_const(r), 4);
}

TEST(Result, OrTheReasonWhyThereIsNone) {
  const Result<int> r = half(5);
  EXPECT_FALSE(r.has_value());
  EXPECT_FALSE(static_cast<bool>(r));
  EXPECT_EQ(r.error().message, "odd");
  EXPECT_EQ(r.error().remedy, "give an even number");
}

TEST(Result, DoesNotTurnIntoBoolBehindOurBack) {
  static_assert(!std::is_convertible_v<Result<int>, bool>);
  static_assert(std::is_constructible_v<bool, Result<int>>);
}

TEST(Result, ArrowReachesMembers) {
  Result<std::string> r = std::string("abc");
  EXPECT_EQ(r->size(), 3u);
  r->push_back('d');
  EXPECT_EQ(std::as_const(r)->size(), 4u);
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> r = std::make_unique<int>(7);
  Result<std::unique_ptr<int>> moved = std::move(r);
  const std::unique_ptr<int> out = std::move(moved).value();
  EXPECT_EQ(*out, 7);
  Result<std::unique_ptr<int>> other = std::make_unique<int>(8);
  const std::unique_ptr<int> starred = *std::move(other);
  EXPECT_EQ(*starred, 8);
}

TEST(Result, ValueAndErrorMayBeOfTheSameType) {
  const Result<std::string, std::string> good = std::string("yes");
  const Result<std::string, std::string> bad = Unexpected{std::string("no")};
  EXPECT_EQ(good.value(), "yes");
  EXPECT_EQ(bad.error(), "no");
}

#ifdef OLOID_CONTRACTS
TEST(ResultDeathTest, AskingForWhatIsNotThereIsABug) {
  Result<int> bad = half(5);
  const Result<int> good = half(4);
  EXPECT_DEATH((void)bad.value(), "internal error at .*result.h:[0-9]+: has_value");
  EXPECT_DEATH((void)*std::as_const(bad), "internal error");
  EXPECT_DEATH((void)std::move(bad).value(), "internal error");
  EXPECT_DEATH((void)good.error(), "internal error at .*result.h:[0-9]+: !has_value");
}
#endif

TEST(ErrorText, NamesPlaceMessageAndRemedy) {
  Error e{{"scene.toml", "body[1].shape", 41, 10}, "control net needs 4 x 4 points, has 15", ""};
  EXPECT_EQ(to_string(e), "scene.toml:41:10 body[1].shape: control net needs 4 x 4 points, has 15");
  e.remedy = "add one";
  EXPECT_EQ(to_string(e),
            "scene.toml:41:10 body[1].shape: control net needs 4 x 4 points, has 15 (add one)");
}

TEST(ErrorText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(to_string({{}, "no", ""}), "no");
  EXPECT_EQ(to_string({{}, "no", "try yes"}), "no (try yes)");
  EXPECT_EQ(to_string({{"a.toml", "", 0, 0}, "no", ""}), "a.toml: no");
  EXPECT_EQ(to_string({{"a.toml", "", 3, 1}, "no", ""}), "a.toml:3:1: no");
  EXPECT_EQ(to_string({{"", "body[0]", 0, 0}, "no", ""}), "body[0]: no");
  EXPECT_EQ(to_string({{"a.toml", "body[0]", 0, 0}, "no", ""}), "a.toml body[0]: no");
}

}  // namespace oloid::test::result_test
