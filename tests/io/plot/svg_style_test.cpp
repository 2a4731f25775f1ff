#include "oloid/io/plot/svg_style.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::svg_style_test {

TEST(SvgStyle, TextIsSafeForXml) {
  EXPECT_EQ(escaped("a < b & \"c\" > d\n"), "a &lt; b &amp; &quot;c&quot; &gt; d ");
}

TEST(SvgStyle, WhatIsNoUtf8IsReplaced) {
  for (const char* good : {"Grüße", "€", "𝄞", "ball – table", "\u07ff\u0800\uffff\U00010000"}) {
    std::string expected = good;
    if (const auto at = expected.find("\uffff"); at != expected.npos)
      expected.replace(at, 3, "\uFFFD\uFFFD\uFFFD");  // XML does not have it
    EXPECT_EQ(escaped(good), expected);
  }
  EXPECT_EQ(escaped("\xff\xfe"
                    "abc"),
            "\uFFFD\uFFFD"
            "abc");
  EXPECT_EQ(escaped("a\xc3"), "a\uFFFD");                    // cut off
  EXPECT_EQ(escaped("\xc3<"), "\uFFFD&lt;");                 // what follows is not swallowed
  EXPECT_EQ(escaped("\xc0\xaf"), "\uFFFD\uFFFD");            // a longer form than needed
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // half of a pair
  EXPECT_EQ(escaped("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(escaped("\x80"), "\uFFFD");
}

// Letters count, not bytes; bold is wider, and so are larger fonts.
TEST(SvgStyle, WidthsOfTexts) {
  EXPECT_EQ(text_width("", 12), 0);
  EXPECT_EQ(text_width("é", 12), text_width("e", 12));
  EXPECT_LT(text_width("ill", 12), text_width("mmm", 12));
  EXPECT_GT(text_width("text", 12, true), text_width("text", 12));
  EXPECT_DOUBLE_EQ(text_width("text", 24), 2 * text_width("text", 12));
}

}  // namespace oloid::test::svg_style_test
