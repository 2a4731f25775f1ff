// Bodies placed on others: laws that hold for every kind of surface, and what scenes make of them.
#include "oloid/world/compile/compile_place.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "laws/random.h"
#include "oloid/proximity/far.h"
#include "oloid/proximity/search.h"
#include "oloid/world/tools/forms.h"
#include "support/cages.h"
#include "support/rooms.h"
#include "support/specs.h"

namespace oloid::test::compile_place_test {

using Vector = Vec3<double>;
using Matrix = Mat3<double>;

Matrix random_rotation(Random& random) {
  const Quat<double> q{random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1)};
  return rotation_matrix(q);
}

CurveSpec egg_profile() {
  CurveSpec curve;
  curve.points = std::vector<Vec2<double>>{{0, -0.5}, {0.6, -0.5}, {0.5, 0.7}, {0, 0.7}};
  curve.degree = 3.0;
  return curve;
}
PatchesSpec wavy_patch() {
  std::vector<std::vector<Vector>> net;
  for (int i = 0; i < 4; ++i) {
    auto& row = net.emplace_back();
    for (int j = 0; j < 4; ++j)
      row.emplace_back(2 * i - 3, 2 * j - 3, 0.4 * std::sin(1.7 * i + 0.8 * j));
  }
  return test::one_patch(net);
}
SubdivisionSpec drum_surface(SubdivisionSpec::Scheme scheme) {
  SubdivisionSpec spec;
  spec.scheme = scheme;
  spec.cage.cage = std::make_shared<const Cage>(cube());
  if (scheme == SubdivisionSpec::Scheme::loop)
    spec.cage.cage = std::make_shared<const Cage>(icosahedron());
  return spec;
}
PolyhedronSpec wedge() {
  PolyhedronSpec spec;
  spec.points = std::vector<Vector>{
      {1, 0.3, -0.2}, {-0.8, 0.5, -0.3}, {0.1, -0.9, -0.4}, {0.2, 0.1, 0.9}, {-0.5, -0.5, 0.6}};
  return spec;
}

struct Kind {
  const char* name;
  ShapeSpec shape;
};
std::vector<Kind> bounded_kinds() {
  SuperellipsoidSpec super;
  super.semi_axes = Vector(0.9, 0.7, 0.6);
  super.exponents = std::vector<double>{2.5, 3};
  QuadricSpec quadric;
  quadric.Q = Matrix(Vector(1, 2, 3).asDiagonal());
  quadric.c = -0.8;
  ImplicitSpec implicit;
  implicit.formulas = std::vector<std::string>{"x^4 + y^2 + 2*z^2 + 0.1*sin(3*x) - 0.7"};
  implicit.box = std::array<Vector, 2>{Vector(-1.5, -1.5, -1.5), Vector(1.5, 1.5, 1.5)};
  MetaballsSpec balls;
  balls.balls.resize(2);
  balls.balls[0].centre = Vector(-0.4, 0, 0);
  balls.balls[0].radius = 1.5;
  balls.balls[1].centre = Vector(0.5, 0.1, 0);
  balls.balls[1].radius = 1.2;
  return {{"sphere", SphereSpec{0.7}},
          {"ellipsoid", EllipsoidSpec{Vector(0.9, 0.6, 0.4)}},
          {"superellipsoid", super},
          {"torus", TorusSpec{0.7, 0.25}},
          {"revolution", RevolutionSpec{egg_profile()}},
          {"quadric", quadric},
          {"implicit", implicit},
          {"metaballs", balls},
          {"Catmull-Clark", drum_surface(SubdivisionSpec::Scheme::catmull_clark)},
          {"Loop", drum_surface(SubdivisionSpec::Scheme::loop)},
          {"polyhedron", wedge()},
          {"box", BoxSpec{Vector(1, 0.8, 0.6)}},
          {"oloid", OloidSpec{0.6, {}}},
          {"sphericon", SphericonSpec{0.8}},
          {"cylinder", CylinderSpec{.radius = 0.5, .length = 1.2}},
          {"cone", ConeSpec{.half_angle = 0.5, .from = 0.3, .to = 1.5}}};
}
std::vector<Kind> grounds() {
  std::vector<Kind> kinds = bounded_kinds();
  kinds.push_back({"plane", PlaneSpec{}});
  kinds.push_back({"bowl", SphereSpec{4.0, true}});
  kinds.push_back({"patch", wavy_patch()});
  return kinds;
}

