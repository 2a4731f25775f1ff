#include "oloid/geometry/implicit/implicit_field.h"

#include <fmt/format.h>

namespace oloid::geometry {
namespace {

class FunctionsHook final : public ImplicitHook {
 public:
  FunctionsHook(std::function<double(const Vec3<double>&)> value,
                std::function<Vec3<double>(const Vec3<double>&)> gradient,
                std::function<Mat3<double>(const Vec3<double>&)> hessian,
                std::optional<double> largest_slope)
      : value_(std::move(value)),
        gradient_(std::move(gradient)),
        hessian_(std::move(hessian)),
        largest_slope_(largest_slope) {}

  ImplicitJet<double> jet(const Vec3<double>& p) const override {
    return {value_(p), gradient_(p), hessian_(p)};
  }
  double value(const Vec3<double>& p) const override { return value_(p); }
  bool is_bounded() const override { return largest_slope_.has_value(); }
  // Within the box f differs from its value in the middle by the slope times half the diagonal.
  FieldBounds bounds(const Box& box) const override {
    if (!largest_slope_) return {};
    const double slope = *largest_slope_, f = value_(box.centre());
    const Interval component(-slope, slope);
    return {Interval(f) + component * Interval(0.5 * box.size().norm()),
            {component, component, component},
            slope};
  }

 private:
  std::function<double(const Vec3<double>&)> value_;
  std::function<Vec3<double>(const Vec3<double>&)> gradient_;
  std::function<Mat3<double>(const Vec3<double>&)> hessian_;
  std::optional<double> largest_slope_;
};

}  // namespace

ImplicitFunction ImplicitFunction::make(std::function<double(const Vec3<double>&)> value,
                                        std::function<Vec3<double>(const Vec3<double>&)> gradient,
                                        std::function<Mat3<double>(const Vec3<double>&)> hessian,
                                        std::optional<double> largest_slope) {
  return ImplicitFunction(std::make_shared<FunctionsHook>(std::move(value), std::move(gradient),
                                                          std::move(hessian), largest_slope));
}

Result<ImplicitExpression> ImplicitExpression::make(std::string_view formula) {
  constexpr std::array<std::string_view, 3> kCoordinates{"x", "y", "z"};
  Result<Expression> expression = Expression::parse(formula, kCoordinates);
  if (!expression) return Unexpected{expression.error()};
  if (!expression->uses(0) && !expression->uses(1) && !expression->uses(2)) {
    return refuse(fmt::format("\"{}\" is a number, not a surface", formula),
                  "write a formula in x, y and z that is 0 on the surface and negative inside, "
                  "such as x^2 + y^2 + z^2 - 1");
  }
  return ImplicitExpression(std::move(expression).value());
}

FieldBounds ImplicitExpression::bounds(const Box& box) const {
  return detail::bounds_of(
      [this]<class S>(const S& x, const S& y, const S& z) {
        return expression_(std::array<S, 3>{x, y, z});
      },
      box);
}
IntervalMatrix ImplicitExpression::hessian_bounds(const Box& box) const {
  return detail::hessian_bounds_of(
      [this]<class S>(const S& x, const S& y, const S& z) {
        return expression_(std::array<S, 3>{x, y, z});
      },
      box);
}

FieldBounds Metaballs::bounds(const Box& box) const {
  return detail::bounds_of(
      [this]<class S>(const S& x, const S& y, const S& z) { return sum(x, y, z); }, box);
}
IntervalMatrix Metaballs::hessian_bounds(const Box& box) const {
  return detail::hessian_bounds_of(
      [this]<class S>(const S& x, const S& y, const S& z) { return sum(x, y, z); }, box);
}

Result<Metaballs> Metaballs::make(std::vector<Ball> balls, double threshold, Kernel kernel) {
  if (balls.empty()) return refuse("there are no metaballs", "specify at least one");
  if (!(threshold > 0) || !std::isfinite(threshold)) {
    return refuse(fmt::format("the threshold is {}", threshold), "must be greater than 0");
  }
  double most = 0;  // the sum cannot exceed it
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Ball& ball = balls[i];
    if (!ball.centre.allFinite() || !std::isfinite(ball.weight) || !std::isfinite(ball.radius)) {
      return refuse(fmt::format("metaball {} has a number that is not finite", i),
                    "use a finite centre, radius and weight");
    }
    if (!(ball.radius > 0)) {
      return refuse(fmt::format("metaball {} has radius {}", i, ball.radius),
                    "must be a length in metres greater than 0");
    }
    most += std::max(ball.weight, 0.0);
  }
  if (!(threshold < most)) {
    return refuse(
        fmt::format("the threshold {} is not reached: the weights sum to {}", threshold, most),
        "lower the threshold or raise the weights");
  }
  Metaballs result;
  result.threshold_ = threshold;
  result.kernel_ = kernel;
  // Where the sum reaches the threshold some bump exceeds threshold / most: s is at most as
  // follows.
  const double level = threshold / most;
  const double s =
      kernel == Kernel::compact ? 1 - std::sqrt(std::sqrt(level)) : 1 / std::sqrt(level) - 1;
  for (const Ball& ball : balls) {
    if (ball.weight <= 0) continue;
    const double reach = 1.01 * ball.radius * std::sqrt(s) + 1e-6 * ball.radius;
    result.box_.add(Vec3<double>(ball.centre.array() - reach));
    result.box_.add(Vec3<double>(ball.centre.array() + reach));
  }
  result.balls_ = std::move(balls);
  return result;
}

}  // namespace oloid::geometry
