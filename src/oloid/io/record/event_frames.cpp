#include "oloid/io/record/event_frames.h"

#include <algorithm>
#include <cmath>

#include "oloid/io/record/record_layout.h"

namespace oloid::io {
namespace {

double along(double a, double b, double s) { return a + s * (b - a); }

// Where a body is at s in [0, 1] of a time h: a cubic through both places with both velocities.
BodyFrame between(const BodyFrame& a, const BodyFrame& b, double s, double h) {
  BodyFrame x = a;
  const double r = 1 - s;
  const Vec3<double> d = b.position - a.position;
  x.position = a.position + s * d + s * r * (r * (h * a.velocity - d) - s * (h * b.velocity - d));
  x.velocity = a.velocity + s * (b.velocity - a.velocity);
  x.angular_velocity = a.angular_velocity + s * (b.angular_velocity - a.angular_velocity);
  const Quat<double> q = nearer_sign(b.orientation, a.orientation);
  const Quat<double> mixed{along(a.orientation.w, q.w, s), along(a.orientation.x, q.x, s),
                           along(a.orientation.y, q.y, s), along(a.orientation.z, q.z, s)};
  x.orientation = unit(mixed);
  return x;
}

ContactFrame between(const ContactFrame& a, const ContactFrame& b, double s) {
  ContactFrame c = a;
  for (const auto& column : kContactColumns) {
    if (column.type != ColumnType::number) continue;
    double x[kWidest], y[kWidest];
    column.get(a, x);
    column.get(b, y);
    for (std::size_t i = 0; i < column.width; ++i) x[i] = along(x[i], y[i], s);
    column.set(c, x);
  }
  return c;
}

// Where t lies between t0 and t1, from 0 to 1.
double part(double t0, double t, double t1) { return t1 > t0 ? (t - t0) / (t1 - t0) : 0; }

}  // namespace

void EventFrames::begin(const Frame& start, const Frame* end, EventStates states) {
  end_ = end;
  states_ = std::move(states);
  body_row_ = contact_row_ = 0;
  last_bodies_.clear();
  for (const BodyFrame& body : start.bodies) last_bodies_.push_back({start.t, body});
  last_contacts_.clear();
  for (const ContactFrame& contact : start.contacts) last_contacts_.push_back({start.t, contact});
  start_energy_ = start.energy;
  last_probes_ = {start.t, {start.probes.begin(), start.probes.end()}};
  rows_of_body_.assign(start.bodies.size(), {});
  for (std::size_t i = states_.bodies.size(); i-- > 0;)
    rows_of_body_[states_.bodies[i].body].push_back(i);
}

Frame EventFrames::frame(std::size_t event, int side) {
  const Event& e = record_.events()[event];
  place_bodies(e.t);
  for (; has(event) && states_.bodies[body_row_].side == side; ++body_row_) {
    const EventStates::Body& known = states_.bodies[body_row_];
    bodies_[known.body] = known.frame;
    last_bodies_[known.body] = {e.t, known.frame};
    rows_of_body_[known.body].pop_back();
  }
  place_contacts(e.t, e.pair);
  std::erase_if(last_contacts_, [&](const auto& known) { return known.frame.pair == e.pair; });
  for (; contact_row_ < states_.contacts.size(); ++contact_row_) {
    const EventStates::Contact& known = states_.contacts[contact_row_];
    if (known.event != event || known.side != side) break;
    contacts_.push_back(known.frame);
    last_contacts_.push_back({e.t, known.frame});
  }
  const auto in_order = [](const ContactFrame& a, const ContactFrame& b) {
    return a.pair != b.pair ? a.pair < b.pair : a.ordinal < b.ordinal;
  };
  std::sort(contacts_.begin(), contacts_.end(), in_order);
  probes_ = last_probes_.frame;
  for (std::size_t i = 0; end_ && i < probes_.size(); ++i)
    probes_[i] = along(probes_[i], end_->probes[i], part(last_probes_.t, e.t, end_->t));
  const auto& known = record_.event_energy(event);
  EnergyFrame energy = side < 0 ? known.before : known.after;
  if (std::isnan(energy.kinetic)) energy = energy_at(e.t);
  return {e.t, side, bodies_, contacts_, energy, probes_, &e};
}

// In scenes of many bodies energies are known at frames only.
EnergyFrame EventFrames::energy_at(double t) const {
  if (!end_) return start_energy_;
  const double s = part(last_probes_.t, t, end_->t);
  const EnergyFrame &a = start_energy_, &b = end_->energy;
  return {along(a.kinetic, b.kinetic, s), along(a.potential, b.potential, s),
          along(a.dissipated, b.dissipated, s), along(a.work, b.work, s)};
}

void EventFrames::place_bodies(double t) {
  bodies_.clear();
  for (std::size_t i = 0; i < last_bodies_.size(); ++i) {
    const auto& [t0, last] = last_bodies_[i];
    const EventStates::Body* row =
        rows_of_body_[i].empty() ? nullptr : &states_.bodies[rows_of_body_[i].back()];
    if (row) {
      const double t1 = record_.events()[row->event].t;
      bodies_.push_back(between(last, row->frame, part(t0, t, t1), t1 - t0));
    } else {
      bodies_.push_back(end_ ? between(last, end_->bodies[i], part(t0, t, end_->t), end_->t - t0)
                             : last);
    }
  }
}

// All but those of one pair.
void EventFrames::place_contacts(double t, int pair) {
  contacts_.clear();
  for (const auto& [t0, last] : last_contacts_) {
    if (last.pair == pair) continue;
    const ContactFrame* next = end_ ? first_of(end_->contacts, last.pair) : nullptr;
    const bool same = next && next->id == last.id && next->ordinal == last.ordinal;
    contacts_.push_back(same ? between(last, *next, part(t0, t, end_->t)) : last);
  }
}

}  // namespace oloid::io
