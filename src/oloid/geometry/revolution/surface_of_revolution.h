// Surfaces swept by a chain of rational Bezier spans that turns about an axis, after an affine map.
//
//   x = O + M (ρ cos θ, ρ sin θ, ζ),   (ρ, ζ)(t) the profile, ρ ≥ 0,   det M > 0
//
// The body lies to the LEFT of the profile as it is run through, ρ to the right and ζ upwards: a
// convex body's profile climbs from its lower pole to its upper one, a ring's runs counter-
// clockwise. Then c_u × c_v points out of the body; as a cavity it points the other way. That the
// profile does not cross itself is not checked.
//
// Charts:
// - Span i is chart i, a band: u = θ (running the other way round in a cavity), without end; v = t
//   from 0 to 1. It is joined to the next span's band; a contact crosses the seam 1e-13 beyond it,
//   so that it lies inside the next band by about as much and one that runs along a seam does not
//   chatter.
// - Where the profile meets the axis at a right angle there is a pole, and round it a cap (chart n
//   at the start of n spans, n + 1 at their end): the graph ζ = h(ρ) over the unit disc
//   u² + v² ≤ 1 of points (ρ cos θ, ρ sin θ) / radius, u and v exchanged where the normal points
//   downwards. It reaches to slopes of 60° or nearly to the end of the span; the band goes on
//   within it down to half its parameter, so that neither change is followed by another at once.
//   Derivatives are those of the surface to order 2. Third derivatives exist at the pole if h is
//   even there, as for a circle; otherwise they are bounded, and 0 is given at the pole itself.
// - Where the profile meets the axis at another angle (a tip) the surface ends 1e-3 of the span
//   before it, at an open border. A profile that ends elsewhere has an open border there.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/geometry/bezier/bezier_curve.h"
#include "oloid/geometry/core/atlas.h"
#include "oloid/geometry/core/box.h"
#include "oloid/geometry/core/jet.h"
#include "oloid/geometry/core/tip.h"
#include "oloid/geometry/display/tile.h"
#include "oloid/geometry/measure/solid.h"
#include "oloid/geometry/revolution/pole_cap.h"
#include "oloid/geometry/revolution/revolution.h"

namespace oloid::geometry {

// p ↦ O + M p, det M > 0.
struct AffineMap {
  Vec3<double> O = Vec3<double>::Zero();      // [m]
  Mat3<double> M = Mat3<double>::Identity();  // no unit: profiles are in metres
};

class SurfaceOfRevolution {
 public:
  // Ends of spans may be 1e-9 of the size apart or off the axis, and poles that much askew: they
  // are then moved onto each other, onto the axis and straightened.
  static Result<SurfaceOfRevolution> make(std::vector<BezierCurve<2>> profile, bool cavity = false,
                                          const AffineMap& placement = {});

  int spans() const { return static_cast<int>(bands_.size()); }
  const BezierCurve<2>& span(int i) const { return bands_[static_cast<std::size_t>(i)].curve; }
  const AffineMap& placement() const { return placement_; }
  bool cavity() const { return sense_ < 0; }
  // The caps' charts, or none.
  ChartId cap_at_start() const { return caps_[0] ? ChartId{spans()} : ChartId{}; }
  ChartId cap_at_end() const { return caps_[1] ? ChartId{spans() + 1} : ChartId{}; }
  const PoleCap& cap(int chart) const { return *caps_[static_cast<std::size_t>(chart - spans())]; }
  // Where v runs in the band of a span.
  Extent extent(int i) const {
    const Band& band = bands_[static_cast<std::size_t>(i)];
    return {band.low.v, band.high.v};
  }
  Joint joint_after(int i) const { return bands_[static_cast<std::size_t>(i)].high.joint; }

  template <int Order, class S>
  Jet<S, Order> jet(int chart, const Uv<S>& q) const {
    Jet<S, Order> x = chart < spans() ? band_jet<Order>(bands_[static_cast<std::size_t>(chart)], q)
                                      : cap(chart).template jet<Order>(q);
    if (!placed_) return x;
    for (auto& term : x.terms) {
      const Vec3<S> p = term;
      for (int i = 0; i < 3; ++i) {
        term(i) = S(placement_.M(i, 0)) * p(0) + S(placement_.M(i, 1)) * p(1) +
                  S(placement_.M(i, 2)) * p(2);
      }
    }
    for (int i = 0; i < 3; ++i) x.d(0, 0)(i) = S(placement_.O(i)) + x.d(0, 0)(i);
    return x;
  }

  double margin(const Location& q) const;
  ChartExit leave(const Location& q) const;
  // On the surface itself: the point itself. Elsewhere what is nearest before the affine map.
  Location near(const Vec3<double>& p) const;
  std::vector<Location> seeds() const;
  // Known from the control points; open borders count as closed by flat discs, tips as reached.
  bool is_convex() const { return convex_; }
  double bounding_radius() const { return radius_; }  // at most 1e-6 too large
  Box box() const { return box_; }
  // Of closed surfaces: rings, and profiles with both ends on the axis (tips included).
  Result<Solid> solid() const;
  // Each span times four quarter turns; at a pole one side shrinks to a point.
  std::vector<Tile> tiles(double reach) const;
  Location on_tile(const SpanTile& tile, double s, double t) const;
  std::vector<Edge> edges() const;  // corners of the profile and open rims
  std::vector<Tip> tips() const;

 private:
  enum class Beyond { band, cap, tip, nothing };
  struct Border {
    Beyond beyond = Beyond::nothing;
    double v = 0;     // where the working domain ends
    int chart = -1;   // band or cap beyond it
    double pace = 1;  // of v there to v here, for equal speeds over the surface
    Joint joint = Joint::G2;
  };
  struct Band {
    BezierCurve<2> curve;
    Border low, high;
  };

  template <int Order, class S>
  Jet<S, Order> band_jet(const Band& band, const Uv<S>& q) const {
    const auto c = curve_jet<Order>(band.curve, S(q.y()));
    Meridian<S, Order> m;
    for (std::size_t k = 0; k <= Order; ++k) {
      m.rho[k] = c[k](0);
      m.zeta[k] = c[k](1);
    }
    return revolve<Order>(m, S(q.x()), sense_);
  }
  SurfaceOfRevolution() = default;
  void join();
  void measure_size();
  Location on_span(int i, double t, const Vec2<double>& direction) const;
  Location in_cap(int chart, double rho, const Vec2<double>& direction) const;
  ChartExit across(const Location& q, const Border& border, bool high) const;

  std::vector<Band> bands_;
  std::array<std::optional<PoleCap>, 2> caps_;
  AffineMap placement_;
  Mat3<double> M_inverse_ = Mat3<double>::Identity();
  bool placed_ = false;  // the map is not the identity
  double sense_ = 1;     // −1: a cavity
  bool ring_ = false;
  bool convex_ = false;
  double size_ = 0;    // [m], of the profile
  double radius_ = 0;  // [m]
  Box box_;
};

}  // namespace oloid::geometry
