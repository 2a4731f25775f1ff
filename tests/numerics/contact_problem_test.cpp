#include "oloid/numerics/contact_problem.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

#include "laws/random.h"
#include "oloid/base/largest.h"
#include "support/row_vectors.h"

namespace oloid::test::contact_problem_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kAcceleration = 1e-10;

std::string letters(const ContactProblem& p, const std::vector<ContactMode>& modes) {
  std::string word;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    bool moves = false;
    for (int k = 0; k < p.cones[i].channels; ++k) {
      moves = moves || modes[i].channel[static_cast<std::size_t>(k)].moves;
    }
    word += !modes[i].closed ? 'O' : moves ? 'L' : 'S';
  }
  return word;
}

// The laws themselves, contact by contact, with no help from the solver: no adhesion, no approach,
// friction within its limit, and at the limit against the motion if there is motion.
double violation(const ContactProblem& p, const VectorXd& force) {
  const VectorXd u = p.W * force + p.b;
  double worst = 0;
  for (const ForceCone& cone : p.cones) {
    const int n = cone.size();
    const double size = p.W.block(cone.first, cone.first, n, n).norm();
    const double normal = force(cone.first);
    const auto newtons = [&](double rate) { return rate / size; };
    worst = std::max(
        {worst, -normal, newtons(-u(cone.first)), std::min(normal, newtons(u(cone.first)))});
    for_each_channel(cone, [&](int at, const ConeChannel& channel) {
      const VectorXd f = force.segment(at, channel.width), v = u.segment(at, channel.width);
      if (channel.limit == kUnlimited) {
        worst = nan_or_max(worst, std::min(std::max(normal, f.norm()), newtons(v.norm())));
        return;
      }
      worst = nan_or_max(worst, f.norm() - channel.limit * normal);
      // |v| f = −limit λ_n v, as far as it can be told: by the smaller of speed and force.
      const double against = (v.norm() * f + channel.limit * normal * v).norm();
      if (v.norm() > 0) worst = nan_or_max(worst, std::min(against / v.norm(), newtons(v.norm())));
    });
  }
  return worst;
}
// What counts as kept: redundant forces have a rank tolerance of 1e-9, which shows in the rates of
// what holds, and where slip is slow its direction magnifies the residual 1e-11.
constexpr double kLaws = 1e-8;
double relative_violation(const ContactProblem& p, const VectorXd& force) {
  double scale = force.lpNorm<Eigen::Infinity>();
  for (const ForceCone& cone : p.cones) {
    const int n = cone.size();
    scale = std::max(
        scale, p.b.segment(cone.first, n).norm() / p.W.block(cone.first, cone.first, n, n).norm());
  }
  return violation(p, force) / scale;
}

// 1 to `most` contacts of one to five bodies, on the ground and among each other: half of them have
// more forces than motions.
struct RandomOptions {
  int most = 20;
  double least_friction = 0.1, most_friction = 1.2;
  bool resistances = false;
};
ContactGroup random_group(Random& random, const RandomOptions& options) {
  ContactGroup group;
  const int contacts = 1 + static_cast<int>(random(0, options.most));
  const int bodies = 1 + static_cast<int>(random(0, std::min(5.0, 1 + contacts / 3.0)));
  for (int k = 0; k < bodies; ++k) {
    const double mass = std::exp(random(-1.5, 1.5)), radius = random(0.05, 0.3);
    const Mat3<double> R = random.rotation();
    const Mat3<double> I =
        mass * radius * radius * R * random.vector<3>(0.5, 1).asDiagonal() * R.transpose();
    const Vec3<double> push = random.vector<3>(-4, 4) + random(0, 1) * 5 * random.direction();
    group.add_body(mass, I, Vec3<double>::Zero(), mass * (push - Vec3<double>(0, 0, 9.81)),
                   mass * random(-0.5, 0.5) * random.direction());
  }
  group.cap = 30;
  for (int i = 0; i < contacts; ++i) {
    const int A = i < bodies ? i : static_cast<int>(random(0, bodies));
    int B = random(0, 1) < 0.5 ? static_cast<int>(random(0, bodies)) : -1;
    if (B == A) B = -1;
    const Vec3<double> n =
        (Vec3<double>(0, 0, 1) + random(0, 1.5) * random.direction()).normalized();
    group.contact(A, B, -0.15 * n + 0.15 * random.direction(), n);
    group.stick(random(options.least_friction, options.most_friction));
    if (options.resistances && random(0, 1) < 0.5) group.hold_spin(random(0.0005, 0.03));
    if (options.resistances && random(0, 1) < 0.5) group.hold_roll(random(0.0005, 0.03));
  }
  return group;
}

