#include "oloid/world/advance.h"

#include <chrono>
#include <cmath>

#include "oloid/world/collide.h"
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

// Bodies at rest that something may wake are looked at this often, in times of ℓ / √(gℓ).
constexpr double kWatchAtRest = 0.01;
// Bodies that hang together already and meet more slowly than this part of √(gℓ) close a loop: with
// less and less speed they would open one contact at every impact on another.
constexpr double kClosing = 1e-4;
// Bodies that part more slowly than this part of √(gℓ) stay together if anything presses them: the
// lowest bounce is faster, √(2e-9).
constexpr double kParting = 1e-6;

class Runner {
 public:
  Runner(const Model& model, State& state, Recorder& recorder, const Control& control)
      : model_(model),
        state_(state),
        setting_(state.setting),
        instant_(model),
        recorder_(recorder),
        log_(model, state, instant_, recorder),
        control_(control),
        field_(model, state.setting, instant_),
        stepper_(options(), field_) {
    instant_.arrange(setting_);
    trial_.resize(field_.size(), field_.guard_count());
    segment_.resize(field_.size());
  }

  void run();

 private:
  StepOptions options() const {
    StepOptions o;
    o.scheme = model_.scheme;
    o.rtol = model_.rtol;
    o.min_step = model_.min_step;
    o.max_step = model_.max_step;
    return o;
  }
  Gripper gripper() { return {model_, setting_, instant_, state_.t(), state_.y.y}; }

  // One accepted step, its frames, and the event at its end, if any.
  void step();
  void land(const Hit& hit);
  double next_break() const;
  double longest_step();
  double longest_step(int node, Channel channel);
  double longest_step(int pair);
  bool separates(int guard);
  void check_limits();
  void restart();     // after any change other than an accepted step
  void rescale();     // error scales for the coordinates in use
  void after_step();  // upkeep between steps: reference directions, friction directions, witnesses
  bool keep_up(int node);
  void follow_nearest_points(int pair);
  void look_for_second_contact(int node);

  void transition(int guard);
  void change_contact(int node, Guard guard);
  bool has_stopped(int node, Channel channel);  // false: only the direction has changed
  void close(int node, Channel channel);
  void stick_below_threshold(int node);
  void separate(int node);
  void jammed(int node);
  void cross_chart(int node, bool is_A);
  void turn_frames(int node, const PairGeometry<double>& before, const Vec5<double>& w);
  void meet(int pair);
  void close_loop(int pair, double approach) {
    finish({.kind = EventKind::unsupported_island,
            .pair = pair,
            .value = approach,
            .note = "this contact closes a loop of bodies: several contacts of a body are not "
                    "simulated yet"});
  }
  bool capture(int pair, const Closest& near, double separation);
  void retest();

  Mode mode(int pair) const {
    const int node = held_by(setting_, pair);
    return node == kGround ? Mode::separated : mode_of(setting_.hold(node));
  }
  void finish(const Logbook::Change& change) {
    finished_ = true;
    log_.last_event(change);
  }
  void trouble(double value, std::string_view note) {
    finish({.kind = EventKind::solver_trouble, .value = value, .note = note});
  }

  const Model& model_;
  State& state_;
  Setting& setting_;
  Instant instant_;
  const Recorder& recorder_;
  Logbook log_;
  const Control& control_;
  WorldField field_;
  Stepper<WorldField> stepper_;
  Trial<Eigen::Dynamic, Eigen::Dynamic> trial_;
  Segment<Eigen::Dynamic> segment_;
  double shortened_ = INFINITY;  // [s], a step that is tried again
  bool finished_ = false;
  Joint crossed_ = Joint::G2;  // how smooth the last crossing was
};

void Runner::run() {
  const auto start = std::chrono::steady_clock::now();
  log_.begin();
  restart();
  while (!finished_ && state_.t() < model_.t_end) {
    step();
    if (control_.progress) control_.progress(state_.t());
    if (!finished_) check_limits();
  }
  if (!finished_) finish({.kind = EventKind::end});
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  log_.end(stepper_.rates_calls(), wall.count());
}

void Runner::check_limits() {
  const std::int64_t steps = state_.summary.counters.steps;
  if (steps >= model_.max_steps) {
    finish({.kind = EventKind::budget,
            .value = static_cast<double>(steps),
            .note = "raise solver.max_steps to go on"});
  } else if (control_.stop && control_.stop->load(std::memory_order_relaxed)) {
    finish({.kind = EventKind::interrupted});
  } else if (recorder_.trouble()) {
    finish({.kind = EventKind::output_failed});
  }
}

