// The forces that one contact can bear: a normal force that presses, and for each channel at rest
// (slip, spin, roll) a force of one or two components that the normal force limits.
#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <span>

#include "oloid/base/rooms.h"

namespace oloid::numerics {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

struct ConeChannel {
  int width;     // 1 or 2 components
  double limit;  // |λ_channel| ≤ limit λ_n; > 0, or kUnlimited
};

// λ_n is component `first` of all forces; the channels follow it in their order. A contact without
// channels is frictionless, or slides: then its friction is part of the column of λ_n
// (docs/theory/contact_problem.md eq. 2).
struct ForceCone {
  int first;
  int channels = 0;
  std::array<ConeChannel, 3> channel{};

  int size() const {
    int n = 1;
    for (int k = 0; k < channels; ++k) n += channel[static_cast<std::size_t>(k)].width;
    return n;
  }
};

// Calls f(first component, channel) for each channel of a contact.
template <class F>
void for_each_channel(const ForceCone& cone, const F& f) {
  int at = cone.first + 1;
  for (int k = 0; k < cone.channels; ++k) {
    const ConeChannel& channel = cone.channel[static_cast<std::size_t>(k)];
    f(at, channel);
    at += channel.width;
  }
}

// How far forces are inside the cone [N], negative outside: docs/theory/contact_problem.md eq. 9.
double slack(const ForceCone& cone, const Eigen::VectorXd& force);
double least_slack(std::span<const ForceCone> cones, const Eigen::VectorXd& force);

}  // namespace oloid::numerics
