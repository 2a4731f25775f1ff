// bench_gallery [FILE.csv]: what a simulated second of each scene of the gallery, scenes/*.toml,
// costs as the scene stands.
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "oloid/io/scene_text/scene_reader.h"
#include "oloid/world/simulation.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

namespace fs = std::filesystem;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Takes frames and keeps the kind of the last event.
class LastEvent final : public Recorder {
 public:
  void begin(const Header&) override {}
  void frame(const Frame&) override {}
  void event(const Event& event) override { kind = event.kind; }
  void end(const Summary&) override {}
  EventKind kind = EventKind::end;
};

struct Cost {
  double compile_s = 0;                        // [s], CPU, once
  double cpu_s = INFINITY, wall_s = INFINITY;  // [s], shortest run
  Summary summary;
  EventKind last = EventKind::end;
};

template <class Value>
const Value& or_exit(const Result<Value, Errors>& result) {
  if (result) return *result;
  for (const Error& error : result.error()) fmt::print(stderr, "{}\n", to_string(error));
  std::exit(1);
}

// At least three runs and a quarter of a second of them.
Cost measure(const fs::path& scene) {
  Cost cost;
  const auto spec = read_scene(scene.string());
  const double before = cpu_seconds();
  const auto model = compile(or_exit(spec));
  cost.compile_s = cpu_seconds() - before;
  double total = 0;
  for (int i = 0; i < 3 || (total < 0.25 && i < 200); ++i) {
    State state = initial_state(or_exit(model));
    LastEvent last;
    const double cpu = cpu_seconds(), wall = wall_seconds();
    cost.summary = run(*model, state, last);
    cost.wall_s = std::min(cost.wall_s, wall_seconds() - wall);
    cost.cpu_s = std::min(cost.cpu_s, cpu_seconds() - cpu);
    cost.last = last.kind;
    total += cpu_seconds() - cpu;
  }
  return cost;
}

std::vector<fs::path> gallery() {
  std::vector<fs::path> scenes;
  for (const auto& entry : fs::directory_iterator(OLOID_SCENES))
    if (entry.path().extension() == ".toml") scenes.push_back(entry.path());
  std::sort(scenes.begin(), scenes.end());
  return scenes;
}

int run_all(int argc, char** argv) {
  std::string csv =
      "scene,simulated_s,compile_cpu_s,wall_s,cpu_s,steps,rates_calls,closest_calls,events,"
      "energy_drift,last_event\n";
  fmt::print(
      "| scene | simulated [s] | times real time | wall [ms/s] | CPU [ms/s] | steps/s | rates "
      "calls/s | searches/s | events | energy drift | ends with |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n");
  for (const fs::path& scene : gallery()) {
    const Cost cost = measure(scene);
    const Counters& n = cost.summary.counters;
    const double t = cost.summary.t_end;
    const auto per_second = [&](std::int64_t count) { return static_cast<double>(count) / t; };
    const std::string name = scene.stem().string();
    fmt::print(
        "| {} | {:g} | {:.0f} | {:.2f} | {:.2f} | {:.0f} | {:.0f} | {:.0f} | {} | {:.0e} | {} |\n",
        name, t, t / cost.wall_s, 1e3 * cost.wall_s / t, 1e3 * cost.cpu_s / t, per_second(n.steps),
        per_second(n.rates_calls), per_second(n.closest_calls), n.events,
        cost.summary.energy.max_relative_drift, scene::name(cost.last));
    csv +=
        fmt::format("{},{},{:.4f},{:.5f},{:.5f},{},{},{},{},{:.2e},{}\n", name, t, cost.compile_s,
                    cost.wall_s, cost.cpu_s, n.steps, n.rates_calls, n.closest_calls, n.events,
                    cost.summary.energy.max_relative_drift, scene::name(cost.last));
  }
  if (argc > 1) fmt::output_file(argv[1]).print("{}", csv);
  return 0;
}

}  // namespace
}  // namespace oloid::bench

int main(int argc, char** argv) { return oloid::bench::run_all(argc, argv); }
