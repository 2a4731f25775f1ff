#include "experiments/trace.h"

#include <algorithm>
#include <cmath>

#include "oloid/world/simulation.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

class TraceRecorder final : public Recorder {
 public:
  explicit TraceRecorder(Trace& trace) : trace_(trace) {}
  void begin(const Header& header) override {
    const auto moves = [](double mass) { return mass > 0; };
    body_ = static_cast<std::size_t>(
        std::find_if(header.masses.begin(), header.masses.end(), moves) - header.masses.begin());
  }
  void frame(const Frame& frame) override {
    trace_.path.push_back({frame.t, frame.bodies[body_].position});
  }
  void event(const Event& event) override { trace_.events.push_back(event); }
  void end(const Summary& summary) override { trace_.summary = summary; }

 private:
  Trace& trace_;
  std::size_t body_ = 0;
};

bool touches(Mode mode) { return mode != Mode::separated; }
bool slips(Mode mode) { return mode == Mode::sliding || mode == Mode::frictionless; }

template <class Wanted>
std::vector<double> times(const std::vector<Event>& events, const Wanted& wanted) {
  std::vector<double> found;
  found.reserve(events.size());
  for (const Event& event : events) {
    if (wanted(event)) found.push_back(event.t);
  }
  return found;
}

}  // namespace

Spec with_setting(Spec spec, const Setting& setting, double output_dt) {
  spec.solver.method = setting.method;
  spec.solver.max_step = spec.solver.min_step = spec.solver.slip_threshold = std::nullopt;
  if (setting.method == Method::rk4) {
    spec.solver.max_step = Located<double>(setting.max_step);
    spec.solver.min_step = Located<double>(setting.min_step);
    spec.solver.slip_threshold = Located<double>(setting.slip_threshold);
  }
  spec.output_dt = output_dt;
  return spec;
}

Vec3<double> Trace::at(double t) const {
  const auto later = std::lower_bound(path.begin(), path.end(), t,
                                      [](const Sample& s, double time) { return s.t < time; });
  if (later == path.end()) return path.back().position;
  if (later == path.begin() || later->t == t) return later->position;
  const Sample& before = *(later - 1);
  const double s = (t - before.t) / (later->t - before.t);
  return (1 - s) * before.position + s * later->position;
}

Mode Trace::mode_at(double t) const {
  Mode mode = Mode::separated;
  for (const Event& event : events) {
    if (event.t > t) break;
    if (event.contact.valid()) mode = event.after;
  }
  return mode;
}

std::vector<double> Trace::impacts() const {
  return times(events, [](const Event& e) { return e.kind == EventKind::impact; });
}
std::vector<double> Trace::crossings() const {
  return times(events, [](const Event& e) { return e.kind == EventKind::chart_crossing; });
}
std::vector<double> Trace::contacts_begin() const {
  return times(events, [](const Event& e) {
    return e.contact.valid() && !touches(e.before) && touches(e.after);
  });
}
std::vector<double> Trace::contacts_end() const {
  return times(events, [](const Event& e) {
    return e.contact.valid() && touches(e.before) && !touches(e.after);
  });
}
std::vector<double> Trace::mode_changes(bool to_sliding) const {
  return times(events, [to_sliding](const Event& e) {
    return e.contact.valid() && touches(e.before) && touches(e.after) &&
           slips(e.before) != slips(e.after) && slips(e.after) == to_sliding;
  });
}

double Trace::rest() const {
  double since = INFINITY;
  for (const Event& event : events) {
    if (event.contact.valid() && event.after != event.before)
      since = event.after == Mode::rest ? event.t : INFINITY;
  }
  return since;
}

bool Trace::complete() const { return !events.empty() && events.back().kind == EventKind::end; }

Result<Trace, Errors> trace(const Spec& spec) {
  const auto model = compile(spec);
  if (!model) return Unexpected{model.error()};
  Trace result;
  TraceRecorder recorder(result);
  Control control;
  double last = 0;
  control.progress = [&](double t) {
    if (t > last) result.steps.push_back({t, t - last, Mode::separated});
    last = t;
  };
  State state = initial_state(*model);
  run(*model, state, recorder, control);
  for (Step& step : result.steps) step.mode = result.mode_at(step.t - step.h);
  return result;
}

}  // namespace oloid::bench