void expect_mode(const nlohmann::json& entry, const std::string& mode) {
  const ContactGroup group = contact_group(entry["input"]);
  const ContactProblem p = group.problem();
  const Decision d = decide(p);
  ASSERT_NE(d.outcome, Outcome::not_found);
  EXPECT_EQ(letters(p, d.modes), mode);
  EXPECT_LE(relative_violation(p, d.force), 1e-11);
  for (const nlohmann::json& solution : entry.value("solutions", nlohmann::json::array())) {
    if (solution["mode"] != mode) continue;
    expect_near(group.acceleration(d.force), vector(solution["acceleration"]), kAcceleration, mode);
  }
}

TEST(ContactProblem, BallInAGroove) {
  const nlohmann::json data = read_data("rows.json")["v_groove"];
  expect_mode(data[0], "SS");
  expect_mode(data[1], "SS");  // could also slide: what can hold holds
  expect_mode(data[2], "LL");
  expect_mode(data[3], "LS");
  expect_mode(data[4], "SS");
  // Asked not to hold, the second one finds its other solution.
  const ContactGroup group = contact_group(data[1]["input"]);
  const Decision d = decide(group.problem(), false);
  ASSERT_EQ(d.outcome, Outcome::moves);
  EXPECT_EQ(letters(group.problem(), d.modes), "LL");
  expect_near(group.acceleration(d.force), vector(data[1]["solutions"][1]["acceleration"]),
              kAcceleration, "LL");
}

TEST(ContactProblem, BoxOnASlopeHoldsSlidesOrTips) {
  const nlohmann::json data = read_data("rows.json")["box_slope"];
  expect_mode(data[0], "SSSS");
  expect_mode(data[1], "LLLL");
  expect_mode(data[2], "SSOO");
  // While it slides, forces are shared as the least norm says.
  const ContactGroup group = contact_group(data[1]["input"]);
  const VectorXd n = normals(group, decide(group.problem()).force);
  EXPECT_NEAR(n(0), data[1]["normal_front"], 1e-9);
  EXPECT_NEAR(n(3), data[1]["normal_rear"], 1e-9);
}

TEST(ContactProblem, LadderStartsToSlide) {
  expect_mode(read_data("rows.json")["ladder"][1], "LL");
}

TEST(ContactProblem, BlockOnAnIncline) {
  const nlohmann::json cases = read_data("multi_contact.json")["friction"];
  for (const nlohmann::json& c : cases) {
    if (c["name"] != "block_on_incline") continue;
    const double theta = c["theta"];
    ContactGroup block;
    block.add_body(1, 0.01 * Mat3<double>::Identity(), {0, 0, 0},
                   {9.81 * std::sin(theta), 0, -9.81 * std::cos(theta)}, Vec3<double>::Zero());
    block.contact(0, -1, {0, 0, 0}, {0, 0, 1}).stick(c["mu"]);
    const Decision d = decide(block.problem());
    EXPECT_NEAR(block.acceleration(d.force)(0), c["accel"], 1e-12);
  }
}

