#include "oloid/io/plot/plot_quantity.h"

#include <cmath>
#include <limits>

namespace oloid::io {
namespace {

using Of = PlotQuantity::Of;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view kEnergyParts[] = {"kinetic", "potential", "dissipated", "total", "work"};
constexpr std::string_view kVectorParts[] = {"x", "y", "z", "norm", "up"};
constexpr std::string_view kLengthFirst[] = {"norm", "x", "y", "z", "up"};
constexpr std::string_view kQuaternionParts[] = {"w", "x", "y", "z"};

// The potential is relative to the start, since its zero is arbitrary.
double energy(const PlotSample& s, std::size_t, std::size_t part) {
  const EnergyFrame& e = s.frame.energy;
  const double potential = e.potential - s.start.potential;
  const double values[] = {e.kinetic, potential, e.dissipated, e.kinetic + potential, e.work};
  return values[part];
}

// Error of the energy balance [J].
double energy_error(const PlotSample& s, std::size_t, std::size_t) {
  return std::abs(s.frame.energy.balance() - s.start.balance());
}

double part_of(const Vec3<double>& v, const Vec3<double>& up, std::string_view part) {
  if (part == "norm") return v.norm();
  if (part == "up") return v.dot(up);
  return v[part[0] - 'x'];
}

template <Vec3<double> BodyFrame::*Member>
double of_body(const PlotSample& s, std::size_t body, std::size_t part) {
  return part_of(s.frame.bodies[body].*Member, s.up, kVectorParts[part]);
}
double orientation(const PlotSample& s, std::size_t body, std::size_t part) {
  const Quat<double>& q = s.frame.bodies[body].orientation;
  const double values[] = {q.w, q.x, q.y, q.z};
  return values[part];
}

// Value for the first contact of a pair; none while the bodies are far apart.
template <Vec3<double> ContactFrame::*Member>
double of_contact(const PlotSample& s, std::size_t pair, std::size_t part) {
  const ContactFrame* c = first_of(s.frame.contacts, static_cast<int>(pair));
  return c ? part_of(c->*Member, s.up, kVectorParts[part]) : kNone;
}
template <Vec3<double> ContactFrame::*Member>
double length_of(const PlotSample& s, std::size_t pair, std::size_t part) {
  const ContactFrame* c = first_of(s.frame.contacts, static_cast<int>(pair));
  return c ? part_of(c->*Member, s.up, kLengthFirst[part]) : kNone;
}
template <double ContactFrame::*Member>
double number_of(const PlotSample& s, std::size_t pair, std::size_t) {
  const ContactFrame* c = first_of(s.frame.contacts, static_cast<int>(pair));
  return c ? c->*Member : kNone;
}
// Bodies that are apart neither slip nor spin on each other.
template <double (*Value)(const PlotSample&, std::size_t, std::size_t)>
double if_closed(const PlotSample& s, std::size_t pair, std::size_t part) {
  const ContactFrame* c = first_of(s.frame.contacts, static_cast<int>(pair));
  return c && c->mode != Mode::separated ? Value(s, pair, part) : kNone;
}
// There is no force between bodies that are far apart.
template <double (*Value)(const PlotSample&, std::size_t, std::size_t)>
double or_zero(const PlotSample& s, std::size_t pair, std::size_t part) {
  return first_of(s.frame.contacts, static_cast<int>(pair)) ? Value(s, pair, part) : 0;
}

constexpr PlotQuantity kQuantities[] = {
    {"energy", "Energy", "J", Of::run, kEnergyParts, 5, energy,
     "its parts; potential energy is relative to the start, total is kinetic + potential"},
    {"energy_error",
     "Energy error",
     "",
     Of::run,
     {},
     1,
     energy_error,
     "error of the energy balance at frames, which are interpolated between steps; relative to m g "
     "l + the largest kinetic energy of all frames"},
    {"mode", "Mode", "", Of::contact, {}, 1, nullptr, "state of the contact, as a band"},
    {"gap",
     "Gap",
     "m",
     Of::contact,
     {},
     1,
     number_of<&ContactFrame::gap>,
     "negative where bodies overlap"},
    {"slip", "Slip", "m/s", Of::contact, kLengthFirst, 1, if_closed<length_of<&ContactFrame::slip>>,
     "of A relative to B"},
    {"spin",
     "Spin",
     "rad/s",
     Of::contact,
     {},
     1,
     if_closed<number_of<&ContactFrame::spin>>,
     "of A relative to B about the normal"},
    {"normal_force",
     "Normal force",
     "N",
     Of::contact,
     {},
     1,
     or_zero<number_of<&ContactFrame::normal_force>>,
     "compression is positive"},
    {"friction", "Friction", "N", Of::contact, kLengthFirst, 1,
     or_zero<length_of<&ContactFrame::friction>>, "force on A"},
    {"moment", "Moment at the contact", "N m", Of::contact, kLengthFirst, 1,
     or_zero<length_of<&ContactFrame::moment>>, "resistance to rolling and spinning, on A"},
    {"point_a", "Point of A", "m", Of::contact, kVectorParts, 3, of_contact<&ContactFrame::point_A>,
     "contact point or nearest point"},
    {"point_b", "Point of B", "m", Of::contact, kVectorParts, 3, of_contact<&ContactFrame::point_B>,
     "contact point or nearest point"},
    {"normal", "Normal", "", Of::contact, kVectorParts, 3, of_contact<&ContactFrame::normal>,
     "pointing out of A"},
    {"psi",
     "Contact angle",
     "rad",
     Of::contact,
     {},
     1,
     number_of<&ContactFrame::psi>,
     "between the charts of both surfaces"},
    {"position", "Position", "m", Of::body, kVectorParts, 3, of_body<&BodyFrame::position>,
     "of the centre of mass"},
    {"velocity", "Velocity", "m/s", Of::body, kVectorParts, 3, of_body<&BodyFrame::velocity>,
     "of the centre of mass"},
    {"angular_velocity", "Angular velocity", "rad/s", Of::body, kVectorParts, 3,
     of_body<&BodyFrame::angular_velocity>, "in world axes"},
    {"orientation", "Orientation", "", Of::body, kQuaternionParts, 4, orientation,
     "unit quaternion that rotates body axes into world axes"},
};

}  // namespace

std::span<const PlotQuantity> plot_quantities() { return kQuantities; }

}  // namespace oloid::io