void Runner::step() {
  auto& y = state_.y;
  const double t_break = next_break();
  stepper_.attempt(field_, y, t_break, trial_, longest_step());
  state_.summary.counters.rejected_steps += trial_.rejected;
  if (trial_.status != StepStatus::ok) {
    trouble(trial_.h, "the step became too small for the tolerance");
    return;
  }
  const bool look = may_hit<WorldField>(state_.armed, y, trial_);
  std::optional<Hit> hit;
  if (look || log_.frame_due(y.t + trial_.h)) {
    if (!stepper_.interpolate(field_, y, trial_, segment_)) {
      trouble(trial_.h, "the equations of motion are not defined within the step");
      return;
    }
    if (look) hit = first_hit(stepper_, field_, state_.armed, y, trial_, segment_);
    log_.frames(segment_, hit ? hit->t : y.t + trial_.h);
  }
  // A pair that moves apart has come back before the end: a shorter step.
  if (hit && hit->t == y.t && separates(hit->guard)) {
    shortened_ = 0.25 * trial_.h;
    ++state_.summary.counters.rejected_steps;
    if (trial_.h < 1e-6 * model_.length / model_.speed)
      trouble(y.guards(hit->guard), "bodies overlap as they part");
    return;
  }
  if (hit) {
    if (hit->t > y.t) land(*hit);
    shortened_ = INFINITY;
    if (!finished_) transition(hit->guard);
    return;
  }
  shortened_ = INFINITY;
  stepper_.accept(trial_, y);
  state_.armed.update(y.guards);
  log_.step();
  after_step();
  if (!finished_ && y.t >= t_break && y.t < model_.t_end) {  // loads or drives change here
    retest();
    restart();
  }
}

double Runner::next_break() const {
  for (const double t : model_.breaks) {
    if (t > state_.t()) return std::min(t, model_.t_end);
  }
  return model_.t_end;
}

// Whether a guard is the gap of a pair that has just met and moves apart.
bool Runner::separates(int guard) {
  const int pair = guard - kBodyGuards * model_.nodes();
  if (pair < 0) return false;
  instant_.evaluate(setting_, state_.t(), state_.y.y);
  const Closest near = nearest(model_, setting_, instant_, pair);
  return approach_speed(model_, instant_, pair, near) < -kParting * model_.speed;
}

double Runner::longest_step() {
  double longest = shortened_;
  bool rests = true;
  for (int node = 0; node < model_.nodes(); ++node) {
    rests = rests && mode_of(setting_.hold(node)) == Mode::rest;
    if (!setting_.hold(node).on) continue;
    for (const Channel channel : kChannels)
      longest = std::min(longest, longest_step(node, channel));
  }
  bool evaluated = false;
  for (int pair = 0; pair < static_cast<int>(model_.pairs.size()); ++pair) {
    if (held_by(setting_, pair) != kGround) continue;
    if (!evaluated) instant_.evaluate(setting_, state_.t(), state_.y.y);
    evaluated = true;
    longest = std::min(longest, longest_step(pair));
  }
  // Nothing that is integrated tells how fast the forces change that may wake a body.
  if (rests && model_.driven)
    longest = std::min(longest, kWatchAtRest * model_.length / model_.speed);
  return longest;
}

