#include "oloid/geometry/bezier/trimming.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "oloid/geometry/bezier/loop_curve.h"
#include "oloid/geometry/bezier/trimming_loops.h"
#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

using namespace trimming_loops;

double squared_distance(const Point& low, const Point& high, const Point& q) {
  return (low - q).cwiseMax(q - high).cwiseMax(Point::Zero()).squaredNorm();
}

// How often the curve crosses the ray from the origin along +x upwards, less how often downwards.
// Whether an end is above is told by the caller, who tells the neighbour the same: so the count
// over a closed chain is right up to points within round-off of it.
int crossings(const LoopCurve& c, bool start_above, bool end_above, int halvings) {
  bool left = false, right = false, above = false, below = false;
  for (std::size_t i = 0; i < c.count; ++i) {
    (c.h[i].x() > 0 ? right : left) = true;
    (c.h[i].y() > 0 ? above : below) = true;
  }
  const int through = static_cast<int>(end_above) - static_cast<int>(start_above);
  if (!right || (through == 0 && !(above && below))) return 0;
  if (!left) return through;
  if (halvings == 0) return (c.start() + c.end()).x() > 0 ? through : 0;
  const Halves half = halves(c);
  const bool middle_above = half.after.h[0].y() > 0;
  return crossings(half.before, start_above, middle_above, halvings - 1) +
         crossings(half.after, middle_above, end_above, halvings - 1);
}

// Bernstein coefficients of a function that has the sign of the derivative of the distance along a
// curve seen from the origin: with the squared distance P / w², P = h · h,
//   g = ½ P' w − P w'  of degree 3 n − 1.
// Each is scaled by its binomial coefficient, so that products are plain convolutions.
struct Slope {
  std::size_t count;
  std::array<double, 3 * (kMaxPoints - 1)> g;
};

constexpr auto kBinomial = [] {
  std::array<std::array<double, kMaxPoints>, kMaxPoints> C{};
  for (std::size_t n = 0; n < kMaxPoints; ++n) {
    C[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) C[n][k] = C[n - 1][k - 1] + (k < n ? C[n - 1][k] : 0);
  }
  return C;
}();

Slope slope_of_distance(const LoopCurve& c) {
  const std::size_t n = c.count - 1;
  std::array<Vec3<double>, kMaxPoints> h;
  for (std::size_t i = 0; i <= n; ++i) h[i] = kBinomial[n][i] * c.h[i];
  std::array<double, 2 * kMaxPoints - 1> P{};
  for (std::size_t i = 0; i <= n; ++i) {
    P[2 * i] += h[i].head<2>().squaredNorm();
    for (std::size_t j = i + 1; j <= n; ++j) P[i + j] += 2 * h[i].head<2>().dot(h[j].head<2>());
  }
  // (Σ a_k C(m, k) …)' has the scaled coefficients (k + 1) a_(k+1) − (m − k) a_k.
  const auto number = [](std::size_t k) { return static_cast<double>(k); };
  Slope slope{3 * n, {}};
  for (std::size_t k = 0; k < 2 * n; ++k) {
    const double half_dP = 0.5 * (number(k + 1) * P[k + 1] - number(2 * n - k) * P[k]);
    for (std::size_t j = 0; j <= n; ++j) slope.g[k + j] += half_dP * h[j].z();
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double dw = number(j + 1) * h[j + 1].z() - number(n - j) * h[j].z();
    for (std::size_t k = 0; k <= 2 * n; ++k) slope.g[k + j] -= P[k] * dw;
  }
  return slope;
}

// How often the coefficients change sign, which is at least how often the function does; those
// within round-off have none. If just once and from − to +: near which parameter.
struct SignChanges {
  int count = 0;
  double upwards_near = -1;
};
SignChanges sign_changes(const LoopCurve& c) {
  const Slope slope = slope_of_distance(c);
  double far = 0, heavy = 0;
  for (std::size_t i = 0; i < c.count; ++i) {
    far = std::max(far, c.h[i].head<2>().squaredNorm());
    heavy = std::max(heavy, c.h[i].z());
  }
  const double noise = 8 * static_cast<double>(c.count) * kEps * far * heavy;
  const double degree = static_cast<double>(slope.count - 1);
  SignChanges result;
  double binomial = 1, k_before = 0, g_before = 0;
  for (double k = 0; k <= degree; ++k) {
    const double g = slope.g[static_cast<std::size_t>(k)] / binomial;
    binomial *= (degree - k) / (k + 1);
    if (std::abs(g) <= noise) continue;
    if (g * g_before < 0) {
      ++result.count;
      if (g > 0)
        result.upwards_near = (k_before + (k - k_before) * g_before / (g_before - g)) / degree;
    }
    k_before = k;
    g_before = g;
  }
  return result;
}

