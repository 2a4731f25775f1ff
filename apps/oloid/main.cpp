// The command line program: understands what is asked for, then hands over to simulate() and
// others.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>

#include "commands/export_command.h"
#include "commands/more_commands.h"
#include "commands/plot_command.h"
#include "commands/usage.h"
#include "demo_scenes.h"
#include "distance.h"
#include "find_scene.h"
#include "inspect.h"
#include "oloid/base/version.h"
#include "oloid/io/scene_text/scene_json_schema.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "refuse.h"
#include "simulate.h"
#include "standard_streams.h"

namespace oloid::app {
namespace {

void add_outputs(CLI::App& command, Outputs& outputs) {
  command
      .add_option("-o,--output", outputs.record,
                  "Record of the run (HDF5) for view, plot, export and replay: everything at every "
                  "frame and event")
      ->check(has_name())
      ->check(is_record_name());
  command
      .add_option("--json", outputs.json,
                  "Summary of the run (JSON): final state, events, energy, counters")
      ->check(has_name());
  CLI::Option* csv =
      command.add_option("--csv", outputs.csv, "All frames as a table")->check(has_name());
  command
      .add_flag("--event-rows", outputs.table.event_rows,
                "For --csv: also rows just before and after each event")
      ->needs(csv);
  command
      .add_option_function<std::string>(
          "--contacts",
          [&outputs](const std::string& form) { outputs.table.long_contacts = form == "long"; },
          "For --csv, wide: contacts in columns of their pair; long: one row per contact in "
          "NAME.contacts.csv")
      ->check(CLI::IsMember({"wide", "long"}))
      ->option_text("wide|long [wide]")
      ->needs(csv);
  command.add_option("--svg", outputs.svg, "Plot of spin, energy, force and slip over time")
      ->check(has_name());
  command
      .add_option("--html", outputs.html,
                  "Web page that shows the run: bodies, contacts, graphs, events")
      ->check(has_name());
  command.add_flag("--chart-crossings", outputs.chart_crossings,
                   "Record chart crossings as events instead of only counting them");
}

// The same as a key of the scene, so that a record can be replayed.
void add_stop_on_end(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_flag_callback(
      "--stop-on-end", [&overrides] { overrides.emplace_back("solver.stop_on_end=true"); },
      "End the run when bodies touch in a way that is not simulated; by default these bodies stay "
      "where they are, and the others go on");
}

void add_threads(CLI::App& command, int& threads) {
  constexpr int kMost = 1024;
  command
      .add_option("--threads", threads,
                  "Number of threads; 0: one per core. Results are identical to the last bit for "
                  "any number")
      ->check(CLI::Range(0, kMost))
      ->option_text("N [0]");
}

ExitCode run_scene(const std::string& name, const SceneOptions& options, const Outputs& outputs,
                   int threads) {
  const auto scene = find_scene(name, options);
  if (!scene) return refused(scene.error(), kBadInput);
  const ExitCode code = simulate(scene->spec, scene->file, outputs, threads);
  const bool ran = code == kOk || code == kStoppedEarly;
  if (ran && outputs.none()) fmt::print("to look at it: oloid view {}\n", name);
  return code;
}

ExitCode run_demo(const std::string& name, const SceneOptions& options, Outputs outputs,
                  int threads) {
  const auto scene = find_built_in(name, options);
  if (!scene) return refused(scene.error(), kBadInput);
  if (outputs.record.empty()) outputs.record = name + ".h5";
  if (outputs.svg.empty()) outputs.svg = name + ".svg";
  if (outputs.html.empty()) outputs.html = name + ".html";
  const ExitCode code = simulate(scene->spec, "", outputs, threads);
  if (code == kOk) fmt::print("open {} in a browser to view it\n", outputs.html);
  return code;
}

int main_program(int argc, char** argv) {
  CLI::App app{
      "oloid simulates rigid bodies with smooth curved surfaces in contact.\n"
      "First steps:  oloid demo                     a rattleback; then open rattleback.html\n"
      "              oloid list                     other scenes\n"
      "              oloid run my.toml -o my.h5     your own scene: docs/tutorial.md\n"
      "              oloid view my.h5               view it in the browser\n"
      "              oloid plot my.h5 --list        what can be plotted\n"
      "`oloid COMMAND --help` shows examples.",
      "oloid"};
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "oloid " + std::string(kVersion));
  app.footer(
      "Exit codes: 0 the run reached its end or a stop_when condition, 1 invalid input,\n"
      "2 incorrect usage, 3 output could not be written, 4 bodies could not be simulated any\n"
      "further, 5 a repeated run differs from its record, 130 interrupted. Everything computed\n"
      "up to then is kept.");

