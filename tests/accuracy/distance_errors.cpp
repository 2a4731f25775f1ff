#include "accuracy/distance_errors.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "accuracy/exact_pair.h"
#include "oloid/base/largest.h"
#include "oloid/contact/coordinates.h"
#include "oloid/proximity/search.h"
#include "oloid/proximity/tracker.h"
#include "support/rooms.h"

namespace oloid::test {
namespace {

struct Answer {
  bool found = false;
  double gap = 0;                 // [m]
  Vec3<double> point_A, point_B;  // [m], in B's frame
  Location a, b;
};

// Only pairs on both surfaces are compared: the reference knows no edges.
Answer answer(const TrackedPair& pair) {
  const bool surfaces = pair.A.kind == Spot::Kind::surface && pair.B.kind == Spot::Kind::surface;
  return {pair.usable() && surfaces, pair.gap, pair.point_A, pair.point_B, pair.A.at, pair.B.at};
}

// The two calls that are measured.
Answer ask(const TouchableBody& A, const TouchableBody& B, const Pose<double>& X_BA,
           const Location& a, const Location& b) {
  return answer(nearest_from(A, B, X_BA, {Spot::Kind::surface, 0, a}, {Spot::Kind::surface, 0, b},
                             Vec3<double>::UnitZ()));
}
Answer search(const SearchBody& A, const SearchBody& B, const Pose<double>& X_BA) {
  const std::vector<TrackedPair> found = search_pairs(A, B, X_BA, 0).pairs;
  return found.empty() ? Answer{} : answer(found.front());
}

LocalSurface<double> local(const Body& body, const Location& q) {
  return body.side().at<double>({q.chart, fresh_reference(body.side(), q)}, q.x);
}

// λ_min(N) ℓ with N = K_A + K_B + χ K_A K_B, all seen in A's tangents. N is the product of the
// relative curvature of the parallel surface through A's point and 1 + χ K_B, both positive
// definite at a genuine pair, so that its eigenvalues are real. Negative where it is none.
double pair_conformity(const Body& A, const Body& B, const Mat3<double>& R_BA, const Location& a,
                       const Location& b, double gap) {
  const LocalSurface<double> on_A = local(A, a), on_B = local(B, b);
  const Mat2<double> E = on_B.R.leftCols<2>().transpose() * R_BA * on_A.R.leftCols<2>();
  const Mat2<double> K_A = on_A.K, K_B = E.transpose() * on_B.K * E;
  const Mat2<double> shifted = Mat2<double>::Identity() + gap * K_B;
  if (!(shifted(0, 0) > 0 && shifted.determinant() > 0)) return -1;
  const Mat2<double> N = K_A + K_B + gap * K_A * K_B;
  const double mean = 0.5 * N.trace(), square = mean * mean - N.determinant();
  return std::min(A.size(), B.size()) * (mean - std::sqrt(std::max(square, 0.0)));
}

struct Posed {
  Location a, b;  // the pair that made the pose
  Pose<double> X_BA;
  double gap = 0, conformity = 0;  // as meant
};

// Drawn until it is a genuine pair.
Posed random_pose(const Body& A, const Body& B, double gap, Random& random) {
  constexpr double kRoundOff = 1e-12;  // of a conformity that is 0
  while (true) {
    Posed posed{A.random_location(random), B.random_location(random), {}, gap, 0};
    const double psi = random(-std::numbers::pi, std::numbers::pi);
    posed.X_BA = pose_of_A_in_B({local(A, posed.a), local(B, posed.b)}, psi, gap);
    posed.conformity = pair_conformity(A, B, posed.X_BA.R, posed.a, posed.b, gap);
    if (posed.conformity > -kRoundOff) return posed;
  }
}

bool is_same(const Answer& answer, const ExactPair& exact) {
  constexpr double kApart = 1e-9;  // [m]; near extraordinary vertices pairs 3e-7 apart were seen
  return (answer.point_A - exact.point_A).norm() < kApart &&
         (answer.point_B - exact.point_B).norm() < kApart;
}

// Of a gap in double [m].
double error(double gap, const ExactPair& exact) {
  return std::abs(static_cast<double>(Real(gap) - exact.gap));
}

void add(ErrorCount& count, double error) {
  ++count.answered;
  count.worst = nan_or_max(count.worst, error);
}

class Measurement {
 public:
  Measurement(const Body& A, const Body& B)
      : A_(A),
        B_(B),
        features_A_(A.side()),
        features_B_(B.side()),
        search_A_(features_A_),
        search_B_(features_B_) {}
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  void from_starts(const Posed& posed, Random& random, PairErrors& errors) const {
    const Location a = A_.walked(posed.a, random.direction(), kStartsOff);
    const Location b = B_.walked(posed.b, random.direction(), kStartsOff);
    ErrorCount& count = posed.conformity < kLeastConformity ? errors.flat : errors.curved;
    ++count.poses;
    const Answer found = ask(features_A_, features_B_, posed.X_BA, a, b);
    if (!found.found) return;
    const ExactPair known = exact_pair(A_.side(), B_.side(), posed.X_BA, posed.a, posed.b);
    ExactPair exact = known;
    if (!known.converged || !is_same(found, known)) {
      exact = exact_pair(A_.side(), B_.side(), posed.X_BA, found.a, found.b);
      const bool is_pair = exact.converged && is_same(found, exact);
      if (!is_pair && !known.converged) return;
      if (!is_pair) exact = known;  // no pair at all: simply wrong
      ++errors.elsewhere;
    }
    add(count, error(found.gap, exact));
  }

