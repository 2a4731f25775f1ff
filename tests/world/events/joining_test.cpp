// Trees that are joined: nothing jumps but by the impulse, and it does not matter which body was
// the root.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/conservation.h"
#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::joining_test {

struct Sides {
  Film::Picture before, after;
};
Sides sides_of(const Film& f, double t) {
  Sides sides;
  for (const Film::Picture& p : f.pictures) {
    if (p.t != t || p.side == 0) continue;
    (p.side < 0 ? sides.before : sides.after) = p;
  }
  EXPECT_FALSE(sides.before.bodies.empty());
  EXPECT_FALSE(sides.after.bodies.empty());
  return sides;
}

// Of the first impact, after which the bodies stay together.
double capture_time(const Film& f) {
  EXPECT_TRUE(f.ended()) << f.events.back().note;
  const auto hits = f.of(EventKind::impact);
  EXPECT_FALSE(hits.empty());
  if (hits.empty()) return 0;
  EXPECT_NE(hits[0].after, Mode::separated);
  for (const Event& off : f.of(EventKind::take_off)) {
    EXPECT_GT(off.t, hits[0].t);
  }
  return hits[0].t;
}

void expect_same_places(const Sides& sides) {
  for (std::size_t i = 0; i < sides.before.bodies.size(); ++i) {
    const BodyFrame &b = sides.before.bodies[i], &a = sides.after.bodies[i];
    EXPECT_LE((a.position - b.position).norm(), 1e-14) << i;
    EXPECT_LE((rotation_matrix(a.orientation) - rotation_matrix(b.orientation)).norm(), 1e-13) << i;
  }
}

// Whichever bodies are roots, A or B: the same motion. A table is the last of the bodies by name,
// and stays there.
void expect_order_is_nothing(Spec spec) {
  const auto by_name = [](const BodySpec& a, const BodySpec& b) {
    return a.name.value < b.name.value;
  };
  std::sort(spec.bodies.begin(), spec.bodies.end(), by_name);
  const auto end = spec.bodies.back().fixed ? spec.bodies.end() - 1 : spec.bodies.end();
  const Film first = film(spec);
  while (std::next_permutation(spec.bodies.begin(), end, by_name)) {
    const Film other = film(spec);
    for (const std::string& name : first.header.bodies)
      ASSERT_LE(distance(first.last(name), other.last(name)), 1e-9) << name;
  }
}

// Ellipsoids on top of each other, pressed together by springs, that spin and slide while they
// fall.
Spec falling_chain(double friction, int bodies) {
  const Vec3<double> a(0.3, 0.25, 0.2), b(0.35, 0.3, 0.4);
  Spec spec = scene_of(
      {named("a", ellipsoid(a, 1.3), {{0, 0, 2.25}, {0.05, 0.02, -0.2}, {0.1, -0.1, 0.5}}),
       named("b", ellipsoid(b, 2.1), {{0, 0, 1.65}, {-0.02, 0.03, -0.2}, {0.1, 0.1, -0.6}})},
      {law("a", "b", friction), law("b", "table", 0.3)}, 0.4);
  spec.springs = {spring("a", "b", 60)};
  if (bodies > 2) {
    spec.bodies.push_back(
        named("c", ball(0.25, 0.9), {{0, 0, 1}, {-0.02, 0.02, -0.2}, {0.1, 0.2, 0.4}}));
    spec.springs.push_back(spring("b", "c", 60));
    spec.pairs.push_back(law("b", "c", friction));
    spec.pairs.push_back(law("c", "table", 0.3));
  }
  spec.bodies.push_back(table());
  const double low = bodies > 2 ? 0.75 : 1.25;
  for (BodySpec& body : spec.bodies) {
    if (body.mass) body.position.value.z() -= low - 0.1;
  }
  spec.solver.rtol = 1e-13;
  return spec;
}

// The table gives one impulse J at the point of contact x: p changes by J, L by x × J.
TEST(Joining, AFallingTreeIsCaughtByOneImpulse) {
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    for (const int bodies : {2, 3}) {
      for (const bool reversed : {false, true}) {
        SCOPED_TRACE(testing::Message() << friction << ", " << bodies << " bodies, " << reversed);
        Spec spec = falling_chain(friction, bodies);
        if (reversed) std::reverse(spec.bodies.begin(), spec.bodies.end());
        const Film f = film(spec);
        const Sides sides = sides_of(f, capture_time(f));
        expect_same_places(sides);
        const Momenta before = momenta(spec, sides.before.bodies),
                      after = momenta(spec, sides.after.bodies);
        const Vec3<double> J = after.linear - before.linear;
        const Vec3<double> x =
            sides.after.contacts[f.contact(bodies > 2 ? "c" : "b", "table")].point_A;
        EXPECT_GT(J.z(), 1);
        EXPECT_LE((after.angular - before.angular - x.cross(J)).norm(), 1e-12);
        EXPECT_LE(mechanical(sides.after), mechanical(sides.before));
        EXPECT_LE(f.drift(), 1e-10);
      }
    }
  }
}

