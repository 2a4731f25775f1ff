// Poses of two bodies: with a gap that is known exactly, at random and along smooth motions.
#pragma once

#include <functional>
#include <random>
#include <vector>

#include "proximity/bodies.h"
#include "support/rooms.h"

namespace oloid::bench {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  Vec3<double> direction();
  Mat3<double> rotation();

 private:
  std::mt19937_64 engine_;
};

inline constexpr int kSteps = 256;  // of a closed motion, 1 ms each

// A touching point and its outward normal, in the body's frame, as they run round a closed course.
struct Touch {
  Vec3<double> p, n;
};
using Course = std::function<Touch(double phase)>;

// Over smooth bodies and the sides of cylinders; of polyhedra on a face, which stays the same.
Course course_over(const ConvexBody& body, Random& random);
// A vertex of a polyhedron that is leant on, with normals inside its cone.
Course course_at_vertex(const ConvexBody& body, Random& random);

// Both courses, facing each other: the signed distance is the gap, whatever the phase.
struct KnownPair {
  Course A, B;
  Vec3<double> axis_A, axis_B;  // z, or x where the normal is near z
  double psi;                   // about the normal, from B's axis to A's

  KnownPair(const ConvexBody& body_A, const ConvexBody& body_B, Random& random);
  Pose<double> pose(double phase, double gap) const;
};

// Closed motions of kSteps poses at 1 kHz: about ±10 mm and ±0.1 rad round a pose.
std::vector<Pose<double>> motion_about(const Pose<double>& X_BA, Random& random);

}  // namespace oloid::bench
