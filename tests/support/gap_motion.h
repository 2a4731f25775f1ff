// How fast a gap opens, and how that changes, while both bodies move. Published vectors tell it so,
// in a frame that does not move (closest_point_tracking.json, multi_contact.json, rolling.json);
// ExtremalPair::rates, which they test, tells motions relative to B.
#pragma once

#include "oloid/contact/extremal_pair.h"
#include "support/rooms.h"

namespace oloid::test {

// Motion of a rigid body at an instant, in a frame that does not move.
struct SpatialMotion {
  Vec3<double> centre{0, 0, 0};                   // [m]
  Vec3<double> v{0, 0, 0}, w{0, 0, 0};            // [m/s], [rad/s]
  Vec3<double> v_rate{0, 0, 0}, w_rate{0, 0, 0};  // [m/s²], [rad/s²]
  Vec3<double> velocity(const Vec3<double>& p) const { return v + w.cross(p - centre); }
  Vec3<double> acceleration(const Vec3<double>& p) const {
    return v_rate + w_rate.cross(p - centre) + w.cross(w.cross(p - centre));
  }
};

// Of a pair given in the frame in which both bodies move. [Baraff90] Eq. 49 with a unit normal:
//   χ'' = n·(a_A − a_B) + n·(ω_A × s_A − ω_B × s_B) + n'·(V_A − V_B)
struct GapMotion {
  Vec3<double> s_A, s_B;  // [m/s], ways of the points over their bodies
  Vec3<double> n_rate;    // [1/s]
  double rate;            // [m/s]
  double acceleration;    // [m/s²]
};
inline GapMotion gap_motion(const ExtremalPair& pair, const SpatialMotion& A,
                            const SpatialMotion& B) {
  const Vec3<double>&n = pair.n, &p_A = pair.A.p, &p_B = pair.B.p;
  const Vec3<double> w = A.w - B.w;
  // About the origin, relative to B: B's tangents turn along with n.
  const PairStep step =
      pair.rates({w, A.velocity(Vec3<double>::Zero()) - B.velocity(Vec3<double>::Zero())});
  GapMotion motion;
  motion.s_A = pair.A.E * step.s_A;
  motion.s_B = pair.B.E * step.s_B;
  motion.n_rate = step.n + B.w.cross(n);
  const Vec3<double> approach = A.velocity(p_A) - B.velocity(p_B);
  motion.rate = n.dot(approach);
  motion.acceleration = n.dot(A.acceleration(p_A) - B.acceleration(p_B)) +
                        n.dot(A.w.cross(motion.s_A) - B.w.cross(motion.s_B)) +
                        motion.n_rate.dot(approach);
  return motion;
}

}  // namespace oloid::test