  Outputs outputs;
  SceneOptions options;
  std::string scene, demo = "rattleback";
  int threads = 0;
  CLI::App* demo_command = app.add_subcommand(
      "demo",
      "Simulate a built-in scene; writes NAME.h5, NAME.svg and NAME.html to the current folder");
  std::string names;
  for (const DemoScene& d : kDemoScenes)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", d.name);
  CLI::Option* demo_name =
      demo_command->add_option("name", demo, "One of: " + names)->capture_default_str();
  add_set(*demo_command, options.overrides);
  add_stop_on_end(*demo_command, options.overrides);
  add_outputs(*demo_command, outputs);
  add_threads(*demo_command, threads);
  demo_command->footer(
      "Example: oloid demo cue_ball --csv cue_ball.csv\n"
      "         oloid demo cue_ball --set duration=4 --set 'body.ball.velocity[0]=3'");

  CLI::App* run_command = app.add_subcommand("run", "Simulate a scene file");
  run_command->add_option("scene", scene, "Scene file (TOML), or the name of a built-in scene")
      ->required();
  add_set(*run_command, options.overrides);
  add_stop_on_end(*run_command, options.overrides);
  add_outputs(*run_command, outputs);
  add_threads(*run_command, threads);
  run_command->footer(
      "Example: oloid run scenes/rolling_ball.toml -o ball.h5 --svg ball.svg\n"
      "         oloid run scenes/rolling_ball.toml --set body.ball.velocity='[1, 0, 0]'\n"
      "No files are written unless requested; the summary is always printed.");

  CLI::App* check_command = app.add_subcommand(
      "check", "Read and compile a scene file and report all problems, without running it");
  bool schema = false;
  check_command->add_option("scene", scene, "Scene file (TOML)");
  add_set(*check_command, options.overrides);
  check_command->add_flag(
      "--schema", schema,
      "Print the JSON Schema of scene files, for editors, without checking a scene");
  check_command->callback([&] {
    if (!schema && scene.empty()) throw CLI::RequiredError("scene");
  });
  check_command->footer(
      "Example: oloid check scenes/rolling_ball.toml\n"
      "         oloid check --schema > scene.schema.json\n"
      "For a valid scene, prints where and how each body starts and what its surface is.");

  DistanceRequest distance;
  CLI::App* distance_command = app.add_subcommand(
      "distance", "Show where the bodies of a scene file are nearest to each other at the start");
  distance_command->add_option("scene", distance.scene_file, "Scene file (TOML)")->required();
  add_set(*distance_command, distance.options.overrides);
  distance_command->add_option(
      "--within", distance.within,
      "Show all pairs of locally nearest points with a gap below this, in metres. Default: the "
      "nearest pair of every two bodies, and pairs with a gap below 0.1 of the smaller body's "
      "size");
  distance_command->add_option("--pair", distance.pair, "Only these two bodies: A B")->expected(2);
  distance_command->add_option("--json", distance.json, "Everything known about each pair (JSON)")
      ->check(has_name());
  distance_command->footer(
      "Example: oloid distance scenes/apart/oloid_and_box.toml --pair oloid box --within 0.5\n"
      "Works for any number of bodies, touching or not, including wires, even if the scene cannot\n"
      "be run. The gap is negative where bodies overlap. Points and the normal, from B to A, are\n"
      "in world axes. Exit code 4: no nearest pair was found for some pair of bodies.");

  const ExportCommand exporting(app);
  const PlotCommand plot(app);
  const MoreCommands more(app);
  Choices choices = plot.choices();
  for (const DemoScene& d : kDemoScenes) choices[demo_name].emplace_back(d.name);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (app.exit(error) == 0) return kOk;
    const std::string meant = probably_meant(app, argc, argv);
    if (!meant.empty()) std::fputs(fmt::format("Did you mean: {}\n", meant).c_str(), stderr);
    return kUsage;
  }
  if (demo_command->parsed()) return run_demo(demo, options, outputs, threads);
  if (run_command->parsed()) return run_scene(scene, options, outputs, threads);
  if (check_command->parsed()) {
    if (!schema) return check_scene(scene, options);
    fmt::print("{}", scene_json_schema());
    return kOk;
  }
  if (distance_command->parsed()) return tell_distances(distance);
  if (const auto code = exporting.run()) return *code;
  if (const auto code = plot.run()) return *code;
  if (const auto code = more.run(std::move(choices))) return *code;
  std::fputs(fmt::format("oloid: no command given\n\n{}", app.help()).c_str(), stderr);
  return kUsage;
}

}  // namespace
}  // namespace oloid::app

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a write error like a full disk
  oloid::app::open_standard_streams();
  return oloid::app::with_standard_output(oloid::app::main_program, argc, argv);
}
