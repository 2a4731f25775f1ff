#include "oloid/geometry/bezier/border_curve.h"

#include <algorithm>
#include <cmath>

namespace oloid::geometry {

BorderCurve::BorderCurve(BezierCurve<3> given, int degree) : curve_(std::move(given)) {
  while (curve_.degree() < degree) curve_ = elevated(curve_);
  const double first = curve_.points.front()(3), last = curve_.points.back()(3);
  ratio_ = std::pow(first / last, 1.0 / degree);
  double factor = 1 / first;
  for (auto& h : curve_.points) {
    h *= factor;
    factor *= ratio_;
  }
}

double BorderCurve::length_scale() const {
  double size = 0;
  for (std::size_t i = 1; i < curve_.points.size(); ++i)
    size = std::max(size, (curve_.control_point(i) - curve_.start()).norm());
  return size;
}

BorderCurve BorderCurve::reversed() const {
  BorderCurve result = *this;
  result.curve_ = geometry::reversed(curve_);
  result.ratio_ = 1 / ratio_;
  return result;
}

double distance(const BorderCurve& a, const BorderCurve& b) {
  const BezierCurve<3>&x = a.curve_, &y = b.curve_;
  const double size = std::max(a.length_scale(), b.length_scale());
  double apart = 0;
  for (std::size_t i = 0; i < x.points.size(); ++i) {
    const double weights = std::abs(x.points[i](3) / y.points[i](3) - 1);
    apart = std::max({apart, (x.control_point(i) - y.control_point(i)).norm(), weights * size});
  }
  return apart;
}

}  // namespace oloid::geometry
