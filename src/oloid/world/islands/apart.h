// Bodies of different islands: when they meet, on the curves of the islands' steps.
//
// Only pairs whose bodies come near each other are examined: every body has a box that contains it
// during all steps that its island keeps. Whether and when a pair was examined does not change any
// result: where the boxes of two steps are apart, nothing is known of the nearest points after
// them.
#pragma once

#include <set>
#include <unordered_map>

#include "oloid/proximity/broad.h"
#include "oloid/world/islands/islands.h"

namespace oloid::world {

struct Meeting {
  int pair = kGround;
  double t = 0;     // [s]
  double rate = 0;  // [m/s], of the gap
  Witness near;
};

class ApartPairs {
 public:
  ApartPairs(const Model& model, const Islands& islands);

  // The steps of an island have changed.
  void follow(const Island& island);
  // To be called after `follow`, for every island that has changed: examines its bodies as far as
  // they and others have been advanced. Everything up to t is settled.
  void look(Island& island, double t);
  // The first meeting that is known, up to an instant that all islands have reached.
  std::optional<Meeting> first(double t_until) const;
  // The steps of an island have changed after t.
  void undo(const Island& island, double t);

  // A meeting; the steps of both islands now end at its instant.
  void remember(const Meeting& meeting);

  // Nearest points of a pair, as far as they are known.
  Witness near(int pair) const;
  // The bodies of a pair are apart from now on.
  void begin(int pair, double t, const Witness& near);
  // The bodies of a pair are in one island now.
  void end(int pair);
  // Where nearest points were at the last instant, up to t, at which a step of either body ended.
  std::vector<std::pair<int, Witness>> known(double t) const;

  Counters counters;  // of work done

 private:
  // Bodies do not touch before the last of these instants, at which steps of either end.
  struct Clear {
    double t = 0;
    Witness near;
  };
  struct Apart {
    Pair pair;
    std::vector<Clear> clear;
    std::optional<Meeting> met;
    std::unique_ptr<Certificate> certificate;  // if there can be one
  };
  bool both_have_steps(int pair) const;
  Apart& at(int pair, double t);
  void look_at(int pair, Apart& apart);
  void forget_meeting(int pair, Apart& apart);

  const Model& model_;
  const Islands& islands_;
  BroadPhase boxes_;                        // by body
  std::vector<std::vector<int>> pairs_of_;  // by body: pairs that are in `apart_`
  std::unordered_map<int, Apart> apart_;    // by pair
  std::set<std::pair<double, int>> met_;    // time and pair
};

}  // namespace oloid::world
