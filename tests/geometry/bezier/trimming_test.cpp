#include "oloid/geometry/bezier/trimming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <numbers>
#include <string>

#include "laws/random.h"
#include "support/count_allocations.h"
#include "support/rooms.h"

namespace oloid::test::trimming_test {

using std::numbers::pi;
using Point = Uv<double>;
using Loops = std::vector<TrimmingLoop>;

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr Rect kUnit{0, 1, 0, 1};

Trimming trimming(const Rect& domain, Loops loops) {
  auto made = Trimming::make(domain, std::move(loops));
  EXPECT_TRUE(made) << (made ? "" : to_string(made.error()));
  return made.value();
}

BezierCurve<2> curve(const std::vector<Point>& points, std::vector<double> weights = {}) {
  BezierCurve<2> c;
  for (std::size_t i = 0; i < points.size(); ++i)
    c.points.push_back(weighted<2>(points[i], weights.empty() ? 1 : weights[i]));
  return c;
}

TrimmingLoop reversed_loop(const TrimmingLoop& loop) {
  TrimmingLoop result;
  for (auto c = loop.rbegin(); c != loop.rend(); ++c) result.push_back(reversed(*c));
  return result;
}

// A counter-clockwise circle, exactly: four quarters of degree 2, with weights at any pace.
TrimmingLoop circle(const Point& centre, double r, double pace = 1) {
  TrimmingLoop loop;
  for (int k = 0; k < 4; ++k) {
    const double c[] = {1, 0, -1, 0, 1, 0}, *e = c + k;  // cos, and −sin one further on
    const Point p(e[0], k == 0 ? 0 : -e[1]), q(-p.y(), p.x());
    loop.push_back(curve({centre + r * p, centre + r * (p + q), centre + r * q},
                         {2, 2 * pace / std::numbers::sqrt2, 2 * pace * pace}));
  }
  return loop;
}

TrimmingLoop square(double low, double high) {
  return polygon_loop({{low, low}, {high, low}, {high, high}, {low, high}});
}

// Smooth closed loop of cubics around a centre (Catmull and Rom), counter-clockwise.
TrimmingLoop blob(Random& random, const Point& centre, double r, std::size_t corners = 7) {
  std::vector<Point> p;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(corners);
    p.push_back(centre + r * random.uniform(0.55, 0.85) * Point(std::cos(angle), std::sin(angle)));
  }
  TrimmingLoop loop;
  for (std::size_t i = 0; i < corners; ++i) {
    const Point &a = p[(i + corners - 1) % corners], &b = p[i], &c = p[(i + 1) % corners],
                &d = p[(i + 2) % corners];
    loop.push_back(curve({b, b + (c - a) / 6, c - (d - b) / 6, c}));
  }
  return loop;
}

TrimmingLoop star(Random& random, const Point& centre, double r, std::size_t corners) {
  std::vector<Point> p;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(corners);
    p.push_back(centre + r * random.uniform(0.2, 1) * Point(std::cos(angle), std::sin(angle)));
  }
  return polygon_loop(p);
}

Point direction(Random& random) {
  const double angle = random.uniform(-pi, pi);
  return {std::cos(angle), std::sin(angle)};
}

