// bench_proximity [option of Google Benchmark]...: time of nearest points for each pair of kinds,
// and time and error beside other libraries. Repetitions of all are interleaved, so that what else
// the machine does falls on all alike.
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "proximity/kinds_table.h"
#include "proximity/peers_table.h"

int main(int argc, char** argv) {
  std::array<char[64], 3> defaults{"--benchmark_enable_random_interleaving=true",
                                   "--benchmark_repetitions=9", "--benchmark_min_time=0.01"};
  std::vector<char*> arguments{argv[0]};
  for (auto& option : defaults) arguments.push_back(option);
  arguments.insert(arguments.end(), argv + 1, argv + argc);  // later ones win
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  oloid::bench::KindsTable kinds;
  oloid::bench::PeersTable peers;
  kinds.add_benchmarks();
  peers.add_benchmarks();
  oloid::bench::Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  if (medians.any("kinds/")) kinds.print(medians);
  if (medians.any("peers/")) peers.print(medians);
}
