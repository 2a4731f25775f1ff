// Triangles that show a body in pictures, as plain data. The simulation never looks at them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "oloid/spatial/pose.h"

namespace oloid::scene {

// A chain of straight lines for pictures. [m]
using Polyline = std::vector<Vec3<double>>;

struct DisplayMesh {
  std::vector<Vec3<double>> vertices;  // [m]
  std::vector<Vec3<double>> normals;   // unit, out of the body, exact; one for each vertex
  std::vector<std::array<std::int32_t, 3>> triangles;  // counter-clockwise seen from outside
  std::vector<Polyline> borders{};                     // of patches, sharp edges and rims
  std::vector<Polyline> parameter_lines{};             // constant parameters

  bool empty() const { return triangles.empty(); }
};

inline Polyline moved(const Pose<double>& X_AB, Polyline line) {
  for (Vec3<double>& p : line) p = X_AB * p;
  return line;
}

// A mesh given in frame B, in frame A.
inline DisplayMesh moved(const Pose<double>& X_AB, DisplayMesh mesh) {
  for (Vec3<double>& p : mesh.vertices) p = X_AB * p;
  for (Vec3<double>& n : mesh.normals) n = X_AB.R * n;
  for (Polyline& line : mesh.borders) line = moved(X_AB, std::move(line));
  for (Polyline& line : mesh.parameter_lines) line = moved(X_AB, std::move(line));
  return mesh;
}

}  // namespace oloid::scene
