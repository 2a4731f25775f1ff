#include "oloid/dynamics/stick.h"

#include <gtest/gtest.h>

#include "oloid/geometry/any_surface.h"
#include "support/all_laws.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::stick_test {

double kinetic(const RandomContact& c, const Vec6<double>& v) {
  const PairGeometry<double> at = c.pair();
  const Twist<double> phi =
      transform(Pose<double>{at.A.R, at.A.p}, Twist<double>{v.head<3>(), v.tail<3>()});
  return kinetic_energy(Inertia<double>{c.body.mass, c.body.J}, phi);
}
Mat6<double> inverse_mass(const RandomContact& c) {
  const PairGeometry<double> at = c.pair();
  return contact_inverse_mass(Pose<double>{at.A.R, at.A.p}, c.body);
}
Vec6<double> velocity(const RandomContact& c) {
  return (Vec6<double>() << c.state.w, 0.7).finished();
}

template <class F>
void for_all_laws(F f) {
  for_random_contacts(1, [&](const RandomContact& c, const std::string& seed) {
    for (int i = 0; i < kLawCount; ++i) {
      SCOPED_TRACE(seed + ", law " + std::to_string(i));
      f(c, law_number(i));
    }
  });
}

TEST(Stick, ImpulseRemovesWhatTheLawForbidsAndBooksItsEnergy) {
  for_all_laws([](const RandomContact& c, Law law) {
    const Mat6<double> W = inverse_mass(c);
    const Vec6<double> v = velocity(c);
    const StickImpulse hit = stick_impulse(law, W, v);
    const Vec6<double> after = v + W * hit.P;
    const double energy = kinetic(c, v);
    EXPECT_GE(hit.energy_loss, 0);
    EXPECT_NEAR(energy - kinetic(c, after), hit.energy_loss, 1e-12 * (1 + energy));
    for (int row = 0; row < 6; ++row) {
      if (kind_of_row(law, row) == RowKind::constrained) {
        EXPECT_NEAR(after(row), 0, 1e-12 * (1 + v.norm())) << row;
      } else {
        EXPECT_EQ(hit.P(row), 0) << row;
      }
    }
  });
}

// Projection: doing it twice changes nothing, and what is kept is orthogonal to what is removed.
TEST(Stick, ImpulseIsAnOrthogonalProjection) {
  for_all_laws([](const RandomContact& c, Law law) {
    const Mat6<double> W = inverse_mass(c);
    const Vec6<double> v = velocity(c);
    const StickImpulse once = stick_impulse(law, W, v);
    const Vec6<double> removed = W * once.P, kept = v + removed;
    EXPECT_LE(stick_impulse(law, W, kept).P.norm(), 1e-12 * (1 + once.P.norm()));
    EXPECT_NEAR(kinetic(c, kept) + kinetic(c, removed), kinetic(c, v), 1e-12 * (1 + kinetic(c, v)));
  });
}

TEST(Stick, PartsOfAChannel) {
  const Vec6<double> x = (Vec6<double>() << 1, 2, 3, 4, 5, 6).finished();
  const Vec5<double> w = x.head<5>();
  EXPECT_EQ(part(x, Channel::roll), Vec2<double>(1, 2));
  EXPECT_EQ(part(x, Channel::spin), Vec2<double>(3, 0));
  EXPECT_EQ(part(x, Channel::slip), Vec2<double>(4, 5));
  for (const Channel channel : kChannels) {
    EXPECT_EQ(part(w, channel), part(x, channel));
    Vec6<double> y = Vec6<double>::Zero();
    set_part(y, channel, part(x, channel));
    EXPECT_EQ(part(y, channel), part(x, channel));
    EXPECT_EQ((y.array() != 0).count(), width_of(channel));
  }
}

// A contact held in all channels, of which one is let go with half the resistance it would need.
struct Letting {
  ContactResponse sight;
  Law held{Slip::stuck, Spin::stuck, Roll::stuck}, moving = held;
  Channel channel;
  double kinetic = 0, f_n = 0;
  Vec2<double> against;  // minus what holds

