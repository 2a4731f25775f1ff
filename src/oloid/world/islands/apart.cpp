#include "oloid/world/islands/apart.h"

#include <algorithm>

#include "oloid/world/islands/motion_bound.h"

namespace oloid::world {
namespace {

// The step that follows an instant.
const Step& step_after(const Island& island, double t) {
  for (int i = 0; i < island.steps(); ++i) {
    if (island.step(i).t1 > t) return island.step(i);
  }
  OLOID_EXPECT(false);
  return island.step(0);
}

// Where the steps that an island keeps begin.
double begin_of(const Island& island) {
  return island.steps() > 0 ? island.step(0).start.t() : island.t();
}

struct Ends {
  Island& A;
  Island& B;
  const Step& step_A;
  const Step& step_B;
  BodyId body_A, body_B;
};

bool touch(const Box& a, const Box& b) {
  return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
}

// Whether two bodies cannot meet during their steps, because the boxes or the balls around them do
// not.
bool stay_away(const Ends& ends, double t1, double reach) {
  const auto node_A = static_cast<std::size_t>(ends.A.group().node(ends.body_A));
  const auto node_B = static_cast<std::size_t>(ends.B.group().node(ends.body_B));
  if (!touch(ends.step_A.boxes[node_A], ends.step_B.boxes[node_B])) return true;
  const double way = ends.step_A.bounds[node_A].v * (t1 - ends.step_A.start.t()) +
                     ends.step_B.bounds[node_B].v * (t1 - ends.step_B.start.t());
  return (ends.step_A.origins[node_A] - ends.step_B.origins[node_B]).norm() - reach > way;
}

bool contains(const std::vector<int>& sorted, int item) {
  return std::binary_search(sorted.begin(), sorted.end(), item);
}
void insert(std::vector<int>& sorted, int item) {
  sorted.insert(std::lower_bound(sorted.begin(), sorted.end(), item), item);
}

}  // namespace

ApartPairs::ApartPairs(const Model& model, const Islands& islands)
    : model_(model), islands_(islands), pairs_of_(model.bodies.size()) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) boxes_.add(Box{});
}

// Its boxes hold its bodies during all steps that it keeps.
void ApartPairs::follow(const Island& island) {
  const IslandIndex& group = island.group();
  for (int node = 0; node < group.nodes(); ++node) {
    Box box;
    for (int i = 0; i < island.steps(); ++i)
      box.add(island.step(i).boxes[static_cast<std::size_t>(node)]);
    boxes_.move(group.id(node).index, box);
  }
}

void ApartPairs::look(Island& island, double t) {
  if (islands_.size() < 2 || island.steps() == 0) return;
  std::vector<int> pairs;
  for (const BodyId id : island.group().moving) {
    pairs.clear();
    for (const int other : boxes_.near(id.index)) {
      Island* const beside = islands_.of(BodyId{other});
      if (!beside || beside == &island || beside->steps() == 0) continue;
      if (island.ended() && beside->ended()) continue;
      pairs.push_back(*model_.pairs.find(id, BodyId{other}));
    }
    std::sort(pairs.begin(), pairs.end());
    const std::vector<int> before = pairs_of_[static_cast<std::size_t>(id.index)];
    for (const int pair : before) {
      if (!contains(pairs, pair) && both_have_steps(pair)) end(pair);
    }
    for (const int pair : pairs) look_at(pair, at(pair, t));
  }
}

bool ApartPairs::both_have_steps(int pair) const {
  const auto& [A, B] = model_.pairs[static_cast<std::size_t>(pair)];
  return islands_.of(A)->steps() > 0 && islands_.of(B)->steps() > 0;
}

ApartPairs::Apart& ApartPairs::at(int pair, double t) {
  const auto found = apart_.find(pair);
  if (found != apart_.end()) {
    // Nothing before the last end of a step up to t will be needed again.
    std::vector<Clear>& clear = found->second.clear;
    const auto later =
        std::find_if(clear.begin(), clear.end(), [t](const Clear& c) { return c.t > t; });
    if (later - clear.begin() > 1) clear.erase(clear.begin(), later - 1);
    return found->second;
  }
  const auto& [A, B] = model_.pairs[static_cast<std::size_t>(pair)];
  begin(pair, std::max(begin_of(*islands_.of(A)), begin_of(*islands_.of(B))), {});
  return apart_.at(pair);
}

