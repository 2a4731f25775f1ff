// work_precision [FILE.csv]: what a simulated second of a scene costs, next to how accurate it is.
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "oloid/io/scene_text/scene_reader.h"
#include "oloid/world/simulation.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Keeps the spin (about the vertical) and the path of the moving body at all regular frames.
class MotionRecorder : public Recorder {
 public:
  explicit MotionRecorder(int body) : body_(static_cast<std::size_t>(body)) {}
  void begin(const Header&) override {}
  void frame(const Frame& frame) override {
    if (frame.event_side != 0) return;
    spin.push_back(frame.bodies[body_].angular_velocity.z());
    path.push_back(frame.bodies[body_].position);
  }
  void event(const Event&) override {}
  void end(const Summary&) override {}

  std::vector<double> spin;        // [rad/s]
  std::vector<Vec3<double>> path;  // [m]

 private:
  std::size_t body_;
};

struct Setting {
  Method method;
  double value;  // dop853: rtol; rk4: step [s]
};

struct Outcome {
  MotionRecorder motion{0};
  Summary summary;
  double cpu_ms = 0, cpu_ms_with_frames = 0;  // per simulated second
};

constexpr double kFrameInterval = 0.01;  // [s]

Model compiled(Spec spec, const Setting& setting, double output_dt) {
  spec.solver.method = setting.method;
  if (setting.method == Method::dop853) {
    spec.solver.rtol = setting.value;
  } else {
    spec.solver.max_step = Located<double>(setting.value);
  }
  spec.output_dt = output_dt;
  auto model = compile(spec);
  if (!model) {
    for (const Error& error : model.error()) fmt::print(stderr, "{}\n", to_string(error));
    std::exit(1);
  }
  return *std::move(model);
}

// The shortest of some runs, at least a quarter of a second of them. [s]
double shortest_run(const Model& model) {
  double shortest = INFINITY, total = 0;
  for (int i = 0; i < 5 || (total < 0.25 && i < 200); ++i) {
    State state = initial_state(model);
    MotionRecorder recorder(model.moving[0].index);
    const double start = cpu_seconds();
    run(model, state, recorder);
    const double taken = cpu_seconds() - start;
    shortest = std::min(shortest, taken);
    total += taken;
  }
  return shortest;
}

Outcome measure(const Spec& spec, const Setting& setting, bool with_time) {
  const Model with_frames = compiled(spec, setting, kFrameInterval);
  MotionRecorder recorder(with_frames.moving[0].index);
  State state = initial_state(with_frames);
  run(with_frames, state, recorder);
  Outcome out;
  out.motion = recorder;
  const Model bare = compiled(spec, setting, spec.duration.value);
  State bare_state = initial_state(bare);
  out.summary = run(bare, bare_state, recorder);
  if (with_time) {
    const double to_ms_per_second = 1e3 / out.summary.t_end;
    out.cpu_ms = shortest_run(bare) * to_ms_per_second;
    out.cpu_ms_with_frames = shortest_run(with_frames) * to_ms_per_second;
  }
  return out;
}

template <class Values, class Distance>
double rms(const Values& a, const Values& b, const Distance& distance) {
  if (a.size() != b.size()) return NAN;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(distance(a[i], b[i]), 2);
  return std::sqrt(sum / static_cast<double>(a.size()));
}
double spin_error(const Outcome& a, const Outcome& b) {
  return rms(a.motion.spin, b.motion.spin, [](double x, double y) { return x - y; });
}
double path_error(const Outcome& a, const Outcome& b) {
  return rms(a.motion.path, b.motion.path,
             [](const Vec3<double>& x, const Vec3<double>& y) { return (x - y).norm(); });
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (int digits = 3; digits <= 13; ++digits)
    all.push_back({Method::dop853, std::pow(10.0, -digits)});
  for (double h : {16e-3, 8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}) all.push_back({Method::rk4, h});
  return all;
}

std::string name(const Setting& s) {
  return s.method == Method::dop853 ? fmt::format("dop853 rtol {:.0e}", s.value)
                                    : fmt::format("rk4 step {} ms", 1e3 * s.value);
}

void measure_scene(const std::string& file, std::string& csv) {
  const auto spec = read_scene(std::string(OLOID_SCENES) + "/" + file);
  if (!spec) {
    for (const Error& error : spec.error()) fmt::print(stderr, "{}\n", to_string(error));
    std::exit(1);
  }
  const Outcome exact = measure(*spec, {Method::dop853, 1e-14}, false);
  fmt::print("\nscenes/{}, {} s\n\n", file, exact.summary.t_end);
  fmt::print(
      "| setting | RMS spin error [rad/s] | of path [m] | CPU [ms/s] | with {} frames/s | steps | "
      "rates "
      "calls | energy drift |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
      1 / kFrameInterval);
  for (const Setting& setting : settings()) {
    const Outcome out = measure(*spec, setting, true);
    const double spin = spin_error(out, exact), path = path_error(out, exact);
    const Counters& n = out.summary.counters;
    fmt::print("| {} | {:.1e} | {:.1e} | {:.3f} | {:.3f} | {} | {} | {:.1e} |\n", name(setting),
               spin, path, out.cpu_ms, out.cpu_ms_with_frames, n.steps, n.rates_calls,
               out.summary.energy.max_relative_drift);
    csv += fmt::format("{},{},{:.1e},{:.2e},{:.2e},{:.4f},{:.4f},{},{},{},{:.2e}\n", file,
                       setting.method == Method::dop853 ? "dop853" : "rk4", setting.value, spin,
                       path, out.cpu_ms, out.cpu_ms_with_frames, n.steps, n.rejected_steps,
                       n.rates_calls, out.summary.energy.max_relative_drift);
  }
  const Model as_given =
      compiled(*spec, {Method::dop853, spec->solver.rtol.value}, spec->output_dt.value);
  fmt::print("\nAs the scene says: {:.0f} times real time\n",
             as_given.t_end / shortest_run(as_given));
}

int run_all(int argc, char** argv) {
  std::string csv =
      "scene,method,rtol_or_step_s,rms_spin_error_rad_s,rms_path_error_m,cpu_ms_per_s,"
      "cpu_ms_per_s_with_frames,steps,rejected,rates_calls,energy_drift\n";
  for (const char* file : {"cases/rattleback.toml", "rattleback.toml", "cue_ball.toml"})
    measure_scene(file, csv);
  if (argc > 1) fmt::output_file(argv[1]).print("{}", csv);
  return 0;
}

}  // namespace
}  // namespace oloid::bench

int main(int argc, char** argv) { return oloid::bench::run_all(argc, argv); }
