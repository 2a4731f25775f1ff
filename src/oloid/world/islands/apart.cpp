#include "oloid/world/islands/apart.h"

#include <algorithm>

#include "oloid/world/islands/motion_bound.h"

namespace oloid::world {
namespace {

// The step that follows an instant.
const Step& leg_after(const Island& island, double t) {
  for (int i = 0; i < island.steps(); ++i) {
    if (island.step(i).t1 > t) return island.step(i);
  }
  OLOID_EXPECT(false);
  return island.step(0);
}

struct Ends {
  Island& A;
  Island& B;
  const Step& step_A;
  const Step& step_B;
  BodyId body_A, body_B;
};

// Whether the balls around two bodies cannot meet during their steps.
bool stay_away(const Ends& ends, double t1, double reach) {
  const auto node_A = static_cast<std::size_t>(ends.A.group().node(ends.body_A));
  const auto node_B = static_cast<std::size_t>(ends.B.group().node(ends.body_B));
  const double way = ends.step_A.bounds[node_A].v * (t1 - ends.step_A.start.t()) +
                     ends.step_B.bounds[node_B].v * (t1 - ends.step_B.start.t());
  return (ends.step_A.origins[node_A] - ends.step_B.origins[node_B]).norm() - reach > way;
}

}  // namespace

void ApartPairs::regroup(const Islands& islands) {
  island_of_.assign(model_.bodies.size(), -1);
  for (std::size_t i = 0; i < islands.size(); ++i) {
    for (const BodyId id : islands[i]->group().moving)
      island_of_[static_cast<std::size_t>(id.index)] = static_cast<int>(i);
  }
}

std::optional<Meeting> ApartPairs::first(const Islands& islands, double t_until) {
  std::optional<Meeting> best;
  if (islands.size() < 2) return best;
  for (int pair = 0; pair < static_cast<int>(pairs_.size()); ++pair) {
    const auto& [A, B] = model_.pair(pair).bodies;
    const int a = island_of_[static_cast<std::size_t>(A.index)],
              b = island_of_[static_cast<std::size_t>(B.index)];
    if (a < 0 || b < 0 || a == b) continue;
    if (islands[static_cast<std::size_t>(a)]->ended() &&
        islands[static_cast<std::size_t>(b)]->ended())
      continue;
    look(islands, pair, t_until);
    const std::optional<Meeting>& met = at(pair).met;
    if (met && met->t <= t_until && (!best || met->t < best->t)) best = met;
  }
  return best;
}

void ApartPairs::look(const Islands& islands, int pair, double t_until) {
  const Pair& p = model_.pair(pair);
  const auto& [A, B] = p.bodies;
  Apart& apart = at(pair);
  while (!apart.met && apart.clear.back().t < t_until) {
    const double t0 = apart.clear.back().t;
    Island &in_A = island_of(islands, A), &in_B = island_of(islands, B);
    Ends ends{in_A, in_B, leg_after(in_A, t0), leg_after(in_B, t0), A, B};
    const double t1 = std::min(ends.step_A.t1, ends.step_B.t1);
    Witness near = apart.clear.back().near;
    std::optional<Encounter> hit;
    if (stay_away(ends, t1, p.reach)) {
      near.lost = true;
    } else {
      Approach approach;
      approach.at = [&ends](double t, PairMotion& motion) {
        motion.A = ends.A.place(ends.step_A, t).body(ends.body_A);
        motion.B = ends.B.place(ends.step_B, t).body(ends.body_B);
      };
      approach.A = bound_of(in_A.group(), ends.step_A, A, t1);
      approach.B = bound_of(in_B.group(), ends.step_B, B, t1);
      hit = EncounterSearch(model_, pair, approach, near, counters,
                            certificates_[static_cast<std::size_t>(pair)].get())
                .first(t0, t1);
    }
    if (hit) {
      apart.met = Meeting{pair, hit->t, hit->rate, near};
    } else {
      apart.clear.push_back({t1, near});
    }
  }
}

void ApartPairs::undo(const Island& island, double t) {
  for (int pair = 0; pair < static_cast<int>(pairs_.size()); ++pair) {
    const auto& [A, B] = model_.pair(pair).bodies;
    if (island.group().node(A) == kGround && island.group().node(B) == kGround) continue;
    Apart& apart = at(pair);
    if (apart.met && apart.met->t > t) apart.met.reset();
    while (apart.clear.size() > 1 && apart.clear.back().t > t) apart.clear.pop_back();
  }
}

void ApartPairs::forget(double t) {
  for (Apart& apart : pairs_) {
    const auto later = std::find_if(apart.clear.begin(), apart.clear.end(),
                                    [t](const Clear& c) { return c.t > t; });
    if (later - apart.clear.begin() > 1) apart.clear.erase(apart.clear.begin(), later - 1);
  }
}

}  // namespace oloid::world
