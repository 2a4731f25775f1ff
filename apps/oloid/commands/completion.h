// Shell completion, made from the command line's own description so that it cannot go stale.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "options.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
class Option;
}  // namespace CLI

namespace oloid::app {

// The words that an argument takes, where it takes only some.
using Choices = std::map<const CLI::Option*, std::vector<std::string>>;

// A script for "bash", "zsh" or "fish".
std::string completion_script(const CLI::App& app, const Choices& choices,
                              const std::string& shell);

}  // namespace oloid::app