// A can on a slope or pushed, its rim as four points: rest, slide, tip, both; docs of the plane
// case.
TEST(ContactProblem, FlatFaceSlidesOrTips) {
  const nlohmann::json data = read_data("rows.json")["flat_face"];
  const double m = data["m"], R = data["R"], h = data["h_c"], g = data["g"];
  for (const nlohmann::json& c : data["cases"]) {
    SCOPED_TRACE(c.dump());
    const bool can = c["kind"] == "can";
    const double theta = can ? c["theta"].get<double>() : 0;
    Vec3<double> force(m * g * std::sin(theta), 0, -m * g * std::cos(theta));
    Vec3<double> torque = Vec3<double>::Zero();
    if (!can) {
      force.x() = c["push"];
      torque.y() = c["push"].get<double>() * (c["height"].get<double>() - h);
    }
    ContactGroup group;
    group.add_body(m, vec<3>(data["inertia"]).asDiagonal(), {0, 0, h}, force, torque);
    for (int k = 0; k < 4; ++k) {
      const double angle = 0.5 * std::numbers::pi * k;
      group.contact(0, -1, {R * std::cos(angle), R * std::sin(angle), 0}, {0, 0, 1}).stick(c["mu"]);
    }
    const Decision d = decide(group.problem());
    const VectorXd a = group.acceleration(d.force);
    EXPECT_NEAR(a(0), c["ax"], kAcceleration);
    EXPECT_NEAR(a(4), c["alpha_y"], kAcceleration);
  }
}

// With OLOID_FULL 10 000 problems of 1 to 20 contacts at zero slip. What is
// decided is checked by the laws themselves, what is not says so.
TEST(ContactProblem, RandomGroupsAtZeroSlip) {
  const int count = std::getenv("OLOID_FULL") ? 10000 : 1000;
  int holds = 0, moves = 0, lost = 0;
  for_random_cases(count, [&](Random& random) {
    const ContactProblem p = random_group(random, {}).problem();
    const Decision d = decide(p);
    holds += d.outcome == Outcome::holds;
    moves += d.outcome == Outcome::moves;
    if (d.outcome == Outcome::not_found || d.outcome == Outcome::no_force) {
      ++lost;
      EXPECT_GT(d.residual, 1e-11);  // never silent
      return;
    }
    EXPECT_LE(relative_violation(p, d.force), kLaws);
    EXPECT_EQ(d.outcome == Outcome::holds, d.margin >= -1e-12 * p.cap);
    EXPECT_LE(d.force.dot(d.rate), 1e-9 * d.force.norm() * (1 + d.rate.norm()));  // power
  });
  if (std::getenv("OLOID_SEED")) return;
  EXPECT_GT(holds, count / 5);
  EXPECT_GT(moves, count / 5);
  EXPECT_LE(lost, count / 1000);
}

TEST(ContactProblem, RandomGroupsWithResistances) {
  const int count = std::getenv("OLOID_FULL") ? 10000 : 500;
  int lost = 0, moves = 0;
  for_random_cases(count, [&](Random& random) {
    const ContactProblem p =
        random_group(random, {.most = 12, .least_friction = 0.05, .resistances = true}).problem();
    const Decision d = decide(p);
    if (d.outcome == Outcome::not_found || d.outcome == Outcome::no_force) {
      ++lost;
      EXPECT_GT(d.residual, 1e-11);
      return;
    }
    moves += d.outcome == Outcome::moves;
    EXPECT_LE(relative_violation(p, d.force), kLaws);
  });
  if (std::getenv("OLOID_SEED")) return;
  EXPECT_GT(moves, count / 10);
  EXPECT_LE(lost, std::max(1, count / 1000));
}

// Every mode of one or two contacts with friction: open, stick, and slip in the directions for
// which slip and friction oppose each other, found by scanning all angles. If there is one
// solution, it is the one that was decided; if there are several, it is among them.
class Enumeration {
 public:
  explicit Enumeration(const ContactProblem& p) : p_(p) {}

  std::vector<VectorXd> solutions() {
    const std::size_t n = p_.cones.size();
    std::vector<int> mode(n, 0);
    for (int code = 0; code < std::lround(std::pow(3, n)); ++code) {
      for (std::size_t i = 0, rest = static_cast<std::size_t>(code); i < n; ++i, rest /= 3) {
        mode[i] = static_cast<int>(rest % 3);
      }
      scan(mode);
    }
    return found_;
  }

