#include "oloid/world/islands/island.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "oloid/world/events/grip.h"
#include "oloid/world/islands/motion_bound.h"
#include "oloid/world/model/transitions.h"
#include "oloid/world/output/observe.h"

namespace oloid::world {
namespace {

// Bodies at rest that something may wake are checked this often, in times of ℓ / √(gℓ).
constexpr double kWatchAtRest = 0.01;
// The same for other bodies with loads or drives that depend on t: a push may begin at any time.
constexpr double kWatchDriven = 0.1;
// A step to an event is corrected so often at most, or until that moves it by less than this part.
constexpr int kMostCorrections = 4;
constexpr double kLanded = 1e-9;
constexpr int kMostStepHalvings = 6;

}  // namespace

Island::Island(const Model& model, std::vector<BodyId> members)
    : model_(model),
      group_(model, std::move(members)),
      discrete_(state_.discrete),
      instant_(group_),
      seen_(group_),
      field_(group_, discrete_, instant_),
      stepper_(options(), field_) {
  state_.resize(group_);
  trial_.resize(field_.size(), field_.guard_count());
  sample_.setZero(field_.size());
  switched_.resize(group_.pairs.size());
  touches_once_.resize(group_.pairs.size());
  for (const int pair : group_.pairs) certificates_.push_back(certificate_of(model_, pair));
}

StepOptions Island::options() const {
  StepOptions o;
  o.scheme = model_.scheme;
  o.rtol = model_.rtol;
  o.min_step = model_.min_step;
  o.max_step = model_.max_step;
  return o;
}

void Island::begin() {
  instant_.set_topology(discrete_);
  look_whether_decided();
  restart();
  settled_error = energy_now() - state_.energy_start;
  settled_kinetic = kinetic_energy(group_, instant_);
  state_.dissipated = energies(group_, discrete_, state_.booked, instant_, state_.y.y).dissipated;
  state_.kinetic_largest = std::max(state_.kinetic_largest, settled_kinetic);
}

void Island::look_whether_decided() {
  instant_.evaluate(discrete_, t(), state_.y.y);
  undecided_ = !JointDecision(group_, state_, instant_).holds_already();
}

void Island::resume() {
  instant_.set_topology(discrete_);
  if (t() == 0) look_whether_decided();
  settled_error = energy_now() - state_.energy_start;
  settled_kinetic = kinetic_energy(group_, instant_);
}

double Island::energy_book() const {
  return energies(group_, discrete_, state_.booked, instant_, state_.y.y).balance();
}
double Island::energy_now() {
  instant_.kinematics(discrete_, t(), state_.y.y);
  return energy_book();
}

void Island::set_applied(BodyId body, const Wrench<double>& wrench_W) {
  discrete_.apply(group_.node(body), wrench_W);
  retest_and_tell();
  restart();
}

// Over the raw bits of (t, y, mode) of each body, word by word: the product carries bits upwards,
// the shift brings them down again.
void Island::hash_state() {
  for (int node = 0; node < group_.nodes(); ++node) {
    std::uint64_t& h = state_.hashes[static_cast<std::size_t>(node)];
    const auto add = [&h](std::uint64_t word) {
      h = (h ^ word) * 0x9e3779b97f4a7c15ull;
      h ^= h >> 32;
    };
    add(std::bit_cast<std::uint64_t>(t()));
    for (int i = 0; i < kBlock; ++i)
      add(std::bit_cast<std::uint64_t>(state_.y.y(block_at(node) + i)));
    add(static_cast<std::uint64_t>(mode_of(discrete_.joint(node))));
  }
}

// The kinematics of instant_ must be up to date.
void Island::warn_if_conforming() {
  for (int i = 0; i < group_.nodes(); ++i) {
    const Contact& hold = discrete_.joint(i);
    if (!hold.on || state_.warned_conforming) continue;
    const double measure = quality(group_, hold, instant_.contact(i)).conformity;
    if (measure > kConformityWarn) continue;
    state_.warned_conforming = true;
    tell({EventKind::conforming, hold.key, mode_of(hold), mode_of(hold), measure,
          "nearly conforming: the contact point may move far and fast"});
  }
}

// Steps.

void Island::advance(double t_until, int most_steps, bool always_curved,
                     const std::atomic<bool>* stop) {
  t_until = std::min(t_until, model_.t_end);
  while (!finished_ && !falls_apart_ && t() < t_until && steps_in_use_ < most_steps &&
         !(stop && stop->load(std::memory_order_relaxed)))
    take_step(model_.t_end, always_curved);
}

void Island::take_step(double t_end, bool always_curved) {
  if (undecided_) {
    decide_at_start();
    return;
  }
  auto& y = state_.y;
  const double t_break = next_break();
  stepper_.attempt(field_, y, std::min(t_break, t_end), trial_, longest_step());
  counters.rejected_steps += trial_.rejected;
  if (trial_.status != StepStatus::ok && runs_into_jam()) return;
  if (trial_.status != StepStatus::ok) {
    if (!ends_conforming()) trouble(trial_.h, "the step became too small for the tolerance");
    return;
  }
  look_beside_contacts();
  Step& step = next_step();
  const double t1 = y.t + trial_.h;
  const bool look = may_hit<IslandField>(state_.armed, y, trial_);
  step.curved = always_curved || look || needs_curve(t1);
  std::optional<Hit> hit;
  std::optional<Encounter> met;
  int met_pair = kGround;
  if (step.curved) {
    // Where the rates are not defined in between, the curve is of lower order.
    stepper_.interpolate(field_, y, trial_, step.curve);
    if (look) hit = first_hit(stepper_, field_, state_.armed, y, trial_, step.curve);
    bound_motion(group_, discrete_, instant_, step);
    if (always_curved) box_motion(group_, discrete_, trial_.y, instant_, step);
    met = first_encounter(step, hit ? hit->t : t1, met_pair);
  }
  if (met && (!hit || met->t < hit->t)) {
    if (land_on_encounter(*met, met_pair)) meet(met_pair);
  } else if (hit) {
    if (land_on_guard(*hit)) at_guard(hit->guard);
  } else {
    stepper_.accept(trial_, y);
    state_.armed.update(y.guards);
    close_step(y.t);
    if (!finished_) after_step();
    if (!finished_ && y.t >= t_break && y.t < t_end) {  // loads or drives change here
      retest_and_tell();
      restart();
    }
  }
}

bool Island::needs_curve(double t1) const {
  const double k = std::floor(t() / model_.output_dt);
  if (k * model_.output_dt >= t() || (k + 1) * model_.output_dt <= t1) return true;
  for (int watch = 0; watch < group_.watches(); ++watch) {
    if (is_watched(watch)) return true;
  }
  return false;
}

// Whether a pair may meet: it is apart, or held where it may touch at another place, too.
bool Island::is_watched(int watch) const {
  const int pair = group_.pair_of_watch(watch);
  if (held_by(discrete_, pair) == kGround) return true;
  return !group_.pair(pair).convex && !touches_once_[static_cast<std::size_t>(watch)];
}

// The first meeting of bodies of this island.
std::optional<Encounter> Island::first_encounter(const Step& step, double t1, int& pair) {
  struct Stretch {
    Island& island;
    const Step& step;
    int pair = 0;
    int held = kGround;  // the node that the pair holds
  } curve{*this, step};
  Approach approach;
  approach.at = [&curve](double t, PairMotion& motion) {
    Island& island = curve.island;
    if (t > curve.step.start.t()) {
      curve.step.curve.at(t, island.sample_);
    } else {
      island.sample_ = curve.step.start.y.y;
    }
    island.instant_.kinematics(island.discrete_, t, island.sample_);
    const auto& [A, B] = island.group_.pair(curve.pair).bodies;
    motion = {island.instant_.body(A), island.instant_.body(B)};
  };
  const std::function<HeldContact()> held = [&curve] {
    const ContactEvaluation& c = curve.island.instant_.contact(curve.held);
    const IslandIndex& group = curve.island.group_;
    const Pair& bodies = group.pair(curve.pair);
    const bool swapped = bodies.bodies[0] != group.id(curve.held);
    return HeldContact{swapped ? c.pair.A.p : c.pair.B.p, conformity(c.k.K_rel, bodies.length)};
  };
  std::optional<Encounter> first;
  int first_watch = -1;
  ahead_ = discrete_.witnesses;
  for (int watch = 0; watch < group_.watches(); ++watch) {
    curve.pair = group_.pair_of_watch(watch);
    curve.held = held_by(discrete_, curve.pair);
    if (!is_watched(watch)) continue;
    approach.held = curve.held == kGround ? nullptr : held;
    const auto& [A, B] = group_.pair(curve.pair).bodies;
    approach.A = bound_of(group_, step, A, t1);
    approach.B = bound_of(group_, step, B, t1);
    const auto hit = first_encounter(watch, approach, first ? first->t : t1);
    if (!hit || (first && hit->t >= first->t)) continue;
    first = hit;
    first_watch = watch;
  }
  if (!first) {
    discrete_.witnesses = ahead_;
    return first;
  }
  // The step will end there: other nearest points are still where they were.
  discrete_.witness(first_watch) = ahead_[static_cast<std::size_t>(first_watch)];
  for (std::optional<double>& gap : switched_) gap.reset();
  pair = group_.pair_of_watch(first_watch);
  return first;
}

// The first meeting of one pair, up to t1.
std::optional<Encounter> Island::first_encounter(int watch, const Approach& approach, double t1) {
  const auto i = static_cast<std::size_t>(watch);
  if (approach.held) return first_beside_contact(watch, approach, t1);
  EncounterSearch search(model_, group_.pair_of_watch(watch), approach, ahead_[i], counters,
                         certificates_[i].get());
  const auto hit = search.first(t(), t1);
  switched_[i] = search.switched();
  return hit;
}

// When the motion of ground that holds a member, or pulls one by a spring, is next not smooth.
double Island::next_break() const {
  double next = INFINITY;
  const auto look = [&](BodyId ground) {
    const std::vector<double>& breaks = group_.body(ground).breaks;
    const auto later = std::upper_bound(breaks.begin(), breaks.end(), t());
    if (later != breaks.end()) next = std::min(next, *later);
  };
  for (const Contact& hold : discrete_.joints) {
    if (hold.on) look(hold.parent);
  }
  for (const BodyId ground : group_.pulled_by) look(ground);
  return next;
}

// Whether forces may change while all members rest.
bool Island::is_driven() const {
  return group_.driven ||
         std::any_of(discrete_.joints.begin(), discrete_.joints.end(), [&](const Contact& hold) {
           return hold.on && group_.body(hold.parent).motion.is_moving();
         });
}

double Island::longest_step() {
  double longest = INFINITY;
  const bool driven = is_driven();
  bool rests = true;
  for (int node = 0; node < group_.nodes(); ++node) {
    rests = rests && mode_of(discrete_.joint(node)) == Mode::rest;
    if (!discrete_.joint(node).on) continue;
    for (const Channel channel : kChannels)
      longest = std::min(longest, longest_step(node, channel));
  }
  // The integrated state does not show when forces that may wake a body will change, so steps are
  // kept short.
  const double watch = rests ? kWatchAtRest : kWatchDriven;
  if (driven) longest = std::min(longest, watch * group_.length / group_.speed);
  return longest;
}

// Friction turns over where the motion vanishes, so no step may pass that point: each covers at
// most nine tenths of the way there. The last bit, below the least speed, is the closing step.
double Island::longest_step(int node, Channel channel) {
  const Contact& hold = discrete_.joint(node);
  if (hold[channel].grip != Grip::moving) return INFINITY;
  Vec5<double> w = state_.y.y.segment<5>(block_at(node) + kRates),
               w_rate = state_.y.dy.segment<5>(block_at(node) + kRates);
  if (model_.scheme == Scheme::rk4 || model_.formulation != Formulation::contact_twist) {
    instant_.evaluate(discrete_, t(), state_.y.y);
    w = instant_.contact(node).state.w;
    w_rate = instant_.forest[node].w_rate.head<5>();
  }
  const Vec2<double> v = part(w, channel);
  const double slowing = -v.dot(part(w_rate, channel));
  const double to_stop = slowing > 0 ? 0.9 * v.squaredNorm() / slowing : INFINITY;
  if (model_.scheme != Scheme::rk4) return to_stop;
  // A fixed step has no error control that keeps it where it is stable.
  const double rate = relaxation_rate(hold, instant_, node, channel);
  const double longest = std::min(to_stop, rate > 0 ? 1 / rate : INFINITY);
  // Slip that ends at the scene's threshold has no stop to be missed, and its direction turns no
  // faster than a least step can follow.
  return ends_by_threshold(hold[channel], channel) ? std::max(longest, model_.min_step) : longest;
}

// One step from the step's start to the event, and corrections of its time by what is found there:
// error(t) and its slope. One is enough, unless a long step of RK4 differs from its curve. An event
// at the very start needs no step.
template <class Error>
bool Island::land(double t, const Error& correction) {
  auto& y = state_.y;
  if (!(t > y.t)) {
    --steps_in_use_;
    return true;
  }
  double h = t - y.t;
  bool good = stepper_.attempt_exactly(field_, y, h, trial_);
  for (int k = 0; good && k < kMostCorrections; ++k) {
    const double by = correction(y.t + h);
    if (!(std::abs(by) < 1e-3 * h)) break;
    h = std::min(y.t + (h + by), model_.t_end) - y.t;
    good = stepper_.attempt_exactly(field_, y, h, trial_);
    if (std::abs(by) <= kLanded * h) break;
  }
  if (!good) {
    go_part_of_the_way(h);
    return false;
  }
  stepper_.accept(trial_, y);
  close_step(y.t);
  return !finished_;
}

// Where a step to an event meets what is not defined, a shorter one may not: the event is looked
// for again from its end.
void Island::go_part_of_the_way(double h) {
  auto& y = state_.y;
  for (int k = 1; k <= kMostStepHalvings; ++k) {
    if (!stepper_.attempt_exactly(field_, y, std::ldexp(h, -k), trial_)) continue;
    stepper_.accept(trial_, y);
    state_.armed.update(y.guards);
    close_step(y.t);
    if (!finished_) after_step();
    return;
  }
  --steps_in_use_;
  trouble(h, "the equations of motion are undefined at the event");
}

bool Island::land_on_guard(const Hit& hit) {
  return land(hit.t, [&](double) { return -trial_.guards(hit.guard) / hit.slope; });
}

bool Island::land_on_encounter(const Encounter& hit, int pair) {
  return land(hit.t, [&](double t) {
    instant_.kinematics(discrete_, t, trial_.y);
    const TrackedPair near = nearest(model_, pair, pose_of_pair(instant_, group_.pair(pair)),
                                     discrete_.witness(group_.watch_of_pair(pair)));
    const bool sure = near.usable() && hit.rate < 0;
    return sure ? -near.gap / hit.rate : 0.0;
  });
}

void Island::rescale() {
  instant_.kinematics(discrete_, t(), state_.y.y);
  StateVector& scale = state_.y.scale;
  const double L = group_.length, V = group_.speed;
  scale.setConstant(INFINITY);  // recorded dissipation and unused entries: not controlled
  // Work reveals drives and loads that hardly show in the motion. Where there are none its zeros
  // would only lower the mean of the errors.
  if (is_driven() || !group_.loads.empty() || !discrete_.applied.empty()) {
    double energy = 0;
    for (const BodyId id : group_.moving) energy += group_.body(id).inertia.mass * V * V;
    scale.tail<kWorkSize>().setConstant(energy);
  }
  for (int node = 0; node < group_.nodes(); ++node) {
    auto s = scale.segment<kBlock>(block_at(node));
    if (!discrete_.joint(node).on) {
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

void Island::restart() {
  rescale();
  forget_carry_of_stuck();
  const bool good = stepper_.restart(field_, state_.y);
  state_.armed.clear();
  state_.armed.update(state_.y.guards);
  if (!good && !undecided_) end_where_undefined();
}

// A contact point may come to a place where the surfaces conform without approaching it, as where
// the cap of a capsule meets its cylinder. Then that is why the motion cannot go on.
bool Island::ends_conforming() {
  instant_.kinematics(discrete_, t(), state_.y.y);
  for (int node = 0; node < group_.nodes(); ++node) {
    const Contact& hold = discrete_.joint(node);
    if (!hold.on) continue;
    const double measure = quality(group_, hold, instant_.contact(node)).conformity;
    if (measure > kConformityRefuse) continue;
    finish({EventKind::conforming, hold.key, mode_of(hold), mode_of(hold), measure,
            "the surfaces conform: only contacts at single points are simulated"});
    return true;
  }
  return false;
}

void Island::end_where_undefined() {
  if (!ends_conforming()) trouble(0, "the equations of motion are undefined here");
}

// Stuck channels must not move, not even by the rounding errors carried over from before.
void Island::forget_carry_of_stuck() {
  if (model_.formulation != Formulation::contact_twist) return;
  for (int node = 0; node < group_.nodes(); ++node) {
    const Contact& hold = discrete_.joint(node);
    for (const Channel channel : kChannels) {
      if (!hold.on || hold[channel].grip != Grip::stuck) continue;
      const Eigen::Index at = block_at(node) + kRates + row_of(channel);
      state_.y.carry.segment(at, width_of(channel)).setZero();
    }
  }
}

void Island::after_step() {
  bool changed = false;
  instant_.kinematics(discrete_, t(), state_.y.y);
  for (int node = 0; node < group_.nodes(); ++node) {
    if (discrete_.joint(node).on) changed = keep_up(node) || changed;
  }
  if (changed && !stepper_.restart(field_, state_.y)) end_where_undefined();
  for (int watch = 0; watch < group_.watches(); ++watch) {
    std::optional<double>& gap = switched_[static_cast<std::size_t>(watch)];
    if (!gap) continue;
    tell({.kind = EventKind::witness_change,
          .contact = {group_.pair_of_watch(watch)},
          .value = *gap});
    gap.reset();
  }
}

bool Island::keep_up(int node) {
  Contact& hold = discrete_.joint(node);
  auto block = state_.y.y.segment<kBlock>(block_at(node));
  const PlacedShape &A = group_.at_node(node).side, &B = group_.body(hold.parent).side;
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
      instant_.evaluate(discrete_, t(), state_.y.y);
      const ContactEvaluation& c = instant_.contact(node);
      setting.friction.direction_B =
          c.direction_in_B(channel, c.onset[static_cast<std::size_t>(channel)]);
    } else if (v.norm() > setting.friction.least_speed) {
      setting.friction.direction_B = instant_.contact(node).direction_in_B(channel, v);
    }
  }
  if (model_.formulation == Formulation::parameter_rates) return changed;
  const auto renew = [&](const LocalSurface<double>& local, const PlacedShape& side,
                         ChartAnchor& anchor) {
    if (!reference_is_stale(local, side, anchor)) return false;
    anchor.reference = renewed_reference(local, side);
    ++counters.reanchorings;
    return true;
  };
  const PairGeometry<double> pair = instant_.contact(node).pair;
  changed = renew(pair.A, A, hold.A) || changed;
  changed = renew(pair.B, B, hold.B) || changed;
  return changed;
}

}  // namespace oloid::world
