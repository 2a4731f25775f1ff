#include "oloid/proximity/witness.h"

#include <algorithm>
#include <limits>

namespace oloid::proximity {
namespace {

using Kind = Witness::Kind;

constexpr double kParallel = 1e-6;  // sine of the angle between edges that span no plane

Vec3<double> direction_of(const ConvexPolyhedron& body, int edge) {
  const auto& ends = body.edge(edge).vertices;
  return (body.vertex(ends[1]) - body.vertex(ends[0])).normalized();
}

// The part of the segment from a to b that lies inside, in parts of its length.
double part_inside(const ConvexPolyhedron& body, const Vec3<double>& a, const Vec3<double>& b) {
  double from = 0, to = 1;
  for (int f = 0; f < body.faces() && from < to; ++f) {
    const auto& face = body.face(f);
    const double h_a = face.normal.dot(a) - face.offset, h_b = face.normal.dot(b) - face.offset;
    if (h_a >= 0 && h_b >= 0) return 0;
    if (h_a > 0) from = std::max(from, h_a / (h_a - h_b));
    if (h_b > 0) to = std::min(to, h_a / (h_a - h_b));
  }
  return std::max(0.0, to - from);
}

}  // namespace

const char* name(Kind kind) {
  switch (kind) {
    case Kind::none:
      break;
    case Kind::face_of_A:
      return "face of A";
    case Kind::face_of_B:
      return "face of B";
    case Kind::edge_pair:
      return "pair of edges";
    case Kind::edge_of_A:
      return "edge of A";
    case Kind::edge_of_B:
      return "edge of B";
  }
  return "none";
}

// From B to A.
std::optional<Vec3<double>> WitnessCache::normal(const Witness& plane,
                                                 const Pose<double>& X_BA) const {
  if (plane.kind == Kind::face_of_A) return Vec3<double>(-(X_BA.R * A_->face(plane.A).normal));
  if (plane.kind == Kind::face_of_B) return B_->face(plane.B).normal;
  if (plane.kind != Kind::edge_pair) return std::nullopt;
  const Vec3<double> n = (X_BA.R * direction_of(*A_, plane.A)).cross(direction_of(*B_, plane.B));
  const double size = n.norm();
  if (!(size > kParallel)) return std::nullopt;
  return Vec3<double>((plane.flipped ? -1 : 1) / size * n);
}

// From where the last climbs ended.
double WitnessCache::separation(const Vec3<double>& n, const Pose<double>& X_BA) {
  vertex_A_ = A_->supporting_vertex(-(X_BA.R.transpose() * n), vertex_A_).vertex;
  vertex_B_ = B_->supporting_vertex(n, vertex_B_).vertex;
  return n.dot(X_BA * A_->vertex(vertex_A_) - B_->vertex(vertex_B_));
}

std::optional<WitnessCache::Plane> WitnessCache::rebuilt(const Witness& plane,
                                                         const Pose<double>& X_BA) {
  const std::optional<Vec3<double>> n = normal(plane, X_BA);
  if (!n) return std::nullopt;
  return Plane{plane, *n, separation(*n, X_BA)};
}

WitnessCache::Plane WitnessCache::best_plane(const Pose<double>& X_BA) {
  Plane best;
  best.separation = -std::numeric_limits<double>::infinity();
  const auto offer = [&](const Witness& witness) {
    const std::optional<Plane> plane = rebuilt(witness, X_BA);
    if (plane && plane->separation > best.separation) best = *plane;
  };
  for (int f = 0; f < A_->faces(); ++f) offer({Kind::face_of_A, f, -1});
  for (int f = 0; f < B_->faces(); ++f) offer({Kind::face_of_B, -1, f});
  for (int a = 0; a < A_->edges(); ++a)
    for (int b = 0; b < B_->edges(); ++b)
      for (const bool flipped : {false, true}) offer({Kind::edge_pair, a, b, flipped});
  return best;
}

double WitnessCache::length_inside(const Witness& edge, const Pose<double>& X_BA) const {
  if (edge.kind == Kind::edge_of_A) {
    const auto& ends = A_->edge(edge.A).vertices;
    const Vec3<double> a = X_BA * A_->vertex(ends[0]), b = X_BA * A_->vertex(ends[1]);
    return part_inside(*B_, a, b) * (b - a).norm();
  }
  const auto& ends = B_->edge(edge.B).vertices;
  const Pose<double> X_AB = inverse(X_BA);
  const Vec3<double> a = X_AB * B_->vertex(ends[0]), b = X_AB * B_->vertex(ends[1]);
  return part_inside(*A_, a, b) * (b - a).norm();
}

// The edge of which most is inside the other body: it will stay there longest.
Witness WitnessCache::best_edge(const Pose<double>& X_BA) const {
  Witness best;
  double longest = 0;
  const auto offer = [&](const Witness& edge) {
    const double length = length_inside(edge, X_BA);
    if (length <= longest) return;
    longest = length;
    best = edge;
  };
  for (int a = 0; a < A_->edges(); ++a) offer({Kind::edge_of_A, a, -1});
  for (int b = 0; b < B_->edges(); ++b) offer({Kind::edge_of_B, -1, b});
  return best;
}

void WitnessCache::take(const Plane& plane) {
  overlap_.separation = plane.separation;
  overlap_.normal = plane.normal;
}

bool WitnessCache::still_holds(const Pose<double>& X_BA) {
  const Kind kind = overlap_.witness.kind;
  if (kind == Kind::none) return false;
  if (kind == Kind::edge_of_A || kind == Kind::edge_of_B) {
    if (!(length_inside(overlap_.witness, X_BA) > 0)) return false;
    if (const auto plane = rebuilt(plane_, X_BA)) take(*plane);
    return true;
  }
  const auto plane = rebuilt(overlap_.witness, X_BA);
  if (!plane || !(plane->separation >= 0)) return false;
  take(*plane);
  return true;
}

void WitnessCache::search(const Pose<double>& X_BA) {
  const Plane plane = best_plane(X_BA);
  plane_ = plane.witness;
  take(plane);
  overlap_.separated = plane.separation >= 0;
  overlap_.witness = overlap_.separated ? plane.witness : best_edge(X_BA);
}

const Overlap& WitnessCache::update(const Pose<double>& X_BA) {
  overlap_.hit = still_holds(X_BA);
  if (!overlap_.hit) search(X_BA);
  ++(overlap_.hit ? hits_ : misses_);
  return overlap_;
}

}  // namespace oloid::proximity
