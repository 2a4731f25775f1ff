#include "oloid/haptics/tool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "oloid/spatial/rotation.h"

namespace oloid::haptics {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostEchoes = 16;
constexpr double kDropped = 1.5;     // of the reach: so far apart a pair is forgotten
constexpr double kLongerWay = 1.5;   // a gap that changes by more of the motion has jumped
constexpr double kJumpFloor = 1e-9;  // of the length

// χ' = n·(v of the tool's particle), docs/haptics.md eq. 2.
double gap_rate(const Twist<double>& V_BA, const Vec3<double>& normal, const Vec3<double>& point) {
  return normal.dot(V_BA.v + V_BA.w.cross(point));
}

}  // namespace

const char* name(HapticStatus status) {
  switch (status) {
    case HapticStatus::searching:
      return "searching";
    case HapticStatus::apart:
      return "apart";
    case HapticStatus::touching:
      return "touching";
    case HapticStatus::fading:
      return "fading";
    case HapticStatus::invalid_pose:
      return "invalid_pose";
  }
  return "";
}

Result<HapticTool> HapticTool::make(const TouchableBody& A, const TouchableBody& B,
                                    const ForceLaw& law) {
  const Result<ForceLaw> good = checked(law);
  if (!good) return Unexpected{good.error()};
  return HapticTool(A, B, *good);
}

HapticTool::HapticTool(const TouchableBody& A, const TouchableBody& B, const ForceLaw& law)
    : A_(&A),
      B_(&B),
      law_(law),
      length_(pair_length(A, B)),
      exchange_(std::make_shared<PairExchange>()) {
  contacts_.reserve(kMostPairs);
  echoes_.reserve(kMostEchoes);
}

const HapticOutput& HapticTool::update(const Pose<double>& X_BA, const Twist<double>& V_BA,
                                       double dt) {
  if (!V_BA.w.allFinite() || !V_BA.v.allFinite()) return refuse_input();
  return advance(X_BA, &V_BA, dt);
}

const HapticOutput& HapticTool::update(const Pose<double>& X_BA, double dt) {
  return advance(X_BA, nullptr, dt);
}

const HapticOutput& HapticTool::advance(const Pose<double>& X_BA, const Twist<double>* V_BA,
                                        double dt) {
  if (!is_pose(X_BA) || !(dt > 0) || !std::isfinite(dt)) return refuse_input();
  follow(X_BA);
  take_found(X_BA);
  drop_copies();
  push(X_BA, V_BA, dt);
  describe(X_BA);
  X_BA_ = X_BA;
  ++out_.counters.updates;
  exchange_->places.draft() = X_BA;
  exchange_->places.publish();
  return out_;
}

// The pairs stay as they were. What overlaps afterwards grows from nothing.
const HapticOutput& HapticTool::refuse_input() {
  ++out_.counters.updates;
  ++out_.counters.invalid;
  for (Contact& contact : contacts_) {
    contact.limit = 0;
    contact.force = 0;
  }
  echoes_.clear();
  out_.status = HapticStatus::invalid_pose;
  out_.wrench = {};
  out_.limited = false;
  out_.fading = 0;
  for (HapticContact& contact : out_.contacts) contact.force = 0;
  return out_;
}

bool HapticTool::overlaps() const {
  return std::any_of(contacts_.begin(), contacts_.end(),
                     [](const Contact& contact) { return contact.pair().gap < 0; });
}

// --- Following -----------------------------------------------------------------------------------

void HapticTool::follow(const Pose<double>& X_BA) {
  bool retry = true;  // one an update, so that it takes no longer
  const auto ended = [&](Contact& contact) { return !follow(contact, X_BA, retry); };
  contacts_.erase(std::remove_if(contacts_.begin(), contacts_.end(), ended), contacts_.end());
}

