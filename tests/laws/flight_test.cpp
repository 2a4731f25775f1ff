// Bodies of every kind thrown against each other: each flies, and is found to touch exactly when an
// independent search says so, whatever surface, edge or vertex it touches with.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "laws/random.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "oloid/proximity/far.h"
#include "oloid/world/simulation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::flight_test {

using Vector = Vec3<double>;

struct Kind {
  const char* name;
  const char* shape;  // about 0.1 m in size
};
constexpr Kind kKinds[] = {
    {"sphere", R"({ type = "sphere", radius = 0.1 })"},
    {"ellipsoid", R"({ type = "ellipsoid", semi_axes = [0.12, 0.09, 0.06] })"},
    {"superellipsoid",
     R"({ type = "superellipsoid", semi_axes = [0.1, 0.08, 0.06], exponents = [4, 3] })"},
    {"torus", R"({ type = "torus", major_radius = 0.09, minor_radius = 0.03 })"},
    {"pipe", R"({ type = "cylinder", radius = 0.06, length = 0.15 })"},
    {"funnel", R"({ type = "cone", half_angle = 0.4, from = 0.02, to = 0.15 })"},
    {"can", R"({ type = "revolution", profile.points = [[0, -0.07], [0.06, -0.07], [0.06, 0.07],
               [0, 0.07]] })"},
    {"cone", R"({ type = "revolution", profile.points = [[0, -0.05], [0.08, -0.05], [0, 0.1]] })"},
    {"egg", R"({ type = "revolution",
               profile = { points = [[0, -0.08], [0.08, -0.08], [0.07, 0.1], [0, 0.1]], degree = 3 } })"},
    {"vase", R"({ type = "revolution", profile = { points = [[0, -0.08], [0.1, -0.08], [0.01, 0.02],
                [0.09, 0.1], [0, 0.1]], degree = 2 } })"},
    {"box", R"({ type = "box", size = [0.2, 0.12, 0.08] })"},
    {"plate", R"({ type = "box", size = [0.2, 0.2, 0.01] })"},
    {"tetrahedron", R"({ type = "polyhedron", points = [[0.1, 0.1, 0.1], [0.1, -0.1, -0.1],
                       [-0.1, 0.1, -0.1], [-0.1, -0.1, 0.1]] })"},
    {"octahedron", R"({ type = "polyhedron", points = [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.12, 0],
                      [0, -0.12, 0], [0, 0, 0.08], [0, 0, -0.08]] })"},
    {"oloid", R"({ type = "oloid", radius = 0.07 })"},
    {"roller", R"({ type = "oloid", radius = 0.07, distance = 0.09 })"},
    {"sphericon", R"({ type = "sphericon", radius = 0.1 })"},
    {"circles", R"({ type = "two_circles", centre_1 = [0, 0, -0.05], axis_1 = [0, 0, 1],
                   radius_1 = 0.08, centre_2 = [0.02, 0, 0.06], axis_2 = [0.3, 0, 1],
                   radius_2 = 0.05 })"},
    {"quadric", R"({ type = "quadric", Q = [100, 150, 220], c = -1 })"},
    {"formula", R"({ type = "implicit", f = "(x/0.1)^4 + (y/0.08)^4 + (z/0.07)^2 - 1",
                   box = [[-0.2, -0.2, -0.2], [0.2, 0.2, 0.2]] })"},
    {"blob", R"({ type = "metaballs", ball = [{ centre = [-0.06, 0, 0], radius = 0.2 },
                { centre = [0.06, 0, 0], radius = 0.17 }] })"},
    {"dumbbell", R"({ type = "metaballs", ball = [{ centre = [-0.09, 0, 0], radius = 0.14 },
                    { centre = [0.09, 0, 0], radius = 0.14 }], threshold = 0.2 })"},
    {"washer", R"({ type = "revolution", profile.points = [[0.05, -0.02], [0.1, -0.02], [0.1, 0.02],
                  [0.05, 0.02], [0.05, -0.02]] })"},
    {"hourglass", R"({ type = "revolution", profile.points = [[0, -0.08], [0.07, -0.08], [0.02, 0],
                     [0.07, 0.08], [0, 0.08]] })"},
    {"lens", R"({ type = "revolution", profile = { points = [[0, -0.04], [0.06, -0.04], [0.1, 0],
                [0.06, 0.04], [0, 0.04]], degree = 2, knots = [0, 0, 0, 1, 1, 2, 2, 2] } })"},
};

struct Throw {
  Vector p, v, w;
  Quat<double> q;
  // Bodies with equal moments of inertia turn about a fixed axis.
  Pose<double> at(double t) const {
    const double angle = w.norm() * t;
    return {axis_angle<double>(w.normalized(), angle) * rotation_matrix(q), p + t * v};
  }
};