// Bodies that are apart may not pass through each other within a step, however simple their motion:
// no point of the smaller one moves, relative to the other, by more than the gap and a quarter of
// its size. With u, a: speed and acceleration at most, u h + a h² / 2 = way.
double Runner::longest_step(int pair) {
  const Pair& p = model_.pair(pair);
  const BodyMotion &A = instant_.body(p.bodies[0]), &B = instant_.body(p.bodies[1]);
  const Vec3<double> d = A.X_WB.p - B.X_WB.p;
  // Unless the gap is watched, bodies may only come near.
  double way = d.norm() - p.reach;
  if (!far_apart(model_, instant_, pair)) {
    const double gap = setting_.watch(pair).lost
                           ? 0
                           : p.length * state_.y.guards(kBodyGuards * model_.nodes() + pair);
    way = std::max(0.0, gap) + 0.25 * p.length;
  }
  const auto turning = [](const BodyMotion& x) -> Vec3<double> { return x.X_WB.R * x.phi.w; };
  const auto acceleration = [&](BodyId id) -> Vec3<double> {
    const int node = model_.body(id).node;
    const BodyMotion& x = instant_.body(id);
    const Vec3<double> rate = node == kGround ? x.phi_rate.v : instant_.forest[node].a.v;
    return x.X_WB.R * (rate + x.phi.w.cross(x.phi.v));
  };
  // The smaller body's centre in the frame of the larger one.
  const auto radius = [&](BodyId id) {
    const Side& side = model_.body(id).side;
    return side.X_BS.p.norm() + bounding_radius(side.shape);
  };
  const bool A_is_larger = radius(p.bodies[0]) > radius(p.bodies[1]);
  const Vec3<double> w = turning(A_is_larger ? A : B);
  const Vec3<double> v = A.X_WB.R * A.phi.v - B.X_WB.R * B.phi.v - w.cross(d);
  const double u = v.norm() + (turning(A) - turning(B)).norm() * p.length;
  const double a = (acceleration(p.bodies[0]) - acceleration(p.bodies[1])).norm();
  return way > 0 && u + a > 0 ? 2 * way / (u + std::sqrt(u * u + 2 * a * way)) : INFINITY;
}

// Friction turns over where the motion vanishes, so no step may pass that point: each covers at
// most nine tenths of the way there. The last bit, below the least speed, is the closing step.
double Runner::longest_step(int node, Channel channel) {
  const Hold& hold = setting_.hold(node);
  if (hold[channel].grip != Grip::moving) return INFINITY;
  instant_.evaluate(setting_, state_.t(), state_.y.y);
  const Vec2<double> v = part(instant_.contact(node).state.w, channel);
  const double slowing = -v.dot(part(instant_.forest[node].w_rate, channel));
  const double to_stop = slowing > 0 ? 0.9 * v.squaredNorm() / slowing : INFINITY;
  if (model_.scheme != Scheme::rk4) return to_stop;
  // A fixed step has no error control that keeps it where it is stable.
  const double rate = relaxation_rate(hold, instant_, node, channel);
  return std::min(to_stop, rate > 0 ? 1 / rate : INFINITY);
}

// One step from the segment's start to the event, and one secant correction of its time.
void Runner::land(const Hit& hit) {
  auto& y = state_.y;
  double h = hit.t - y.t;
  bool good = stepper_.attempt_exactly(field_, y, h, trial_);
  const double correction = -trial_.guards(hit.guard) / hit.slope;
  if (good && std::abs(correction) < 1e-3 * h) {
    h = (y.t + (h + correction)) - y.t;
    good = stepper_.attempt_exactly(field_, y, h, trial_);
  }
  if (good) {
    stepper_.accept(trial_, y);
    log_.step();
  } else {
    trouble(h, "the equations of motion are not defined at the event");
  }
}

void Runner::rescale() {
  instant_.place(setting_, state_.t(), state_.y.y);
  StateVector& scale = state_.y.scale;
  const double L = model_.length, V = model_.speed;
  scale.setConstant(INFINITY);  // booked dissipation and what is not in use: not controlled
  // Work tells of drives and loads that hardly show in the motion. Where there are none its zeros
  // would only lower the mean of the errors.
  if (model_.driven || !model_.loads.empty()) {
    double energy = 0;
    for (const BodyId id : model_.moving) energy += model_.body(id).inertia.mass * V * V;
    scale.tail<kWorkSize>().setConstant(energy);
  }
  for (int node = 0; node < model_.nodes(); ++node) {
    auto s = scale.segment<kBlock>(block_at(node));
    if (!setting_.hold(node).on) {
      s.head<13>() << L, L, L, 1, 1, 1, 1, V / L, V / L, V / L, V, V, V;
      continue;
    }
    const PairGeometry<double>& pair = instant_.contact(node).pair;
    const auto location_scale = [L](double rate) { return rate > 0 ? L * rate : INFINITY; };
    for (int i = 0; i < 3; ++i) {
      s(kLocationA + i) = location_scale(pair.A.L.row(i).norm());
      s(kLocationB + i) = location_scale(pair.B.L.row(i).norm());
    }
    s(kPsi) = 1;
    if (model_.formulation == Formulation::contact_twist) {
      s.segment<5>(kRates) << V / L, V / L, V / L, V, V;
    } else {
      s.segment<5>(kRates) << s.segment<2>(kLocationA), s.segment<2>(kLocationB), 1;
      s.segment<5>(kRates) *= V / L;
    }
  }
}

