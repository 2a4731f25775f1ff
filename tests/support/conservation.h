// What films are held to: momenta of all bodies, and mechanical energy that nothing adds to.
#pragma once

#include <algorithm>
#include <vector>

#include "oloid/spatial/rotation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test {

// Of all bodies that have a mass, about the origin of the world.
struct Momenta {
  Vec3<double> linear{0, 0, 0}, angular{0, 0, 0};
};
inline Momenta momenta(const Spec& spec, const std::vector<BodyFrame>& bodies) {
  Momenta sum;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!spec.bodies[i].mass) continue;
    const BodyFrame& b = bodies[i];
    const double m = spec.bodies[i].mass->value;
    const Mat3<double> R = rotation_matrix(b.orientation);
    sum.linear += m * b.velocity;
    sum.angular += m * b.position.cross(b.velocity) +
                   R * (spec.bodies[i].inertia->value * (R.transpose() * b.angular_velocity));
  }
  return sum;
}

inline double mechanical(const Film::Picture& p) { return p.energy.kinetic + p.energy.potential; }

inline void expect_energy_falls(const Film& f) {
  double energy = mechanical(f.pictures.front());
  Worst growth;
  for (const Film::Picture& p : f.pictures) {
    growth(std::max(0.0, mechanical(p) - energy));
    energy = std::min(energy, mechanical(p));
  }
  EXPECT_LE(growth.value, 1e-9);
}

}  // namespace oloid::test