  Letting(const RandomContact& c, Channel which) : channel(which) {
    const PairGeometry<double> at = c.pair();
    const Wrench<double> load = c.load(at, c.state.psi);
    const Pose<double> X_AC{at.A.R, at.A.p};
    sight.W = inverse_mass(c);
    sight.b = stacked(seen_from(X_AC, free_acceleration(c.body, load, Twist<double>{})));
    const Vec6<double> f = law_force(held, sight.W, sight.b, Vec6<double>::Zero()).f;
    f_n = -f(kNormalRow);
    against = -part(f, channel);
    kinetic = 0.5 * against.norm() / f_n;
    if (channel == Channel::slip) moving.slip = Slip::sliding;
    if (channel == Channel::spin) moving.spin = Spin::resisting;
    if (channel == Channel::roll) moving.roll = Roll::resisting;
  }
  LawForce<double> force(const Vec2<double>& direction) const {
    Vec6<double> c = Vec6<double>::Zero();
    set_part(c, channel, -kinetic * direction);
    return law_force(moving, sight.W, sight.b, c);
  }
  Vec2<double> acceleration(const Vec2<double>& direction) const {
    return part(Vec6<double>(sight.b + sight.W * force(direction).f), channel);
  }
  // Whether every direction has a normal force: where one has none there may be no onset.
  bool well_posed() const {
    if (f_n <= 0) return false;
    for (int i = 0; i < 64; ++i) {
      const double angle = std::acos(-1.0) * i / 32;
      const Vec2<double> way = channel == Channel::spin
                                   ? Vec2<double>(i % 2 == 0 ? 1 : -1, 0)
                                   : Vec2<double>(std::cos(angle), std::sin(angle));
      const LawForce<double> found = force(way);
      if (found.denominator <= 0 || found.f(kNormalRow) >= 0) return false;
    }
    return true;
  }
};

TEST(Stick, OnsetAcceleratesAlongItself) {
  for (const Channel channel : kChannels) {
    SCOPED_TRACE("channel " + std::to_string(static_cast<int>(channel)));
    int tried = 0;
    for_random_contacts(4, [&](const RandomContact& c, const std::string& seed) {
      SCOPED_TRACE(seed);
      const Letting x(c, channel);
      if (!x.well_posed()) return;
      ++tried;
      const Onset way =
          onset(x.sight, x.moving, Vec6<double>::Zero(), channel, x.kinetic, x.against);
      ASSERT_TRUE(way.found);
      EXPECT_NEAR(way.direction.norm(), 1, 1e-15);
      const Vec2<double> a = x.acceleration(way.direction);
      EXPECT_GT(a.dot(way.direction), 0);
      EXPECT_NEAR(a.normalized().dot(way.direction), 1, 1e-12);
      if (channel == Channel::spin) return;
      // It lasts: beside it the motion is turned back towards it.
      for (const double beside : {-1e-4, 1e-4}) {
        const Vec2<double> v =
            (way.direction + beside * Vec2<double>(-way.direction.y(), way.direction.x()))
                .normalized();
        const Vec2<double> turned = x.acceleration(v);
        EXPECT_LT((v.x() * turned.y() - v.y() * turned.x()) * beside, 0);
      }
    });
    EXPECT_GT(tried, 40);
  }
}

// Whatever the guess: the only lasting direction is found from all sides.
TEST(Stick, OnsetDoesNotDependOnTheGuess) {
  for (const Channel channel : kChannels) {
    for_random_contacts(1, [&](const RandomContact& c, const std::string& seed) {
      SCOPED_TRACE(seed);
      const Letting x(c, channel);
      if (!x.well_posed()) return;
      const auto from = [&](const Vec2<double>& guess) {
        return onset(x.sight, x.moving, Vec6<double>::Zero(), channel, x.kinetic, guess);
      };
      const Onset first = from(x.against);
      for (int i = 0; i < 8; ++i) {
        const double angle = 0.3 + std::acos(-1.0) * i / 4;
        const Onset other = from({std::cos(angle), std::sin(angle)});
        ASSERT_TRUE(other.found);
        EXPECT_LE((other.direction - first.direction).norm(), 1e-9);
      }
    });
  }
}

// More resistance than the contact needs: no direction speeds up.
TEST(Stick, NoOnsetWhereTheContactHolds) {
  int tried = 0;
  for (const Channel channel : kChannels) {
    for_random_contacts(1, [&](const RandomContact& c, const std::string& seed) {
      SCOPED_TRACE(seed);
      Letting x(c, channel);
      x.kinetic *= 2.2;
      if (!x.well_posed()) return;
      ++tried;
      EXPECT_FALSE(
          onset(x.sight, x.moving, Vec6<double>::Zero(), channel, x.kinetic, x.against).found);
    });
  }
  EXPECT_GT(tried, 20);
}

