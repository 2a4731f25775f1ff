// bench_micro [FILE.csv] [option of Google Benchmark]...: time and instructions of the kernels.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "micro/kernels.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "support/instructions.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr int kCalls = 64;  // per iteration of Google Benchmark

Vec3<double> bowl_point(double bend, double x, double y) {
  return {x + 0.2 * y, y, -bend * (x * x + 0.7 * y * y + 0.1 * x * y * y)};
}

Patch bowl(double bend, int degree, bool rational) {
  PointRows net;
  WeightRows weights;
  for (int i = 0; i <= degree; ++i) {
    net.emplace_back();
    weights.emplace_back();
    for (int j = 0; j <= degree; ++j) {
      const double x = static_cast<double>(i) / degree, y = static_cast<double>(j) / degree;
      net.back().push_back(bowl_point(bend, x - 0.5, y - 0.5));
      weights.back().push_back(rational ? 1 + 0.3 * x * y : 1);
    }
  }
  return *make_patch(net, weights);
}

Patch bowl_triangle(double bend, int degree) {
  PointRows net;
  for (int j = 0; j <= degree; ++j) {
    net.emplace_back();
    for (int i = 0; i + j <= degree; ++i) {
      const double x = static_cast<double>(i) / degree, y = static_cast<double>(j) / degree;
      net.back().push_back(bowl_point(bend, x - 0.3, y - 0.3));
    }
  }
  return *make_triangle(net);
}

// The same bowl over the regular polygon.
SPatch bowl_s_patch(double bend, int sides, int depth) {
  std::vector<Vec<double, 4>> points;
  for (const SPatch::Corners& corners : SPatch::all_corners(sides, depth)) {
    Uv<double> p(0, 0);
    for (const int corner : corners) p += PatchDomain::regular(sides).corner(corner) / depth;
    points.push_back(weighted<3>(bowl_point(bend, 0.5 * p.x(), 0.5 * p.y()), 1));
  }
  return {sides, depth, points};
}

// A double pyramid over a polygon with n sides: valence n above and below, 4 around. With n = 6 the
// faces are divided until some are regular.
SubdivisionPieces pyramid(int n) {
  Cage cage;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * std::acos(-1.0) * i / n;
    cage.vertices.emplace_back(std::cos(a), std::sin(a), 0);
  }
  cage.vertices.emplace_back(0, 0, 1);
  cage.vertices.emplace_back(0, 0, -1);
  for (int i = 0; i < n; ++i) {
    cage.faces.push_back({i, (i + 1) % n, n});
    cage.faces.push_back({(i + 1) % n, i, n + 1});
  }
  return *subdivide(cage, SubdivisionScheme::loop);
}

struct Inputs {
  static constexpr std::array<int, 5> kValences{6, 3, 5, 7, 10};
  std::vector<SubdivisionPieces> pyramids;
  Patch A = bowl(1.0, 3, false), B = bowl(0.6, 3, false), biquintic = bowl(1.0, 5, true),
        quartic = bowl_triangle(1.0, 4);
  std::vector<SPatch> s_patches{bowl_s_patch(1.0, 3, 3), bowl_s_patch(1.0, 4, 3),
                                bowl_s_patch(1.0, 5, 3), bowl_s_patch(1.0, 10, 3)};
  Ellipsoid ellipsoid = *Ellipsoid::make({0.2, 0.03, 0.02});
  Data data{&std::get<BicubicPatch>(A),
            &std::get<BicubicPatch>(B),
            &std::get<TensorPatch>(biquintic),
            &std::get<TrianglePatch>(quartic),
            {&s_patches[0], &s_patches[1], &s_patches[2], &s_patches[3]},
            {},
            &ellipsoid,
            1.0,
            {1.3e-3, 1.1e-2, 1.2e-2},
            {}};

  Inputs() {
    for (const int n : kValences) pyramids.push_back(pyramid(n));
    for (std::size_t i = 0; i < kValences.size(); ++i) {
      const auto& pieces = pyramids[i].pieces;
      for (std::size_t k = 0; k < kSets; ++k) {  // from different rings
        data.loop[i][k] = &std::get<TrianglePatch>(pieces[k * pieces.size() / kSets].patch);
      }
    }
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> unit(0, 1);
    for (auto& set : data.in) {
      for (int i = 0; i < kNumbers; ++i) {
        for (double& x : set[i]) {
          x = i < 4 ? 0.2 + 0.6 * unit(engine) : i == 4 ? 6 * unit(engine) : unit(engine) - 0.5;
        }
      }
    }
  }
};

