#include "oloid/geometry/polyhedral/orientation.h"

#include <cmath>
#include <cstddef>
#include <limits>

#include "oloid/base/contract.h"

namespace oloid::geometry {
namespace {

// x + y = sum + error, exactly.
struct TwoSum {
  double sum, error;
  TwoSum(double x, double y) : sum(x + y) {
    const double y_part = sum - x;
    error = (x - (sum - y_part)) + (y - y_part);
  }
};

// A sum of doubles without rounding: parts that do not overlap, smallest first, none of them zero.
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const TwoSum grown(x, parts_[i]);
      if (grown.error != 0) parts_[kept++] = grown.error;
      x = grown.sum;
    }
    if (x != 0) {
      OLOID_EXPECT(kept < parts_.size());
      parts_[kept++] = x;
    }
    size_ = kept;
  }
  // x y z: two of them are multiplied to two parts, each of these by the third to two more.
  void add_product(double x, double y, double z) {
    if (x == 0 || y == 0 || z == 0) return;
    const double xy = x * y, xy_rest = std::fma(x, y, -xy);
    for (const double part : {xy_rest, xy}) {
      const double high = part * z;
      add(std::fma(part, z, -high));
      add(high);
    }
  }
  double value() const {  // smallest first: rounded once, or as good as once
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += parts_[i];
    return sum;
  }
  int sign() const { return size_ == 0 ? 0 : parts_[size_ - 1] > 0 ? 1 : -1; }

 private:
  // Three determinants of 6 products of 8 terms of 4 parts at most.
  std::array<double, std::size_t{3} * 6 * 8 * 4> parts_{};
  std::size_t size_ = 0;
};

// p − a without rounding: high + low.
struct Difference {
  Vec3<double> high, low;
  Difference(const Vec3<double>& p, const Vec3<double>& a) {
    for (int i = 0; i < 3; ++i) {
      const TwoSum d(p(i), -a(i));
      high(i) = d.sum;
      low(i) = d.error;
    }
  }
};

void add_determinant(ExactSum& sum, const Difference& x, const Difference& y, const Difference& z) {
  for (int i = 0; i < 3; ++i) {
    for (const int turn : {1, 2}) {
      const int j = (i + turn) % 3, k = (i + 2 * turn) % 3;
      for (const double a : {x.high(i), x.low(i)})
        for (const double b : {y.high(j), y.low(j)})
          for (const double c : {z.high(k), z.low(k)}) sum.add_product(turn == 1 ? a : -a, b, c);
    }
  }
}

// In double; 0 also where the sign is not certain.
int certain_orientation(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
                        const Vec3<double>& p) {
  constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();
  constexpr double kBound = (7 + 56 * kUnit) * kUnit;  // [Shewchuk97], orient3d
  const Vec3<double> x = b - a, y = c - a, z = p - a;
  const double yz = y.x() * z.y(), zy = z.x() * y.y(), zx = z.x() * x.y(), xz = x.x() * z.y(),
               xy = x.x() * y.y(), yx = y.x() * x.y();
  const double determinant = x.z() * (yz - zy) + y.z() * (zx - xz) + z.z() * (xy - yx);
  const double size = (std::abs(yz) + std::abs(zy)) * std::abs(x.z()) +
                      (std::abs(zx) + std::abs(xz)) * std::abs(y.z()) +
                      (std::abs(xy) + std::abs(yx)) * std::abs(z.z());
  if (determinant > kBound * size) return 1;
  if (determinant < -kBound * size) return -1;
  return 0;
}

}  // namespace

int orientation(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
                const Vec3<double>& p) {
  if (const int certain = certain_orientation(a, b, c, p)) return certain;
  ExactSum sum;
  add_determinant(sum, {b, a}, {c, a}, {p, a});
  return sum.sign();
}

Vec3<double> exact_cross(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  const Difference x(b, a), y(c, a);
  Vec3<double> result;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    ExactSum sum;
    for (const double u : {x.high(j), x.low(j)})
      for (const double v : {y.high(k), y.low(k)}) sum.add_product(u, v, 1);
    for (const double u : {x.high(k), x.low(k)})
      for (const double v : {y.high(j), y.low(j)}) sum.add_product(-u, v, 1);
    result(i) = sum.value();
  }
  return result;
}

// The determinant is a polynomial in ε, whose first coefficient that is not zero decides:
// coefficient k has k of the three rows taken from the q.
int orientation(const std::array<const MovedPoint*, 3>& abc, const MovedPoint& p) {
  const auto& [a, b, c] = abc;
  if (const int unmoved = orientation(a->p, b->p, c->p, p.p)) return unmoved;
  const Difference x(b->p, a->p), y(c->p, a->p), z(p.p, a->p);
  const Difference u(b->q, a->q), v(c->q, a->q), w(p.q, a->q);
  ExactSum first;
  add_determinant(first, u, y, z);
  add_determinant(first, x, v, z);
  add_determinant(first, x, y, w);
  if (const int sign = first.sign()) return sign;
  ExactSum second;
  add_determinant(second, x, v, w);
  add_determinant(second, u, y, w);
  add_determinant(second, u, v, z);
  if (const int sign = second.sign()) return sign;
  ExactSum third;
  add_determinant(third, u, v, w);
  return third.sign();
}

}  // namespace oloid::geometry
