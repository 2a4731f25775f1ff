#include "oloid/io/files/base64.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::base64_test {

// The examples of RFC 4648, section 10, and all letters.
TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\x00\x10\x83\xfb\xff\xbf", 6)), "ABCD+/+/");
}

}  // namespace oloid::test::base64_test
