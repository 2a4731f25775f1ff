// Every two bodies that may touch, numbered: those of which at least one moves. In order of the
// first body, then of the second; A moves. Nothing is stored for a pair.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "oloid/base/id.h"

namespace oloid::scene {

class BodyPairs {
 public:
  using Bodies = std::array<BodyId, 2>;  // A, B

  BodyPairs() = default;
  // One flag for each body of the scene.
  explicit BodyPairs(const std::vector<bool>& moves);
  // As listed, for records that say so.
  explicit BodyPairs(std::vector<Bodies> listed) : listed_(std::move(listed)) {}

  std::size_t size() const { return first_.empty() ? listed_.size() : first_.back(); }
  bool empty() const { return size() == 0; }
  Bodies operator[](std::size_t pair) const;
  // The number of two bodies in any order; none if neither moves.
  std::optional<int> find(BodyId a, BodyId b) const;
  friend bool operator==(const BodyPairs&, const BodyPairs&);

 private:
  bool moves(std::size_t body) const { return rank_[body + 1] > rank_[body]; }

  std::vector<std::size_t> first_;   // by body: number of its first pair as the first of two
  std::vector<std::size_t> rank_;    // by body: how many before it move
  std::vector<std::size_t> moving_;  // bodies that move
  std::vector<Bodies> listed_;
};

}  // namespace oloid::scene