 private:
  std::vector<ContactMode> modes(const std::vector<int>& mode,
                                 const std::vector<double>& angle) const {
    std::vector<ContactMode> all(mode.size());
    for (std::size_t i = 0; i < mode.size(); ++i) {
      all[i].closed = mode[i] > 0;
      all[i].channel[0] = {mode[i] == 2, {std::cos(angle[i]), std::sin(angle[i])}};
    }
    return all;
  }
  // Forces of modes with given slip directions.
  VectorXd forces(const std::vector<int>& mode, const std::vector<double>& angle) const {
    const auto all = modes(mode, angle);
    const ContactProblem left = with_modes(p_, all);
    VectorXd force = VectorXd::Zero(p_.b.size());
    if (left.cones.empty()) return force;
    const VectorXd part = left.W.fullPivLu().solve(-left.b);
    Eigen::Index from = 0;
    for (std::size_t i = 0; i < mode.size(); ++i) {
      if (mode[i] == 0) continue;
      const int at = p_.cones[i].first;
      force(at) = part(from++);
      if (mode[i] == 1) force.segment<2>(at + 1) = part.segment<2>(from);
      if (mode[i] == 1) from += 2;
      if (mode[i] == 2) {
        force.segment<2>(at + 1) =
            -p_.cones[i].channel[0].limit * force(at) * all[i].channel[0].direction;
      }
    }
    return force;
  }
  // Across its direction slip must not accelerate.
  VectorXd across(const std::vector<int>& mode, const std::vector<double>& angle) const {
    const VectorXd u = p_.W * forces(mode, angle) + p_.b;
    VectorXd r = VectorXd::Zero(static_cast<Eigen::Index>(mode.size()));
    for (std::size_t i = 0; i < mode.size(); ++i) {
      if (mode[i] != 2) continue;
      r(static_cast<Eigen::Index>(i)) = std::cos(angle[i]) * u(p_.cones[i].first + 2) -
                                        std::sin(angle[i]) * u(p_.cones[i].first + 1);
    }
    return r;
  }
  void scan(const std::vector<int>& mode) {
    std::vector<std::size_t> slipping;
    for (std::size_t i = 0; i < mode.size(); ++i) {
      if (mode[i] != 2) continue;
      if (p_.cones[i].channel[0].limit == kUnlimited) return;
      slipping.push_back(i);
    }
    constexpr int kStarts = 24;
    int starts = 1;
    for (std::size_t k = 0; k < slipping.size(); ++k) starts *= kStarts;
    for (int start = 0; start < starts; ++start) {
      std::vector<double> angle(mode.size(), 0);
      int rest = start;
      for (const std::size_t i : slipping) {
        angle[i] = 2 * std::numbers::pi * (rest % kStarts) / kStarts;
        rest /= kStarts;
      }
      if (refine(mode, slipping, angle)) keep(forces(mode, angle));
    }
  }
  // Newton with differences.
  bool refine(const std::vector<int>& mode, const std::vector<std::size_t>& slipping,
              std::vector<double>& angle) const {
    if (slipping.empty()) return true;
    const auto n = static_cast<Eigen::Index>(slipping.size());
    const auto residual = [&](const std::vector<double>& at) {
      const VectorXd all = across(mode, at);
      VectorXd r(n);
      for (Eigen::Index k = 0; k < n; ++k) {
        r(k) = all(static_cast<Eigen::Index>(slipping[static_cast<std::size_t>(k)]));
      }
      return r;
    };
    for (int iteration = 0; iteration < 30; ++iteration) {
      const VectorXd r = residual(angle);
      if (r.norm() < 1e-11 * p_.b.norm()) return true;
      MatrixXd D(n, n);
      for (Eigen::Index k = 0; k < n; ++k) {
        std::vector<double> plus = angle, minus = angle;
        plus[slipping[static_cast<std::size_t>(k)]] += 1e-6;
        minus[slipping[static_cast<std::size_t>(k)]] -= 1e-6;
        D.col(k) = (residual(plus) - residual(minus)) / 2e-6;
      }
      const VectorXd step = D.fullPivLu().solve(-r);
      const double way = std::min(1.0, 0.5 / std::max(1e-300, step.lpNorm<Eigen::Infinity>()));
      for (Eigen::Index k = 0; k < n; ++k)
        angle[slipping[static_cast<std::size_t>(k)]] += way * step(k);
    }
    return false;
  }
  void keep(const VectorXd& force) {
    if (!force.allFinite() || relative_violation(p_, force) > 1e-8) return;
    for (const VectorXd& known : found_) {
      if ((p_.W * (known - force)).norm() < 1e-6 * (1 + p_.b.norm())) return;
    }
    found_.push_back(force);
  }

