#include "oloid/world/advance.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>

#include "oloid/world/grip.h"
#include "oloid/world/observe.h"
#include "oloid/world/transitions.h"

namespace oloid {
namespace {

// FNV-1a over the raw bits of a step: one number that tells whether two runs were the same.
class BitHash {
 public:
  explicit BitHash(std::uint64_t& h) : h_(h) {}
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) h_ = (h_ ^ bytes[i]) * 0x100000001b3ull;
  }

 private:
  std::uint64_t& h_;
};

class Runner {
 public:
  Runner(const Model& model, State& state, Recorder& recorder, const Control& control)
      : model_(model),
        state_(state),
        recorder_(recorder),
        control_(control),
        contact_field_(model, state.contact_setting),
        flight_field_(model, state.flight_setting),
        contact_stepper_(options<kContactSize>()),
        flight_stepper_(options<kRootSize>()) {}

  void run();

 private:
  template <int N>
  StepOptions<N> options() const {
    StepOptions<N> o;
    o.scheme = model_.scheme;
    o.rtol = model_.rtol;
    o.max_step = model_.max_step;
    return o;
  }

  bool in_contact() const { return state_.mode != Mode::separated; }

  // One accepted step of either kind, its frames, and the event at its end, if any.
  template <class F>
  void step(Stepper<F>& stepper, const F& field, StepperState<F::kSize, F::kGuards>& y,
            Armed<F::kGuards>& armed, Trial<F::kSize, F::kGuards>& trial,
            Segment<F::kSize>& segment);
  template <class F>
  void land(Stepper<F>& stepper, const F& field, StepperState<F::kSize, F::kGuards>& y,
            const Hit& hit, Trial<F::kSize, F::kGuards>& trial);
  template <int N>
  void emit_frames(const Segment<N>& segment, double t_until);

  double longest_step() const;
  void restart();     // after any change other than an accepted step
  void after_step();  // upkeep between steps: reference directions, slip direction, witnesses
  void follow_nearest_points();
  void book_step();  // energy, gap, hash
  void warn_if_conforming(const Observation& now);
  void transition(int guard);
  void transition_in_contact(Guard guard);
  void separate();
  bool slip_has_stopped();  // false: only the direction of the slip has changed
  void cross_chart(Guard guard);

  Observation observe_at(const ContactVector& y) const {
    return observe(model_, state_.contact_setting, y);
  }
  Observation observe_at(const RootVector& y) const {
    return observe(model_, state_.flight_setting, state_.booked, y);
  }
  Observation observe_now() const {
    return in_contact() ? observe_at(state_.contact.y) : observe_at(state_.flight.y);
  }
  void emit(double t, int side, const Observation& o);
  void log(EventKind kind, Mode before, double value, std::string_view note = {});
  void finish(EventKind kind, double value, std::string_view note = {});

  const Model& model_;
  State& state_;
  Recorder& recorder_;
  const Control& control_;
  ContactField contact_field_;
  FlightField flight_field_;
  Stepper<ContactField> contact_stepper_;
  Stepper<FlightField> flight_stepper_;
  Trial<kContactSize, ContactField::kGuards> contact_trial_;
  Trial<kRootSize, FlightField::kGuards> flight_trial_;
  Segment<kContactSize> contact_segment_;
  Segment<kRootSize> flight_segment_;
  bool finished_ = false;
  double last_frame_t_ = -1;
};

