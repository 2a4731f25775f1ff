// `oloid plot`: chosen quantities of a record over time, as a picture.
#pragma once

#include <optional>

#include "commands/completion.h"
#include "plot.h"

namespace oloid::app {

// Adds the command to a command line; after it was parsed, run() does what was asked for.
class PlotCommand {
 public:
  explicit PlotCommand(CLI::App& app);
  // Nothing: another command was given.
  std::optional<ExitCode> run() const;
  const Choices& choices() const { return choices_; }

 private:
  CLI::App* command_;
  PlotFile request_;
  Choices choices_;
};

}  // namespace oloid::app
