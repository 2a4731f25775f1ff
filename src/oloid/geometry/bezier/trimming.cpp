#include "oloid/geometry/bezier/trimming.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "oloid/numerics/quadrature.h"

namespace oloid::geometry {
namespace {

using Point = Vec2<double>;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kJoin = 1e-9;       // ends this near are one point; so far curves may leave
constexpr double kTouch = 1e-11;     // curves that cannot be told apart at this size meet
constexpr double kCorner = 1e-6;     // this near to a common end or a cusp meetings go unnoticed
constexpr double kMinArea = 1e-14;   // of a loop, in unit squares
constexpr double kMaxWeights = 1e6;  // largest weight of a curve by its smallest
constexpr int kMaxHalvings = 60;     // of a curve: down to round-off
constexpr std::size_t kMaxPoints = kMaxDegree + 1;

double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }

// A rational Bezier curve on the stack: control points (w p, w).
struct LoopCurve {
  std::size_t count;
  std::array<Vec3<double>, kMaxPoints> h;

  Point point(std::size_t i) const { return h[i].head<2>() / h[i].z(); }
  Point start() const { return point(0); }
  Point end() const { return point(count - 1); }
};

struct Halves {
  LoopCurve before, after;
};
Halves halves(const LoopCurve& c) {
  Halves result;
  LoopCurve &a = result.before, &b = result.after;
  a.count = b.count = c.count;
  for (std::size_t i = 0; i < c.count; ++i) b.h[i] = c.h[i];
  for (std::size_t k = 0; k < c.count; ++k) {
    a.h[k] = b.h[0];
    for (std::size_t i = 0; i + 1 + k < c.count; ++i) b.h[i] = 0.5 * (b.h[i] + b.h[i + 1]);
  }
  return result;
}

// The homogeneous curve with two derivatives, from the last three rows of de Casteljau's scheme.
struct LoopJet {
  Vec3<double> h, h1, h2;
};
LoopJet jet(const LoopCurve& c, double t) {
  std::array<Vec3<double>, kMaxPoints> b;
  b[0] = c.h[0];
  for (std::size_t i = 1; i < c.count; ++i) b[i] = c.h[i];
  const double n = static_cast<double>(c.count - 1);
  LoopJet result;
  result.h2.setZero();
  for (std::size_t left = c.count; left > 1; --left) {
    if (left == 3) result.h2 = n * (n - 1) * (b[2] - 2 * b[1] + b[0]);
    if (left == 2) result.h1 = n * (b[1] - b[0]);
    for (std::size_t i = 0; i + 1 < left; ++i) b[i] = (1 - t) * b[i] + t * b[i + 1];
  }
  result.h = b[0];
  return result;
}

struct Box2 {
  Point low, high;
};
Box2 box_of(const LoopCurve& c) {
  Box2 box{c.point(0), c.point(0)};
  for (std::size_t i = 1; i < c.count; ++i) {
    const Point p = c.point(i);
    box.low = box.low.cwiseMin(p);
    box.high = box.high.cwiseMax(p);
  }
  return box;
}
double size_of(const Box2& box) { return (box.high - box.low).maxCoeff(); }

double squared_distance(const Point& low, const Point& high, const Point& q) {
  return (low - q).cwiseMax(q - high).cwiseMax(Point::Zero()).squaredNorm();
}

// The curve seen from q, which becomes the origin: near q no digits are lost any more.
LoopCurve seen_from(const Point& q, const Vec3<double>* points, std::size_t count) {
  LoopCurve c;
  c.count = count;
  for (std::size_t i = 0; i < count; ++i) {
    c.h[i] << points[i].head<2>() - points[i].z() * q, points[i].z();
  }
  return c;
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

// ½ ∫ c × dc over a curve, seen from some origin: with c = h / w this is ½ ∫ (h × h') / w² dt.
double swept(const GaussRule& gauss, const LoopCurve& c) {
  double sum = 0;
  for (std::size_t k = 0; k < gauss.points.size(); ++k) {
    const LoopJet at = jet(c, gauss.points[k]);
    sum += gauss.weights[k] * cross(at.h.head<2>(), at.h1.head<2>()) / (at.h.z() * at.h.z());
  }
  return 0.5 * sum;
}
double swept_area(const GaussRule& gauss, const LoopCurve& c, double whole, int halvings) {
  const Halves half = halves(c);
  const double before = swept(gauss, half.before), after = swept(gauss, half.after);
  if (halvings == 0 || std::abs(before + after - whole) <= 4 * kEps) return before + after;
  return swept_area(gauss, half.before, before, halvings - 1) +
         swept_area(gauss, half.after, after, halvings - 1);
}

// Every leg of the control polygon goes forward along the chord, by at least this cosine. If it is
// not negative the curve does not meet itself: its tangent is a positive sum of the legs.
bool goes_forward(const LoopCurve& c, double cosine) {
  const Point chord = c.end() - c.start();
  for (std::size_t i = 0; i + 1 < c.count; ++i) {
    const Point leg = c.point(i + 1) - c.point(i);
    const double along = leg.dot(chord);
    if (along < 0 || along < cosine * leg.norm() * chord.norm()) return false;
  }
  return chord.squaredNorm() > 0;
}

// Where the curve is beyond the unit square.
std::optional<Point> outside_square(const LoopCurve& c, int halvings) {
  const auto beyond = [](const Point& p) {
    return p.minCoeff() < -kJoin || p.maxCoeff() > 1 + kJoin;
  };
  if (beyond(c.start())) return c.start();
  if (beyond(c.end())) return c.end();
  const Box2 box = box_of(c);
  if (halvings == 0 || (!beyond(box.low) && !beyond(box.high))) return {};
  const Halves half = halves(c);
  if (auto p = outside_square(half.before, halvings - 1)) return p;
  return outside_square(half.after, halvings - 1);
}

// Do two curves meet, other than at ends they have in common?
//
// Which ends are common is a set of these flags.
enum : unsigned {
  kNone = 0,
  kStartStart = 1,
  kStartEnd = 2,
  kEndStart = 4,
  kEndEnd = 8,
};

// A line separates the control polygons: an axis, or one along or across either chord.
bool separated(const LoopCurve& a, const LoopCurve& b) {
  const auto along = [&](const Point& axis) {
    const auto range = [&](const LoopCurve& c) {
      double low = axis.dot(c.point(0)), high = low;
      for (std::size_t i = 1; i < c.count; ++i) {
        const double x = axis.dot(c.point(i));
        low = std::min(low, x);
        high = std::max(high, x);
      }
      return std::pair(low, high);
    };
    const auto [a_low, a_high] = range(a);
    const auto [b_low, b_high] = range(b);
    return a_high < b_low || b_high < a_low;
  };
  if (along(Point::UnitX()) || along(Point::UnitY())) return true;
  for (const LoopCurve* c : {&a, &b}) {
    const Point chord = (c->end() - c->start()).normalized();
    if (along(chord) || along(Point(-chord.y(), chord.x()))) return true;
  }
  return false;
}

// Directions from an end of a curve to its other control points, as a range of angles.
struct Cone {
  double middle, half_width;
};
std::optional<Cone> cone(const LoopCurve& c, bool from_start) {
  const Point apex = from_start ? c.start() : c.end();
  const Point chord = from_start ? c.end() - apex : c.start() - apex;
  double low = 0, high = 0;
  for (std::size_t i = 0; i < c.count; ++i) {
    const Point p = c.point(i) - apex;
    if (p.norm() <= 4 * kEps) continue;
    const double angle = std::atan2(cross(chord, p), chord.dot(p));
    low = std::min(low, angle);
    high = std::max(high, angle);
  }
  if (high - low > std::numbers::pi) return {};
  return Cone{std::atan2(chord.y(), chord.x()) + 0.5 * (low + high), 0.5 * (high - low)};
}
// With one common end: they meet nowhere else since they go off to different sides.
bool meet_at_common_end_only(const LoopCurve& a, const LoopCurve& b, unsigned common) {
  if (common != kStartStart && common != kStartEnd && common != kEndStart && common != kEndEnd)
    return false;
  const auto cone_a = cone(a, (common & (kStartStart | kStartEnd)) != 0);
  const auto cone_b = cone(b, (common & (kStartStart | kEndStart)) != 0);
  if (!cone_a || !cone_b) return false;
  const double between =
      std::abs(std::remainder(cone_b->middle - cone_a->middle, 2 * std::numbers::pi));
  return between > cone_a->half_width + cone_b->half_width + 1e-12;
}

// All of the curve is near to one of the points.
bool near_corner(const LoopCurve& c, std::span<const Point> corners) {
  return std::any_of(corners.begin(), corners.end(), [&](const Point& corner) {
    for (std::size_t i = 0; i < c.count; ++i)
      if ((c.point(i) - corner).norm() > kCorner) return false;
    return true;
  });
}

// The corners are the common ends of the whole curves of which a and b are parts.
std::optional<Point> meeting(const LoopCurve& a, const LoopCurve& b, unsigned common,
                             std::span<const Point> corners) {
  if (separated(a, b) || meet_at_common_end_only(a, b, common)) return {};
  if (near_corner(a, corners) && near_corner(b, corners)) return {};
  const double size_a = size_of(box_of(a)), size_b = size_of(box_of(b));
  if (std::max(size_a, size_b) <= kTouch) return a.start();
  std::optional<Point> p;
  if (size_a >= size_b) {
    const Halves half = halves(a);
    if (!(p = meeting(half.before, b, common & (kStartStart | kStartEnd), corners)))
      p = meeting(half.after, b, common & (kEndStart | kEndEnd), corners);
  } else {
    const Halves half = halves(b);
    if (!(p = meeting(a, half.before, common & (kStartStart | kEndStart), corners)))
      p = meeting(a, half.after, common & (kStartEnd | kEndEnd), corners);
  }
  return p;
}

std::optional<Point> meets_itself(const LoopCurve& c, bool closed) {
  if (goes_forward(c, 0) || size_of(box_of(c)) <= kCorner) return {};
  const Halves half = halves(c);
  const std::array corners{half.after.start(), closed ? c.start() : half.after.start()};
  std::optional<Point> p;
  if (!(p = meets_itself(half.before, false)) && !(p = meets_itself(half.after, false)))
    p = meeting(half.before, half.after, closed ? kEndStart | kStartEnd : kEndStart, corners);
  return p;
}

// Of two whole curves.
std::optional<Point> meeting(const LoopCurve& a, const LoopCurve& b) {
  const auto near = [](const Point& p, const Point& q) { return (p - q).norm() <= 2 * kJoin; };
  unsigned common = kNone;
  std::array<Point, 4> corners;
  std::size_t count = 0;
  const auto compare = [&](const Point& p, const Point& q, unsigned flag) {
    if (!near(p, q)) return;
    common |= flag;
    corners[count++] = p;
  };
  compare(a.start(), b.start(), kStartStart);
  compare(a.start(), b.end(), kStartEnd);
  compare(a.end(), b.start(), kEndStart);
  compare(a.end(), b.end(), kEndEnd);
  return meeting(a, b, common, {corners.data(), count});
}

// The plane in which the rectangle is the unit square.
struct Frame {
  Uv<double> low, size;
  Uv<double> back(const Point& p) const { return low + size.cwiseProduct(p); }
  std::string text(const Point& p) const {
    const Uv<double> q = back(p);
    return fmt::format("({:.10g}, {:.10g})", q.x(), q.y());
  }
};

std::string name(std::size_t loop, std::size_t curve) {
  return fmt::format("curve {} of loop {}", curve, loop);
}

Result<Frame> checked_frame(const Rect& r) {
  const Frame frame{{r.u0, r.v0}, {r.u1 - r.u0, r.v1 - r.v0}};
  if (!frame.low.allFinite() || !frame.size.allFinite() || !(frame.size.minCoeff() > 0)) {
    return refuse(fmt::format("the rectangle is [{}, {}] x [{}, {}]", r.u0, r.u1, r.v0, r.v1),
                  "use finite numbers with u0 < u1 and v0 < v1");
  }
  return frame;
}

std::optional<Unexpected<Error>> wrong_numbers(const BezierCurve<2>& c, const std::string& who) {
  if (c.points.size() < 2 || c.points.size() > kMaxPoints) {
    return refuse(fmt::format("{} has degree {}", who, c.degree()),
                  fmt::format("degrees are 1 to {}", kMaxDegree));
  }
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; i < c.points.size(); ++i) {
    const double w = c.points[i].z();
    if (!c.points[i].allFinite())
      return refuse(fmt::format("point {} of {} is not finite", i, who), "use finite numbers");
    if (!(w > 0))
      return refuse(fmt::format("weight {} of {} is {}", i, who, w),
                    "weights must be greater than 0");
    least = std::min(least, w);
    most = std::max(most, w);
  }
  if (most > kMaxWeights * least) {
    return refuse(fmt::format("the weights of {} differ by a factor of {:.3g}", who, most / least),
                  fmt::format("at most {:.0g} is allowed; split the curve, or lower its degree",
                              kMaxWeights));
  }
  return {};
}

// In the scaled plane, and in standard form (Farin, section 13.6): both end weights 1. That changes
// the pace at which the curve is run through, but makes end points plain numbers.
LoopCurve standard_form(const BezierCurve<2>& given, const Frame& frame) {
  LoopCurve c;
  c.count = given.points.size();
  const double n = static_cast<double>(c.count - 1), first = given.points.front().z();
  const double pace = first / given.points.back().z();
  for (std::size_t i = 0; i < c.count; ++i) {
    const Point p = (given.control_point(i) - frame.low).cwiseQuotient(frame.size);
    const bool at_end = i == 0 || i + 1 == c.count;
    const double w =
        at_end ? 1 : given.points[i].z() / first * std::pow(pace, static_cast<double>(i) / n);
    c.h[i] = weighted<2>(p, w);
  }
  return c;
}

struct Loop {
  std::vector<LoopCurve> curves;
  double area = 0;  // positive if counter-clockwise
};

Result<Loop> checked_loop(const TrimmingLoop& given, std::size_t l, const Frame& frame,
                          const GaussRule& gauss) {
  if (given.empty()) {
    return refuse(fmt::format("loop {} has no curves", l),
                  "omit it, or specify a closed chain of curves");
  }
  Loop loop;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (auto wrong = wrong_numbers(given[i], name(l, i))) return *wrong;
    loop.curves.push_back(standard_form(given[i], frame));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t next = (i + 1) % given.size();
    const Point end = loop.curves[i].end(), start = loop.curves[next].start();
    if ((end - start).norm() > kJoin) {
      return refuse(fmt::format("{} ends at {}, but curve {} starts at {}", name(l, i),
                                frame.text(end), next, frame.text(start)),
                    fmt::format("each curve must start where the previous one ends, to within "
                                "{:.0g} of the rectangle; the last one leads back to the first",
                                kJoin));
    }
    loop.curves[next].h[0] = weighted<2>(end, 1);  // from now on without a gap
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (const auto p = outside_square(loop.curves[i], kMaxHalvings)) {
      return refuse(fmt::format("{} leaves the rectangle at {}", name(l, i), frame.text(*p)),
                    "enlarge the rectangle, or clip the loop to it");
    }
  }
  for (const LoopCurve& c : loop.curves) {
    const LoopCurve seen = seen_from(loop.curves[0].start(), c.h.data(), c.count);
    loop.area += swept_area(gauss, seen, swept(gauss, seen), 12);
  }
  if (!(std::abs(loop.area) > kMinArea)) {
    return refuse(fmt::format("loop {} encloses no area", l),
                  "remove it; or correct it, if it doubles back or crosses itself");
  }
  return loop;
}