// False if the pair has come to an end.
bool HapticTool::follow(Contact& contact, const Pose<double>& X_BA, bool& retry) {
  const TrackedPair before = contact.pair();
  if (!contact.tracker.update(X_BA).usable() && before.gap < 0 && retry) {
    retry = false;
    ++out_.counters.retried;
    const TrackedPair again =
        nearest_from(*A_, *B_, X_BA, before.A, before.B, before.normal, kSoon);
    if (again.usable()) contact.tracker.start(X_BA, again);
  }
  const TrackedPair& now = contact.pair();
  out_.counters.iterations += now.iterations;
  if (!now.usable()) {
    ++out_.counters.lost;
    fade(before, contact.force);
    return false;
  }
  if (now.gap > kDropped * law_.reach) {
    ++out_.counters.dropped;
    fade(before, contact.force);
    return false;
  }
  if (has_jumped(before, now, X_BA)) {
    ++out_.counters.jumped;
    fade(before, contact.force);
    contact.limit = 0;
    contact.gap = now.gap;
  }
  return true;
}

// While a pair is followed, |Δχ| is at most the way of the tool's particles at it.
bool HapticTool::has_jumped(const TrackedPair& before, const TrackedPair& now,
                            const Pose<double>& X_BA) const {
  const double angle = rotation_vector(Mat3<double>(X_BA.R * X_BA_.R.transpose())).norm();
  const double arm = std::max((before.point_A - X_BA_.p).norm(), (now.point_A - X_BA.p).norm());
  const double way = (X_BA.p - X_BA_.p).norm() + angle * arm;
  if (std::abs(now.gap - before.gap) > kLongerWay * way + kJumpFloor * length_) return true;
  return before.gap < 0 && now.gap < 0 && now.normal.dot(before.normal) < kTurned;
}

void HapticTool::fade(const TrackedPair& pair, double force) {
  if (force <= 0) return;
  const Vec3<double> a_A = X_BA_.R.transpose() * (pair.point_A - X_BA_.p);
  const Echo echo{a_A, pair.point_B, pair.normal, pair.gap, force, force};
  if (echoes_.size() < kMostEchoes) {
    echoes_.push_back(echo);
    return;
  }
  const auto weaker = [](const Echo& x, const Echo& y) { return x.limit < y.limit; };
  *std::min_element(echoes_.begin(), echoes_.end(), weaker) = echo;
}

// --- New pairs -----------------------------------------------------------------------------------

// At most one, so that it takes no longer.
void HapticTool::take_found(const Pose<double>& X_BA) {
  Handover<FoundPairs>& handover = exchange_->pairs;
  if (next_found_ >= handover.latest().count) {
    if (!handover.refresh()) return;
    ++out_.counters.searches;
    next_found_ = 0;
    began_apart_ = !overlaps();
    if (handover.latest().count == 0) return;
  }
  const TrackedPair& found = handover.latest().pairs[static_cast<std::size_t>(next_found_++)];
  TrackedPair now = nearest_from(*A_, *B_, X_BA, found.A, found.B, found.normal, kSoon);
  if (now.usable() && found.status == PairStatus::conforming) now.status = PairStatus::conforming;
  const auto same = [&](const Contact& contact) { return same_pair(contact.pair(), now, length_); };
  if (std::any_of(contacts_.begin(), contacts_.end(), same)) {
    ++out_.counters.known;
  } else if (now.usable() && std::abs(now.gap) <= law_.reach && may_take(found, now)) {
    take(X_BA, now);
  } else {
    ++out_.counters.refused;
  }
}

// What comes up in overlap is taken if nothing else overlapped, if it was apart when it was found
// and the search came late, if it goes on where contact was lost, or if it pushes against none of
// those that overlap: from the far side of a thin part a tool would be pushed through.
bool HapticTool::may_take(const TrackedPair& found, const TrackedPair& now) const {
  if (now.normal.dot(found.normal) < kTurned) return false;
  if (now.gap >= 0 || found.gap >= 0 || began_apart_) return true;
  const auto continued = [&](const Echo& echo) {
    return now.normal.dot(echo.normal) > kTurned && (now.point_B - echo.b_B).norm() < law_.reach;
  };
  if (std::any_of(echoes_.begin(), echoes_.end(), continued)) return true;
  return std::all_of(contacts_.begin(), contacts_.end(), [&](const Contact& contact) {
    return contact.pair().gap >= 0 || now.normal.dot(contact.pair().normal) > 0;
  });
}