double segment_distance(const Point& a, const Point& b, const Point& q) {
  const double t = std::clamp((q - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (a + t * (b - a) - q).norm();
}

TEST(Trimming, WithoutLoopsTheRectangleIsKept) {
  const Trimming t = trimming({-1, 3, 2, 4}, {});
  EXPECT_DOUBLE_EQ(t.area(), 8);
  EXPECT_EQ(t.signed_distance({1, 3}), 0.5);  // in units of the sides
  EXPECT_EQ(t.signed_distance({1, 2}), 0);
  EXPECT_EQ(t.signed_distance({-1, 2}), 0);
  EXPECT_EQ(t.signed_distance({5, 3}), -0.5);
  EXPECT_DOUBLE_EQ(t.signed_distance({-5, 6}), -std::sqrt(2));  // corner
  EXPECT_EQ(t.nearest_on_border({-5, 6}), Point(-1, 4));
  EXPECT_TRUE(t.inside({2.9, 3.9}));
  EXPECT_FALSE(t.inside({3.1, 3.9}));
}

TEST(Trimming, CircleIsExact) {
  const Point centre(0.45, 0.55);
  const double r = 0.3;
  for (double pace : {1.0, 0.3, 5.0}) {
    const Trimming hole = trimming(kUnit, {reversed_loop(circle(centre, r, pace))});
    const Trimming disc = trimming(kUnit, {circle(centre, r, pace)});
    EXPECT_NEAR(disc.area(), pi * r * r, 4 * kEps);
    EXPECT_NEAR(hole.area(), 1 - pi * r * r, 4 * kEps);
    for_random_cases(2000, [&](Random& random) {
      const Point q = random.vector<2>(-0.5, 1.5), off = q - centre;
      EXPECT_NEAR(disc.signed_distance(q), r - off.norm(), 4 * kEps);
      EXPECT_EQ(disc.inside(q), off.norm() < r);
      const double to_square = std::min(std::min(q.x(), 1 - q.x()), std::min(q.y(), 1 - q.y()));
      if (to_square > 0) {
        EXPECT_NEAR(hole.signed_distance(q), std::min(to_square, off.norm() - r), 4 * kEps);
        EXPECT_EQ(hole.inside(q), off.norm() > r);
      }
      EXPECT_LE((disc.nearest_on_border(q) - (centre + r * off.normalized())).norm(),
                16 * kEps / std::min(1.0, off.norm()));
    });
    EXPECT_NEAR(disc.signed_distance(centre), r, 4 * kEps);  // all points are nearest
    for (double off : {1e-15, 1e-12, 1e-9, 1e-6, 1e-3}) {
      EXPECT_NEAR(disc.signed_distance(centre + Point(off, 0.3 * off)),
                  r - off * std::hypot(1, 0.3), 4 * kEps);
    }
  }
}

TEST(Trimming, IsRightVeryNearTheBorder) {
  const Point centre(0.5, 0.5);
  const double r = 0.375;
  const Trimming disc = trimming(kUnit, {circle(centre, r)});
  const Trimming box = trimming(kUnit, {square(0.25, 0.75)});
  for_random_cases(2000, [&](Random& random) {
    for (double d : {1e-15, 1e-14, 1e-12, 1e-10, 1e-7}) {
      for (double side : {-1.0, 1.0}) {
        const Point n = direction(random), q = centre + (r - side * d) * n;
        // How far q truly is from the circle, in numbers that hold the difference.
        const long double x = static_cast<long double>(q.x()) - 0.5L,
                          y = static_cast<long double>(q.y()) - 0.5L;
        const double exact = static_cast<double>(0.375L - std::sqrt(x * x + y * y));
        EXPECT_NEAR(disc.signed_distance(q), exact, 2 * kEps);
        if (std::abs(exact) > 4 * kEps) {
          EXPECT_EQ(disc.inside(q), exact > 0);
        }

        const Point p(0.25 + side * d, random.uniform(0.3, 0.7));
        EXPECT_DOUBLE_EQ(box.signed_distance(p), p.x() - 0.25);
        EXPECT_EQ(box.inside(p), side > 0);
        EXPECT_LE((box.nearest_on_border(p) - Point(0.25, p.y())).norm(), kEps);
      }
    }
  });
}

TEST(Trimming, RayThroughCornersCountsThemOnce) {
  const Trimming diamond =
      trimming(kUnit, {polygon_loop({{0.5, 0.25}, {0.75, 0.5}, {0.5, 0.75}, {0.25, 0.5}})});
  EXPECT_TRUE(diamond.inside({0.5, 0.5}));
  EXPECT_FALSE(diamond.inside({0.125, 0.5}));
  EXPECT_FALSE(diamond.inside({0.125, 0.25}));
  EXPECT_FALSE(diamond.inside({0.125, 0.75}));
  EXPECT_FALSE(diamond.inside({0.875, 0.5}));
  const Trimming disc = trimming(kUnit, {circle({0.5, 0.5}, 0.25)});
  EXPECT_TRUE(disc.inside({0.5, 0.5}));
  for (double y : {0.25, 0.5, 0.75}) EXPECT_FALSE(disc.inside({0.125, y}));
}

TEST(Trimming, StarsAgreeWithAPlainPolygonTest) {
  for_random_cases(50, [](Random& random) {
    const TrimmingLoop loop =
        star(random, {0.5, 0.5}, 0.45, 5 + static_cast<std::size_t>(random.uniform(0, 30)));
    const Trimming t = trimming(kUnit, {loop});
    double area = 0;
    for (const auto& edge : loop)
      area += 0.5 * (edge.start().x() * edge.end().y() - edge.start().y() * edge.end().x());
    EXPECT_NEAR(t.area(), area, 4 * kEps);
    for (int i = 0; i < 200; ++i) {
      const Point q = random.vector<2>(0, 1);
      bool odd = false;
      double distance = 9;
      for (const auto& edge : loop) {
        const Point a = edge.start(), b = edge.end();
        distance = std::min(distance, segment_distance(a, b, q));
        if ((a.y() > q.y()) != (b.y() > q.y()) &&
            q.x() < a.x() + (q.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x()))
          odd = !odd;
      }
      EXPECT_EQ(t.inside(q), odd);
      EXPECT_NEAR(t.signed_distance(q), odd ? distance : -distance, 4 * kEps);
    }
  });
}

// Many points of the border, no farther from each other than a step.
struct Sampled {
  std::vector<Point> points;
  double step = 0;

  explicit Sampled(const Loops& loops, int per_curve) {
    for (const auto& loop : loops) {
      for (const auto& c : loop) {
        for (int i = 0; i < per_curve; ++i) {
          points.push_back(point_on(c, static_cast<double>(i) / per_curve));
          const Point next = point_on(c, static_cast<double>(i + 1) / per_curve);
          step = std::max(step, (next - points.back()).norm());
        }
      }
    }
  }
  double distance(const Point& q) const {
    double least = 9;
    for (const Point& p : points) least = std::min(least, (p - q).squaredNorm());
    return std::sqrt(least);
  }
  // Even-odd test of the polygon through the points of one loop.
  bool inside(const Point& q) const {
    bool odd = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point &a = points[i], &b = points[(i + 1) % points.size()];
      if ((a.y() > q.y()) != (b.y() > q.y()) &&
          q.x() < a.x() + (q.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x()))
        odd = !odd;
    }
    return odd;
  }
};

void expect_as_sampled(Random& random, const TrimmingLoop& loop) {
  const Trimming t = trimming(kUnit, {loop});
  const Sampled sampled({loop}, 500);
  for (int i = 0; i < 100; ++i) {
    const Point q = random.vector<2>(0, 1);
    const double d = t.signed_distance(q), expected = sampled.distance(q);
    EXPECT_LE(std::abs(d), expected + 8 * kEps);
    EXPECT_GE(std::abs(d) + 0.5 * sampled.step * 1.001, expected);  // a sample is half a step aside
    if (std::abs(d) > sampled.step) {
      EXPECT_EQ(d > 0, sampled.inside(q));
      EXPECT_EQ(t.inside(q), d > 0);
    }
  }
}

TEST(Trimming, CubicLoopsAgreeWithDenseSampling) {
  for_random_cases(20, [](Random& random) {
    expect_as_sampled(random, blob(random, {0.5, 0.5}, 0.5));
  });
}

TEST(Trimming, RationalLoopsOfHighDegreeAgreeWithDenseSampling) {
  for_random_cases(30, [](Random& random) {
    const auto count = static_cast<std::size_t>(random.uniform(1, 4));
    const auto degree = static_cast<std::size_t>(random.uniform(count == 1 ? 5 : 2, 16));
    const TrimmingLoop around = star(random, {0.5, 0.5}, 0.49, count * degree);
    TrimmingLoop loop(count);
    for (std::size_t i = 0; i < count * degree; i += degree)
      for (std::size_t k = 0; k <= degree; ++k)
        loop[i / degree].points.push_back(
            weighted<2>(around[(i + k) % around.size()].start(), std::exp(random.uniform(-1, 1))));
    expect_as_sampled(random, loop);
  });
}

// At q = c + d n, with d less than the radius of curvature, the distance is known.
TEST(Trimming, CurvesOfManyDegreesAreExactNearby) {
  for_random_cases(100, [](Random& random) {
    TrimmingLoop loop = blob(random, {0.5, 0.5}, 0.5, 5);
    const int raise = static_cast<int>(random.uniform(0, 6));
    for (auto& c : loop) {
      for (int k = 0; k < raise; ++k) c = elevated(c);
      const double pace = random.uniform(0.4, 2.5);  // other weights, same curve
      for (std::size_t i = 0; i < c.points.size(); ++i) c.points[i] *= 3 * std::pow(pace, i);
    }
    const Trimming t = trimming({-0.5, 1.5, -1, 3}, {loop});
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const auto [p, dp] = curve_jet<1>(loop[i], random.uniform(0.05, 0.95));
      const Point scale(2, 4), T = dp.cwiseQuotient(scale).normalized(), n(-T.y(), T.x());
      EXPECT_LE(std::abs(t.signed_distance(p)), 2 * kEps);
      for (double d : {1e-12, 1e-9, 1e-6, 1e-3}) {
        for (double side : {-1.0, 1.0}) {
          const Point q = p + side * d * n.cwiseProduct(scale);
          EXPECT_NEAR(t.signed_distance(q), side * d, 4 * kEps);
          EXPECT_EQ(t.inside(q), side > 0);
          EXPECT_LE((t.nearest_on_border(q) - p).norm(), 64 * kEps);
        }
      }
    }
  });
}