std::vector<Kernel> usable_kernels() {
  std::vector<Kernel> all;
  const auto add = [&](const Kernel* k) {
    for (; k->name != nullptr; ++k) all.push_back(*k);
  };
  add(default_kernels());
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) add(avx2_kernels());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    add(avx512_kernels());
  return all;
}

// Largest difference of any lane from the same kernel on doubles, relative to the result's size.
double deviation(const Data& data, const Kernel& kernel) {
  const Kernel* scalar = default_kernels();
  while (std::string_view(scalar->name) != kernel.name) ++scalar;
  Output wide{}, plain{};
  kernel.run(data, 1, wide);
  double largest = 0;
  for (int lane = 0; lane < kernel.lanes; ++lane) {
    Data one = data;
    for (auto& number : one.in[0]) number[0] = number[lane];
    scalar->run(one, 1, plain);
    double size = 0, difference = 0;
    for (int i = 0; i < kMaxOutputs; ++i) {
      size = std::max(size, std::abs(plain[i][0]));
      difference = std::max(difference, std::abs(plain[i][0] - wide[i][lane]));
    }
    largest = std::max(largest, difference / size);
  }
  return largest;
}

double instructions_per_call(const Data& data, const Kernel& kernel) {
  Output out{};
  const auto calls = [&](int n) {
    return count_instructions([&, n] { kernel.run(data, n, out); });
  };
  const auto one = calls(1), two = calls(2);
  return one && two ? static_cast<double>(*two - *one) : std::nan("");
}

// Keeps the shortest time of every benchmark.
class Shortest : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double ns = run.GetAdjustedCPUTime() / kCalls;
      const auto [at, fresh] = ns_.emplace(run.run_name.function_name, ns);
      if (!fresh) at->second = std::min(at->second, ns);
    }
    fmt::print(stderr, ".");
  }
  double ns(const std::string& name) const {
    const auto found = ns_.find(name);
    return found == ns_.end() ? std::nan("") : found->second;
  }

 private:
  std::map<std::string, double> ns_;
};

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const Inputs inputs;
  const Data& data = inputs.data;
  const std::vector<Kernel> kernels = usable_kernels();
  const auto title = [](const Kernel& k) { return fmt::format("{} / {}", k.name, k.scalar); };
  for (const Kernel& kernel : kernels) {
    benchmark::RegisterBenchmark(title(kernel).c_str(),
                                 [&data, kernel](benchmark::State& state) {
                                   Output out{};
                                   for (auto _ : state) kernel.run(data, kCalls, out);
                                 })
        ->Repetitions(15)
        ->MinTime(0.005);
  }
  Shortest shortest;
  benchmark::RunSpecifiedBenchmarks(&shortest);
  fmt::print(stderr, "\n");

  std::string csv =
      "kernel,scalar,lanes,ns_per_call,ns_per_lane,instructions_per_call,"
      "instructions_per_lane,largest_difference_from_double\n";
  fmt::print("| kernel | scalar | ns a call | ns a lane | instructions a call | a lane | off |\n");
  fmt::print("|---|---|--:|--:|--:|--:|--:|\n");
  for (const Kernel& k : kernels) {
    const double ns = shortest.ns(title(k));
    if (std::isnan(ns)) continue;
    const double count = instructions_per_call(data, k), off = deviation(data, k);
    fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.0f} | {:.0f} | {:.0e} |\n", k.name, k.scalar, ns,
               ns / k.lanes, count, count / k.lanes, off);
    csv += fmt::format("\"{}\",\"{}\",{},{:.2f},{:.2f},{:.0f},{:.1f},{:.1e}\n", k.name, k.scalar,
                       k.lanes, ns, ns / k.lanes, count, count / k.lanes, off);
  }
  if (argc > 1) fmt::output_file(argv[1]).print("{}", csv);
  return 0;
}

}  // namespace
}  // namespace oloid::bench

int main(int argc, char** argv) { return oloid::bench::run(argc, argv); }
