#include "oloid/io/base64.h"

#include <gtest/gtest.h>

#include <string_view>

namespace oloid {
namespace {

// RFC 4648, section 10.
TEST(Base64, AgreesWithTheStandard) {
  const std::pair<std::string_view, std::string_view> cases[] = {{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"},
                                                                 {"\xff\xfe", "//4="}};
  for (const auto& [bytes, text] : cases) EXPECT_EQ(base64(std::as_bytes(std::span(bytes))), text);
}

}  // namespace
}  // namespace oloid
