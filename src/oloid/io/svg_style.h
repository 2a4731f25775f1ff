// What all our SVG pictures share: colours, fonts, and text made safe for XML.
#pragma once

#include <string>
#include <string_view>

namespace oloid {

// Rules for a <style> element, light and dark.
extern const std::string_view kSvgStyle;

std::string escaped(std::string_view text);

}  // namespace oloid
