#include "oloid/io/record/json_distances.h"

#include <nlohmann/json.hpp>

namespace oloid::io {
namespace {

using Json = nlohmann::ordered_json;  // non-finite numbers are written as null

Json json(const Vec3<double>& v) { return {v.x(), v.y(), v.z()}; }
Json json(const Mat2<double>& K) {
  return Json::array({Json::array({K(0, 0), K(0, 1)}), Json::array({K(1, 0), K(1, 1)})});
}
Json json(const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); }

Json json(const NearPoint& at) {
  return {{"feature", at.feature},   {"index", at.index},
          {"chart", at.chart},       {"location", json(at.location)},
          {"point", json(at.point)}, {"curvature", json(at.curvature)}};
}

Json json(const NearPair& pair) {
  Json curvatures = nullptr;
  if (pair.relative_curvatures)
    curvatures = {pair.relative_curvatures->x(), pair.relative_curvatures->y()};
  return {{"status", pair.status},
          {"phase", pair.phase},
          {"gap", pair.gap},
          {"normal", json(pair.normal)},
          {"tangents", Json::array({json(pair.tangents[0]), json(pair.tangents[1])})},
          {"A", json(pair.on[0])},
          {"B", json(pair.on[1])},
          {"relative_curvatures", curvatures},
          {"conformity", pair.conformity},
          {"soft", json(pair.soft)},
          {"residual", pair.residual},
          {"condition", pair.condition},
          {"iterations", pair.iterations},
          {"feature_changes", pair.feature_changes}};
}

Json json(const BodyDistance& distance) {
  Json pairs = Json::array();
  for (const NearPair& pair : distance.pairs) pairs.push_back(json(pair));
  return {{"bodies", Json::array({distance.bodies[0], distance.bodies[1]})},
          {"length", distance.length},
          {"threshold", distance.threshold},
          {"certified", distance.certified},
          {"overlap", distance.overlap},
          {"pairs", pairs},
          {"farther", json(distance.farther)},
          {"tried", distance.tried ? json(*distance.tried) : Json(nullptr)}};
}

}  // namespace

std::string json_distances(const std::string& scene, std::span<const BodyDistance> distances) {
  Json all = Json::array();
  for (const BodyDistance& distance : distances) all.push_back(json(distance));
  const Json root = {{"scene", scene}, {"distances", all}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace oloid::io
