#include "oloid/geometry/implicit/implicit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "oloid/geometry/analytic/sphere_charts.h"
#include "oloid/geometry/core/edge.h"
#include "oloid/geometry/curves/traced_curve.h"
#include "oloid/geometry/implicit/implicit_edges.h"
#include "oloid/geometry/implicit/implicit_tools.h"
#include "oloid/geometry/measure/radial_integral.h"

namespace oloid::geometry {

using namespace implicit_tools;

Result<Implicit> Implicit::make(ImplicitField f, const ImplicitDomain& domain) {
  std::vector<ImplicitField> faces;
  faces.push_back(std::move(f));
  Result<ImplicitBody> body = search(std::move(faces), domain);
  if (!body) return Unexpected{body.error()};
  return Implicit(std::move(body).value());
}

Result<ImplicitIntersection> ImplicitIntersection::make(std::vector<ImplicitField> faces,
                                                        const ImplicitDomain& domain) {
  Result<ImplicitBody> body = search(std::move(faces), domain);
  if (!body) return Unexpected{body.error()};
  return ImplicitIntersection(std::move(body).value());
}

ImplicitIntersection::ImplicitIntersection(ImplicitBody body)
    : ImplicitBody(std::move(body)),
      edges_(std::make_shared<const std::vector<Edge>>(traced_edges())) {}

std::vector<Edge> ImplicitIntersection::edges() const { return *edges_; }

std::vector<Edge> ImplicitBody::traced_edges() const {
  return trace_edges(faces_, domain_.open ? domain_.box : grown(box_, 1e-6 * size_), size_);
}

double ImplicitBody::margin_against_others(int face, const Vec3<double>& p) const {
  double margin = 1;
  for (int j = 0; j < faces(); ++j) {
    if (j == face) continue;
    const FirstOrder at = first_order(field(j), p);
    // Where the gradient vanishes, inside, the face is far away.
    const double scale = at.gradient.norm() * size_;
    margin = std::min(margin, scale > 0 ? -at.f / scale : (at.f < 0 ? 1.0 : -1.0));
  }
  return margin;
}

// Newton's method for two faces at once, with the least step that satisfies both to first order;
// then, if that leads outside of a third one, for all three.
Vec3<double> ImplicitBody::nearest_edge(int face, const Vec3<double>& p) const {
  // The other face that a point is farthest outside of; not `but`.
  const auto farthest = [&](const Vec3<double>& q, int but) {
    std::pair<int, double> found{-1, -kInfinity};
    for (int j = 0; j < faces(); ++j) {
      if (j == face || j == but) continue;
      const FirstOrder at = first_order(field(j), q);
      const double distance = at.f / at.gradient.norm();
      if (distance > found.second) found = {j, distance};
    }
    return found;
  };
  const int other = farthest(p, -1).first;
  if (other < 0) return p;
  // The point of two faces, or three, if it is found.
  const auto common = [&](int third, Vec3<double> q) -> std::optional<Vec3<double>> {
    for (int i = 0; i < 20; ++i) {
      const FirstOrder a = first_order(field(face), q), b = first_order(field(other), q);
      FirstOrder c{0, a.gradient.cross(b.gradient)};
      if (third >= 0) c = first_order(field(third), q);
      const double volume = std::abs(c.gradient.dot(a.gradient.cross(b.gradient)));
      const double sine = volume / (a.gradient.norm() * b.gradient.norm() * c.gradient.norm());
      if (!(sine > 1e-12)) return std::nullopt;  // they touch, and do not cross
      const Vec3<double> step =
          detail::solve_rows<double>(a.gradient, b.gradient, c.gradient, {-a.f, -b.f, -c.f});
      if (!step.allFinite() || step.norm() > size_) return std::nullopt;
      q += step;
      if (step.norm() <= 4 * kEps * (q.norm() + size_)) break;
    }
    return q;
  };
  const Vec3<double> q = common(-1, p).value_or(p);
  const auto [third, outside] = farthest(q, other);
  return outside > 1e-9 * size_ ? common(third, q).value_or(q) : q;
}

Location ImplicitBody::near(const Vec3<double>& p) const {
  // Functions may be anything far away: begin inside the box, or near it.
  Vec3<double> start = p;
  if (!domain_.open) {
    const Box room = grown(box_, 0.1 * size_);
    start = p.cwiseMax(room.low).cwiseMin(room.high);
  }
  if (!start.allFinite()) start = domain_.box.centre();
  const Location* best = nullptr;
  Location found;
  double least = kInfinity;
  for (int face = 0; face < faces(); ++face) {
    const std::optional<Vec3<double>> zero = find_zero(field(face), start, 0.5 * size_, size_);
    if (!zero || (!domain_.open && !grown(box_, 1e-9 * size_).contains(*zero))) continue;
    if (!(first_order(field(face), *zero).gradient.norm() > 0)) continue;
    const double distance = (*zero - p).norm();
    if (distance >= least || margin_against_others(face, *zero) < 0) continue;
    least = distance;
    found = {ChartId{face}, *zero};
    best = &found;
  }
  if (best) return found;
  return *std::min_element(seeds_.begin(), seeds_.end(), [&](const Location& a, const Location& b) {
    return (a.x - p).squaredNorm() < (b.x - p).squaredNorm();
  });
}

namespace {

// How far a ray from inside a box goes in it.
double way_out(const Box& box, const Vec3<double>& origin, const Vec3<double>& direction) {
  double exit = kInfinity;
  for (int i = 0; i < 3; ++i) {
    if (direction(i) == 0) continue;
    const double wall = direction(i) > 0 ? box.high(i) : box.low(i);
    exit = std::min(exit, (wall - origin(i)) / direction(i));
  }
  return exit;
}

}  // namespace

RayHit ImplicitBody::ray(const Vec3<double>& origin, const Vec3<double>& direction) const {
  const double exit = way_out(grown(box_, 0.01 * size_), origin, direction);
  RayHit hit;
  const auto along = [&](double t) {
    const Vec3<double> p = origin + t * direction;
    OnLine most = on_line(faces_[0], p, direction);
    hit.face = 0;
    for (std::size_t n = 1; n < faces_.size(); ++n) {
      const OnLine at = on_line(faces_[n], p, direction);
      if (at.f > most.f) {
        most = at;
        hit.face = static_cast<int>(n);
      }
    }
    return most;
  };
  if (!(along(0).f < 0) || !(along(exit).f > 0)) return hit;
  hit.r = bracketed_newton(along, 0.0, exit);
  const Vec3<double> p = origin + hit.r * direction;
  const OnLine at = along(hit.r);
  hit.fair = at.slope > 1e-9 * first_order(field(hit.face), p).gradient.norm();
  return hit;
}

RayHit ImplicitBody::ray_to_face(int face, const Vec3<double>& origin,
                                 const Vec3<double>& direction) const {
  RayHit hit{0, face, false};
  const auto along = [&](double t) {
    return on_line(field(face), origin + t * direction, direction);
  };
  double exit = way_out(grown(box_, 0.01 * size_), origin, direction);
  if (!(along(exit).f > 0)) exit *= 4;
  if (!(along(0).f < 0) || !(along(exit).f > 0)) return hit;
  hit.r = bracketed_newton(along, 0.0, exit);
  hit.fair = std::isfinite(hit.r);
  return hit;
}

bool ImplicitBody::is_star_shaped_about(const Vec3<double>& centre) const {
  constexpr int kRays = 10, kSteps = 48;  // a side of each face of the cube; along a ray
  const auto inside = [&](const Vec3<double>& p) {
    return std::all_of(faces_.begin(), faces_.end(),
                       [&](const ImplicitField& f) { return f.value(p) <= 0; });
  };
  if (!box_.contains(centre) || !inside(centre)) return false;
  for (const Location& q : seeds_) {  // also on pieces that no other ray meets
    const Vec3<double> off = q.x - centre;
    const RayHit hit = ray(centre, off.normalized());
    if (!hit.fair || std::abs(hit.r - off.norm()) > 1e-6 * size_) return false;
  }
  for (int face = 0; face < sphere_charts::kCharts; ++face) {
    for (int i = 0; i < kRays; ++i) {
      for (int j = 0; j < kRays; ++j) {
        const Vec3<double> direction =
            sphere_charts::cube_direction(face, false, (i + 0.5) / kRays, (j + 0.5) / kRays)
                .normalized();
        const RayHit hit = ray(centre, direction);
        if (!hit.fair) return false;
        for (int k = 1; k < kSteps; ++k) {  // inside before, outside behind
          const double t = hit.r * 2 * k / kSteps;
          const Vec3<double> p = centre + t * direction;
          if (k == kSteps / 2 || !domain_.box.contains(p)) continue;
          if (inside(p) != (k < kSteps / 2)) return false;
        }
      }
    }
  }
  return true;
}

Result<Solid> ImplicitBody::solid() const {
  if (domain_.open) return refuse("the surface is open", "specify mass and inertia instead");
  const auto not_star_shaped = [] {
    return refuse(
        "the body is not star-shaped: no point was found from which every ray meets the surface "
        "exactly once",
        "specify mass and inertia instead");
  };
  if (!star_centre_) return not_star_shaped();
  const Rays rays = [this](const Vec3<double>& d) { return ray(*star_centre_, d); };
  const Result<SurfaceIntegral> sum = radial_integral(rays, faces() > 1);
  if (!sum) return Unexpected{sum.error()};
  return sum->solid(*star_centre_);
}

namespace {

// An open surface in a box, if it is a height along an axis: f changes sign at most once in every
// column, as far as samples tell, and always in the same sense. Its tile, with f rising along the
// third axis, out of the body.
std::optional<HeightTile> height_in_box(const ImplicitField& f, const Box& box, int axis) {
  constexpr int n = 24;  // columns a side, and samples of a column
  const int across = (axis + 1) % 3, beside = (axis + 2) % 3;
  double rise = 0;  // of f along the axis, its sign
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const auto at = [&](int k) {
        Vec3<double> p;
        p(across) = double(i) / n, p(beside) = double(j) / n, p(axis) = double(k) / n;
        return f.value(Vec3<double>(box.low + box.size().cwiseProduct(p)));
      };
      int changes = 0;
      for (int k = 0; k < n; ++k) changes += (at(k) > 0) != (at(k + 1) > 0);
      const double change = at(n) - at(0);
      if (changes > 1 || (changes == 1 && change * rise < 0)) return std::nullopt;
      if (changes == 1) rise = change;
    }
  }
  if (rise == 0) return std::nullopt;
  HeightTile tile{box.centre(), Mat3<double>::Zero()};
  const Vec3<double> half = 0.5 * box.size();
  tile.axes.col(0) = half(across) * Vec3<double>::Unit(across);
  tile.axes.col(1) = half(beside) * Vec3<double>::Unit(beside);
  tile.axes.col(2) = (rise > 0 ? 1 : -1) * half(axis) * Vec3<double>::Unit(axis);
  if (rise < 0) tile.axes.col(0).swap(tile.axes.col(1));
  return tile;
}