  const ContactProblem& p_;
  std::vector<VectorXd> found_;
};

TEST(ContactProblem, AgreesWithTheEnumerationOfAllModes) {
  int unique = 0, several = 0, missed = 0;
  for_random_cases(120, [&](Random& random) {
    const ContactProblem p = random_group(random, {.most = 2}).problem();
    const Decision d = decide(p);
    ASSERT_TRUE(d.outcome == Outcome::holds || d.outcome == Outcome::moves);
    const std::vector<VectorXd> all = Enumeration(p).solutions();
    const bool among = std::any_of(all.begin(), all.end(), [&](const VectorXd& force) {
      return (p.W * force + p.b - d.rate).norm() < 1e-6 * (1 + p.b.norm());
    });
    // Two points of one body that stick need a margin, which this enumeration does not know.
    if (d.outcome == Outcome::holds && !among) return;
    missed += !among;
    unique += among && all.size() == 1;
    several += among && all.size() > 1;
    if (all.size() == 1 && d.outcome == Outcome::moves) {
      EXPECT_TRUE(among);
    }
  });
  if (std::getenv("OLOID_SEED")) return;
  EXPECT_GT(unique, 60);
  EXPECT_LE(missed, 3);
}

// Other tangents, another order of contacts: the same motion.
TEST(ContactProblem, OrderAndTangentsDoNotMatter) {
  int compared = 0;
  for_random_cases(100, [&](Random& random) {
    const ContactProblem p =
        random_group(random, {.most = 8, .least_friction = 0.05, .most_friction = 0.3}).problem();
    std::vector<std::size_t> order(p.cones.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i-- > 1;) {
      std::swap(order[i], order[static_cast<std::size_t>(random(0, static_cast<double>(i + 1)))]);
    }
    MatrixXd T = MatrixXd::Zero(p.b.size(), p.b.size());
    ContactProblem turned{{}, {}, {}, p.cap};
    int at = 0;
    for (const std::size_t i : order) {
      ForceCone cone = p.cones[i];
      const double angle = random(0, 6);
      T(at, cone.first) = 1;
      T.block<2, 2>(at + 1, cone.first + 1) << std::cos(angle), std::sin(angle), -std::sin(angle),
          std::cos(angle);
      cone.first = at;
      at += 3;
      turned.cones.push_back(cone);
    }
    turned.W = T * p.W * T.transpose();
    turned.b = T * p.b;
    const Decision a = decide(p), b = decide(turned);
    ASSERT_EQ(a.outcome, b.outcome);
    if (a.found == Found::newton_from_polygons || b.found == Found::newton_from_polygons) return;
    ++compared;
    EXPECT_LE((b.rate - T * a.rate).norm(), 1e-8 * (1 + a.rate.norm()));
  });
  if (std::getenv("OLOID_SEED")) return;
  EXPECT_GT(compared, 80);
}

// What is decided can go on: with its modes set, the forces that are left lie inside their cones.
TEST(ContactProblem, DecisionsAreAdmissibleModes) {
  for_random_cases(200, [](Random& random) {
    const ContactProblem p = random_group(random, {.most = 8}).problem();
    const Decision d = decide(p);
    if (d.outcome != Outcome::moves) return;
    const ContactProblem left = with_modes(p, d.modes);
    if (left.cones.empty()) return;
    const ForceSet set = solve_forces(left.W, -left.b);
    EXPECT_LE(set.residual, 1e-8);
    EXPECT_GE(margin(set, left.cones, p.cap).m, -1e-7 * (p.cap + d.force.norm()));
  });
}

