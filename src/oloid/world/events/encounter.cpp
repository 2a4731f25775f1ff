#include "oloid/world/events/encounter.h"

#include <algorithm>
#include <cmath>

#include "oloid/numerics/root.h"
#include "oloid/proximity/distance_bound.h"
#include "oloid/proximity/newton.h"

namespace oloid::world {
namespace {

// Over a path of this fraction of ℓ, the gap of bodies near contact is a smooth function of time.
constexpr double kSmoothWay = 0.25;
// Where no nearest points are found, bodies are checked whenever they have moved by this fraction
// of ℓ.
constexpr double kBlindWay = 0.1;
// Whenever bodies that are not both convex have moved by this fraction of ℓ, other places are
// checked,
constexpr double kLookAround = 0.1;
// and by this, beside a contact.
constexpr double kSearchWay = 0.1;
// However near the next pair is, it is not looked at more often than this, in ways of ℓ.
constexpr double kNoWay = 1e-3;
// Gaps below this fraction of ℓ are round-off.
constexpr double kMeeting = 1e-12;
// Deeper than this, bodies overlap.
constexpr double kOverlap = 1e-10;
constexpr int kMostHalvings = 60;

// A cubic by values and rates at both ends of [0, 1].
struct Cubic {
  double p0, v0, p1, v1;

  double middle() const { return 0.5 * (p0 + p1) + 0.125 * (v0 - v1); }
  double at(double s) const {
    const double c = 3 * (p1 - p0) - 2 * v0 - v1, d = v0 + v1 - 2 * (p1 - p0);
    return p0 + s * (v0 + s * (c + s * d));
  }
  // Where the rate vanishes; s outside (0, 1): nowhere.
  std::array<double, 2> turning_points() const {
    const double c = 3 * (p1 - p0) - 2 * v0 - v1, d = v0 + v1 - 2 * (p1 - p0);
    const double root = c * c - 3 * d * v0;
    if (root < 0) return {-1, -1};
    const double q = -(c + (c < 0 ? -1 : 1) * std::sqrt(root));
    return {d != 0 ? q / (3 * d) : -1, q != 0 ? v0 / q : -1};
  }
  // The least value in (0, 1].
  double least() const {
    double low = p1;
    for (const double s : turning_points()) {
      if (s > 0 && s < 1) low = std::min(low, at(s));
    }
    return low;
  }
  // Where the value is largest inside, or −1.
  double top() const {
    double best = -1;
    for (const double s : turning_points()) {
      if (s > 0 && s < 1 && (best < 0 || at(s) > at(best))) best = s;
    }
    return best;
  }
};

Vec3<double> velocity(const BodyMotion& x) { return x.X_WB.R * (x.phi.v - x.belt.v); }
Vec3<double> turning(const BodyMotion& x) { return x.X_WB.R * (x.phi.w - x.belt.w); }

}  // namespace

MotionBound ground_bound(const Motion& motion, double t0, double t1) {
  MotionBound bound;
  if (!motion.is_moving()) return bound;
  constexpr int kInstants = 32;
  constexpr double kGolden = 0.6180339887498949;
  for (int i = 0; i < kInstants; ++i) {
    const double s = i == 0 ? 0 : i == 1 ? 1 : i * kGolden - std::floor(i * kGolden);
    const BodyMotion x = motion.at(t0 + s * (t1 - t0));
    bound.v = std::max(bound.v, 1.5 * std::max(x.phi.v.norm(), (x.phi.v - x.belt.v).norm()));
    bound.w = std::max(bound.w, 1.5 * std::max(x.phi.w.norm(), (x.phi.w - x.belt.w).norm()));
  }
  bound.a = bound.alpha = std::numeric_limits<double>::infinity();
  return bound;
}

TrackedPair nearest(const Model& model, int pair, const Pose<double>& X_BA,
                    const Witness& witness) {
  if (witness.lost) return nearest_anywhere(model, pair, X_BA);
  const auto& [A, B] = model.pair(pair).bodies;
  const TrackedPair followed =
      nearest_from(model.body(A).proximity->features(), model.body(B).proximity->features(), X_BA,
                   witness.A, witness.B, witness.normal);
  return followed.usable() ? followed : nearest_anywhere(model, pair, X_BA);
}

TrackedPair nearest_anywhere(const Model& model, int pair, const Pose<double>& X_BA,
                             std::optional<TrackedPair>* next) {
  const auto& [A, B] = model.pair(pair).bodies;
  return nearest_pair(model.body(A).proximity->search(), model.body(B).proximity->search(), X_BA,
                      next);
}

namespace {

bool is_larger(const Model& model, BodyId a, BodyId b) {
  return model.body(a).radius() > model.body(b).radius();
}

}  // namespace

std::unique_ptr<Certificate> certificate_of(const Model& model, int pair) {
  const Pair& p = model.pair(pair);
  const auto& [A, B] = p.bodies;
  const ProximityBody &a = *model.body(A).proximity, &b = *model.body(B).proximity;
  if (p.convex || !Certificate::possible(a, b)) return nullptr;
  return std::make_unique<Certificate>(a, b, is_larger(model, A, B), p.length);
}

std::vector<BodyId> uncertified(const Model& model) {
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ProximityBody& body = *model.bodies[i].proximity;
    if (body.search().convex() || (body.far() && body.far()->certified())) continue;
    bodies.push_back(BodyId{static_cast<std::int32_t>(i)});
  }
  return bodies;
}

