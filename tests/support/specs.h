// Scenes built in C++, and a recorder that remembers.
#pragma once

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "oloid/scene/recorder.h"
#include "oloid/scene/spec.h"
#include "oloid/world/model/model.h"
#include "oloid/world/tools/display_mesh.h"
#include "support/rooms.h"

namespace oloid::test {

inline PatchesSpec one_patch(std::vector<std::vector<Vec3<double>>> net) {
  PatchesSpec shape;
  shape.patches.emplace_back().net = std::move(net);
  return shape;
}

inline BodySpec moving_body(ShapeSpec shape, double mass, const Mat3<double>& J) {
  BodySpec body;
  body.name = std::string("body");
  body.shape = Located<ShapeSpec>(std::move(shape));
  body.mass = Located<double>(mass);
  body.inertia = Located<Mat3<double>>(J);
  return body;
}

inline BodySpec ball(double radius, double mass = 1, double k = 0.4) {
  SphereSpec sphere;
  sphere.radius = radius;
  return moving_body(sphere, mass, k * mass * radius * radius * Mat3<double>::Identity());
}

inline BodySpec ground(ShapeSpec shape = PlaneSpec{}) {
  BodySpec body;
  body.name = std::string("ground");
  body.fixed = true;
  body.shape = Located<ShapeSpec>(std::move(shape));
  return body;
}

inline Spec scene(BodySpec moving, BodySpec fixed, double friction, double duration) {
  Spec spec;
  spec.name = "test";
  spec.duration = duration;
  spec.bodies = {std::move(moving), std::move(fixed)};
  PairSpec pair;
  pair.bodies = std::array<std::string, 2>{"body", "ground"};
  pair.law.friction = Located<double>(friction);
  spec.pairs = {pair};
  return spec;
}

// A ball of radius 0.2 m at rest on a plane that slopes down along x.
inline Spec ball_on_slope(double degrees, double friction, double duration) {
  const double a = degrees * std::acos(-1.0) / 180;
  BodySpec moving = ball(0.2);
  moving.position = Vec3<double>(0.2 * std::sin(a), 0, 0.2 * std::cos(a));
  BodySpec slope = ground();
  slope.orientation = Quat<double>{std::cos(a / 2), 0, std::sin(a / 2), 0};
  return scene(moving, slope, friction, duration);
}

// The rattleback of the reference cases: an ellipsoid with inclined inertia, rolling on a plane.
inline Spec rattleback(double duration) {
  EllipsoidSpec ellipsoid;
  ellipsoid.semi_axes = Vec3<double>(0.2, 0.03, 0.02);
  Mat3<double> J;
  J << 2e-4, -2e-5, 0, -2e-5, 1.6e-3, 0, 0, 0, 1.7e-3;
  BodySpec celt = moving_body(ellipsoid, 1, J);
  celt.shape_position = Vec3<double>(0, 0, 0.01);
  celt.position = Vec3<double>(-0.017298920377140307, 0.00030327842475791757, 0.010076953455617245);
  celt.orientation = Quat<double>{0.9999809615320856, 0.004363267749186966, 0.004363267749187381,
                                  1.9038467914351267e-05};
  celt.velocity = Vec3<double>(0.001955944365249508, 0.08692769957252447, 0.0007415366236724416);
  celt.angular_velocity =
      Vec3<double>(-0.04363267749186967, 0.04363101609320878, -4.999619237890978);
  return scene(celt, ground(), INFINITY, duration);
}

// The position that a refusal of overlapping bodies proposes.
inline std::optional<Vec3<double>> proposed_position(const Error& error) {
  Vec3<double> p;
  if (std::sscanf(error.remedy.c_str(), "use position = [%lf, %lf, %lf]", &p.x(), &p.y(), &p.z()) !=
      3)
    return std::nullopt;
  return p;
}

// Where A of a model's first pair, which is apart, touches B: moved along their common normal.
inline std::optional<Vec3<double>> nearest_touching_position(const Model& model) {
  const Pair& pair = model.pair(0);
  const auto& [A, B] = pair.bodies;
  const Pose<double> X_WA = initial_pose(model, A), X_WB = initial_pose(model, B);
  const TrackedPair near = nearest_pair(model.body(A).proximity->search(),
                                        model.body(B).proximity->search(), inverse(X_WB) * X_WA);
  if (!near.usable()) return std::nullopt;
  return X_WA.p - X_WB.R * (near.gap * near.normal);
}

// The given scene with its first body, which moves, shifted until it touches the other one.
inline Spec touching(Spec spec) {
  for (int tries = 0; tries < 4; ++tries) {
    const auto model = compile(spec);
    if (model && !model->touches.empty()) break;
    const auto p =
        model ? nearest_touching_position(*model) : proposed_position(model.error().front());
    if (!p) break;
    spec.bodies[0].position.value = *p;
  }
  return spec;
}

// The given scene, in which the first body touches another, without what its velocity has along
// their common normal: it would be an impact.
inline Spec gliding(Spec spec) {
  const auto model = compile(spec);
  if (!model || model->touches.empty()) return spec;
  const StartContact& touch = model->touches.front();
  const auto& [A, B] = model->pair(touch.pair).bodies;
  const Pose<double> X_WB = initial_pose(*model, B);
  const Vec3<double> n = X_WB.R * touch.near.normal, r = X_WB * touch.near.point_B;
  BodySpec& body = spec.bodies[static_cast<std::size_t>(A.index)];
  const Vec3<double> v =
      body.velocity.value + body.angular_velocity.value.cross(r - model->body(A).start.p_WA);
  body.velocity.value -= v.dot(n) * n;
  return spec;
}

// Remembers the first body and the first pair, if there is one.
struct Memory final : Recorder {
  struct Kept {
    double t;
    int side;
    BodyFrame body;
    ContactFrame contact;
    EnergyFrame energy;
  };
  Header header;
  std::vector<Kept> frames;
  std::vector<Event> events;
  Summary summary;
  int ends = 0;

  void begin(const Header& h) override { header = h; }
  void frame(const Frame& f) override {
    const ContactFrame* contact = first_of(f.contacts, 0);
    frames.push_back(
        {f.t, f.event_side, f.bodies[0], contact ? *contact : ContactFrame{}, f.energy});
  }
  void event(const Event& e) override { events.push_back(e); }
  void end(const Summary& s) override {
    summary = s;
    ++ends;
  }

  std::vector<Event> of(EventKind kind) const {
    std::vector<Event> found;
    for (const Event& e : events) {
      if (e.kind == kind) found.push_back(e);
    }
    return found;
  }
};

}  // namespace oloid::test
