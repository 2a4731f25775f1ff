#include "oloid/proximity/broad.h"

#include <algorithm>
#include <cmath>

#include "oloid/base/contract.h"

namespace oloid::proximity {
namespace {

// NaN has no order: such a box is everywhere.
Box usable(const Box& box) {
  const bool ordered = (box.low.array() <= box.high.array()).all();
  return ordered ? box : everywhere();
}

}  // namespace

int BroadPhase::add(const Box& box) {
  const int body = bodies();
  boxes_.push_back(usable(box));
  order_.push_back(body);
  return body;
}

void BroadPhase::move(int body, const Box& box) {
  OLOID_EXPECT(body >= 0 && body < bodies());
  boxes_[static_cast<std::size_t>(body)] = usable(box);
}

// Along the axis over which the middles are spread most; another one is chosen only if it is much
// better, because everything must then be sorted again.
void BroadPhase::sort() {
  Vec3<double> sum = Vec3<double>::Zero(), squares = Vec3<double>::Zero();
  double count = 0;
  for (const Box& box : boxes_) {
    const Vec3<double> middle = box.centre();
    if (!middle.allFinite()) continue;
    sum += middle;
    squares += middle.cwiseAbs2();
    count += 1;
  }
  if (count > 0) {
    const Vec3<double> spread = squares - sum.cwiseAbs2() / count;
    int best = 0;
    spread.maxCoeff(&best);
    if (spread(best) > 4 * spread(axis_)) axis_ = best;
  }
  const auto key = [&](int body) { return box(body).low(axis_); };
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const int body = order_[i];
    std::size_t k = i;
    for (; k > 0 && key(order_[k - 1]) > key(body); --k) order_[k] = order_[k - 1];
    order_[k] = body;
  }
}

const std::vector<BroadPhase::Pair>& BroadPhase::near_pairs(double margin) {
  sort();
  pairs_.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Box& first = box(order_[i]);
    const double end = first.high(axis_) + margin;
    for (std::size_t k = i + 1; k < order_.size() && box(order_[k]).low(axis_) <= end; ++k) {
      const Box& second = box(order_[k]);
      const bool near = (first.low.array() - margin <= second.high.array()).all() &&
                        (second.low.array() - margin <= first.high.array()).all();
      if (near) pairs_.push_back({std::min(order_[i], order_[k]), std::max(order_[i], order_[k])});
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

Box placed(const Mat3<double>& R, const Vec3<double>& p, const Box& box) {
  if (!box.size().allFinite()) return everywhere();
  const Vec3<double> middle = R * box.centre() + p;
  const Vec3<double> half = R.cwiseAbs() * (0.5 * box.size());
  return {middle - half, middle + half};
}

}  // namespace oloid::proximity