EncounterSearch::EncounterSearch(const Model& model, int pair, const Approach& approach,
                                 Witness& witness, Counters& counters, Certificate* certificate)
    : model_(model),
      index_(pair),
      pair_(model.pair(pair)),
      approach_(approach),
      witness_(witness),
      counters_(counters),
      certificate_(certificate),
      A_is_larger_(is_larger(model, pair_.bodies[0], pair_.bodies[1])) {}

std::optional<Encounter> EncounterSearch::first(double t0, double t1) {
  if (certificate_ || approach_.held) return first_in_stretches(t0, t1);
  Sample left = sample(t0, witness_, false);
  reach_ = (motion_.A.X_WB.p - motion_.B.X_WB.p).norm();
  t0_ = t0;
  if (left.smooth && left.gap <= kMeeting * pair_.length) left.gap = left.distance = 0;
  const double moved = witness_.moved + way(left.u, t0, t1);
  const bool around = moved > std::min(kLookAround * pair_.length, witness_.free_way);
  Sample right = sample(t1, left.near, around);
  if (!around && !right.near.lost) {
    right.near.moved = moved;
    right.near.free_way = witness_.free_way;
  }
  const std::optional<double> switched = switched_;
  std::optional<Encounter> hit = between(left, right, kMostHalvings);
  if (hit && !pair_.convex) hit = first_elsewhere(t0, *hit);
  if (hit) {
    witness_.moved = moved;
  } else {
    witness_ = right.near;
  }
  switched_ = hit ? std::nullopt : switched;
  if (!pair_.convex) count(t0, hit ? hit->t : t1, false);
  return hit;
}

// While the certificate is certain only pairs of points that it follows can touch, as long as the
// bodies move by its reach. Else what a search finds at both ends of a short stretch counts, too.
std::optional<Encounter> EncounterSearch::first_in_stretches(double t0, double t1) {
  approach_.at(t0, motion_);
  reach_ = (motion_.A.X_WB.p - motion_.B.X_WB.p).norm();
  t0_ = t0;
  for (double t = t0; t < t1;) {
    double next = t1;
    const std::optional<Encounter> hit = first_in_stretch(t, next);
    count(t, hit ? hit->t : next, is_certified());
    if (hit) return hit;
    // The bodies are too fast for any stretch of time.
    if (!(next > t)) return approach_.held ? std::nullopt : std::optional(Encounter{t, 0});
    t = next;
  }
  witness_.lost = true;
  return std::nullopt;
}

