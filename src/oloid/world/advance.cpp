#include "oloid/world/advance.h"

#include <chrono>
#include <cmath>

#include "oloid/world/grip.h"
#include "oloid/world/logbook.h"
#include "oloid/world/transitions.h"

namespace oloid {
namespace {

std::string_view crossing_note(bool is_A, Joint joint) {
  if (joint == Joint::G2) return is_A ? "on A, G2" : "on B, G2";
  return is_A ? "on A, G1" : "on B, G1";
}

std::string_view border_note(Border border) {
  switch (border) {
    case Border::trimmed:
      return "the contact has reached a trimmed edge of its surface: the run ends here";
    case Border::tip:
      return "the contact has reached a tip of its surface: the run ends here";
    case Border::edge:
      return "the contact has reached a sharp edge: the run ends here";
    case Border::notch:
      return "the contact has reached another part of its body: the run ends here";
    case Border::free:
      break;
  }
  return "the contact has reached the border of its surface: the run ends here";
}

class Runner {
 public:
  Runner(const Model& model, State& state, Recorder& recorder, const Control& control)
      : model_(model),
        state_(state),
        recorder_(recorder),
        log_(model, state, recorder),
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

  // One accepted step of either kind, its frames, and the event at its end, if any.
  template <class F>
  void step(Stepper<F>& stepper, const F& field, StepperState<F::kSize, F::kGuards>& y,
            Armed<F::kGuards>& armed, Trial<F::kSize, F::kGuards>& trial,
            Segment<F::kSize>& segment);
  template <class F>
  void land(Stepper<F>& stepper, const F& field, StepperState<F::kSize, F::kGuards>& y,
            const Hit& hit, Trial<F::kSize, F::kGuards>& trial);

  void check_limits();
  double longest_step() const;
  void restart();     // after any change other than an accepted step
  void after_step();  // upkeep between steps: reference directions, slip direction, witnesses
  void follow_nearest_points();
  void look_for_second_contact();
  void transition(int guard);
  void transition_in_contact(Guard guard);
  void separate();
  bool slip_has_stopped();  // false: only the direction of the slip has changed
  void close_slip();
  void cross_chart(Guard guard);
  void finish(EventKind kind, double value, std::string_view note = {}) {
    finished_ = true;
    log_.last_event(kind, value, note);
  }

