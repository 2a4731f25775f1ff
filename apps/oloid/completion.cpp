#include "completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace oloid::app {
namespace {

using Words = std::vector<std::string>;

// "-o" and "--output", as written.
Words switches(const CLI::Option& option) {
  Words words;
  for (const std::string& name : option.get_snames()) words.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
  return words;
}
Words switches(const CLI::App& command) {
  Words words;
  for (const CLI::Option* option : command.get_options()) {
    for (std::string& word : switches(*option)) words.push_back(std::move(word));
  }
  return words;
}

// Commands that a person may write.
std::vector<const CLI::App*> commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

// What the arguments without a switch may be; nothing: files.
Words arguments(const CLI::App& command, const Choices& choices) {
  for (const CLI::Option* option : command.get_options()) {
    const auto known = choices.find(option);
    if (option->get_positional() && known != choices.end()) return known->second;
  }
  return {};
}

// Whether an option takes several of its choices, separated by commas.
bool takes_list(const CLI::Option& option) { return option.get_type_name().ends_with(",..."); }

// Words for the values of switches, where they are known: cases of the word before.
std::string bash_values(const CLI::App& command, const Choices& choices) {
  std::string cases;
  for (const CLI::Option* option : command.get_options()) {
    const auto known = choices.find(option);
    if (option->get_positional() || known == choices.end()) continue;
    cases +=
        fmt::format("        {}) values=\"{}\"; list={} ;;\n", fmt::join(switches(*option), " | "),
                    fmt::join(known->second, " "), takes_list(*option) ? 1 : 0);
  }
  return cases.empty() ? "" : fmt::format("      case $before in\n{}      esac\n", cases);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Text between single quotes of a shell, with what zsh reads in a description escaped.
std::string quoted(const std::string& text, std::string_view escaped = "") {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (escaped.find(c) != escaped.npos) result += '\\';
      result += c;
    }
  }
  return result + "'";
}

// Files are completed by the shell itself where the function offers nothing.
std::string bash(const CLI::App& app, const Choices& choices) {
  Words names;
  std::string cases;
  for (const CLI::App* command : commands(app)) {
    names.push_back(command->get_name());
    cases +=
        fmt::format("    {})\n      switches=\"{}\"\n      words=\"{}\"\n{}      ;;\n",
                    command->get_name(), fmt::join(switches(*command), " "),
                    fmt::join(arguments(*command, choices), " "), bash_values(*command, choices));
  }
  return fmt::format(
      R"(# bash completion for oloid; made by `oloid completion bash`.
_oloid() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command="" i
  local switches words values="" list=0 written=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
      {0}) command=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  COMPREPLY=()
  case $command in
{1}    *)
      switches="{2}"
      words="{3}"
      ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$switches" -- "$word")
  elif [[ -n $values ]]; then
    if ((list)) && [[ $word == *,* ]]; then written=${{word%,*}},; fi
    mapfile -t COMPREPLY < <(compgen -P "$written" -W "$values" -- "${{word#"$written"}}")
    if ((list)); then compopt -o nospace 2>/dev/null || true; fi
  elif [[ -n $words && $before != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}}
complete -o default -F _oloid oloid
)",
      fmt::join(names, " | "), cases, fmt::join(switches(app), " "), fmt::join(names, " "));
}

// One argument of _arguments for each option.
std::string zsh_option(const CLI::Option& option, const Choices& choices) {
  const auto known = choices.find(&option);
  const std::string action =
      known == choices.end() ? "_files"
      : takes_list(option)   ? fmt::format("_sequence compadd - {}", fmt::join(known->second, " "))
                             : fmt::format("({})", fmt::join(known->second, " "));
  if (option.get_positional())
    return fmt::format(" \\\n        {}", quoted(":" + option.get_name() + ":" + action));
  std::string text;
  const int values = option.get_items_expected_max();
  const bool repeats = values >= CLI::detail::expected_max_vector_size;  // any number of times
  for (const std::string& word : switches(option)) {
    text += fmt::format(" \\\n        '{}{}['{}']{}'", repeats ? "*" : "", word,
                        quoted(first_line(option.get_description()), ":[]\\"),
                        values > 0 ? ":value:" + action : "");
  }
  return text;
}

std::string zsh(const CLI::App& app, const Choices& choices) {
  std::string list, cases;
  for (const CLI::App* command : commands(app)) {
    list += fmt::format("    {}\n",
                        quoted(command->get_name() + ":" + first_line(command->get_description())));
    cases += fmt::format("    {})\n      _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options()) cases += zsh_option(*option, choices);
    cases += "\n      ;;\n";
  }
  return fmt::format(
      R"(#compdef oloid
# zsh completion for oloid; made by `oloid completion zsh`.
_oloid() {{
  local -a commands=(
{0}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{1}  esac
}}
if [ "$funcstack[1]" = _oloid ]; then
  _oloid "$@"  # loaded when it was called for
else
  compdef _oloid oloid
fi
)",
      list, cases);
}

std::string fish(const CLI::App& app, const Choices& choices) {
  std::string text = "# fish completion for oloid; made by `oloid completion fish`.\n";
  for (const CLI::App* command : commands(app)) {
    text += fmt::format("complete -c oloid -f -n __fish_use_subcommand -a {} -d {}\n",
                        command->get_name(), quoted(first_line(command->get_description())));
    const std::string when =
        fmt::format("complete -c oloid -n '__fish_seen_subcommand_from {}'", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      std::string names;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      if (names.empty()) continue;
      const auto known = choices.find(option);
      const std::string values =
          known == choices.end() ? std::string(option->get_items_expected_max() > 0 ? " -r" : "")
                                 : fmt::format(" -x -a '{}'", fmt::join(known->second, " "));
      text += fmt::format("{}{}{} -d {}\n", when, names, values,
                          quoted(first_line(option->get_description())));
    }
    const Words words = arguments(*command, choices);
    if (!words.empty()) text += fmt::format("{} -f -a '{}'\n", when, fmt::join(words, " "));
  }
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& app, const Choices& choices,
                              const std::string& shell) {
  if (shell == "zsh") return zsh(app, choices);
  return shell == "fish" ? fish(app, choices) : bash(app, choices);
}

}  // namespace oloid::app
