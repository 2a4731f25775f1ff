#include "oloid/world/evaluate/probe.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "laws/difference.h"
#include "oloid/world/simulation.h"
#include "support/allocations.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test::probe_test {

Spec with_probes(Spec spec, const std::vector<std::string>& formulas) {
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    ProbeSpec& probe = spec.probes.emplace_back();
    probe.name = fmt::format("p{}", i);
    probe.formula = formulas[i];
  }
  return spec;
}

// Keeps frames with all they refer to.
struct Keeper final : Recorder {
  struct Kept {
    double t;
    std::vector<BodyFrame> bodies;
    std::vector<ContactFrame> contacts;
    EnergyFrame energy;
    std::vector<double> probes;
  };
  std::vector<Kept> frames;
  void begin(const Header&) override {}
  void frame(const Frame& f) override {
    frames.push_back({f.t,
                      {f.bodies.begin(), f.bodies.end()},
                      {f.contacts.begin(), f.contacts.end()},
                      f.energy,
                      {f.probes.begin(), f.probes.end()}});
  }
  void event(const Event&) override {}
  void end(const Summary&) override {}
};

std::vector<Keeper::Kept> run_frames(const Spec& spec) {
  const auto model = compile(spec);
  EXPECT_TRUE(model);
  State state = initial_state(*model);
  Keeper keeper;
  run(*model, state, keeper);
  return keeper.frames;
}

// Each name is what the frame says.
TEST(Probe, ReadsEveryNumberOfAFrame) {
  std::vector<std::string> formulas{"t"};
  for (const auto part : kEnergyParts) formulas.push_back(fmt::format("energy.{}", part));
  for (const auto part : kBodyParts) formulas.push_back(fmt::format("body.{}", part));
  for (const auto part : kPairParts) formulas.push_back(fmt::format("ground.body.{}", part));
  Spec spec = with_probes(test::rattleback(0.3), formulas);
  spec.output_dt = 0.05;
  const auto frames = run_frames(spec);
  ASSERT_GE(frames.size(), 6u);
  const auto model = compile(spec);
  const Mat3<double> J = model->bodies[0].inertia.J;
  for (const auto& f : frames) {
    const BodyFrame& b = f.bodies[0];
    const ContactFrame& c = f.contacts[0];
    const Mat3<double> R = rotation_matrix(b.orientation);
    const Vec3<double> w = R.transpose() * b.angular_velocity;
    std::vector<double> expected{f.t, f.energy.kinetic, f.energy.potential, f.energy.dissipated,
                                 f.energy.work};
    for (const Vec3<double>& v :
         {b.position, b.velocity, b.angular_velocity, Vec3<double>(R.col(0)),
          Vec3<double>(R.col(1)), Vec3<double>(R.col(2))}) {
      expected.insert(expected.end(), v.data(), v.data() + 3);
    }
    expected.push_back(b.velocity.norm());
    expected.push_back(0.5 * (b.velocity.squaredNorm() + w.dot(J * w)));
    for (const double x : {c.gap, c.normal_force, c.friction.norm(), c.slip.norm(), c.spin})
      expected.push_back(x);
    ASSERT_EQ(f.probes.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(f.probes[i], expected[i], 1e-14 * (1 + std::abs(expected[i]))) << formulas[i];
    // One body: its energy is that of all.
    EXPECT_NEAR(expected[24], f.energy.kinetic, 1e-12);
  }
}

TEST(Probe, DoesNotTouchTheMotion) {
  const Spec plain = test::rattleback(0.5);
  const Spec probed = with_probes(plain, {"sin(body.wz) / body.ground.gap", "log(-1 - t)"});
  const auto hash = [](const Spec& spec) {
    const auto model = compile(spec);
    State state = initial_state(*model);
    Keeper keeper;
    return run(*model, state, keeper).hash;
  };
  EXPECT_EQ(hash(plain), hash(probed));
}

TEST(Probe, AsksForNoMemory) {
  const Spec spec =
      with_probes(test::rattleback(1), {"body.z^2 + body.ground.slip", "atan2(t, body.zz)"});
  const auto model = compile(spec);
  ASSERT_TRUE(model);
  const std::vector<BodyFrame> bodies(2);
  const std::vector<ContactFrame> contacts(1);
  std::vector<double> values;
  evaluate(*model, model->probes, 0, bodies, contacts, {}, values);
  const long before = allocations;
  for (int i = 0; i < 100; ++i)
    evaluate(*model, model->probes, 0.1 * i, bodies, contacts, {}, values);
  EXPECT_EQ(allocations, before);
}

}  // namespace oloid::test::probe_test
