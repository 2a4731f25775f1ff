// When each contact of a run began and ended, from its events.
#pragma once

#include <cmath>
#include <unordered_map>
#include <vector>

#include "oloid/scene/event.h"

namespace oloid::scene {

struct ContactLife {
  ContactId id;
  int pair = -1;
  int ordinal = 0;
  double t0 = 0;                             // [s]
  double t1 = std::nan("");                  // [s]; not a number: it lasts
  std::array<ContactFeature, 2> features{};  // it began on
};

class ContactLives {
 public:
  // Events of one run, in their order. Returns the life that has begun, ended or both, if any.
  const ContactLife* see(const Event& event) {
    if (!event.contact.valid()) return nullptr;
    const auto [at, born] = index_.try_emplace(event.contact.index, all_.size());
    if (born)
      all_.push_back(
          {event.contact, event.pair, event.ordinal, event.t, std::nan(""), event.features});
    ContactLife& life = all_[at->second];
    const bool ends = event.after == Mode::separated;
    if (ends) life.t1 = event.t;
    return born || ends ? &life : nullptr;
  }

  // In the order in which they began.
  const std::vector<ContactLife>& all() const { return all_; }

 private:
  std::vector<ContactLife> all_;
  std::unordered_map<std::int32_t, std::size_t> index_;  // by id
};

}  // namespace oloid::scene
