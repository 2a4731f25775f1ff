// Random cases that repeat: each failure prints the seed of its case, and with OLOID_SEED=<seed> in
// the environment only that case is run.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

#include "oloid/base/linalg.h"
#include "oloid/spatial/rotation.h"
#include "support/rooms.h"

namespace oloid::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  template <int N>
  Vec<double, N> vector(double low, double high) {
    Vec<double, N> v;
    for (int i = 0; i < N; ++i) v(i) = (*this)(low, high);
    return v;
  }
  Mat3<double> rotation() {
    return rotation_matrix(Quat<double>{(*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1), 1.1});
  }
  Vec3<double> direction() {
    while (true) {
      const Vec3<double> d = vector<3>(-1, 1);
      if (d.squaredNorm() > 0.01 && d.squaredNorm() < 1) return d.normalized();
    }
  }

 private:
  std::mt19937_64 engine_;
};

// Calls f(Random&) for a number of cases.
template <class F>
void for_random_cases(int count, F f) {
  const char* given = std::getenv("OLOID_SEED");
  const std::uint64_t first = given ? std::strtoull(given, nullptr, 10) : 1;
  const std::uint64_t last = given ? first : first + static_cast<std::uint64_t>(count) - 1;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("replay with OLOID_SEED=" + std::to_string(seed));
    Random random(seed);
    f(random);
    if (testing::Test::HasFailure()) return;  // one failing case is enough to read
  }
}

}  // namespace oloid::test
