// The right-hand side of a single body on ground at rest, by the types of its shapes and its law:
// {sphere, ellipsoid, any} on {plane, any} × {frictionless, sliding, rolling, no spin}, without
// loads other than gravity. Sizes are known while compiling and nothing of the forest is touched;
// the equations are those of dynamics/contact_kernel.h.
//
// Body axes are those of A's shape and ground axes those of B's shape here, so that no pose of a
// shape in its body has to be applied.
#pragma once

#include "oloid/world/evaluate/guards.h"
#include "oloid/world/model/discrete_state.h"
#include "oloid/world/model/layout.h"

namespace oloid::world {

class SingleContact {
 public:
  explicit SingleContact(const IslandIndex& group);

  // Whether this class can compute the rates. If parent or law have changed, everything that
  // depends on them is selected again.
  bool applies_to(const DiscreteState& discrete) {
    if (!alone_ || !discrete.joints[0].on || !discrete.applied.empty()) return false;
    const Contact& hold = discrete.joints[0];
    if (Key{hold} != key_) choose(hold);
    return rates_ != nullptr;
  }
  // Same as IslandField::rates. Does not allocate.
  bool rates(const Contact& hold, const StateVector& y, StateVector& dy,
             StateVector& guards) const {
    return rates_(*this, hold, y.data(), dy.data(), guards.data());
  }

 private:
  template <class SideA, class SideB, Law L>
  static bool rates_of(const SingleContact& self, const Contact& hold, const double* y, double* dy,
                       double* guards);
  template <class SideA, class SideB>
  void choose_law(Law law);
  template <class SideA>
  void choose_ground(Law law);
  void choose(const Contact& hold);

  using Rates = bool (*)(const SingleContact&, const Contact&, const double*, double*, double*);
  struct Key {
    BodyId parent;
    std::array<Grip, 3> grips{};
    Key() = default;
    explicit Key(const Contact& hold)
        : parent(hold.parent),
          grips{hold.channels[0].grip, hold.channels[1].grip, hold.channels[2].grip} {}
    friend bool operator==(const Key&, const Key&) = default;
  };

  const IslandIndex& group_;
  bool alone_;  // one body, with no loads, in contact-twist form
  Key key_;
  Rates rates_ = nullptr;  // none: the forest's
  // The body, in the axes of its shape.
  BodyInertia<double> body_;
  Vec3<double> shape_at_;  // [m], of the shape's origin, from the centre of mass
  const Shape *shape_A_ = nullptr, *shape_B_ = nullptr;
  const Ellipsoid* ellipsoid_ = nullptr;  // A, if it is one
  // Its ground, in the axes of the ground's shape.
  Vec3<double> weight_;                        // [N]
  Mat3<double> to_ground_;                     // from body axes
  double length_ = 1;                          // [m], ℓ of the pair
  double slip_limit_ = 0, spin_limit_ = 0;     // [1], [m]
  double force_scale_ = 1, moment_scale_ = 1;  // [N], [N m]
};

}  // namespace oloid::world
