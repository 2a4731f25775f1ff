#include "oloid/io/plot/svg_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "oloid/io/plot/mode_colours.h"

namespace oloid::io {

namespace {

// Colours after Okabe and Ito, told apart by colour-blind eyes; slightly lighter on dark ground.
// Plain rules without variables, for the sake of simple viewers.
constexpr std::string_view kLight = R"(
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #222 }
.bg { fill: #ffffff } .title { font-size: 17px; font-weight: 600 } .head { font-weight: 600 }
.small { font-size: 11.5px; fill: #555 }
.frame { fill: none; stroke: #999 } .grid { stroke: #e4e4e4 } .zero { stroke: #aaa }
.event { stroke: #777; stroke-dasharray: 2 3 } .tick { stroke: #777 }
.c { fill: none; stroke-width: 1.6; stroke-linejoin: round } .dash { stroke-dasharray: 7 4 }
.dot { stroke-width: 3; stroke-linecap: round; stroke-dasharray: none }
.blue { stroke: #0072b2 } .orange { stroke: #d98200 } .green { stroke: #009e73 }
.red { stroke: #d55e00 } .purple { stroke: #b4559a } .black { stroke: #222 }
.on_band { font-size: 10.5px; fill: #111 }
)";
constexpr std::string_view kDark = R"(
text { fill: #e6e6e6 } .bg { fill: #16181c } .small { fill: #a8a8a8 }
.frame { stroke: #666 } .grid { stroke: #2c2f36 } .zero { stroke: #666 } .event, .tick { stroke: #999 }
.blue { stroke: #56b4e9 } .orange { stroke: #f0b030 } .green { stroke: #2fc79b }
.red { stroke: #ff8a4c } .purple { stroke: #e08fc4 } .black { stroke: #f0f0f0 }
.on_band { fill: #111 }
)";

std::string mode_rules(std::string_view ModeColours::*ground) {
  std::string rules;
  for (const Mode mode : kModes)
    rules += fmt::format(".{} {{ fill: {} }}\n", name(mode), colours_of(mode).*ground);
  return rules;
}

// Number of bytes of the UTF-8 character at the start of a text that is not empty; 0 if it is
// invalid or not allowed in XML.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80          ? 1
                             : lead >> 5u == 0x06 ? 2
                             : lead >> 4u == 0x0e ? 3
                             : lead >> 3u == 0x1e ? 4
                                                  : 0;
  if (length < 2 || length > text.size()) return length == 1 ? 1 : 0;
  unsigned code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6u != 0x02) return 0;
    code = code << 6u | (byte(i) & 0x3fu);
  }
  constexpr unsigned kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // less has a shorter form
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool none =
      code < kLeast[length] || code > 0x10ffff || surrogate || code == 0xfffe || code == 0xffff;
  return none ? 0 : length;
}

}  // namespace

std::string svg_style(PlotTheme theme) {
  std::string style(kLight);
  style += mode_rules(&ModeColours::on_light);
  if (theme == PlotTheme::adaptive) style += "@media (prefers-color-scheme: dark) {";
  if (theme != PlotTheme::light) {
    style += kDark;
    style += mode_rules(&ModeColours::on_dark);
  }
  if (theme == PlotTheme::adaptive) style += "}\n";
  return style;
}

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character(text);
    const char c = text[0];
    const std::string_view letter = text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
    if (length != 1) {
      result += length == 0 ? "\uFFFD" : letter;
      continue;
    }
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

double text_width(std::string_view text, double font_size, bool bold) {
  double width = 0;  // in font sizes, as of DejaVu Sans, which is a wide one
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code & 0xc0) == 0x80) continue;  // within a letter of UTF-8
    const std::string_view narrow = " ijlfrt.,:;'\"|!()[]/I", wide = "mwMWQ@%";
    width += narrow.find(c) != narrow.npos ? 0.37 : wide.find(c) != wide.npos ? 0.9 : 0.61;
  }
  return (bold ? 1.12 : 1) * width * font_size;
}

}  // namespace oloid::io
