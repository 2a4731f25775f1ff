#include "oloid/world/events/collide.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "oloid/dynamics/impact.h"
#include "oloid/world/events/grip.h"

namespace oloid::world {
namespace {

Wrench<double> at_contact(const Pose<double>& X, const Vec3<double>& f) {
  return transform(X, Wrench<double>{Vec3<double>::Zero(), f});
}

class TouchingBodies {
 public:
  TouchingBodies(const IslandIndex& group, Evaluation& instant, int pair, const TrackedPair& near)
      : forest_(instant.forest) {
    // C at the points of both bodies: z points out of A.
    Mat3<double> R_BC;
    R_BC.col(2) = -near.normal;
    R_BC.col(0) = tangents(near.normal).col(0);
    R_BC.col(1) = R_BC.col(2).cross(R_BC.col(0));
    X_BC_ = {R_BC, near.point_B};
    X_AC_ = inverse(pose_of_pair(instant, group.pair(pair))) * Pose<double>{R_BC, near.point_A};
    const auto [A, B] = group.pair(pair).bodies;
    a_ = group.node(A);
    b_ = group.node(B);
    const BodyMotion& below = instant.body(B);
    base_ = along_surface(X_BC_, below.phi, below.belt).v;
    velocity_ = seen_from(X_AC_, instant.body(A).phi).v - base_;
  }

  // Velocity of A's point relative to B's, in C.
  const Vec3<double>& velocity() const { return velocity_; }

  // Work done by moving ground if an impulse acts on A.
  double ground_work(const Vec3<double>& P) const { return b_ == kGround ? P.dot(base_) : 0; }

  // Velocity jumps of the whole forest due to an impulse on A, in C, and its opposite on B; returns
  // the jump of the relative velocity.
  Vec3<double> push(const Vec3<double>& P) {
    for (int i = 0; i < forest_.size(); ++i) {
      forest_[i].p = {};
      forest_[i].b.setZero();
    }
    add(a_, X_AC_, -P);
    add(b_, X_BC_, P);
    forest_.solve();
    return relative(jump(a_), jump(b_));
  }

  Mat3<double> inverse_mass() {
    Mat3<double> W;
    for (int j = 0; j < 3; ++j) W.col(j) = push(Vec3<double>::Unit(j));
    return W;
  }

 private:
  Vec3<double> relative(const Twist<double>& A, const Twist<double>& B) const {
    return seen_from(X_AC_, A).v - seen_from(X_BC_, B).v;
  }
  Twist<double> jump(int node) const { return node == kGround ? Twist<double>{} : forest_[node].a; }
  void add(int node, const Pose<double>& X, const Vec3<double>& f) {
    if (node != kGround) forest_[node].p = forest_[node].p + at_contact(X, f);
  }

