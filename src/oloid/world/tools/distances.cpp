#include "oloid/world/tools/distances.h"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <numeric>
#include <set>

#include "oloid/base/did_you_mean.h"
#include "oloid/numerics/symmetric_eigen.h"
#include "oloid/proximity/newton.h"
#include "oloid/proximity/proximity_body.h"
#include "oloid/world/compile/error_list.h"
#include "oloid/world/compile/find_body.h"
#include "oloid/world/tools/display_mesh.h"
#include "oloid/world/tools/forms.h"

namespace oloid::world {
namespace {

constexpr double kNearby = 0.1;  // of the smaller body's size

// With more cells than this, certifying a pair would take minutes.
constexpr FarOptions kCells{20000};

// The one place that knows how pairs are found: by a search, and if the bodies are apart also with
// certainty, where that is possible. In world axes.
struct Found {
  SearchResult result;
  bool certified = false;
};
Found found_pairs(const ProximityBody& A, const ProximityBody& B, double threshold) {
  Found found{search_pairs(A.search(), B.search(), {}, threshold), false};
  std::vector<TrackedPair>& pairs = found.result.pairs;
  const double touching = kTouching * pair_length(A.features(), B.features());
  const bool apart = !found.result.overlap && !pairs.empty() && pairs.front().gap > touching;
  if (!apart || !A.far() || !B.far() || !A.far()->certified() || !B.far()->certified())
    return found;
  const double reach = std::max(threshold, pairs.front().gap * (1 + 1e-6));
  FarResult far = far_pairs(*A.far(), *B.far(), {}, reach, kCells);
  std::erase_if(far.pairs, [](const TrackedPair& pair) { return pair.gap < 0; });
  if (!far.certified || far.pairs.empty()) return found;
  pairs = std::move(far.pairs);
  found.certified = true;
  return found;
}

TouchableBody placed(const BodyForm& body) {
  if (const auto* curve = std::get_if<Curve>(&body.form)) return TouchableBody(*curve, body.X_WS);
  return TouchableBody(PlacedShape{std::get<Shape>(body.form), body.X_WS});
}

NearPoint near_point(const TouchableBody& body, const Spot& spot, const Vec3<double>& p,
                     const Mat2<double>& K) {
  const char* kind = spot.kind == Spot::Kind::surface  ? "surface"
                     : spot.kind == Spot::Kind::vertex ? "vertex"
                     : body.side()                     ? "edge"
                                                       : "wire";
  return {kind, spot.index, spot.at.chart.index, spot.at.x, p, K};
}

NearPair near_pair(const TouchableBody& A, const TouchableBody& B, const TrackedPair& pair) {
  NearPair result;
  result.status = name(pair.status);
  result.phase = name(pair.phase);
  result.usable = pair.usable();
  result.on = {near_point(A, pair.A, pair.point_A, pair.K_A),
               near_point(B, pair.B, pair.point_B, pair.K_B)};
  result.gap = pair.gap;
  result.normal = pair.normal;
  const Mat<double, 3, 2> T = tangents(pair.normal);
  result.tangents = {Vec3<double>(T.col(0)), Vec3<double>(T.col(1))};
  if (pair.A.kind == Spot::Kind::surface && pair.B.kind == Spot::Kind::surface) {
    const PrincipalValues k = principal_values(pair.K_A + pair.K_B);
    result.relative_curvatures = {k.smaller, k.larger};
  }
  result.conformity = pair.conformity;
  result.soft = pair.soft;
  result.residual = pair.residual;
  result.condition = pair.condition;
  result.iterations = pair.iterations;
  result.feature_changes = pair.feature_changes;
  return result;
}

class Distances {
 public:
  Distances(const Spec& spec, const DistanceOptions& options) : spec_(spec), options_(options) {}

