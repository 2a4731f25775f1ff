#include "oloid/haptics/pair_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oloid/haptics/brief_newton.h"

namespace oloid {
namespace {

constexpr std::size_t kMostStarts = 24;
constexpr double kSpread = 0.1;  // of the length, between starts
constexpr double kSame = 1e-4;   // parts of the length, and radians

// From B to A: along a normal, else between the points.
template <class Sample>
Vec3<double> direction(const Sample& a, const Sample& b) {
  if (!b.z.isZero(0)) return b.z;
  if (!a.z.isZero(0)) return -a.z;
  const Vec3<double> r = a.p - b.p;
  return r.norm() > 0 ? Vec3<double>(r.normalized()) : Vec3<double>(0, 0, 1);
}

}  // namespace

bool same_pair(const TrackedPair& a, const TrackedPair& b, double length) {
  if ((a.normal - b.normal).norm() > kSame) return false;
  const double near = kSame * length;
  if (a.status == PairStatus::conforming && b.status == PairStatus::conforming)
    return std::abs(a.gap - b.gap) < near;
  return (a.point_A - b.point_A).norm() < near && (a.point_B - b.point_B).norm() < near;
}

std::vector<PairSearch::Sample> PairSearch::samples(const Features& body) {
  const std::vector<Spot> spots = body.seeds();
  std::vector<Sample> all;
  all.reserve(spots.size());
  for (const Spot& spot : spots) {
    const LocalFeature<double> at = body.at(spot);
    all.push_back({spot, at.p, at.dimension == 2 ? at.z : Vec3<double>(0, 0, 0)});
  }
  return all;
}

PairSearch::PairSearch(const Features& A, const Features& B, double reach)
    : A_(&A),
      B_(&B),
      reach_(reach),
      length_(pair_length(A, B)),
      on_A_(samples(A)),
      on_B_(samples(B)) {}

double PairSearch::score(const Sample& a, const Sample& b) const {
  const double against = a.z.isZero(0) || b.z.isZero(0) ? 0 : 1 + a.z.dot(b.z);
  return (a.p - b.p).norm() / length_ + against;
}

// The best partner of every sample. Bodies without end have few samples: there the nearest spot is
// asked for.
std::vector<PairSearch::Start> PairSearch::starts(const Pose<double>& X_BA) const {
  const double far = reach_ + length_;
  std::vector<Sample> on_A = on_A_, on_B = on_B_;
  for (Sample& a : on_A) a = {a.spot, X_BA * a.p, X_BA.R * a.z};
  if (!std::isfinite(B_->size())) {
    for (const Sample& a : on_A) {
      const Spot spot = B_->near(a.p);
      const LocalFeature<double> at = B_->at(spot);
      on_B.push_back({spot, at.p, at.dimension == 2 ? at.z : Vec3<double>(0, 0, 0)});
    }
  }
  const Start none{std::numeric_limits<double>::infinity(), {}, {}};
  std::vector<Start> of_A(on_A.size(), none), of_B(on_B.size(), none);
  for (std::size_t i = 0; i < on_A.size(); ++i) {
    for (std::size_t j = 0; j < on_B.size(); ++j) {
      if ((on_A[i].p - on_B[j].p).squaredNorm() > far * far) continue;
      const double s = score(on_A[i], on_B[j]);
      if (s < of_A[i].score) of_A[i] = {s, on_A[i], on_B[j]};
      if (s < of_B[j].score) of_B[j] = {s, on_A[i], on_B[j]};
    }
  }
  of_A.insert(of_A.end(), of_B.begin(), of_B.end());
  return of_A;
}

// The best, not too near to each other: minima that are not the nearest get starts of their own.
std::vector<PairSearch::Start> PairSearch::spread(std::vector<Start> all) const {
  std::stable_sort(all.begin(), all.end(),
                   [](const Start& x, const Start& y) { return x.score < y.score; });
  const double near = kSpread * length_;
  std::vector<Start> chosen;
  chosen.reserve(kMostStarts);
  for (const Start& start : all) {
    if (chosen.size() == kMostStarts || !std::isfinite(start.score)) break;
    const auto beside = [&](const Start& other) {
      return (start.a.p - other.a.p).norm() < near && (start.b.p - other.b.p).norm() < near;
    };
    if (std::none_of(chosen.begin(), chosen.end(), beside)) chosen.push_back(start);
  }
  return chosen;
}

// A point lies behind a surface if it does so at its nearest spot; edges and vertices that are
// nearest to a point have it before them.
bool PairSearch::is_behind(const Vec3<double>& p, const Features& body,
                           const std::vector<Sample>& on_body) {
  const auto nearer = [&](const Sample& x, const Sample& y) {
    return (x.p - p).squaredNorm() < (y.p - p).squaredNorm();
  };
  Sample best = *std::min_element(on_body.begin(), on_body.end(), nearer);
  if (!std::isfinite(body.size())) {
    best.spot = body.near(p);
    const LocalFeature<double> at = body.at(best.spot);
    best = {best.spot, at.p, at.z};
  }
  const Features point(std::vector<Vec3<double>>{p});
  const Spot vertex{Spot::Kind::vertex, 0, {}};
  const Vec3<double> off = p - best.p;
  const Vec3<double> hint = !best.z.isZero(0) ? best.z
                            : off.norm() > 0  ? Vec3<double>(off.normalized())
                                              : Vec3<double>(0, 0, 1);
  const TrackedPair pair = nearest_from(point, body, {}, vertex, best.spot, hint);
  if (is_settled(pair, kMostIterations) && std::abs(pair.gap) <= off.norm() * (1 + 1e-9) + 1e-12)
    return pair.B.kind == Spot::Kind::surface && pair.gap < 0;
  return off.dot(best.z) < 0;
}

bool PairSearch::really_overlaps(const TrackedPair& pair, const Pose<double>& X_BA) const {
  return is_behind(pair.point_A, *B_, on_B_) && is_behind(inverse(X_BA) * pair.point_B, *A_, on_A_);
}

FoundPairs PairSearch::at(const Pose<double>& X_BA) const {
  std::vector<TrackedPair> pairs;
  pairs.reserve(kMostStarts);
  for (const Start& start : spread(starts(X_BA))) {
    const TrackedPair pair =
        nearest_from(*A_, *B_, X_BA, start.a.spot, start.b.spot, direction(start.a, start.b));
    if (!is_settled(pair, kMostIterations) || std::abs(pair.gap) > reach_) continue;
    if (pair.gap < 0 && !really_overlaps(pair, X_BA)) continue;
    const auto same = [&](const TrackedPair& other) { return same_pair(pair, other, length_); };
    if (std::none_of(pairs.begin(), pairs.end(), same)) pairs.push_back(pair);
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const TrackedPair& x, const TrackedPair& y) {
    return std::abs(x.gap) < std::abs(y.gap);
  });
  FoundPairs found;
  found.count = std::min(static_cast<int>(pairs.size()), kMostPairs);
  std::copy_n(pairs.begin(), found.count, found.pairs.begin());
  return found;
}

}  // namespace oloid
