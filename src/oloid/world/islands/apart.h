// Bodies of different islands: when they meet, on the curves of the islands' steps.
#pragma once

#include "oloid/world/output/logbook.h"

namespace oloid::world {

struct Meeting {
  int pair = kGround;
  double t = 0;     // [s]
  double rate = 0;  // [m/s], of the gap
  Witness near;
};

class ApartPairs {
 public:
  explicit ApartPairs(const Model& model) : model_(model), pairs_(model.pairs.size()) {
    for (int pair = 0; pair < static_cast<int>(pairs_.size()); ++pair)
      certificates_.push_back(certificate_of(model, pair));
  }

  // After islands have been made or have come to an end: which island each body is in.
  void regroup(const Islands& islands);
  // Searches up to where all islands have come; returns the first meeting up to there, if any.
  std::optional<Meeting> first(const Islands& islands, double t_until);
  // The steps of an island have changed after t.
  void undo(const Island& island, double t);
  // Nothing before t will be requested again.
  void forget(double t);

  // Nearest points of a pair, as far as they are known.
  Witness& near(int pair) { return at(pair).clear.back().near; }
  // The bodies of a pair are apart from now on.
  void begin(int pair, double t, const Witness& near) { at(pair) = {{{t, near}}, {}}; }

  Counters counters;  // of work done

 private:
  // Bodies do not touch before the last of these instants, at which steps of either end.
  struct Clear {
    double t = 0;
    Witness near;
  };
  struct Apart {
    std::vector<Clear> clear{Clear{}};
    std::optional<Meeting> met;
  };
  Apart& at(int pair) { return pairs_[static_cast<std::size_t>(pair)]; }
  void look(const Islands& islands, int pair, double t_until);
  Island& island_of(const Islands& islands, BodyId body) const {
    return *islands[static_cast<std::size_t>(island_of_[static_cast<std::size_t>(body.index)])];
  }

  const Model& model_;
  std::vector<Apart> pairs_;
  std::vector<std::unique_ptr<Certificate>> certificates_;  // by pair, as far as there are any
  std::vector<int> island_of_;                              // by body; −1: ground
};

}  // namespace oloid::world