void Runner::run() {
  const auto clock_start = std::chrono::steady_clock::now();
  Summary& summary = state_.summary;
  summary.hash = 0xcbf29ce484222325ull;
  recorder_.begin(model_.header);
  restart();
  const Observation first = observe_now();
  state_.energy_start = first.energy.kinetic + first.energy.potential;
  summary.energy.initial = state_.energy_start;
  state_.kinetic_largest = first.energy.kinetic;
  log(EventKind::contact_start, Mode::separated, state_.removed_speed);
  warn_if_conforming(first);
  while (!finished_ && state_.t() < model_.t_end) {
    if (in_contact()) {
      step(contact_stepper_, contact_field_, state_.contact, state_.contact_armed, contact_trial_,
           contact_segment_);
    } else {
      step(flight_stepper_, flight_field_, state_.flight, state_.flight_armed, flight_trial_,
           flight_segment_);
    }
    if (control_.progress) control_.progress(state_.t());
    if (finished_) break;
    if (summary.counters.steps >= model_.max_steps) {
      finish(EventKind::budget, static_cast<double>(summary.counters.steps),
             "raise solver.max_steps to go on");
    } else if (control_.stop && control_.stop->load(std::memory_order_relaxed)) {
      finish(EventKind::interrupted, 0);
    } else if (recorder_.trouble()) {
      finish(EventKind::output_failed, 0);
    }
  }
  if (!finished_) finish(EventKind::end, 0);
  const Observation last = observe_now();
  summary.t_end = state_.t();
  summary.energy.final = last.energy.kinetic + last.energy.potential;
  summary.energy.dissipated = last.energy.dissipated;
  summary.counters.rates_calls = contact_stepper_.rates_calls() + flight_stepper_.rates_calls();
  summary.bodies.assign(2, {});
  summary.bodies[static_cast<std::size_t>(model_.bodies[0].index)] = last.body;
  summary.bodies[static_cast<std::size_t>(model_.bodies[1].index)] = fixed_body_frame(model_);
  summary.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  recorder_.end(summary);
}

template <class F>
void Runner::step(Stepper<F>& stepper, const F& field, StepperState<F::kSize, F::kGuards>& y,
                  Armed<F::kGuards>& armed, Trial<F::kSize, F::kGuards>& trial,
                  Segment<F::kSize>& segment) {
  stepper.attempt(field, y, model_.t_end, trial, longest_step());
  state_.summary.counters.rejected_steps += trial.rejected;
  if (trial.status != StepStatus::ok) {
    finish(EventKind::solver_trouble, trial.h, "the step became too small for the tolerance");
    return;
  }
  const bool look = may_hit<F>(armed, y, trial);
  const bool frame_due = static_cast<double>(state_.next_frame) * model_.output_dt <= y.t + trial.h;
  std::optional<Hit> hit;
  if (look || frame_due) {
    if (!stepper.interpolate(field, y, trial, segment)) {
      finish(EventKind::solver_trouble, trial.h,
             "the equations of motion are not defined within the step");
      return;
    }
    if (look) hit = first_hit(stepper, field, armed, y, trial, segment);
    emit_frames(segment, hit ? hit->t : y.t + trial.h);
  }
  if (hit) {
    if (hit->t > y.t) land(stepper, field, y, *hit, trial);
    if (!finished_) {
      book_step();
      transition(hit->guard);
    }
  } else {
    stepper.accept(trial, y);
    armed.update(y.guards);
    book_step();
    after_step();
  }
}

// Friction turns over where the slip vanishes, so no step may pass that point: each covers at most
// nine tenths of the way there. The last bit, below the least speed, is the closing step.
double Runner::longest_step() const {
  if (state_.mode != Mode::sliding || state_.contact_setting.starting) return INFINITY;
  const Vec2<double> slip = state_.contact.y.segment<2>(kW + 3);
  const double slowing = -slip.dot(state_.contact.dy.segment<2>(kW + 3));
  return slowing > 0 ? 0.9 * slip.squaredNorm() / slowing : INFINITY;
}

// One step from the segment's start to the event, and one secant correction of its time.
template <class F>
void Runner::land(Stepper<F>& stepper, const F& field, StepperState<F::kSize, F::kGuards>& y,
                  const Hit& hit, Trial<F::kSize, F::kGuards>& trial) {
  double h = hit.t - y.t;
  bool good = stepper.attempt_exactly(field, y, h, trial);
  const double correction = -trial.guards(hit.guard) / hit.slope;
  if (good && std::abs(correction) < 1e-3 * h) {
    h = (y.t + (h + correction)) - y.t;
    good = stepper.attempt_exactly(field, y, h, trial);
  }
  if (good) {
    stepper.accept(trial, y);
  } else {
    finish(EventKind::solver_trouble, h, "the equations of motion are not defined at the event");
  }
}

template <int N>
void Runner::emit_frames(const Segment<N>& segment, double t_until) {
  while (true) {
    const double t = static_cast<double>(state_.next_frame) * model_.output_dt;
    if (t > t_until) return;
    emit(t, 0, observe_at(segment(t)));
    ++state_.next_frame;
  }
}