std::string text_of(const Kind& kind, const char* name, const Throw& x) {
  const auto list = [](const Vector& a) {
    return fmt::format("[{}, {}, {}]", a.x(), a.y(), a.z());
  };
  std::string shape = kind.shape;  // an inline table has one line
  std::erase(shape, '\n');
  return fmt::format(
      "[[body]]\nname = \"{}\"\nmass = 1\ninertia = [0.004, 0.004, 0.004]\nmaterial = \"m\"\n"
      "position = {}\norientation = [{}, {}, {}, {}]\nvelocity = {}\nangular_velocity = {}\n"
      "shape = {}\n",
      name, list(x.p), x.q.w, x.q.x, x.q.y, x.q.z, list(x.v), list(x.w), shape);
}

// No two points of the bodies are nearer than this: by bounds where there are any, else by a
// thorough search. Negative where they overlap.
double distance(const ProximityBody& A, const ProximityBody& B, const Pose<double>& X_BA) {
  if (A.far() && B.far() && A.far()->certified() && B.far()->certified()) {
    const FarResult far = globally_nearest(*A.far(), *B.far(), X_BA);
    if (far.certified && !far.pairs.empty()) return far.pairs.front().gap;
    if (far.lower_bound > 0) return far.lower_bound;
  }
  const SearchResult found = search_pairs(A.search(), B.search(), X_BA, 0);
  const bool usable = !found.pairs.empty() && found.pairs.front().usable();
  return usable ? found.pairs.front().gap : NAN;
}

// Conservative advancement on the exact motion, on which no point moves faster than `fastest`:
// until the bodies touch, or until `t_end`.
double first_touch(const ProximityBody& A, const ProximityBody& B, const Throw& a, const Throw& b,
                   double t_end) {
  const auto radius = [](const ProximityBody& body) {
    const PlacedShape& side = *body.features().side();
    return side.X_BS.p.norm() + bounding_radius(side.shape);
  };
  const double fastest = (a.v - b.v).norm() + a.w.norm() * radius(A) + b.w.norm() * radius(B);
  double t = 0;
  while (t < t_end) {
    const double gap = distance(A, B, inverse(b.at(t)) * a.at(t));
    if (!(gap > 1e-12)) break;
    t += gap / fastest;
  }
  return t;
}

// One throw; what went wrong, if anything.
void expect_first_touch(const Kind& first, const Kind& second, Random& random) {
  const auto turn = [&] {
    Quat<double> q{random(-1, 1), random(-1, 1), random(-1, 1), random(0.1, 1)};
    return unit(q);
  };
  const Vector d = random.direction();
  const Throw a{0.6 * d, -0.5 * d + 0.04 * random.direction(), 4 * random.direction(), turn()},
      b{Vector::Zero(), Vector::Zero(), 4 * random.direction(), turn()};
  const std::string text =
      "oloid = 1\nduration = 1.6\ngravity = [0, 0, 0]\nsolver.rtol = 1e-13\n[[material]]\nname = "
      "\"m\"\nfriction = 0.3\n"
      "restitution = 0.5\n" +
      text_of(first, "A", a) + text_of(second, "B", b);
  SCOPED_TRACE(text);
  const auto spec = parse_scene(text, "flight.toml");
  ASSERT_TRUE(spec) << to_string(spec.error().front());
  const auto model = compile(*spec);
  ASSERT_TRUE(model) << to_string(model.error().front());
  Film film;
  const auto is_touch = [](const Event& event) {
    return event.kind == EventKind::impact || event.kind == EventKind::grazing ||
           event.kind == EventKind::unsupported_contact;
  };
  // Only until they have touched: what comes after may take long.
  Simulation simulation(*model, film);
  for (int i = 1; i <= 32 && std::none_of(film.events.begin(), film.events.end(), is_touch); ++i)
    simulation.advance_to(1.6 * i / 32);
  const auto touch = std::find_if(film.events.begin(), film.events.end(), is_touch);
  const ProximityBody &A = *model->bodies[0].proximity, &B = *model->bodies[1].proximity;
  if (touch == film.events.end()) {
    EXPECT_EQ(film.events.back().kind, EventKind::end);
    EXPECT_GE(first_touch(A, B, a, b, 1.6), 1.6);
    return;
  }
  EXPECT_NEAR(distance(A, B, inverse(b.at(touch->t)) * a.at(touch->t)), 0, 1e-13);
  EXPECT_GE(first_touch(A, B, a, b, touch->t - 1e-10), touch->t - 1e-10) << touch->t;
}

TEST(Flight, EveryKindMeetsEveryOtherExactlyWhenItTouches) {
  const bool full = std::getenv("OLOID_FULL") != nullptr;
  Random random(20);
  const auto kinds = static_cast<int>(std::size(kKinds));
  for (int i = 0; i < kinds; ++i) {
    for (int k = 0; k < kinds; ++k) {
      // By default each kind meets three others.
      if (!full && (k - i + kinds) % kinds != 1 && (k - i + kinds) % kinds != 8) continue;
      SCOPED_TRACE(fmt::format("{} and {}", kKinds[i].name, kKinds[k].name));
      expect_first_touch(kKinds[i], kKinds[k], random);
    }
  }
}

}  // namespace oloid::test::flight_test