  Result<std::vector<BodyDistance>, Errors> all() {
    auto forms = compile_forms(spec_);
    if (!forms) return Unexpected{forms.error()};
    names();
    if (options_.within && !std::isfinite(*options_.within))
      errors_.refuse({}, fmt::format("the threshold is {}", *options_.within),
                     "specify a length in metres");
    if (!errors_.empty()) return Unexpected{errors_.all()};
    std::vector<std::size_t> wanted(forms->size());
    std::iota(wanted.begin(), wanted.end(), std::size_t{0});
    if (options_.bodies) wanted = {*find((*options_.bodies)[0]), *find((*options_.bodies)[1])};

    std::deque<ProximityBody> bodies;
    for (const std::size_t i : wanted) bodies.emplace_back(placed((*forms)[i]));
    std::vector<BodyDistance> result;
    result.reserve(wanted.size() * (wanted.size() - 1) / 2);
    for (std::size_t a = 0; a < wanted.size(); ++a) {
      for (std::size_t b = a + 1; b < wanted.size(); ++b) {
        result.push_back(between(bodies[a], bodies[b]));
        result.back().bodies = {(*forms)[wanted[a]].name, (*forms)[wanted[b]].name};
      }
    }
    return result;
  }

 private:
  void names() {
    if (spec_.bodies.size() < 2) {
      errors_.refuse(spec_.bodies.front().name.place, "the scene has only one body",
                     "add at least one more");
    }
    std::set<std::string> known;
    for (const BodySpec& body : spec_.bodies) {
      if (!known.insert(body.name.value).second) {
        errors_.refuse(body.name.place, fmt::format("two bodies are named \"{}\"", body.name.value),
                       "names must be unique");
      }
    }
    if (!options_.bodies) return;
    for (const std::string& name : *options_.bodies) {
      if (const auto found = find(name); !found) errors_.take(found.error());
    }
    if ((*options_.bodies)[0] == (*options_.bodies)[1])
      errors_.refuse({}, fmt::format("\"{}\" is named twice", (*options_.bodies)[0]),
                     "name two bodies");
  }

  Result<std::size_t> find(const std::string& name) const {
    return find_body(spec_, name, {spec_.duration.place.file, "", 0, 0});
  }

  BodyDistance between(const ProximityBody& A, const ProximityBody& B) const {
    BodyDistance result;
    result.length = pair_length(A.features(), B.features());
    result.threshold = options_.within.value_or(kNearby * result.length);
    const Found found = found_pairs(A, B, result.threshold);
    result.certified = found.certified;
    result.overlap = found.result.overlap;
    for (const TrackedPair& pair : found.result.pairs) {
      NearPair one = near_pair(A.features(), B.features(), pair);
      if (!one.usable) {
        result.tried = std::move(one);
      } else if (!options_.within || one.gap < *options_.within) {
        result.pairs.push_back(std::move(one));
      } else {
        result.farther = one.gap;
      }
    }
    return result;
  }

  const Spec& spec_;
  const DistanceOptions& options_;
  ErrorList errors_;
};

}  // namespace

Result<std::vector<BodyDistance>, Errors> distances(const Spec& spec,
                                                    const DistanceOptions& options) {
  return Distances(spec, options).all();
}

std::vector<Vec3<double>> other_contacts(const Model& model) {
  std::vector<Vec3<double>> result;
  for (const StartContact& touch : model.touches) {
    const Pair& pair = model.pair(touch.pair);
    if (pair.convex) continue;
    const SearchBody &A = model.body(pair.bodies[0]).proximity->search(),
                     &B = model.body(pair.bodies[1]).proximity->search();
    const Pose<double> X_WB = initial_pose(model, pair.bodies[1]);
    const Pose<double> X_BA = inverse(X_WB) * initial_pose(model, pair.bodies[0]);
    const double touching = kTouching * pair.length;
    const SearchResult found = search_pairs(A, B, X_BA, touching);
    for (const TrackedPair& other : found.pairs) {
      const bool same = (other.point_B - touch.near.point_B).norm() < 1e-6 * pair.length;
      if (!same && other.usable() && std::abs(other.gap) < touching)
        result.push_back(X_WB * other.point_B);
    }
  }
  return result;
}

}  // namespace oloid::world