TEST(Trimming, IslandInAHole) {
  const Loops loops{square(0.1, 0.9), reversed_loop(circle({0.5, 0.5}, 0.3)),
                    circle({0.5, 0.5}, 0.1)};
  for (const Loops& order : {loops, Loops{loops[2], loops[1], loops[0]}}) {
    const Trimming t = trimming(kUnit, order);
    EXPECT_NEAR(t.area(), 0.64 - 0.09 * pi + 0.01 * pi, 4 * kEps);
    EXPECT_NEAR(t.signed_distance({0.5, 0.5}), 0.1, 2 * kEps);
    EXPECT_NEAR(t.signed_distance({0.5, 0.65}), -0.05, 2 * kEps);
    EXPECT_NEAR(t.signed_distance({0.75, 0.75}), std::hypot(0.25, 0.25) - 0.3, 2 * kEps);
    EXPECT_NEAR(t.signed_distance({0.5, 0.05}), -0.05, 2 * kEps);
    EXPECT_TRUE(t.inside({0.55, 0.55}));
    EXPECT_FALSE(t.inside({0.7, 0.5}));
    EXPECT_TRUE(t.inside({0.11, 0.89}));
    EXPECT_FALSE(t.inside({0.05, 0.05}));
  }
}

TEST(Trimming, DirectionDecidesWhatIsKept) {
  for_random_cases(20, [](Random& random) {
    const TrimmingLoop loop = blob(random, {0.5, 0.5}, 0.5);
    const Trimming kept = trimming(kUnit, {loop}), hole = trimming(kUnit, {reversed_loop(loop)});
    EXPECT_NEAR(kept.area() + hole.area(), 1, 4 * kEps);
    EXPECT_GT(kept.area(), 0.05);
    for (int i = 0; i < 50; ++i) {
      const Point q = random.vector<2>(0, 1);
      EXPECT_NE(kept.inside(q), hole.inside(q));
      if (kept.inside(q)) {
        EXPECT_NEAR(hole.signed_distance(q), -kept.signed_distance(q), 4 * kEps);
      }
    }
  });
}