// Each kind on a plane and on two others, a ball on all; bodies of many patches take long, so there
// is one on a plane and one under a ball.
template <class Visit>
void for_pairs_of_kinds(Visit visit) {
  const std::vector<Kind> own = bounded_kinds(), other = grounds();
  const auto heavy = [](const Kind& kind) {
    return std::holds_alternative<SubdivisionSpec>(kind.shape);
  };
  const auto loop = [](const Kind& kind) { return std::string(kind.name) == "Loop"; };
  for (std::size_t i = 0; i < own.size(); ++i) {
    for (std::size_t k = 0; k < other.size(); ++k) {
      const bool plane = std::holds_alternative<PlaneSpec>(other[k].shape);
      const bool listed = (5 * i + k) % 9 == 0;
      if (heavy(own[i]) && (loop(own[i]) || !plane)) continue;
      if (heavy(other[k]) && (!loop(other[k]) || i > 0)) continue;
      if (!plane && !listed && i > 0) continue;
      SCOPED_TRACE(std::string(own[i].name) + " on " + other[k].name);
      visit(own[i], other[k]);
    }
  }
}

BodySpec body(const std::string& name, const ShapeSpec& shape) {
  BodySpec made;
  made.name = name;
  made.shape = Located<ShapeSpec>(shape);
  made.fixed = true;
  return made;
}

// Two bodies, the first to be placed on the second, with all that is needed to look at them.
struct Couple {
  Spec spec;
  ProximityBodies bodies;
  const SearchBody &search_A, &search_B;

  static std::shared_ptr<const ProximityBody> solid(const Spec& spec, std::size_t i) {
    const auto forms = compile_forms(spec);
    EXPECT_TRUE(forms) << to_string(forms.error().front());
    const Pose<double> X_WB{rotation_matrix(spec.bodies[i].orientation.value),
                            spec.bodies[i].position.value};
    return std::make_shared<const ProximityBody>(TouchableBody(
        PlacedShape{std::get<Shape>((*forms)[i].form), inverse(X_WB) * (*forms)[i].X_WS}));
  }
  explicit Couple(Spec given)
      : spec(std::move(given)),
        bodies{solid(spec, 0), solid(spec, 1)},
        search_A(bodies[0]->search()),
        search_B(bodies[1]->search()) {}
  Couple(const Couple&) = delete;
  Couple& operator=(const Couple&) = delete;

  static Pose<double> pose(const Spec& s, std::size_t i) {
    return {rotation_matrix(s.bodies[i].orientation.value), s.bodies[i].position.value};
  }
  // The scene with the first body placed; none if that was refused.
  std::optional<std::pair<Spec, Placement>> placed(const PlacementSpec& how) const {
    Spec s = spec;
    s.bodies[0].placement = Located<PlacementSpec>(how);
    const auto made = place_bodies(s, {pose(s, 0), pose(s, 1)}, bodies);
    if (!made) {
      refusal = to_string(made.error().front());
      return std::nullopt;
    }
    return std::pair(s, made->front());
  }
  mutable std::string refusal;
};

Spec two(const ShapeSpec& first, const ShapeSpec& second) {
  Spec spec;
  spec.duration = 1.0;
  spec.bodies = {body("A", first), body("B", second)};
  return spec;
}
void pose_at_random(Spec& spec, Random& random) {
  for (BodySpec& b : spec.bodies) {
    b.orientation = quaternion(random_rotation(random));
    b.position = random.vector<3>(-2, 2);
  }
}

// The place of a placed body's surface that touches: its normal, and how far the point is off.
struct Touching {
  double off;
  Vector normal;  // world
};
Touching touching(const SearchBody& search, const Pose<double>& X_WB, const Vector& point) {
  const TrackedPair pair = search.nearest_to(inverse(X_WB) * point);
  EXPECT_TRUE(pair.usable());
  return {std::abs(pair.gap), X_WB.R * search.features().at(pair.B).z};
}

