#include "oloid/geometry/bezier/nurbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace oloid::geometry {
KnotVector uniform_knots(int degree, std::size_t control_points) {
  const auto p = static_cast<std::size_t>(degree);
  KnotVector result{degree, std::vector<double>(control_points + p + 1)};
  const double spans = static_cast<double>(control_points - p);
  for (std::size_t i = 0; i < result.knots.size(); ++i) {
    const double k = static_cast<double>(i) - static_cast<double>(p);
    result.knots[i] = std::clamp(k / spans, 0.0, 1.0);
  }
  return result;
}

Result<KnotVector> periodic_knots(int degree, const std::vector<double>& period,
                                  std::string_view what) {
  const std::size_t n = period.empty() ? 0 : period.size() - 1;
  if (n < static_cast<std::size_t>(degree) + 1) {
    return refuse(
        fmt::format("{} has {} knots over one period", what, period.size()),
        fmt::format(
            "a closed curve of degree {} needs at least {} control points and one more knot",
            degree, degree + 1));
  }
  const double length = period.back() - period.front();
  const auto p = static_cast<std::ptrdiff_t>(degree), count = static_cast<std::ptrdiff_t>(n);
  KnotVector result{degree, {}};
  for (std::ptrdiff_t i = -p; i <= count + p; ++i) {
    const std::ptrdiff_t turns = i < 0 ? -1 : i >= count ? i / count : 0;
    result.knots.push_back(period[static_cast<std::size_t>(i - turns * count)] +
                           static_cast<double>(turns) * length);
  }
  return result;
}

Result<KnotVector> checked_knots(KnotVector given, std::size_t control_points,
                                 std::string_view what) {
  const std::vector<double>& u = given.knots;
  if (given.degree < 1 || given.degree > kMaxDegree) {
    return refuse(fmt::format("{} has degree {}", what, given.degree),
                  fmt::format("degrees are 1 to {}", kMaxDegree));
  }
  const auto p = static_cast<std::size_t>(given.degree);
  if (control_points < p + 1) {
    return refuse(fmt::format("{} has {} control points", what, control_points),
                  fmt::format("degree {} needs at least {}", p, p + 1));
  }
  if (u.size() != control_points + p + 1) {
    return refuse(fmt::format("{} has {} knots", what, u.size()),
                  fmt::format("{} control points of degree {} need {}", control_points, p,
                              control_points + p + 1));
  }
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (!std::isfinite(u[i])) {
      return refuse(fmt::format("knot {} of {} is not finite", i, what), "use finite numbers");
    }
    if (i > 0 && u[i] < u[i - 1]) {
      return refuse(fmt::format("knot {} of {} is {}, less than the previous one, {}", i, what,
                                u[i], u[i - 1]),
                    "knots must not decrease");
    }
  }
  if (!(u[control_points] > u[p])) {
    return refuse(fmt::format("{} has no span: its knots are all {}", what, u[p]),
                  "use increasing knots");
  }
  const double same = 1e-9 * (u[control_points] - u[p]);
  for (std::size_t i = 1; i < u.size(); ++i) {
    if (given.knots[i] - given.knots[i - 1] < same) given.knots[i] = given.knots[i - 1];
  }
  // Within the domain p equal knots make a corner; p + 1 tear the curve apart.
  for (std::size_t i = p + 1; i + p < control_points; ++i) {
    if (u[i] == u[i + p] && u[i] > u[p] && u[i] < u[control_points]) {
      return refuse(
          fmt::format("knot {} of {} occurs more than {} times", u[i], what, p),
          "inner knots may occur at most as often as the degree; use two surfaces instead");
    }
  }
  return given;
}

std::vector<Span> spans(const KnotVector& knots) {
  std::vector<Span> result;
  for (auto i = static_cast<std::size_t>(knots.degree); i < knots.control_points(); ++i) {
    if (knots.knots[i] < knots.knots[i + 1])
      result.push_back({knots.knots[i], knots.knots[i + 1], i});
  }
  return result;
}

}  // namespace oloid::geometry
