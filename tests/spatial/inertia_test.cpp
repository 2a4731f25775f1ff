#include "oloid/spatial/inertia.h"

#include <gtest/gtest.h>

#include <vector>

#include "spatial/motions.h"
#include "support/rooms.h"

namespace oloid::test::inertia_test {

// J of these generators has entries up to 4; a few products of it stay within this.
constexpr double kTolerance = 4 * kRoundOff;

struct Particle {
  double mass;
  Vec3<double> r;
};

// Particles with their centre of mass at the origin.
std::vector<Particle> some_particles() {
  std::vector<Particle> particles;
  Vec3<double> moment = Vec3<double>::Zero();
  double mass = 0;
  for (int i = 0; i < 5; ++i) {
    particles.push_back({1.5 + *real(), *matrix<3>()});
    moment += particles.back().mass * particles.back().r;
    mass += particles.back().mass;
  }
  for (Particle& p : particles) p.r -= moment / mass;
  return particles;
}

// Σ m (|r|² 1 − r rᵀ) about a point.
Mat3<double> second_moment(const std::vector<Particle>& particles, const Vec3<double>& point) {
  Mat3<double> J = Mat3<double>::Zero();
  for (const Particle& p : particles) {
    const Vec3<double> r = p.r - point;
    J += p.mass * (r.squaredNorm() * Mat3<double>::Identity() - r * r.transpose());
  }
  return J;
}

Inertia<double> inertia_of(const std::vector<Particle>& particles) {
  Inertia<double> M{0, second_moment(particles, Vec3<double>::Zero())};
  for (const Particle& p : particles) M.mass += p.mass;
  return M;
}

RC_GTEST_PROP(Inertia, SteinerMovesTheMomentToAnyPoint, ()) {
  const std::vector<Particle> particles = some_particles();
  const Vec3<double> point = *matrix<3>();
  RC_ASSERT(difference(about(inertia_of(particles), point), second_moment(particles, point)) <=
            8 * kTolerance);
}

RC_GTEST_PROP(Inertia, EnergyAndMomentumAreThoseOfTheParticles, ()) {
  const std::vector<Particle> particles = some_particles();
  const Twist<double> phi = *twist();
  double energy = 0;
  Wrench<double> momentum;
  for (const Particle& p : particles) {
    const Vec3<double> v = phi.v + phi.w.cross(p.r);
    energy += 0.5 * p.mass * v.squaredNorm();
    momentum = momentum + Wrench<double>{p.mass * p.r.cross(v), p.mass * v};
  }
  const Inertia<double> M = inertia_of(particles);
  RC_ASSERT(difference(kinetic_energy(M, phi), energy) <= 8 * kTolerance);
  RC_ASSERT(difference(M * phi, momentum) <= 8 * kTolerance);
}

RC_GTEST_PROP(Inertia, EnergyDoesNotDependOnTheAxes, ()) {
  const Inertia<double> M = *inertia();
  const Mat3<double> R = *rotation();
  const Twist<double> phi = *twist();
  const Twist<double> turned{R * phi.w, R * phi.v};
  RC_ASSERT(difference(kinetic_energy(rotate(R, M), turned), kinetic_energy(M, phi)) <= kTolerance);
}

RC_GTEST_PROP(Inertia, RotationsCompose, ()) {
  const Inertia<double> M = *inertia();
  const Mat3<double> R = *rotation(), S = *rotation();
  RC_ASSERT(difference(rotate(R, rotate(S, M)).J, rotate<double>(R * S, M).J) <= kTolerance);
  RC_ASSERT(difference(rotate(R, M).J.trace(), M.J.trace()) <= kTolerance);
  RC_ASSERT(rotate(R, M).mass == M.mass);
}

RC_GTEST_PROP(Inertia, EnergyOfATurnAboutAFixedPoint, ()) {  // ½ ω·J_p ω
  const Inertia<double> M = *inertia();
  const Vec3<double> w = *matrix<3>(), point = *matrix<3>();
  const Twist<double> phi{w, -w.cross(point)};  // the point is at rest
  RC_ASSERT(difference(kinetic_energy(M, phi), 0.5 * w.dot(about(M, point) * w)) <= 4 * kTolerance);
}

// A free body, M φ' = ad_φᵀ M φ, keeps its energy and its momentum in space.
RC_GTEST_PROP(Inertia, FreeMotionConservesEnergyAndMomentum, ()) {
  const Inertia<double> M = *inertia();
  const Pose<double> X = *pose();
  const Twist<double> phi = *twist();
  const Wrench<double> f = driving_wrench(M, {}, phi);
  const Vec3<double> dw = M.J.inverse() * f.t, dv = f.f / M.mass;
  const Inertia<Time> M_t{M.mass, M.J.cast<Time>()};
  const Twist<Time> phi_t{moving<3, 1>(phi.w, dw), moving<3, 1>(phi.v, dv)};
  const Wrench<double> momentum_rate = rate(transform(moving(X, phi), M_t * phi_t));
  RC_ASSERT(difference(momentum_rate, {}) <= 8 * kTolerance);
  RC_ASSERT(std::abs(kinetic_energy(M_t, phi_t).d[0]) <= 8 * kTolerance);
}

}  // namespace oloid::test::inertia_test