// One channel of unlimited friction: the contact rolls or opens, whatever the load.
TEST(ContactProblem, UnlimitedFriction) {
  int open = 0, closed = 0, none = 0;
  for_random_cases(200, [&](Random& random) {
    ContactGroup group;
    group.add_body(1, 0.01 * Mat3<double>::Identity(), Vec3<double>::Zero(),
                   random.vector<3>(-9, 9), random.vector<3>(-1, 1));
    group.contact(0, -1, {0.02, 0.01, -0.1}, {0, 0, 1}).stick(kUnlimited);
    if (random(0, 1) < 0.5) group.contact(0, -1, {-0.1, 0.01, 0}, {1, 0, 0}).stick(0.2);
    const ContactProblem p = group.problem();
    const Decision d = decide(p);
    if (d.outcome != Outcome::holds && d.outcome != Outcome::moves) {
      // To hold it would have to pull, and it cannot open: limits make the difference.
      ++none;
      EXPECT_TRUE(Enumeration(p).solutions().empty());
      return;
    }
    EXPECT_LE(relative_violation(p, d.force), kLaws);
    (d.modes[0].closed ? closed : open) += 1;
    EXPECT_FALSE(d.modes[0].channel[0].moves);
  });
  if (std::getenv("OLOID_SEED")) return;
  EXPECT_GT(open, 20);
  EXPECT_GT(closed, 20);
  EXPECT_LE(none, 10);
}

// Painlevé's rod slides on its end: no force, and then the impulse of the same problem with
// velocities, which never adds energy.
ContactGroup rod(double theta, double mu, double push) {
  ContactGroup group;
  const Vec3<double> tip(-std::cos(theta), 0,
                         -std::sin(theta));  // from the centre to the lower end
  group.add_body(1, 1.0 / 3 * Mat3<double>::Identity(), -tip, {0, 0, -9.81}, {0, push, 0});
  group.contact(0, -1, Vec3<double>::Zero(), {0, 0, 1}).slide(mu, {-1, 0, 0});
  return group;
}

TEST(ContactProblem, PainleveRodHasNoForce) {
  const nlohmann::json cases = read_data("multi_contact.json")["friction"];
  for (const nlohmann::json& c : cases) {
    if (c["name"] != "painleve_rod") continue;
    const ContactProblem p = rod(c["theta"], c["mu"], 0).problem();
    EXPECT_NEAR(p.W(0, 0), c["A_eff"], 1e-12);
    EXPECT_LT(p.b(0), 0);
    EXPECT_EQ(decide(p).outcome, Outcome::no_force);
  }
}

TEST(ContactProblem, SlidingContactsAreDecidedTogether) {
  int none = 0, moves = 0, holds = 0;
  for_random_cases(600, [&](Random& random) {
    // Sliding contacts of one body, some at rest.
    ContactGroup group;
    group.add_body(1, 0.01 * random.vector<3>(0.5, 1).asDiagonal(), Vec3<double>::Zero(),
                   {random(-5, 5), random(-5, 5), -9.81}, random.vector<3>(-0.5, 0.5));
    const int contacts = 1 + static_cast<int>(random(0, 3));
    for (int i = 0; i < contacts; ++i) {
      const Vec3<double> n =
          (Vec3<double>(0, 0, 1) + random(0, 1) * random.direction()).normalized();
      group.contact(0, -1, -0.1 * n + 0.1 * random.direction(), n);
      const Vec3<double> t = n.cross(random.direction()).normalized();
      if (random(0, 1) < 0.7) {
        group.slide(random(0, 1.2), t);
      } else {
        group.stick(random(0.1, 1.2));
      }
    }
    const ContactProblem p = group.problem();
    const Decision d = decide(p);
    none += d.outcome == Outcome::no_force;
    moves += d.outcome == Outcome::moves;
    holds += d.outcome == Outcome::holds;
    if (d.outcome == Outcome::no_force || d.outcome == Outcome::not_found) {
      EXPECT_GT(d.residual, 1e-11);
      return;
    }
    EXPECT_LE(relative_violation(p, d.force), kLaws);
  });
  if (std::getenv("OLOID_SEED")) return;
  EXPECT_GT(moves, 100);
  EXPECT_GT(holds, 100);
  EXPECT_LE(none, 30);
}

TEST(ContactProblem, ImpulsesNeverAddEnergy) {
  for_random_cases(300, [](Random& random) {
    // Velocities before take the place of rates, impulses that of forces.
    ContactProblem p = random_group(random, {.most = 8, .most_friction = 3}).problem();
    const Decision d = decide(p);
    if (d.outcome != Outcome::holds && d.outcome != Outcome::moves) return;
    const double gain = 0.5 * d.force.dot(d.rate + p.b);
    EXPECT_LE(gain, 1e-10 * d.force.norm() * p.b.norm());
  });
}

}  // namespace oloid::test::contact_problem_test