void Runner::restart() {
  rescale();
  const bool good = stepper_.restart(field_, state_.y);
  state_.armed.clear();
  state_.armed.update(state_.y.guards);
  if (!good) trouble(0, "the equations of motion are not defined here");
}

void Runner::after_step() {
  bool changed = false;
  instant_.place(setting_, state_.t(), state_.y.y);
  for (int node = 0; node < model_.nodes(); ++node) {
    if (setting_.hold(node).on) changed = keep_up(node) || changed;
  }
  if (changed && !stepper_.restart(field_, state_.y))
    trouble(0, "the equations of motion are not defined here");
  for (int pair = 0; pair < static_cast<int>(model_.pairs.size()) && !finished_; ++pair) {
    if (held_by(setting_, pair) == kGround) follow_nearest_points(pair);
  }
  for (int node = 0; node < model_.nodes() && !finished_; ++node) {
    if (setting_.hold(node).on) look_for_second_contact(node);
  }
  state_.last_look_t = state_.t();
}

// True if the equations have changed.
bool Runner::keep_up(int node) {
  Hold& hold = setting_.hold(node);
  auto block = state_.y.y.segment<kBlock>(block_at(node));
  const Side &A = model_.at_node(node).side, &B = model_.body(hold.parent).side;
  block.segment<3>(kLocationA) = settled(A.shape, {hold.A.chart, block.segment<3>(kLocationA)}).x;
  block.segment<3>(kLocationB) = settled(B.shape, {hold.B.chart, block.segment<3>(kLocationB)}).x;
  bool changed = false;
  for (const Channel channel : kChannels) {
    ChannelSetting& setting = hold[channel];
    if (setting.grip != Grip::moving && setting.grip != Grip::starting) continue;
    const Vec2<double> v = part(instant_.contact(node).state.w, channel);
    if (setting.grip == Grip::starting && v.norm() > setting.start_speed) {
      gripper().move(node, channel);
      changed = true;
    } else if (setting.grip == Grip::starting) {
      instant_.evaluate(setting_, state_.t(), state_.y.y);
      const ContactInstant& c = instant_.contact(node);
      setting.friction.direction_B =
          c.direction_in_B(channel, c.onset[static_cast<std::size_t>(channel)]);
    } else if (v.norm() > setting.friction.least_speed) {
      setting.friction.direction_B = instant_.contact(node).direction_in_B(channel, v);
    }
  }
  if (model_.formulation == Formulation::parameter_rates) return changed;
  const auto renew = [&](const LocalSurface<double>& local, const Side& side, SideAnchor& anchor) {
    if (!reference_is_stale(local, side, anchor)) return false;
    anchor.reference = renewed_reference(local, side);
    ++state_.summary.counters.reanchorings;
    return true;
  };
  const PairGeometry<double> pair = instant_.contact(node).pair;
  changed = renew(pair.A, A, hold.A) || changed;
  changed = renew(pair.B, B, hold.B) || changed;
  return changed;
}

// Of a pair that is apart: the points that were nearest, or others that have come nearer, or none.
void Runner::follow_nearest_points(int pair) {
  if (far_apart(model_, instant_, pair)) {
    setting_.watch(pair).lost = true;
    return;
  }
  Watch& watch = setting_.watch(pair);
  const Closest any = nearest_anywhere(model_, instant_, pair);
  const Closest followed = watch.lost ? any : nearest(model_, setting_, instant_, pair);
  state_.summary.counters.closest_calls += watch.lost ? 1 : 2;
  const auto found = [](const Closest& c) { return c.status == ClosestStatus::found; };
  const bool other = found(any) && (watch.lost || !found(followed) ||
                                    any.gap < followed.gap - 1e-9 * model_.length);
  const Closest& near = other ? any : followed;
  watch = {near.A, near.B, !found(near)};
  if (other) {
    stepper_.restart(field_, state_.y);
    // Points that come into sight overlapping have met: a guard that is not armed tells.
    if (near.gap < 0) state_.armed.on(kBodyGuards * model_.nodes() + pair) = false;
    log_.event({.kind = EventKind::witness_change, .pair = pair, .value = near.gap});
  }
}

