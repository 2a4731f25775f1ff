// The scenes of the gallery do what they are there to show: each is run by the program and held
// against a law of its motion.
#include <algorithm>

#include "analytic/case_run.h"
#include "oloid/base/largest.h"
#include "support/rooms.h"

namespace oloid::test::gallery_test {

constexpr double kG = 9.81;

Vector of(const Row& row, const std::string& body, const std::string& what,
          const std::string& unit) {
  return row.vector(body + "." + what, unit);
}
Matrix rotation(const Row& row, const std::string& body) {
  const auto part = [&](const char* axis) {
    return row.number(body + ".orientation" + axis + " [1]");
  };
  return Eigen::Quaterniond(part(".w"), part(".x"), part(".y"), part(".z")).toRotationMatrix();
}
// About its centre of mass, world axes; J in body axes.
Vector angular_momentum(const Row& row, const std::string& body, const Matrix& J) {
  const Matrix R = rotation(row, body);
  return R * (J * (R.transpose() * of(row, body, "angular_velocity", "rad/s")));
}
Matrix diagonal(double x, double y, double z) { return Vector(x, y, z).asDiagonal(); }

void expect_good_run(const CaseRun& run) {
  EXPECT_EQ(run.summary["events"].back()["kind"], "end");
  EXPECT_LT(run.summary["energy"]["max_relative_drift"].get<double>(), 1e-9);
}
void expect_energy_falls(const CaseRun& run) {
  for (std::size_t i = 1; i < run.rows.size(); ++i)
    EXPECT_LT(run.rows[i].energy(), run.rows[i - 1].energy() + 1e-12 * run.start().energy());
}
std::string mode(const Row& row) { return row.text(row.contact + ".mode"); }

// Friction acts on a sphere that is symmetric about an axis, but leaves L·a alone: L is the angular
// momentum, a the arm from the centre of mass to the contact.
TEST(Gallery, TippeTopTurnsOver) {
  const auto run = run_scene("tippe_top.toml");
  expect_good_run(*run);
  expect_energy_falls(*run);
  const Matrix J = diagonal(3e-6, 3e-6, 3.2e-6);
  const auto jellett = [&](const Row& row) {
    return angular_momentum(row, "top", J).dot(row.point() - row.position());
  };
  double largest = 0;
  for (const Row& row : run->rows)
    largest = nan_or_max(largest, std::abs(jellett(row) / jellett(run->start()) - 1));
  EXPECT_LT(largest, 1e-9);
  EXPECT_EQ(mode(run->start()), "sliding");
  const auto upright = [](const Row& row) { return row.R()(2, 2); };
  EXPECT_GT(upright(run->start()), 0.99);
  EXPECT_LT(upright(run->rows.back()), -0.99);  // within 8 degrees of upside down
  const auto spin = [](const Row& row) { return row.R().col(2).dot(row.angular_velocity()); };
  EXPECT_GT(spin(run->start()), 0);
  EXPECT_LT(spin(run->rows.back()), 0);
  EXPECT_GT(run->rows.back().position().z() - run->start().position().z(), 0.0088);
  std::printf("tippe top: Jellett %.1e, upside down by %.2f degrees\n", largest,
              std::acos(upright(run->rows.back())) * 180 / std::acos(-1.0));
}

// Jellett's integral is only nearly kept by bodies that are not spheres.
TEST(Gallery, SpinningEggStandsUp) {
  const auto run = run_scene("spinning_egg.toml");
  expect_good_run(*run);
  expect_energy_falls(*run);
  const double m = 1040 * 4.0 / 3 * std::acos(-1.0) * 0.02 * 0.02 * 0.028;
  const double across = m / 5 * (0.02 * 0.02 + 0.028 * 0.028), along = m / 5 * (2 * 0.02 * 0.02);
  const Matrix J = diagonal(across, across, along);
  const auto jellett = [&](const Row& row) {
    return angular_momentum(row, "egg", J).dot(row.position() - row.point());
  };
  for (const Row& row : run->rows) EXPECT_NEAR(jellett(row) / jellett(run->start()), 1, 0.1);
  EXPECT_LT(std::abs(run->start().R()(2, 2)), 0.05);
  EXPECT_GT(std::abs(run->rows.back().R()(2, 2)), 0.998);  // within 4 degrees of upright
  EXPECT_NEAR(run->rows.back().position().z(), 0.028, 1e-4);
}

// Slow changes of a steady motion, in which the disc goes round at the rate Ω with the tilt α. In
// the plane of the vertical z, the horizontal h below which the contact lies, and the disc's axis
// k, the arm of the contact is r = a cos α h - (a sin α + b) z, and with ω₃ = ω·k
//   ω_h = (ω₃ - Ω cos α) sin α,  ω_z = ω₃ cos α + Ω sin² α,  V = ω_h r_z - ω_z r_h  (rolling),
//   L_h = (I₃ ω₃ - I₁ Ω cos α) sin α,  Ω L_h + m g r_h + m Ω V r_z = 0             (moments).
// For a thin disc whose centre stands still that is Ω² sin α = 4 g / a.
TEST(Gallery, EulersDiscGoesRoundEverFaster) {
  const auto run = run_scene("euler_disc.toml");
  expect_good_run(*run);
  expect_energy_falls(*run);
  const double a = 0.0345, b = 0.003, m = 0.44, I_1 = 1.6e-4, I_3 = 3.1e-4;
  const auto tilt = [](const Row& row) { return std::acos(row.R()(2, 2)); };
  const Series azimuth = run->series([](const Row& row) {
                              const Vector k = row.R().col(2);
                              return std::atan2(k.y(), k.x());
                            })
                             .unwrapped();
  double before = 0;
  for (const double t : {0.5, 1.5, 2.5, 3.5}) {  // means, so that wobbles cancel
    double alpha = 0, w_3 = 0;
    int count = 0;
    for (const Row& row : run->rows) {
      if (std::abs(row.t() - t) > 0.25) continue;
      alpha += tilt(row);
      w_3 += row.R().col(2).dot(row.angular_velocity());
      ++count;
    }
    alpha /= count;
    w_3 /= count;
    const double rate = (azimuth(t + 0.25) - azimuth(t - 0.25)) / 0.5;
    const double s = std::sin(alpha), c = std::cos(alpha), r_h = a * c, r_z = -(a * s + b);
    const double w_h = (w_3 - rate * c) * s, w_z = w_3 * c + rate * s * s;
    const double V = w_h * r_z - w_z * r_h, L_h = (I_3 * w_3 - I_1 * rate * c) * s;
    const double moment = rate * L_h + m * kG * r_h + m * rate * V * r_z;
    EXPECT_NEAR(moment / (m * kG * r_h), 0, 0.01) << t;
    EXPECT_GT(rate, before + 5) << t;
    before = rate;
    std::printf("Euler's disc: t = %.1f s, tilt %.2f degrees, %.1f rad/s, moments to %.1e\n", t,
                alpha * 180 / std::acos(-1.0), rate, moment / (m * kG * r_h));
  }
  EXPECT_NEAR(tilt(run->start()) * 180 / std::acos(-1.0), 20, 1e-9);
  EXPECT_LT(tilt(run->rows.back()) * 180 / std::acos(-1.0), 4);
}

// A homogeneous ball that rolls in a round bowl keeps its spin about the normal and its energy, and
// so does any that rolls on a sphere.
TEST(Gallery, BallInABowlKeepsSpinAndEnergy) {
  const auto run = run_scene("ball_in_bowl.toml");
  expect_good_run(*run);
  const auto spin = [](const Row& row) { return row.angular_velocity().dot(row.normal()); };
  for (const Row& row : run->rows) {
    EXPECT_EQ(mode(row), "rolling");
    EXPECT_NEAR(spin(row), spin(run->start()), 1e-8);
    EXPECT_NEAR(row.position().norm(), 0.27, 1e-12);
    EXPECT_NEAR(row.energy(), run->start().energy(), 1e-9);
  }
}

TEST(Gallery, BallRollsOffABall) {
  const auto run = run_scene("ball_on_ball.toml");
  expect_good_run(*run);
  expect_energy_falls(*run);
  const Row& end = run->rows.back();
  EXPECT_LT(of(end, "lower", "velocity", "m/s").x(), -0.02);
  EXPECT_GT(of(end, "upper", "velocity", "m/s").x(), 0.05);
  for (const auto& [name, radius] : {std::pair("lower", 0.1), std::pair("upper", 0.06)}) {
    const Vector slip = of(end, name, "velocity", "m/s") -
                        of(end, name, "angular_velocity", "rad/s").cross(Vector(0, 0, radius));
    EXPECT_LT(slip.norm(), 1e-10) << name;
    EXPECT_NEAR(of(end, name, "position", "m").z(), radius, 1e-12) << name;
  }
}

TEST(Gallery, EllipsoidsInSpaceKeepTheirMomenta) {
  const auto run = run_scene("two_ellipsoids.toml");
  expect_good_run(*run);
  const auto inertia = [](double a, double b, double c) -> std::pair<double, Matrix> {
    const double m = 2600 * 4.0 / 3 * std::acos(-1.0) * a * b * c;
    return {m, m / 5 * diagonal(b * b + c * c, c * c + a * a, a * a + b * b)};
  };
  const auto large = inertia(0.5, 0.3, 0.2), small = inertia(0.3, 0.25, 0.2);
  const auto momenta = [&](const Row& row) {
    Vector p = Vector::Zero(), L = Vector::Zero();
    for (const auto& [name, body] : {std::pair("large", &large), std::pair("small", &small)}) {
      const Vector v = of(row, name, "velocity", "m/s");
      p += body->first * v;
      L += body->first * of(row, name, "position", "m").cross(v) +
           angular_momentum(row, name, body->second);
    }
    return std::pair(p, L);
  };
  const auto [p, L] = momenta(run->start());
  int impacts = 0;
  for (const Row& row : run->rows) {
    const auto now = momenta(row);
    EXPECT_LT((now.first - p).norm(), 1e-12 * p.norm());
    // Each ellipsoid keeps the tolerance, 1e-11 a step, by itself: 2e-10 where frames lie between.
    EXPECT_LT((now.second - L).norm(), 5e-10 * L.norm());
  }
  for (const std::string& kind : run->events()) impacts += kind == "impact";
  EXPECT_GE(impacts, 1);
}

TEST(Gallery, StoneTumblesDownTheHill) {
  const auto run = run_scene("wavy_hill.toml");
  expect_good_run(*run);
  const Row& end = run->rows.back();
  EXPECT_GT(end.position().x(), run->start().position().x() + 2);
  EXPECT_EQ(mode(run->start()), "rolling");
  int flights = 0;
  for (const std::string& kind : run->events()) flights += kind == "take_off";
  EXPECT_GE(flights, 2);
}

}  // namespace oloid::test::gallery_test
