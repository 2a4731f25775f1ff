#include "commands/more_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands/usage.h"
#include "list.h"
#include "replay.h"
#include "view.h"

namespace oloid::app {

MoreCommands::MoreCommands(CLI::App& app) : app_(app) {
  replay_ = app.add_subcommand("replay", "Show what a record contains, or repeat its run");
  replay_
      ->add_option("record", record_,
                   "Record (HDF5), the .part file of a run, scene file (TOML), or the name of a "
                   "built-in scene")
      ->required();
  replay_->add_flag("--verify", verify_,
                    "Run the recorded scene again and compare everything to the last bit");
  replay_->footer(
      "Example: oloid replay ball.h5 --verify\n"
      "Exit codes of --verify: 0 identical, 5 different (the first difference is shown), 1 the "
      "file\n"
      "is not a record or is damaged. Bit-identical results are guaranteed only within one build.");

  recover_ = app.add_subcommand("recover", "Close the record of a run that was killed or crashed");
  recover_->add_option("part", part_, "The file the run left behind: NAME.h5.part")->required();
  recover_
      ->add_option("-o,--output", recovered_,
                   "File for the record; must not exist yet. Default: NAME.h5")
      ->check(has_name());
  recover_->footer(
      "Example: oloid recover ball.h5.part\n"
      "All complete frames and events are kept, and the record is marked as recovered. The .part\n"
      "file is removed once the record is complete. If it is damaged, or a run is still writing\n"
      "it, it is left untouched (exit code 1).");

  view_ = app.add_subcommand("view", "Show a record, or run a scene and show it, in the browser");
  view_
      ->add_option("record", record_,
                   "Record (HDF5), the .part file of a run, scene file (TOML), or the name of a "
                   "built-in scene")
      ->required();
  view_
      ->add_option("-o,--output", page_,
                   "The page, a single self-contained HTML file. Default: NAME.html, beside the "
                   "record or, for "
                   "a scene, in the current folder")
      ->check(has_name());
  view_->add_flag("--no-open", only_write_, "Write the page without opening it");
  view_->footer(
      "Example: oloid view ball.h5\n"
      "         oloid view scenes/rolling_ball.toml\n"
      "Shows the moving bodies with contact points, traces, forces and modes, graphs of energy,\n"
      "gap, slip, spin and force, and the list of events. The page opens with a double-click and\n"
      "needs no network; press ? for the keys. `oloid run SCENE -o ball.h5` writes a record. Long\n"
      "runs are thinned out (for two bodies, above 15 000 frames), and the page says so.");

  const std::vector<std::string> lists{"scenes", "events", "modes", "shapes"};
  list_ = app.add_subcommand("list", "List built-in scenes, events, modes or shapes");
  CLI::Option* what =
      list_->add_option("what", what_, "scenes, events, modes or shapes")->capture_default_str();
  what->check(CLI::IsMember(lists));
  list_->footer("Example: oloid list shapes");

  const std::vector<std::string> shells{"bash", "zsh", "fish"};
  completion_ = app.add_subcommand("completion", "Print a shell completion script");
  CLI::Option* shell = completion_->add_option("shell", shell_, "bash, zsh or fish")->required();
  shell->check(CLI::IsMember(shells));
  completion_->footer("Example: source <(oloid completion bash)");
  choices_ = {{what, lists}, {shell, shells}};
}

std::optional<ExitCode> MoreCommands::run(Choices choices) const {
  if (replay_->parsed()) return replay(record_, verify_);
  if (recover_->parsed()) return recover(part_, recovered_);
  if (view_->parsed()) return view(record_, page_, !only_write_);
  if (list_->parsed()) return list(what_);
  if (!completion_->parsed()) return std::nullopt;
  choices.insert(choices_.begin(), choices_.end());
  fmt::print("{}", completion_script(app_, choices, shell_));
  return kOk;
}

}  // namespace oloid::app
