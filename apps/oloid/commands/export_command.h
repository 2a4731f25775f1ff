// `oloid export`: bodies and their motion for other programs.
#pragma once

#include <optional>

#include "commands/completion.h"
#include "export.h"

namespace oloid::app {

// Adds the command to a command line; after it was parsed, run() does what was asked for.
class ExportCommand {
 public:
  explicit ExportCommand(CLI::App& app);
  // Nothing: another command was given.
  std::optional<ExitCode> run() const;

 private:
  CLI::App* command_;
  ExportRequest request_;
};

}  // namespace oloid::app