// Only one point of contact of a pair is followed. Unless both bodies are convex another one may
// come up: it is looked for whenever the contact has run a fifth of a body's size.
void Runner::look_for_second_contact(int node) {
  const Hold& hold = setting_.hold(node);
  const Pair& pair = model_.pair(hold.pair);
  if (pair.convex) return;
  const ContactPath<double>& path = instant_.contact(node).path;
  double& unchecked = state_.unchecked_path[static_cast<std::size_t>(hold.pair)];
  unchecked += (path.v_A.norm() + path.v_B.norm()) * (state_.t() - state_.last_look_t);
  if (unchecked < 0.2 * pair.length) return;
  unchecked = 0;
  ++state_.summary.counters.closest_calls;
  const Closest any = nearest_anywhere(model_, instant_, hold.pair);
  if (any.status == ClosestStatus::found && any.gap < -1e-6 * pair.length) {
    finish({EventKind::unsupported_island, hold.pair, mode_of(hold), mode_of(hold), any.gap,
            "the bodies overlap at a second point: several contacts are not simulated yet"});
  }
}

void Runner::transition(int guard) {
  constexpr int kHopeless = 64;
  state_.changes_at_once = state_.t() == state_.last_change_t ? state_.changes_at_once + 1 : 1;
  state_.last_change_t = state_.t();
  const int of_bodies = kBodyGuards * model_.nodes();
  if (state_.changes_at_once > kHopeless) {
    if (guard >= of_bodies) {
      finish({.kind = EventKind::unsupported_island,
              .pair = guard - of_bodies,
              .note = "impacts do not come to an end: bodies are squeezed between others"});
    } else {
      trouble(0, "modes keep changing at one instant");
    }
    return;
  }
  instant_.evaluate(setting_, state_.t(), state_.y.y);
  if (guard >= of_bodies) {
    meet(guard - of_bodies);
  } else {
    change_contact(guard / kBodyGuards, static_cast<Guard>(guard % kBodyGuards));
  }
}

void Runner::change_contact(int node, Guard guard) {
  const Hold& hold = setting_.hold(node);
  const int pair = hold.pair;
  const Transition transition = transition_of(hold, guard);
  if (transition.action == Action::grip_or_move_on && !has_stopped(node, channel_of(guard))) {
    restart();
    return;
  }
  const Mode before = mode_of(hold);
  const double booked = state_.booked + state_.y.y.segment<3>(block_at(node) + kBooked).sum();
  if (transition.action == Action::stop) {
    const double measure = quality(model_, hold, instant_.contact(node)).conformity;
    finish({transition.event, pair, before, before, measure, "the surfaces conform"});
    return;
  }
  log_.frame(-1);
  Logbook::Change change{.kind = transition.event, .pair = pair, .before = before};
  switch (transition.action) {
    case Action::separate:
      separate(node);
      break;
    case Action::jam:
      change.value = instant_.forest[node].denominator;
      jammed(node);
      break;
    case Action::grip_or_move_on:
      close(node, channel_of(guard));
      break;
    case Action::let_go:
      gripper().start(node, channel_of(guard));
      break;
    case Action::cross_chart:
      cross_chart(node, guard == Guard::chart_A);
      change.value = guard == Guard::chart_A ? 0 : 1;
      change.note = crossing_note(guard == Guard::chart_A, crossed_);
      break;
    case Action::stop:
      break;
  }
  if (finished_) return;
  // More changes at one instant than there are channels: let what has been let go move on.
  const int cycle = 2 * model_.nodes();
  if (change.kind == EventKind::mode_change && state_.changes_at_once > cycle) {
    change.kind = EventKind::mode_cycle;
    change.value = state_.changes_at_once;
    gripper().start(node, channel_of(guard));
  } else if (change.kind == EventKind::mode_change) {
    change.value = state_.y.y.segment<3>(block_at(node) + kBooked).sum() + state_.booked - booked;
  }
  if (change.kind != EventKind::chart_crossing) retest();
  restart();
  if (finished_) return;
  change.after = mode(pair);
  log_.frame(1);
  log_.event(change);
}

// Whatever has changed may be too much for what sticks elsewhere.
void Runner::retest() {
  instant_.evaluate(setting_, state_.t(), state_.y.y);
  for (int node = 0; node < model_.nodes(); ++node) {
    if (!setting_.hold(node).on) continue;
    const Mode before = mode_of(setting_.hold(node));
    gripper().test(node);
    const Mode after = mode_of(setting_.hold(node));
    if (after != before)
      log_.event({EventKind::mode_change, setting_.hold(node).pair, before, after});
  }
}

