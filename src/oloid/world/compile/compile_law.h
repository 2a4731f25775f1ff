// From what the user wrote about materials and pairs to the law of each pair of bodies.
#pragma once

#include "oloid/scene/spec.h"
#include "oloid/world/model/model.h"

namespace oloid::world {

// Laws by the numbers of two bodies, in any order.
class PairLaws {
 public:
  explicit PairLaws(std::size_t bodies) : bodies_(bodies), laws_(bodies * bodies) {}
  const PairLaw& between(std::size_t i, std::size_t j) const { return laws_[i * bodies_ + j]; }
  void set(std::size_t i, std::size_t j, const PairLaw& law) {
    laws_[i * bodies_ + j] = laws_[j * bodies_ + i] = law;
  }

 private:
  std::size_t bodies_;
  std::vector<PairLaw> laws_;
};

// A pair's own values; what it does not specify follows from the two materials: the geometric mean
// of friction, the smaller restitution, the larger resistance. Friction must be given for every two
// bodies of which at least one moves.
Result<PairLaws, Errors> compile_laws(const Spec& spec);

}  // namespace oloid::world
