// An edge of a body: a curve where its surface is sharp or ends, with the faces beside it.
//
// Seen from outside and looking along the curve, one face lies to its left and one to its right. A
// border has only the left one, so that it runs counter-clockwise round its face. Where the edge
// lies on its faces is plain data; shape.h evaluates it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "oloid/geometry/core/chart_segment.h"
#include "oloid/geometry/curves/curve.h"

namespace oloid::geometry {

// On a hull of circles: beside a circle, between two angles, on one of its runs of strips, or on
// the disc inside it.
struct HullFlank {
  int circle;
  int run;          // -1: the disc
  double from, to;  // [rad]
  double angle(double s) const { return s == 1 ? to : from + (to - from) * s; }
  friend bool operator==(const HullFlank&, const HullFlank&) = default;
};
// On a trimmed patch: a part of a curve of its trimming loops.
struct TrimmingFlank {
  ChartId chart;
  int loop, curve;
  double from, to;  // parameters of the curve
  double parameter(double s) const { return s == 1 ? to : from + (to - from) * s; }
  friend bool operator==(const TrimmingFlank&, const TrimmingFlank&) = default;
};
// On an implicit surface, whose locations are points: the edge's own.
struct ImplicitFlank {
  ChartId face;
  friend bool operator==(const ImplicitFlank&, const ImplicitFlank&) = default;
};

// Where an edge lies on a face; monostate: there is none.
using EdgeFlank =
    std::variant<std::monostate, ChartSegment, HullFlank, TrimmingFlank, ImplicitFlank>;

// Where an edge fades out because its faces come into one plane, the surface goes on beyond it, on
// a straight line in a chart.
struct Fading {
  ChartSegment line;
  double length;  // [m], of the line

  // At a distance [m] from the edge's end: neither at its very end, where there is no normal, nor
  // at the other end of the line.
  Location at(double distance) const { return line.at(std::clamp(distance / length, 1e-9, 0.5)); }
};

enum class EdgeFace { left, right };

struct Edge {
  Curve curve;  // one piece, so that s is its t, from 0 to 1
  EdgeFlank left = {}, right = {};
  std::array<std::optional<Fading>, 2> beyond = {};  // by start and end

  const EdgeFlank& flank(EdgeFace face) const { return face == EdgeFace::left ? left : right; }
  bool has(EdgeFace face) const { return !std::holds_alternative<std::monostate>(flank(face)); }
};

// What an edge is like at one place: normals that its point can have lie between those of its
// faces.
struct EdgeSection {
  Vec3<double> point, tangent;  // [m], unit
  Vec3<double> left;            // outward unit normals
  std::optional<Vec3<double>> right = {};

  // From the left normal to the right one: positive where the body is convex. [rad]
  double angle() const {
    return right ? std::atan2(tangent.dot(left.cross(*right)), left.dot(*right)) : 0;
  }
  bool convex() const { return angle() > 0; }
  // Whether a unit direction lies in the normal cone of a convex edge; `slack` in radians.
  bool supports(const Vec3<double>& n, double slack = 1e-9) const {
    if (!right || std::abs(n.dot(tangent)) > slack) return false;
    return tangent.dot(left.cross(n)) >= -slack && tangent.dot(n.cross(*right)) >= -slack &&
           n.dot(left + *right) > 0;
  }
};

}  // namespace oloid::geometry
