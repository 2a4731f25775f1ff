// experiment_bowl [FOLDER]: the bowl thrown on a table of [KryPai02], with steps of many lengths.
// Writes pictures and tables to the folder, by default the present one.
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bowl_figures.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "oloid/world/simulation.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr double kFine = 1e-3;       // [s] between samples of a path
constexpr int kFewest = 3;           // runs of each setting that are timed
constexpr double kLongEnough = 0.5;  // [s] of them, then no more

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Value>
Value good(Result<Value, Errors> result) {
  if (!result) {
    for (const Error& error : result.error()) fmt::print(stderr, "{}\n", to_string(error));
    std::exit(1);
  }
  return *std::move(result);
}

// The steps, thresholds and times of table II of [KryPai02].
std::vector<Measured> settings() {
  struct Published {
    int max_step;  // [ms]
    double cpu;    // [s]
  };
  std::vector<Measured> all;
  all.reserve(9);
  for (const Published& p : {Published{1, 6.542},
                             {2, 3.328},
                             {4, 1.766},
                             {8, 0.974},
                             {16, 0.521},
                             {32, 0.370},
                             {64, 0.286},
                             {128, 0}}) {
    all.push_back({{fmt::format("{} ms", p.max_step), Method::rk4, 1e-3 * p.max_step, 1e-3,
                    p.max_step == 1 ? 2.5e-3 : 5e-3},
                   p.cpu,
                   INFINITY,
                   {}});
  }
  all.push_back({{"DOP853"}, 0, INFINITY, {}});
  return all;
}

class Silent final : public Recorder {
 public:
  void begin(const Header&) override {}
  void frame(const Frame&) override {}
  void event(const Event&) override {}
  void end(const Summary&) override {}
};

double timed(const Model& model) {
  Silent silent;
  State state = initial_state(model);
  const double start = cpu_seconds();
  run(model, state, silent);
  return cpu_seconds() - start;
}

// The shortest time of each, all taking turns, so that ratios hold on a machine that does other
// things too.
void measure_times(const Spec& spec, std::vector<Measured>& all) {
  std::vector<Model> models;
  models.reserve(all.size());
  for (const Measured& run : all)
    models.push_back(good(compile(with_setting(spec, run.setting, spec.duration.value))));
  std::vector<double> total(all.size(), 0.0);
  bool more = true;
  for (int turn = 0; turn < kFewest || (more && turn < 1000); ++turn) {
    more = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (turn >= kFewest && total[i] > kLongEnough) continue;
      const double taken = timed(models[i]);
      all[i].cpu = std::min(all[i].cpu, taken);
      total[i] += taken;
      more = more || total[i] < kLongEnough;
    }
  }
}

// Friction is the only law of [KryPai02]; the scene also resists rolling and spinning.
Spec without_resistances(Spec spec) {
  for (MaterialSpec& material : spec.materials)
    material.law.rolling_resistance = material.law.spin = Located<double>(0);
  return spec;
}

std::vector<Measured> measure(const Spec& spec) {
  std::vector<Measured> all = settings();
  for (Measured& run : all) run.trace = good(trace(with_setting(spec, run.setting, kFine)));
  measure_times(spec, all);
  return all;
}

int run_all(const std::filesystem::path& folder) {
  const Spec spec = good(read_scene(std::string(OLOID_SCENES) + "/thrown_bowl.toml"));
  const std::vector<Measured> all = measure(without_resistances(spec)), resisted = measure(spec);

  std::filesystem::create_directories(folder);
  const auto write = [&](const char* file, const std::string& text) {
    fmt::output_file((folder / file).string()).print("{}", text);
  };
  write("trajectories.svg", trajectories(all));
  write("differences.svg", differences(all));
  write("step_sizes.svg", step_sizes(all));
  write("position.svg", position_over_time(all));
  write("table.csv", csv_table(all));
  const std::string table = markdown_table(all);
  write("table.md", table);
  const std::string variant = markdown_table(resisted);
  write("resistances.md", variant);
  write("resistances.csv", csv_table(resisted));
  fmt::print("{}\n{}", table, variant);
  return 0;
}

}  // namespace
}  // namespace oloid::bench

int main(int argc, char** argv) { return oloid::bench::run_all(argc > 1 ? argv[1] : "."); }