// A cusp, a crescent with two of them, one curve alone, parts of no length, a hole at a corner.
TEST(Trimming, TakesUnusualLoops) {
  const TrimmingLoop drop{curve({{0.5, 0.1}, {1, 0.9}, {0, 0.9}, {0.5, 0.1}})};
  EXPECT_TRUE(trimming(kUnit, {drop}).inside({0.5, 0.5}));

  // Two circles that touch from within at (0.5, 0.1).
  TrimmingLoop crescent = circle({0.5, 0.5}, 0.4);
  std::rotate(crescent.begin(), crescent.begin() + 3, crescent.end());
  TrimmingLoop inner = reversed_loop(circle({0.5, 0.4}, 0.3));
  std::rotate(inner.begin(), inner.begin() + 1, inner.end());
  EXPECT_NEAR((trimming(kUnit, {crescent, inner}).area()), 0.07 * pi, 4 * kEps);
  crescent.insert(crescent.end(), inner.begin(), inner.end());
  const Trimming moon = trimming(kUnit, {crescent});
  EXPECT_NEAR(moon.area(), 0.07 * pi, 4 * kEps);
  EXPECT_NEAR(moon.signed_distance({0.5, 0.8}), 0.1, 2 * kEps);
  EXPECT_NEAR(moon.signed_distance({0.5, 0.4}), -0.3, 2 * kEps);
  EXPECT_NEAR(moon.signed_distance({0.5, 0.05}), -0.05, 2 * kEps);

  // The two points between lie so that the curve forms a loop, or just a cusp, at (0.5, 0.65).
  const auto pointed = [](double x) {
    return reversed_loop({curve({{0.2, 0.2}, {x, 0.8}, {1 - x, 0.8}, {0.8, 0.2}}),
                          curve({{0.8, 0.2}, {0.8, 0.2}}), curve({{0.8, 0.2}, {0.2, 0.2}})});
  };
  EXPECT_FALSE(Trimming::make(kUnit, {pointed(0.81)}));
  const Trimming cusp = trimming(kUnit, {pointed(0.8)});
  EXPECT_NEAR(cusp.signed_distance({0.5, 0.75}), -0.1, 4 * kEps);
  EXPECT_NEAR(cusp.signed_distance({0.5, 0.65}), 0, 4 * kEps);

  const Trimming corner = trimming(
      kUnit, {square(0.1, 0.5), polygon_loop({{0.5, 0.5}, {0.9, 0.5}, {0.9, 0.9}, {0.5, 0.9}})});
  EXPECT_NEAR(corner.area(), 0.32, 4 * kEps);
  EXPECT_EQ(corner.signed_distance({0.5, 0.5}), 0);
}

