// A user's first program: turns a vector by the installed library.
#include <cmath>
#include <cstdio>

#include "oloid/base/version.h"
#include "oloid/spatial/rotation.h"

int main() {
  const double half = std::sqrt(0.5);  // a quarter turn about z
  const oloid::Quat<double> q{half, 0.0, 0.0, half};
  const oloid::Vec3<double> y = oloid::rotation_matrix(q) * oloid::Vec3<double>::UnitX();
  std::printf("oloid %s: x turned about z is (%g, %g, %g)\n", oloid::kVersion.data(), y.x(), y.y(),
              y.z());
  return (y - oloid::Vec3<double>::UnitY()).norm() < 1e-15 ? 0 : 1;
}
