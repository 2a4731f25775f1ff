// `oloid plot`: chosen quantities of a record over time, as a picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "completion.h"

namespace oloid::app {

// Adds the command to a command line; after it was parsed, run() does what was asked for.
class PlotCommand {
 public:
  explicit PlotCommand(CLI::App& app);
  // Nothing: another command was given.
  std::optional<ExitCode> run() const;
  const Choices& choices() const { return choices_; }

 private:
  ExitCode draw() const;

  CLI::App* command_;
  std::string record_, output_, what_, theme_ = "auto";
  std::vector<std::string> contacts_;
  std::optional<double> from_, to_;
  double width_ = 960, height_ = 0, scale_ = 2;
  bool list_ = false;
  Choices choices_;
};

}  // namespace oloid::app