TEST(Trimming, DistanceIsContinuous) {  // with Lipschitz constant 1 in the scaled plane
  const Rect domain{-2, 1, 0, 0.5};
  const Point scale(3, 0.5), low(-2, 0);
  for_random_cases(12, [&](Random& random) {
    Loops loops{blob(random, {0.3, 0.5}, 0.28), star(random, {0.75, 0.3}, 0.2, 9),
                circle({0.7, 0.75}, 0.15)};
    loops.push_back(reversed_loop(circle({0.7, 0.75}, 0.1)));
    for (auto& loop : loops)
      for (auto& c : loop)
        for (auto& p : c.points) {
          p.head<2>() = p.head<2>().cwiseProduct(scale) + p.z() * low;
        }
    const Trimming t = trimming(domain, loops);
    for (int line = 0; line < 20; ++line) {
      const Point a = random.vector<2>(-0.2, 1.2), b = random.vector<2>(-0.2, 1.2);
      const double length = (b - a).norm();
      double before = 0;
      const int steps = 400;
      for (int i = 0; i <= steps; ++i) {
        const Point p = a + static_cast<double>(i) / steps * (b - a);
        const Point q = low + scale.cwiseProduct(p);
        const double d = t.signed_distance(q);
        if (i > 0) {
          EXPECT_LE(std::abs(d - before), length / steps + 16 * kEps);
        }
        EXPECT_TRUE(t.inside(q) == (d > 0) || std::abs(d) < 4 * kEps);
        const Point nearest =
            (t.nearest_on_border(q) - low).cwiseQuotient(scale);  // lies on the border, at d
        EXPECT_NEAR((nearest - p).norm(), std::abs(d), 8 * kEps);
        EXPECT_LE(std::abs(t.signed_distance(t.nearest_on_border(q))), 8 * kEps);
        before = d;
      }
      // And with tiny steps, around a zero if there is one.
      const Point q = low + scale.cwiseProduct(a);
      const Point start = t.nearest_on_border(q);
      for (int i = -20; i <= 20; ++i) {
        const Point at = start + 1e-15 * i * scale.cwiseProduct(b - a);
        EXPECT_LE(std::abs(t.signed_distance(at)), 1e-15 * std::abs(i) * length + 8 * kEps);
      }
    }
  });
}

TEST(Trimming, QueriesAllocateNothing) {
  Random random(1);
  const Trimming t =
      trimming(kUnit, {blob(random, {0.3, 0.5}, 0.28), star(random, {0.75, 0.3}, 0.2, 9),
                       circle({0.7, 0.75}, 0.15)});
  const long before = allocations;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    const Point q = random.vector<2>(-0.1, 1.1);
    sum += t.signed_distance(q) + t.nearest_on_border(q).x() + (t.inside(q) ? 1 : 0);
  }
  sum += t.signed_distance({0.7, 0.75});  // the centre of the circle: halved most often
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

