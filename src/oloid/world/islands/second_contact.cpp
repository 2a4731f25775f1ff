// Bodies that are held together by a contact: whether they touch at a second point.
#include <algorithm>
#include <cmath>

#include "oloid/proximity/chord_curvature.h"
#include "oloid/world/islands/island.h"

namespace oloid::world {

// Which contacts are proven to stay the only ones of their pairs during the step that is tried.
void Island::look_beside_contacts() {
  for (int node = 0; node < group_.nodes(); ++node) {
    const Contact& hold = discrete_.joint(node);
    if (!hold.on || group_.pair(hold.key.pair).convex) continue;
    const auto watch = static_cast<std::size_t>(group_.watch_of_pair(hold.key.pair));
    touches_once_[watch] = touches_once(node);
    if (touches_once_[watch]) discrete_.witnesses[watch] = {};
  }
}

// The contact's way over each body is taken to be near the cubic with its ends and rates.
bool Island::touches_once(int node) const {
  const Contact& hold = discrete_.joint(node);
  const Eigen::Index block = block_at(node);
  const auto way = [&](const ChartAnchor& anchor, int part) {
    const auto at = [&](const StateVector& y) -> Vec3<double> {
      return y.segment<3>(block + part);
    };
    const Vec3<double> from = at(state_.y.y), to = at(trial_.y),
                       out = from + trial_.h / 3 * at(state_.y.dy),
                       in = to - trial_.h / 3 * at(trial_.dy);
    Region hull{anchor.chart, from.cwiseMin(to).cwiseMin(out).cwiseMin(in),
                from.cwiseMax(to).cwiseMax(out).cwiseMax(in)};
    const Vec3<double> more = 0.25 * (hull.high - hull.low);
    hull.low -= more;
    hull.high += more;
    return hull;
  };
  return touch_nowhere_else(group_.at_node(node).proximity->chords(), way(hold.A, kLocationA),
                            group_.body(hold.parent).proximity->chords(), way(hold.B, kLocationB));
}

// Near a line or circle of points that are almost equally near a certificate will not be certain
// for a while: the more often that was so, the later it is tried again. Till then others are
// searched for.
std::optional<Encounter> Island::first_beside_contact(int watch, const Approach& approach,
                                                      double t1) {
  constexpr int kLongestWait = 1023;
  const auto i = static_cast<std::size_t>(watch);
  const int pair = group_.pair_of_watch(watch);
  CertificateWait& wait = state_.waits[i];
  Certificate* const certificate = wait.left == 0 ? certificates_[i].get() : nullptr;
  const WatchedTime before = counters.watched_time(pair);
  EncounterSearch search(model_, pair, approach, ahead_[i], counters, certificate);
  const std::optional<Encounter> hit = search.first(t(), t1);
  if (certificate) {
    const WatchedTime& now = counters.watched_time(pair);
    const double searched = (now.all - before.all) - (now.certified - before.certified);
    const bool certain = searched <= 1e-9 * (now.all - before.all);
    wait.in_vain = certain ? 0 : std::min(2 * wait.in_vain + 1, kLongestWait);
    wait.left = wait.in_vain;
  } else {
    wait.left = std::max(0, wait.left - 1);
  }
  return hit;
}

}  // namespace oloid::world