void ApartPairs::begin(int pair, double t, const Witness& near) {
  end(pair);
  Apart& made = apart_[pair];
  made.pair = model_.pair(pair);
  made.clear = {{t, near}};
  made.certificate = certificate_of(model_, pair);
  for (const BodyId id : made.pair.bodies)
    insert(pairs_of_[static_cast<std::size_t>(id.index)], pair);
}

void ApartPairs::end(int pair) {
  const auto found = apart_.find(pair);
  if (found == apart_.end()) return;
  forget_meeting(pair, found->second);
  for (const BodyId id : found->second.pair.bodies)
    std::erase(pairs_of_[static_cast<std::size_t>(id.index)], pair);
  apart_.erase(found);
}

void ApartPairs::forget_meeting(int pair, Apart& apart) {
  if (apart.met) met_.erase({apart.met->t, pair});
  apart.met.reset();
}

void ApartPairs::look_at(int pair, Apart& apart) {
  const auto& [A, B] = apart.pair.bodies;
  Island &in_A = *islands_.of(A), &in_B = *islands_.of(B);
  const double t_until = std::min(in_A.t(), in_B.t());
  while (!apart.met && apart.clear.back().t < t_until) {
    const double t0 = apart.clear.back().t;
    Ends ends{in_A, in_B, step_after(in_A, t0), step_after(in_B, t0), A, B};
    const double t1 = std::min(ends.step_A.t1, ends.step_B.t1);
    Witness near = apart.clear.back().near;
    std::optional<Encounter> hit;
    if (stay_away(ends, t1, apart.pair.reach)) {
      near.lost = true;
    } else {
      Approach approach;
      approach.at = [&ends](double t, PairMotion& motion) {
        motion.A = ends.A.place(ends.step_A, t).body(ends.body_A);
        motion.B = ends.B.place(ends.step_B, t).body(ends.body_B);
      };
      approach.A = bound_of(in_A.group(), ends.step_A, A, t1);
      approach.B = bound_of(in_B.group(), ends.step_B, B, t1);
      hit = EncounterSearch(model_, pair, approach, near, counters, apart.certificate.get())
                .first(t0, t1);
    }
    if (hit) {
      apart.met = Meeting{pair, hit->t, hit->rate, near};
      met_.insert({hit->t, pair});
    } else {
      // A lost witness is forgotten completely, so that results do not depend on how long it was
      // known.
      apart.clear.push_back({t1, near.lost ? Witness{} : near});
    }
  }
}

std::optional<Meeting> ApartPairs::first(double t_until) const {
  if (met_.empty() || met_.begin()->first > t_until) return std::nullopt;
  return apart_.at(met_.begin()->second).met;
}

void ApartPairs::undo(const Island& island, double t) {
  for (const BodyId id : island.group().moving) {
    for (const int pair : pairs_of_[static_cast<std::size_t>(id.index)]) {
      Apart& apart = apart_.at(pair);
      if (apart.met && apart.met->t > t) forget_meeting(pair, apart);
      while (apart.clear.size() > 1 && apart.clear.back().t > t) apart.clear.pop_back();
    }
  }
}

void ApartPairs::remember(const Meeting& meeting) {
  Apart& apart = apart_.at(meeting.pair);
  forget_meeting(meeting.pair, apart);
  apart.met = meeting;
  met_.insert({meeting.t, meeting.pair});
}

Witness ApartPairs::near(int pair) const {
  const auto found = apart_.find(pair);
  return found == apart_.end() ? Witness{} : found->second.clear.back().near;
}

std::vector<std::pair<int, Witness>> ApartPairs::known(double t) const {
  std::vector<std::pair<int, Witness>> all;
  for (const auto& [pair, apart] : apart_) {
    const Clear* last = &apart.clear.front();
    for (const Clear& clear : apart.clear) {
      if (clear.t <= t) last = &clear;
    }
    if (!last->near.lost) all.emplace_back(pair, last->near);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

}  // namespace oloid::world
