// Profiles of surfaces of revolution, checked and mended: chains of rational Bezier spans (ρ,
// ζ)(t).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/bezier/bezier_curve.h"

namespace oloid::geometry::profiles {

// Polynomials by their Bernstein coefficients.
using Coefficients = std::vector<double>;
Coefficients coefficients(const BezierCurve<2>& curve, int coordinate);
// f / t for f with b_0 = 0: Σ_(i≥1) b_i B_i^n = t Σ b_i (n / i) B_(i−1)^(n−1).
Coefficients divided_by_t(const Coefficients& b);

std::string text(const Vec2<double>& p);

struct Size {
  double extent;       // [m], the larger of ρ and the height
  double bottom, top;  // [m]
};
Size size_of(const std::vector<BezierCurve<2>>& profile);

// Degrees, weights and control points.
std::optional<Error> check_numbers(const std::vector<BezierCurve<2>>& profile);

// Joins the spans end to start; true if they close a ring.
Result<bool> connect(std::vector<BezierCurve<2>>& profile, double size);

// An end of the profile that lies on the axis is moved onto it; at a right angle (a pole) the
// tangent is straightened as well. `start` is where the curve meets the axis.
enum class Meeting { none, pole, tip };
Meeting meet_axis(BezierCurve<2>& curve, double size);

// Of span i: ρ > 0 but where an end is known to lie on the axis.
std::optional<Error> check_radius(const BezierCurve<2>& curve, std::size_t i, bool start_on_axis,
                                  bool end_on_axis, double size);

// Of span i: it stands still nowhere.
std::optional<Error> check_speed(const BezierCurve<2>& curve, std::size_t i);

// Whether the meridian bounds a convex body together with its mirror image: legs of the control
// polygon turn to the left only, and by half a turn at most, from the axis back to the axis.
bool turns_left(const std::vector<BezierCurve<2>>& profile);

}  // namespace oloid::geometry::profiles
