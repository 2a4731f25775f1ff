// Libraries that know how near two convex bodies are, ours first. Each has a file of its own;
// others are there if their packages were found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "oloid/spatial/pose.h"
#include "proximity/bodies.h"
#include "support/rooms.h"

namespace oloid::bench {

// A pair of bodies, prepared once.
class PeerPair {
 public:
  PeerPair() = default;
  PeerPair(const PeerPair&) = delete;
  PeerPair& operator=(const PeerPair&) = delete;
  virtual ~PeerPair() = default;

  // Where a motion starts, with the bodies apart. Most libraries remember nothing.
  virtual void begin(const Pose<double>& /*X_BA*/) {}
  // Signed distance at the next pose [m]; not a number if the library found none.
  virtual double follow(const Pose<double>& X_BA) = 0;
};

struct Peer {
  std::string name;      // with its version
  std::string settings;  // what is called, and to what tolerance
  bool apart;            // whether it answers for bodies that do not touch
  // Null if the library does not have the bodies.
  std::unique_ptr<PeerPair> (*make)(const ConvexBody& A, const ConvexBody& B);
};

std::vector<Peer> our_peers();
std::vector<Peer> ode_peers();
std::vector<Peer> bullet_peers();
std::vector<Peer> ccd_peers();
std::vector<Peer> fcl_peers();

// All that were found.
inline std::vector<Peer> all_peers() {
  std::vector<Peer> all = our_peers();
  [[maybe_unused]] const auto add = [&](const std::vector<Peer>& some) {
    all.insert(all.end(), some.begin(), some.end());
  };
#ifdef OLOID_PEER_ODE
  add(ode_peers());
#endif
#ifdef OLOID_PEER_BULLET
  add(bullet_peers());
#endif
#ifdef OLOID_PEER_CCD
  add(ccd_peers());
#endif
#ifdef OLOID_PEER_FCL
  add(fcl_peers());
#endif
  return all;
}

}  // namespace oloid::bench
