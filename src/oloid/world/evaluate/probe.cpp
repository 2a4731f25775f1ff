#include "oloid/world/evaluate/probe.h"

#include <algorithm>
#include <cmath>

#include "oloid/world/model/model.h"

namespace oloid::world {
namespace {

// ½ m v² + ½ ω · J ω, with ω in body axes.
double kinetic(const BodyInertia<double>& M, const BodyFrame& body, const Mat3<double>& R_WB) {
  const Vec3<double> w = R_WB.transpose() * body.angular_velocity;
  return 0.5 * (M.mass * body.velocity.squaredNorm() + w.dot(M.J * w));
}

// In the order of kBodyParts.
double of_body(const Body& body, const BodyFrame& at, std::int32_t part) {
  if (part < 3) return at.position(part);
  if (part < 6) return at.velocity(part - 3);
  if (part < 9) return at.angular_velocity(part - 6);
  if (part == 18) return at.velocity.norm();
  const Mat3<double> R_WB = rotation_matrix(at.orientation);
  if (part == 19) return kinetic(body.inertia, at, R_WB);
  return R_WB((part - 9) % 3, (part - 9) / 3);
}

// The gap of bodies that touch, or are just meeting, is exactly zero, without round-off.
double gap_of(const Pair& pair, const ContactFrame& at) {
  return at.mode != Mode::separated || std::abs(at.gap) <= 1e-12 * pair.length ? 0 : at.gap;
}

// In the order of kPairParts.
double of_pair(const Pair& pair, const ContactFrame& at, std::int32_t part) {
  switch (part) {
    case 0:
      return gap_of(pair, at);
    case 1:
      return at.normal_force;
    case 2:
      return at.friction.norm();
    case 3:
      return at.slip.norm();
    default:
      return at.spin;
  }
}

double of_energy(const EnergyFrame& energy, std::int32_t part) {
  const double parts[] = {energy.kinetic, energy.potential, energy.dissipated, energy.work};
  return parts[part];
}

}  // namespace

std::vector<int> pairs_asked_for(const Model& model) {
  std::vector<int> pairs;
  for (const std::vector<Probe>* probes : {&model.probes, &model.stops}) {
    for (const Probe& probe : *probes) {
      for (const ProbeVariable& variable : probe.variables)
        if (variable.of == ProbeVariable::Of::pair) pairs.push_back(variable.item);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

void evaluate(const Model& model, std::span<const Probe> probes, double t,
              std::span<const BodyFrame> bodies, std::span<const ContactFrame> contacts,
              const EnergyFrame& energy, std::vector<double>& values) {
  const auto value = [&](const ProbeVariable& variable) {
    const auto item = static_cast<std::size_t>(variable.item);
    switch (variable.of) {
      case ProbeVariable::Of::time:
        break;
      case ProbeVariable::Of::energy:
        return of_energy(energy, variable.part);
      case ProbeVariable::Of::body:
        return of_body(model.bodies[item], bodies[item], variable.part);
      case ProbeVariable::Of::pair:
        return of_pair(model.pair(variable.item), *first_of(contacts, variable.item),
                       variable.part);
    }
    return t;
  };
  values.resize(probes.size());
  std::array<double, Probe::kMostVariables> arguments;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const auto& variables = probes[i].variables;
    std::transform(variables.begin(), variables.end(), arguments.begin(), value);
    values[i] = probes[i].formula(std::span<const double>(arguments.data(), variables.size()));
  }
}

}  // namespace oloid::world
