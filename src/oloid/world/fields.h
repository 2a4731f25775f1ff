// The two right-hand sides of a body: in contact and in flight. Pure functions of (t, y, setting).
#pragma once

#include "oloid/integrate/field.h"
#include "oloid/scene/event.h"
#include "oloid/world/layout.h"
#include "oloid/world/model.h"

namespace oloid {

// Constants of a step in contact.
struct ContactSetting {
  Mode mode = Mode::rolling;
  SideAnchor A, B;
  Friction friction;
  // Sliding that has just begun: as long as the slip is below `start_speed` its direction is the
  // one of onset, found anew at every evaluation. The true direction relaxes towards it at the rate
  // μ f_n W / |v_s|, much faster than anything else.
  bool starting = false;
  double start_speed = 0;  // [m/s]; steps may end at up to twice of it
};

// Guards in the order of the transition table; ties are resolved in that order.
enum class Guard { painleve, normal_force, grip, chart_A, chart_B, conformity };

// Everything at one instant of a contact.
struct ContactEvaluation {
  ContactState<double> state;
  PairGeometry<double> pair;
  Pose<double> X_BA;
  ContactRates<double> rates;
  Vec2<double> onset = Vec2<double>::Zero();  // while slip is starting: its direction, in C
  bool defined = true;                        // false: no such direction was found

  // A tangential direction given in C, as a unit vector in B's axes.
  Vec3<double> direction_in_B(const Vec2<double>& v) const {
    return ((X_BA.R * pair.A.R).leftCols<2>() * v).normalized();
  }
};

ContactEvaluation evaluate(const Model& model, const ContactSetting& setting,
                           const ContactVector& y);

class ContactField {
 public:
  static constexpr int kSize = kContactSize;
  static constexpr int kGuards = 6;
  ContactField(const Model& model, const ContactSetting& setting)
      : model_(model), setting_(setting) {}
  bool rates(double t, const ContactVector& y, ContactVector& dy,
             Vec<double, kGuards>& guards) const;

 private:
  const Model& model_;
  const ContactSetting& setting_;
};

// Constants of a step in flight: where the nearest points were at its start. They may be lost, when
// no two points of the surfaces face each other; then they are looked for after every step.
struct FlightSetting {
  Location A, B;
  bool lost = false;
};

class FlightField {
 public:
  static constexpr int kSize = kRootSize;
  static constexpr int kGuards = 1;  // gap / ℓ
  FlightField(const Model& model, const FlightSetting& setting)
      : model_(model), setting_(setting) {}
  bool rates(double t, const RootVector& y, RootVector& dy, Vec<double, kGuards>& guards) const;

 private:
  const Model& model_;
  const FlightSetting& setting_;
};

// Nearest points of a body in flight, from the setting's witnesses, or anywhere if they have
// vanished; the status tells whether there are any.
Closest nearest(const Model& model, const FlightSetting& setting, const FreeState<double>& body);
Closest nearest_anywhere(const Model& model, const FreeState<double>& body);

// World pose and twist of A (at its centre of mass, body axes) from contact coordinates.
FreeState<double> free_state(const Model& model, const ContactEvaluation& at);

}  // namespace oloid