void Runner::separate(int node) {
  const Hold hold = setting_.hold(node);
  if (hold[Channel::slip].grip == Grip::stuck) {
    Setting smooth = setting_;
    for (const Channel channel : kChannels) smooth.hold(node)[channel].grip = Grip::free;
    instant_.push_forest(smooth);
    const double f_n = -instant_.forest[node].f(kNormalRow);
    instant_.push(setting_);
    if (f_n > 1e-9 * model_.at_node(node).force) {
      finish({EventKind::inconsistent, hold.pair, mode_of(hold), mode_of(hold), f_n,
              "rolling needs a pull here: use a finite friction coefficient"});
      return;
    }
  }
  release(model_, state_, instant_, node);
  instant_.evaluate(setting_, state_.t(), state_.y.y);
}

void Runner::jammed(int node) {
  if (!unjam(model_, state_, instant_, node)) {
    separate(node);
    return;
  }
  gripper().decide_all(node);
}

bool Runner::has_stopped(int node, Channel channel) {
  Hold& hold = setting_.hold(node);
  ChannelSetting& setting = hold[channel];
  if (setting.grip == Grip::starting) return true;
  const ContactInstant& c = instant_.contact(node);
  const Vec2<double> v = part(c.state.w, channel);
  if (v.norm() > 0) setting.friction.direction_B = c.direction_in_B(channel, v);
  const bool slow = v.norm() <= 1.5 * setting.friction.least_speed;             // or only turned
  const bool slowing = v.dot(part(instant_.forest[node].w_rate, channel)) < 0;  // or a near miss
  return slow && slowing;
}

void Runner::close(int node, Channel channel) {
  ChannelSetting& setting = setting_.hold(node)[channel];
  auto& y = state_.y;
  if (setting.grip == Grip::starting && state_.changes_at_once > 1) {
    gripper().stick(node,
                    channel);  // motion that fails at its very onset has only grazed the limit
    return;
  }
  const bool by_threshold = channel == Channel::slip && model_.slip_threshold > 0 &&
                            setting.friction.least_speed >= model_.slip_threshold;
  if (setting.grip == Grip::moving && by_threshold) {
    stick_below_threshold(node);
    return;
  }
  if (setting.grip == Grip::moving) {
    // The closing step: the last of the motion, with its direction held.
    setting.friction.least_speed = INFINITY;
    bool good = stepper_.restart(field_, y);
    const Vec2<double> v = part(instant_.contact(node).state.w, channel);
    const double h = -v.squaredNorm() / v.dot(part(instant_.forest[node].w_rate, channel));
    if (h > std::min(kWatchAtRest * model_.length / model_.speed, next_break() - y.t)) {
      gripper().stick_or_start(node, channel);  // it would take its time: remove it at once
      return;
    }
    good = good && stepper_.attempt_exactly(field_, y, h, trial_) &&
           stepper_.interpolate(field_, y, trial_, segment_);
    if (!good) {
      trouble(h, "the closing step to rest failed");
      return;
    }
    log_.frames(segment_, y.t + h);
    stepper_.accept(trial_, y);
    log_.step();
    instant_.evaluate(setting_, state_.t(), y.y);
  }
  gripper().stick_or_start(node, channel);
}

// Slip below the scene's threshold is removed at once if friction can hold the contact; else it
// slides on until it really stops.
void Runner::stick_below_threshold(int node) {
  const Setting setting = setting_;
  const StateVector y = state_.y.y;
  gripper().stick_or_start(node, Channel::slip);
  if (setting_.hold(node)[Channel::slip].grip == Grip::stuck) return;
  setting_ = setting;
  state_.y.y = y;
  setting_.hold(node)[Channel::slip].friction.least_speed = 1e-8 * model_.speed;
  instant_.evaluate(setting_, state_.t(), y);
}

