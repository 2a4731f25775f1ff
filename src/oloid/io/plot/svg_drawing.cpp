#include "oloid/io/plot/svg_drawing.h"

#include "oloid/io/plot/svg_style.h"

namespace oloid::io {

void SvgDrawing::text(std::string_view style, double x, double y, std::string_view anchor,
                      std::string_view what) {
  out("<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\">{}</text>\n", style, x, y,
      anchor, escaped(what));
}

void SvgDrawing::frame(double x, double y, double width, double height) {
  out("<rect class=\"frame\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n", x,
      y, width, height);
}

void SvgDrawing::grid_x(double x, double top, double bottom) {
  out("<line class=\"grid\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\"/>\n", x,
      top, bottom);
}

void SvgDrawing::grid_y(double y, double left, double right, std::string_view number, bool zero) {
  out("<line class=\"{0}\" x1=\"{1:.2f}\" x2=\"{2:.2f}\" y1=\"{3:.2f}\" y2=\"{3:.2f}\"/>",
      zero ? "zero" : "grid", left, right, y);
  text("small", left - 8, y + 4, "end", number);
}

std::string SvgDrawing::document(double width, double height, std::string_view title,
                                 std::string_view style) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n<style>{3}</style>\n"
      "<rect class=\"bg\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n{4}</svg>\n",
      width, height, escaped(title), style, svg_);
}

}  // namespace oloid::io
