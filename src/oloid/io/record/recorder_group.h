// Several recorders that listen to one run.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "oloid/scene/recorder.h"

namespace oloid::io {

class RecorderGroup final : public Recorder {
 public:
  void add(std::unique_ptr<Recorder> recorder) { members_.push_back(std::move(recorder)); }
  bool empty() const { return members_.empty(); }

  void begin(const Header& header) override {
    for (const auto& member : members_) member->begin(header);
  }
  EventDetail event_detail() const override {
    EventDetail most = EventDetail::none;
    for (const auto& member : members_) most = std::max(most, member->event_detail());
    return most;
  }
  void frame(const Frame& frame) override {
    for (const auto& member : members_) {
      if (!frame.event || member->event_detail() != EventDetail::none) member->frame(frame);
    }
  }
  void event(const Event& event) override {
    for (const auto& member : members_) member->event(event);
  }
  void end(const Summary& summary) override {
    for (const auto& member : members_) member->end(summary);
  }
  void tick() override {
    for (const auto& member : members_) member->tick();
  }
  // The first trouble; the others still get everything, so that they can finish.
  std::optional<Error> trouble() const override {
    for (const auto& member : members_) {
      if (auto error = member->trouble()) return error;
    }
    return std::nullopt;
  }

 private:
  std::vector<std::unique_ptr<Recorder>> members_;
};

}  // namespace oloid::io