// A place in a column, from −1 to 1 along each axis.
Vec3<double> in_column(const HeightTile& tile, double s, double t, double height) {
  return tile.middle + tile.axes * Vec3<double>(2 * s - 1, 2 * t - 1, height);
}

// The direction of a ray of a tile.
Vec3<double> ray_of(const CubeTile& tile, double s, double t) {
  return sphere_charts::cube_direction(tile.side, false, tile.low.x() + tile.size.x() * s,
                                       tile.low.y() + tile.size.y() * t)
      .normalized();
}

}  // namespace

std::vector<Tile> ImplicitBody::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  if (!star_centre_) {
    for (const int axis : {2, 0, 1}) {
      if (!domain_.open || faces() > 1 || !result.empty()) break;
      if (const auto tile = height_in_box(field(0), domain_.box, axis))
        result.push_back({*tile, 4, true});
    }
    return result;
  }
  if (faces() > 1) return trimmed_tiles();
  result.reserve(sphere_charts::kCharts);
  for (int side = 0; side < sphere_charts::kCharts; ++side) result.push_back({CubeTile{side}});
  return result;
}

// For each side of the cube the rectangle of rays that may meet a face, which goes on smoothly
// beyond its edges and is trimmed there.
std::vector<Tile> ImplicitBody::trimmed_tiles() const {
  constexpr int n = 48;  // rays a side
  std::vector<Tile> result;
  for (int side = 0; side < sphere_charts::kCharts; ++side) {
    std::vector<Box> met(faces_.size());
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        const Vec3<double> st(double(i) / n, double(j) / n, 0);
        const RayHit hit = ray(*star_centre_, ray_of({side}, st.x(), st.y()));
        if (hit.fair) met[static_cast<std::size_t>(hit.face)].add(st);
      }
    }
    for (int face = 0; face < faces(); ++face) {
      const Box& found = met[static_cast<std::size_t>(face)];
      if (!(found.low.x() <= found.high.x())) continue;
      const Vec3<double> low = (found.low.array() - 1.0 / n).max(0.0);
      const Vec3<double> size = Vec3<double>((found.high.array() + 1.0 / n).min(1.0)) - low;
      result.push_back({CubeTile{side, low.head<2>(), size.head<2>(), face}, 4, true});
    }
  }
  return result;
}

