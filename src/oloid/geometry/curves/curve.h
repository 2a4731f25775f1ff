// Curves in space: circles, ellipses, helices, chains of straight lines, Bezier and NURBS curves;
// borders of trimmed patches, and where two implicit surfaces meet.
//
// A curve is a chain of pieces, each a chart with one coordinate t from 0 to 1; it has ends, or
// closes. Leaving a piece is an event, as on a surface (atlas.h): the next one takes over a little
// beyond its end (1e-10 of a piece if G2, else 1e-13), so that a contact that stops there does not
// chatter. docs/theory/surfaces.md eqs. C1 to C3.
#pragma once

#include <array>
#include <memory>
#include <numbers>
#include <variant>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/base/scalar.h"
#include "oloid/geometry/bezier/bezier_curve.h"
#include "oloid/geometry/bezier/nurbs.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"

namespace oloid::geometry {

class ImplicitField;
class Patchwork;

// A point with its derivatives by t. [m]
template <class S, int Order>
using CurveJet = std::array<Vec3<S>, static_cast<std::size_t>(Order) + 1>;

// x = centre + a cos θ + b sin θ + rise θ: circle, ellipse and helix. θ runs evenly over t.
struct Winding {
  Vec3<double> centre, a, b;                   // [m]
  Vec3<double> rise = Vec3<double>::Zero();    // [m/rad]
  double from = 0, to = 2 * std::numbers::pi;  // [rad]
};

template <int Order, class S>
CurveJet<S, Order> jet(const Winding& piece, const S& t) {
  using std::cos;
  using std::sin;
  const double rate = piece.to - piece.from;
  const S angle = S(piece.from) + S(rate) * t;
  const S c = cos(angle), s = sin(angle);
  const S turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  CurveJet<S, Order> x;
  double factor = 1;
  for (std::size_t k = 0; k <= Order; ++k) {
    for (int i = 0; i < 3; ++i)
      x[k](i) = S(factor * piece.a(i)) * turned[k][0] + S(factor * piece.b(i)) * turned[k][1];
    factor *= rate;
  }
  for (int i = 0; i < 3; ++i) {
    x[0](i) = x[0](i) + S(piece.centre(i)) + S(piece.rise(i)) * angle;
    if constexpr (Order >= 1) x[1](i) = x[1](i) + S(rate * piece.rise(i));
  }
  return x;
}
template <int Order, class S>
CurveJet<S, Order> jet(const BezierCurve<3>& piece, const S& t) {
  return curve_jet<Order>(piece, t);
}

// A curve in the (u, v) of a patch, seen on the surface. jet for other scalars than double and
// Interval: patch_curve.h.
struct PatchCurve {
  std::shared_ptr<const Patchwork> surface;
  int chart;
  BezierCurve<2> path;
};
template <int Order, class S>
CurveJet<S, Order> jet(const PatchCurve& piece, const S& t);

// Where two surfaces f = 0 and g = 0 meet, over a chord: x(t) is the point of both in the plane
// through start + t chord across the chord, near start + t chord + 4 t (1 − t) bow. Newton's method
// finds it to round-off. jet for other scalars than double and Interval: traced_curve.h.
struct TracedCurve {
  std::shared_ptr<const ImplicitField> f, g;
  Vec3<double> start, chord, bow;  // [m]; the bow lies across the chord
};
template <int Order, class S>
CurveJet<S, Order> jet(const TracedCurve& piece, const S& t);

using CurvePiece = std::variant<Winding, BezierCurve<3>, PatchCurve, TracedCurve>;

template <int Order, class S>
CurveJet<S, Order> jet(const CurvePiece& piece, const S& t) {
  return std::visit([&](const auto& p) { return jet<Order>(p, t); }, piece);
}

// The moving frame of a curve, independent of its parameter. λ is the arc length.
//   dT/dλ = κ N,   dN/dλ = −κ T + τ B,   dB/dλ = −τ N
template <class S>
struct Frenet {
  Vec3<S> tangent, normal, binormal;
  S curvature, torsion;  // κ ≥ 0, τ [1/m]
  S curvature_rate;      // dκ/dλ [1/m²]
  S speed;               // |dx/dt| [m]
};

// Where the curve is straight, up to 1e-12, κ = τ = 0 and the normal is the one nearest to the
// reference direction, which must not run along the curve.
//   κ = |x' × x''| / |x'|³,   τ = det(x', x'', x''') / |x' × x''|²
template <class S>
Frenet<S> frenet(const CurveJet<S, 3>& x, const Vec3<double>& reference) {
  using std::sqrt;
  constexpr double kStraight = 1e-24;
  const S square = x[1].squaredNorm();
  const Vec3<S> across = x[1].cross(x[2]), across_rate = x[1].cross(x[3]);
  const S area = across.squaredNorm();
  const auto bent = area > S(kStraight) * square * (square + x[2].squaredNorm());
  Frenet<S> f;
  f.speed = sqrt(square);
  const S inverse = S(1.0) / f.speed;
  f.tangent = inverse * x[1];
  Vec3<S> towards = reference.cast<S>();
  towards = f.tangent.cross(towards);  // a binormal
  for (int i = 0; i < 3; ++i) towards(i) = select(bent, across(i), towards(i));
  f.binormal = (S(1.0) / sqrt(towards.squaredNorm())) * towards;
  f.normal = f.binormal.cross(f.tangent);
  const S safe = select(bent, area, S(1.0)), root = sqrt(safe), zero = S(0.0);
  const S inverse3 = inverse * inverse * inverse;
  const S rate = across.dot(across_rate) / root * inverse3 * inverse -
                 S(3.0) * root * x[1].dot(x[2]) * inverse3 * inverse3;
  f.curvature = select(bent, S(root * inverse3), zero);
  f.torsion = select(bent, S(across.dot(x[3]) / safe), zero);
  f.curvature_rate = select(bent, rate, zero);
  return f;
}

struct CurveLocation {
  int piece = 0;
  double t = 0;
};
struct CurveCrossing {
  CurveLocation to;
  Joint joint;  // G0: a corner; G1: one tangent; G2: one curvature
};
struct CurveEnd {
  CurveLocation at;
};
using CurveExit = std::variant<CurveCrossing, CurveEnd>;

// A thin wire of line density 1.
struct Wire {
  double length;         // [m]
  Vec3<double> centre;   // [m]
  Mat3<double> inertia;  // [m³], about the centre: times kg/m it is the inertia in kg m²
};

class Curve {
 public:
  // Each piece starts where the one before ends, to 1e-9 of the size; if the last ends where the
  // first starts, the curve is closed.
  static Result<Curve> make(std::vector<CurvePiece> pieces);

