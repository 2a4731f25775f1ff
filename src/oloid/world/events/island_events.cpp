#include <algorithm>
#include <cmath>

#include "oloid/world/events/closing.h"
#include "oloid/world/events/collide.h"
#include "oloid/world/islands/island.h"
#include "oloid/world/islands/motion_bound.h"
#include "oloid/world/model/state.h"
#include "oloid/world/model/supported.h"
#include "oloid/world/model/transitions.h"
#include "oloid/world/output/observe.h"

namespace oloid::world {
namespace {

std::string_view crossing_note(bool is_A, Joint joint) {
  if (joint == Joint::G2) return is_A ? "on A, G2" : "on B, G2";
  return is_A ? "on A, G1" : "on B, G1";
}

// Beyond some borders there is nothing: the body flies on, and may touch the border's edge.
bool is_open(Border border) { return border == Border::free || border == Border::trimmed; }

std::string_view border_note(Border border) {
  switch (border) {
    case Border::trimmed:
      return "the contact has reached a trimmed edge of its surface: the body leaves it";
    case Border::tip:
      return "the contact has reached a tip of its surface: the simulation of its bodies ends here";
    case Border::edge:
      return "the contact has reached a sharp edge: the simulation of its bodies ends here";
    case Border::notch:
      return "the contact has reached another part of its body: the simulation of both bodies ends "
             "here";
    case Border::free:
      break;
  }
  return "the contact has reached the border of its surface: the body leaves it";
}

// Bodies that have met overlap by no more than this part of ℓ.
constexpr double kDeepest = 1e-6;
// A closing step is no longer than this, in times of ℓ / √(gℓ).
constexpr double kLongestClosing = 0.01;
// Bodies that are already connected and meet more slowly than this fraction of √(gℓ) close a loop:
// with less and less speed they would open one contact at every impact on another.
constexpr double kClosing = 1e-4;
// Bodies that touch and neither approach nor part faster than this fraction of √(gℓ) only graze.
constexpr double kGrazing = 1e-9;
// If the normal force is below 0 by more than this fraction of the body's scale, the contact does
// not simply open.
constexpr double kPulls = 1e-9;
// Below this regularity, forces are about to become infinite.
constexpr double kSingular = 1e-3;
// This many changes at one instant count as never ending, and so do this many within this fraction
// of ℓ / √(gℓ).
constexpr int kMostAtOnce = 64, kMostImpacts = 128, kMostInAMoment = 2000;
constexpr double kMoment = 1e-6;

LetGo let_go_of(const Evaluation& instant, int node, Channel channel) {
  const Vec6<double>& f = instant.forest[node].f;
  return {node, channel, part(f, channel).norm() / -f(kNormalRow)};
}

}  // namespace

Mode Island::mode(int pair) const {
  const int node = held_by(discrete_, pair);
  return node == kGround ? Mode::separated : mode_of(discrete_.joint(node));
}

void Island::close_loop(int pair, double approach) {
  finish({.kind = EventKind::unsupported_island,
          .contact = {pair},
          .value = approach,
          .note = "this contact closes a loop of bodies: loops of contacts are not simulated"});
}

void Island::look_whether_it_falls_apart() {
  falls_apart_ = group_.nodes() > 1 && parts_of(group_, discrete_).size() > 1;
}

bool Island::goes_on(int pair) {
  state_.changes_at_once = t() == state_.last_change_t ? state_.changes_at_once + 1 : 1;
  state_.last_change_t = t();
  if (t() - state_.busy_since > kMoment * group_.length / group_.speed) {
    state_.busy_since = t();
    state_.busy_changes = 0;
  }
  ++state_.busy_changes;
  if (state_.changes_at_once > kMostImpacts && pair != kGround) {
    finish({.kind = EventKind::unsupported_island,
            .contact = {pair},
            .note = "the impacts never end: a body is squeezed between others"});
  } else if (state_.changes_at_once > kMostAtOnce && pair == kGround) {
    trouble(0, "the modes of the contacts keep changing at one instant");
  } else if (state_.busy_changes > kMostInAMoment) {
    finish({.kind = EventKind::zeno,
            .contact = {pair},
            .value = static_cast<double>(state_.busy_changes),
            .note = "events accumulate without end: the simulation of these bodies ends here"});
  }
  return !finished_;
}

void Island::at_guard(int guard) {
  if (!goes_on(kGround)) return;
  instant_.evaluate(discrete_, t(), state_.y.y);
  change_contact(guard / kBodyGuards, static_cast<Guard>(guard % kBodyGuards));
}

void Island::change_contact(int node, Guard guard) {
  const Contact& hold = discrete_.joint(node);
  const ContactKey key = hold.key;
  const Transition transition = transition_of(hold, guard);
  if (transition.action == Action::grip_or_move_on && !has_stopped(node, channel_of(guard))) {
    restart();
    return;
  }
  const Mode before = mode_of(hold);
  const double booked = state_.booked + state_.y.y.segment<3>(block_at(node) + kBooked).sum();
  if (transition.action == Action::stop) {
    const double measure = quality(group_, hold, instant_.contact(node)).conformity;
    finish({transition.event, key, before, before, measure,
            "the surfaces conform: only contacts at single points are simulated"});
    return;
  }
  if (transition.action == Action::grip_or_move_on) closing_step(node, channel_of(guard));
  if (finished_) return;
  take_now(then_);
  const DiscreteState start = discrete_;
  bool together = false;
  std::optional<LetGo> loose;
  Change change{.kind = transition.event, .contact = key, .before = before};
  switch (transition.action) {
    case Action::separate:
      together = separate(node);
      break;
    case Action::jam:
      change.value = instant_.forest[node].denominator;
      together = jammed(node);
      if (jammed_ == kGround) {  // it opens, or changes elsewhere allow it to continue
        jammed_ = node;
        denominator_ = change.value;
      }
      break;
    case Action::grip_or_move_on:
      close(node, channel_of(guard));
      break;
    case Action::let_go:
      loose = let_go_of(instant_, node, channel_of(guard));
      gripper().start(node, channel_of(guard));
      break;
    case Action::cross_chart:
      cross_chart(node, guard == Guard::chart_A, change);
      break;
    case Action::stop:
      break;
  }
  if (finished_) return;
  // More changes at one instant than there are channels: let the channel move on.
  const int cycle = 2 * group_.nodes();
  if (change.kind == EventKind::mode_change && state_.changes_at_once > cycle) {
    change.kind = EventKind::mode_cycle;
    change.value = state_.changes_at_once;
    const Channel channel = channel_of(guard);
    if (discrete_.joint(node)[channel].grip != Grip::moving) gripper().start(node, channel);
  } else if (change.kind == EventKind::mode_change) {
    change.value = state_.y.y.segment<3>(block_at(node) + kBooked).sum() + state_.booked - booked;
  }
  const DiscreteState changed = discrete_;
  if (change.kind != EventKind::chart_crossing) together = retest(loose) || together;
  restart();
  if (finished_) return;
  if (!together) {
    jammed_ = kGround;
    tell_changes(changed, false);
  }
  if (!together || !tell_changes(start, true)) {
    change.after = mode(key.pair);
    tell_and_show(change);
  }
  look_whether_it_falls_apart();
}

// A change may overload contacts elsewhere that stick.
bool Island::retest(const std::optional<LetGo>& loose) {
  instant_.evaluate(discrete_, t(), state_.y.y);
  gripper().follow_velocities();
  const DiscreteState discrete = discrete_;
  const StateVector y = state_.y.y;
  gripper().test_all();
  if (JointDecision(group_, state_, instant_).holds_already()) return false;
  discrete_ = discrete;
  state_.y.y = y;
  return decide_together(loose);
}

void Island::retest_and_tell() {
  const DiscreteState before = discrete_;
  retest();
  if (!finished_) tell_changes(before, false);
}

bool Island::decide_together(const std::optional<LetGo>& loose, bool jams) {
  JointDecision decision(group_, state_, instant_);
  const JointDecision::End end = decision.settle(loose, jams);
  if (decision.jammed_node() != kGround) jammed_ = decision.jammed_node();
  denominator_ = decision.denominator();
  if (end == JointDecision::End::settled) return true;
  const auto& holds = discrete_.joints;
  const auto unlimited = std::find_if(holds.begin(), holds.end(), [&](const Contact& hold) {
    return hold.on && std::isinf(group_.pair(hold.key.pair).law.static_friction);
  });
  if (unlimited == holds.end() && end == JointDecision::End::not_found) {
    trouble(decision.residual(), "no forces were found that obey the laws of all contacts");
  } else if (unlimited == holds.end()) {
    trouble(decision.residual(), "no forces or impulses obey the laws of all contacts");
  } else {
    finish({EventKind::inconsistent, unlimited->key, mode_of(*unlimited), mode_of(*unlimited), 0,
            "rolling would require an attractive normal force here: use a finite friction "
            "coefficient"});
  }
  return false;
}

bool Island::tell_changes(const DiscreteState& before, bool show) {
  std::vector<Change> changes;
  for (int node = 0; node < group_.nodes(); ++node) {
    const Contact &then = before.joint(node), &now = discrete_.joint(node);
    const bool jams = node == jammed_;
    if (!then.on || (!jams && now.on && mode_of(now) == mode_of(then))) continue;
    const EventKind kind = jams     ? EventKind::painleve
                           : now.on ? EventKind::mode_change
                                    : EventKind::take_off;
    changes.push_back({.kind = kind,
                       .contact = then.key,
                       .before = mode_of(then),
                       .after = mode_of(now),
                       .value = jams ? denominator_ : 0});
  }
  for (const Change& change : changes) {
    if (show && &change == &changes.back()) {
      tell_and_show(change);
    } else {
      tell(change);
    }
  }
  jammed_ = kGround;
  return !changes.empty();
}

// True if this was decided together with other contacts.
bool Island::separate(int node) {
  const Contact hold = discrete_.joint(node);
  const double pull = kPulls * group_.at_node(node).force;
  const bool alone = instant_.forest.contacts().size() == 1;
  if (!alone && instant_.forest[node].f(kNormalRow) > pull) return decide_together();
  if (hold[Channel::slip].grip == Grip::stuck) {
    DiscreteState smooth = discrete_;
    for (const Channel channel : kChannels) smooth.joint(node)[channel].grip = Grip::free;
    instant_.solve_forest(smooth);
    const double f_n = -instant_.forest[node].f(kNormalRow);
    instant_.solve_forces(discrete_);
    if (f_n > pull) return decide_together(LetGo{node, std::nullopt});
  }
  release(group_, state_, instant_, node);
  instant_.evaluate(discrete_, t(), state_.y.y);
  return false;
}

// A single contact is followed through its impact; several are decided together.
bool Island::jammed(int node) {
  if (instant_.forest.contacts().size() > 1 || !unjam(group_, state_, instant_, node))
    return decide_together();
  gripper().decide_all(node);
  return false;
}

void Island::decide_at_start() {
  undecided_ = false;
  take_now(then_);
  const DiscreteState start = discrete_;
  if (!decide_together()) return;
  restart();
  if (!finished_) tell_changes(start, true);
  look_whether_it_falls_apart();
}

// If forces grow without bound, steps become too short to continue: the contacts jam.
bool Island::runs_into_jam() {
  instant_.evaluate(discrete_, t(), state_.y.y);
  const auto contacts = instant_.forest.contacts();
  const bool singular = std::any_of(contacts.begin(), contacts.end(), [&](int node) {
    return std::abs(instant_.forest[node].regularity) < kSingular;
  });
  if (!singular || !goes_on(kGround)) return finished_;
  take_now(then_);
  const DiscreteState start = discrete_;
  if (decide_together(std::nullopt, true)) {
    restart();
    if (!finished_) tell_changes(start, true);
    look_whether_it_falls_apart();
  }
  return true;
}

bool Island::has_stopped(int node, Channel channel) {
  Contact& hold = discrete_.joint(node);
  ChannelSetting& setting = hold[channel];
  if (setting.grip == Grip::starting) return true;
  const ContactEvaluation& c = instant_.contact(node);
  const Vec2<double> v = part(c.state.w, channel);
  if (v.norm() > 0) setting.friction.direction_B = c.direction_in_B(channel, v);
  const bool slow = v.norm() <= 1.5 * setting.friction.least_speed;             // or only turned
  const bool slowing = v.dot(part(instant_.forest[node].w_rate, channel)) < 0;  // or a near miss
  return slow && slowing;
}

// The last of a motion, with its direction held. If it would take too long, it is removed at once.
void Island::closing_step(int node, Channel channel) {
  ChannelSetting& setting = discrete_.joint(node)[channel];
  if (setting.grip != Grip::moving || ends_by_threshold(setting, channel)) return;
  auto& y = state_.y;
  setting.friction.least_speed = INFINITY;
  bool good = stepper_.restart(field_, y);
  instant_.evaluate(discrete_, t(), y.y);
  const Vec2<double> v = part(instant_.contact(node).state.w, channel);
  const double h = -v.squaredNorm() / v.dot(part(instant_.forest[node].w_rate, channel));
  const double longest = kLongestClosing * group_.length / group_.speed;
  if (good && h > std::min({longest, next_break() - t(), model_.t_end - t()})) return;
  Step& step = next_step();
  good = good && stepper_.attempt_exactly(field_, y, h, trial_) &&
         stepper_.interpolate(field_, y, trial_, step.curve);
  if (!good) {
    --steps_in_use_;
    trouble(h, "the final step to rest failed");
    return;
  }
  step.curved = true;
  bound_motion(group_, discrete_, instant_, step);
  box_motion(group_, discrete_, trial_.y, instant_, step);
  int met = kGround;
  if (first_encounter(step, t() + h, met)) {
    --steps_in_use_;  // the next step will find it
    instant_.evaluate(discrete_, t(), y.y);
    return;
  }
  stepper_.accept(trial_, y);
  close_step(t());
  instant_.evaluate(discrete_, t(), y.y);
}

bool Island::ends_by_threshold(const ChannelSetting& setting, Channel channel) const {
  return channel == Channel::slip && model_.slip_threshold > 0 &&
         setting.friction.least_speed >= model_.slip_threshold;
}

void Island::close(int node, Channel channel) {
  const ChannelSetting& setting = discrete_.joint(node)[channel];
  const bool starting = setting.grip == Grip::starting;
  if (starting && state_.changes_at_once > 1) {
    gripper().stick(node, channel);  // it stopped as soon as it started: it only grazed the limit
  } else if (!starting && std::isfinite(setting.friction.least_speed) &&
             ends_by_threshold(setting, channel)) {
    stick_below_threshold(node);
  } else {
    gripper().stick_or_start(node, channel);
  }
}

// Slip below the scene's threshold is removed at once if friction can hold the contact; else it
// slides on until it really stops.
void Island::stick_below_threshold(int node) {
  const DiscreteState discrete = discrete_;
  const StateVector y = state_.y.y;
  gripper().stick_or_start(node, Channel::slip);
  if (discrete_.joint(node)[Channel::slip].grip == Grip::stuck) return;
  discrete_ = discrete;
  state_.y.y = y;
  discrete_.joint(node)[Channel::slip].friction.least_speed = 1e-8 * group_.speed;
  instant_.evaluate(discrete_, t(), y);
}

void Island::cross_chart(int node, bool is_A, Change& change) {
  Contact& hold = discrete_.joint(node);
  const Shape& shape = is_A ? group_.at_node(node).side.shape : group_.body(hold.parent).side.shape;
  ChartAnchor& anchor = is_A ? hold.A : hold.B;
  const Eigen::Index at = block_at(node) + (is_A ? kLocationA : kLocationB);
  auto location = state_.y.y.segment<3>(at);
  const ChartExit exit = leave(shape, {anchor.chart, location});
  change.value = is_A ? 0 : 1;
  const auto* open = std::get_if<OpenEdge>(&exit);
  if (open && is_open(open->border)) {
    change.kind = EventKind::open_border;
    change.note = border_note(open->border);
    release(group_, state_, instant_, node);
    instant_.evaluate(discrete_, t(), state_.y.y);
    return;
  }
  const auto* crossing = std::get_if<Crossing>(&exit);
  if (!crossing || crossing->joint == Joint::G0) {
    finish({EventKind::open_border, hold.key, mode_of(hold), mode_of(hold), change.value,
            crossing
                ? "the contact has reached a sharp edge: the simulation of its bodies ends here"
                : border_note(open->border)});
    return;
  }
  const PairGeometry<double> before = instant_.contact(node).pair;
  const Vec5<double> w = instant_.contact(node).state.w;
  anchor.chart = crossing->to.chart;
  location = crossing->to.x;
  if (model_.formulation == Formulation::parameter_rates) turn_frames(node, before, w);
  change.note = crossing_note(is_A, crossing->joint);
  state_.y.carry.segment<3>(at).setZero();
}

// Frames along parameter lines change with the patch: theory/parameter_rates.md eq. 13.
void Island::turn_frames(int node, const PairGeometry<double>& before, const Vec5<double>& w) {
  instant_.kinematics(discrete_, t(), state_.y.y);
  const PairGeometry<double>& after = instant_.contact(node).pair;
  const double turn_A = frame_turn(before.A.R, after.A.R);
  state_.y.y(block_at(node) + kPsi) += turn_A + frame_turn(before.B.R, after.B.R);
  instant_.kinematics(discrete_, t(), state_.y.y);
  state_.y.y.segment<5>(block_at(node) + kRates) =
      instant_.rates_of(discrete_.joint(node), node, turned_twist(w, turn_A));
  state_.y.carry.segment<kBlock>(block_at(node)).setZero();
}

void Island::meet(int pair) {
  if (!goes_on(pair)) return;
  instant_.evaluate(discrete_, t(), state_.y.y);
  Witness& witness = discrete_.witness(group_.watch_of_pair(pair));
  const Pose<double> X_BA = pose_of_pair(instant_, group_.pair(pair));
  TrackedPair near = nearest(model_, pair, X_BA, witness);
  if (std::abs(near.gap) > kDeepest * group_.pair(pair).length)
    near = nearest_anywhere(model_, pair, X_BA);
  if (!near.usable() || near.gap > kDeepest * group_.pair(pair).length) {
    trouble(near.gap, "the bodies have met, but their nearest points were lost");
    return;
  }
  if (near.gap < -kDeepest * group_.pair(pair).length) {
    trouble(near.gap, "the bodies overlap where they meet: an earlier touch was missed");
    return;
  }
  const double approach = approach_speed(group_, instant_, pair, near);
  if (const std::string_view why = why_no_impact(near); !why.empty()) {
    finish_at(pair, near, approach, why);
    return;
  }
  if (joined(group_, instant_.forest, group_.pair(pair).bodies) &&
      approach < kClosing * group_.speed) {
    close_loop(pair, approach);
    return;
  }
  take_now(then_);
  if (close_together(pair, near)) return;
  const Bounce hit =
      bounce(group_, state_, instant_, pair, near, [&](const ContactKey& other, Mode before) {
        tell({EventKind::take_off, other, before, Mode::separated, 0,
              "a collision pulled the bodies apart"});
      });
  const bool further = held_by(discrete_, pair) != kGround;  // it would be a second contact
  const bool grazes = std::abs(approach) < kGrazing * group_.speed;
  Change change{.kind = EventKind::impact,
                .contact = {pair, further ? 1 : 0},
                .value = std::max(hit.approach, 0.0),
                .features = {near.A, near.B}};
  const bool stays = presses(pair, near, hit.separation);
  const std::string_view why = stays ? why_unsupported(near) : std::string_view{};
  if (stays && why.empty()) {
    capture(pair, near, hit.separation);
  } else {
    witness = witness_of(near);
    if (grazes) change.kind = EventKind::grazing;
  }
  if (finished_) return;
  const DiscreteState after = discrete_;
  retest();
  restart();
  if (finished_) return;
  tell_changes(after, false);
  if (!further) change.after = mode(pair);
  // A slow touch that lasts, at a feature that cannot be held, is not an event of its own.
  if (why.empty() || hit.approach > kGrazing * group_.speed) tell_and_show(change);
  if (!why.empty()) finish_at(pair, near, approach, why);
  look_whether_it_falls_apart();
}

// Bodies that do not rebound close at once with all others that touch at this instant, and so do,
// in the end, bodies that rebound on each other without end. False if that is not the case, or if
// only one contact is concerned.
bool Island::close_together(int pair, const TrackedPair& near) {
  const bool without_end = state_.changes_at_once > kMostAtOnce;
  std::vector<Touch> touches = touching_pairs(group_, discrete_, instant_, pair, near);
  if (!without_end)
    std::erase_if(touches,
                  [&](const Touch& touch) { return !stays_closed(group_, instant_, touch); });
  const int held = keep_connected(group_, instant_.forest, pair, touches);
  const bool met = std::any_of(touches.begin(), touches.end(),
                               [&](const Touch& touch) { return touch.pair == pair; });
  if (!met || joined(group_, instant_.forest, group_.pair(pair).bodies) ||
      static_cast<int>(touches.size()) + held < 2)
    return false;
  // Those that would close a loop are left out, the slowest first, but never the one that was met.
  std::stable_sort(touches.begin(), touches.end(), [&](const Touch& a, const Touch& b) {
    return std::pair(a.pair == pair, a.approach) > std::pair(b.pair == pair, b.approach);
  });
  const IslandState untouched = state_;
  Closing closing = close_all(group_, state_, instant_, touches);
  DiscreteState before = discrete_;
  for (const Touch& touch : touches) {
    if (const int node = held_by(before, touch.pair); node != kGround) before.joint(node) = {};
  }
  JointDecision decision(group_, state_, instant_);
  if (!decision.stop(closing)) {
    state_ = untouched;
    instant_.set_topology(discrete_);
    instant_.evaluate(discrete_, t(), state_.y.y);
    trouble(decision.residual(), "impulses that obey the laws of all contacts were not found");
    return true;
  }
  if (!decide_together()) return true;
  restart();
  if (finished_) return true;
  tell_changes(before, false);
  for (const Touch& touch : touches) {
    const bool pressed =
        touch.node != kGround && closing.impulse[static_cast<std::size_t>(touch.node)] > 0;
    const Change change{.kind = EventKind::impact,
                        .contact = {touch.pair},
                        .after = mode(touch.pair),
                        .value = std::max(touch.approach, 0.0),
                        .features = {touch.near.A, touch.near.B}};
    if (&touch == &touches.front()) {
      tell_and_show(change);
    } else if (pressed || change.after != Mode::separated) {
      tell(change);
    }
  }
  look_whether_it_falls_apart();
  return true;
}

void Island::finish_at(int pair, const TrackedPair& near, double approach, std::string_view why) {
  finish({.kind = EventKind::unsupported_contact,
          .contact = {pair},
          .value = approach,
          .note = why,
          .features = {near.A, near.B}});
}

// Whether bodies that have met would meet again after a bounce too low to follow.
bool Island::presses(int pair, const TrackedPair& near, double separation) {
  if (joined(group_, instant_.forest, group_.pair(pair).bodies)) {
    // They are already connected elsewhere.
    if (separation < kLowestBounce * group_.speed) close_loop(pair, -separation);
    return false;
  }
  instant_.evaluate(discrete_, t(), state_.y.y);
  const double pressing = approach_acceleration(group_, instant_, pair, near);
  const double height = 0.5 * separation * separation / pressing;
  return pressing > 0 && height <= kLowestBounce * group_.pair(pair).length;
}

// Holds the bodies together.
void Island::capture(int pair, const TrackedPair& near, double separation) {
  const int node = join(group_, state_, instant_, pair, near);
  instant_.evaluate(discrete_, t(), state_.y.y);
  Vec6<double> v = Vec6<double>::Zero();
  v(kNormalRow) = -separation;
  state_.booked += gripper().remove_forbidden(node, v);
  gripper().decide_all(node);
}

}  // namespace oloid::world