void Runner::restart() {
  bool good;
  if (in_contact()) {
    const ContactEvaluation at = evaluate(model_, state_.contact_setting, state_.contact.y);
    ContactVector scale;
    const double L = model_.length, V = model_.speed;
    const auto location_scale = [L](double rate) { return rate > 0 ? L * rate : INFINITY; };
    for (int i = 0; i < 3; ++i) {
      scale(kLocationA + i) = location_scale(at.pair.A.L.row(i).norm());
      scale(kLocationB + i) = location_scale(at.pair.B.L.row(i).norm());
    }
    scale(kPsi) = 1;
    scale.segment<5>(kW) << V / L, V / L, V / L, V, V;
    scale.segment<3>(kBooked).setConstant(INFINITY);
    contact_stepper_.set_scale(scale);
    good = contact_stepper_.restart(contact_field_, state_.contact);
    state_.contact_armed = {};
    state_.contact_armed.update(state_.contact.guards);
  } else {
    RootVector scale;
    const double L = model_.length, V = model_.speed;
    scale << L, L, L, 1, 1, 1, 1, V / L, V / L, V / L, V, V, V;
    flight_stepper_.set_scale(scale);
    good = flight_stepper_.restart(flight_field_, state_.flight);
    state_.flight_armed = {};
    state_.flight_armed.update(state_.flight.guards);
  }
  if (!good) finish(EventKind::solver_trouble, 0, "the equations of motion are not defined here");
}

void Runner::after_step() {
  if (!in_contact()) {
    follow_nearest_points();
    return;
  }
  ContactSetting& setting = state_.contact_setting;
  ContactVector& y = state_.contact.y;
  y.segment<3>(kLocationA) = settled(model_.A.shape, {setting.A.chart, y.segment<3>(kLocationA)}).x;
  y.segment<3>(kLocationB) = settled(model_.B.shape, {setting.B.chart, y.segment<3>(kLocationB)}).x;
  const Vec2<double> slip = y.segment<2>(kW + 3);
  bool changed = false;
  if (setting.starting && slip.norm() > setting.start_speed) {
    slide(model_, setting, y);
    changed = true;
  } else if (setting.starting) {
    const ContactEvaluation at = evaluate(model_, setting, y);
    setting.friction.direction_B = at.direction_in_B(-at.rates.f.segment<2>(3));
  } else if (setting.mode == Mode::sliding && slip.norm() > setting.friction.least_speed) {
    setting.friction.direction_B = evaluate(model_, setting, y).direction_in_B(slip);
  }
  const auto renew = [&](const Side& side, SideAnchor& anchor, int location) {
    const LocalSurface<double> local = side.at<double>(anchor, y.segment<3>(location));
    if (!reference_is_stale(local, side, anchor)) return false;
    anchor.reference = renewed_reference(local, side);
    ++state_.summary.counters.reanchorings;
    return true;
  };
  changed = renew(model_.A, setting.A, kLocationA) || changed;
  changed = renew(model_.B, setting.B, kLocationB) || changed;
  if (changed && !contact_stepper_.restart(contact_field_, state_.contact)) {
    finish(EventKind::solver_trouble, 0, "the equations of motion are not defined here");
  }
}

// In flight: the pair that was nearest, or another one that has come nearer.
void Runner::follow_nearest_points() {
  const FreeState<double> body = unpack(state_.flight.y);
  const Closest followed = nearest(model_, state_.flight_setting, body);
  const Closest any = nearest_anywhere(model_, body);
  state_.summary.counters.closest_calls += 2;
  const bool other =
      any.status == ClosestStatus::found && any.gap < followed.gap - 1e-9 * model_.length;
  const Closest& near = other ? any : followed;
  state_.flight_setting = {near.A, near.B};
  if (other) {
    flight_stepper_.restart(flight_field_, state_.flight);
    log(EventKind::witness_change, Mode::separated, near.gap);
  }
}