double angle_of(const Matrix& R) { return rotation_vector(R).norm(); }
double angle_between(const Vector& a, const Vector& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

TEST(PlaceByTouch, GapIsZeroNormalsOpposeAndTheTurnIsLeast) {
  int done = 0, tried = 0;
  for_pairs_of_kinds([&](const Kind& own, const Kind& other) {
    Couple couple(two(own.shape, other.shape));
    for_random_cases(2, [&](Random& random) {
      pose_at_random(couple.spec, random);
      TouchSpec touch;
      touch.body = std::string("B");
      touch.at = Located<Vector>(random.vector<3>(-1.5, 1.5));
      touch.own = Located<Vector>(random.vector<3>(-1, 1));
      const double turn = random(0, 1) < 0.5 ? 0 : random(-3, 3);
      touch.turn = turn;
      ++tried;
      const auto placed = couple.placed({touch});
      if (!placed) return;  // an edge, or surfaces that cut into each other
      ++done;
      const auto& [s, placement] = *placed;
      const Pose<double> X_WA = Couple::pose(s, 0), X_WB = Couple::pose(s, 1);
      const Touching a = touching(couple.search_A, X_WA, placement.point),
                     b = touching(couple.search_B, X_WB, placement.point);
      EXPECT_LT(a.off, 1e-12);
      EXPECT_LT(b.off, 1e-12);
      EXPECT_LT((a.normal + b.normal).norm(), 1e-10);
      // Without the turn about the normal it is the least that faces the normals.
      const Matrix R_0 = Couple::pose(couple.spec, 0).R;
      const Matrix least = axis_angle<double>(b.normal, -turn) * X_WA.R * R_0.transpose();
      EXPECT_NEAR(angle_of(least), angle_between(least.transpose() * a.normal, -b.normal), 1e-7);
    });
  });
  EXPECT_GT(done, tried / 2) << tried;
}

TEST(PlaceByTouch, WithoutAnOwnPlaceNothingIsTurned) {
  int done = 0;
  for (const Kind& own : bounded_kinds()) {
    SCOPED_TRACE(own.name);
    Couple couple(two(own.shape, PlaneSpec{}));
    for_random_cases(5, [&](Random& random) {
      pose_at_random(couple.spec, random);
      TouchSpec touch;
      touch.body = std::string("B");
      const auto placed = couple.placed({touch});
      if (!placed) return;
      ++done;
      const auto& [s, placement] = *placed;
      EXPECT_EQ((Couple::pose(s, 0).R - Couple::pose(couple.spec, 0).R).norm(), 0);
      const Touching a = touching(couple.search_A, Couple::pose(s, 0), placement.point);
      const Vector up = Couple::pose(s, 1).R.col(2);
      EXPECT_LT(a.off, 1e-12);
      EXPECT_LT((a.normal + up).norm(), 1e-10);
      // The plane is touched below the given position, and nothing reaches beyond it.
      const Vector r = placement.point - couple.spec.bodies[0].position.value;
      EXPECT_LT((r - r.dot(up) * up).norm(), 1e-10);
      for (const SearchBody::Start& start : couple.search_A.starts())
        EXPECT_GT(up.dot(Couple::pose(s, 0) * start.at.p - placement.point), -1e-9);
    });
  }
  EXPECT_GT(done, 25);
}

TEST(PlaceByTouch, DirectionPointsStraightOut) {
  Couple couple(two(EllipsoidSpec{Vector(0.9, 0.6, 0.4)}, PlaneSpec{}));
  for_random_cases(50, [&](Random& random) {
    pose_at_random(couple.spec, random);
    TouchSpec touch;
    touch.body = std::string("B");
    const Vector out = random.direction();
    touch.own_normal = Located<Vector>(3 * out);
    const auto placed = couple.placed({touch});
    ASSERT_TRUE(placed) << couple.refusal;
    const Pose<double> X_WA = Couple::pose(placed->first, 0);
    EXPECT_LT((X_WA.R * out + Couple::pose(placed->first, 1).R.col(2)).norm(), 1e-12);
    // The support function of an ellipsoid: its centre is that far above the plane.
    const double height = Vector(0.9 * out.x(), 0.6 * out.y(), 0.4 * out.z()).norm();
    EXPECT_NEAR((X_WA.p - placed->second.point).dot(-(X_WA.R * out)), height, 1e-13);
  });
}

TEST(PlaceByTouch, NormalsThatPointTheSameWayAskForHalfATurn) {
  Couple couple(two(EllipsoidSpec{Vector(0.9, 0.6, 0.4)}, PlaneSpec{}));
  TouchSpec touch;
  touch.body = std::string("B");
  touch.own = Located<Vector>(Vector(0, 0, 1));
  const auto placed = couple.placed({touch});
  ASSERT_TRUE(placed) << couple.refusal;
  const Pose<double> X_WA = Couple::pose(placed->first, 0);
  EXPECT_NEAR(angle_of(X_WA.R), std::numbers::pi, 1e-12);
  EXPECT_LT((X_WA.p - Vector(0, 0, 0.4)).norm(), 1e-15);
}

// --- Dropped bodies ------------------------------------------------------------------------------

// By bounds, an independent method: before the touch the bodies are apart all along the way, and by
// no more than the way that is left.
TEST(PlaceByDrop, EqualsWhatTheCertifiedDistanceSays) {
  int done = 0;
  for_pairs_of_kinds([&](const Kind& own, const Kind& other) {
    Couple couple(two(own.shape, other.shape));
    for_random_cases(1, [&](Random& random) {
      Spec& s = couple.spec;
      const bool cavity = std::string(other.name) == "bowl";  // a ball of free space
      const auto open = [](const Kind& kind) {                // without end faces it is hollow
        return std::holds_alternative<ConeSpec>(kind.shape) ||
               std::holds_alternative<CylinderSpec>(kind.shape);
      };
      if (open(own) || open(other)) return;
      s.bodies[0].orientation = quaternion(random_rotation(random));
      s.bodies[0].position = Vector(0.1, random(-0.3, 0.3), cavity ? 1 : 4);
      s.bodies[1].orientation = quaternion(axis_angle<double>(random.direction(), 0.3));
      const Vector down = s.gravity.value.normalized();
      const auto placed = couple.placed({DropSpec{}});
      if (!placed) {
        EXPECT_NE(couple.refusal.find("falls past"), std::string::npos) << couple.refusal;
        return;
      }
      const Vector moved = placed->first.bodies[0].position.value - s.bodies[0].position.value;
      const double way = moved.dot(down);
      EXPECT_LT((moved - way * down).norm(), 1e-14);
      ASSERT_GT(way, 0);
      if (!placed->second.certified) return;
      const FarBody &A = *couple.bodies[0]->far(), &B = *couple.bodies[1]->far();
      for (const double left : {1e-6, 0.01, 0.3}) {
        if (left > way) continue;
        Pose<double> X_WA = Couple::pose(s, 0);
        X_WA.p += (way - left) * down;
        const FarResult far = globally_nearest(A, B, inverse(Couple::pose(s, 1)) * X_WA);
        if (!far.certified) continue;
        EXPECT_GT(far.pairs.front().gap, 0) << left;
        EXPECT_LE(far.pairs.front().gap, left * (1 + 1e-9)) << left;
        ++done;
      }
    });
  });
  EXPECT_GT(done, 60);
}

TEST(PlaceByDrop, RaisesWhatOverlaps) {
  Couple couple(two(SphereSpec{0.5}, PlaneSpec{}));
  for (const double z : {-3.0, 0.0, 0.4, 0.5, 0.6, 7.0}) {
    couple.spec.bodies[0].position = Vector(1, 2, z);
    const auto placed = couple.placed({DropSpec{}});
    ASSERT_TRUE(placed) << couple.refusal;
    EXPECT_LT((placed->first.bodies[0].position.value - Vector(1, 2, 0.5)).norm(), 1e-15) << z;
    EXPECT_TRUE(placed->second.certified);
  }
}

TEST(PlaceByDrop, IsCertifiedInTheNotConvexToo) {
  Couple couple(two(SphereSpec{0.1}, TorusSpec{0.7, 0.25}));
  couple.spec.bodies[0].position = Vector(0.6, 0.1, 2);
  const auto placed = couple.placed({DropSpec{}});
  ASSERT_TRUE(placed) << couple.refusal;
  EXPECT_TRUE(placed->second.certified);
  // The centre is one tube and one ball away from the circle.
  const Vector p = placed->first.bodies[0].position.value;
  EXPECT_NEAR(std::hypot(std::hypot(p.x(), p.y()) - 0.7, p.z()), 0.35, 1e-14);
  EXPECT_GT(p.z(), 0);
}

// --- Scenes --------------------------------------------------------------------------------------

TEST(Placement, MovesWithTheWholeScene) {
  for (const bool drop : {false, true}) {
    Couple couple(two(RevolutionSpec{egg_profile()}, EllipsoidSpec{Vector(1.2, 0.9, 0.7)}));
    for_random_cases(20, [&](Random& random) {
      Spec& s = couple.spec;
      s = two(s.bodies[0].shape.value, s.bodies[1].shape.value);
      s.bodies[0].orientation = quaternion(random_rotation(random));
      s.bodies[0].position = Vector(0.1, 0.2, 3);
      TouchSpec touch;
      touch.body = std::string("B");
      touch.own = Located<Vector>(random.vector<3>(-1, 1));
      const PlacementSpec how = drop ? PlacementSpec{DropSpec{}} : PlacementSpec{touch};
      const auto here = couple.placed(how);
      ASSERT_TRUE(here) << couple.refusal;
      const Pose<double> X{random_rotation(random), random.vector<3>(-2, 2)};
      for (std::size_t i = 0; i < 2; ++i) {
        const Pose<double> moved = X * Couple::pose(s, i);
        s.bodies[i].orientation = quaternion(moved.R);
        s.bodies[i].position = moved.p;
      }
      s.gravity = Vector(X.R * s.gravity.value);
      const auto there = couple.placed(how);
      ASSERT_TRUE(there) << couple.refusal;
      const Pose<double> expected = X * Couple::pose(here->first, 0),
                         actual = Couple::pose(there->first, 0);
      EXPECT_LT((expected.p - actual.p).norm(), 1e-12);
      EXPECT_LT((expected.R - actual.R).norm(), 1e-12);
    });
  }
}

// A tower: three balls, the upper ones written before those they stand on.
Spec tower() {
  Spec spec;
  spec.duration = 1.0;
  MaterialSpec rubber;
  rubber.name = std::string("rubber");
  rubber.law.friction = Located<double>(0.5);
  spec.materials = {rubber};
  const auto ball = [](const char* name, double radius) {
    BodySpec b = test::ball(radius);
    b.name = std::string(name);
    b.material = Located<std::string>("rubber");
    return b;
  };
  BodySpec top = ball("top", 0.1), middle = ball("middle", 0.2), bottom = ball("bottom", 0.3);
  TouchSpec touch;
  touch.body = std::string("middle");
  touch.at = Located<Vector>(Vector(0, 0, 1));
  top.placement = Located<PlacementSpec>({touch});
  middle.placement = Located<PlacementSpec>({DropSpec{Located<std::string>("bottom")}});
  bottom.placement = Located<PlacementSpec>({DropSpec{Located<std::string>("floor")}});
  BodySpec floor = test::ground();
  floor.name = std::string("floor");
  floor.material = Located<std::string>("rubber");
  spec.bodies = {top, middle, bottom, floor};
  return spec;
}

TEST(Placement, FollowsItsDependencies) {
  const auto model = compile(tower());
  ASSERT_TRUE(model) << to_string(model.error().front());
  EXPECT_EQ(model->touches.size(), 3u);
  const double z[] = {1.1, 0.8, 0.3};
  for (int i = 0; i < 3; ++i)
    EXPECT_LT((initial_pose(*model, BodyId{i}).p - Vector(0, 0, z[i])).norm(), 1e-14) << i;
}

TEST(Placement, BodiesFallInTheOrderOfTheFile) {
  Spec spec = tower();
  for (std::size_t i = 0; i < 3; ++i)
    spec.bodies[i].placement = Located<PlacementSpec>({DropSpec{}});
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error().front());
  const double z[] = {0.1, 0.4, 0.9};
  for (int i = 0; i < 3; ++i)
    EXPECT_LT((initial_pose(*model, BodyId{i}).p - Vector(0, 0, z[i])).norm(), 1e-14) << i;
}

