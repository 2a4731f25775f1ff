// What stays constant over a step: which body holds which, in which charts, with which law.
#pragma once

#include "oloid/dynamics/stick.h"
#include "oloid/scene/event.h"
#include "oloid/world/islands/island_index.h"

namespace oloid::world {

// What a channel of a contact law does.
enum class Grip {
  free,      // does not resist
  moving,    // moves against friction
  starting,  // has just begun to move: below `start_speed` its direction is that of onset, found
             // anew at every evaluation. The true one relaxes towards it at the rate μ f_n W / |v|,
             // much faster than anything else.
  stuck,
};
struct ChannelSetting {
  Grip grip = Grip::free;
  Friction friction;
  double start_speed = 0;  // steps may end at up to twice this
};

// Which contact: of which pair of bodies, and which of the pair's.
struct ContactKey {
  int pair = kGround;  // kGround: of none
  int ordinal = 0;
  friend constexpr auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

// A contact that holds a moving body, which is its side A whatever the pair calls it.
struct Contact {
  bool on = false;
  ContactKey key;
  BodyId parent;
  ChartAnchor A, B;
  std::array<ChannelSetting, 3> channels;  // slip, spin, roll

  ChannelSetting& operator[](Channel c) { return channels[static_cast<std::size_t>(c)]; }
  const ChannelSetting& operator[](Channel c) const {
    return channels[static_cast<std::size_t>(c)];
  }
};

inline Law law_of(const Contact& hold) {
  const auto kind = [&](Channel c) {
    const Grip grip = hold[c].grip;
    return grip == Grip::free ? 0 : grip == Grip::stuck ? 2 : 1;
  };
  return {static_cast<Slip>(kind(Channel::slip)), static_cast<Spin>(kind(Channel::spin)),
          static_cast<Roll>(kind(Channel::roll))};
}

inline Mode mode_of(const Contact& hold) {
  if (!hold.on) return Mode::separated;
  const Law law = law_of(hold);
  if (law.slip == Slip::frictionless) return Mode::frictionless;
  if (law.slip == Slip::sliding) return Mode::sliding;
  if (law.roll == Roll::stuck) return law.spin == Spin::stuck ? Mode::rest : Mode::spinning;
  return law.spin == Spin::stuck ? Mode::no_spin : Mode::rolling;
}

// Where the nearest points of a pair that is apart were. `lost`: none were found, or the bodies are
// far apart.
struct Witness {
  Spot A, B;
  Vec3<double> normal{0, 0, 1};  // from B to A, in B's frame
  bool lost = true;
  // How far the bodies have moved since the last search for other pairs of points, and how far they
  // may move before the next one: the gap of the second nearest pair, if that is small. [m]
  double moved = 0, free_way = 0;
};
inline Witness witness_of(const TrackedPair& near) {
  return {near.A, near.B, near.normal, !near.usable()};
}

struct DiscreteState {
  std::vector<Contact> joints;     // by node: the contact that holds it
  std::vector<Witness> witnesses;  // by watch of the group, at the start of the step
  // By node, if there are any: force and torque about the centre of mass, in world axes, that were
  // applied from outside and stay until they are changed.
  std::vector<Wrench<double>> applied;

  void apply(int node, const Wrench<double>& wrench_W) {
    applied.resize(joints.size());
    applied[static_cast<std::size_t>(node)] = wrench_W;
  }
  Contact& joint(int node) { return joints[static_cast<std::size_t>(node)]; }
  const Contact& joint(int node) const { return joints[static_cast<std::size_t>(node)]; }
  Witness& witness(int i) { return witnesses[static_cast<std::size_t>(i)]; }
  const Witness& witness(int i) const { return witnesses[static_cast<std::size_t>(i)]; }
};

// The node that a pair holds, or kGround if it is apart.
inline int held_by(const DiscreteState& discrete, int pair) {
  for (int node = 0; node < static_cast<int>(discrete.joints.size()); ++node) {
    if (discrete.joint(node).on && discrete.joint(node).key.pair == pair) return node;
  }
  return kGround;
}

}  // namespace oloid::world
