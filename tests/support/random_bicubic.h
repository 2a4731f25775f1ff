// Two random bicubic patches in contact, with bodies that carry them: light enough for thousands.
#pragma once

#include "laws/random.h"
#include "oloid/contact/contact_matrix.h"
#include "oloid/dynamics/contact_kernel.h"
#include "oloid/geometry/bezier/bezier.h"
#include "oloid/spatial/rotation.h"
#include "support/rooms.h"

namespace oloid::test {

inline Mat3<double> random_rotation(Random& random) {
  const Vec3<double> axis = random.direction();
  return axis_angle<double>(axis, random(-3, 3));
}

// z ≈ height − bend (x² + 0.7 y²) over a skew square metre, normals up, then turned as a whole.
inline BicubicPatch random_bicubic(Random& random, double bend, double height) {
  const Mat3<double> R = random_rotation(random);
  BicubicPatch::Net net;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double x = static_cast<double>(i) / 3 - 0.5, y = static_cast<double>(j) / 3 - 0.5;
      const Vec3<double> noise = random.vector<3>(-0.02, 0.02);
      net[i][j] = R * (Vec3<double>(x + 0.2 * y, y, height - bend * (x * x + 0.7 * y * y)) + noise);
    }
  }
  return BicubicPatch(net);
}

inline BodyInertia<double> random_body(Random& random) {
  const double mass = random(0.5, 2);
  const Mat3<double> R = random_rotation(random);
  const Vec3<double> moments = mass * random.vector<3>(0.05, 0.1);
  const Mat3<double> J = R * moments.asDiagonal() * R.transpose();
  return {mass, 1 / mass, J, J.inverse()};
}

template <class S>
ParametricPair<S> parametric_pair(const BicubicPatch& A, const BicubicPatch& B, const Vec5<S>& q) {
  return {parametric_side(A.jet<3>(Uv<S>(q.template segment<2>(0)))),
          parametric_side(B.jet<3>(Uv<S>(q.template segment<2>(2))))};
}

struct BicubicContact {
  BicubicPatch A, B;
  BodyInertia<double> body_A, body_B;
  Vec5<double> q, rates;  // rates of all five coordinates
  Wrench<double> load_A, load_B;

  explicit BicubicContact(Random& random)
      : A(random_bicubic(random, 1.2, 0.3)),
        B(random_bicubic(random, -0.1, 0.2)),
        body_A(random_body(random)),
        body_B(random_body(random)) {
    q << random.vector<4>(0.2, 0.8), random(-3, 3);
    rates = random.vector<5>(-2, 2);
    load_A.t = random.vector<3>(-1, 1);
    load_A.f = random.vector<3>(-10, 10);
    load_B.t = random.vector<3>(-1, 1);
    load_B.f = random.vector<3>(-10, 10);
  }

  template <class S>
  ParametricPair<S> pair(const Vec5<S>& at) const {
    return parametric_pair<S>(A, B, at);
  }
  ParametricPair<double> pair() const { return pair<double>(q); }
};

}  // namespace oloid::test
