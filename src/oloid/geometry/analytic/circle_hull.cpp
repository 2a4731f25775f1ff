#include "oloid/geometry/analytic/circle_hull.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oloid/base/constants.h"
#include "oloid/base/index.h"
#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/measure/surface_integral.h"
#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

constexpr int kSampledRulings = 5;  // of each strip, for near() and seeds()

}  // namespace

double CircleHull::margin(const Location& q) const {
  const double u = q.x(0), v = q.x(1);
  if (is_disc(q.chart.index)) return 1 - std::hypot(u, v);
  const bool cone = face<HalfCone>(q.chart.index) != nullptr;
  const double slack = cone ? kSeam : kSmoothSeam, tip = cone ? HalfCone::kTip : 0;
  return std::min({u + slack, 1 - u + slack, v - tip, 1 - v});
}

ChartExit CircleHull::leave(const Location& q) const {
  const double u = q.x(0), v = q.x(1);
  if (is_disc(q.chart.index)) {
    return OpenEdge{{q.chart, q.x / std::max(1.0, std::hypot(u, v))}, Border::edge};
  }
  if (const auto* cone = face<HalfCone>(q.chart.index)) {
    const double across = std::min(v - HalfCone::kTip, 1 - v);
    if (across < 0 || across < std::min(u, 1 - u) + kSeam) {
      const bool tip = v - HalfCone::kTip < 1 - v;
      const Location border{q.chart,
                            {std::clamp(u, 0.0, 1.0), std::clamp(v, HalfCone::kTip, 1.0), 0}};
      return OpenEdge{border, tip ? Border::tip : Border::edge};
    }
    // The same ruling from its other end; across it as the common tangent plane says.
    const int end = u > 0.5 ? 1 : 0, next = charts_[at(q.chart.index)].beyond[at(end)];
    const Uv<double> here(end, v), there(end, 1 - v);
    const MeasuredJoint joint = measured_joint(cone->jet<2>(here), jet<2>(next, there), size_);
    Location to{ChartId{next}};
    to.x.head<2>() = there + joint.rates * Uv<double>(u - end, 0);
    return Crossing{to, joint.joint};
  }
  const double across = std::min(v, 1 - v);
  if (across < 0 || across < std::min(u, 1 - u) + kSmoothSeam) {
    return OpenEdge{{q.chart, {std::clamp(u, 0.0, 1.0), std::clamp(v, 0.0, 1.0), 0}}, Border::edge};
  }
  const Vec3<double> n = face<RulingStrip>(q.chart.index)->normal(u);
  int next = q.chart.index;
  double there = u;
  for (int k = 0; k == 0 || (k < 8 && std::min(there, 1 - there) + kSmoothSeam < 0); ++k) {
    next = charts_[at(next)].beyond[there > 0.5 ? 1 : 0];
    there = face<RulingStrip>(next)->u_of(n);
  }
  return Crossing{{ChartId{next}, {there, v, 0}}, Joint::G2};
}

std::vector<Location> CircleHull::seeds() const {
  std::vector<Location> result;
  for (int i = 0; i < charts(); ++i) {
    const ChartId chart{i};
    if (is_disc(i)) {
      result.push_back({chart, {0, 0, 0}});
      for (int k = 0; k < 6; ++k)
        result.push_back({chart, {0.7 * std::cos(kPi * k / 3), 0.7 * std::sin(kPi * k / 3), 0}});
      continue;
    }
    for (int k = 0; k < kSampledRulings; k += 2) {
      for (const double v : {0.15, 0.5, 0.85})
        result.push_back({chart, {(k + 0.5) / kSampledRulings, v, 0}});
    }
  }
  return result;
}

// The nearest point of some rulings of each strip.
Location CircleHull::near(const Vec3<double>& p) const {
  constexpr double kInside = 0.01;
  Location best;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](const Location& q) {
    const double distance = (point(q) - p).squaredNorm();
    if (distance >= least) return;
    least = distance;
    best = q;
  };
  for (int i = 0; i < charts(); ++i) {
    if (const auto* disc = face<DiscFace>(i)) {
      const FramedCircle& rim = disc->rim;
      const Vec3<double> off = (p - rim.centre) / rim.radius;
      Vec3<double> q(off.dot(rim.a), off.dot(rim.b), 0);
      q *= std::min(1.0, (1 - kInside) / std::max(q.norm(), kInside));
      offer({ChartId{i}, q});
      continue;
    }
    for (int k = 0; k < kSampledRulings; ++k) {
      const double u = (k + 0.5) / kSampledRulings;
      const Jet<double, 1> start = jet<1>(i, Uv<double>(u, 0));
      const Vec3<double>& ruling = start.d(0, 1);
      const double v = ruling.dot(p - start.d(0, 0)) / ruling.squaredNorm();
      offer({ChartId{i}, {u, std::clamp(v, kInside, 1 - kInside), 0}});
    }
  }
  return best;
}

// Strips and cones are of degree 1 in v, the integrands at most of degree 5: three points are
// exact.
Result<Solid> CircleHull::solid() const {
  static const GaussRule across = gauss_legendre(3);
  using Moments = Vec<double, 10>;
  const Vec3<double> origin = box_.centre();
  Moments sum = Moments::Zero();
  const auto packed = [](const SurfaceIntegral& m) {
    Moments all;
    all << m.volume, m.first, m.second(0, 0), m.second(1, 1), m.second(2, 2), m.second(0, 1),
        m.second(1, 2), m.second(2, 0);
    return all;
  };
  for (int i = 0; i < charts(); ++i) {
    if (const auto* disc = face<DiscFace>(i)) {
      // x·n is constant over the face, ∫ x xᵀ dA = A (c cᵀ + r² (a aᵀ + b bᵀ) / 4).
      const double r = disc->rim.radius / size_, area = kPi * r * r;
      const Vec3<double> c = (disc->rim.centre - origin) / size_;
      const double height = c.dot(disc->rim.n);
      SurfaceIntegral m;
      m.volume = height * area / 3;
      m.first = height * area / 4 * c;
      m.second = height * area / 5 *
                 (c * c.transpose() +
                  r * r / 4 * (Mat3<double>::Identity() - disc->rim.n * disc->rim.n.transpose()));
      sum += packed(m);
      continue;
    }
    sum += converged_integral(
        [&](double u) {
          SurfaceIntegral m;
          for (std::size_t k = 0; k < across.points.size(); ++k) {
            const Jet<double, 1> c = jet<1>(i, Uv<double>(u, across.points[k]));
            m.add((c.d(0, 0) - origin) / size_,
                  across.weights[k] / (size_ * size_) * c.d(1, 0).cross(c.d(0, 1)));
          }
          return packed(m);
        },
        0, 1);
  }
  SurfaceIntegral all;
  const double cube = size_ * size_ * size_;
  all.volume = cube * sum(0);
  all.first = cube * size_ * sum.segment<3>(1);
  all.second << sum(4), sum(7), sum(9),  //
      sum(7), sum(5), sum(8),            //
      sum(9), sum(8), sum(6);
  all.second *= cube * size_ * size_;
  return all.solid(origin);
}

}  // namespace oloid::geometry
