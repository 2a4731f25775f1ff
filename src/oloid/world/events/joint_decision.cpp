#include "oloid/world/events/joint_decision.h"

#include <algorithm>
#include <cmath>

#include "oloid/dynamics/joint_jam.h"
#include "oloid/numerics/growth_mode.h"

namespace oloid::world {
namespace {

using numerics::ConeChannel;
using numerics::ContactProblem;
using numerics::Decision;
using numerics::ForceCone;
using numerics::Outcome;

constexpr int kMostJams = 8;
constexpr double kHolds = 1e-9;        // of a limit or a force: allowance for round-off
constexpr double kLoosened = 1e-9;     // by this, the limit of a channel that reached it is lowered
constexpr double kLeastLimit = 1e-12;  // of cones; a smaller one counts as 0
// Of cones of impulses: where bodies slide fast compared with their approach, unlimited friction
// would have to pull.
constexpr double kLargestLimit = 1e3;

}  // namespace

double JointDecision::limit(int node, Channel channel, bool kinetic) const {
  const Contact& hold = discrete_.joint(node);
  const Pair& pair = group_.pair(hold.key.pair);
  const double c = kinetic ? kinetic_limit(pair.law, channel) : holding_limit(pair.law, channel);
  return channel == Channel::slip ? c : c / pair.length;
}

JointDecision::Rows JointDecision::rows(bool moving_too) const {
  Rows out;
  const auto contacts = instant_.forest.contacts();
  int size = 0;
  for (const int node : contacts) {
    const Contact& hold = discrete_.joint(node);
    ForceCone cone{size};
    std::array<Channel, 3> channels{};
    for (const Channel channel : kChannels) {
      const Grip grip = hold[channel].grip;
      if (grip == Grip::free || (grip == Grip::moving && !moving_too)) continue;
      const double c = limit(node, channel, moving_too || grip == Grip::starting);
      const auto k = static_cast<std::size_t>(cone.channels++);
      cone.channel[k] = {width_of(channel), std::max(c, kLeastLimit)};
      channels[k] = channel;
    }
    size += cone.size();
    out.cones.push_back(cone);
    out.channels.push_back(channels);
  }
  const auto n = 6 * static_cast<Eigen::Index>(contacts.size());
  out.T.setZero(size, n);
  out.B.setZero(n, size);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int node = contacts[i];
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const double length = group_.pair(discrete_.joint(node).key.pair).length;
    const ForceCone& cone = out.cones[i];
    out.T(cone.first, at + kNormalRow) = -1;
    out.B(at + kNormalRow, cone.first) = -1;
    std::size_t k = 0;
    numerics::for_each_channel(cone, [&](int first, const ConeChannel& channel) {
      const Channel which = out.channels[i][k++];
      const double unit = which == Channel::slip ? 1 : length;
      for (int j = 0; j < channel.width; ++j)
        out.T(first + j, at + row_of(which) + j) = out.B(at + row_of(which) + j, first + j) = unit;
    });
    if (moving_too) continue;
    for (const Channel channel : kChannels) {  // friction follows the normal force
      if (discrete_.joint(node)[channel].grip != Grip::moving) continue;
      out.B.col(cone.first).segment(at + row_of(channel), width_of(channel)) +=
          instant_.forest[node].given.segment(row_of(channel), width_of(channel));
    }
  }
  return out;
}

ContactProblem JointDecision::problem_of(const Rows& rows) {
  const auto& system = instant_.forest.contact_system();
  ContactProblem problem{rows.T * system.W() * rows.B, rows.T * system.b(), rows.cones, 0};
  for (const int node : instant_.forest.contacts()) problem.cap += group_.at_node(node).force;
  return problem;
}

// Lowers the limit of a channel that was let go to the force it had then, and pulls open a little a
// contact that no longer presses, so that round-off cannot undo the change.
void JointDecision::loosen(const Rows& rows, const LetGo& loose, ContactProblem& problem) const {
  const auto contacts = instant_.forest.contacts();
  const auto i = static_cast<std::size_t>(std::find(contacts.begin(), contacts.end(), loose.node) -
                                          contacts.begin());
  const int normal = rows.cones[i].first;
  if (!loose.channel) {
    problem.b(normal) +=
        kLoosened * group_.at_node(loose.node).force * std::abs(problem.W(normal, normal));
    return;
  }
  const double length = group_.pair(discrete_.joint(loose.node).key.pair).length;
  const double held = loose.channel == Channel::slip ? loose.held : loose.held / length;
  for (std::size_t k = 0; k < static_cast<std::size_t>(rows.cones[i].channels); ++k) {
    if (rows.channels[i][k] != *loose.channel) continue;
    double& most = problem.cones[i].channel[k].limit;
    most = std::min(most, held) * (1 - kLoosened);
  }
}

