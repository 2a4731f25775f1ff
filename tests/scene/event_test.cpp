#include "oloid/scene/event.h"

#include <gtest/gtest.h>

#include <set>

namespace oloid {
namespace {

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

}  // namespace
}  // namespace oloid