void Runner::book_step() {
  const Observation now = observe_now();
  Summary& summary = state_.summary;
  ++summary.counters.steps;
  const EnergyFrame& e = now.energy;
  state_.kinetic_largest = std::max(state_.kinetic_largest, e.kinetic);
  const double reference = state_.kinetic_largest + model_.header.energy_scale;
  const double error = std::abs(e.kinetic + e.potential + e.dissipated - state_.energy_start);
  if (reference > 0) {
    summary.energy.max_relative_drift =
        std::max(summary.energy.max_relative_drift, error / reference);
  }
  if (in_contact()) {
    summary.max_gap_error = std::max(summary.max_gap_error, std::abs(now.contact.gap));
    warn_if_conforming(now);
  }
  BitHash hash(summary.hash);
  const double t = state_.t();
  hash.add(&t, sizeof t);
  if (in_contact()) {
    hash.add(state_.contact.y.data(), sizeof(double) * kContactSize);
  } else {
    hash.add(state_.flight.y.data(), sizeof(double) * kRootSize);
  }
  hash.add(&state_.mode, sizeof state_.mode);
}

void Runner::warn_if_conforming(const Observation& now) {
  if (state_.warned_conforming || now.conformity > kConformityWarn) return;
  state_.warned_conforming = true;
  log(EventKind::conforming, state_.mode, now.conformity,
      "nearly: the contact may run far and fast");
}

void Runner::transition(int guard) {
  if (!in_contact()) {
    const Observation o = observe_now();
    const Vec3<double> v = o.body.velocity + o.body.angular_velocity.cross(
                                                 Vec3<double>(o.contact.point_A - o.body.position));
    finish(EventKind::gap_closed, v.dot(o.contact.normal),
           "collisions are not simulated yet: the run ends here");
    return;
  }
  transition_in_contact(static_cast<Guard>(guard));
}

void Runner::transition_in_contact(Guard guard) {
  constexpr int kCycle = 2, kHopeless = 16;
  const Transition* transition = find_transition(state_.mode, guard);
  OLOID_EXPECT(transition != nullptr);
  state_.changes_at_once = state_.t() == state_.last_change_t ? state_.changes_at_once + 1 : 1;
  state_.last_change_t = state_.t();
  if (state_.changes_at_once > kHopeless) {
    finish(EventKind::solver_trouble, 0, "modes keep changing at one instant");
    return;
  }
  const Mode before = state_.mode;
  const double booked = state_.contact.y(kBooked);
  const double t_before = state_.t();
  const Observation seen = observe_now();
  bool changed = true;
  switch (transition->action) {
    case Action::separate:
      separate();
      break;
    case Action::grip_or_slide_on:
      changed = slip_has_stopped();
      break;
    case Action::slip:
      slide_from_rest(model_, state_.contact_setting, state_.contact.y);
      break;
    case Action::cross_chart:
      cross_chart(guard);
      break;
    case Action::stop:
      if (guard == Guard::painleve) {
        finish(EventKind::painleve, state_.contact.guards(0) * model_.inertia.inverse_mass,
               "the sliding equations have no unique solution");
      } else {
        finish(transition->event, seen.conformity, "the surfaces conform");
      }
      break;
  }
  if (finished_) return;
  EventKind kind = transition->event;
  if (kind == EventKind::mode_change && state_.changes_at_once > kCycle) {
    kind = EventKind::mode_cycle;
    slide_from_rest(model_, state_.contact_setting, state_.contact.y);
  }
  if (in_contact()) state_.mode = state_.contact_setting.mode;
  restart();
  if (finished_ || !changed) return;
  emit(t_before, -1, seen);
  emit(state_.t(), 1, observe_now());
  if (kind == EventKind::chart_crossing) {
    log(kind, before, guard == Guard::chart_A ? 0 : 1, guard == Guard::chart_A ? "on A" : "on B");
  } else {
    const double dissipated = in_contact() ? state_.contact.y(kBooked) - booked : 0;
    log(kind, before, kind == EventKind::mode_cycle ? state_.changes_at_once : dissipated);
  }
}

void Runner::separate() {
  const ContactVector& y = state_.contact.y;
  const ContactSetting& setting = state_.contact_setting;
  const ContactEvaluation at = evaluate(model_, setting, y);
  FreeState<double> body = free_state(model_, at);
  body.q_WA = nearer_sign(body.q_WA, state_.last_orientation);
  state_.flight = {};
  state_.flight.t = state_.contact.t;
  state_.flight.y = pack(body);
  state_.flight_setting = {{setting.A.chart, y.segment<3>(kLocationA)},
                           {setting.B.chart, y.segment<3>(kLocationB)}};
  state_.booked = y.segment<3>(kBooked).sum();
  state_.mode = Mode::separated;
}

