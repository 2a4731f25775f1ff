#include "oloid/io/page/page_frames.h"

#include <algorithm>

namespace oloid::io {

constexpr std::size_t kLeastFrames = 64;

void PageFrames::add(double t, int side, std::span<const float> row) {
  // An event has a frame before and one after; they stay or go together.
  const bool first_of_event = side != 0 && !(side > 0 && seen_ > 0 && last_.side < 0);
  if (first_of_event) ++events_;
  last_ = {t, side, side == 0 ? regular_++ : events_ - 1, {row.begin(), row.end()}};
  ++seen_;
  if (wanted(last_)) {
    kept_.push_back(last_);
    const std::size_t most = std::max(most_ / std::max<std::size_t>(row.size(), 1), kLeastFrames);
    while (kept_.size() > most) thin_out();
  } else if (side != 0) {
    ++dropped_;
  }
}

void PageFrames::finish() {
  if (seen_ > 0 && !wanted(last_)) {
    kept_.push_back(last_);
    if (last_.side != 0) --dropped_;
  }
}

// Halves the larger set: frames between events, or frames at events.
void PageFrames::thin_out() {
  const auto at_events = static_cast<std::size_t>(
      std::count_if(kept_.begin(), kept_.end(), [](const Kept& k) { return k.side != 0; }));
  (2 * at_events > kept_.size() ? every_event_ : every_) *= 2;
  std::erase_if(kept_, [&](const Kept& frame) {
    if (wanted(frame)) return false;
    dropped_ += frame.side != 0;
    return true;
  });
}

}  // namespace oloid::io
