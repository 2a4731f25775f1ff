#include "oloid/io/page_frames.h"

#include <algorithm>

namespace oloid {

constexpr std::size_t kLeastFrames = 64;

PageFrames::PageFrames(std::size_t width, std::size_t most)
    : width_(width), most_(std::max(most, kLeastFrames)) {}

void PageFrames::add(double t, int side, std::span<const float> row) {
  // An event has a frame before and one after; they stay or go together.
  const bool first_of_event = side != 0 && !(side > 0 && seen_ > 0 && last_.side < 0);
  if (first_of_event) ++events_;
  last_ = {t, side, side == 0 ? regular_++ : events_ - 1};
  last_row_.assign(row.begin(), row.end());
  ++seen_;
  if (wanted(last_)) {
    push(last_, row);
    while (kept_.size() > most_) thin_out();
  } else if (side != 0) {
    ++dropped_;
  }
}

void PageFrames::finish() {
  if (seen_ > 0 && !wanted(last_)) {
    push(last_, last_row_);
    if (last_.side != 0) --dropped_;
  }
}

void PageFrames::push(const Kept& frame, std::span<const float> row) {
  kept_.push_back(frame);
  rows_.insert(rows_.end(), row.begin(), row.end());
}

// Halves what there is more of: frames between events, or frames at events.
void PageFrames::thin_out() {
  const auto at_events = static_cast<std::size_t>(
      std::count_if(kept_.begin(), kept_.end(), [](const Kept& k) { return k.side != 0; }));
  (2 * at_events > kept_.size() ? every_event_ : every_) *= 2;
  std::size_t n = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (!wanted(kept_[i])) {
      dropped_ += kept_[i].side != 0;
      continue;
    }
    kept_[n] = kept_[i];
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(i * width_), width_,
                rows_.begin() + static_cast<std::ptrdiff_t>(n * width_));
    ++n;
  }
  kept_.resize(n);
  rows_.resize(n * width_);
}

}  // namespace oloid
