// The state of the world at one instant, as plain data for recorders. SI units, world axes.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "oloid/base/linalg.h"
#include "oloid/scene/event.h"
#include "oloid/spatial/rotation.h"

namespace oloid::scene {

struct BodyFrame {
  Vec3<double> position{0, 0, 0};  // [m], of the centre of mass
  Quat<double> orientation;        // body to world, w ≥ 0 not enforced: continuous in time
  Vec3<double> velocity{0, 0, 0};  // [m/s], of the centre of mass
  Vec3<double> angular_velocity{0, 0, 0};  // [rad/s]
  bool ended = false;  // its island could not be continued: it stays where it is
};

// A contact, or the nearest points of two bodies that are apart. Forces act on A; compression is
// positive. While separated, forces are 0 and the points are the nearest ones, or not a number
// where no two points of the surfaces face each other.
struct ContactFrame {
  ContactId id;     // for as long as the bodies touch there; invalid while they are apart
  int pair = 0;     // place in Header::pairs
  int ordinal = 0;  // among the contacts of the pair
  std::array<ContactFeature, 2> features{};  // that it lies on: of A, of B
  Mode mode = Mode::separated;
  double gap = 0;                  // [m], negative when the bodies overlap
  Vec3<double> point_A{0, 0, 0};   // [m], nearest or touching point of A
  Vec3<double> point_B{0, 0, 0};   // [m]
  Vec3<double> normal{0, 0, 0};    // outward from A, into B
  Vec3<double> slip{0, 0, 0};      // [m/s], of A's touching particle relative to B's
  double spin = 0;                 // [rad/s], of A relative to B about `normal`
  double normal_force = 0;         // [N]
  Vec3<double> friction{0, 0, 0};  // [N]
  Vec3<double> moment{0, 0, 0};    // [N m], about the contact: resistance to rolling and spinning
  // Contact coordinates: chart and location ((u, v, 0), or a point of an implicit surface), angle.
  ChartId chart_A, chart_B;
  Vec3<double> location_A{0, 0, 0};
  Vec3<double> location_B{0, 0, 0};
  double psi = 0;  // [rad], unwrapped
};

struct EnergyFrame {  // [J]
  double kinetic = 0;
  double potential = 0;
  double dissipated = 0;  // since the start
  double work = 0;        // by loads without a potential and by drives, since the start

  // Constant but for errors of integration.
  double balance() const { return kinetic + potential + dissipated - work; }
};

struct Frame {
  double t = 0;  // [s]
  // 0: at a multiple of the output interval; -1, +1: state before and after the event at this time;
  // -1 without an event: where the run ends.
  int event_side = 0;
  std::span<const BodyFrame> bodies;
  // What touches, and what is near: of a pair that is farther apart there is no row. In the order
  // of pairs, then ordinals.
  std::span<const ContactFrame> contacts;
  EnergyFrame energy;
  std::span<const double> probes{};  // values, in the order of Header::probes
  const Event* event = nullptr;  // that a frame of side -1 or +1 belongs to; it comes after them
  bool whole = true;             // otherwise only what the event concerns is told: `concerns` below
};

// The first contact of a pair, or where it is nearest; none if it is far apart. Rows are in order.
inline const ContactFrame* first_of(std::span<const ContactFrame> contacts, int pair) {
  const auto at = std::lower_bound(contacts.begin(), contacts.end(), pair,
                                   [](const ContactFrame& c, int p) { return c.pair < p; });
  return at != contacts.end() && at->pair == pair ? &*at : nullptr;
}

// Whether a frame tells of a body or contact what is not also in others: one before or after an
// event does of what the event concerns.
inline bool concerns(const Frame& frame, std::size_t body) {
  if (!frame.event) return true;
  const auto is = [body](BodyId id) {
    return id.valid() && static_cast<std::size_t>(id.index) == body;
  };
  return is(frame.event->bodies[0]) || is(frame.event->bodies[1]);
}
inline bool concerns(const Frame& frame, const ContactFrame& contact) {
  return !frame.event || frame.event->pair == contact.pair;
}

}  // namespace oloid::scene