// From t to `next`, which becomes earlier where the certificate ends or points vanish.
std::optional<Encounter> EncounterSearch::first_in_stretch(double t, double& next) {
  approach_.at(t, motion_);
  const double u = speed();
  const double balls = (motion_.A.X_WB.p - motion_.B.X_WB.p).norm() - pair_.reach;
  if (balls > pair_.length) {
    shorten(u, t, balls, next);
    return std::nullopt;
  }
  std::vector<TrackedPair> pairs;
  bool search = true;
  if (certificate_) {
    const Pose<double> X_BA = inverse(motion_.B.X_WB) * motion_.A.X_WB;
    certificate_->move_to(X_BA);
    const bool parted = !approach_.held && !witness_.lost;
    // Where it is not certain, the free way does not count what a search has found.
    if (!parted && is_certified() && way(u, t, next) < certificate_->free_way())
      return std::nullopt;
    renew(t, way(u, t, next));
    shorten(u, t, std::max(certificate_->reach(), balls), next);
    pairs = certificate_->pairs();
    search = !is_certified();
  } else {
    const double most = kSearchWay * pair_.length, moved = witness_.moved;
    witness_.moved += way(u, t, next);
    if (witness_.moved < std::min(witness_.free_way, most)) return std::nullopt;
    shorten(u, t, most, next);
    search = moved + way(u, t, next) >= witness_.free_way;
  }
  if (search) {
    const std::vector<TrackedPair>& found = searched(t);
    pairs.insert(pairs.end(), found.begin(), found.end());
  }
  std::optional<Encounter> first = first_of_pairs(u, t, pairs, next);
  if (is_certified()) return first;
  return first ? first_elsewhere(t, *first) : first_overlap(t, next);
}

std::optional<Encounter> EncounterSearch::first_of_pairs(double u, double t,
                                                         const std::vector<TrackedPair>& pairs,
                                                         double& next) {
  std::optional<Encounter> first;
  Witness touched;
  for (const TrackedPair& pair : pairs) {
    if (!pair.usable() || pair.gap > way(u, t, next)) continue;
    approach_.at(t, motion_);
    if (is_held(pair)) continue;
    const auto hit = first_of_pair(u, t, witness_of(pair), next);
    if (!hit || (first && first->t <= hit->t)) continue;
    first = hit;
    touched = witness_;
  }
  if (!first || first->t > next) return std::nullopt;
  witness_ = touched;
  return first;
}

void EncounterSearch::count(double t0, double t1, bool certified) {
  WatchedTime& watched = counters_.watched_time(index_);
  watched.all += t1 - t0;
  if (certified) watched.certified += t1 - t0;
}

// Shortens a stretch of time until the bodies move by less than `most` in it.
void EncounterSearch::shorten(double u, double t, double most, double& next) {
  for (int k = 0; k < kMostHalvings && way(u, t, next) >= most; ++k) next = t + 0.5 * (next - t);
}

// At the instant last requested. Points that have just parted are followed from the first.
void EncounterSearch::renew(double t, double way) {
  witness_.free_way = 0;
  if (approach_.held) {
    const Vec3<double> contact = approach_.held().point_B;
    certificate_->renew(way, &contact);
    return;
  }
  certificate_->renew(way);
  if (witness_.lost) return;
  const TrackedPair parted = follow(t, witness_);
  if (parted.usable()) certificate_->add(parted);
  witness_.lost = true;
}

// The first contact of one pair of points; `next` becomes earlier if the pair vanishes.
std::optional<Encounter> EncounterSearch::first_of_pair(double u, double t, const Witness& points,
                                                        double& next) {
  Sample left = sample(t, points, false);
  if (left.smooth && left.gap <= kMeeting * pair_.length) left.gap = left.distance = 0;
  if (!left.smooth) return std::nullopt;
  Sample right = sample(next, left.near, false);
  const auto is_known = [&] { return right.smooth || right.distance > pair_.length; };
  for (int k = 0; k < kMostHalvings && !is_known(); ++k) {
    if (way(u, t, next) <= kNoWay * pair_.length) return std::nullopt;
    next = t + 0.5 * (next - t);
    right = sample(next, left.near, false);
  }
  if (!is_known()) return std::nullopt;
  return between(left, right, kMostHalvings);
}

// Upper bound for the speed of points of the smaller body relative to the larger one, at the
// instant last requested.
double EncounterSearch::speed() const {
  const BodyMotion &A = motion_.A, &B = motion_.B;
  const Vec3<double> d = A.X_WB.p - B.X_WB.p, v = velocity(A) - velocity(B);
  return (v - turning(A_is_larger_ ? A : B).cross(d)).norm() +
         (turning(A) - turning(B)).norm() * pair_.length;
}

