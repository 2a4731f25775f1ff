#include "oloid/io/svg_style.h"

namespace oloid {

// Colours after Okabe and Ito, told apart by colour-blind eyes; slightly lighter on dark ground.
// Plain rules without variables, for the sake of simple viewers.
const std::string_view kSvgStyle = R"(
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #222 }
.bg { fill: #ffffff } .title { font-size: 17px; font-weight: 600 } .head { font-weight: 600 }
.small { font-size: 11.5px; fill: #555 }
.frame { fill: none; stroke: #999 } .grid { stroke: #e4e4e4 } .zero { stroke: #aaa }
.event { stroke: #777; stroke-dasharray: 2 3 }
.c { fill: none; stroke-width: 1.6; stroke-linejoin: round } .dash { stroke-dasharray: 7 4 }
.blue { stroke: #0072b2 } .orange { stroke: #d98200 } .green { stroke: #009e73 }
.red { stroke: #d55e00 } .purple { stroke: #b4559a } .black { stroke: #222 }
.separated { fill: #d0d0d0 } .frictionless { fill: #56b4e9 } .sliding { fill: #e69f00 } .rolling { fill: #009e73 }
.no_spin { fill: #4a90d0 } .spinning { fill: #cc79a7 } .rest { fill: #f0e442 }
@media (prefers-color-scheme: dark) {
text { fill: #e6e6e6 } .bg { fill: #16181c } .small { fill: #a8a8a8 }
.frame { stroke: #666 } .grid { stroke: #2c2f36 } .zero { stroke: #666 } .event { stroke: #999 }
.blue { stroke: #56b4e9 } .orange { stroke: #f0b030 } .green { stroke: #2fc79b }
.red { stroke: #ff8a4c } .purple { stroke: #e08fc4 } .black { stroke: #f0f0f0 }
.separated { fill: #4a4d55 }
}
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
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

}  // namespace oloid
