#include "oloid/geometry/bezier/trimming_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "oloid/geometry/bezier/loop_meeting.h"

namespace oloid::geometry::trimming_loops {

namespace {

constexpr double kMinArea = 1e-14;  // of a loop, in unit squares

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
std::string name(std::size_t loop, std::size_t curve) {
  return fmt::format("curve {} of loop {}", curve, loop);
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
  if (most > kMostWeightRatio * least) {
    return refuse(fmt::format("the weights of {} differ by a factor of {:.3g}", who, most / least),
                  fmt::format("at most {:.0g} is allowed; split the curve, or lower its degree",
                              kMostWeightRatio));
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

// How often the loops run around what is next to a curve: 1 and 0 if what is kept lies to its left.
// Looked at closer and closer, since other curves may be near, and at two points, since one may be
// a cusp.
struct Sides {
  int left = 0, right = 0;
};
Sides sides_of(const LoopCurve& c, const std::function<int(const Point&)>& winding) {
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

}  // namespace

std::string Frame::text(const Point& p) const {
  const Uv<double> q = back(p);
  return fmt::format("({:.10g}, {:.10g})", q.x(), q.y());
}

Result<Frame> checked_frame(const Rect& r) {
  const Frame frame{{r.u0, r.v0}, {r.u1 - r.u0, r.v1 - r.v0}};
  if (!frame.low.allFinite() || !frame.size.allFinite() || !(frame.size.minCoeff() > 0)) {
    return refuse(fmt::format("the rectangle is [{}, {}] x [{}, {}]", r.u0, r.u1, r.v0, r.v1),
                  "use finite numbers with u0 < u1 and v0 < v1");
  }
  return frame;
}

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

std::optional<Unexpected<Error>> wrong_sides(const std::vector<Loop>& loops, std::size_t given,
                                             const std::function<int(const Point&)>& winding) {
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

}  // namespace oloid::geometry::trimming_loops
