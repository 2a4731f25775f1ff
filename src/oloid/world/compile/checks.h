// Refusals that name the place in the scene, and checks that several compilers of shapes share.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "oloid/geometry/bezier/bernstein.h"
#include "oloid/geometry/bezier/nurbs.h"
#include "oloid/geometry/shape.h"
#include "oloid/scene/spec.h"

namespace oloid::world {

// Numbers outside this range are typing errors, or would lose all their digits.
inline constexpr double kSmallest = 1e-9;           // [m]
inline constexpr double kLargest = 1e9;             // [m], or SI units of other quantities
inline constexpr double kSmallestQuantity = 1e-12;  // times, masses and densities, SI units

inline Unexpected<Errors> refuse(const Place& place, std::string message, std::string remedy) {
  return {Errors{{place, std::move(message), std::move(remedy)}}};
}

// Adds the place in the scene to an error that geometry has reported.
template <class T>
Result<T, Errors> placed(Result<T> made, const Place& at) {
  if (made) return *std::move(made);
  return refuse(at, made.error().message, made.error().remedy);
}
template <class Surface>
Result<Shape, Errors> shape_of(Result<Surface> made, const Place& at) {
  if (made) return Shape(*std::move(made));
  return refuse(at, made.error().message, made.error().remedy);
}

inline std::optional<Errors> wrong_length(const Located<double>& x, std::string_view what) {
  if (x.value >= kSmallest && x.value <= kLargest) return std::nullopt;
  return refuse(x.place,
                fmt::format("{} is {}, outside [{:g}, {:g}]", what, x.value, kSmallest, kLargest),
                "must be a length in metres greater than 0")
      .error;
}
inline std::optional<Errors> wrong_points(const std::vector<Vec3<double>>& points,
                                          const Place& at) {
  for (const Vec3<double>& p : points) {
    if (p.norm() <= kLargest) continue;
    return refuse(at, fmt::format("point ({}, {}, {}) is too far away", p.x(), p.y(), p.z()),
                  fmt::format("the limit is {:g} m", kLargest))
        .error;
  }
  return std::nullopt;
}

inline Result<int, Errors> degree_of(double given, const Place& at, std::string_view what) {
  if (given == std::floor(given) && given >= 1 && given <= kMaxDegree)
    return static_cast<int>(given);
  return refuse(at, fmt::format("{} is {}", what, given),
                fmt::format("degrees must be whole numbers from 1 to {}", kMaxDegree));
}

// Homogeneous control points; weights may be empty.
template <int Dim>
Result<std::vector<Vec<double, Dim + 1>>, Errors> weighted_points(
    const Located<std::vector<Vec<double, Dim>>>& points,
    const Located<std::vector<double>>& weights) {
  const std::size_t n = points.value.size();
  if (!weights.value.empty() && weights.value.size() != n) {
    return refuse(weights.place,
                  fmt::format("there are {} weights for {} points", weights.value.size(), n),
                  "specify one weight per control point, or none");
  }
  std::vector<Vec<double, Dim + 1>> result;
  for (std::size_t i = 0; i < n; ++i) {
    const double w = weights.value.empty() ? 1 : weights.value[i];
    if (!points.value[i].allFinite() || points.value[i].norm() > kLargest) {
      return refuse(points.place, fmt::format("point {} is not finite or too large", i),
                    fmt::format("use finite numbers up to {:g}", kLargest));
    }
    if (!(w > 0) || !std::isfinite(w)) {
      return refuse(weights.place, fmt::format("weight {} is {}", i, w),
                    "weights must be finite and greater than 0");
    }
    result.push_back(weighted<Dim>(points.value[i], w));
  }
  return result;
}

}  // namespace oloid::world
