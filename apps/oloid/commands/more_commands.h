// Commands beside those that run scenes: about records, what there is, and the shell.
#pragma once

#include <optional>
#include <string>

#include "commands/completion.h"

namespace oloid::app {

// Adds them to a command line; after it was parsed, run() does what was asked for.
class MoreCommands {
 public:
  explicit MoreCommands(CLI::App& app);
  // Nothing: another command was given. Choices of other commands serve completion.
  std::optional<ExitCode> run(Choices choices) const;

 private:
  CLI::App& app_;
  CLI::App *replay_, *recover_, *view_, *list_, *completion_;
  std::string record_, part_, recovered_, page_, what_ = "scenes", shell_;
  bool verify_ = false, only_write_ = false;
  Choices choices_;
};

}  // namespace oloid::app
