// A curve kept in bounded memory however long the run: neighbouring samples merge, extremes stay.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "oloid/base/rooms.h"

namespace oloid::io {

// A summary of consecutive samples. NaN counts only as first and last.
struct PlotBin {
  double t0, t1;
  double first, low, high, last;
};

// One bin holds 1, 2, 4, ... samples; when the bins are full, they merge in pairs.
class PlotSeries {
 public:
  explicit PlotSeries(std::size_t capacity = 4096) : capacity_(capacity) {}

  void add(double t, double value) {
    if (!std::isfinite(value)) value = std::numeric_limits<double>::quiet_NaN();
    const PlotBin bin{t, t, value, value, value, value};
    if (in_last_ == 0 || in_last_ == per_bin_) {
      if (bins_.size() == capacity_) {
        halve(bins_);
        per_bin_ *= 2;
      }
      bins_.push_back(bin);
      in_last_ = 0;
    } else {
      bins_.back() = merged(bins_.back(), bin);
    }
    ++in_last_;
  }

  // At most this many bins (and at least half of them if there were as many).
  std::vector<PlotBin> bins(std::size_t most) const {
    std::vector<PlotBin> result = bins_;
    while (result.size() > most) halve(result);
    return result;
  }

 private:
  static PlotBin merged(const PlotBin& a, const PlotBin& b) {
    return {a.t0, b.t1, a.first, std::fmin(a.low, b.low), std::fmax(a.high, b.high), b.last};
  }
  static void halve(std::vector<PlotBin>& bins) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < bins.size(); i += 2) {
      bins[n++] = i + 1 < bins.size() ? merged(bins[i], bins[i + 1]) : bins[i];
    }
    bins.resize(n);
  }

  std::size_t capacity_;
  std::size_t per_bin_ = 1;
  std::size_t in_last_ = 0;  // samples in the last bin
  std::vector<PlotBin> bins_;
};

}  // namespace oloid::io
