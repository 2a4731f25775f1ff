// Frames of a run in bounded memory: when there are too many, every second one is dropped.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "oloid/base/rooms.h"

namespace oloid::io {

class PageFrames {
 public:
  // Keeps at most this many numbers, but at least a few frames.
  explicit PageFrames(std::size_t numbers) : most_(numbers) {}

  // `side` as Frame::event_side. Rows may become longer during a run, never shorter; missing values
  // of earlier rows are NaN.
  void add(double t, int side, std::span<const float> row);
  // The last frame of a run is always kept.
  void finish();

  std::size_t size() const { return kept_.size(); }
  double t(std::size_t i) const { return kept_[i].t; }
  int side(std::size_t i) const { return kept_[i].side; }
  float number(std::size_t i, std::size_t column) const {
    return column < kept_[i].row.size() ? kept_[i].row[column]
                                        : std::numeric_limits<float>::quiet_NaN();
  }

  std::int64_t seen() const { return seen_; }
  // Of the frames between events, every n-th is kept.
  std::int64_t kept_every() const { return every_; }
  std::int64_t event_frames_dropped() const { return dropped_; }

 private:
  struct Kept {
    double t;
    int side;
    std::int64_t order;  // among frames between events, or of its event
    std::vector<float> row;
  };
  bool wanted(const Kept& frame) const {
    return frame.order % (frame.side == 0 ? every_ : every_event_) == 0;
  }
  void thin_out();

  std::size_t most_;
  std::vector<Kept> kept_;
  Kept last_{};
  std::int64_t seen_ = 0, regular_ = 0, events_ = 0;
  std::int64_t every_ = 1, every_event_ = 1, dropped_ = 0;
};

}  // namespace oloid::io
