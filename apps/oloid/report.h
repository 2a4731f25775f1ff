// Listens to a run and tells people what happened.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "oloid/scene/recorder.h"

namespace oloid::app {

// How far the first moving body has turned about the vertical, and when it turned back.
class TurnWatch {
 public:
  void begin(const Header& header);
  void frame(const Frame& frame);

  struct Reversal {
    double t;     // [s], when the turn was greatest
    double turn;  // [rad], signed, since the start
  };
  // The first time that the body turned one way by at least kLeast and then came back by as much.
  const std::optional<Reversal>& reversal() const { return reversal_; }

 private:
  static constexpr double kLeast = 0.3;  // [rad], more than rocking makes
  Vec3<double> up_{0, 0, 1};
  std::size_t body_ = 0;
  double t_ = 0, rate_ = 0, turn_ = 0;
  Reversal farthest_{0, 0};
  std::optional<Reversal> reversal_;
};

class Report final : public Recorder {
 public:
  void begin(const Header& header) override;
  EventDetail event_detail() const override { return usual_detail(header_, EventDetail::none); }
  void frame(const Frame& frame) override;
  void event(const Event& event) override;
  void end(const Summary& summary) override;

  // Of a run that did not come to its end, less is known.
  void print(bool complete = true) const;
  EventKind last_event() const { return last_.kind; }
  // Whether an island could not be continued.
  bool any_ended() const {
    return std::any_of(summary_.bodies.begin(), summary_.bodies.end(),
                       [](const BodyFrame& body) { return body.ended; });
  }

 private:
  Header header_;
  TurnWatch turn_;
  std::vector<Event> shown_;  // all but chart crossings, the first kMostEvents
  int more_ = 0;              // events that were not shown
  Event last_, last_shown_;   // of all, and of those that are told
  Summary summary_;
};

}  // namespace oloid::app
