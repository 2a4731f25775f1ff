// Bodies that are held together by a contact: whether they touch at a second point.
#include <algorithm>
#include <cmath>

#include "oloid/proximity/chord_curvature.h"
#include "oloid/world/islands/island.h"

namespace oloid::world {

// Which contacts are proven to stay the only ones of their pairs during the step that is tried.
// Where that is no longer proven, other contacts are searched for. False if the island has ended.
bool Island::look_beside_contacts() {
  for (int node = 0; node < group_.nodes(); ++node) {
    const Contact& hold = discrete_.joint(node);
    if (!hold.on || group_.pair(hold.key.pair).convex) continue;
    const auto watch = static_cast<std::size_t>(group_.watch_of_pair(hold.key.pair));
    double& unchecked = state_.unchecked_path[watch];
    BesideContact& beside = beside_[watch];
    beside.touches_once = touches_once(node);
    beside.certified = false;
    if (beside.touches_once) {
      unchecked = kInfinity;
      discrete_.witnesses[watch].lost = true;
    } else if (std::isinf(unchecked) && (!certificates_[watch] || state_.waits[watch].left > 0)) {
      instant_.kinematics(discrete_, t(), state_.y.y);
      look_for_second_contact(node);
    }
  }
  return !finished_;
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

// Only one point of contact of a pair is simulated. Another one may appear. Where nothing proves
// that it does not, it is searched for whenever the contact and the tilting body have moved by a
// fifth of the body's size, and followed from then on.
void Island::look_for_second_contact(int node) {
  const Contact& hold = discrete_.joint(node);
  const Pair& pair = group_.pair(hold.key.pair);
  const auto watch = static_cast<std::size_t>(group_.watch_of_pair(hold.key.pair));
  const BesideContact& beside = beside_[watch];
  if (pair.convex || beside.touches_once || beside.certified) return;
  const ContactPath<double>& path = instant_.contact(node).path;
  double& unchecked = state_.unchecked_path[watch];
  const double tilting = instant_.contact(node).state.w.head<2>().norm() * pair.length;
  unchecked += (path.v_A.norm() + path.v_B.norm() + tilting) * (t() - state_.last_look_t);
  if (unchecked < 0.2 * pair.length) return;
  unchecked = 0;
  CertificateWait& wait = state_.waits[watch];
  wait.left = std::max(0, wait.left - 1);
  ++counters.closest_calls;
  std::optional<TrackedPair> next;
  const TrackedPair any =
      nearest_anywhere(model_, hold.key.pair, pose_of_pair(instant_, pair), &next);
  Witness& witness = discrete_.witness(group_.watch_of_pair(hold.key.pair));
  witness.lost = true;
  if (next && next->usable() && next->gap < pair.length && is_another(node, *next))
    witness = witness_of(*next);
  if (any.usable() && any.gap < -1e-6 * pair.length) {
    finish({EventKind::unsupported_island, hold.key, mode_of(hold), mode_of(hold), any.gap,
            "the bodies overlap at a second point: several contacts between two bodies are not "
            "simulated"});
  }
}

// Points that have just separated still touch. So do points of the contact itself where it is
// nearly conforming, but these are near it.
bool Island::is_another(int node, const TrackedPair& near) const {
  constexpr double kBeside = 0.1;  // of ℓ
  const Pair& pair = group_.pair(discrete_.joint(node).key.pair);
  if (near.gap > kTouching * pair.length) return true;
  const ContactEvaluation& c = instant_.contact(node);
  const bool swapped = pair.bodies[0] != group_.id(node);
  const Vec3<double>& held = swapped ? c.pair.A.p : c.pair.B.p;
  return near.gap > -kTouching * pair.length && near.status == PairStatus::found &&
         (near.point_B - held).norm() > kBeside * pair.length;
}

// If the certificate is not certain, points that a search has found count as well. Along a line or
// circle of almost equally near points it stays uncertain for a while: the more often it has
// failed, the longer it is not tried again.
std::optional<Encounter> Island::first_beside_contact(int watch, const Approach& approach,
                                                      double t1) {
  constexpr int kLongestWait = 1023;
  const auto i = static_cast<std::size_t>(watch);
  const int pair = group_.pair_of_watch(watch);
  WatchedTime& watched = counters.watched_time(pair);
  BesideContact& beside = beside_[i];
  CertificateWait& wait = state_.waits[i];
  std::optional<Encounter> certified;
  Witness touched;
  if (certificates_[i] && wait.left == 0) {
    const double uncertain = watched.all - watched.certified;
    EncounterSearch search(model_, pair, approach, touched, counters, certificates_[i].get());
    certified = search.first(t(), t1);
    if (certified) t1 = certified->t;
    const double more = watched.all - watched.certified - uncertain;
    beside.certified = certificates_[i]->certain() && more <= 1e-9 * (t1 - t());
    wait.in_vain = beside.certified ? 0 : std::min(2 * wait.in_vain + 1, kLongestWait);
    wait.left = wait.in_vain;
  } else {
    watched.all += t1 - t();
  }
  if (!beside.certified) {
    EncounterSearch search(model_, pair, approach, ahead_[i], counters, nullptr);
    if (const auto hit = search.first(t(), t1)) return hit;
  }
  if (certified) ahead_[i] = touched;
  return certified;
}

}  // namespace oloid::world