  const Model& model_;
  State& state_;
  const Recorder& recorder_;
  Logbook log_;
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
  Joint crossed_ = Joint::G2;  // how smooth the last crossing was
  double last_look_t_ = 0;     // [s]
};

void Runner::run() {
  const auto start = std::chrono::steady_clock::now();
  log_.begin();
  restart();
  while (!finished_ && state_.t() < model_.t_end) {
    if (state_.in_contact()) {
      step(contact_stepper_, contact_field_, state_.contact, state_.contact_armed, contact_trial_,
           contact_segment_);
    } else {
      step(flight_stepper_, flight_field_, state_.flight, state_.flight_armed, flight_trial_,
           flight_segment_);
    }
    if (control_.progress) control_.progress(state_.t());
    if (!finished_) check_limits();
  }
  if (!finished_) finish(EventKind::end, 0);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  log_.end(contact_stepper_.rates_calls() + flight_stepper_.rates_calls(), wall.count());
}

void Runner::check_limits() {
  const std::int64_t steps = state_.summary.counters.steps;
  if (steps >= model_.max_steps) {
    finish(EventKind::budget, static_cast<double>(steps), "raise solver.max_steps to go on");
  } else if (control_.stop && control_.stop->load(std::memory_order_relaxed)) {
    finish(EventKind::interrupted, 0);
  } else if (recorder_.trouble()) {
    finish(EventKind::output_failed, 0);
  }
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
  std::optional<Hit> hit;
  if (look || log_.frame_due(y.t + trial.h)) {
    if (!stepper.interpolate(field, y, trial, segment)) {
      finish(EventKind::solver_trouble, trial.h,
             "the equations of motion are not defined within the step");
      return;
    }
    if (look) hit = first_hit(stepper, field, armed, y, trial, segment);
    log_.frames(segment, hit ? hit->t : y.t + trial.h);
  }
  if (hit) {
    if (hit->t > y.t) land(stepper, field, y, *hit, trial);
    if (!finished_) transition(hit->guard);
  } else {
    stepper.accept(trial, y);
    armed.update(y.guards);
    log_.step();
    after_step();
  }
}

// Friction turns over where the slip vanishes, so no step may pass that point: each covers at most
// nine tenths of the way there. The last bit, below the least speed, is the closing step.
double Runner::longest_step() const {
  if (state_.mode != Mode::sliding || state_.contact_setting.starting) return INFINITY;
  const Vec2<double> slip = state_.contact.y.segment<2>(kW + 3);
  const double slowing = -slip.dot(state_.contact.dy.segment<2>(kW + 3));
  const double to_stop = slowing > 0 ? 0.9 * slip.squaredNorm() / slowing : INFINITY;
  if (model_.scheme != Scheme::rk4) return to_stop;
  // A fixed step has no error control that keeps it where it is stable.
  const double rate =
      friction_relaxation_rate(model_, evaluate(model_, state_.contact_setting, state_.contact.y));
  return std::min(to_stop, rate > 0 ? 1 / rate : INFINITY);
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
    log_.step();
  } else {
    finish(EventKind::solver_trouble, h, "the equations of motion are not defined at the event");
  }
}

void Runner::restart() {
  bool good;
  if (state_.in_contact()) {
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
  if (!state_.in_contact()) {
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
    setting.friction.direction_B = at.direction_in_B(at.onset);
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
  if (!finished_) look_for_second_contact();
}

// In flight: the pair that was nearest, or another one that has come nearer, or none.
void Runner::follow_nearest_points() {
  FlightSetting& setting = state_.flight_setting;
  const FreeState<double> body = unpack(state_.flight.y);
  const Closest any = nearest_anywhere(model_, body);
  const Closest followed = setting.lost ? any : nearest(model_, setting, body);
  state_.summary.counters.closest_calls += setting.lost ? 1 : 2;
  const auto found = [](const Closest& c) { return c.status == ClosestStatus::found; };
  const bool other = found(any) && (setting.lost || !found(followed) ||
                                    any.gap < followed.gap - 1e-9 * model_.length);
  const Closest& near = other ? any : followed;
  setting = {near.A, near.B, !found(near)};
  if (other) {
    flight_stepper_.restart(flight_field_, state_.flight);
    log_.event(EventKind::witness_change, Mode::separated, near.gap);
  }
}

// Only one point of contact is followed. Unless both bodies are convex another one may come up: it
// is looked for whenever the contact has run a fifth of a body's size.
void Runner::look_for_second_contact() {
  if (is_convex(model_.A.shape) && is_convex(model_.B.shape)) return;
  const ContactVector &y = state_.contact.y, &dy = state_.contact.dy;
  const PairGeometry<double> pair{
      model_.A.at<double>(state_.contact_setting.A, y.segment<3>(kLocationA)),
      model_.B.at<double>(state_.contact_setting.B, y.segment<3>(kLocationB))};
  const auto speed = [&](const LocalSurface<double>& side, int location) {
    return dy.segment<3>(location).norm() / side.L.norm();
  };
  state_.unchecked_path +=
      (speed(pair.A, kLocationA) + speed(pair.B, kLocationB)) * (state_.contact.t - last_look_t_);
  last_look_t_ = state_.contact.t;
  if (state_.unchecked_path < 0.2 * model_.length) return;
  state_.unchecked_path = 0;
  ++state_.summary.counters.closest_calls;
  const Closest any =
      closest_anywhere(model_.A, model_.B, pose_of_A_in_B(pair, y(kPsi)), model_.starts);
  if (any.status == ClosestStatus::found && any.gap < -1e-6 * model_.length) {
    finish(EventKind::unsupported_island, any.gap,
           "the bodies overlap at a second point: several contacts are not simulated yet");
  }
}

void Runner::transition(int guard) {
  if (!state_.in_contact()) {
    const Observation o = log_.now();
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
  if (transition->action == Action::grip_or_slide_on && !slip_has_stopped()) {
    restart();
    return;
  }
  const Mode before = state_.mode;
  const double booked = state_.contact.y(kBooked);
  const Observation seen = log_.now();
  if (transition->action == Action::stop) {
    const bool painleve = guard == Guard::painleve;
    finish(transition->event,
           painleve ? state_.contact.guards(0) * model_.inertia.inverse_mass : seen.conformity,
           painleve ? "the sliding equations have no unique solution" : "the surfaces conform");
    return;
  }
  log_.frame(state_.t(), -1, seen);
  switch (transition->action) {
    case Action::separate:
      separate();
      break;
    case Action::grip_or_slide_on:
      close_slip();
      break;
    case Action::slip:
      slide_from_rest(model_, state_.contact_setting, state_.contact.y);
      break;
    case Action::cross_chart:
      cross_chart(guard);
      break;
    case Action::stop:
      break;
  }
  if (finished_) return;
  EventKind kind = transition->event;
  double value = 0;
  std::string_view note;
  if (kind == EventKind::chart_crossing) {
    value = guard == Guard::chart_A ? 0 : 1;
    note = crossing_note(guard == Guard::chart_A, crossed_);
  } else if (kind == EventKind::mode_change && state_.changes_at_once > kCycle) {
    kind = EventKind::mode_cycle;
    value = state_.changes_at_once;
    slide_from_rest(model_, state_.contact_setting, state_.contact.y);
  } else if (kind == EventKind::mode_change) {
    value = state_.contact.y(kBooked) - booked;
  }
  if (state_.in_contact()) state_.mode = state_.contact_setting.mode;
  restart();
  if (finished_) return;
  log_.frame(state_.t(), 1, log_.now());
  log_.event(kind, before, value, note);
}

void Runner::separate() {
  const ContactVector& y = state_.contact.y;
  const ContactSetting& setting = state_.contact_setting;
  const ContactEvaluation at = evaluate(model_, setting, y);
  ContactSetting smooth = setting;
  smooth.mode = Mode::frictionless;
  const double f_n = -evaluate(model_, smooth, y).rates.f(5);
  if (setting.mode == Mode::rolling && f_n > 1e-9 * model_.force) {
    finish(EventKind::inconsistent, f_n,
           "rolling needs a pull here: use a finite friction coefficient");
    return;
  }
  state_.flight = {};
  state_.flight.t = state_.contact.t;
  state_.flight.y = pack(free_state(model_, at));
  state_.flight_setting = {{setting.A.chart, y.segment<3>(kLocationA)},
                           {setting.B.chart, y.segment<3>(kLocationB)},
                           false};
  state_.booked = y.segment<3>(kBooked).sum();
  state_.mode = Mode::separated;
}

bool Runner::slip_has_stopped() {
  ContactSetting& setting = state_.contact_setting;
  if (setting.starting) return true;
  const ContactEvaluation at = evaluate(model_, setting, state_.contact.y);
  const Vec2<double> slip = at.state.w.tail<2>();
  if (slip.norm() > 0) setting.friction.direction_B = at.direction_in_B(slip);
  const bool slow = slip.norm() <= 1.5 * setting.friction.least_speed;  // or only turned
  const bool slowing = slip.dot(at.rates.w.tail<2>()) < 0;              // or a near miss
  return slow && slowing;
}

void Runner::close_slip() {
  ContactSetting& setting = state_.contact_setting;
  auto& y = state_.contact;
  if (setting.starting && state_.changes_at_once > 1) {
    stick(model_, setting, y.y);  // slip that fails at its very onset has only grazed the cone
    return;
  }
  if (!setting.starting) {
    // The closing step: the last 1e-8 of the slip, with its direction held.
    setting.friction.least_speed = INFINITY;
    const Vec2<double> slip = y.y.segment<2>(kW + 3);
    bool good = contact_stepper_.restart(contact_field_, y);
    const double h = -slip.squaredNorm() / slip.dot(y.dy.segment<2>(kW + 3));
    good = good && contact_stepper_.attempt_exactly(contact_field_, y, h, contact_trial_) &&
           contact_stepper_.interpolate(contact_field_, y, contact_trial_, contact_segment_);
    if (!good) {
      finish(EventKind::solver_trouble, h, "the closing step to zero slip failed");
      return;
    }
    log_.frames(contact_segment_, y.t + h);
    contact_stepper_.accept(contact_trial_, y);
    log_.step();
  }
  stick_or_slide(model_, setting, y.y);
}

void Runner::cross_chart(Guard guard) {
  const bool is_A = guard == Guard::chart_A;
  const Shape& shape = is_A ? model_.A.shape : model_.B.shape;
  SideAnchor& anchor = is_A ? state_.contact_setting.A : state_.contact_setting.B;
  auto location = state_.contact.y.segment<3>(is_A ? kLocationA : kLocationB);
  const ChartExit exit = leave(shape, {anchor.chart, location});
  const auto* crossing = std::get_if<Crossing>(&exit);
  if (!crossing || crossing->joint == Joint::G0) {
    finish(EventKind::open_border, is_A ? 0 : 1,
           crossing ? "the contact has reached a sharp edge: the run ends here"
                    : border_note(std::get<OpenEdge>(exit).border));
    return;
  }
  anchor.chart = crossing->to.chart;
  location = crossing->to.x;
  crossed_ = crossing->joint;
  state_.contact.carry.segment<3>(is_A ? kLocationA : kLocationB).setZero();
  ++state_.summary.counters.chart_crossings;
}

}  // namespace

Summary run(const Model& model, State& state, Recorder& recorder, const Control& control) {
  Runner(model, state, recorder, control).run();
  return state.summary;
}

}  // namespace oloid