// Meetings of any two curves. The last loop may be the rectangle: that one has no number.
std::optional<Unexpected<Error>> wrong_meetings(const std::vector<Loop>& loops, std::size_t given,
                                                const Frame& frame) {
  struct Entry {
    std::size_t loop, index;
    const LoopCurve* curve;
    Box2 box;
  };
  std::vector<Entry> all;
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::size_t i = 0; i < loops[l].curves.size(); ++i)
      all.push_back({l, i, &loops[l].curves[i], box_of(loops[l].curves[i])});
  for (const Entry& e : all) {
    const bool alone = loops[e.loop].curves.size() == 1;
    if (const auto p = meets_itself(*e.curve, alone)) {
      return refuse(fmt::format("{} crosses itself near {}", name(e.loop, e.index), frame.text(*p)),
                    "split it there, and omit the part in between");
    }
  }
  // Sweep along u: only curves whose boxes overlap are compared.
  std::sort(all.begin(), all.end(),
            [](const Entry& a, const Entry& b) { return a.box.low.x() < b.box.low.x(); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Entry *a = &all[i], *b = &all[j];
      if (b->box.low.x() > a->box.high.x()) break;
      const auto p = meeting(*a->curve, *b->curve);
      if (!p) continue;
      if (std::pair(a->loop, a->index) > std::pair(b->loop, b->index)) std::swap(a, b);
      if (b->loop == given) {
        return refuse(fmt::format("{} meets the border of the rectangle near {}",
                                  name(a->loop, a->index), frame.text(*p)),
                      "specify the outer border as a counter-clockwise loop");
      }
      return refuse(fmt::format("{} meets {} near {}", name(a->loop, a->index),
                                name(b->loop, b->index), frame.text(*p)),
                    "loops may touch each other and themselves only where curves end");
    }
  }
  return {};
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

