// Error against work of several forms, one panel a problem, as an SVG picture.
#pragma once

#include <string>
#include <vector>

#include "support/rooms.h"

namespace oloid::bench {

struct Point {
  double calls, error;  // error infinite: the run broke down
};
struct Curve {
  std::string form;
  bool adaptive;
  std::vector<Point> points;
};
struct Panel {
  std::string title;
  std::vector<Curve> curves;
};

std::string picture(const std::vector<Panel>& panels, const std::vector<std::string>& forms);

}  // namespace oloid::bench
