#include "oloid/io/mesh/simplify_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace oloid::io {
namespace {

constexpr double kSameSide = 0.87;  // cosine of the largest angle between normals that become one

struct Cube {
  std::array<std::int64_t, 3> at;
  friend bool operator==(const Cube&, const Cube&) = default;
};
struct CubeHash {
  std::size_t operator()(const Cube& cube) const {
    std::uint64_t h = 0;
    for (const std::int64_t x : cube.at)
      h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15u + (h >> 29);
    return h;
  }
};

// The mesh with all vertices of a cube at the first one of them.
DisplayMesh clustered(const DisplayMesh& mesh, double side) {
  struct Corner {
    Vec3<double> place;
    std::vector<std::int32_t> vertices;  // one for each normal
  };
  std::unordered_map<Cube, Corner, CubeHash> cubes;
  std::vector<std::int32_t> renumbered(mesh.vertices.size());
  DisplayMesh result;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3<double>&p = mesh.vertices[i], &n = mesh.normals[i];
    const auto cell = [&](int k) { return static_cast<std::int64_t>(std::floor(p(k) / side)); };
    const auto [entry, is_new] =
        cubes.try_emplace(Cube{{cell(0), cell(1), cell(2)}}, Corner{p, {}});
    auto& here = entry->second.vertices;
    const auto same = std::find_if(here.begin(), here.end(), [&](std::int32_t v) {
      return result.normals[static_cast<std::size_t>(v)].dot(n) > kSameSide;
    });
    if (same != here.end()) {
      renumbered[i] = *same;
      continue;
    }
    renumbered[i] = static_cast<std::int32_t>(result.vertices.size());
    here.push_back(renumbered[i]);
    result.vertices.push_back(entry->second.place);
    result.normals.push_back(n);
  }
  for (const auto& triangle : mesh.triangles) {
    std::array<std::int32_t, 3> t{};
    for (std::size_t k = 0; k < 3; ++k) t[k] = renumbered[static_cast<std::size_t>(triangle[k])];
    const auto place = [&](std::size_t k) {
      return result.vertices[static_cast<std::size_t>(t[k])];
    };
    if (place(0) != place(1) && place(1) != place(2) && place(2) != place(0))
      result.triangles.push_back(t);
  }
  return result;
}

}  // namespace

SimplifiedMesh simplified(DisplayMesh mesh, std::size_t most) {
  if (mesh.vertices.size() <= most) return {std::move(mesh), 0};
  Vec3<double> low = mesh.vertices[0], high = low;
  for (const Vec3<double>& p : mesh.vertices) low = low.cwiseMin(p), high = high.cwiseMax(p);
  constexpr double kFinest = 1.0 / 2048, kCoarsest = 0.25, kStep = 1.25;
  const double size = (high - low).norm();
  for (double side = kFinest * size;; side *= kStep) {
    DisplayMesh smaller = clustered(mesh, side);
    if (smaller.vertices.size() > most && side < kCoarsest * size) continue;
    smaller.borders = std::move(mesh.borders);
    smaller.parameter_lines = std::move(mesh.parameter_lines);
    return {std::move(smaller), std::sqrt(3.0) * side};
  }
}

}  // namespace oloid::io