// Kinetic friction is less than static friction, so when one channel starts, others may start too:
// repeated until no more do.
Decision JointDecision::decide(const Rows& rows, ContactProblem& problem, bool may_hold) {
  const auto contacts = instant_.forest.contacts();
  Decision decision = numerics::decide_regular(problem, may_hold);
  for (bool again = true; again && decision.outcome == Outcome::moves;) {
    again = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(rows.cones[i].channels); ++k) {
        const double kinetic = std::max(limit(contacts[i], rows.channels[i][k], true), kLeastLimit);
        double& now = problem.cones[i].channel[k].limit;
        if (!decision.modes[i].channel[k].moves || now <= kinetic) continue;
        now = kinetic;
        again = true;
      }
    }
    if (again) decision = numerics::decide_regular(problem, false);
  }
  residual_ = decision.residual;
  return decision;
}

void JointDecision::apply(const Rows& rows, const Decision& decision) {
  const std::vector<int> contacts(instant_.forest.contacts().begin(),
                                  instant_.forest.contacts().end());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!decision.modes[i].closed) continue;
    for (int k = 0; k < rows.cones[i].channels; ++k) {
      const Channel channel = rows.channels[i][static_cast<std::size_t>(k)];
      const numerics::ChannelMotion& motion =
          decision.modes[i].channel[static_cast<std::size_t>(k)];
      const Grip grip = discrete_.joint(contacts[i])[channel].grip;
      if (motion.moves) {
        gripper().start_along(contacts[i], channel, motion.direction);
      } else if (grip == Grip::starting) {
        gripper().stick(contacts[i], channel);
      }
    }
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!decision.modes[i].closed) release(group_, state_, instant_, contacts[i]);
  }
  instant_.evaluate(discrete_, state_.t(), state_.y.y);
}

bool JointDecision::holds_already() const {
  const auto contacts = instant_.forest.contacts();
  for (const int node : contacts) {
    const Contact& hold = discrete_.joint(node);
    const Node& joint = instant_.forest[node];
    const auto is = [&](Grip grip) {
      return std::any_of(hold.channels.begin(), hold.channels.end(),
                         [&](const ChannelSetting& channel) { return channel.grip == grip; });
    };
    const bool alone = joint.leaf && joint.parent == kGround;
    if (alone && !is(Grip::starting) && !is(Grip::stuck)) continue;
    const double f_n = -joint.f(kNormalRow);
    if (!(f_n >= -kHolds * group_.at_node(node).force)) return false;
    if (!(joint.regularity > 0)) return false;
    for (const Channel channel : kChannels) {
      const auto k = static_cast<std::size_t>(channel);
      if (hold[channel].grip == Grip::starting && !instant_.contact(node).onset_found[k])
        return false;
      if (hold[channel].grip != Grip::stuck) continue;
      const double most = holding_limit(group_.pair(hold.key.pair).law, channel);
      if (std::isinf(most)) continue;
      const double rounding = kHolds * force_scale(group_, node, channel);
      if (!(part(joint.f, channel).norm() <= (1 + kHolds) * most * f_n + rounding)) return false;
    }
  }
  return true;
}

JointDecision::End JointDecision::settle(const std::optional<LetGo>& loose, bool jams) {
  while (true) {
    instant_.evaluate(discrete_, state_.t(), state_.y.y);
    if (instant_.forest.contacts().empty()) return End::settled;
    const Rows all = rows(false);
    ContactProblem problem = problem_of(all);
    const bool lets_go = loose && jams_ == 0;
    if (lets_go) loosen(all, *loose, problem);
    const Decision decision = decide(all, problem, !lets_go);
    const bool found = decision.outcome == Outcome::holds || decision.outcome == Outcome::moves;
    const bool jams_now = jams && jams_ == 0;
    if (found && !jams_now) {
      apply(all, decision);
      return End::settled;
    }
    if (jams_ == kMostJams || !jam(problem, jams_now))
      return decision.outcome == Outcome::not_found ? End::not_found : End::no_force;
  }
}

// Which contacts are compressed: those whose forces grow, or have grown, without bound; if that
// does not help, the one that loses most energy.
std::vector<Eigen::VectorXd> JointDecision::pushes(const ContactProblem& problem,
                                                   bool grown) const {
  const auto contacts = instant_.forest.contacts();
  const auto n = static_cast<Eigen::Index>(contacts.size());
  std::vector<Eigen::VectorXd> all;
  if (grown) {
    Eigen::VectorXd forces(n);
    for (Eigen::Index i = 0; i < n; ++i)
      forces(i) = -instant_.forest[contacts[static_cast<std::size_t>(i)]].f(kNormalRow);
    all.push_back(forces.cwiseMax(0));
  } else if (const auto mode = numerics::growth_mode(problem)) {
    all.push_back(*mode);
  } else {
    all.push_back(Eigen::VectorXd::Zero(n));
  }
  for (Eigen::Index i = 0; i < n; ++i) all.push_back(Eigen::VectorXd::Unit(n, i));
  return all;
}

