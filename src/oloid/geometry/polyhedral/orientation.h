// On which side of a plane through three points a fourth one lies: exact, whatever the rounding.
#pragma once

#include <array>

#include "oloid/base/linalg.h"

namespace oloid::geometry {

// The sign of (b − a) × (c − a) · (p − a): 1 if a, b, c run counter-clockwise seen from p, 0 if all
// four lie in a plane. Exact if coordinates are 0 or between 1e-60 and 1e60. First in
// double with an error bound, and where that does not decide in expansions, [Shewchuk97].
int orientation(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
                const Vec3<double>& p);

// (b − a) × (c − a) with each component rounded once: slivers have a normal, too.
Vec3<double> exact_cross(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c);

// A point that is moved by ε q, with ε positive and as small as need be.
struct MovedPoint {
  Vec3<double> p, q;
};

// The same for moved points: never 0 if the q are in general position, and consistent, because
// there is one ε for which all answers hold. After [EdelsbrunnerMuecke90], with a q of one's own
// choice.
int orientation(const std::array<const MovedPoint*, 3>& abc, const MovedPoint& p);

}  // namespace oloid::geometry