void expect_refused(const Loops& loops, const std::string& message, const Rect& domain = kUnit) {
  const Result<Trimming> r = Trimming::make(domain, loops);
  ASSERT_FALSE(r.has_value()) << message;
  EXPECT_EQ(r.error().message, message);
  EXPECT_NE(r.error().remedy, "");
}

TEST(Trimming, RefusesWrongNumbers) {
  const double inf = std::numeric_limits<double>::infinity();
  expect_refused({}, "the rectangle is [0, 0] x [0, 1]", {0, 0, 0, 1});
  expect_refused({}, "the rectangle is [0, inf] x [0, 1]", {0, inf, 0, 1});
  expect_refused({square(0.1, 0.9), {}}, "loop 1 has no curves");

  TrimmingLoop loop = square(0.1, 0.9);
  loop[2].points.pop_back();
  expect_refused({loop}, "curve 2 of loop 0 has degree 0");
  loop[2].points.resize(17, loop[2].points[0]);
  expect_refused({loop}, "curve 2 of loop 0 has degree 16");

  loop = square(0.1, 0.9);
  loop[1].points[1].y() = std::nan("");
  expect_refused({loop}, "point 1 of curve 1 of loop 0 is not finite");
  loop[1].points[1].y() = inf;
  expect_refused({square(0.1, 0.9), loop}, "point 1 of curve 1 of loop 1 is not finite");

  loop = circle({0.5, 0.5}, 0.2);
  loop[3].points[1].z() = 0;
  expect_refused({loop}, "weight 1 of curve 3 of loop 0 is 0");
  loop[3].points[1].z() = -1;
  expect_refused({loop}, "weight 1 of curve 3 of loop 0 is -1");
  loop[3].points[1] = weighted<2>({0.7, 0.3}, 2e7);
  expect_refused({loop}, "the weights of curve 3 of loop 0 differ by a factor of 1e+07");
}

TEST(Trimming, RefusesLoopsThatAreNotClosed) {
  TrimmingLoop loop = square(0.1, 0.9);
  loop[1].points[1].x() += 1e-8;
  expect_refused({loop},
                 "curve 1 of loop 0 ends at (0.90000001, 0.9), but curve 2 starts at "
                 "(0.9, 0.9)");
  loop = square(0.1, 0.9);
  loop.pop_back();
  expect_refused({loop}, "curve 2 of loop 0 ends at (0.1, 0.9), but curve 0 starts at (0.1, 0.1)");
  loop = square(0.1, 0.9);
  loop[1].points[1].x() += 9e-10;  // a small gap is closed
  EXPECT_TRUE(Trimming::make(kUnit, {loop}));
}

TEST(Trimming, RefusesLoopsThatLeaveTheRectangle) {
  expect_refused({square(0.1, 1.1)}, "curve 0 of loop 0 leaves the rectangle at (1.1, 0.1)");
  expect_refused({circle({0.5, 0.25}, 0.3)},
                 "curve 2 of loop 0 leaves the rectangle at (0.5, -0.05)");
  // The curve counts, not its control points: the peak of this one is at 0.1 + 3/4 h.
  const auto arch = [](double h) {
    return Loops{{curve({{0.9, 0.1}, {0.9, 0.1 + h}, {0.1, 0.1 + h}, {0.1, 0.1}}),
                  curve({{0.1, 0.1}, {0.9, 0.1}})}};
  };
  EXPECT_TRUE(Trimming::make(kUnit, arch(1.2)));
  EXPECT_FALSE(Trimming::make(kUnit, arch(1.2 + 1e-8)));
  EXPECT_TRUE(Trimming::make(kUnit, {square(0, 1)}));
  EXPECT_TRUE(Trimming::make(kUnit, {square(-1e-10, 1 + 1e-10)}));
}

TEST(Trimming, RefusesLoopsWithoutArea) {
  expect_refused({polygon_loop({{0.1, 0.1}, {0.9, 0.9}})}, "loop 0 encloses no area");
  expect_refused({square(0.1, 0.9), polygon_loop({{0.2, 0.2}, {0.2, 0.2}, {0.2, 0.2}})},
                 "loop 1 encloses no area");
}

