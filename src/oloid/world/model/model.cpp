#include "oloid/world/model/model.h"

#include <algorithm>
#include <cmath>

namespace oloid::world {

double Body::gyration() const { return std::sqrt(0.5 * inertia.J.trace() * inertia.inverse_mass); }

BodyMotion Body::at_start() const {
  if (!moves) return motion.at(0);
  BodyMotion now;
  now.X_WB = {rotation_matrix(start.q_WA), start.p_WA};
  now.phi = start.phi;
  return now;
}

Pair Model::pair(int i) const {
  Pair made;
  made.bodies = pairs[static_cast<std::size_t>(i)];
  const Body &A = body(made.bodies[0]), &B = body(made.bodies[1]);
  const PairLaw* law = laws.find(made.bodies[0], made.bodies[1]);
  OLOID_EXPECT(law);
  made.law = *law;
  const double a = A.radius(), b = B.radius();
  made.length = std::min(a, b);
  if (!std::isfinite(made.length)) made.length = A.gyration();
  made.reach = a + b;
  made.convex = A.proximity->search().convex() && B.proximity->search().convex();
  return made;
}

}  // namespace oloid::world
