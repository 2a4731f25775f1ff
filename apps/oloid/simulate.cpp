#include "simulate.h"

#include <fmt/format.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <set>

#include "oloid/io/csv_writer.h"
#include "oloid/io/json_summary.h"
#include "oloid/io/record_file.h"
#include "oloid/io/svg_plot.h"
#include "oloid/world/advance.h"
#include "oloid/world/display_mesh.h"
#include "progress.h"
#include "report.h"

namespace oloid::app {
namespace {

std::atomic<bool> stop_requested{false};

// The first Ctrl-C finishes the record; a second one, later than a bouncing key or a signal sent to
// both process and group, ends the program at once.
void request_stop(int signal) {
  static timespec first;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!stop_requested.exchange(true)) {
    first = now;
    return;
  }
  const double since = static_cast<double>(now.tv_sec - first.tv_sec) +
                       1e-9 * static_cast<double>(now.tv_nsec - first.tv_nsec);
  if (since > 0.5) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

// Opens all files before anything runs, so that a wrong path costs no computing time.
std::optional<Error> open_outputs(const Outputs& outputs, RecorderGroup& recorders) {
  const struct {
    const std::string& path;
    Result<std::unique_ptr<Recorder>> (*make)(const std::string&);
  } wanted[] = {{outputs.record, make_record_file},
                {outputs.json, make_json_summary},
                {outputs.csv, make_csv_writer},
                {outputs.svg, make_svg_plot}};
  for (const auto& output : wanted) {
    if (output.path.empty()) continue;
    auto recorder = output.make(output.path);
    if (!recorder) return recorder.error();
    recorders.add(*std::move(recorder));
  }
  return std::nullopt;
}

ExitCode exit_code(EventKind last) {
  switch (last) {
    case EventKind::end:
    case EventKind::open_border:
    case EventKind::stopped:
      return kOk;
    case EventKind::interrupted:
      return kInterrupted;
    case EventKind::output_failed:
      return kOutputFailed;
    default:
      return kStoppedEarly;
  }
}

}  // namespace

void print_errors(const Errors& errors) {
  for (const Error& error : errors) fmt::print(stderr, "oloid: {}\n", to_string(error));
}

std::optional<Error> named_twice(std::initializer_list<std::string> paths) {
  std::set<std::filesystem::path> taken;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    std::error_code ignored;
    const auto canonical = std::filesystem::weakly_canonical(path, ignored);
    if (!std::filesystem::is_character_file(canonical, ignored) &&
        !taken.insert(canonical).second) {
      return Error{
          {path, "", 0, 0}, "this file is named twice", "give scene and outputs different names"};
    }
  }
  return std::nullopt;
}

bool run_watched(const Model& model, RecorderGroup& recorders,
                 const std::function<bool(double t)>& done) {
  auto owner = std::make_unique<Progress>();
  Progress& progress = *owner;
  recorders.add(std::move(owner));
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a write error like a full disk
  std::atomic<bool> stop{false};
  Control control;
  control.stop = &stop;
  control.progress = [&](double t) {
    progress.update(t);
    recorders.tick();
    if (stop_requested || (done && done(t))) stop = true;
  };
  State state = initial_state(model);
  run(model, state, recorders, control);
  return stop_requested;
}

ExitCode simulate(const Spec& spec, const std::string& scene_file, const Outputs& outputs) {
  if (const auto error =
          named_twice({scene_file, outputs.record, outputs.json, outputs.csv, outputs.svg})) {
    print_errors({*error});
    return kUsage;
  }
  Result<Model, Errors> model = compile(spec);
  if (!model) {
    print_errors(model.error());
    return kBadInput;
  }
  RecorderGroup recorders;
  if (const auto error = open_outputs(outputs, recorders)) {
    print_errors({*error});
    return kOutputFailed;
  }
  if (!outputs.record.empty()) model->header.meshes = display_meshes(*model);
  auto report_owner = std::make_unique<Report>();
  const Report& report = *report_owner;
  recorders.add(std::move(report_owner));

  run_watched(*model, recorders);
  report.print();
  for (const std::string& path : {outputs.record, outputs.json, outputs.csv, outputs.svg}) {
    if (!path.empty() && !recorders.trouble()) fmt::print("wrote {}\n", path);
  }
  if (const auto error = recorders.trouble()) {
    print_errors({*error});
    return kOutputFailed;
  }
  return exit_code(report.last_event());
}

}  // namespace oloid::app