Location ImplicitBody::on_tile(const CubeTile& tile, double s, double t) const {
  const Vec3<double> d = ray_of(tile, s, t), &centre = *star_centre_;
  const RayHit hit = faces() == 1 ? ray(centre, d) : ray_to_face(tile.face, centre, d);
  if (!hit.fair) return near(centre + size_ * d);
  return {ChartId{tile.face}, centre + hit.r * d};
}

// Where f changes sign, or the end of the column that is nearer to that.
Location ImplicitBody::on_tile(const HeightTile& tile, double s, double t) const {
  const auto f = [&](double height) { return field(0).value(in_column(tile, s, t, height)); };
  double low = -1, high = 1;
  if (f(low) > 0) return {ChartId{0}, in_column(tile, s, t, low)};
  if (f(high) < 0) return {ChartId{0}, in_column(tile, s, t, high)};
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0 ? low : high) = middle;
  }
  return {ChartId{0}, in_column(tile, s, t, 0.5 * (low + high))};
}

double ImplicitBody::kept(const Tile& tile, double s, double t) const {
  if (const auto* height = std::get_if<HeightTile>(&tile.place)) {
    const auto f = [&](double h) { return field(0).value(in_column(*height, s, t, h)); };
    return std::min(f(1), -f(-1));
  }
  const CubeTile& rays = std::get<CubeTile>(tile.place);
  const Location q = on_tile(rays, s, t);
  return q.chart.index == rays.face ? margin_against_others(rays.face, q.x) : -1.0;
}

