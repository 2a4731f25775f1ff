// The times that a loop takes, as numbers and as a plot.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace oloid::example {

class LatencyLog {
 public:
  // Room for all samples, written to once, so that the loop never touches a memory page first.
  LatencyLog(std::string name, std::size_t most) : name_(std::move(name)), seconds_(most, 1.0) {
    seconds_.clear();
  }
  void add(double seconds) {
    if (seconds_.size() < seconds_.capacity()) seconds_.push_back(seconds);
  }
  const std::string& name() const { return name_; }
  std::span<const double> samples() const { return seconds_; }

 private:
  std::string name_;
  std::vector<double> seconds_;
};

// mean, median, 99 %, 99.9 % and worst of each, in microseconds.
std::string table(std::span<const LatencyLog> logs);

// A histogram of the times, both axes logarithmic.
std::string histogram_svg(std::span<const LatencyLog> logs, const std::string& title);

}  // namespace oloid::example
