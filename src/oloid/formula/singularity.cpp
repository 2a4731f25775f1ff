#include "oloid/formula/singularity.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "oloid/base/interval.h"

namespace oloid::formula {
namespace {

constexpr int kMostCells = 20'000;
// In parts of the whole: the smallest cell, and how far from it values are looked at.
constexpr double kSmallest = 1e-13, kNear = 1e-6, kFar = 1e-4;
// From there to here the largest derivative grows so much, and beyond the values' own scale.
constexpr double kGrowth = 30, kLarge = 1e3;

class SingularitySearch {
 public:
  SingularitySearch(const Expression& formula, int derivatives, double from, double to)
      : formula_(formula), derivatives_(derivatives), from_(from), to_(to), length_(to - from) {
    // The median, because some values may be those next to a pole.
    constexpr int kSamples = 64;
    std::vector<double> sizes;
    for (int i = 0; i <= kSamples; ++i) {
      const double value = at(from + length_ * i / kSamples).v;
      if (std::isfinite(value)) sizes.push_back(std::abs(value));
    }
    if (sizes.empty()) return;
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    scale_ = *middle / std::pow(length_, derivatives);
  }

  std::optional<double> first() {
    std::vector<Interval> cells{{from_, to_}};
    for (int i = 0; i < kMostCells && !cells.empty(); ++i) {
      const Interval cell = cells.back();
      cells.pop_back();
      if (is_bounded(cell)) continue;
      const double middle = cell.middle();
      if (cell.width() > kSmallest * length_ && cell.low < middle && middle < cell.high) {
        cells.push_back({middle, cell.high});
        cells.push_back({cell.low, middle});
      } else if (is_singular(middle)) {
        return middle;
      }
    }
    return std::nullopt;
  }

 private:
  // All variables are the one that is used.
  template <class S>
  SecondOrder<S, 1> value(const S& x) const {
    const std::vector all(formula_.variables().size(), SecondOrder<S, 1>::variable(x, 0));
    return formula_(std::span<const SecondOrder<S, 1>>(all));
  }
  SecondOrder<double, 1> at(double x) const { return value(x); }
  bool is_bounded(const Interval& cell) const {
    const auto y = value(cell);
    return y.v.is_bounded() && (derivatives_ < 1 || y.d[0].is_bounded()) &&
           (derivatives_ < 2 || y.h[0].is_bounded());
  }
  // The highest derivative at both sides of a place; infinite where one is not defined.
  double highest(double x, double distance) const {
    double most = 0;
    for (const double side : {-1.0, 1.0}) {
      const double place = x + side * distance * length_;
      if (place < from_ || place > to_) continue;
      const auto y = at(place);
      const double value = derivatives_ == 0 ? y.v : derivatives_ == 1 ? y.d[0] : y.h[0];
      if (!std::isfinite(y.v) || !std::isfinite(value)) return kInfinity;
      most = std::max(most, std::abs(value));
    }
    return most;
  }
  bool is_singular(double x) const {
    const double here = highest(x, kNear);
    return std::isinf(here) || (here > kLarge * scale_ && here > kGrowth * highest(x, kFar));
  }

  const Expression& formula_;
  int derivatives_;
  double from_, to_, length_;
  double scale_ = 0;  // of the highest derivative, from the values
};

}  // namespace

std::optional<double> first_singularity(const Expression& formula, int derivatives, double from,
                                        double to) {
  if (!(to > from)) return std::nullopt;
  return SingularitySearch(formula, derivatives, from, to).first();
}

}  // namespace oloid::formula