// |f| / L is less than the distance to f = 0 if |∇f| ≤ L all the way there; within reach r of the
// box the least of that and r is.
double ImplicitBody::distance_bound_of_face(const ImplicitField& f, const Box& box) const {
  if (!f.is_bounded()) return 0;
  const Interval value = tight_bounds(f, box).f;
  const double least = value.smallest();
  if (!(least > 0)) return 0;
  // The best r is where least / L(r) = r; L grows with r.
  double bound = 0, beyond = size_, reach = 0.25 * size_;
  for (int i = 0; i < 6 && beyond > 1.05 * bound; ++i) {
    const double slope = f.bounds(grown(box, reach)).slope;
    const double within = std::isfinite(slope) ? least / slope : 0.0;
    bound = std::max(bound, std::min(reach, within));
    beyond = std::min(beyond, std::max(reach, within));
    if (bound > 0) {
      reach = beyond > 4 * bound ? std::sqrt(bound * beyond) : 0.5 * (bound + beyond);
    } else {
      reach = 0.1 * beyond;
    }
  }
  return (1 - 4 * kEps) * (value.low > 0 ? bound : -bound);
}

double ImplicitBody::distance_bound(const Vec3<double>& p) const {
  return distance_bound(Box{p, p});
}

double ImplicitBody::distance_bound(const Box& box) const {
  // Outside one face is outside: the furthest. Inside, every face is at least as far as the
  // nearest.
  double bound = -kInfinity;
  for (const ImplicitField& f : faces_) bound = std::max(bound, distance_bound_of_face(f, box));
  if (certified_ && !domain_.open) {
    const Vec3<double> apart =
        (box.low - box_.high).cwiseMax(box_.low - box.high).cwiseMax(Vec3<double>::Zero());
    const double outside = (1 - 4 * kEps) * apart.norm();
    if (outside > 0) bound = std::max(bound, outside);
  }
  return bound;
}

