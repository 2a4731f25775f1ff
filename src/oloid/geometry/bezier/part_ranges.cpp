#include "oloid/geometry/bezier/part_ranges.h"

#include <algorithm>
#include <cmath>

namespace oloid::geometry {
namespace {

constexpr double kCoordinateRoundOff = 1e-14;  // of the control points' coordinates

// The box of numbers as they come, for each derivative.
class Hull {
 public:
  Hull() {
    for (Vec3<Interval>& term : jet_.terms) term.setConstant(Interval(kInfinity, -kInfinity));
  }
  void add(int k, int l, const Vec3<double>& p, double noise) {
    for (int x = 0; x < 3; ++x) {
      Interval& range = jet_.d(k, l)(x);
      range = {std::min(range.low, p(x) - noise), std::max(range.high, p(x) + noise)};
    }
  }
  const Jet<Interval, 3>& jet() const { return jet_; }

 private:
  Jet<Interval, 3> jet_;
};

double falling(int n, int k) { return k == 0 ? 1 : n * falling(n - 1, k - 1); }

// Control points of derivatives are differences of control points, times n! / (n − k)!.
template <class Point, class Inside>
void add_differences(const Point& point, const Inside& inside, int k, int l, double factor,
                     double noise, Hull& hull) {
  constexpr double kBinomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  for (int i = 0; inside(i + k, l); ++i) {
    for (int j = 0; inside(i + k, j + l); ++j) {
      Vec3<double> sum = Vec3<double>::Zero();
      for (int a = 0; a <= k; ++a) {
        for (int b = 0; b <= l; ++b) {
          const double sign = (k + l - a - b) % 2 == 0 ? 1 : -1;
          sum += sign * kBinomial[k][a] * kBinomial[l][b] * point(i + a, j + b);
        }
      }
      hull.add(k, l, factor * sum, std::abs(factor) * std::pow(2, k + l) * noise);
    }
  }
}

double noise_of(const Patch& patch) {
  double largest = 0;
  for (const Vec<double, 4>& h : control_points(patch))
    largest = std::max(largest, h.head<3>().cwiseAbs().maxCoeff());
  return kCoordinateRoundOff * largest;
}

void add_tensor(const std::vector<Vec<double, 4>>& points, int p, int q, const Uv<double>& size,
                double noise, Hull& hull) {
  const auto point = [&](int i, int j) -> Vec3<double> {
    const int at = i * (q + 1) + j;
    return points[static_cast<std::size_t>(at)].head<3>();
  };
  const auto inside = [&](int i, int j) { return i <= p && j <= q; };
  for (int k = 0; k <= 3; ++k) {
    for (int l = 0; k + l <= 3; ++l) {
      if (k > p || l > q) {
        hull.add(k, l, Vec3<double>::Zero(), 0);
        continue;
      }
      const double factor =
          falling(p, k) * falling(q, l) / (std::pow(size.x(), k) * std::pow(size.y(), l));
      add_differences(point, inside, k, l, factor, noise, hull);
    }
  }
}

void add_triangle(const TrianglePatch& part, const Uv<double>& size, double noise, Hull& hull) {
  const int n = part.degree();
  const auto point = [&](int i, int j) -> Vec3<double> { return part.point(i, j).head<3>(); };
  const auto inside = [&](int i, int j) { return i + j <= n; };
  for (int k = 0; k <= 3; ++k) {
    for (int l = 0; k + l <= 3; ++l) {
      if (k + l > n) {
        hull.add(k, l, Vec3<double>::Zero(), 0);
        continue;
      }
      const double factor = falling(n, k + l) / (std::pow(size.x(), k) * std::pow(size.y(), l));
      add_differences(point, inside, k, l, factor, noise, hull);
    }
  }
}

}  // namespace

Jet<Interval, 3> part_ranges(const Patch& patch, const Uv<double>& low, const Uv<double>& high) {
  const Uv<double> size = high - low;
  if (std::holds_alternative<SPatch>(patch) || rational(patch) || !(size.minCoeff() > 0)) {
    const Vec2<Interval> q(Interval(low.x(), high.x()), Interval(low.y(), high.y()));
    return jet<3>(patch, q);
  }
  Hull hull;
  const double noise = noise_of(patch);
  if (std::holds_alternative<TrianglePatch>(patch)) {
    // Half of the rectangle, and the other half turned round.
    add_triangle(std::get<TrianglePatch>(sub_patch(patch, low, high)), size, noise, hull);
    add_triangle(std::get<TrianglePatch>(sub_patch(patch, high, low)), -size, noise, hull);
    return hull.jet();
  }
  const Patch part = sub_patch(patch, low, high);
  const auto* tensor = std::get_if<TensorPatch>(&part);
  add_tensor(control_points(part), tensor ? tensor->degree_u() : 3, tensor ? tensor->degree_v() : 3,
             size, noise, hull);
  return hull.jet();
}

}  // namespace oloid::geometry
