#include "oloid/scene/body_pairs.h"

#include <algorithm>

#include "oloid/base/contract.h"

namespace oloid::scene {
namespace {

BodyId id_of(std::size_t body) { return BodyId{static_cast<std::int32_t>(body)}; }

}  // namespace

BodyPairs::BodyPairs(const std::vector<bool>& moves) {
  const std::size_t bodies = moves.size();
  rank_.push_back(0);
  for (std::size_t i = 0; i < bodies; ++i) {
    if (moves[i]) moving_.push_back(i);
    rank_.push_back(moving_.size());
  }
  first_.push_back(0);
  for (std::size_t i = 0; i < bodies; ++i) {
    const std::size_t partners = moves[i] ? bodies - 1 - i : moving_.size() - rank_[i + 1];
    first_.push_back(first_.back() + partners);
  }
}

BodyPairs::Bodies BodyPairs::operator[](std::size_t pair) const {
  OLOID_EXPECT(pair < size());
  if (first_.empty()) return listed_[pair];
  const auto after = std::upper_bound(first_.begin(), first_.end(), pair);
  const auto i = static_cast<std::size_t>(after - first_.begin()) - 1;
  const std::size_t k = pair - first_[i];
  if (moves(i)) return {id_of(i), id_of(i + 1 + k)};
  return {id_of(moving_[rank_[i + 1] + k]), id_of(i)};
}

std::optional<int> BodyPairs::find(BodyId a, BodyId b) const {
  if (first_.empty()) {
    const auto at = std::find_if(listed_.begin(), listed_.end(), [&](const Bodies& bodies) {
      return bodies == Bodies{a, b} || bodies == Bodies{b, a};
    });
    if (at == listed_.end()) return std::nullopt;
    return static_cast<int>(at - listed_.begin());
  }
  const auto i = static_cast<std::size_t>(std::min(a, b).index),
             j = static_cast<std::size_t>(std::max(a, b).index);
  if (i == j || (!moves(i) && !moves(j))) return std::nullopt;
  const std::size_t k = moves(i) ? j - i - 1 : rank_[j] - rank_[i + 1];
  return static_cast<int>(first_[i] + k);
}

bool operator==(const BodyPairs& a, const BodyPairs& b) {
  if (a.size() != b.size()) return false;
  if (!a.first_.empty() && !b.first_.empty()) return a.first_ == b.first_;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace oloid::scene