// What moves already may slow down: along a direction that lasts, or else the last one.
TEST(Stick, AMotionUnderWayKeepsADirection) {
  int steady = 0, slowing = 0;
  for (const Channel channel : {Channel::slip, Channel::roll}) {
    for_random_contacts(1, [&](const RandomContact& c, const std::string& seed) {
      SCOPED_TRACE(seed);
      Letting x(c, channel);
      x.kinetic *= 2.2;
      if (!x.well_posed()) return;
      const Vec2<double> last = x.against.normalized();
      const Onset way = onset(x.sight, x.moving, Vec6<double>::Zero(), channel, x.kinetic, last,
                              OnsetFrom::under_way);
      ASSERT_TRUE(way.found);
      const Vec2<double> a = x.acceleration(way.direction);
      const double turning = way.direction.x() * a.y() - way.direction.y() * a.x();
      if ((way.direction - last).norm() < 1e-15) return;
      ++steady;
      EXPECT_LE(std::abs(turning), 1e-9 * a.norm());
      slowing += a.dot(way.direction) < 0;
    });
  }
  EXPECT_GT(steady, 10);
  EXPECT_GT(slowing, 10);
}

// A ball on an incline sticks up to tan a = (7/2) μ. With a resistance ρ against roll it stays
// until r sin a = ρ cos a, and then rolls downhill.
TEST(Stick, BallOnAnIncline) {
  const PlacedShape ball{*Ellipsoid::make({0.2, 0.2, 0.2}), {}}, plane{Plane{}, {}};
  const Location a = near(ball.shape, {0, 0, -1});
  const PairGeometry<double> at{ball.at<double>({a.chart, {1, 0, 0}}, a.x),
                                plane.at<double>({ChartId{0}, {1, 0, 0}}, Vec3<double>::Zero())};
  const Mat3<double> J = Mat3<double>::Identity() * 0.4 * 0.04;
  const BodyInertia<double> body{1, 1, J, J.inverse()};
  const ContactState<double> x{a.x, Vec3<double>::Zero(), psi_of_pose(at, Mat3<double>::Identity()),
                               Vec5<double>::Zero()};
  for (double angle : {0.1, 0.4, 0.9}) {
    const Wrench<double> load{Vec3<double>::Zero(),
                              9.81 * Vec3<double>(std::sin(angle), 0, -std::cos(angle))};
    const auto stuck = contact_rates<Law{Slip::stuck}>(at, x, body, load, {});
    EXPECT_NEAR(stuck.f.segment<2>(3).norm() / -stuck.f(5), 2.0 / 7.0 * std::tan(angle), 1e-14);
    constexpr Law kHeld{Slip::stuck, Spin::free, Roll::stuck};
    const auto held = contact_rates<kHeld>(at, x, body, load, {});
    EXPECT_NEAR(held.f.head<2>().norm() / -held.f(5), 0.2 * std::tan(angle), 1e-14);
    // Just below: down the slope at (5/7) g (sin a − (ρ/r) cos a).
    const double rho = 0.19 * std::tan(angle);
    const Pose<double> X_AC{at.A.R, at.A.p};
    const ContactResponse sight{
        contact_inverse_mass(X_AC, body),
        stacked(seen_from(X_AC, free_acceleration(body, load, Twist<double>{})))};
    constexpr Law kRolling{Slip::stuck, Spin::free, Roll::resisting};
    const Onset way = onset(sight, kRolling, Vec6<double>::Zero(), Channel::roll, rho,
                            -part(held.f, Channel::roll));
    ASSERT_TRUE(way.found);
    Vec6<double> c = Vec6<double>::Zero();
    set_part(c, Channel::roll, -rho * way.direction);
    const Vec6<double> rate = sight.b + sight.W * law_force(kRolling, sight.W, sight.b, c).f;
    const double expected = 5.0 / 7.0 * 9.81 * (std::sin(angle) - rho / 0.2 * std::cos(angle));
    EXPECT_NEAR(0.2 * rate.head<2>().norm(), expected, 1e-12);
    const Vec3<double> turning = at.A.R * Vec3<double>(rate(0), rate(1), 0);
    EXPECT_NEAR(0.2 * turning.y(), expected, 1e-12);  // forward about +y: along +x, downhill
  }
}

}  // namespace oloid::test::stick_test
