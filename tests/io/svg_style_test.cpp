#include "oloid/io/svg_style.h"

#include <gtest/gtest.h>

namespace oloid {
namespace {

TEST(SvgStyle, TextIsSafeForXml) {
  EXPECT_EQ(escaped("a < b & \"c\" > d\n"), "a &lt; b &amp; &quot;c&quot; &gt; d ");
}

// Letters count, not bytes; bold is wider, and so are larger fonts.
TEST(SvgStyle, WidthsOfTexts) {
  EXPECT_EQ(text_width("", 12), 0);
  EXPECT_EQ(text_width("é", 12), text_width("e", 12));
  EXPECT_LT(text_width("ill", 12), text_width("mmm", 12));
  EXPECT_GT(text_width("text", 12, true), text_width("text", 12));
  EXPECT_DOUBLE_EQ(text_width("text", 24), 2 * text_width("text", 12));
}

}  // namespace
}  // namespace oloid