// Bodies that are not both convex may have touched at another place before the points that are
// followed do: then they overlap there when these meet.
Encounter EncounterSearch::first_elsewhere(double t0, Encounter hit) {
  constexpr int kMostPlaces = 8;
  for (int k = 0; k < kMostPlaces; ++k) {
    const auto earlier = first_overlap(t0, hit.t);
    if (!earlier || !(earlier->t < hit.t)) return hit;
    hit = *earlier;
  }
  return hit;
}

// What a search finds at an instant, the nearest or deepest pair first, but for a contact that is
// held.
const std::vector<TrackedPair>& EncounterSearch::searched(double t) {
  approach_.at(t, motion_);
  if (searched_t_ == t) return searched_;
  ++counters_.closest_calls;
  const auto& [A, B] = pair_.bodies;
  const SearchBody &a = model_.body(A).proximity->search(), &b = model_.body(B).proximity->search();
  const Pose<double> X_BA = inverse(motion_.B.X_WB) * motion_.A.X_WB;
  searched_ =
      approach_.held ? nearest_pairs(a, b, X_BA) : search_pairs(a, b, X_BA, pair_.length).pairs;
  std::erase_if(searched_,
                [&](const TrackedPair& pair) { return !pair.usable() || is_held(pair); });
  searched_t_ = t;
  return searched_;
}

// Beside a contact with the conformity c another pair is born where c vanishes. Bodies that move by
// w move the contact by w / c, and with it c by up to ten times that, in parts of ℓ. [m]
double EncounterSearch::way_to_birth() const {
  if (!approach_.held) return kInfinity;
  const double c = std::clamp(approach_.held().conformity, 0.0, 1.0);
  return kSearchWay * c * c * pair_.length;
}

// If bodies overlap at t1: when they have begun to, at the deepest place that a search finds. Else
// it need not be repeated until they have moved by the gap of what it finds.
std::optional<Encounter> EncounterSearch::first_overlap(double t0, double t1) {
  const std::vector<TrackedPair>& found = searched(t1);
  const double l = pair_.length;
  double gap = kInfinity;
  if (!found.empty()) gap = found.front().gap;
  if (gap > -kOverlap * l) {
    witness_.moved = 0;
    // In flight the nearest pair is followed beside; next to a contact nothing else is.
    const double least = approach_.held ? 0 : kNoWay * l;
    witness_.free_way = std::min(std::max(gap, least), way_to_birth());
    return std::nullopt;
  }
  const TrackedPair deepest = found.front();
  const Witness there = witness_of(deepest), followed = witness_;
  const Sample right = sample(t1, there, false);
  // Go back to where these points are known and do not overlap.
  const auto good = [&](const Sample& s) { return s.smooth && s.gap > -kOverlap * pair_.length; };
  Sample left = sample(t0, there, false);
  for (int back = 0; back < kMostHalvings && !good(left); ++back)
    left = sample(0.5 * (left.t + t1), there, false);
  if (good(left) && right.smooth && right.gap < 0) return zero(left, right);
  witness_ = followed;
  return std::nullopt;
}

// Whether points are those of a contact that is held, at the instant last requested. Where it is
// nearly conforming, others beside it touch, too.
bool EncounterSearch::is_held(const TrackedPair& near) const {
  constexpr double kSame = 1e-3, kBeside = 0.1;  // of ℓ
  if (!approach_.held || !near.usable()) return false;
  const bool conforms = near.status != PairStatus::found;
  const bool touches = std::abs(near.gap) <= kTouching * pair_.length;
  return (near.point_B - approach_.held().point_B).norm() <
         (touches && conforms ? kBeside : kSame) * pair_.length;
}

