// Hands the latest value from one thread to another; neither ever waits for the other.
//
// Three slots: the writer owns one, the reader owns one, the third lies between them. Publishing
// and looking swap slots in one atomic exchange, so both sides take a bounded number of steps, a
// value is never seen half written, and values that nobody looked at are written over.
#pragma once

#include <array>
#include <atomic>

#include "oloid/base/rooms.h"

namespace oloid::haptics {

template <class T>
class Handover {
 public:
  // The writer's thread: fill the draft, then publish it. Afterwards the draft holds something old.
  T& draft() { return slots_[draft_]; }
  void publish() { draft_ = between_.exchange(draft_ | kFresh, std::memory_order_acq_rel) & kSlot; }

  // The reader's thread: whether something new has come; then it is the latest.
  bool refresh() {
    if ((between_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    latest_ = between_.exchange(latest_, std::memory_order_acq_rel) & kSlot;
    return true;
  }
  const T& latest() const { return slots_[latest_]; }

 private:
  static constexpr unsigned kSlot = 3, kFresh = 4;
  static_assert(std::atomic<unsigned>::is_always_lock_free);

  std::array<T, 3> slots_{};
  unsigned draft_ = 0;
  std::atomic<unsigned> between_{1};
  unsigned latest_ = 2;
};

}  // namespace oloid::haptics
