#include "oloid/dynamics/forest.h"

#include <gtest/gtest.h>

#include "oloid/dynamics/stick.h"
#include "support/allocations.h"
#include "support/random_forest.h"
#include "support/reference_contacts.h"
#include "support/rooms.h"

namespace oloid::test::forest_test {

const Parents kShapes[] = {
    {kFree},
    {kGround},
    {kFree, 0},
    {kGround, 0},
    {kFree, 0, 1, 2, 3, 4},         // chains
    {kGround, 0, 1, 2, 3, 4},       //
    {kFree, 0, 0, 0, 0, 0},         // stars
    {kGround, 0, 0, 0, 0, 0},       //
    {kFree, 0, 0, 1, 1, 2},         // mixed
    {kFree, 0, kGround, 2, kFree},  // several trees
    {3, 0, 1, kFree},               // numbered from the leaf
};

template <class F>
void for_random_forests(Forces forces, F f) {
  for (const Parents& parents : kShapes)
    for_random_cases(5, [&](Random& random) { f(random_forest(random, parents, forces), random); });
  for_random_cases(100, [&](Random& random) {
    const Parents parents = random_parents(random);
    f(random_forest(random, parents, forces), random);
  });
}

TEST(Forest, AgreesWithOneDenseSystem) {
  for_random_forests(Forces::all, [](Forest forest, Random&) {
    forest.solve();
    const DenseSolution dense = solve_densely(forest);
    double scale = 1;
    for (int i = 0; i < forest.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      scale = std::max({scale, dense.a[k].norm(), dense.f[k].norm()});
    }
    for (int i = 0; i < forest.size(); ++i) {
      const Node& node = forest[i];
      const auto k = static_cast<std::size_t>(i);
      EXPECT_LE((stacked(node.a) - dense.a[k]).norm(), 1e-12 * scale) << "acceleration of " << i;
      if (!node.held) continue;
      EXPECT_LE((node.f - dense.f[k]).norm(), 1e-12 * scale) << "wrench on " << i;
      EXPECT_LE((node.w_rate - dense.w_rate[k]).norm(), 1e-12 * scale) << "twist of " << i;
    }
  });
}

// Contacts exert opposite wrenches: those of a floating tree change nothing as a whole.
TEST(Forest, KeepsTheMomentumOfFloatingTrees) {
  int trees = 0;
  for_random_forests(Forces::all, [&](Forest forest, Random&) {
    forest.solve();
    for (int root = 0; root < forest.size(); ++root) {
      if (forest[root].held) continue;
      ++trees;
      Wrench<double> sum;
      double scale = 1;
      for (int i = 0; i < forest.size(); ++i) {
        if (root_of(forest, i) != root) continue;
        const Node& node = forest[i];
        const Wrench<double> force = Inertia<double>{node.body.mass, node.body.J} * node.a + node.p;
        sum = sum + transform(pose_in_root(forest, i), force);
        scale += stacked(force).norm();
      }
      EXPECT_LE(stacked(sum).norm(), 1e-12 * scale * forest.size());
    }
  });
  EXPECT_GT(trees, 100);
}

TEST(Forest, DoesNotDependOnTheNumbering) {
  for_random_forests(Forces::all, [](Forest forest, Random& random) {
    const int n = forest.size();
    const int shift = static_cast<int>(random(0, n));
    const auto number = [&](int i) { return i < 0 ? i : (n - 1 - i + shift) % n; };
    Forest other(n);
    for (int i = 0; i < n; ++i) {
      other[number(i)] = forest[i];
      other[number(i)].parent = number(forest[i].parent);
    }
    forest.solve();
    other.sort();
    other.solve();
    double scale = 1;
    for (int i = 0; i < n; ++i) scale = std::max(scale, stacked(forest[i].a).norm());
    for (int i = 0; i < n; ++i) {
      const Node &one = forest[i], &same = other[number(i)];
      EXPECT_LE((stacked(one.a) - stacked(same.a)).norm(), 1e-11 * scale);
      if (one.held) {
        EXPECT_LE((one.f - same.f).norm(), 1e-11 * scale);
      }
    }
  });
}

TEST(Forest, ParentsComeBeforeChildren) {
  for_random_cases(100, [](Random& random) {
    const Forest forest = random_forest(random, random_parents(random));
    std::vector<bool> seen(static_cast<std::size_t>(forest.size()), false);
    for (const int i : forest.order()) {
      const Node& node = forest[i];
      if (node.held && node.parent != kGround) {
        EXPECT_TRUE(seen[static_cast<std::size_t>(node.parent)]);
        EXPECT_FALSE(forest[node.parent].leaf);
      }
      EXPECT_FALSE(seen[static_cast<std::size_t>(i)]);
      seen[static_cast<std::size_t>(i)] = true;
    }
    EXPECT_EQ(forest.order().size(), static_cast<std::size_t>(forest.size()));
  });
}

// The pair of a reference contact as a forest: B is the ground, or free and node 0.
struct ReferencePair {
  PairGeometry<double> pair;
  ContactState<double> state;
  BodyInertia<double> body_A, body_B;
  Wrench<double> load_A, load_B;
  Twist<double> phi_B;
  Frictions frictions;