// At t, which was requested last.
TrackedPair EncounterSearch::follow(double t, const Witness& from) {
  const Pose<double> X_BA = inverse(motion_.B.X_WB) * motion_.A.X_WB;
  if (from.lost) {
    ++counters_.witness_unknown;
  } else {
    const auto& [A, B] = pair_.bodies;
    TrackedPair near =
        nearest_from(model_.body(A).proximity->features(), model_.body(B).proximity->features(),
                     X_BA, from.A, from.B, from.normal);
    if (is_held(near)) near.status = PairStatus::pair_vanished;
    if (near.usable()) {
      ++counters_.witness_hits;
      return near;
    }
    ++(near.status == PairStatus::left_surface ? counters_.witness_left
                                               : counters_.witness_vanished);
  }
  if (is_certified()) return {};
  ++counters_.witness_misses;
  if (!approach_.held) return nearest_anywhere(model_, index_, X_BA);
  const std::vector<TrackedPair>& others = searched(t);
  return others.empty() ? TrackedPair{} : others.front();
}

EncounterSearch::Sample EncounterSearch::sample(double t, const Witness& from, bool anywhere) {
  approach_.at(t, motion_);
  const BodyMotion &A = motion_.A, &B = motion_.B;
  const Vec3<double> d = A.X_WB.p - B.X_WB.p;
  const double l = pair_.length;
  Sample s;
  s.t = t;
  s.u = speed();
  const double apart = d.norm() - pair_.reach;
  if (apart > l) {
    s.distance = apart;
    return s;
  }
  const Pose<double> X_BA = inverse(B.X_WB) * A.X_WB;
  TrackedPair near = follow(t, from);
  counters_.newton_iterations += near.iterations;
  double free_way = 0;
  if (anywhere && !pair_.convex && !certificate_ && !approach_.held && !from.lost) {
    std::optional<TrackedPair> next;
    const TrackedPair other = nearest_anywhere(model_, index_, X_BA, &next);
    free_way = kInfinity;
    if (next) free_way = std::max(next->gap, kNoWay * l);
    counters_.newton_iterations += other.iterations;
    switched_.reset();
    if (other.usable() && (!near.usable() || other.gap < near.gap - 1e-9 * l)) {
      near = other;
      switched_ = near.gap;
    }
  }
  if (!near.usable()) {
    s.distance = std::max(apart, 0.5 * kBlindWay * l);
    return s;
  }
  const Vec3<double> n = B.X_WB.R * near.normal;
  const auto moved = [](const BodyMotion& x, const Vec3<double>& point) -> Vec3<double> {
    return velocity(x) + turning(x).cross(point - x.X_WB.p);
  };
  s.smooth = true;
  s.gap = s.distance = near.gap;
  s.rate = n.dot(moved(A, B.X_WB * near.point_A) - moved(B, B.X_WB * near.point_B));
  s.near = witness_of(near);
  s.near.free_way = free_way;
  return s;
}

// Largest speed and acceleration of points of the smaller body over the larger one, from bounds of
// both bodies: theory/encounters.md eqs. 2 and 3.
void EncounterSearch::bound_motion(double t0, double t1) {
  const MotionBound& A = approach_.A;
  const Motion& ground = model_.body(pair_.bodies[1]).motion;
  const MotionBound B = ground.is_moving() ? ground_bound(ground, t0, t1) : approach_.B;
  const MotionBound& larger = A_is_larger_ ? A : B;
  const double speed = A.v + B.v, reach = reach_ + speed * (t1 - t0_);
  fastest_ = speed + (A.w + B.w) * pair_.length;
  acceleration_ = A.a + B.a + (A.alpha + B.alpha) * pair_.length;
  if (larger.w > 0) fastest_ += larger.w * reach;
  if (larger.w > 0 || larger.alpha > 0)
    acceleration_ += larger.alpha * reach + 2 * larger.w * fastest_;
}

// Upper bound for how far points of the two bodies move relative to each other in [t0, t1], if u
// bounds their speed at one of the ends.
double EncounterSearch::way(double u, double t0, double t1) {
  bound_motion(t0, t1);
  const double h = t1 - t0, most = fastest_ * h, a = acceleration_;
  return std::isfinite(a) ? std::min(most, u * h + 0.5 * a * h * h) : most;
}

