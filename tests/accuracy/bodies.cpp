#include "accuracy/bodies.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "oloid/base/contract.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/bezier/nurbs.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "support/cages.h"
#include "support/rooms.h"

namespace oloid::test {
namespace {

constexpr double kSize = 0.1;  // [m], bounding radius
constexpr double kCapSize = SubdivisionOptions{}.cap_size;

LocalSurface<double> local(const PlacedShape& side, const Location& q) {
  return side.at<double>({q.chart, fresh_reference(side, q)}, q.x);
}

// A point of a patch's domain.
Uv<double> random_uv(const PatchDomain& domain, Random& random) {
  Uv<double> q = random.vector<2>(0, 1);
  if (&domain == &PatchDomain::triangle() && q.sum() > 1) q = Uv<double>(1 - q.x(), 1 - q.y());
  return q;
}

// Vertices where 5 and 7 triangles meet, or 3 and 7 quadrangles; scaled so that their limits are
// within the size.
Patchwork subdivision_body(SubdivisionScheme scheme, double cap_size) {
  Cage cage = drum(scheme, 7);
  double radius = 0;
  for (std::size_t i = 0; i < cage.vertices.size(); ++i) {
    const LimitVertex limit = limit_vertex(cage, scheme, static_cast<int>(i));
    radius = std::max(radius, limit.position.norm());
  }
  for (Vec3<double>& p : cage.vertices) p *= kSize / radius;
  return *patchwork_of(*subdivide(cage, scheme, {cap_size}));
}

// A closed rational bicubic spline without symmetry, C² everywhere: a ring, shaken.
Patchwork nurbs_body() {
  constexpr int kAround = 9, kAcross = 7, kDegree = 3;
  Random random(11);
  std::vector<std::vector<Vec<double, 4>>> one_period(kAround);
  for (int i = 0; i < kAround; ++i) {
    for (int j = 0; j < kAcross; ++j) {
      const double u = 2 * std::numbers::pi * i / kAround, v = 2 * std::numbers::pi * j / kAcross;
      const double rho = 0.06 + 0.042 * std::cos(v);
      const Vec3<double> p(rho * std::cos(u), rho * std::sin(u), 0.042 * std::sin(v));
      const double weight = random(0.7, 1.4);
      one_period[static_cast<std::size_t>(i)].push_back(
          weighted<3>(Vec3<double>(p + random.vector<3>(-0.004, 0.004)), weight));
    }
  }
  const auto knots = [](int n) {
    std::vector<double> period;
    for (int i = 0; i <= n; ++i) period.push_back(i);
    return *periodic_knots(kDegree, period, "the ring");
  };
  NurbsNet surface{knots(kAround), knots(kAcross), {}};
  for (int i = 0; i < kAround + kDegree; ++i) {
    std::vector<Vec<double, 4>> row = one_period[static_cast<std::size_t>(i % kAround)];
    row.insert(row.end(), row.begin(), row.begin() + kDegree);
    surface.net.push_back(std::move(row));
  }
  return *Patchwork::make(pieces_of(surface, "ring"));
}

Shape implicit_body() {
  const auto formula = ImplicitExpression::make(
      "(x/0.09)^4 + (y/0.08)^2 + (z/0.06)^2 + 0.2*sin(30*x + 20*y) + 0.1*exp(-10*z) - 1.1");
  const Box box{Vec3<double>::Constant(-0.2), Vec3<double>::Constant(0.2)};
  return *Implicit::make(*formula, {box, false});
}

Polyhedron polyhedron_body() {
  Random random(13);
  Cage cage = icosahedron();
  for (Vec3<double>& p : cage.vertices)
    p = kSize * (p.normalized() * random(0.8, 1) + random.vector<3>(-0.05, 0.05));
  return *Polyhedron::make(cage, true);
}

// The point of a surface nearest to p, by steps that stay within charts: those around a vertex
// shrink with the distance from it.
Vec3<double> foot(const Body& body, Location q, const Vec3<double>& p, const Vec3<double>& vertex) {
  for (int step = 0; step < 1000; ++step) {
    const LocalSurface<double> at = local(body.side(), q);
    const Vec3<double> tangential =
        at.R.leftCols<2>() * (at.R.leftCols<2>().transpose() * (p - at.p));
    const double reach = 0.1 * ((at.p - vertex).norm() + 1e-9), way = tangential.norm();
    if (way < 1e-15) break;
    q = body.walked(q, tangential, std::min(reach, way));
  }
  return local(body.side(), q).p;
}

// Each disc of `fine` from the same one of `coarse`, a larger one, which is measured against the
// further rings of `fine` and scaled by K r².
double cap_deviation(const Body& coarse, const Body& fine) {
  const auto& discs = *coarse.shape().as<Patchwork>();
  const auto& rings = *fine.shape().as<Patchwork>();
  OLOID_EXPECT(discs.caps() == rings.caps());
  double largest = 0;
  for (int cap = 0; cap < discs.caps(); ++cap) {
    const Location disc{ChartId{discs.patches() + cap}}, middle{ChartId{rings.patches() + cap}};
    const Vec3<double> vertex = local(fine.side(), middle).p;
    const auto radius = [](const Patchwork& surface, const Location& q) {
      return surface.jet<1>(q.chart.index, Uv<double>(0, 0)).d(1, 0).norm();
    };
    const double scale = radius(rings, middle) / radius(discs, disc);
    for (int k = 0; k < 12; ++k) {
      const double angle = 0.1 + 2 * std::numbers::pi * k / 12;
      for (const double r : {0.01, 0.1, 0.3, 0.6}) {
        const Location q{disc.chart, {r * std::cos(angle), r * std::sin(angle), 0}};
        const Vec3<double> p = local(coarse.side(), q).p;
        const double off = (foot(fine, middle, p, vertex) - p).norm();
        largest = std::max(largest, off * scale * scale);
      }
    }
  }
  return largest;
}

constexpr const char *kLoop = "Loop", *kCatmullClark = "Catmull-Clark";

}  // namespace

Body::Body(std::string name, std::string description, Shape shape)
    : name_(std::move(name)),
      description_(std::move(description)),
      side_{std::move(shape), {}},
      size_(bounding_radius(side_.shape)) {
  const auto* patches = side_.shape.as<Patchwork>();
  if (!patches) return;
  double sum = 0;
  for (int i = 0; i < patches->patches(); ++i) {
    const PatchDomain& domain = geometry::domain(patches->patch(i));
    const auto c = patches->jet<1>(i, domain.middle());
    const double part = &domain == &PatchDomain::triangle() ? 0.5 : 1;
    sum += part * c.d(1, 0).cross(c.d(0, 1)).norm();
    area_.push_back(sum);
  }
}

Location Body::random_location(Random& random) const {
  if (const auto* patches = shape().as<Patchwork>()) return random_location_on(*patches, random);
  const Box box = bounding_box(shape());
  const double part = is_polyhedron() ? 0.6 : 1;  // a point inside, so that faces are nearest
  const Vec3<double> p = box.low + random.vector<3>(0, 1).cwiseProduct(box.high - box.low);
  return near(shape(), part * p);
}

Location Body::random_location_on(const Patchwork& patches, Random& random) const {
  const bool any = random(0, 1) < 0.125;
  const auto drawn = std::upper_bound(area_.begin(), area_.end(), random(0, area_.back()));
  const int chart = any ? static_cast<int>(random(0, patches.patches() + patches.caps()))
                        : static_cast<int>(drawn - area_.begin());
  Location q{ChartId{chart}};
  q.x.head<2>() = chart < patches.patches() ? random_uv(domain(patches.patch(chart)), random)
                                            : Uv<double>(random.vector<2>(-0.3, 0.3));
  return q;
}

Location Body::walked(Location q, const Vec3<double>& direction, double way) const {
  constexpr double kWithinChart = 0.3;
  for (double left = way; left > 0;) {
    const LocalSurface<double> at = local(side_, q);
    const Vec2<double> heading = (at.R.leftCols<2>().transpose() * direction).normalized();
    if (!heading.allFinite()) break;
    const Vec3<double> pace = at.L * heading;
    const double step = std::min({left, way / 4, kWithinChart / pace.norm()});
    q.x += step * pace;
    left -= std::max(step, 1e-3 * way);
    q = settled(shape(), q);
    if (margin(shape(), q) >= 0) continue;
    const ChartExit exit = leave(shape(), q);
    if (const auto* border = std::get_if<OpenEdge>(&exit)) return border->at;
    q = std::get<Crossing>(exit).to;
  }
  return q;
}

std::vector<Body> make_bodies() {
  std::vector<Body> bodies;
  const auto add = [&](const char* name, const char* description, Shape shape) {
    bodies.emplace_back(name, description, std::move(shape));
  };
  add("sphere", "radius 10 cm", *Ellipsoid::make({0.1, 0.1, 0.1}));
  add("ellipsoid", "semi-axes 10, 8 and 6 cm", *Ellipsoid::make({0.1, 0.08, 0.06}));
  add("torus", "radii 7 and 3 cm", *Torus::make(0.07, 0.03));
  add("cylinder", "radius 6 cm, length 16 cm", *Frustum::cylinder(0.06, 0.16));
  add("superellipsoid", "semi-axes 8, 7 and 6 cm, exponents 2.5 and 3",
      *Superellipsoid::make({0.08, 0.07, 0.06}, 2.5, 3));
  add("NURBS", "closed rational bicubic ring without symmetry, 9 × 7 control points", nurbs_body());
  add(kLoop, "extraordinary vertices of valence 5 and 7",
      subdivision_body(SubdivisionScheme::loop, kCapSize));
  add(kCatmullClark, "extraordinary vertices of valence 3 and 7",
      subdivision_body(SubdivisionScheme::catmull_clark, kCapSize));
  add("implicit", "a formula with x⁴, sin and exp", implicit_body());
  add("polyhedron", "convex, 12 vertices", polyhedron_body());
  return bodies;
}

double cap_deviation(const Body& body) {
  const bool loop = body.name() == kLoop;
  if (!loop && body.name() != kCatmullClark) return 0;
  const auto scheme = loop ? SubdivisionScheme::loop : SubdivisionScheme::catmull_clark;
  const auto measured = [&](double times) {
    return cap_deviation({body.name(), "", subdivision_body(scheme, times * kCapSize)}, body);
  };
  const double small = measured(0x1p6), large = measured(0x1p10);
  return small * std::pow(small / large, 6.0 / 4.0);  // K itself grows as a power of 1 / r
}

}  // namespace oloid::test