TEST(Placement, RollingTakesTheSlipAway) {
  Spec spec = tower();
  for (std::size_t i = 0; i < 3; ++i) {
    spec.bodies[i].placement->value.rolling = true;
    spec.bodies[i].angular_velocity = Vector(1, 2 + static_cast<double>(i), 3);
  }
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error().front());
  const auto v = [&](int i) -> Vector {
    return initial_pose(*model, BodyId{i}).R * model->body(BodyId{i}).start.phi.v;
  };
  const auto w = [&](int i) {
    return spec.bodies[static_cast<std::size_t>(i)].angular_velocity.value;
  };
  const Vector up = Vector::UnitZ(), bottom = w(2).cross(0.3 * up),
               middle = bottom + w(2).cross(0.3 * up) + w(1).cross(0.2 * up),
               top = middle + w(1).cross(0.2 * up) + w(0).cross(0.1 * up);
  EXPECT_LT((v(2) - bottom).norm(), 1e-14);
  EXPECT_LT((v(1) - middle).norm(), 1e-14);
  EXPECT_LT((v(0) - top).norm(), 1e-14);
}

TEST(Placement, RollsOnABelt) {
  Spec spec = test::scene(test::ball(0.2), test::ground(), 0.5, 1);
  spec.bodies[1].fixed = false;
  BeltMotionSpec belt;
  belt.velocity = FormulasSpec({"3", "0", "0"});
  spec.bodies[1].motion = Located<MotionSpec>(belt);
  spec.bodies[0].placement = Located<PlacementSpec>({DropSpec{}, true});
  spec.bodies[0].angular_velocity = Vector(0, 5, 0);
  const auto model = compile(spec);
  ASSERT_TRUE(model) << to_string(model.error().front());
  EXPECT_LT((model->bodies[0].start.phi.v - Vector(4, 0, 0)).norm(), 1e-14);
}

