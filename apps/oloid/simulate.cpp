#include "simulate.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <ctime>

#include "oloid/io/page/replay_page.h"
#include "oloid/io/plot/svg_plot.h"
#include "oloid/io/record/csv_writer.h"
#include "oloid/io/record/json_summary.h"
#include "oloid/io/record/record_file.h"
#include "oloid/world/events/encounter.h"
#include "oloid/world/simulation.h"
#include "oloid/world/tools/display_mesh.h"
#include "output_files.h"
#include "progress.h"
#include "refuse.h"
#include "report.h"

namespace oloid::app {
namespace {

std::atomic<bool> stop_requested{false};  // by a signal
std::atomic<bool> stop_run{false};        // for whatever reason

// The first Ctrl-C finishes the record; a second one, later than a bouncing key or a signal sent to
// both process and group, ends the program at once.
void request_stop(int signal) {
  static timespec first;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  stop_run = true;
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

void watch_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, request_stop);
}

std::vector<std::string> files_of(const Outputs& outputs) {
  std::vector<std::string> files{outputs.record, outputs.json, outputs.csv, outputs.svg,
                                 outputs.html};
  if (outputs.table.long_contacts && !outputs.csv.empty())
    files.push_back(contacts_file(outputs.csv));
  return files;
}

// Opens all files before anything runs, so that a wrong path costs no computing time.
std::optional<Error> open_outputs(const Outputs& outputs, RecorderGroup& recorders) {
  using Maker = std::function<Result<std::unique_ptr<Recorder>>(const std::string&)>;
  const std::pair<std::string, Maker> wanted[] = {
      {outputs.record, make_record_file},
      {outputs.json, make_json_summary},
      {outputs.csv, [&](const std::string& path) { return make_csv_writer(path, outputs.table); }},
      {outputs.svg, [](const std::string& path) { return make_svg_plot(path); }},
      {outputs.html, [](const std::string& path) { return make_replay_page(path); }}};
  for (const auto& [path, make] : wanted) {
    if (path.empty()) continue;
    auto recorder = make(path);
    if (!recorder) return recorder.error();
    recorders.add(*std::move(recorder));
  }
  return std::nullopt;
}

ExitCode exit_code(EventKind last, bool any_ended) {
  switch (last) {
    case EventKind::end:
    case EventKind::stopped:
      return any_ended ? kStoppedEarly : kOk;
    case EventKind::interrupted:
      return kInterrupted;
    case EventKind::output_failed:
      return kOutputFailed;
    default:
      return kStoppedEarly;
  }
}

}  // namespace

bool run_watched(const Model& model, RecorderGroup& recorders, int threads,
                 const std::function<bool(double t)>& done) {
  auto owner = std::make_unique<Progress>();
  Progress& progress = *owner;
  recorders.add(std::move(owner));
  watch_signals();
  Control control;
  control.stop = &stop_run;
  control.threads = threads;
  control.progress = [&](double t) {
    progress.update(t);
    recorders.tick();
    if (done && done(t)) stop_run = true;
  };
  State state = initial_state(model);
  run(model, state, recorders, control);
  return stop_requested;
}

ExitCode simulate(const Spec& spec, const std::string& scene_file, const Outputs& outputs,
                  int threads) {
  if (const auto error = named_twice(inputs_of(spec, scene_file), files_of(outputs)))
    return refused(*error, kUsage);
  Result<Model, Errors> model = compile(spec);
  if (!model) return refused(model.error(), kBadInput);
  if (outputs.chart_crossings) model->header.chart_crossings = true;
  RecorderGroup recorders;
  watch_signals();  // before there are files that must not be left behind
  if (const auto error = open_outputs(outputs, recorders)) return refused(*error, kOutputFailed);
  if (!outputs.record.empty() || !outputs.html.empty())
    model->header.meshes = display_meshes(*model);
  if (stop_requested) return kInterrupted;
  auto report_owner = std::make_unique<Report>();
  const Report& report = *report_owner;
  recorders.add(std::move(report_owner));

  for (const BodyId body : uncertified(*model)) {
    fmt::print("uncertified: the surface of {} has no bounds, so a touch could be missed\n",
               model->name(body));
  }
  run_watched(*model, recorders, threads);
  report.print();
  for (const std::string& path : files_of(outputs)) {
    if (!path.empty() && !recorders.trouble()) fmt::print("wrote {}\n", path);
  }
  if (const auto error = recorders.trouble()) return refused(*error, kOutputFailed);
  return exit_code(report.last_event(), report.any_ended());
}

}  // namespace oloid::app