  Forest& forest_;
  Pose<double> X_AC_, X_BC_;
  int a_, b_;
  Vec3<double> velocity_, base_;  // of A's point relative to B's, of B's point; in C
};

// Normal forces of all contacts, by node. [N]
std::vector<double> normal_forces(const Forest& forest) {
  std::vector<double> forces(static_cast<std::size_t>(forest.size()));
  for (int i = 0; i < forest.size(); ++i) {
    if (forest[i].held) forces[static_cast<std::size_t>(i)] = -forest[i].f(kNormalRow);
  }
  return forces;
}

// The node whose contact would have to pull most, if any. A pull does not count if the bodies would
// part by a bounce that is too low to follow: with the force f before, its height is P² W / 2 f.
int pulled(const IslandIndex& group, const IslandState& state, const Forest& forest,
           const std::vector<double>& forces, double impulse) {
  int worst = kGround;
  double most = 1e-12 * impulse;
  for (int i = 0; i < forest.size(); ++i) {
    const Node& node = forest[i];
    const double pull = node.f(kNormalRow), force = forces[static_cast<std::size_t>(i)];
    if (!node.held || pull <= most) continue;
    const double lowest = kLowestBounce * group.pair(state.discrete.joint(i).key.pair).length;
    if (force > 0 && 0.5 * pull * pull * node.W(kNormalRow, kNormalRow) < lowest * force) continue;
    most = pull;
    worst = i;
  }
  return worst;
}

// Lets go of whatever holds more than its law allows for the normal impulse: |P| ≤ limit P_n. A
// ball struck from the side is not held by the table, which does not push. True if anything was
// released.
bool loosen(const IslandIndex& group, IslandState& state, const Forest& forest, double impulse) {
  bool any = false;
  for (int i = 0; i < forest.size(); ++i) {
    Contact& hold = state.discrete.joint(i);
    if (!hold.on) continue;
    const double P_n = std::max(-forest[i].f(kNormalRow), 0.0);
    for (const Channel channel : kChannels) {
      const double limit = holding_limit(group.pair(hold.key.pair).law, channel);
      if (hold[channel].grip != Grip::stuck || std::isinf(limit)) continue;
      const double rounding = 1e-12 * impulse * (channel == Channel::slip ? 1 : group.length);
      if (part(forest[i].f, channel).norm() <= limit * P_n + rounding) continue;
      hold[channel].grip = Grip::free;
      any = true;
    }
  }
  return any;
}

// Frees the channels that move. During an impulse their friction acts in a fixed direction, so the
// energy could grow; without this friction it cannot.
bool smoothen(IslandState& state) {
  bool any = false;
  for (Contact& hold : state.discrete.joints) {
    for (ChannelSetting& channel : hold.channels) {
      if (channel.grip != Grip::moving && channel.grip != Grip::starting) continue;
      channel.grip = Grip::free;
      any = true;
    }
  }
  return any;
}

// Applies the laws again to contacts whose channels were freed for the impulse.
void grip_again(const IslandIndex& group, const DiscreteState& before, IslandState& state,
                Evaluation& instant) {
  ModeSelector gripper(group, state.discrete, instant, state.t(), state.y.y);
  for (const int i :
       std::vector<int>(instant.forest.order().begin(), instant.forest.order().end())) {
    const Contact &then = before.joint(i), &now = state.discrete.joint(i);
    if (now.on && law_of(then) != law_of(now)) gripper.decide_all(i);
  }
}

}  // namespace

double approach_speed(const IslandIndex& group, Evaluation& instant, int pair,
                      const TrackedPair& near) {
  return TouchingBodies(group, instant, pair, near).velocity().z();
}

// The second derivative of the gap χ = n·(p_A − p_B) of points that run over their features, in B's
// frame, with V the twist of A there (theory/impact.md eq. 13):
//   χ̇ = n·v,   χ̈ = ṅ·v + n·(V̇_v + V̇_ω × p_A + V_ω × ṗ_A),   v = V_v + V_ω × p_A
//   V = Ad(X_BA) φ_A − φ_B,   V̇ = Ad(X_BA) φ̇_A − φ̇_B + ad_V φ_B
double approach_acceleration(const IslandIndex& group, const Evaluation& instant, int pair,
                             const TrackedPair& near) {
  const auto& [A, B] = group.pair(pair).bodies;
  const Pose<double> X_BA = pose_of_pair(instant, group.pair(pair));
  const auto rate = [&](BodyId id) {
    const int node = group.node(id);
    return node == kGround ? instant.body(id).phi_rate : instant.forest[node].a;
  };
  const Twist<double>& phi_B = instant.body(B).phi;
  const Twist<double> V = transform(X_BA, instant.body(A).phi) - phi_B;
  const Twist<double> V_rate = transform(X_BA, rate(A)) - rate(B) + cross(V, phi_B);
  const ExtremalPair points(X_BA * group.body(A).proximity->features().at(near.A),
                            group.body(B).proximity->features().at(near.B), near.normal);
  const PairStep run = points.rates(V);
  const Vec3<double>&n = points.n, &p = points.A.p;
  const Vec3<double> v = V.v + V.w.cross(p), p_rate = v + points.A.E * run.s_A;
  return -(run.n.dot(v) + n.dot(V_rate.v + V_rate.w.cross(p) + V.w.cross(p_rate)));
}

Bounce bounce(const IslandIndex& group, IslandState& state, Evaluation& instant, int pair,
              const TrackedPair& near,
              const std::function<void(const ContactKey& contact, Mode before)>& released) {
  const PairLaw& law = group.pair(pair).law;
  Bounce out;
  const DiscreteState discrete = state.discrete;
  const double before = kinetic_energy(group, instant);
  const std::vector<double> forces = normal_forces(instant.forest);
  while (true) {
    TouchingBodies meeting(group, instant, pair, near);
    const Vec3<double> v = meeting.velocity();
    out.approach = v.z();
    out.separation = -v.z();
    if (!(out.approach > 0)) break;
    const Mat3<double> W = meeting.inverse_mass();
    const Collision hit =
        collide(W, v, {law.restitution, law.tangential_restitution, law.kinetic_friction});
    const Vec3<double> after = v + meeting.push(hit.P);
    out.separation = -after.z();
    const int loose = pulled(group, state, instant.forest, forces, hit.P.norm());
    if (loose != kGround) {
      const Contact& hold = state.discrete.joint(loose);
      const ContactKey other = hold.key;
      const Mode mode = mode_of(discrete.joint(loose));
      release(group, state, instant, loose);
      released(other, mode);
    } else if (!loosen(group, state, instant.forest, hit.P.norm())) {
      const double work = instant.ground_power(state.discrete) + meeting.ground_work(hit.P);
      out.energy_loss = loss_by_impulses(state.discrete, instant) - 0.5 * hit.P.dot(v + after);
      if (out.energy_loss >= -1e-13 * (before + std::abs(work)) || !smoothen(state)) {
        apply_jumps(state.discrete, instant, state.y.y);
        state.y.y(state.y.y.size() - 1) += work;
        break;
      }
    }
    instant.evaluate(state.discrete, state.t(), state.y.y);
  }
  instant.evaluate(state.discrete, state.t(), state.y.y);
  state.booked += out.energy_loss;
  grip_again(group, discrete, state, instant);
  return out;
}

std::optional<double> unjam(const IslandIndex& group, IslandState& state, Evaluation& instant,
                            int node) {
  const Contact& hold = state.discrete.joint(node);
  const ContactResponse seen = response_at(instant.forest, node);
  const Vec2<double> slip = part(instant.contact(node).state.w, Channel::slip);
  const double friction = group.pair(hold.key.pair).law.kinetic_friction;
  if (!(seen.b(kNormalRow) > 0) || !(friction > 0) || std::isinf(friction)) return std::nullopt;
  const Jam hit = impact_without_collision(seen.W.bottomRightCorner<3, 3>(),
                                           Vec3<double>(slip.x(), slip.y(), 0), friction);
  if (hit.end == JamEnd::none || hit.end == JamEnd::unfinished) return std::nullopt;
  Vec6<double> P = Vec6<double>::Zero();
  P.tail<3>() = hit.P;
  instant.forest.solve({node, P}, Biases::off);
  const double loss = loss_by_impulses(state.discrete, instant);
  state.y.y(state.y.y.size() - 1) += instant.ground_power(state.discrete);
  apply_jumps(state.discrete, instant, state.y.y);
  instant.evaluate(state.discrete, state.t(), state.y.y);
  state.booked += loss;
  return loss;
}

}  // namespace oloid::world
