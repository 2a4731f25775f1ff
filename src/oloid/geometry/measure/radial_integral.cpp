#include "oloid/geometry/measure/radial_integral.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "oloid/geometry/analytic/sphere_charts.h"
#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

constexpr double kTolerance = 1e-12, kEdgeTolerance = 1e-9;

SurfaceIntegral times(SurfaceIntegral a, double w) {
  a.volume *= w;
  a.first *= w;
  a.second *= w;
  return a;
}

// How far two integrals are apart, in parts of a body of the given size.
double apart(const SurfaceIntegral& a, const SurfaceIntegral& b, double size) {
  const double cube = size * size * size;
  return std::max({std::abs(a.volume - b.volume) / cube, (a.first - b.first).norm() / (cube * size),
                   (a.second - b.second).norm() / (cube * size * size)});
}

struct Rectangle {
  double u0, u1, v0, v1;
};

class Quadrature {
 public:
  Quadrature(const Rays& rays, bool has_edges)
      : rays_(rays),
        tolerance_(has_edges ? kEdgeTolerance : kTolerance),
        rule_(gauss_legendre(has_edges ? 10 : 12)) {}

  bool fair() const { return fair_; }
  bool at_rest() const { return at_rest_; }

  SurfaceIntegral smooth() {
    measure();
    SurfaceIntegral sum;
    for (face_ = 0; face_ < sphere_charts::kCharts; ++face_) {
      const Rectangle whole{-1, 1, -1, 1};
      sum += refined(whole, over(whole), 0);
    }
    return sum;
  }

  // Line after line, divided where it crosses edges.
  SurfaceIntegral with_edges() {
    measure();
    SurfaceIntegral sum;
    for (face_ = 0; face_ < sphere_charts::kCharts; ++face_) {
      for (const auto& [a, b] : pieces([&](double u) { return pattern(u); })) sum += outer(a, b);
    }
    return sum;
  }

 private:
  static constexpr int kDepth = 8;
  static constexpr int kLineDepth = 40;  // down to round-off: what is left there is nothing
  static constexpr int kSamples = 32;

  RayHit hit(double u, double v) {
    const sphere_charts::Axes k = sphere_charts::axes(face_, false);
    direction_(k.a) = k.sign;
    direction_(k.b) = u;
    direction_(k.c) = v;
    length_ = direction_.norm();
    direction_ /= length_;
    const RayHit at = rays_(direction_);
    --rays_left_;
    if (!at.fair) fair_ = false;
    return at;
  }
  void add(SurfaceIntegral& sum, double u, double v, double weight) {
    const double r = hit(u, v).r;
    const Vec3<double> x = r * direction_;
    sum.add(x, (r * weight / (length_ * length_ * length_)) * x);
  }

  // The scale of the body: its mean radius over a few rays.
  void measure() {
    size_ = 0;
    for (face_ = 0; face_ < sphere_charts::kCharts; ++face_) {
      for (const double u : {-0.6, 0.1, 0.7})
        size_ += hit(u, 0.3 * u).r / (3 * sphere_charts::kCharts);
    }
  }

  SurfaceIntegral over(const Rectangle& q) {
    SurfaceIntegral sum;
    const double du = q.u1 - q.u0, dv = q.v1 - q.v0;
    for (std::size_t i = 0; i < rule_.points.size(); ++i) {
      for (std::size_t j = 0; j < rule_.points.size() && fair_; ++j) {
        add(sum, q.u0 + du * rule_.points[i], q.v0 + dv * rule_.points[j],
            rule_.weights[i] * rule_.weights[j] * du * dv);
      }
    }
    return sum;
  }

  SurfaceIntegral refined(const Rectangle& q, const SurfaceIntegral& coarse, int depth) {
    const double u = 0.5 * (q.u0 + q.u1), v = 0.5 * (q.v0 + q.v1);
    const std::array<Rectangle, 4> parts{
        {{q.u0, u, q.v0, v}, {u, q.u1, q.v0, v}, {q.u0, u, v, q.v1}, {u, q.u1, v, q.v1}}};
    std::array<SurfaceIntegral, 4> fine;
    SurfaceIntegral sum;
    for (std::size_t k = 0; k < 4; ++k) {
      fine[k] = over(parts[k]);
      sum += fine[k];
    }
    if (!fair_ || apart(sum, coarse, size_) <= tolerance_) return sum;
    if (depth == kDepth || rays_left_ <= 0) {
      at_rest_ = false;
      return sum;
    }
    sum = {};
    for (std::size_t k = 0; k < 4 && fair_ && at_rest_; ++k) {
      sum += refined(parts[k], fine[k], depth + 1);
    }
    return sum;
  }

