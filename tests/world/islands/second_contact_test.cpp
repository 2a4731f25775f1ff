// Bodies that are held by one contact and touch at a second point: exactly when they do.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/film.h"
#include "support/rooms.h"

namespace oloid::test::second_contact_test {

constexpr double kGravity = 9.81;

// Two balls of radius r with their middles at x = ±d.
struct Dumbbell {
  double d, r, inertia;

  BodySpec body(double tilt) const {
    const std::string x = std::to_string(d), rr = std::to_string(r * r);
    ImplicitSpec shape;
    shape.formulas = std::vector<std::string>{"((x - " + x + ")^2 + y^2 + z^2 - " + rr +
                                              ") * ((x + " + x + ")^2 + y^2 + z^2 - " + rr + ")"};
    const Vec3<double> half(d + 1.5 * r, 1.5 * r, 1.5 * r);
    shape.box = std::array<Vec3<double>, 2>{-half, half};
    BodySpec made = moving_body(shape, 1, inertia * Mat3<double>::Identity());
    made.name = std::string("body");
    made.orientation = Quat<double>{std::cos(tilt / 2), 0, std::sin(tilt / 2), 0};
    return made;
  }
  // Without friction the middle stays above its place. With θ the tilt, its height r + d sin θ:
  //   (m d² cos²θ + I) θ̇² / 2 = m g d (sin θ₀ − sin θ),
  // and θ = θ₀ (1 − s²) makes dt / ds smooth. Simpson's rule.
  double time_to_tip_over(double tilt) const {
    const auto rate = [&](double s) {
      const double theta = tilt * (1 - s * s);
      const double fallen = 2 * std::cos(tilt * (1 - s * s / 2)) * std::sin(tilt * s * s / 2);
      const double over_s = s > 0 ? fallen / (s * s) : tilt * std::cos(tilt);
      const double c = d * std::cos(theta);
      return 2 * tilt * std::sqrt((c * c + inertia) / (2 * kGravity * d * over_s));
    };
    constexpr int kParts = 2000;
    double sum = rate(0) + rate(1);
    for (int i = 1; i < kParts; ++i) sum += (i % 2 == 1 ? 4 : 2) * rate(i / double{kParts});
    return sum / (3 * kParts);
  }
};

BodySpec dropped_on_table(BodySpec body) {
  body.placement = Located<PlacementSpec>(PlacementSpec{DropSpec{Located<std::string>("table")}});
  return body;
}

// An impact, or, where the other end stays down, the end of the island.
const Event* first_touch(const Film& film) {
  for (const Event& event : film.events)
    if (event.kind == EventKind::impact || event.kind == EventKind::unsupported_island)
      return &event;
  ADD_FAILURE() << "no touch";
  return nullptr;
}
const BodyFrame* before(const Film& film, const Event& event, const char* name) {
  for (const Film::Picture& picture : film.pictures)
    if (picture.side < 0 && picture.t == event.t) return &picture.bodies[film.index(name)];
  ADD_FAILURE() << "no frame before the event";
  return nullptr;
}

TEST(SecondContact, ADumbbellTipsOverOntoItsOtherBall) {
  for (const Dumbbell& dumbbell :
       {Dumbbell{0.3, 0.1, 0.1}, Dumbbell{0.3, 0.1, 0.02}, Dumbbell{0.25, 0.125, 0.05}}) {
    for (const double tilt : {0.02, 0.1, 0.3}) {
      const Film run = film(scene_of({dropped_on_table(dumbbell.body(tilt)), table()}, {}, 0.5));
      const Event* const touch = first_touch(run);
      ASSERT_NE(touch, nullptr);
      EXPECT_NEAR(touch->t, dumbbell.time_to_tip_over(tilt), 1e-9) << dumbbell.d << " " << tilt;
    }
  }
}

// In a hollow ball the other ball touches where its middle is as far from the hollow's as that
// leaves room for.
TEST(SecondContact, ADumbbellComesToLieInAHollow) {
  const Dumbbell dumbbell{0.3, 0.1, 0.03};
  constexpr double kHollow = 1.5;
  SphereSpec hollow;
  hollow.radius = kHollow;
  hollow.cavity = true;
  BodySpec body = dumbbell.body(0.4);
  // One end at the bottom.
  const Vec3<double> end(std::cos(0.4) * 0.3, 0, -std::sin(0.4) * 0.3);
  body.position = Vec3<double>(Vec3<double>(0, 0, -(kHollow - dumbbell.r)) - end);
  BodySpec ball = ground(hollow);
  ball.name = std::string("hollow");
  const Film run = film(scene_of({body, ball}, {}, 1));
  ASSERT_EQ(run.events.front().kind, EventKind::contact_start);
  const Event* const touch = first_touch(run);
  ASSERT_NE(touch, nullptr);
  const BodyFrame* const at = before(run, *touch, "body");
  ASSERT_NE(at, nullptr);
  const Vec3<double> along = rotation_matrix(at->orientation) * Vec3<double>(dumbbell.d, 0, 0);
  const double room = kHollow - dumbbell.r;
  EXPECT_NEAR((at->position + along).norm(), room, 1e-9);
  EXPECT_NEAR((at->position - along).norm(), room, 1e-9);
}

// A smooth body with two equal ends touches a table with both when it lies level.
TEST(SecondContact, APeanutTipsOverOntoItsOtherEnd) {
  MetaballsSpec shape;
  for (const double x : {-0.3, 0.3}) {
    shape.balls.emplace_back();
    shape.balls.back().centre = Vec3<double>(x, 0, 0);
    shape.balls.back().radius = 0.6;
  }
  BodySpec body = moving_body(shape, 1, 0.05 * Mat3<double>::Identity());
  for (const double tilt : {0.05, 0.2}) {
    body.orientation = Quat<double>{std::cos(tilt / 2), 0, std::sin(tilt / 2), 0};
    const Film run = film(scene_of({dropped_on_table(body), table()}, {}, 1));
    const Event* const touch = first_touch(run);
    ASSERT_NE(touch, nullptr);
    const BodyFrame* const at = before(run, *touch, "body");
    ASSERT_NE(at, nullptr);
    EXPECT_NEAR(rotation_matrix(at->orientation)(2, 0), 0, 1e-9);
  }
}

// Where curvatures prove that there is none, it is not searched for: a bowl-shaped patch on a
// table, a ball on a patch that is nowhere as narrow as the ball.
TEST(SecondContact, IsNotSearchedForWhereThereIsNone) {
  std::vector<std::vector<Vec3<double>>> net;
  for (int i = 0; i < 4; ++i) {
    net.emplace_back();
    for (int j = 0; j < 4; ++j) {
      const double x = 0.2 * i - 0.3, y = 0.1 * j - 0.15;
      net.back().emplace_back(x, y, (i % 3 == 0 ? 0.06 : 0) + (j % 3 == 0 ? 0.03 : 0));
    }
  }
  const auto turned_over = [&] {  // its outside down
    std::vector<std::vector<Vec3<double>>> other(4, std::vector<Vec3<double>>(4));
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) other[j][i] = net[i][j];
    return one_patch(other);
  };
  BodySpec rocker = moving_body(turned_over(), 1, 0.01 * Mat3<double>::Identity());
  rocker.orientation = Quat<double>{std::cos(0.02), 0, std::sin(0.02), 0};
  BodySpec land = ground(one_patch(net));
  land.name = std::string("land");
  BodySpec small = ball(0.02, 1);
  small.position = Vec3<double>(0.05, 0.02, 0.2);
  small.placement = Located<PlacementSpec>(PlacementSpec{DropSpec{Located<std::string>("land")}});
  for (const Film& run : {film(scene_of({dropped_on_table(rocker), table()}, {}, 0.5)),
                          film(scene_of({small, land}, {}, 0.5))}) {
    ASSERT_FALSE(run.events.empty());
    EXPECT_EQ(run.events.front().kind, EventKind::contact_start);
    EXPECT_TRUE(run.ended());
    EXPECT_EQ(run.summary.counters.closest_calls, 0);
  }
}

}  // namespace oloid::test::second_contact_test