void Runner::cross_chart(int node, bool is_A) {
  Hold& hold = setting_.hold(node);
  const Shape& shape = is_A ? model_.at_node(node).side.shape : model_.body(hold.parent).side.shape;
  SideAnchor& anchor = is_A ? hold.A : hold.B;
  const Eigen::Index at = block_at(node) + (is_A ? kLocationA : kLocationB);
  auto location = state_.y.y.segment<3>(at);
  const ChartExit exit = leave(shape, {anchor.chart, location});
  const auto* crossing = std::get_if<Crossing>(&exit);
  if (!crossing || crossing->joint == Joint::G0) {
    finish({EventKind::open_border, hold.pair, mode_of(hold), mode_of(hold), is_A ? 0.0 : 1.0,
            crossing ? "the contact has reached a sharp edge: the run ends here"
                     : border_note(std::get<OpenEdge>(exit).border)});
    return;
  }
  const PairGeometry<double> before = instant_.contact(node).pair;
  const Vec5<double> w = instant_.contact(node).state.w;
  anchor.chart = crossing->to.chart;
  location = crossing->to.x;
  if (model_.formulation == Formulation::parameter_rates) turn_frames(node, before, w);
  crossed_ = crossing->joint;
  state_.y.carry.segment<3>(at).setZero();
  ++state_.summary.counters.chart_crossings;
}

// Frames along parameter lines change with the patch: theory/parameter_rates.md eq. 13.
void Runner::turn_frames(int node, const PairGeometry<double>& before, const Vec5<double>& w) {
  instant_.place(setting_, state_.t(), state_.y.y);
  const PairGeometry<double>& after = instant_.contact(node).pair;
  const double turn_A = frame_turn(before.A.R, after.A.R);
  state_.y.y(block_at(node) + kPsi) += turn_A + frame_turn(before.B.R, after.B.R);
  instant_.place(setting_, state_.t(), state_.y.y);
  state_.y.y.segment<5>(block_at(node) + kRates) =
      instant_.rates_of(setting_.hold(node), node, turned_twist(w, turn_A));
  state_.y.carry.segment<kBlock>(block_at(node)).setZero();
}

// Two bodies that were apart have met.
void Runner::meet(int pair) {
  const Closest near = nearest(model_, setting_, instant_, pair);
  const double approach = approach_speed(model_, instant_, pair, near);
  if (joined(model_, instant_.forest, model_.pair(pair).bodies) &&
      approach < kClosing * model_.speed) {
    close_loop(pair, approach);
    return;
  }
  log_.frame(-1);
  const Bounce hit = bounce(model_, state_, instant_, pair, near, [&](int other, Mode before) {
    log_.event({EventKind::take_off, other, before, Mode::separated, 0,
                "a collision pulls the bodies apart"});
  });
  Logbook::Change change{
      .kind = EventKind::impact, .pair = pair, .value = std::max(hit.approach, 0.0)};
  if (!capture(pair, near, hit.separation)) {
    setting_.watch(pair) = {near.A, near.B, false};
  }
  if (finished_) return;
  retest();
  restart();
  if (finished_) return;
  change.after = mode(pair);
  log_.frame(1);
  log_.event(change);
}

// Holds the bodies together if they would meet again after a bounce too low to follow.
bool Runner::capture(int pair, const Closest& near, double separation) {
  const Setting setting = setting_;
  const StateVector y = state_.y.y;
  const double energy = kinetic_energy(model_, instant_);
  const int node = join(model_, state_, instant_, pair, near);
  if (node == kGround) {
    // Bodies that are joined already meet at a further place.
    if (separation < kLowestBounce * model_.speed) close_loop(pair, -separation);
    return false;
  }
  instant_.evaluate(setting_, state_.t(), state_.y.y);
  const double pressing = sight(instant_.forest, node).b(kNormalRow);
  const double height = 0.5 * separation * separation / pressing;
  if (!(pressing > 0) || height > kLowestBounce * model_.pair(pair).length) {
    setting_ = setting;
    state_.y.y = y;
    instant_.arrange(setting_);
    return false;
  }
  Vec6<double> v = Vec6<double>::Zero();
  v(kNormalRow) = -separation;
  const double work = state_.y.y(state_.y.y.size() - 1);
  gripper().remove_forbidden(node, v);
  state_.booked +=
      energy - kinetic_energy(model_, instant_) + (state_.y.y(state_.y.y.size() - 1) - work);
  gripper().decide_all(node);
  return true;
}

}  // namespace

Summary run(const Model& model, State& state, Recorder& recorder, const Control& control) {
  Runner(model, state, recorder, control).run();
  return state.summary;
}

}  // namespace oloid
