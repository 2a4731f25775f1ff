#include "oloid/world/events/grip.h"

#include <algorithm>
#include <cmath>

namespace oloid::world {
namespace {

// Scale of a channel's speed: √(gℓ) of slip, over ℓ of turning.
double speed_scale(const IslandIndex& group, Channel channel) {
  return channel == Channel::slip ? group.speed : group.speed / group.length;
}

}  // namespace

double force_scale(const IslandIndex& group, int node, Channel channel) {
  const double force = group.at_node(node).force;
  return channel == Channel::slip ? force : force * group.length;
}

double holding_limit(const PairLaw& law, Channel channel) {
  return channel == Channel::slip   ? law.static_friction
         : channel == Channel::spin ? law.spin
                                    : law.roll;
}
double kinetic_limit(const PairLaw& law, Channel channel) {
  return channel == Channel::slip ? law.kinetic_friction : holding_limit(law, channel);
}

double least_speed(const IslandIndex& group, Channel channel, double entry_speed) {
  const double least = 1e-8 * std::max(entry_speed, speed_scale(group, channel));
  return channel == Channel::slip ? std::max(least, group.model.slip_threshold) : least;
}

double grip_guard(const IslandIndex& group, const Contact& hold, const Evaluation& instant,
                  int node, Channel channel) {
  const ChannelSetting& setting = hold[channel];
  const ContactEvaluation& c = instant.contact(node);
  const Node& joint = instant.forest[node];
  const Vec2<double> v = part(c.state.w, channel);
  switch (setting.grip) {
    case Grip::free:
      return 1;
    case Grip::starting:  // 1: 1e-3 of the scale
      return 1e3 * c.onset[static_cast<std::size_t>(channel)].dot(v) / speed_scale(group, channel);
    case Grip::moving:
      return moving_guard(setting.friction, channel, v, joint.X_BC.R);
    case Grip::stuck:
      break;
  }
  return stuck_guard(holding_limit(group.pair(hold.key.pair).law, channel),
                     force_scale(group, node, channel), -joint.f(kNormalRow),
                     part(joint.f, channel));
}

double relaxation_rate(const Contact& hold, const Evaluation& instant, int node, Channel channel) {
  const Node& joint = instant.forest[node];
  const int row = row_of(channel), width = width_of(channel);
  return -joint.f(kNormalRow) * hold[channel].friction.kinetic *
         joint.W.diagonal().segment(row, width).sum() /
         part(instant.contact(node).state.w, channel).norm();
}

void apply_jumps(const DiscreteState& discrete, const Evaluation& instant, StateVector& y) {
  for (int i = 0; i < instant.forest.size(); ++i) {
    const Node& node = instant.forest[i];
    auto block = y.segment<kBlock>(block_at(i));
    if (discrete.joint(i).on) {
      const Vec5<double> w = instant.contact(i).state.w + node.w_rate.head<5>();
      block.segment<5>(kRates) = instant.rates_of(discrete.joint(i), i, w);
    } else {
      add_jump(block, node.a);
    }
  }
}

std::vector<Twist<double>> twists_of(const IslandIndex& group, const Evaluation& instant) {
  std::vector<Twist<double>> all;
  all.reserve(static_cast<std::size_t>(group.nodes()));
  for (int node = 0; node < group.nodes(); ++node) all.push_back(instant.at_node(node).phi);
  return all;
}

double loss_by_impulses(const DiscreteState& discrete, const Evaluation& instant, int node,
                        double v_z) {
  double loss = 0;
  for (int i = 0; i < instant.forest.size(); ++i) {
    if (!discrete.joint(i).on) continue;
    const Node& joint = instant.forest[i];
    Vec6<double> w;
    w << instant.contact(i).state.w, i == node ? v_z : 0;
    loss -= joint.f.dot(w + 0.5 * joint.w_rate);
  }
  return loss;
}

void ModeSelector::set_grip(int node, Channel channel, Grip grip) {
  Contact& hold = discrete_.joint(node);
  hold[channel].grip = grip;
  y_.segment<5>(block_at(node) + kRates) =
      instant_.rates_of(hold, node, instant_.contact(node).state.w);
}

double ModeSelector::remove_forbidden(int node, const Vec6<double>& v) {
  Node& joint = instant_.forest[node];
  joint.law = law_of(discrete_.joint(node));
  const Mat6<double> W = response_at(instant_.forest, node).W;
  const StickImpulse impulse = stick_impulse(joint.law, W, v);
  instant_.forest.solve({node, impulse.P}, Biases::off);
  // What is forbidden is exactly 0.
  Vec6<double>& jump = joint.w_rate;
  const Vec5<double>& w = instant_.contact(node).state.w;
  if (joint.law.roll == Roll::stuck) jump.head<2>() = -w.head<2>();
  if (joint.law.spin == Spin::stuck) jump(kSpinRow) = -w(kSpinRow);
  if (joint.law.slip == Slip::stuck) jump.segment<2>(kSlipRow) = -w.tail<2>();
  // Contacts that slide elsewhere lose energy too.
  const double loss = loss_by_impulses(discrete_, instant_, node, v(kNormalRow));
  y_(y_.size() - 1) += instant_.ground_power(discrete_);
  apply_jumps(discrete_, instant_, y_);
  instant_.evaluate(discrete_, t_, y_);
  return loss;
}

void ModeSelector::resist(int node, const Vec5<double>& w) {
  Contact& hold = discrete_.joint(node);
  const PairLaw& law = group_.pair(hold.key.pair).law;
  for (const Channel channel : kChannels)
    hold[channel].grip = holding_limit(law, channel) > 0 ? Grip::moving : Grip::free;
  y_.segment<5>(block_at(node) + kRates) = instant_.rates_of(hold, node, w);
}

void ModeSelector::move(int node, Channel channel) {
  Contact& hold = discrete_.joint(node);
  ChannelSetting& setting = hold[channel];
  const ContactEvaluation& c = instant_.contact(node);
  const Vec2<double> v = velocity(node, channel);
  set_grip(node, channel, Grip::moving);
  setting.friction.kinetic = kinetic_limit(group_.pair(hold.key.pair).law, channel);
  setting.friction.least_speed = least_speed(group_, channel, v.norm());
  setting.friction.direction_B = c.direction_in_B(channel, v);
  instant_.evaluate(discrete_, t_, y_);
}

void ModeSelector::follow_velocities() {
  for (int node = 0; node < group_.nodes(); ++node) {
    Contact& hold = discrete_.joint(node);
    if (!hold.on) continue;
    for (const Channel channel : kChannels) {
      ChannelSetting& setting = hold[channel];
      const Vec2<double> v = velocity(node, channel);
      if (setting.grip == Grip::starting && v.norm() > setting.start_speed) {
        move(node, channel);
      } else if (setting.grip == Grip::moving && v.norm() > setting.friction.least_speed) {
        setting.friction.direction_B = instant_.contact(node).direction_in_B(channel, v);
      }
    }
  }
  instant_.evaluate(discrete_, t_, y_);
}

void ModeSelector::start(int node, Channel channel) {
  set_grip(node, channel, Grip::stuck);
  instant_.evaluate(discrete_, t_, y_);
  start_along(node, channel, -part(instant_.forest[node].f, channel));
}

void ModeSelector::start_along(int node, Channel channel, const Vec2<double>& way) {
  Contact& hold = discrete_.joint(node);
  ChannelSetting& setting = hold[channel];
  set_grip(node, channel, Grip::starting);
  setting.friction.kinetic = kinetic_limit(group_.pair(hold.key.pair).law, channel);
  setting.friction.least_speed = 1e-8 * speed_scale(group_, channel);
  // Slip below the scene's threshold is not followed in its direction: that would take short steps.
  const double threshold = channel == Channel::slip ? group_.model.slip_threshold : 0;
  setting.start_speed = std::max(100 * setting.friction.least_speed, threshold);
  setting.friction.direction_B = instant_.contact(node).direction_in_B(channel, way);
  instant_.evaluate(discrete_, t_, y_);
  // From now on near the direction that was found, which may be far from the one that was asked
  // for.
  const ContactEvaluation& c = instant_.contact(node);
  const auto k = static_cast<std::size_t>(channel);
  if (c.onset_found[k]) setting.friction.direction_B = c.direction_in_B(channel, c.onset[k]);
}

void ModeSelector::stick(int node, Channel channel) {
  discrete_.joint(node)[channel].grip = Grip::stuck;
  Vec6<double> v = Vec6<double>::Zero();
  set_part(v, channel, velocity(node, channel));
  y_(block_at(node) + kBooked +
     static_cast<int>(channel == Channel::slip   ? 0
                      : channel == Channel::roll ? 1
                                                 : 2)) += remove_forbidden(node, v);
}

void ModeSelector::stick_or_start(int node, Channel channel) {
  stick(node, channel);
  test(node);
}

void ModeSelector::decide_all(int node) {
  grip_by_velocity(node);
  test(node);
}

void ModeSelector::grip_by_velocity(int node) {
  Contact& hold = discrete_.joint(node);
  const PairLaw& law = group_.pair(hold.key.pair).law;
  for (const Channel channel : kChannels) {
    const double limit = holding_limit(law, channel);
    const double speed = velocity(node, channel).norm();
    if (limit == 0) {
      set_grip(node, channel, Grip::free);
    } else if (std::isinf(limit) || speed <= least_speed(group_, channel, 0)) {
      stick(node, channel);
    } else {
      move(node, channel);
    }
  }
  instant_.evaluate(discrete_, t_, y_);
}

std::optional<ModeSelector::Loose> ModeSelector::most_violated(int node, double& worst) const {
  const Contact& hold = discrete_.joint(node);
  if (!hold.on) return std::nullopt;
  const Node& joint = instant_.forest[node];
  const double f_n = -joint.f(kNormalRow);
  std::optional<Loose> loose;
  for (const Channel channel : kChannels) {
    const double limit = holding_limit(group_.pair(hold.key.pair).law, channel);
    if (hold[channel].grip != Grip::stuck || std::isinf(limit)) continue;
    const double rounding = 1e-12 * force_scale(group_, node, channel);
    const double most = limit * std::max(f_n, 0.0) + rounding;
    const double excess = part(joint.f, channel).norm() / most;
    if (excess <= worst) continue;
    worst = excess;
    loose = Loose{node, channel};
  }
  return loose;
}

std::optional<ModeSelector::Loose> ModeSelector::most_violated() const {
  double worst = 1;
  std::optional<Loose> found;
  for (int node = 0; node < group_.nodes(); ++node) {
    if (const auto loose = most_violated(node, worst)) found = loose;
  }
  return found;
}

std::optional<ModeSelector::Loose> ModeSelector::without_onset() const {
  for (int node = 0; node < group_.nodes(); ++node) {
    const Contact& hold = discrete_.joint(node);
    for (const Channel channel : kChannels) {
      const bool found = instant_.contact(node).onset_found[static_cast<std::size_t>(channel)];
      if (hold.on && hold[channel].grip == Grip::starting && !found) return Loose{node, channel};
    }
  }
  return std::nullopt;
}

// Starts the channel that exceeds its limit most, until all stuck channels can be held.
void ModeSelector::test(int node) {
  for (std::size_t tries = 0; tries < kChannels.size(); ++tries) {
    double worst = 1;
    const auto loose = most_violated(node, worst);
    if (!loose) return;
    start(loose->node, loose->channel);
  }
}

// Starts one channel after another. A channel that finds no direction because others have started
// sticks again. Each may change twice.
void ModeSelector::test_all() {
  const int most = 4 * static_cast<int>(kChannels.size()) * group_.nodes();
  for (int tries = 0; tries < most; ++tries) {
    if (const auto lost = without_onset()) {
      set_grip(lost->node, lost->channel, Grip::stuck);
      instant_.evaluate(discrete_, t_, y_);
    } else if (const auto loose = most_violated()) {
      start(loose->node, loose->channel);
    } else {
      return;
    }
  }
}

}  // namespace oloid::world