// In place of the farthest one that carries nothing, if there are too many.
void HapticTool::take(const Pose<double>& X_BA, const TrackedPair& pair) {
  Contact contact{Tracker(*A_, *B_), pair.gap < 0 ? 0 : kUnlimited, pair.gap};
  contact.tracker.start(X_BA, pair);
  if (contacts_.size() < kMostPairs) {
    contacts_.push_back(contact);
    ++out_.counters.taken;
    return;
  }
  const auto farther = [](const Contact& x, const Contact& y) {
    return x.pair().gap < y.pair().gap;
  };
  const auto farthest = std::max_element(contacts_.begin(), contacts_.end(), farther);
  if (farthest->pair().gap < std::max(pair.gap, 0.0)) {
    ++out_.counters.refused;
    return;
  }
  *farthest = contact;
  ++out_.counters.taken;
  ++out_.counters.dropped;
}

// Of two contacts that have become one the later fades.
void HapticTool::drop_copies() {
  for (std::size_t i = 0; i + 1 < contacts_.size(); ++i) {
    for (std::size_t j = contacts_.size() - 1; j > i; --j) {
      if (!same_pair(contacts_[i].pair(), contacts_[j].pair(), length_)) continue;
      fade(contacts_[j].pair(), contacts_[j].force);
      contacts_.erase(contacts_.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

// --- Forces --------------------------------------------------------------------------------------

// f acts at the point, m = Σ (p − o) × f about the tool's origin o.
void HapticTool::add(const Vec3<double>& point, const Vec3<double>& force,
                     const Pose<double>& X_BA) {
  out_.wrench.f += force;
  out_.wrench.t += (point - X_BA.p).cross(force);
}

void HapticTool::push(const Pose<double>& X_BA, const Twist<double>* V_BA, double dt) {
  out_.wrench = {};
  const double ramp = law_.force_ramp * dt;
  const auto rate = [&](const Vec3<double>& normal, const Vec3<double>& point, double change) {
    return V_BA ? gap_rate(*V_BA, normal, point) : change / dt;
  };
  for (Contact& contact : contacts_) {
    const TrackedPair& pair = contact.pair();
    const double asked =
        pair_force(law_, pair.gap, rate(pair.normal, pair.point_A, pair.gap - contact.gap));
    contact.limit += ramp;
    if (asked <= contact.limit) contact.limit = kUnlimited;
    contact.force = std::min(asked, contact.limit);
    contact.gap = pair.gap;
    add(pair.point_A, contact.force * pair.normal, X_BA);
  }
  for (Echo& echo : echoes_) {
    const Vec3<double> point = X_BA * echo.a_A;
    const double gap = echo.normal.dot(point - echo.b_B);
    const double asked = pair_force(law_, gap, rate(echo.normal, point, gap - echo.gap));
    echo.limit -= ramp;
    echo.force = std::max(0.0, std::min(asked, echo.limit));
    echo.gap = gap;
    add(point, echo.force * echo.normal, X_BA);
  }
  const auto silent = [](const Echo& echo) { return echo.limit <= 0; };
  echoes_.erase(std::remove_if(echoes_.begin(), echoes_.end(), silent), echoes_.end());

  const double size = out_.wrench.f.norm();
  out_.limited = size > law_.largest_force;
  if (out_.limited) {
    out_.wrench.f *= law_.largest_force / size;
    out_.wrench.t *= law_.largest_force / size;
  }
}

void HapticTool::describe(const Pose<double>& X_BA) {
  std::array<TrackedPair, kMostPairs> pairs;
  out_.pairs = static_cast<int>(contacts_.size());
  out_.fading = static_cast<int>(echoes_.size());
  out_.touching = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const TrackedPair& pair = pairs[i] = contacts_[i].pair();
    out_.contacts[i] = {pair.point_A, pair.normal, pair.gap, contacts_[i].force};
    if (pair.gap < 0) ++out_.touching;
  }
  out_.status = out_.touching > 0 ? HapticStatus::touching
                : out_.fading > 0 ? HapticStatus::fading
                : out_.pairs > 0  ? HapticStatus::apart
                                  : HapticStatus::searching;
  out_.phase = out_.touching > 0 ? Phase::penetrating : out_.pairs > 0 ? Phase::near : Phase::far;
  const Proxy proxy = proxy_of(*A_, *B_, X_BA, {pairs.data(), contacts_.size()});
  out_.proxy = proxy.X_BA;
  out_.proxy_depth = proxy.depth;
}

}  // namespace oloid::haptics
