#include "oloid/io/plot/mode_colours.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "support/rooms.h"

namespace oloid::test::mode_colours_test {

// Relative luminance as in WCAG 2, of "#rrggbb".
double luminance(std::string_view colour) {
  const double weights[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double c = std::stoi(std::string(colour.substr(1 + 2 * k, 2)), nullptr, 16) / 255.0;
    sum += weights[k] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(std::string_view a, std::string_view b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(ModeColours, AllDiffer) {
  std::set<std::string_view> light, dark;
  for (const Mode mode : kModes) {
    light.insert(colours_of(mode).on_light);
    dark.insert(colours_of(mode).on_dark);
  }
  EXPECT_EQ(light.size(), std::size(kModes));
  EXPECT_EQ(dark.size(), std::size(kModes));
}

TEST(ModeColours, CarryTextAndShowOnTheirGround) {
  for (const Mode mode : kModes) {
    const ModeColours colours = colours_of(mode);
    for (const std::string_view colour : {colours.on_light, colours.on_dark})
      EXPECT_GE(contrast(colour, "#111111"), 4.5) << name(mode);
    EXPECT_GE(contrast(colours.on_light, "#ffffff"), 2) << name(mode);
    EXPECT_GE(contrast(colours.on_dark, "#16181c"), 4.5) << name(mode);
  }
}

}  // namespace oloid::test::mode_colours_test
