// Everything at one instant: where bodies are, how contacts move, accelerations and forces. A pure
// function of (t, y, discrete state), with memory that is allocated once.
#pragma once

#include "oloid/numerics/dense_lu.h"
#include "oloid/world/evaluate/contact_form.h"
#include "oloid/world/model/layout.h"

namespace oloid::world {

// A contact that holds a body.
struct ContactEvaluation : ContactEquation<double> {
  ContactState<double> state;
  PairGeometry<double> pair;
  Pose<double> X_BA;
  Vec6<double> bias;                  // b, less what ground that moves adds to it, in C
  std::array<Vec2<double>, 3> onset;  // of channels that are starting: their direction, in C,
  std::array<bool, 3> onset_found{};  // and whether there is one
  Vec5<double> rates;                 // as in the state
  ParametricContact parametric;       // parameter-rate form only
  ParameterRates<double> own;         // parameter-rate form only: its solution

  // A tangential direction given in C, or ±z for spin, as a unit vector in B's axes.
  Vec3<double> direction_in_B(Channel channel, const Vec2<double>& v) const;
};

class Evaluation {
 public:
  explicit Evaluation(const IslandIndex& group);

  // To be called after contacts have been made or released.
  void set_topology(const DiscreteState& discrete);

  // Poses, twists and the geometry of contacts. Does nothing if they are up to date.
  void kinematics(const DiscreteState& discrete, double t, const StateVector& y);
  // The same, and loads, laws, accelerations and forces. False if something is undefined.
  bool evaluate(const DiscreteState& discrete, double t, const StateVector& y);
  // Recomputes loads, laws and forces after a change of laws, at the same t and y.
  bool solve_forces(const DiscreteState& discrete);
  // The same with the equations of the forest, whichever formulation the model uses.
  bool solve_forest(const DiscreteState& discrete);
  // What the state stores for a contact whose twist is w.
  Vec5<double> rates_of(const Contact& hold, int node, const Vec5<double>& w) const;

  Forest forest;
  std::vector<BodyMotion> bodies;           // by slot of the group
  std::vector<ContactEvaluation> contacts;  // by node
  double t = 0;                             // [s]
  double load_power = 0;                    // [W], of loads that have no potential
  double drive_power = 0;                   // [W], of ground that moves

  // Power that moving ground transmits through the contacts, from the wrenches that the forest has
  // found; if these are impulses, the work.
  double ground_power(const DiscreteState& discrete) const;

  // Of a member or of ground.
  const BodyMotion& body(BodyId id) const {
    const int slot = group_.slot(id);
    return slot >= 0 ? bodies[static_cast<std::size_t>(slot)] : group_.body(id).rest;
  }
  const BodyMotion& at_node(int node) const { return bodies[static_cast<std::size_t>(node)]; }
  ContactEvaluation& contact(int node) { return contacts[static_cast<std::size_t>(node)]; }
  const ContactEvaluation& contact(int node) const {
    return contacts[static_cast<std::size_t>(node)];
  }

 private:
  // What the kinematics depend on, besides t and y.
  struct Anchoring {
    BodyId parent;
    ChartAnchor A, B;
    Law law;  // parameter-rate form only
    friend bool operator==(const Anchoring&, const Anchoring&) = default;
  };
  static Anchoring anchoring_of(const Contact& hold) {
    return {hold.parent, hold.A, hold.B, law_of(hold)};
  }
  bool is_at(const DiscreteState& discrete, double t, const StateVector& y) const;
  void place_held(const Contact& hold, int node, const BlockVector& y);
  void take_loads(const DiscreteState& discrete);
  void solve_parametric(const Contact& hold, int node);
  // A channel that is starting.
  struct Starting {
    int node;
    Channel channel;
    double kinetic;
    Vec2<double> direction;  // in C
    OnsetFrom from;
    Vec2<double> last{};  // where it is kept
  };
  bool find_all_onsets(const DiscreteState& discrete);
  void find_onset(Starting& starting);
  void find_onsets_together();
  void set_direction(Starting& starting, const Vec2<double>& direction);
  double turning(const Starting& starting) const;
  bool speeds_up(const Starting& starting) const;

  const IslandIndex& group_;
  std::vector<Wrench<double>> loads_;  // by slot
  bool placed_ = false;                // by `kinematics`, for these:
  StateVector y_;
  std::vector<Anchoring> anchorings_;  // by node
  std::vector<Starting> starting_;
  DenseLu<double> turning_lu_;
  StateVector turns_;  // of `starting_`
};

// Pose of A in B for a pair of bodies.
Pose<double> pose_of_pair(const Evaluation& instant, const Pair& pair);

// Kinetic energy of all bodies that move, and their potential energy. [J]
double kinetic_energy(const IslandIndex& group, const Evaluation& instant);
double potential_energy(const IslandIndex& group, const Evaluation& instant);

}  // namespace oloid::world
