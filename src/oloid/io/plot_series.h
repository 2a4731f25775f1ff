// A curve kept in bounded memory however long the run: neighbouring samples merge, extremes stay.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace oloid {

// Samples of N quantities at the same times. One bin holds 1, 2, 4, ... samples; when the bins are
// full, they merge in pairs.
template <std::size_t N>
class PlotSeries {
 public:
  struct Range {
    double first, low, high, last;
  };
  struct Bin {
    double t0, t1;
    std::array<Range, N> y;
  };

  explicit PlotSeries(std::size_t capacity = 4096) : capacity_(capacity) {
    bins_.reserve(capacity);
  }

  void add(double t, const std::array<double, N>& values) {
    Bin bin{t, t, {}};
    for (std::size_t i = 0; i < N; ++i) bin.y[i] = {values[i], values[i], values[i], values[i]};
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
  std::vector<Bin> bins(std::size_t most) const {
    std::vector<Bin> result = bins_;
    while (result.size() > most) halve(result);
    return result;
  }

 private:
  static Bin merged(const Bin& a, const Bin& b) {
    Bin m{a.t0, b.t1, {}};
    for (std::size_t i = 0; i < N; ++i) {
      m.y[i] = {a.y[i].first, std::min(a.y[i].low, b.y[i].low), std::max(a.y[i].high, b.y[i].high),
                b.y[i].last};
    }
    return m;
  }
  static void halve(std::vector<Bin>& bins) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < bins.size(); i += 2) {
      bins[n++] = i + 1 < bins.size() ? merged(bins[i], bins[i + 1]) : bins[i];
    }
    bins.resize(n);
  }

  std::size_t capacity_;
  std::size_t per_bin_ = 1;
  std::size_t in_last_ = 0;  // samples in the last bin
  std::vector<Bin> bins_;
};

}  // namespace oloid