  void without_starts(const Posed& posed, PairErrors& errors) const {
    ++errors.anywhere.poses;
    const Answer found = search(search_A_, search_B_, posed.X_BA);
    if (!found.found) return;
    const ExactPair known = exact_pair(A_.side(), B_.side(), posed.X_BA, posed.a, posed.b);
    const ExactPair exact = exact_pair(A_.side(), B_.side(), posed.X_BA, found.a, found.b);
    const bool is_pair = exact.converged && is_same(found, exact);
    add(errors.anywhere, error(found.gap, is_pair ? exact : known));
    if (Real(found.gap) > known.gap + Real(kBound)) ++errors.missed;
  }

 private:
  const Body &A_, &B_;
  TouchableBody features_A_, features_B_;
  SearchBody search_A_, search_B_;
};

}  // namespace

PairErrors distance_errors(const Body& first, const Body& second, int poses, int search_every) {
  PairErrors errors;
  const Measurement as_given(first, second), exchanged(second, first);
  for (int i = 0; i < poses; ++i) {
    Random random(static_cast<std::uint64_t>(i) + 1);
    const bool exchange = i % 4 >= 2;
    const double gap = i % 2 == 0 ? kMoved : -kMoved;
    const Body &A = exchange ? second : first, &B = exchange ? first : second;
    const Posed posed = random_pose(A, B, gap, random);
    const Measurement& measurement = exchange ? exchanged : as_given;
    measurement.from_starts(posed, random, errors);
    const bool curved = posed.conformity >= kLeastConformity;
    if (gap > 0 && curved && i % search_every == 0) measurement.without_starts(posed, errors);
  }
  return errors;
}

ErrorTable error_table(std::vector<Body> bodies, int poses_of_each_pair, int search_every) {
  ErrorTable table{std::move(bodies), poses_of_each_pair, {}};
  table.pairs.reserve(table.bodies.size() * (table.bodies.size() + 1) / 2);
  for (std::size_t i = 0; i < table.bodies.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      table.pairs.push_back(
          {i, j,
           distance_errors(table.bodies[i], table.bodies[j], poses_of_each_pair, search_every)});
    }
  }
  return table;
}

}  // namespace oloid::test