TEST(Joining, AFallingTreeMayHaveAnyRoot) {
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    for (const int bodies : {2, 3}) {
      SCOPED_TRACE(testing::Message() << friction << ", " << bodies << " bodies");
      expect_order_is_nothing(falling_chain(friction, bodies));
    }
  }
}

// The same on a flat body that lies on the table: whichever of the two is A.
TEST(Joining, AFallingTreeMayLandOnAHeldBody) {
  for (const double friction : {0.2, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(friction);
    Spec spec = falling_chain(friction, 2);
    for (BodySpec& body : spec.bodies) {
      if (body.mass) body.position.value.z() += 0.5;
    }
    spec.bodies.push_back(named("flat", ellipsoid({0.6, 0.6, 0.25}, 8), {{0, 0, 0.25}}));
    spec.pairs.push_back(law("flat", "table", 0.5));
    spec.pairs.push_back(law("b", "flat", friction));
    capture_time(film(spec));
    expect_order_is_nothing(spec);
  }
}

// Two pairs in space that meet with one body each and stay together.
Spec meeting_pairs(double friction) {
  const Vec3<double> a(0.3, 0.25, 0.2), b(0.35, 0.3, 0.4), c(0.3, 0.25, 0.3);
  Spec spec =
      scene_of({named("a", ellipsoid(a, 1.3), {{0, 0, 0.6}, {0.05, 0.02, -0.5}, {0.1, -0.1, 0.5}}),
                named("b", ellipsoid(b, 2.1), {{0, 0, 0}, {-0.02, 0.03, -0.5}, {0.1, 0.1, -0.6}}),
                named("c", ellipsoid(c, 1.7), {{0, 0, -0.75}, {0.03, 0, 0.1}, {-0.2, 0.1, 0.7}}),
                named("d", ball(0.2, 0.9), {{0, 0, -1.25}, {-0.02, 0.02, 0.1}, {0.1, 0.3, 0.4}})},
               {law("a", "b", friction), law("b", "c", friction), law("c", "d", friction)}, 0.3);
  spec.springs = {spring("a", "b", 60), spring("b", "c", 60), spring("c", "d", 60)};
  spec.gravity = Vec3<double>(0, 0, 0);
  spec.solver.rtol = 1e-13;
  return spec;
}

TEST(Joining, FloatingTreesKeepMomentumWhenTheyMeet) {
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    for (const bool reversed : {false, true}) {
      SCOPED_TRACE(testing::Message() << friction << ", " << reversed);
      Spec spec = meeting_pairs(friction);
      if (reversed) std::reverse(spec.bodies.begin(), spec.bodies.end());
      const Film f = film(spec);
      const Sides sides = sides_of(f, capture_time(f));
      expect_same_places(sides);
      const Momenta first = momenta(spec, f.pictures.front().bodies);
      for (const auto& bodies : {sides.before.bodies, sides.after.bodies, f.summary.bodies}) {
        const Momenta now = momenta(spec, bodies);
        EXPECT_LE((now.linear - first.linear).norm(), 1e-12);
        EXPECT_LE((now.angular - first.angular).norm(), 1e-12);
      }
      EXPECT_LE(mechanical(sides.after), mechanical(sides.before));
      EXPECT_LE(f.drift(), 1e-10);
    }
  }
}

TEST(Joining, FloatingTreesMayHaveAnyRoot) {
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(friction);
    expect_order_is_nothing(meeting_pairs(friction));
  }
}

// Two ellipsoids that are pulled apart and pushed together again.
TEST(Joining, BodiesPulledApartMeetAgainInAnyOrder) {
  for (const double friction : {0.0, 0.2, static_cast<double>(INFINITY)}) {
    SCOPED_TRACE(friction);
    Spec spec = falling_chain(friction, 2);
    spec.duration = 0.6;
    spec.gravity = Vec3<double>(0, 0, 0);
    spec.bodies.pop_back();  // the table
    spec.pairs.pop_back();
    spec.loads = {force("a", {"0", "0", "150 * sin(15 * t)"})};
    const Film f = film(spec);
    EXPECT_FALSE(f.of(EventKind::take_off).empty());
    EXPECT_FALSE(f.of(EventKind::impact).empty());
    EXPECT_LE(f.drift(), 1e-10);
    expect_order_is_nothing(spec);
  }
}

}  // namespace oloid::test::joining_test