// How often the loops run around what is next to a curve: 1 and 0 if what is kept lies to its left.
// Looked at closer and closer, since other curves may be near, and at two points, since one may be
// a cusp.
struct Sides {
  int left = 0, right = 0;
};
template <class Winding>
Sides sides_of(const LoopCurve& c, const Winding& winding) {
  Sides sides;
  for (double t : {0.4, 0.5}) {
    const LoopJet at = jet(c, t);
    const Point p = at.h.head<2>() / at.h.z();
    const Point tangent = (at.h1.head<2>() - p * at.h1.z()).normalized();
    const Point normal(-tangent.y(), tangent.x());
    for (double step = 1e-4; step > 1e-14; step *= 0.01) {
      sides = {winding(p + step * normal), winding(p - step * normal)};
      if (sides.left == 1 && sides.right == 0) return sides;
    }
  }
  return sides;
}

template <class Winding>
std::optional<Unexpected<Error>> wrong_sides(const std::vector<Loop>& loops, std::size_t given,
                                             const Winding& winding) {
  for (std::size_t l = 0; l < given; ++l) {
    for (std::size_t i = 0; i < loops[l].curves.size(); ++i) {
      const LoopCurve& c = loops[l].curves[i];
      if (size_of(box_of(c)) <= kJoin) continue;  // as good as no curve
      const Sides sides = sides_of(c, winding);
      if (sides.left == 1 && sides.right == 0) continue;
      return refuse(
          fmt::format("{} does not bound the kept region: the winding number is {} on its left, {} "
                      "on its right",
                      name(l, i), sides.left, sides.right),
          "loops must run counter-clockwise around the kept region and clockwise around its holes");
    }
  }
  return {};
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