  static Result<Curve> circle(const Vec3<double>& centre, const Vec3<double>& axis, double radius);
  // centre + a cos θ + b sin θ: an ellipse if a ⊥ b, and if not, too.
  static Result<Curve> ellipse(const Vec3<double>& centre, const Vec3<double>& a,
                               const Vec3<double>& b, double from = 0,
                               double to = 2 * std::numbers::pi);
  // About z, from (radius, 0, 0) upwards by `pitch` for each turn; right-handed if pitch > 0.
  static Result<Curve> helix(double radius, double pitch, double turns);
  static Result<Curve> polyline(const std::vector<Vec3<double>>& points, bool closed = false);
  // Rational if there are weights, one for each point.
  static Result<Curve> bezier(const std::vector<Vec3<double>>& points,
                              const std::vector<double>& weights = {});
  static Result<Curve> nurbs(const KnotVector& knots, const std::vector<Vec3<double>>& points,
                             const std::vector<double>& weights = {});

  int pieces() const { return static_cast<int>(links_.size()); }
  const CurvePiece& piece(int i) const { return links_[static_cast<std::size_t>(i)].piece; }
  bool closed() const { return closed_; }
  // How smoothly piece i goes over into the next one, as measured.
  Joint joint_after(int i) const { return links_[static_cast<std::size_t>(i)].joint; }

  template <int Order, class S>
  CurveJet<S, Order> jet(int i, const S& t) const {
    return geometry::jet<Order>(piece(i), t);
  }
  template <class S>
  Frenet<S> frenet(int i, const S& t) const {
    return geometry::frenet(jet<3>(i, t), links_[static_cast<std::size_t>(i)].reference);
  }
  Vec3<double> point(const CurveLocation& q) const { return jet<0>(q.piece, q.t)[0]; }

  double margin(const CurveLocation& q) const;  // in t; > 0 inside the piece
  CurveExit leave(const CurveLocation& q) const;
  // A nearby point: the nearest, unless several are about as near.
  CurveLocation near(const Vec3<double>& p) const;
  std::vector<CurveLocation> seeds() const;
  double length() const { return wire().length; }
  Wire wire() const;
  Box box() const;  // at most 1e-9 of its size too large

  // Points that straight lines join within `tolerance` [m] of the curve; a closed one ends where it
  // starts.
  std::vector<Vec3<double>> outline(double tolerance) const;

 private:
  struct Link {
    CurvePiece piece;
    Joint joint = Joint::G0;      // to the next piece
    double pace = 1;              // of t there to t here, for equal speeds
    Vec3<double> reference = {};  // for normals where the piece is straight
  };
  Curve() = default;
  bool joined(int i, bool at_end) const { return closed_ || (at_end ? i + 1 < pieces() : i > 0); }
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  double slack(int i, bool at_end) const;

  std::vector<Link> links_;
  bool closed_ = false;
  double size_ = 0;  // [m]
};

}  // namespace oloid::geometry
