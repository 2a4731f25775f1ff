// The far phase against a search from many starts, at random poses of all kinds of bodies: 10000
// with OLOID_FULL=1, else a sample. OLOID_PRINT=1 prints what each pair of kinds costs.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "oloid/geometry/any_surface.h"
#include "oloid/proximity/far.h"
#include "oloid/proximity/tracker.h"
#include "support/random_contact.h"
#include "support/rooms.h"

namespace oloid::test::far_poses_test {

constexpr double kThreshold = 0.15;  // [m]

struct Start {
  Spot spot;
  LocalFeature<double> at;
};
struct Body {
  const char* name;
  std::unique_ptr<TouchableBody> features;
  FarBody far;
  std::vector<Start> starts;
  Body(const char* called, Shape shape)
      : name(called),
        features(std::make_unique<TouchableBody>(PlacedShape{std::move(shape), {}})),
        far(*features) {
    constexpr std::size_t kMost = 500;
    const std::vector<Spot> all = features->seeds();
    const std::size_t every = 1 + all.size() / kMost;
    for (std::size_t i = 0; i < all.size(); i += every)
      starts.push_back({all[i], features->at(all[i])});
  }
};

std::vector<Body> bodies() {
  Random random(1);
  std::vector<Body> all;
  all.emplace_back("ellipsoid", *Ellipsoid::make({0.5, 0.35, 0.25}));
  all.emplace_back("torus", *Torus::make(0.5, 0.15));
  all.emplace_back("cylinder", *Frustum::cylinder(0.3, 0.8));
  all.emplace_back("superellipsoid", *Superellipsoid::make({0.4, 0.3, 0.5}, 3, 2.5));
  all.emplace_back("patch", random_patch(random, 1.2));
  all.emplace_back("quadric", *Quadric::make(Vec3<double>(4, 9, 6).asDiagonal(), {0, 0, 0}, -1));
  all.emplace_back("revolution", *recognise_revolution(nurbs_sphere(0.4)));
  all.emplace_back("formula", random_convex(random, 8));
  all.emplace_back("box", *Polyhedron::make({*ConvexPolyhedron::cuboid({0.5, 0.6, 0.7})}));
  return all;
}

// For each start of A the nearest of B, if it is near enough to be of interest.
std::vector<std::pair<const Start*, const Start*>> promising(const std::vector<Start>& A,
                                                             const std::vector<Start>& B,
                                                             const Pose<double>& X_BA) {
  constexpr double kReach = 0.2;  // [m]: how far apart starts are at most
  std::vector<std::pair<const Start*, const Start*>> pairs;
  for (const Start& a : A) {
    const Vec3<double> p = X_BA * a.at.p;
    const Start* best = nullptr;
    double least = kThreshold + kReach;
    for (const Start& b : B) {
      const double distance = (b.at.p - p).norm();
      if (distance >= least) continue;
      least = distance;
      best = &b;
    }
    if (best) pairs.emplace_back(&a, best);
  }
  return pairs;
}

// The foot of the perpendicular from a point to the surface, or a place on the way there.
Vec3<double> foot(const TouchableBody& body, const Vec3<double>& p) {
  Spot spot{Spot::Kind::surface, 0, near(body.side()->shape, p)};
  LocalFeature<double> at = body.at(spot);
  for (int i = 0; i < 20; ++i) {
    const Vec2<double> way = at.E.transpose() * (p - at.p);
    std::optional<Spot> next;
    for (double part = 1; part > 0.01 && !next; part *= 0.5) {
      next = body.moved(spot, at, part * way);
      if (next && next->kind != Spot::Kind::surface) next.reset();
    }
    if (!next) break;
    spot = *next;
    at = body.at(spot);
  }
  return at.p;
}

// Whether points of the surface around p are nearer to q than p is, in the body's frame: then the
// distance has no minimum there. So where the border of an open surface is met from behind, on
// which Newton's method stays although the surface beside it is nearer.
bool gets_nearer(const TouchableBody& body, const Vec3<double>& p, const Vec3<double>& q) {
  constexpr double kLess = 1e-4;                  // of a step; of a minimum nothing at all is less
  for (const double step : {1e-3, 1e-4, 1e-5}) {  // [m]
    for (int i = 0; i < 27; ++i) {
      const Vec3<double> way(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
      const Vec3<double> other = foot(body, p + step * way);
      const double less = (p - q).norm() - (other - q).norm();
      if ((other - p).norm() < 5 * step && less > kLess * step) return true;
    }
  }
  return false;
}

// All minima of distance between 0 and the threshold that Newton's method reaches.
std::vector<TrackedPair> minima(const Body& A, const Body& B, const Pose<double>& X_BA) {
  auto pairs = promising(A.starts, B.starts, X_BA);
  for (const auto& [b, a] : promising(B.starts, A.starts, inverse(X_BA))) pairs.emplace_back(a, b);
  std::vector<TrackedPair> all;
  for (const auto& [a, b] : pairs) {
    const Vec3<double> n = (X_BA * a->at.p - b->at.p).normalized();
    const TrackedPair pair = nearest_from(*A.features, *B.features, X_BA, a->spot, b->spot, n);
    if (pair.status != PairStatus::found) continue;
    if (!(pair.gap > 1e-9 && pair.gap < kThreshold - 1e-9)) continue;
    const bool known = std::any_of(all.begin(), all.end(), [&](const TrackedPair& other) {
      return (other.point_A - pair.point_A).norm() < 1e-6 &&
             (other.point_B - pair.point_B).norm() < 1e-6;
    });
    if (!known) all.push_back(pair);
  }
  const Pose<double> X_AB = inverse(X_BA);
  std::erase_if(all, [&](const TrackedPair& pair) {
    return gets_nearer(*B.features, pair.point_B, pair.point_A) ||
           gets_nearer(*A.features, X_AB * pair.point_A, X_AB * pair.point_B);
  });
  return all;
}

bool holds(const FarResult& result, const TrackedPair& pair) {
  return std::any_of(result.pairs.begin(), result.pairs.end(), [&](const TrackedPair& found) {
    return (found.point_A - pair.point_A).norm() < 1e-5 &&
           (found.point_B - pair.point_B).norm() < 1e-5 && std::abs(found.gap - pair.gap) < 1e-9;
  });
}

struct Tally {
  int poses = 0, minima = 0, missed = 0, certified = 0;
  long cells = 0;
  double far = 0, search = 0;  // [s]
  void add(const Tally& other) {
    poses += other.poses;
    minima += other.minima;
    missed += other.missed;
    certified += other.certified;
    cells += other.cells;
    far += other.far;
    search += other.search;
  }
  void print(const char* a, const char* b) const {
    std::printf(
        "  %-15s %-15s %5d poses %6d minima %3d missed %5d certified %8.0f cells %8.2f ms "
        "(search %8.2f ms)\n",
        a, b, poses, minima, missed, certified, static_cast<double>(cells) / poses,
        1e3 * far / poses, 1e3 * search / poses);
    std::fflush(stdout);
  }
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Turned at random; three of four a little apart, the others anywhere, overlapping perhaps.
Pose<double> random_pose(const Body& A, const Body& B, Random& random, int i) {
  Pose<double> X_BA{random.rotation(), {0, 0, 0}};
  const Vec3<double> way = random.vector<3>(-1, 1).normalized();
  X_BA.p = random(0.3, 1.1) * way;
  if (i % 4 == 0) return X_BA;
  const double apart = random(0.02, 0.2);  // [m], between starts
  const auto is_apart = [&] {
    for (const Start& a : A.starts) {
      const Vec3<double> p = X_BA * a.at.p;
      for (const Start& b : B.starts)
        if ((b.at.p - p).squaredNorm() < apart * apart) return false;
    }
    return true;
  };
  double low = 0, high = 2;
  for (int k = 0; k < 6; ++k) {
    const double middle = 0.5 * (low + high);
    X_BA.p = middle * way;
    (is_apart() ? high : low) = middle;
  }
  X_BA.p = high * way;
  return X_BA;
}

Tally compare(const Body& A, const Body& B, Random& random, int poses,
              const FarOptions& options = {}) {
  Tally tally;
  for (int i = 0; i < poses; ++i, ++tally.poses) {
    const Pose<double> X_BA = random_pose(A, B, random, i);
    const double start = now();
    const FarResult result = far_pairs(A.far, B.far, X_BA, kThreshold, options);
    const double middle = now();
    const std::vector<TrackedPair> all = minima(A, B, X_BA);
    tally.far += middle - start;
    tally.search += now() - middle;
    tally.cells += result.cells;
    tally.certified += result.certified ? 1 : 0;
    for (const TrackedPair& pair : all) {
      ++tally.minima;
      if (holds(result, pair)) continue;
      ++tally.missed;
      ADD_FAILURE() << A.name << ", " << B.name << ", pose " << i << ": gap " << pair.gap << " at "
                    << pair.point_B.transpose() << ", conformity " << pair.conformity
                    << ", features " << static_cast<int>(pair.A.kind)
                    << static_cast<int>(pair.B.kind) << (result.certified ? ", certified" : "");
    }
  }
  return tally;
}

TEST(FarPoses, NoMinimumIsMissed) {
  const bool full = std::getenv("OLOID_FULL"), print = std::getenv("OLOID_PRINT");
  const std::vector<Body> all = bodies();
  const int pairs = static_cast<int>(all.size() * (all.size() + 1) / 2);
  const int poses = full ? (10000 + pairs - 1) / pairs : 8;
  Random random(7);
  Tally sum;
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a; b < all.size(); ++b) {
      const Tally tally = compare(all[a], all[b], random, poses);
      if (print) tally.print(all[a].name, all[b].name);
      sum.add(tally);
    }
  }
  if (print) sum.print("all", "");
  EXPECT_EQ(sum.missed, 0);
  EXPECT_EQ(sum.certified, sum.poses);
}

// Where normals are not known, round a side that has shrunk to a point, there is no certificate;
// the same minima are found.
TEST(FarPoses, NoMinimumIsMissedOfPatchesWithPoles) {
  const bool full = std::getenv("OLOID_FULL"), print = std::getenv("OLOID_PRINT");
  const FarOptions kFew{20000};
  const Body sphere("patches", *Patchwork::make(pieces_of(nurbs_sphere(0.4), "sphere")));
  Random random(8);
  const std::vector<Body> others = bodies();
  for (std::size_t i = 0; i < (full ? others.size() : 3); ++i) {
    const Tally tally = compare(sphere, others[i], random, full ? 50 : 6, kFew);
    if (print) tally.print(sphere.name, others[i].name);
    EXPECT_EQ(tally.missed, 0);
  }
}

}  // namespace oloid::test::far_poses_test