// Relative velocities of all contacts, in the order of the rows; normals neither approach nor part.
Eigen::VectorXd JointDecision::velocities(const Rows& rows) const {
  const auto contacts = instant_.forest.contacts();
  Eigen::VectorXd w = Eigen::VectorXd::Zero(rows.T.cols());
  for (std::size_t i = 0; i < contacts.size(); ++i)
    w.segment<5>(6 * static_cast<Eigen::Index>(i)) = instant_.contact(contacts[i]).state.w;
  return rows.T * w;
}

// Impulses, of all contacts together, that lead out of a state for which no finite forces exist.
bool JointDecision::jam(const ContactProblem& problem, bool grown) {
  const Rows all = rows(true);
  const Eigen::VectorXd u = velocities(all);
  const Eigen::MatrixXd W = all.T * instant_.forest.contact_system(Biases::off).W() * all.B;
  JointJam hit;
  Eigen::Index most = 0;
  const std::vector<Eigen::VectorXd> tries = pushes(problem, grown);
  for (const Eigen::VectorXd& push : tries) {
    if (!(push.maxCoeff() > 0)) continue;
    const JointJam next = joint_jam(W, u, all.cones, push);
    if (!next.found || (hit.found && next.energy_loss <= hit.energy_loss)) continue;
    hit = next;
    push.maxCoeff(&most);
    if (&push == &tries.front()) break;
  }
  if (!hit.found) return false;
  ++jams_;
  jammed_ = instant_.forest.contacts()[static_cast<std::size_t>(most)];
  denominator_ = instant_.forest[jammed_].denominator;
  apply(all, {hit.P, hit.u, hit.energy_loss}, twists_of(group_, instant_));
  return true;
}

bool JointDecision::stop(Closing& closing) {
  const std::vector<int> contacts(instant_.forest.contacts().begin(),
                                  instant_.forest.contacts().end());
  const Rows all = rows(true);
  ContactProblem problem{all.T * instant_.forest.contact_system(Biases::off).W() * all.B,
                         velocities(all), all.cones, 0};
  Eigen::VectorXd push(static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double approach = closing.approach[static_cast<std::size_t>(contacts[i])];
    push(static_cast<Eigen::Index>(i)) = std::max(approach, 0.0);
    problem.b(all.cones[i].first) = -approach;
    problem.cap += group_.at_node(contacts[i]).inertia.mass;
    for (ConeChannel& channel : problem.cones[i].channel)
      channel.limit = std::min(channel.limit, kLargestLimit);
  }
  problem.cap *= problem.b.lpNorm<Eigen::Infinity>();
  if (!push.allFinite()) return false;
  if (!(push.maxCoeff() > 0)) {  // they touch, and nothing is to be stopped
    apply(all, {Eigen::VectorXd::Zero(problem.b.size()), problem.b, 0}, closing.before);
    return true;
  }
  const Decision decision = numerics::decide(problem);
  Impulses hit{decision.force, decision.rate, 0};
  if (decision.outcome == Outcome::holds || decision.outcome == Outcome::moves) {
    hit.energy_loss = -0.5 * hit.P.dot(problem.b + hit.u);
  } else {
    residual_ = decision.residual;
    const JointJam pressed = joint_jam(problem.W, problem.b, problem.cones, push);
    if (!pressed.found) return false;
    hit = {pressed.P, pressed.u, pressed.energy_loss};
  }
  for (std::size_t i = 0; i < contacts.size(); ++i)
    closing.impulse[static_cast<std::size_t>(contacts[i])] = hit.P(all.cones[i].first);
  apply(all, hit, closing.before);
  return true;
}

void JointDecision::apply(const Rows& all, const Impulses& hit,
                          const std::vector<Twist<double>>& before) {
  const std::vector<int> contacts(instant_.forest.contacts().begin(),
                                  instant_.forest.contacts().end());
  const double least =
      kHolds * std::max(hit.u.lpNorm<Eigen::Infinity>(), velocities(all).lpNorm<Eigen::Infinity>());
  const Eigen::VectorXd P = all.B * hit.P;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    instant_.forest[contacts[i]].f = P.segment<6>(6 * static_cast<Eigen::Index>(i));
  const double work = instant_.ground_power(discrete_);
  instant_.forest.move(Biases::off);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (hit.u(all.cones[i].first) <= least) continue;
    const int node = contacts[i];
    release(group_, state_, instant_, node);
    add_jump(state_.y.y.segment<kBlock>(block_at(node)),
             before[static_cast<std::size_t>(node)] - instant_.at_node(node).phi);
  }
  apply_jumps(discrete_, instant_, state_.y.y);
  state_.y.y(state_.y.y.size() - 1) += work;
  instant_.evaluate(discrete_, state_.t(), state_.y.y);
  state_.booked += hit.energy_loss;
  const std::vector<int> left(instant_.forest.contacts().begin(), instant_.forest.contacts().end());
  for (const int node : left) gripper().grip_by_velocity(node);
}

}  // namespace oloid::world
