#include "commands/usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "oloid/base/did_you_mean.h"

namespace oloid::app {
namespace {

using Views = std::vector<std::string_view>;

bool contains(const Views& views, std::string_view word) {
  return std::find(views.begin(), views.end(), word) != views.end();
}

// Long options of a command, without their --.
Views options_of(const CLI::App& command) {
  Views names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.emplace_back(name);
  return names;
}

// The same words, with the first misspelt option corrected; empty: there is none.
std::string with_option(const CLI::App& command, std::vector<std::string> words) {
  const Views known = options_of(command);
  for (std::string& word : words) {
    const std::size_t end = std::min(word.find('='), word.size());
    if (!word.starts_with("--") || end == 2) continue;
    const std::string name = word.substr(2, end - 2);
    const std::string_view near = contains(known, name) ? "" : did_you_mean(name, known);
    if (near.empty()) continue;
    word.replace(2, end - 2, near);
    return fmt::format("oloid {}", fmt::join(words, " "));
  }
  return "";
}

}  // namespace

CLI::Validator has_name() {
  return CLI::Validator(
      [](const std::string& name) {
        return name.empty() ? std::string("the file name is empty") : std::string();
      },
      "", "");
}

void add_set(CLI::App& command, std::vector<std::string>& overrides) {
  command
      .add_option("--set", overrides,
                  "PATH=VALUE: override a value of the scene, e.g. body.ball.mass=2, "
                  "body[0].velocity=[1,0,0], parameters.r=0.2; may be repeated")
      ->allow_extra_args(false);
}

CLI::Validator is_record_name() {
  return CLI::Validator(
      [](const std::string& name) -> std::string {
        const std::string ending = std::filesystem::path(name).extension().string();
        for (const char* other : {".csv", ".json", ".svg", ".html"}) {
          if (ending == other)
            return fmt::format("records are HDF5 files; for {0} use --{0} {1}", ending.substr(1),
                               name);
        }
        return "";
      },
      "", "");
}

std::string probably_meant(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) return "";
  std::string& first = words.front();
  if (words.size() == 1 && first.ends_with(".toml")) return "oloid run " + first;
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CLI::App* command : commands) {
    if (command->get_name() == first) return with_option(*command, words);
    names.push_back(command->get_name());
  }
  const std::string_view near = did_you_mean(first, Views(names.begin(), names.end()));
  if (near.empty()) return "";
  first = near;
  return fmt::format("oloid {}", fmt::join(words, " "));
}

}  // namespace oloid::app
