#include "oloid/geometry/subdivision/subdivision_masks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "oloid/base/contract.h"
#include "oloid/base/index.h"

namespace oloid::geometry {
namespace {

using std::numbers::pi;
using subdivision::Rule;

// The eigenvalue of modes that turn by θ from edge to edge; Catmull-Clark has another, smaller one.
double eigenvalue(SubdivisionScheme scheme, double theta) {
  const double c = std::cos(theta);
  if (scheme == SubdivisionScheme::loop) return 0.375 + 0.25 * c;
  return (5 + c + std::cos(0.5 * theta) * std::sqrt(2 * (9 + c))) / 16;
}

// Weights of such a mode, f(i) at edge i: eigenvectors while neighbours on both sides are smooth.
template <class F>
RingMask mode(SubdivisionScheme scheme, int edges, int faces, double theta, const F& f) {
  RingMask mask;
  for (int i = 0; i < edges; ++i)
    mask.edges.push_back(scheme == SubdivisionScheme::loop ? f(i) : 4 * f(i));
  if (scheme == SubdivisionScheme::loop) return mask;
  const double weight = 1 / (4 * eigenvalue(scheme, theta) - 1);
  for (int i = 0; i < faces; ++i) mask.faces.push_back(weight * (f(i) + f(i + 1)));
  return mask;
}

RingMask zero(SubdivisionScheme scheme, int edges, int faces) {
  return {0, std::vector<double>(at(edges), 0),
          std::vector<double>(at(scheme == SubdivisionScheme::loop ? 0 : faces), 0)};
}

}  // namespace

LimitMasks smooth_masks(SubdivisionScheme scheme, int valence) {
  OLOID_EXPECT(valence >= 3);
  const double n = valence, theta = 2 * pi / n;
  LimitMasks masks;
  masks.position = zero(scheme, valence, valence);
  if (scheme == SubdivisionScheme::loop) {
    const double c = eigenvalue(scheme, theta);
    const double w = 1 / (n + 0.375 * n / (0.625 - c * c));
    masks.position.edges.assign(at(valence), w);
    masks.position.centre = 1 - n * w;
  } else {
    masks.position.edges.assign(at(valence), 4 / (n * (n + 5)));
    masks.position.faces.assign(at(valence), 1 / (n * (n + 5)));
    masks.position.centre = n / (n + 5);
  }
  masks.tangents[0] =
      mode(scheme, valence, valence, theta, [&](int i) { return std::cos(i * theta); });
  masks.tangents[1] =
      mode(scheme, valence, valence, theta, [&](int i) { return std::sin(i * theta); });
  return masks;
}

LimitMasks crease_masks(SubdivisionScheme scheme, int faces) {
  OLOID_EXPECT(faces >= 1);
  LimitMasks masks;
  masks.position = zero(scheme, faces + 1, faces);
  masks.position.centre = 2.0 / 3;
  masks.position.edges.front() = masks.position.edges.back() = 1.0 / 6;
  RingMask& along = masks.tangents[0] = zero(scheme, faces + 1, faces);
  along.edges.front() = 1;
  along.edges.back() = -1;
  RingMask& across = masks.tangents[1];
  if (faces == 1) {
    across = zero(scheme, 2, 1);
    across.centre = -2;
    across.edges = {1, 1};
    return masks;
  }
  // Inside as if the crease stayed where it is; then the weights e of its ends and c of the vertex
  // follow from l Σ = λ l for these:
  //   (1/2 − λ) e + c/8 = −(what edge 0 adds to the others)
  //   e + (3/4 − λ) c   = −(what the vertex adds to them)
  const double theta = pi / faces, lambda = eigenvalue(scheme, theta);
  across = mode(scheme, faces + 1, faces, theta, [&](int i) { return std::sin(i * theta); });
  double from_end = 0, from_centre = 0;
  for (int i = 1; i < faces; ++i) from_centre += 0.375 * across.edges[at(i)];
  for (double w : across.faces) from_centre += 0.25 * w;
  if (scheme == SubdivisionScheme::loop) {
    from_end = 0.125 * across.edges[1];
  } else {
    from_end = 0.25 * across.faces[0] + across.edges[1] / 16;
  }
  const double determinant = (0.5 - lambda) * (0.75 - lambda) - 0.125;
  const double e = (-from_end * (0.75 - lambda) + from_centre * 0.125) / determinant;
  across.edges.front() = across.edges.back() = e;
  across.centre = (-(0.5 - lambda) * from_centre + from_end) / determinant;
  return masks;
}

LimitMasks corner_masks(SubdivisionScheme scheme, int faces) {
  LimitMasks masks;
  masks.position = zero(scheme, faces + 1, faces);
  masks.position.centre = 1;
  for (RingMask& tangent : masks.tangents) {
    tangent = zero(scheme, faces + 1, faces);
    tangent.centre = -1;
  }
  masks.tangents[0].edges.front() = 1;
  masks.tangents[1].edges.back() = 1;
  return masks;
}

LimitMasks dart_masks(SubdivisionScheme scheme, int faces) {
  const int n = faces;
  // One step of a row of weights backwards: what each point of the coarse ring gets.
  const auto back = [&](const RingMask& fine) {
    RingMask coarse = zero(scheme, n, n);
    const auto edge = [&](int i) -> double& { return coarse.edges[at((i + n) % n)]; };
    if (scheme == SubdivisionScheme::loop) {
      const double c = eigenvalue(scheme, 2 * pi / n), w = (0.625 - c * c) / n;
      coarse.centre = (1 - n * w) * fine.centre;
      for (int i = 0; i < n; ++i) {
        edge(i) += w * fine.centre;
        const double weight = fine.edges[at(i)];
        const double side = i == 0 ? 0 : 0.125 * weight;
        coarse.centre += (i == 0 ? 0.5 : 0.375) * weight;
        edge(i) += (i == 0 ? 0.5 : 0.375) * weight;
        edge(i - 1) += side;
        edge(i + 1) += side;
      }
      return coarse;
    }
    // Weights of the new face points first: they are shares of four corners each.
    std::vector<double> middle = fine.faces;
    const double share = fine.centre / (n * n);
    coarse.centre = (1 - 2.0 / n) * fine.centre;
    for (int i = 0; i < n; ++i) {
      edge(i) += share;
      middle[at(i)] += share;
      const double weight = fine.edges[at(i)];
      coarse.centre += (i == 0 ? 0.5 : 0.25) * weight;
      edge(i) += (i == 0 ? 0.5 : 0.25) * weight;
    }
    for (int i = 1; i < n; ++i) {
      middle[at(i)] += 0.25 * fine.edges[at(i)];
      middle[at(i - 1)] += 0.25 * fine.edges[at(i)];
    }
    for (int i = 0; i < n; ++i) {
      coarse.centre += 0.25 * middle[at(i)];
      edge(i) += 0.25 * middle[at(i)];
      edge(i + 1) += 0.25 * middle[at(i)];
      coarse.faces[at(i)] += 0.25 * middle[at(i)];
    }
    return coarse;
  };
  const auto add = [](RingMask& to, double w, const RingMask& m) {
    to.centre += w * m.centre;
    for (std::size_t i = 0; i < m.edges.size(); ++i) to.edges[i] += w * m.edges[i];
    for (std::size_t i = 0; i < m.faces.size(); ++i) to.faces[i] += w * m.faces[i];
  };
  const auto sum = [](const RingMask& m) {
    double s = m.centre;
    for (double w : m.edges) s += w;
    for (double w : m.faces) s += w;
    return s;
  };
  // The mode across the crease does not see it; the position and the mode along it are found by
  // repeated steps, the latter with the former taken out.
  LimitMasks masks = smooth_masks(scheme, n);
  constexpr int kSteps = 400;
  for (int k = 0; k < kSteps; ++k) {
    masks.position = back(masks.position);
    const double s = sum(masks.position);
    add(masks.position, 1 / s - 1, masks.position);
  }
  RingMask& along = masks.tangents[0];
  for (int k = 0; k < kSteps; ++k) {
    along = back(along);
    add(along, -sum(along), masks.position);
    double largest = 0;
    for (double w : along.edges) largest = std::max(largest, std::abs(w));
    add(along, 1 / largest - 1, along);
  }
  for (RingMask* mask : {&masks.position, &masks.tangents[0], &masks.tangents[1]})
    mask->edges.push_back(0);
  return masks;
}

// Along a crease it is 1/2; that across counts, so that small sectors do not become needles.
double shrinking(SubdivisionScheme scheme, Rule rule, int faces) {
  switch (rule) {
    case Rule::smooth:
      return eigenvalue(scheme, 2 * pi / faces);
    case Rule::dart:
      return std::max(0.5, eigenvalue(scheme, 2 * pi / faces));
    case Rule::crease:
      return faces == 1 ? 0.25 : eigenvalue(scheme, pi / faces);
    default:
      return std::max(0.5, eigenvalue(scheme, pi / faces));
  }
}

LimitMasks masks_for(SubdivisionScheme scheme, Rule rule, int faces) {
  switch (rule) {
    case Rule::smooth:
      return smooth_masks(scheme, faces);
    case Rule::dart:
      return dart_masks(scheme, faces);
    case Rule::crease:
      return crease_masks(scheme, faces);
    default:
      return corner_masks(scheme, faces);
  }
}

// As differences from the vertex, so that a position does not depend on rounded weights.
subdivision::Point applied(const RingMask& mask, const subdivision::SectorPoints& points) {
  double total = mask.centre;
  subdivision::Point sum;
  for (std::size_t i = 0; i < mask.edges.size(); ++i) {
    total += mask.edges[i];
    sum = sum + mask.edges[i] * (points.edges[i] - points.centre);
  }
  for (std::size_t i = 0; i < mask.faces.size(); ++i) {
    total += mask.faces[i];
    sum = sum + mask.faces[i] * (points.faces[i] - points.centre);
  }
  return std::round(total) * points.centre + sum;  // 1 for a position, 0 for a tangent
}

LimitMasks masks_at(const subdivision::Mesh& mesh, const subdivision::Ring& ring,
                    const subdivision::Sector& sector) {
  return masks_for(mesh.scheme, subdivision::rule_at(mesh, ring), sector.valence());
}

bool settled(const subdivision::Mesh& mesh, const subdivision::Ring& ring) {
  const int shape = mesh.scheme == SubdivisionScheme::loop ? 3 : 4;
  return std::all_of(ring.edges.begin(), ring.edges.end(),
                     [&](int e) { return mesh.settled(e); }) &&
         std::all_of(ring.faces.begin(), ring.faces.end(),
                     [&](int f) { return mesh.face(f).size() == shape; });
}

}  // namespace oloid::geometry
