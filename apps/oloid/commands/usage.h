// What commands share: an option, what is refused at once, and what was probably meant.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
class Validator;
}  // namespace CLI

namespace oloid::app {

// Refuses an empty file name, which a variable of a shell that was never set leaves.
CLI::Validator has_name();
// Refuses names that end as those of other outputs do.
CLI::Validator is_record_name();

// --set, of all commands that read a scene.
void add_set(CLI::App& command, std::vector<std::string>& overrides);

// "oloid run ball.toml" for a command line with a misspelt command or option, or none at all; empty
// where nothing is near enough.
std::string probably_meant(const CLI::App& app, int argc, const char* const* argv);

}  // namespace oloid::app