// Cells that the surface may pass through and where abs, min or max is undecided, down to 1/256 of
// the box.
std::optional<Vec3<double>> ImplicitBody::kink() const {
  for (const ImplicitField& f : faces_) {
    const auto* formula = std::get_if<ImplicitExpression>(&f.kind());
    if (!formula || !formula->expression().has_kinks()) continue;
    const auto look = [&](const auto& self, const Box& box,
                          int depth) -> std::optional<Vec3<double>> {
      const Interval value = f.bounds(box).f;
      if (value.low > 0 || value.high < 0) return std::nullopt;
      bool bounded = true;
      for (const auto& row : f.hessian_bounds(box))
        for (const Interval& h : row)
          bounded = bounded && std::isfinite(h.low) && std::isfinite(h.high);
      if (bounded) return std::nullopt;
      if (depth == 0) return box.centre();
      for (int which = 0; which < 8; ++which)
        if (auto found = self(self, octant(box, which), depth - 1)) return found;
      return std::nullopt;
    };
    if (auto found = look(look, box_, 8)) return found;
  }
  return std::nullopt;
}

// Convex over its box means that f ≤ 0 is. A symmetric matrix is not negative if its diagonal
// outweighs the rest of each row (Gershgorin), or if its leading minors are positive (Sylvester).
bool ImplicitBody::is_shown_convex() const {
  if (domain_.open || !certified_) return false;
  const auto is_positive = [](const IntervalMatrix& H) {
    bool gershgorin = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const double others =
          (Interval(H[i][(i + 1) % 3].largest()) + Interval(H[i][(i + 2) % 3].largest())).high;
      gershgorin = gershgorin && H[i][i].low >= others;
    }
    if (gershgorin) return true;
    const Interval two = H[0][0] * H[1][1] - whole_power(H[0][1], 2);
    const Interval three = H[2][2] * two - H[0][0] * whole_power(H[1][2], 2) -
                           H[1][1] * whole_power(H[0][2], 2) +
                           Interval(2) * H[0][1] * H[1][2] * H[0][2];
    return H[0][0].low > 0 && two.low > 0 && three.low > 0;
  };
  for (const ImplicitField& f : faces_) {
    std::vector<Box> boxes{box_};
    for (int budget = 3000; !boxes.empty(); --budget) {
      const Box box = boxes.back();
      boxes.pop_back();
      if (is_positive(f.hessian_bounds(box))) continue;
      if (budget <= 0 || box.size().maxCoeff() < 0.05 * box_.size().maxCoeff()) return false;
      for (int which = 0; which < 8; ++which) boxes.push_back(octant(box, which));
    }
  }
  return true;
}

}  // namespace oloid::geometry
