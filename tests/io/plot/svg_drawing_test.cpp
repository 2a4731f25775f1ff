#include "oloid/io/plot/svg_drawing.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::svg_drawing_test {

TEST(SvgDrawing, PutsEverythingIntoOneDocument) {
  SvgDrawing drawing;
  drawing.grid_x(1, 2, 3);
  drawing.grid_y(4, 5, 6, "7", true);
  drawing.text("small", 8, 9, "middle", "a < b");
  const std::string svg = drawing.document(100, 50, "c & d", ".e { fill: red }");
  for (const char* part : {"<line class=\"grid\" x1=\"1.00\" x2=\"1.00\" y1=\"2.00\" y2=\"3.00\"/>",
                           "<line class=\"zero\" x1=\"5.00\" x2=\"6.00\" y1=\"4.00\" y2=\"4.00\"/>",
                           ">7</text>", ">a &lt; b</text>", "<title>c &amp; d</title>",
                           "<style>.e { fill: red }</style>", "viewBox=\"0 0 100 50\"", "</svg>\n"})
    EXPECT_NE(svg.find(part), svg.npos) << part;
}

}  // namespace oloid::test::svg_drawing_test