  // Parts of [−1, 1] over which what f says stays the same.
  template <class F>
  std::vector<std::pair<double, double>> pieces(F f) {
    std::vector<std::pair<double, double>> result;
    double begin = -1, last = -1;
    auto before = f(-1.0);
    for (int i = 1; i <= kSamples && fair_; ++i) {
      const double next = -1 + 2.0 * i / kSamples;
      const auto after = f(next);
      while (after != before && fair_) {  // there may be more than one change
        double low = last, high = next;
        while (high - low > 1e-15) {
          const double middle = 0.5 * (low + high);
          if (middle <= low || middle >= high) break;
          (f(middle) == before ? low : high) = middle;
        }
        result.emplace_back(begin, high);
        begin = last = high;
        before = f(high);
      }
      last = next;
    }
    result.emplace_back(begin, 1.0);
    return result;
  }
  // Which pieces of the surface are met along a line.
  std::vector<int> pattern(double u) {
    std::vector<int> faces;
    for (int i = 0; i <= kSamples && fair_; ++i) {
      const int face = hit(u, -1 + 2.0 * i / kSamples).face;
      if (faces.empty() || faces.back() != face) faces.push_back(face);
    }
    return faces;
  }

  // ∫ f over [a, b], halved until it is at rest.
  template <class F>
  SurfaceIntegral line(F f, double a, double b) {
    SurfaceIntegral sum;
    for (std::size_t i = 0; i < rule_.points.size() && fair_; ++i) {
      f(sum, a + (b - a) * rule_.points[i], (b - a) * rule_.weights[i]);
    }
    return sum;
  }
  template <class F>
  SurfaceIntegral refined_line(F f, double a, double b, const SurfaceIntegral& coarse,
                               double tolerance, int depth) {
    const double middle = 0.5 * (a + b);
    const SurfaceIntegral left = line(f, a, middle), right = line(f, middle, b);
    SurfaceIntegral sum = left;
    sum += right;
    if (!fair_ || apart(sum, coarse, size_) <= tolerance) return sum;
    if (rays_left_ <= 0 || depth == kLineDepth) {
      at_rest_ = at_rest_ && rays_left_ > 0;
      return sum;
    }
    sum = refined_line(f, a, middle, left, tolerance, depth + 1);
    sum += refined_line(f, middle, b, right, tolerance, depth + 1);
    return sum;
  }
  SurfaceIntegral inner(double u) {
    const auto f = [&](SurfaceIntegral& sum, double v, double weight) { add(sum, u, v, weight); };
    SurfaceIntegral sum;
    for (const auto& [a, b] : pieces([&](double v) { return hit(u, v).face; })) {
      sum += refined_line(f, a, b, line(f, a, b), 1e-2 * tolerance_, 0);
    }
    return sum;
  }
  // An edge that a line only touches begins as the root of the distance, and what it cuts off as
  // its power 3/2: smooth in w with u = a + (b − a) (3 w² − 2 w³).
  SurfaceIntegral outer(double a, double b) {
    const auto f = [&](SurfaceIntegral& sum, double w, double weight) {
      const double u = a + (b - a) * w * w * (3 - 2 * w);
      sum += times(inner(u), weight * 6 * w * (1 - w) * (b - a));
    };
    return refined_line(f, 0, 1, line(f, 0, 1), tolerance_, 0);
  }

  const Rays& rays_;
  double tolerance_;
  GaussRule rule_;
  int face_ = 0;
  double size_ = 1;  // [m]
  Vec3<double> direction_;
  double length_ = 1;
  bool fair_ = true, at_rest_ = true;
  long rays_left_ = 4'000'000;
};

}  // namespace

Result<SurfaceIntegral> radial_integral(const Rays& rays, bool has_edges) {
  Quadrature quadrature(rays, has_edges);
  const SurfaceIntegral sum = has_edges ? quadrature.with_edges() : quadrature.smooth();
  if (!quadrature.fair()) {
    return refuse("a ray from inside does not leave the body exactly once",
                  "specify mass and inertia instead");
  }
  if (!quadrature.at_rest()) {
    return refuse("the integral over the body does not converge: the surface is too sharply curved",
                  "specify mass and inertia instead");
  }
  return sum;
}

}  // namespace oloid::geometry
