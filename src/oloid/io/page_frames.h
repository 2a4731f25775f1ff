// Frames of a run in bounded memory: when they are too many, every second one goes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oloid {

class PageFrames {
 public:
  // Rows of `width` numbers, at most `most` of them and at least a few.
  PageFrames(std::size_t width, std::size_t most);

  // `side` as Frame::event_side.
  void add(double t, int side, std::span<const float> row);
  // The last frame of a run stays whatever its number.
  void finish();

  std::size_t size() const { return kept_.size(); }
  double t(std::size_t i) const { return kept_[i].t; }
  int side(std::size_t i) const { return kept_[i].side; }
  float number(std::size_t i, std::size_t column) const { return rows_[i * width_ + column]; }

  std::int64_t seen() const { return seen_; }
  // Of frames between events every n-th is here.
  std::int64_t kept_every() const { return every_; }
  std::int64_t event_frames_dropped() const { return dropped_; }

 private:
  struct Kept {
    double t;
    int side;
    std::int64_t order;  // among frames between events, or of its event
  };
  bool wanted(const Kept& frame) const {
    return frame.order % (frame.side == 0 ? every_ : every_event_) == 0;
  }
  void push(const Kept& frame, std::span<const float> row);
  void thin_out();

  std::size_t width_, most_;
  std::vector<Kept> kept_;
  std::vector<float> rows_;
  Kept last_{};
  std::vector<float> last_row_;
  std::int64_t seen_ = 0, regular_ = 0, events_ = 0;
  std::int64_t every_ = 1, every_event_ = 1, dropped_ = 0;
};

}  // namespace oloid
