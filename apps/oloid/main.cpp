// The command line program: finds the scene, then hands over to simulate().
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "demo_scenes.h"
#include "oloid/base/version.h"
#include "oloid/io/scene_reader.h"
#include "oloid/world/state.h"
#include "simulate.h"

namespace oloid::app {
namespace {

void add_outputs(CLI::App& command, Outputs& outputs) {
  command.add_option("-o,--output", outputs.record,
                     "Record of the run (HDF5); everything at every frame and event");
  command.add_option("--json", outputs.json,
                     "Summary of the run (JSON): final state, events, energy, counters");
  command.add_option("--csv", outputs.csv, "All frames as a table");
  command.add_option("--svg", outputs.svg, "Picture of spin, energy, force and slip over time");
}

ExitCode run_file(const std::string& path, const Outputs& outputs) {
  const Result<Spec, Errors> spec = read_scene(path);
  if (!spec) {
    print_errors(spec.error());
    return kBadInput;
  }
  return simulate(*spec, path, outputs);
}

ExitCode check_file(const std::string& path) {
  const Result<Spec, Errors> spec = read_scene(path);
  if (!spec) {
    print_errors(spec.error());
    return kBadInput;
  }
  const Result<Model, Errors> model = compile(*spec);
  if (!model) {
    print_errors(model.error());
    return kBadInput;
  }
  const State start = initial_state(*model);
  const auto body = [&](std::size_t i) {
    return model->header.bodies[static_cast<std::size_t>(model->bodies[i].index)];
  };
  const Vec3<double>& p = model->start.body.p_WA;
  fmt::print("{} is good: \"{}\" starts {} {} \"{}\" at [{:.17g}, {:.17g}, {:.17g}]\n", path,
             body(0), name(start.mode), start.in_contact() ? "on" : "from", body(1), p.x(), p.y(),
             p.z());
  const double tiny = 1e-9 * model->speed;
  if (start.removed_normal_speed > tiny || start.removed_slip_speed > tiny) {
    fmt::print("removed at the contact: approach {:.3g} m/s, slip {:.3g} m/s\n",
               start.removed_normal_speed, start.removed_slip_speed);
  }
  return kOk;
}

ExitCode run_demo(const std::string& name, Outputs outputs) {
  for (const DemoScene& demo : kDemoScenes) {
    if (demo.name != name) continue;
    const Result<Spec, Errors> spec = parse_scene(demo.text, name + ".toml");
    if (!spec) {
      print_errors(spec.error());
      return kBadInput;
    }
    if (outputs.record.empty()) outputs.record = name + ".h5";
    if (outputs.svg.empty()) outputs.svg = name + ".svg";
    return simulate(*spec, "", outputs);
  }
  std::string known;
  for (const DemoScene& demo : kDemoScenes)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", demo.name);
  print_errors({{{}, fmt::format("there is no demo \"{}\"", name), "known are " + known}});
  return kBadInput;
}

int main_program(int argc, char** argv) {
  CLI::App app{
      "oloid simulates rigid bodies with smooth curved surfaces in contact.\n"
      "Start with `oloid demo`; then write a scene of your own (docs/formats/scene.md) and `oloid "
      "run` it.",
      "oloid"};
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "oloid " + std::string(kVersion));
  app.footer(
      "Exit codes: 0 the run came to its end or to the end of what is simulated (a collision, the\n"
      "border of a surface), 1 scene refused, 2 wrong usage, 3 output not written, 4 the run met\n"
      "trouble and ended early, 130 interrupted. Whatever was computed is kept.");

  Outputs outputs;
  std::string scene, demo = "rattleback";
  CLI::App* demo_command =
      app.add_subcommand("demo", "Simulate a built-in scene; writes NAME.h5 and NAME.svg here");
  std::string names;
  for (const DemoScene& d : kDemoScenes)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", d.name);
  demo_command->add_option("name", demo, "One of: " + names)->capture_default_str();
  add_outputs(*demo_command, outputs);
  demo_command->footer("Example: oloid demo cue_ball --csv cue_ball.csv");

  CLI::App* run_command = app.add_subcommand("run", "Simulate a scene file");
  run_command->add_option("scene", scene, "Scene file (TOML)")->required();
  add_outputs(*run_command, outputs);
  run_command->footer(
      "Example: oloid run scenes/rolling_ball.toml -o ball.h5 --svg ball.svg\n"
      "Nothing is written unless asked for; the summary is always printed.");

  CLI::App* check_command = app.add_subcommand(
      "check", "Read and compile a scene file, report all problems, run nothing");
  check_command->add_option("scene", scene, "Scene file (TOML)")->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (app.exit(error) == 0) return kOk;
    if (argc == 2 && std::string_view(argv[1]).ends_with(".toml")) {
      fmt::print(stderr, "Did you mean: oloid run {}\n", argv[1]);
    }
    return kUsage;
  }
  if (demo_command->parsed()) return run_demo(demo, outputs);
  if (run_command->parsed()) return run_file(scene, outputs);
  if (check_command->parsed()) return check_file(scene);
  fmt::print(stderr, "oloid: say what to do\n\n{}", app.help());
  return kUsage;
}

}  // namespace
}  // namespace oloid::app

int main(int argc, char** argv) { return oloid::app::main_program(argc, argv); }