TEST(Trimming, RefusesLoopsThatCross) {
  expect_refused({polygon_loop({{0.1, 0.1}, {0.9, 0.9}, {0.9, 0.1}, {0.1, 0.8}})},
                 "curve 0 of loop 0 meets curve 2 of loop 0 near (0.4733333333, 0.4733333333)");
  expect_refused(
      {{curve({{0.3, 0.1}, {1.5, 0.9}, {-0.5, 0.9}, {0.7, 0.1}}), curve({{0.7, 0.1}, {0.3, 0.1}})}},
      "curve 0 of loop 0 crosses itself near (0.5, 0.25)");
  expect_refused({square(0.1, 0.9), reversed_loop(circle({0.8, 0.5}, 0.2))},
                 "curve 1 of loop 0 meets curve 0 of loop 1 near (0.9, 0.3267949192)");
  expect_refused({square(0.1, 0.5), square(0.3, 0.7)},
                 "curve 2 of loop 0 meets curve 3 of loop 1 near (0.3, 0.5)");
  // They run along each other.
  expect_refused({square(0.1, 0.5), polygon_loop({{0.5, 0.2}, {0.6, 0.2}, {0.6, 0.3}, {0.5, 0.3}})},
                 "curve 1 of loop 0 meets curve 0 of loop 1 near (0.5, 0.2)");
  // A corner on the middle of a side.
  expect_refused({square(0.1, 0.5), polygon_loop({{0.5, 0.3}, {0.7, 0.2}, {0.7, 0.4}})},
                 "curve 1 of loop 0 meets curve 0 of loop 1 near (0.5, 0.3)");
  // A hole that touches the rectangle.
  expect_refused({reversed_loop(polygon_loop({{0, 0.5}, {0.3, 0.3}, {0.3, 0.7}}))},
                 "curve 0 of loop 0 meets the border of the rectangle near (0, 0.5)");
  // A spike that runs back on itself.
  expect_refused(
      {polygon_loop({{0.1, 0.1}, {0.5, 0.1}, {0.5, 0.5}, {0.8, 0.8}, {0.5, 0.5}, {0.1, 0.5}})},
      "curve 2 of loop 0 meets curve 3 of loop 0 near (0.65, 0.65)");
}

TEST(Trimming, RefusesLoopsOnTheWrongSide) {
  const auto message = [](const std::string& who, const std::string& left,
                          const std::string& right) {
    return who + " does not bound the kept region: the winding number is " + left +
           " on its left, " + right + " on its right";
  };
  expect_refused({square(0.1, 0.9), square(0.3, 0.7)}, message("curve 0 of loop 1", "2", "1"));
  expect_refused({square(0.1, 0.4), reversed_loop(square(0.6, 0.9))},
                 message("curve 0 of loop 1", "0", "-1"));
  // Crosses itself where curves end: one half runs this way round, the other that way.
  const TrimmingLoop eight =
      polygon_loop({{0.1, 0.1}, {0.5, 0.5}, {0.9, 0.9}, {0.9, 0.1}, {0.5, 0.5}, {0.1, 0.8}});
  expect_refused({eight}, message("curve 0 of loop 0", "2", "1"));
  expect_refused({reversed_loop(eight)}, message("curve 0 of loop 0", "0", "-1"));
}

TEST(Trimming, TellsNearFromCrossing) {  // a gap of 1e-8 between parallel curves
  const double r = 0.3;
  EXPECT_TRUE(
      Trimming::make(kUnit, {circle({0.5, 0.5}, r), reversed_loop(circle({0.5, 0.5}, r - 1e-8))}));
  EXPECT_FALSE(Trimming::make(
      kUnit, {circle({0.5, 0.5}, r), reversed_loop(circle({0.5, 0.5 + 1e-8}, r - 1e-9))}));
}

TEST(Trimming, RemembersWhatItWasMadeOf) {
  const Trimming t = trimming({-1, 2, -3, 4}, {square(0.1, 0.9)});
  EXPECT_EQ(t.domain().u0, -1);
  EXPECT_EQ(t.domain().v1, 4);
  ASSERT_EQ(t.loops().size(), 1u);
  EXPECT_EQ(t.loops()[0].size(), 4u);
}

}  // namespace oloid::test::trimming_test
