// A ball kept on a plate by a controller: every millisecond it reads where the ball is and sets the
// torque that tilts the plate, which hangs in four springs. Without it the ball rolls off.
#include <oloid/oloid.h>

#include <cmath>
#include <cstdio>

constexpr const char* kScene = R"(
oloid = 1
duration = 5
[output]
dt = 0.05

[[body]]
name = "frame"
fixed = true
position = [0, 0, -9]
material = "steel"
shape = { type = "sphere", radius = 0.1 }

[[body]]
name = "plate"
mass = 10
inertia = [0.84, 0.84, 1.67]
position = [0, 0, 0]
material = "steel"
shape = { type = "box", size = [1, 1, 0.1] }

[[body]]
name = "ball"
mass = 0.5
inertia = [5e-4, 5e-4, 5e-4]
position = [0.12, -0.08, 0.1]
velocity = [0.2, 0.1, 0]
material = "steel"
shape = { type = "sphere", radius = 0.05 }

[[material]]
name = "steel"
friction = 0.5
)";

// The springs: at the corners, such that the plate is in balance with the ball in its middle.
constexpr double kStiffness = 2000, kDamping = 300, kGravity = 9.81, kBallMass = 0.5,
                 kWeight = 10.5 * kGravity;

std::string scene() {
  std::string text = kScene;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      char spring[400];
      std::snprintf(
          spring, sizeof spring,
          "[[spring]]\nbodies = [\"plate\", \"frame\"]\npoints = [[%g, %g, 0], [%g, %g, %.17g]]\n"
          "stiffness = %g\ndamping = %g\n",
          x, y, x, y, 9 + kWeight / (4 * kStiffness), kStiffness, kDamping);
      text += spring;
    }
  }
  return text;
}

// The tilt that brings the ball back, as a torque against the springs; and one against its weight.
oloid::Vec3<double> torque(const oloid::BodyFrame& ball) {
  constexpr double kSpringTorque = 4 * kStiffness * 0.25;  // [N m/rad]
  const auto push = [](double x, double v) {
    return -kSpringTorque * (0.5 * x + 0.45 * v) - kBallMass * kGravity * x;
  };
  return {-push(ball.position.y(), ball.velocity.y()), push(ball.position.x(), ball.velocity.x()),
          0};
}

struct Silent final : oloid::Recorder {
  void begin(const oloid::Header&) override {}
  void frame(const oloid::Frame&) override {}
  void event(const oloid::Event&) override {}
  void end(const oloid::Summary&) override {}
};

int main() {
  const auto spec = oloid::parse_scene(scene(), "ball on plate");
  if (!spec) return std::fprintf(stderr, "%s\n", to_string(spec.error().front()).c_str()), 1;
  const auto model = oloid::compile(*spec);
  if (!model) return std::fprintf(stderr, "%s\n", to_string(model.error().front()).c_str()), 1;
  const oloid::BodyId plate{1}, ball{2};
  for (const bool controlled : {false, true}) {
    Silent recorder;
    oloid::Simulation simulation(*model, recorder);
    for (int k = 1; !simulation.over(); ++k) {
      simulation.advance_to(1e-3 * k);
      if (controlled) simulation.set_load(plate, {0, 0, 0}, torque(simulation.body(ball)));
    }
    const oloid::BodyFrame end = simulation.body(ball);
    std::printf("%s: %s after %.2f s, %.2g m from the middle\n",
                controlled ? "with the controller" : "without it",
                end.position.z() > 0 && simulation.t() == model->t_end ? "on the plate"
                                                                       : "not on the plate",
                simulation.t(), std::hypot(end.position.x(), end.position.y()));
  }
}