// Into parts whose control polygons stay within 45° of the chord, but no more than 2^halvings.
void cut(const LoopCurve& c, int halvings, std::vector<LoopCurve>& parts) {
  if (halvings == 0 || goes_forward(c, 0.7)) {
    parts.push_back(c);
    return;
  }
  const Halves half = halves(c);
  cut(half.before, halvings - 1, parts);
  cut(half.after, halvings - 1, parts);
}

}  // namespace

TrimmingLoop polygon_loop(const std::vector<Uv<double>>& points) {
  TrimmingLoop loop;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Uv<double>& next = points[(i + 1) % points.size()];
    loop.push_back({{weighted<2>(points[i], 1), weighted<2>(next, 1)}});
  }
  return loop;
}

// The nearest point of the border, so far.
struct TrimmingSearch {
  Trimming::Nearest best;

  // The distance of an end: corners are found here.
  void offer(const Point& offset) {
    const double squared = offset.squaredNorm();
    if (squared < best.squared) best = {squared, offset, Point::Zero(), false};
  }

  // The least distance within a curve, seen from the asking point, whose ends have been offered.
  // Where the distance has no more than one extremum it is found by Newton's method, otherwise the
  // curve is halved: few halves at each depth can have more than one (Obreschkoff), and around a
  // centre of curvature the slope sinks below round-off.
  void search(const LoopCurve& c, int halvings) {
    const SignChanges changes = sign_changes(c);
    if (changes.count == 0 || halvings == 0) return;
    if (changes.count == 1) {
      if (changes.upwards_near >= 0) descend(c, changes.upwards_near);
      return;
    }
    const Halves half = halves(c);
    offer(half.after.start());
    for (const LoopCurve* part : {&half.before, &half.after}) {
      const Box2 box = box_of(*part);
      if (squared_distance(box.low, box.high, Point::Zero()) < best.squared)
        search(*part, halvings - 1);
    }
  }

  // Newton's method for c · T = 0, T = h' w − h w' along the tangent, kept within the bracket in
  // which c · T changes from − to +. Where it is slow (several zeros in one), bisection helps.
  void descend(const LoopCurve& c, double t) {
    double low = 0, high = 1;
    Point offset, T;
    bool last = false;
    for (int step = 0; step < 80; ++step) {
      const LoopJet at = jet(c, t);
      const Point h = at.h.head<2>();
      const double w = at.h.z();
      T = at.h1.head<2>() * w - h * at.h1.z();
      const Point dT = at.h2.head<2>() * w - h * at.h2.z();
      offset = h / w;
      const double g = h.dot(T), dg = at.h1.head<2>().dot(T) + h.dot(dT);
      if (g == 0 || last) break;
      (g < 0 ? low : high) = t;
      const double by = std::abs(g / dg);
      if (by <= 4 * kEps) break;
      double next = t - g / dg;
      last = by <= 1e-9;  // the error is squared in the last step
      if (!(next > low && next < high) || (step > 8 && step % 2 == 0 && !last)) {
        next = 0.5 * (low + high);
        last = false;
      }
      t = next;
    }
    const double squared = offset.squaredNorm();
    if (squared <= best.squared) best = {squared, offset, T, true};
  }
};

Trimming::Nearest Trimming::nearest(const Point& q) const {
  TrimmingSearch search{
      {std::numeric_limits<double>::infinity(), Point::Zero(), Point::Zero(), false}};
  const auto bound = [&](const auto& box) { return squared_distance(box.low, box.high, q); };
  const auto nearest_of = [&](const auto* begin, const auto* end) {
    double least = std::numeric_limits<double>::infinity();
    const auto* found = begin;
    for (const auto* box = begin; box != end; ++box) {
      const double b = bound(*box);
      if (b < least) {
        least = b;
        found = box;
      }
    }
    return found;
  };
  const auto look_into = [&](const Piece& p) {
    search.offer(p.start - q);
    search.offer(p.end - q);
    search.search(seen_from(q, &points_[p.first], p.count), kMaxHalvings);
  };
  // What is likely the nearest piece first: then most others are known to be farther.
  const Block* block = nearest_of(blocks_.data(), blocks_.data() + blocks_.size());
  const Piece* piece =
      nearest_of(&pieces_[block->begin], &pieces_[block->begin] + (block->end - block->begin));
  look_into(*piece);
  for (const Block& b : blocks_) {
    if (!(bound(b) < search.best.squared)) continue;
    for (std::size_t i = b.begin; i < b.end; ++i) {
      if (&pieces_[i] != piece && bound(pieces_[i]) < search.best.squared) look_into(pieces_[i]);
    }
  }
  return search.best;
}

