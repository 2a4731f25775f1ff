// SVG to PNG by rsvg-convert, a program of Debian's librsvg2-bin.
#pragma once

#include <string>

#include "oloid/base/result.h"

namespace oloid::io {

// Where it is on PATH; otherwise an error that says how to get it.
Result<std::string> find_png_converter();

// The bytes of a PNG file, `scale` times as large as the SVG says.
Result<std::string> png_of(const std::string& converter, const std::string& svg, double scale);

}  // namespace oloid::io
