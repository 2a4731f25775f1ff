// Control cages to test with.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "laws/random.h"
#include "oloid/base/cage.h"
#include "oloid/geometry/subdivision/subdivision_masks.h"
#include "support/rooms.h"

namespace oloid::test {

inline Cage cube() {
  Cage cage;
  for (int i = 0; i < 8; ++i)
    cage.vertices.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  cage.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return cage;
}
inline Cage octahedron() {
  return {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}},
          {}};
}
inline Cage icosahedron() {
  const double g = std::numbers::phi;
  Cage cage;
  for (int i = 0; i < 4; ++i) {
    const double a = i & 1 ? -1 : 1, b = i & 2 ? -g : g;
    cage.vertices.emplace_back(0, a, b);
    cage.vertices.emplace_back(a, b, 0);
    cage.vertices.emplace_back(b, 0, a);
  }
  for (int i = 0; i < 12; ++i) {
    for (int j = i + 1; j < 12; ++j) {
      for (int k = j + 1; k < 12; ++k) {
        const Vec3<double>&p = cage.vertices[static_cast<std::size_t>(i)],
              &q = cage.vertices[static_cast<std::size_t>(j)],
              &r = cage.vertices[static_cast<std::size_t>(k)];
        if ((p - q).norm() > 2.1 || (q - r).norm() > 2.1 || (r - p).norm() > 2.1) continue;
        const bool outwards = (q - p).cross(r - p).dot(p) > 0;
        cage.faces.push_back(outwards ? std::vector<int>{i, j, k} : std::vector<int>{i, k, j});
      }
    }
  }
  return cage;
}
// Two poles of valence n and rings between them: closed, of quadrangles with triangles at the
// poles; divided once, poles keep their valence. Shaken a little, by default, so that nothing
// is symmetric.
inline Cage drum(int n, int rings, std::uint64_t seed, bool triangles, double shake = 0.05) {
  Random random(seed);
  Cage cage;
  const auto shaken = [&](double x, double y, double z) {
    return Vec3<double>(Vec3<double>(x, y, z) + random.vector<3>(-shake, shake));
  };
  for (int r = 0; r < rings; ++r) {
    const double z = std::numbers::pi * (r + 1) / (rings + 1);
    for (int i = 0; i < n; ++i) {
      const double a = 2 * std::numbers::pi * (i + (triangles ? 0.5 * r : 0)) / n;
      cage.vertices.push_back(
          shaken(std::sin(z) * std::cos(a), std::sin(z) * std::sin(a), std::cos(z)));
    }
  }
  const int top = n * rings, bottom = top + 1;
  cage.vertices.push_back(shaken(0, 0, 1.1));
  cage.vertices.push_back(shaken(0, 0, -1.1));
  const auto v = [n](int r, int i) { return n * r + (i + n) % n; };
  for (int i = 0; i < n; ++i) {
    cage.faces.push_back({top, v(0, i), v(0, i + 1)});
    for (int r = 0; r + 1 < rings; ++r) {
      if (triangles) {
        cage.faces.push_back({v(r, i), v(r + 1, i), v(r, i + 1)});
        cage.faces.push_back({v(r, i + 1), v(r + 1, i), v(r + 1, i + 1)});
      } else {
        cage.faces.push_back({v(r, i), v(r + 1, i), v(r + 1, i + 1), v(r, i + 1)});
      }
    }
    cage.faces.push_back({bottom, v(rings - 1, i + 1), v(rings - 1, i)});
  }
  return cage;
}
inline Cage drum(SubdivisionScheme scheme, int n) {
  return drum(n, 3, 7, scheme == SubdivisionScheme::loop);
}

// A flat grid of quadrangles or triangles with bumps: boundary, corners and a regular inside.
inline Cage sheet(SubdivisionScheme scheme, int n, std::uint64_t seed = 5) {
  Random random(seed);
  Cage cage;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) cage.vertices.emplace_back(i, j, random(-0.4, 0.4));
  const auto v = [n](int i, int j) { return j * (n + 1) + i; };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (scheme == SubdivisionScheme::catmull_clark) {
        cage.faces.push_back({v(i, j), v(i + 1, j), v(i + 1, j + 1), v(i, j + 1)});
      } else {
        cage.faces.push_back({v(i, j), v(i + 1, j), v(i, j + 1)});
        cage.faces.push_back({v(i + 1, j), v(i + 1, j + 1), v(i, j + 1)});
      }
    }
  }
  return cage;
}

// With a chain of edges made sharp.
inline Cage creased(Cage cage, const std::vector<int>& line, double sharpness) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i)
    cage.creases.push_back({line[i], line[i + 1], sharpness});
  return cage;
}

}  // namespace oloid::test