int Trimming::winding(const Point& q) const {
  const auto off_the_ray = [&](const auto& box) {  // along +x
    return box.high.x() <= q.x() || box.high.y() <= q.y() || box.low.y() > q.y();
  };
  int sum = 0;
  for (const Block& b : blocks_) {
    if (off_the_ray(b)) continue;
    for (std::size_t i = b.begin; i < b.end; ++i) {
      const Piece& p = pieces_[i];
      if (off_the_ray(p)) continue;
      const bool start_above = p.start.y() > q.y(), end_above = p.end.y() > q.y();
      if (p.low.x() > q.x()) {
        sum += static_cast<int>(end_above) - static_cast<int>(start_above);
      } else {
        sum += crossings(seen_from(q, &points_[p.first], p.count), start_above, end_above,
                         kMaxHalvings);
      }
    }
  }
  return sum;
}

bool Trimming::inside(const Uv<double>& q) const { return winding(scaled(q)) > 0; }

double Trimming::signed_distance(const Uv<double>& q) const {
  const Point p = scaled(q);
  const Nearest at = nearest(p);
  const double distance = std::sqrt(at.squared);
  // Across a smooth curve: how far to the left of the tangent, T × (q − c) / |T|, which passes
  // through zero smoothly. At a corner or a cusp that tells nothing.
  if (at.on_curve && at.tangent.squaredNorm() > 0) {
    const double left = cross(at.offset, at.tangent) / at.tangent.norm();
    if (std::abs(left) > 0.5 * distance || distance <= 4 * kEps) return left;
  }
  return winding(p) > 0 ? distance : -distance;
}

Uv<double> Trimming::nearest_on_border(const Uv<double>& q) const {
  const Point p = scaled(q);
  return low_ + size_.cwiseProduct(p + nearest(p).offset);
}

Result<Trimming> Trimming::make(const Rect& domain, std::vector<TrimmingLoop> given) {
  const Result<Frame> frame = checked_frame(domain);
  if (!frame) return Unexpected{frame.error()};
  const GaussRule gauss = gauss_legendre(16);  // exact for ∫ x dy of the highest degree
  std::vector<Loop> loops;
  bool outer = false;
  for (std::size_t l = 0; l < given.size(); ++l) {
    Result<Loop> loop = checked_loop(given[l], l, *frame, gauss);
    if (!loop) return Unexpected{loop.error()};
    outer = outer || loop->area > 0;
    loops.push_back(std::move(*loop));
  }
  if (!outer) {
    loops.push_back({{}, 1});
    for (const BezierCurve<2>& side : polygon_loop({{0, 0}, {1, 0}, {1, 1}, {0, 1}}))
      loops.back().curves.push_back({2, {side.points[0], side.points[1]}});
  }
  if (auto wrong = wrong_meetings(loops, given.size(), *frame)) return *wrong;

  Trimming t;
  t.domain_ = domain;
  t.low_ = frame->low;
  t.size_ = frame->size;
  for (const Loop& loop : loops) {
    t.area_ += loop.area * t.size_.prod();
    std::vector<LoopCurve> parts;
    for (const LoopCurve& c : loop.curves) cut(c, 4, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const LoopCurve& c = parts[i];
      const Box2 box = box_of(c);
      if (i % 8 == 0) t.blocks_.push_back({box.low, box.high, t.pieces_.size(), 0});
      Block& block = t.blocks_.back();
      block.low = block.low.cwiseMin(box.low);
      block.high = block.high.cwiseMax(box.high);
      block.end = t.pieces_.size() + 1;
      t.pieces_.push_back({box.low, box.high, c.start(), c.end(), t.points_.size(), c.count});
      t.points_.insert(t.points_.end(), c.h.begin(),
                       c.h.begin() + static_cast<std::ptrdiff_t>(c.count));
    }
  }
  if (auto wrong = wrong_sides(loops, given.size(), [&](const Point& p) { return t.winding(p); }))
    return *wrong;
  t.loops_ = std::move(given);
  return t;
}

}  // namespace oloid::geometry