TEST(Placement, FormsArePlacedToo) {
  const auto forms = compile_forms(tower());
  ASSERT_TRUE(forms);
  EXPECT_LT(((*forms)[0].X_WS.p - Vector(0, 0, 1.1)).norm(), 1e-14);
}

TEST(Placement, SaysWhatCannotBeDone) {
  const auto refused = [](const Spec& spec) {
    const auto model = compile(spec);
    return model ? std::string("nothing") : to_string(model.error().front());
  };
  Spec circle = tower();
  circle.bodies[2].placement = Located<PlacementSpec>({DropSpec{Located<std::string>("top")}});
  EXPECT_NE(refused(circle).find("form a cycle: \"middle\" on \"bottom\" on \"top\" on \"middle\""),
            std::string::npos)
      << refused(circle);
  Spec past = tower();
  past.gravity = Vector(0, 0, 9.81);
  past.bodies[2].position = Vector(0, 0, 2);
  EXPECT_NE(refused(past).find("falls past all other bodies"), std::string::npos) << refused(past);
  Spec flat = test::scene(test::ball(2), test::ground(SphereSpec{1.0, true}), 0.5, 1);
  TouchSpec touch;
  touch.body = std::string("ground");
  touch.at = Located<Vector>(Vector(0, 0, -1));
  flat.bodies[0].placement = Located<PlacementSpec>({touch});
  EXPECT_NE(refused(flat).find("would overlap around that point"), std::string::npos)
      << refused(flat);
}

}  // namespace oloid::test::compile_place_test
