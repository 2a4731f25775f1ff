// Compares a run with the record of an earlier one while it goes on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oloid/io/record/record_reader.h"

namespace oloid::app {

// Every frame and event must agree with the recorded one to the last bit.
class Verifier final : public Recorder {
 public:
  explicit Verifier(const RecordReader& record) : record_(record) {}

  void begin(const Header& header) override;
  EventDetail event_detail() const override {
    return usual_detail(record_.header(), EventDetail::concerned);
  }
  void frame(const Frame& frame) override;
  void event(const Event& event) override;
  void end(const Summary& summary) override;
  std::optional<Error> trouble() const override { return trouble_; }

  // Whether nothing of the record is left to compare, or a difference was found: at this time of
  // the run it may be stopped.
  bool done(double t) const;
  // What differs first; empty if nothing does.
  const std::string& difference() const { return difference_; }

 private:
  void differs(std::string what) {
    if (difference_.empty()) difference_ = std::move(what);
  }
  void compare(const Frame& now, const Frame& then);
  void compare_event_state(const Frame& now);
  void compare_hashes(const Summary& summary);

  const RecordReader& record_;
  EventStates states_;            // of recorded events
  std::size_t states_until_ = 0;  // the first event they do not cover
  FrameBlock block_;              // of recorded frames
  std::size_t block_from_ = 0;    // the first of them
  std::size_t frames_ = 0, events_ = 0;
  std::string difference_;
  std::optional<Error> trouble_;
};

}  // namespace oloid::app
