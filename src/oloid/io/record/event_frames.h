// Whole frames before and after events, of a record that has only what the events concern.
#pragma once

#include <vector>

#include "oloid/io/record/record_reader.h"

namespace oloid::io {

// In a stretch between two frames. Everything that an event does not concern is interpolated
// between the last and the next known values: bodies along a cubic, other numbers linearly. Good
// enough for pictures.
class EventFrames {
 public:
  explicit EventFrames(const RecordReader& record) : record_(record) {}

  // The frame that the stretch starts with, the one it ends with, if any, and what is known of the
  // events in between. The frames must outlive the stretch.
  void begin(const Frame& start, const Frame* end, EventStates states);

  // Whether anything is known of the event.
  bool has(std::size_t event) const {
    return body_row_ < states_.bodies.size() && states_.bodies[body_row_].event == event;
  }
  // First side -1, then +1, of events in their order. A view, until the next call.
  Frame frame(std::size_t event, int side);

 private:
  template <class T>
  struct Known {
    double t;
    T frame;
  };
  EnergyFrame energy_at(double t) const;
  void place_bodies(double t);
  void place_contacts(double t, int pair);

  const RecordReader& record_;
  const Frame* end_ = nullptr;
  EventStates states_;
  std::size_t body_row_ = 0, contact_row_ = 0;  // next of the states
  std::vector<Known<BodyFrame>> last_bodies_;
  std::vector<Known<ContactFrame>> last_contacts_;
  Known<std::vector<double>> last_probes_{};
  EnergyFrame start_energy_;
  std::vector<std::vector<std::size_t>> rows_of_body_;  // of the states, the next one last
  std::vector<BodyFrame> bodies_;
  std::vector<ContactFrame> contacts_;
  std::vector<double> probes_;
};

}  // namespace oloid::io
