// When two bodies that are apart first touch, on the curves of their motions.
//
// The distance of two bodies changes no faster than the bodies move: between two instants with
// distances d₀ and d₁ there is no contact if their points move by less than d₀ + d₁ relative to
// each other. Where this does not decide, the time is halved. Near contact, and over a small part
// of ℓ, the gap of the nearest points is a smooth function of time: it is approximated by the cubic
// through its values and rates at both ends, if the middle confirms it. docs/theory/encounters.md.
#pragma once

#include <functional>
#include <optional>

#include "oloid/proximity/certificate.h"
#include "oloid/scene/recorder.h"
#include "oloid/world/model/discrete_state.h"

namespace oloid::world {

// Upper bounds for the motion of a body during some time: of its origin and of its rotation.
struct MotionBound {
  double v = 0, w = 0;      // [m/s], [rad/s]
  double a = 0, alpha = 0;  // [m/s²], [rad/s²]; infinite: not known
};

// Bounds for ground in [t0, t1]. Formulas have no bounds: the motion is sampled at many irregular
// instants, and 50 % is added. The motion of a belt's material is included.
MotionBound ground_bound(const Motion& motion, double t0, double t1);

struct PairMotion {
  BodyMotion A, B;
};

struct HeldContact {
  Vec3<double> point_B{0, 0, 0};  // [m], in B's frame
  double conformity = 0;          // as in PairQuality
};

struct Approach {
  std::function<void(double t, PairMotion& motion)> at;
  MotionBound A, B;
  // Of a pair that is held: where, at the instant last requested. Then only other points count.
  std::function<HeldContact()> held = nullptr;
};

struct Encounter {
  double t = 0;     // [s]
  double rate = 0;  // [m/s], of the gap; negative: they approach
};

class EncounterSearch {
 public:
  // Without a certificate, the search may miss nearest points of bodies that are not convex.
  EncounterSearch(const Model& model, int pair, const Approach& approach, Witness& witness,
                  Counters& counters, Certificate* certificate);

  // The first contact in [t0, t1], if any. At t0 the bodies may touch and part. `witness` must be
  // the nearest points at t0; afterwards it is those at t1 or at the contact.
  std::optional<Encounter> first(double t0, double t1);
  // The gap of another pair of points, if one was nearer at t1 than those that were followed.
  std::optional<double> switched() const { return switched_; }

 private:
  struct Sample {
    double t = 0;
    double distance = 0;  // [m]: the bodies are at least so far apart; ≤ 0: the gap
    double gap = 0;       // [m], of the nearest points
    double rate = 0;      // [m/s], of the gap
    double u = 0;         // [m/s]: no point of the smaller body moves faster over the larger one
    bool smooth = false;  // whether gap and rate are known
    Witness near;
  };
  std::optional<Encounter> first_in_stretches(double t0, double t1);
  std::optional<Encounter> first_in_stretch(double t, double& next);
  std::optional<Encounter> first_of_pairs(double u, double t, const std::vector<TrackedPair>& pairs,
                                          double& next);
  std::optional<Encounter> first_of_pair(double u, double t, const Witness& points, double& next);
  void shorten(double u, double t, double most, double& next);
  double way_to_birth() const;
  void renew(double t, double way);
  void count(double t0, double t1, bool certified);
  double speed() const;
  bool is_certified() const { return certificate_ && certificate_->certain(); }
  const std::vector<TrackedPair>& searched(double t);
  bool is_held(const TrackedPair& near) const;
  TrackedPair follow(double t, const Witness& from);
  Sample sample(double t, const Witness& from, bool anywhere);
  std::optional<Encounter> between(const Sample& left, const Sample& right, int halvings);
  bool is_certain(const Sample& left, const Sample& right, double moved);
  std::optional<Encounter> zero(const Sample& left, const Sample& right);
  Encounter first_elsewhere(double t0, Encounter hit);
  std::optional<Encounter> first_overlap(double t0, double t1);
  double way(double u, double t0, double t1);
  void bound_motion(double t0, double t1);

  const Model& model_;
  const int index_;
  const Pair pair_;
  const Approach& approach_;
  Witness& witness_;
  Counters& counters_;
  Certificate* const certificate_;
  const bool A_is_larger_;
  PairMotion motion_;
  std::optional<double> switched_;
  double t0_ = 0, reach_ = 0;          // [s], [m]: start, and distance of origins there
  double acceleration_ = 0;            // [m/s²], of points of the smaller body over the larger one
  double fastest_ = 0;                 // [m/s]
  std::vector<TrackedPair> searched_;  // what the last search has found,
  double searched_t_ = -kInfinity;     // [s], at this instant
};

// The certificate of a pair that is not convex, if both bodies have bounds.
std::unique_ptr<Certificate> certificate_of(const Model& model, int pair);

// Bodies that are not convex and have no bounds: their pairs have no certificate.
std::vector<BodyId> uncertified(const Model& model);

// Nearest points of a pair that is apart, from its witness, or anywhere if that has vanished; the
// status says whether there are any.
TrackedPair nearest(const Model& model, int pair, const Pose<double>& X_BA, const Witness& witness);
TrackedPair nearest_anywhere(const Model& model, int pair, const Pose<double>& X_BA,
                             std::optional<TrackedPair>* next = nullptr);

}  // namespace oloid::world
