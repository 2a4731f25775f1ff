// All islands of a run, in the order of their first bodies, and which of them a body is in.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "oloid/world/islands/island.h"

namespace oloid::world {

class Islands {
  using Map = std::map<BodyId, std::unique_ptr<Island>>;

 public:
  explicit Islands(const Model& model) : model_(model), of_body_(model.bodies.size(), nullptr) {}

  // Its members may still be in others, which are removed next.
  Island& add(std::vector<BodyId> members);
  std::unique_ptr<Island> remove(const Island& island);

  std::size_t size() const { return by_first_.size() + replaced_.size(); }
  // Null for ground.
  Island* of(BodyId body) const { return of_body_[static_cast<std::size_t>(body.index)]; }

  class Iterator {
   public:
    explicit Iterator(Map::const_iterator at) : at_(at) {}
    Island& operator*() const { return *at_->second; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    Map::const_iterator at_;
  };
  Iterator begin() const { return Iterator(by_first_.begin()); }
  Iterator end() const { return Iterator(by_first_.end()); }

 private:
  const Model& model_;
  Map by_first_;
  std::vector<std::unique_ptr<Island>> replaced_;  // by one with the same first body
  std::vector<Island*> of_body_;
};

}  // namespace oloid::world
