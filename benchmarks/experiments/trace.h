// One run of a scene with one moving body, kept whole: its path, its events, its steps.
#pragma once

#include <string>
#include <vector>

#include "oloid/scene/recorder.h"
#include "oloid/scene/spec.h"
#include "support/rooms.h"

namespace oloid::bench {

// How a run is integrated. RK4 with a step between the least and the largest, and slip below a
// threshold counted as stopped, is the way of [KryPai02]; DOP853 needs neither.
struct Setting {
  std::string name;
  Method method = Method::dop853;
  double max_step = 0;        // rk4 [s]
  double min_step = 0;        // rk4 [s]
  double slip_threshold = 0;  // rk4 [m/s]
};

Spec with_setting(Spec spec, const Setting& setting, double output_dt);

struct Step {
  double t = 0, h = 0;  // [s], end and length
  Mode mode = Mode::separated;
};

struct Trace {
  struct Sample {
    double t = 0;                    // [s]
    Vec3<double> position{0, 0, 0};  // [m], centre of mass
  };
  std::vector<Sample> path;
  std::vector<Event> events;
  std::vector<Step> steps;
  Summary summary;

  Vec3<double> at(double t) const;  // on the path, between samples
  Mode mode_at(double t) const;     // just after t

  // Times of events. [s]
  std::vector<double> impacts() const;
  std::vector<double> crossings() const;
  std::vector<double> contacts_begin() const;
  std::vector<double> contacts_end() const;
  std::vector<double> mode_changes(bool to_sliding) const;  // else to modes without slip
  double rest() const;  // from when on the body rests to the end; infinity: it does not
  bool complete() const;
};

// Runs a compiled scene whose first moving body is the one looked at.
Result<Trace, Errors> trace(const Spec& spec);

}  // namespace oloid::bench
