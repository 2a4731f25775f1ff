#include "oloid/io/files/number_blob.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oloid::io {

float single(double x) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::isnan(x) ? x : std::clamp(x, -kMost, kMost));
}

float single_or_zero(double x) { return std::isnan(x) ? 0.0f : single(x); }

std::vector<float> singles(std::span<const Vec3<double>> vectors, float (*convert)(double)) {
  std::vector<float> values;
  values.reserve(3 * vectors.size());
  for (const Vec3<double>& v : vectors)
    for (const double x : v) values.push_back(convert(x));
  return values;
}

}  // namespace oloid::io