  ReferencePair(const ReferenceContact& c, const Vec5<double>& w)
      : pair(c.pair), state{{}, {}, c.psi, w}, body_A(c.body), load_A(c.load) {
    body_B = body_inertia(c.input["mass2"].get<double>(), mat<3, 3>(c.input["inertia2"]));
    load_B = as_wrench(vec<6>(c.input["fext2"]));
    phi_B = as_twist(vec<6>(c.input["phi2"]));
    const Mat3<double> R_BC = contact_axes_in_B(pair.B, contact_rotation(c.psi));
    frictions.slip.kinetic = c.input["mu"].get<double>();
    if (w.tail<2>().norm() > 0)
      frictions.slip.direction_B = (R_BC.leftCols<2>() * w.tail<2>()).normalized();
  }

  Forest forest(Law law, bool free) const {
    Forest out(free ? 2 : 1);
    const ContactEquation<double> e =
        free ? contact_equation(pair, state.psi, state.w, FreeBase<double>{phi_B, body_B, load_B})
             : contact_equation(pair, state.psi, state.w);
    Node& node = out[free ? 1 : 0];
    node.held = true;
    node.parent = free ? 0 : kGround;
    node.body = body_A;
    node.X_AC = e.X_AC;
    node.X_BC = e.X_BC;
    node.law = law;
    node.given = given_forces<double>(law, state.w, node.X_BC.R, frictions);
    node.b = stacked(e.b);
    node.p = bias(body_A, load_A, e.phi_A);
    if (free) {
      out[0].body = body_B;
      out[0].p = bias(body_B, load_B, phi_B);
    }
    out.sort();
    return out;
  }
  static Wrench<double> bias(const BodyInertia<double>& body, const Wrench<double>& load,
                             const Twist<double>& phi) {
    const Inertia<double> M{body.mass, body.J};
    return as_wrench<double>(-stacked(driving_wrench(M, load, phi)));
  }
};

template <Law L>
void expect_kernel_and_reference(const std::string& mode) {
  for (const ReferenceContact& c : reference_contacts()) {
    SCOPED_TRACE(mode + " " + c.name);
    const auto& expected = c.output["modes"][mode];
    const ReferencePair x(c, c.twist_of(vec<5>(expected["qdot"])));
    const auto on_ground = contact_rates<L>(x.pair, x.state, x.body_A, x.load_A, x.frictions);
    Forest one = x.forest(L, false);
    one.solve();
    expect_near(one[0].f, on_ground.f, 1e-13, "wrench on the ground");
    expect_near(one[0].w_rate.head<5>(), on_ground.w, 1e-13, "rate on the ground");
    EXPECT_NEAR(one[0].denominator, on_ground.denominator, 1e-13);
    expect_near(stacked(one[0].a), vec<6>(expected["fixed"]["phi1dot"]), 1e-11, "acceleration");

    const auto on_free = contact_rates<L>(x.pair, x.state, x.body_A, x.load_A, x.frictions,
                                          FreeBase<double>{x.phi_B, x.body_B, x.load_B});
    Forest two = x.forest(L, true);
    two.solve();
    expect_near(two[1].f, on_free.f, 1e-12, "wrench on a free body");
    expect_near(two[1].w_rate.head<5>(), on_free.w, 1e-12, "rate on a free body");
    expect_near(stacked(two[0].a), stacked(on_free.phi_rate_B), 1e-12, "acceleration of B");
    expect_near(two[1].f, vec<6>(expected["free"]["contact_wrench_1c"]), 1e-11, "reference wrench");
    expect_near(stacked(two[1].a), vec<6>(expected["free"]["phi1dot"]), 1e-11, "reference A");
    expect_near(stacked(two[0].a), vec<6>(expected["free"]["phi2dot"]), 1e-11, "reference B");
  }
}

TEST(Forest, OneAndTwoNodesAreTheContactKernel) {
  expect_kernel_and_reference<Law{Slip::frictionless}>("frictionless");
  expect_kernel_and_reference<Law{Slip::sliding}>("sliding");
  expect_kernel_and_reference<Law{Slip::stuck}>("noslip");
  expect_kernel_and_reference<Law{Slip::stuck, Spin::stuck}>("nospin");
}

TEST(Forest, SightOfAContactIsWhatACutGives) {
  int symmetric = 0;
  const auto check = [&](Forest forest, Random& random) {
    bool workless = true;
    for (int i = 0; i < forest.size(); ++i)
      workless = workless && (!forest[i].held || !gives_forces(forest[i].law));
    for (int i = 0; i < forest.size(); ++i) {
      if (!forest[i].held) continue;
      const ContactResponse seen = response_at(forest, i);
      const Vec6<double> f = random.vector<6>(-3, 3);
      forest.solve({i, f});
      const double scale = 1 + seen.b.norm() + seen.W.norm() * f.norm();
      EXPECT_LE((forest[i].w_rate - (seen.b + seen.W * f)).norm(), 1e-12 * scale);
      EXPECT_EQ((forest[i].f - f).norm(), 0);
      if (workless) {
        ++symmetric;
        EXPECT_LE((seen.W - seen.W.transpose()).norm(), 1e-12 * seen.W.norm());
        EXPECT_EQ(Eigen::LLT<Mat6<double>>(seen.W).info(), Eigen::Success);
      }
      // The law of the contact, applied to what it sees, gives the wrench of the whole.
      forest.solve();
      const LawForce<double> alone = law_force(forest[i].law, seen.W, seen.b, forest[i].given);
      EXPECT_LE((alone.f - forest[i].f).norm(), 1e-10 * (1 + forest[i].f.norm()));
    }
  };
  for_random_forests(Forces::all, check);
  for_random_forests(Forces::workless, check);
  EXPECT_GT(symmetric, 300);
}

// On a free parent the denominator is that of the pair, not of the contact as if the parent could
// not move. With much friction either may be negative.
TEST(Forest, DenominatorIsThatOfThePair) {
  int negative = 0, opposite = 0;
  for_random_cases(300, [&](Random& random) {
    Forest forest = random_forest(random, {kFree, 0});
    Node& node = forest[1];
    node.law = Law{Slip::sliding};
    node.X_AC.p *= 3;  // long arms, on which friction has its way
    node.X_BC.p *= 3;
    const double angle = random(-3, 3), mu = random(0, 3);
    node.given = -mu * (Vec6<double>() << 0, 0, 0, std::cos(angle), std::sin(angle), 0).finished();
    const Mat6<double> W = response_at(forest, 1).W;
    const Vec6<double> nothing = Vec6<double>::Zero();
    forest.solve();
    const Mat6<double> own = contact_inverse_mass(node.X_AC, node.body);
    const double alone = law_force(node.law, own, nothing, node.given).denominator;
    const double pair = law_force(node.law, W, nothing, node.given).denominator;
    EXPECT_NEAR(node.denominator, pair, 1e-11 * W.norm());
    EXPECT_EQ(node.regularity > 0, pair > 0);
    if (pair < 0) ++negative;
    if (pair * alone < 0) ++opposite;
  });
  EXPECT_GT(negative, 0);
  EXPECT_GT(opposite, 0);
}

// Twists of bodies that move against each other as `w` says; free and ground roots at random.
std::vector<Twist<double>> twists_from(const Forest& forest, const std::vector<Vec6<double>>& w,
                                       Random& random) {
  std::vector<Twist<double>> phi(static_cast<std::size_t>(forest.size()));
  for (const int i : forest.order()) {
    const Node& node = forest[i];
    const auto k = static_cast<std::size_t>(i);
    if (!node.held) {
      phi[k].w = random.vector<3>(-1, 1);
      phi[k].v = random.vector<3>(-1, 1);
      continue;
    }
    Twist<double> at_C = as_twist(w[k]);
    if (node.parent != kGround)
      at_C = at_C + seen_from(node.X_BC, phi[static_cast<std::size_t>(node.parent)]);
    phi[k] = transform(node.X_AC, at_C);
  }
  return phi;
}

double energy_of(const Forest& forest, const std::vector<Twist<double>>& phi) {
  double sum = 0;
  for (int i = 0; i < forest.size(); ++i) {
    const BodyInertia<double>& body = forest[i].body;
    sum += kinetic_energy(Inertia<double>{body.mass, body.J}, phi[static_cast<std::size_t>(i)]);
  }
  return sum;
}
std::vector<Twist<double>> jumped(const Forest& forest, std::vector<Twist<double>> phi) {
  for (int i = 0; i < forest.size(); ++i)
    phi[static_cast<std::size_t>(i)] = phi[static_cast<std::size_t>(i)] + forest[i].a;
  return phi;
}

// Relative motions that the laws allow, but for those at `loose` (a node, or all of them).
constexpr int kAllNodes = -3;
std::vector<Vec6<double>> relative_motions(const Forest& forest, int loose, Random& random) {
  std::vector<Vec6<double>> w;
  w.reserve(static_cast<std::size_t>(forest.size()));
  for (int i = 0; i < forest.size(); ++i) {
    w.push_back(random.vector<6>(-1, 1));
    if (i == loose || loose == kAllNodes) continue;
    for (int row = 0; row < 6; ++row) {
      if (kind_of_row(forest[i].law, row) == RowKind::constrained) w.back()(row) = 0;
    }
  }
  return w;
}

// Removing what one contact forbids, the others keeping theirs: a projection of the whole tree.
TEST(Forest, StickImpulsesLoseTheEnergyTheySay) {
  for_random_forests(Forces::workless, [](Forest forest, Random& random) {
    for (int i = 0; i < forest.size(); ++i) {
      if (!forest[i].held) continue;
      const auto k = static_cast<std::size_t>(i);
      const std::vector<Vec6<double>> w = relative_motions(forest, i, random);
      const auto before = twists_from(forest, w, random);
      const Mat6<double> W = response_at(forest, i).W;
      const StickImpulse impulse = stick_impulse(forest[i].law, W, w[k]);
      forest.solve({i, impulse.P}, Biases::off);
      const auto after = jumped(forest, before);
      EXPECT_GE(impulse.energy_loss, 0);
      const double energy = energy_of(forest, before);
      EXPECT_NEAR(energy - energy_of(forest, after), impulse.energy_loss, 1e-12 * (1 + energy));
      const Vec6<double> left = w[k] + forest[i].w_rate;
      for (int row = 0; row < 6; ++row) {
        if (kind_of_row(forest[i].law, row) == RowKind::constrained) {
          EXPECT_NEAR(left(row), 0, 1e-12 * (1 + w[k].norm()));
        }
      }
      const StickImpulse again = stick_impulse(forest[i].law, W, left);
      EXPECT_LE(again.P.norm(), 1e-12 * (1 + impulse.P.norm()) * (1 + W.norm()));
    }
  });
}

// All contacts at once: b holds the relative velocities, and the jumps are the projection that is
// orthogonal in the metric of the mass.
TEST(Forest, VelocityJumpsAreAnOrthogonalProjection) {
  for_random_forests(Forces::workless, [](Forest forest, Random& random) {
    std::vector<Vec6<double>> w = relative_motions(forest, kAllNodes, random);
    const auto before = twists_from(forest, w, random);
    const auto jump = [&] {
      for (int i = 0; i < forest.size(); ++i) {
        forest[i].p = {};
        forest[i].b = w[static_cast<std::size_t>(i)];
      }
      forest.solve();
    };
    jump();
    const auto after = jumped(forest, before);
    const double energy = energy_of(forest, before), kept = energy_of(forest, after);
    const double removed =
        energy_of(forest, jumped(forest, std::vector<Twist<double>>(before.size())));
    EXPECT_NEAR(energy, kept + removed, 1e-12 * (1 + energy));
    double scale = 0;
    for (int i = 0; i < forest.size(); ++i) {
      scale = std::max(scale, stacked(forest[i].a).norm());
      w[static_cast<std::size_t>(i)] = forest[i].w_rate;
    }
    jump();
    for (int i = 0; i < forest.size(); ++i)
      EXPECT_LE(stacked(forest[i].a).norm(), 1e-12 * (1 + scale));
  });
}

TEST(Forest, AsksForNoMemory) {
  Random random(3);
  Forest forest = random_forest(random, {kGround, 0, 0, 1, kFree, 4});
  const long before = allocations;
  for (int i = 0; i < 10; ++i) {
    forest.sort();
    forest.solve();
    response_at(forest, 3);
  }
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace oloid::test::forest_test
