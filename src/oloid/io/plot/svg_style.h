// What all our SVG pictures share: colours, fonts, and text made safe for XML.
#pragma once

#include <string>
#include <string_view>

#include "oloid/base/rooms.h"

namespace oloid::io {

// Adaptive pictures follow the viewer's theme; viewers that do not support this show them light.
enum class PlotTheme { adaptive, light, dark };

// Rules for a <style> element.
std::string svg_style(PlotTheme theme = PlotTheme::adaptive);

// Invalid UTF-8 becomes U+FFFD.
std::string escaped(std::string_view text);

// About how wide a text is drawn [px]; fonts differ, so a bit on the wide side.
double text_width(std::string_view text, double font_size, bool bold = false);

}  // namespace oloid::io
