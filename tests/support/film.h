// Scenes of several bodies built in C++, run and remembered with all bodies and contacts.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "oloid/world/simulation.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test {

struct Film final : Recorder {
  struct Picture {
    double t = 0;
    int side = 0;
    std::vector<BodyFrame> bodies;
    std::vector<ContactFrame> contacts;  // of each pair the first; separated where it is far apart
    EnergyFrame energy;
  };
  Header header;
  std::vector<Picture> pictures;
  std::vector<Event> events;
  Summary summary;

  void begin(const Header& h) override { header = h; }
  void frame(const Frame& f) override {
    pictures.push_back({f.t,
                        f.event_side,
                        {f.bodies.begin(), f.bodies.end()},
                        std::vector<ContactFrame>(header.pairs.size()),
                        f.energy});
    for (std::size_t i = 0; i < header.pairs.size(); ++i) {
      if (const ContactFrame* c = first_of(f.contacts, static_cast<int>(i)))
        pictures.back().contacts[i] = *c;
    }
  }
  void event(const Event& e) override { events.push_back(e); }
  void end(const Summary& s) override { summary = s; }

  std::vector<Event> of(EventKind kind) const {
    std::vector<Event> found;
    for (const Event& e : events) {
      if (e.kind == kind) found.push_back(e);
    }
    return found;
  }
  std::size_t index(const std::string& name) const {
    for (std::size_t i = 0; i < header.bodies.size(); ++i) {
      if (header.bodies[i] == name) return i;
    }
    ADD_FAILURE() << "no body " << name;
    return 0;
  }
  // The contact of two bodies, whoever of them is A.
  std::size_t contact(const std::string& one, const std::string& other) const {
    const auto is = [](BodyId id, std::size_t i) {
      return static_cast<std::size_t>(id.index) == i;
    };
    const std::size_t i = index(one), j = index(other);
    for (std::size_t c = 0; c < header.pairs.size(); ++c) {
      const auto& [A, B] = header.pairs[c];
      if ((is(A, i) && is(B, j)) || (is(A, j) && is(B, i))) return c;
    }
    ADD_FAILURE() << "no contact of " << one << " and " << other;
    return 0;
  }
  const BodyFrame& last(const std::string& name) const { return summary.bodies[index(name)]; }
  const Picture& at(double t) const {
    for (const Picture& p : pictures) {
      if (p.side == 0 && std::abs(p.t - t) < 1e-9) return p;
    }
    ADD_FAILURE() << "no frame at " << t;
    return pictures.back();
  }
  double drift() const { return summary.energy.max_relative_drift; }
  bool ended() const { return !events.empty() && events.back().kind == EventKind::end; }
};

struct Start {
  Vec3<double> position{0, 0, 0};          // [m]
  Vec3<double> velocity{0, 0, 0};          // [m/s]
  Vec3<double> angular_velocity{0, 0, 0};  // [rad/s]
};
inline BodySpec named(const std::string& name, BodySpec body, const Start& start = {}) {
  body.name = name;
  body.position = start.position;
  body.velocity = start.velocity;
  body.angular_velocity = start.angular_velocity;
  return body;
}
inline BodySpec ellipsoid(const Vec3<double>& semi_axes, double mass) {
  EllipsoidSpec shape;
  shape.semi_axes = semi_axes;
  const Vec3<double> s = semi_axes.cwiseAbs2();
  const Vec3<double> J(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return moving_body(shape, mass, 0.2 * mass * J.asDiagonal().toDenseMatrix());
}
inline BodySpec table() { return named("table", ground()); }

inline PairSpec law(const std::string& a, const std::string& b, double friction,
                    double restitution = 0) {
  PairSpec pair;
  pair.bodies = std::array<std::string, 2>{a, b};
  pair.law.friction = Located<double>(friction);
  pair.law.restitution = Located<double>(restitution);
  return pair;
}
inline SpringSpec spring(const std::string& a, const std::string& b, double stiffness,
                         double damping = 0, double length = 0) {
  SpringSpec result;
  result.bodies = std::array<std::string, 2>{a, b};
  result.stiffness = stiffness;
  result.damping = damping;
  result.length = length;
  return result;
}
inline LoadSpec force(const std::string& body, const std::array<std::string, 3>& formulas) {
  LoadSpec load;
  load.body = body;
  load.force = FormulasSpec(formulas);
  return load;
}

// Pairs without a law are frictionless.
inline void complete_laws(Spec& spec) {
  const auto given = [&](const std::string& a, const std::string& b) {
    for (const PairSpec& pair : spec.pairs) {
      const auto& names = pair.bodies.value;
      if ((names[0] == a && names[1] == b) || (names[0] == b && names[1] == a)) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::string &a = spec.bodies[i].name.value, &b = spec.bodies[j].name.value;
      if (!given(a, b)) spec.pairs.push_back(law(a, b, 0));
    }
  }
}

inline Spec scene_of(std::vector<BodySpec> bodies, std::vector<PairSpec> laws, double duration) {
  Spec spec;
  spec.name = "test";
  spec.duration = duration;
  spec.bodies = std::move(bodies);
  spec.pairs = std::move(laws);
  return spec;
}

inline Film film(Spec spec, int threads = 0) {
  Film result;
  complete_laws(spec);
  const auto model = compile(spec);
  EXPECT_TRUE(model) << (model ? "" : to_string(model.error().front()));
  if (!model) return result;
  State state = initial_state(*model);
  Control control;
  control.threads = threads;
  run(*model, state, result, control);
  return result;
}

// The largest of many errors, so that a law that fails does so once. Keeps what is not a number.
struct Worst {
  double value = 0;
  void operator()(double error) {
    if (!(std::abs(error) <= value)) value = std::abs(error);
  }
};

inline double distance(const BodyFrame& a, const BodyFrame& b) {
  return (a.position - b.position).norm() + (a.velocity - b.velocity).norm() +
         (a.angular_velocity - b.angular_velocity).norm();
}

}  // namespace oloid::test
