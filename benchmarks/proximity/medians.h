// Collects the times of Google Benchmark's repetitions.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "support/rooms.h"

namespace oloid::bench {

class Medians : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration)
        seconds_[run.run_name.function_name].push_back(run.cpu_accumulated_time /
                                                       static_cast<double>(run.iterations));
    }
  }
  // Whether anything of that name was measured.
  bool any(const std::string& prefix) const {
    const auto found = seconds_.lower_bound(prefix);
    return found != seconds_.end() && found->first.starts_with(prefix);
  }
  // CPU time of one iteration, the median of all repetitions [µs]; not a number if left out.
  double us(const std::string& name) const {
    const auto found = seconds_.find(name);
    if (found == seconds_.end()) return std::nan("");
    std::vector<double> sorted = found->second;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    return 0.5e6 * (sorted[(n - 1) / 2] + sorted[n / 2]);
  }

 private:
  std::map<std::string, std::vector<double>> seconds_;
};

}  // namespace oloid::bench
