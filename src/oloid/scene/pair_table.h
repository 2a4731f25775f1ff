// A value for every two bodies, from their kinds, with exceptions: as much memory as there are
// kinds and exceptions, not pairs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "oloid/base/id.h"

namespace oloid::scene {

template <class T>
class PairTable {
 public:
  PairTable() = default;
  // One kind for each body, from 0; no value is known yet.
  PairTable(std::vector<std::size_t> kinds, std::size_t kinds_there_are)
      : kind_(std::move(kinds)), count_(kinds_there_are), of_kinds_(count_ * count_) {}

  std::size_t kinds() const { return count_; }
  void set_kinds(std::size_t one, std::size_t other, const T& value) {
    of_kinds_[one * count_ + other] = of_kinds_[other * count_ + one] = {true, value};
  }
  const T* of_kinds(std::size_t one, std::size_t other) const {
    const Entry& entry = of_kinds_[one * count_ + other];
    return entry.known ? &entry.value : nullptr;
  }
  // Of these two bodies, whatever their kinds.
  void set(BodyId a, BodyId b, const T& value) { own_[ordered(a, b)] = value; }

  // Null where no value is known.
  const T* find(BodyId a, BodyId b) const {
    if (const auto own = own_.find(ordered(a, b)); own != own_.end()) return &own->second;
    if (kind_.empty()) return nullptr;
    return of_kinds(kind_of(a), kind_of(b));
  }

  // The same table of something that follows from the values.
  template <class Map>
  auto mapped(const Map& map) const {
    PairTable<decltype(map(std::declval<T>()))> result(kind_, count_);
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = i; j < count_; ++j) {
        if (const T* value = of_kinds(i, j)) result.set_kinds(i, j, map(*value));
      }
    }
    for (const auto& [bodies, value] : own_) result.set(bodies[0], bodies[1], map(value));
    return result;
  }

 private:
  struct Entry {
    bool known = false;
    T value{};
  };
  static std::array<BodyId, 2> ordered(BodyId a, BodyId b) {
    return {std::min(a, b), std::max(a, b)};
  }
  std::size_t kind_of(BodyId id) const { return kind_[static_cast<std::size_t>(id.index)]; }

  std::vector<std::size_t> kind_;
  std::size_t count_ = 0;
  std::vector<Entry> of_kinds_;
  std::map<std::array<BodyId, 2>, T> own_;
};

}  // namespace oloid::scene