// Distances of bodies that are not convex come from a search, which may miss the nearest points.
// Over more than a short path they are confirmed by bounds, where available.
bool EncounterSearch::is_certain(const Sample& left, const Sample& right, double moved) {
  if (pair_.convex || certificate_ || moved <= kSmoothWay * pair_.length) return true;
  const FarBody *A = model_.body(pair_.bodies[0]).proximity->far(),
                *B = model_.body(pair_.bodies[1]).proximity->far();
  if (!A || !B || !A->certified() || !B->certified()) return true;
  const double part = moved / (left.distance + right.distance);
  for (const Sample* s : {&left, &right}) {
    const double enough = part * s->distance;
    if (!s->smooth || enough <= 0) continue;  // the distance is that of balls around the bodies
    approach_.at(s->t, motion_);
    const Pose<double> X_BA = inverse(motion_.B.X_WB) * motion_.A.X_WB;
    if (distance_bound(*A, *B, X_BA, enough) < enough) return false;
  }
  return true;
}

std::optional<Encounter> EncounterSearch::between(const Sample& left, const Sample& right,
                                                  int halvings) {
  const double l = pair_.length, h = right.t - left.t;
  const double moved = way(std::min(left.u, right.u), left.t, right.t);
  if (left.distance >= 0 && right.distance > 0 && left.distance + right.distance > moved &&
      is_certain(left, right, moved))
    return std::nullopt;
  const double t = 0.5 * (left.t + right.t);
  if (halvings == 0 || !(left.t < t && t < right.t)) {
    const bool met = right.smooth && right.gap <= 0 &&
                     (right.gap < -kMeeting * l || left.rate < 0 || left.gap > 0);
    return met ? zero(left, right) : std::nullopt;
  }
  const bool near = left.smooth && right.smooth && moved <= kSmoothWay * l;
  const Sample middle = sample(t, left.near, !near && moved > kLookAround * l);
  if (near && middle.smooth) {
    const double rates = std::abs(left.rate) + std::abs(middle.rate) + std::abs(right.rate);
    if (rates * h < kMeeting * l && std::min(middle.gap, right.gap) > -kMeeting * l)
      return std::nullopt;  // nothing moves
    const Cubic whole{left.gap, left.rate * h, right.gap, right.rate * h};
    const double error = std::abs(middle.gap - whole.middle());
    const double low =
        std::min(Cubic{left.gap, 0.5 * left.rate * h, middle.gap, 0.5 * middle.rate * h}.least(),
                 Cubic{middle.gap, 0.5 * middle.rate * h, right.gap, 0.5 * right.rate * h}.least());
    if (low > 4 * error) return std::nullopt;
    if (right.gap <= 0 && error <= 0.02 * std::max(std::abs(left.gap), std::abs(right.gap)))
      return zero(left, right);
  }
  if (const auto hit = between(left, middle, halvings - 1)) return hit;
  return between(middle, right, halvings - 1);
}

// The gap falls through zero once between two samples, but for a rise from zero at the first.
std::optional<Encounter> EncounterSearch::zero(const Sample& left, const Sample& right) {
  const double h = right.t - left.t;
  Sample last = left;
  if (left.smooth && left.gap <= 0) {
    // If another vertex or edge comes down, the gap rises for a shorter time than the cubic says.
    const double top = Cubic{left.gap, left.rate * h, right.gap, right.rate * h}.top();
    double part = top > 0 ? top : 0.5;
    for (int k = 0; k < kMostHalvings && left.rate > 0 && !(last.smooth && last.gap > 0); ++k) {
      last = sample(left.t + part * h, left.near, false);
      part *= 0.5;
    }
    if (!(last.smooth && last.gap > 0)) {
      witness_ = last.near.lost ? left.near : last.near;
      return Encounter{left.t, last.smooth ? last.rate : left.rate};
    }
  }
  const double lo = last.t, at_lo = last.smooth ? last.gap : last.distance;
  const Root root = find_root(
      [&](double t) {
        last = sample(t, last.near, false);
        return last.smooth ? last.gap : last.distance;
      },
      lo, at_lo, right.t, right.gap);
  const Sample at = sample(root.x, last.near.lost ? right.near : last.near, false);
  witness_ = at.near;
  return Encounter{root.x, at.rate};
}

}  // namespace oloid::world
