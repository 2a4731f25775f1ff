// What all pictures with axes are drawn with: grid lines, numbers beside them, text, the document.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "oloid/base/rooms.h"

namespace oloid::io {

// Lengths are in pixels, y downwards; styles are words of svg_style.
class SvgDrawing {
 public:
  template <class... Args>
  void out(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }

  // `anchor` is the point of the text at x: start, middle or end.
  void text(std::string_view style, double x, double y, std::string_view anchor,
            std::string_view what);
  void frame(double x, double y, double width, double height);
  // A vertical line of the grid.
  void grid_x(double x, double top, double bottom);
  // A horizontal line of the grid, with its number to the left.
  void grid_y(double y, double left, double right, std::string_view number, bool zero = false);

  // The whole picture.
  std::string document(double width, double height, std::string_view title,
                       std::string_view style) const;

 private:
  std::string svg_;
};

}  // namespace oloid::io