bool Runner::slip_has_stopped() {
  ContactSetting& setting = state_.contact_setting;
  auto& y = state_.contact;
  const ContactEvaluation at = evaluate(model_, setting, y.y);
  const Vec2<double> slip = at.state.w.tail<2>();
  const double speed = slip.norm();
  if (setting.starting) {
    // Slip that does not come off the ground at its very onset has only grazed the cone.
    if (state_.changes_at_once > 1) {
      stick(model_, setting, y.y);
    } else {
      stick_or_slide(model_, setting, y.y);
    }
    return true;
  }
  if (speed > 0) setting.friction.direction_B = at.direction_in_B(slip);
  if (speed > 1.5 * setting.friction.least_speed) return false;  // only turned since the step began
  const double approach = speed > 0 ? -slip.dot(at.rates.w.tail<2>()) / speed : 0;
  if (!(approach > 0)) return false;  // a near miss: the slip is growing again
  // The closing step: the last 1e-8 of the slip, with its direction held.
  setting.friction.least_speed = INFINITY;
  if (!contact_stepper_.restart(contact_field_, y) ||
      !contact_stepper_.attempt_exactly(contact_field_, y, speed / approach, contact_trial_)) {
    finish(EventKind::solver_trouble, speed / approach, "the closing step to zero slip failed");
    return false;
  }
  if (contact_stepper_.interpolate(contact_field_, y, contact_trial_, contact_segment_)) {
    emit_frames(contact_segment_, y.t + contact_trial_.h);
  }
  contact_stepper_.accept(contact_trial_, y);
  book_step();
  stick_or_slide(model_, setting, y.y);
  return true;
}

void Runner::cross_chart(Guard guard) {
  const bool is_A = guard == Guard::chart_A;
  const Shape& shape = is_A ? model_.A.shape : model_.B.shape;
  SideAnchor& anchor = is_A ? state_.contact_setting.A : state_.contact_setting.B;
  auto location = state_.contact.y.segment<3>(is_A ? kLocationA : kLocationB);
  const ChartExit exit = leave(shape, {anchor.chart, location});
  if (const auto* crossing = std::get_if<Crossing>(&exit)) {
    anchor.chart = crossing->to.chart;
    location = crossing->to.x;
    state_.contact.carry.segment<3>(is_A ? kLocationA : kLocationB).setZero();
    ++state_.summary.counters.chart_crossings;
  } else {
    finish(EventKind::open_border, is_A ? 0 : 1,
           "the contact has reached the border of its surface: the run ends here");
  }
}

void Runner::emit(double t, int side, const Observation& o) {
  std::array<BodyFrame, 2> bodies;
  BodyFrame& moving = bodies[static_cast<std::size_t>(model_.bodies[0].index)];
  moving = o.body;
  moving.orientation = nearer_sign(moving.orientation, state_.last_orientation);
  state_.last_orientation = moving.orientation;
  bodies[static_cast<std::size_t>(model_.bodies[1].index)] = fixed_body_frame(model_);
  recorder_.frame({t, side, bodies, {&o.contact, 1}, o.energy});
  last_frame_t_ = t;
}

void Runner::log(EventKind kind, Mode before, double value, std::string_view note) {
  ++state_.summary.counters.events;
  recorder_.event(
      {state_.t(), kind, model_.bodies, ContactId{0}, before, state_.mode, value, note});
}

void Runner::finish(EventKind kind, double value, std::string_view note) {
  finished_ = true;
  ++state_.summary.counters.events;
  if (state_.t() > last_frame_t_) emit(state_.t(), -1, observe_now());
  const bool of_the_run = kind == EventKind::end || kind == EventKind::budget ||
                          kind == EventKind::interrupted || kind == EventKind::output_failed;
  Event event{state_.t(), kind, {}, {}, state_.mode, state_.mode, value, note};
  if (!of_the_run) {
    event.bodies = model_.bodies;
    event.contact = ContactId{0};
  }
  recorder_.event(event);
}

}  // namespace

Summary run(const Model& model, State& state, Recorder& recorder, const Control& control) {
  Runner(model, state, recorder, control).run();
  return state.summary;
}

}  // namespace oloid
