// What `oloid plot` draws: chosen quantities of a record over time, as a picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options.h"

namespace oloid::app {

struct PlotFile {
  std::string record;
  std::string output;          // empty: the record's name with .svg
  std::string what;            // io/plot/plot_panels.h
  std::string theme = "auto";  // or light, dark
  std::vector<std::string> contacts;
  std::optional<double> from, to;  // [s]
  double width = 960, height = 0;  // [px]; no height: as needed
  double scale = 2;                // of PNG files
  bool list = false;               // print the names that `what` accepts instead
};

ExitCode plot(const PlotFile& request);

}  // namespace oloid::app
