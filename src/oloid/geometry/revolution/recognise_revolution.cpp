#include "oloid/geometry/revolution/recognise_revolution.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "oloid/base/contract.h"
#include "oloid/geometry/bezier/patch_points.h"

namespace oloid::geometry {
namespace {

constexpr double kFits = 1e-12;  // of the size
using Net = std::vector<std::vector<Weighted>>;

// The surface with the parameter s that is to go round first, and cut into Bezier pieces.
class Pieces {
 public:
  explicit Pieces(const NurbsNet& surface)
      : spans_s_(spans(surface.u)), spans_p_(spans(surface.v)) {
    for (const Span& s : spans_s_) {
      const std::vector<std::vector<Weighted>> columns = along_s(surface, s);
      for (const Span& p : spans_p_) {
        Net piece;
        for (std::size_t i = 0; i < columns.size(); ++i) {
          piece.push_back(
              bezier_piece<Weighted>(surface.v, p, [&](std::size_t j) { return columns[i][j]; }));
        }
        pieces_.push_back(std::move(piece));
      }
    }
    profile_ = along_s(surface, spans_s_.front()).front();
  }

  std::size_t count_s() const { return spans_s_.size(); }
  std::size_t count_p() const { return spans_p_.size(); }
  // Homogeneous control points of the curve at the first s, over the knots of p.
  const std::vector<Weighted>& profile() const { return profile_; }

  Vec3<double> at(std::size_t span_s, double s, std::size_t span_p, double p) const {
    const Net& piece = pieces_[span_s * count_p() + span_p];
    const auto Bs = bernstein<0>(static_cast<int>(piece.size()) - 1, s)[0];
    const auto Bp = bernstein<0>(static_cast<int>(piece[0].size()) - 1, p)[0];
    Weighted h = Weighted::Zero();
    for (std::size_t i = 0; i < piece.size(); ++i)
      for (std::size_t j = 0; j < piece[i].size(); ++j) h += Bs[i] * Bp[j] * piece[i][j];
    return h.head<3>() / h(3);
  }

 private:
  // Row i: control points over p of Bezier point i in one span of s.
  static Net along_s(const NurbsNet& surface, const Span& span) {
    Net rows(static_cast<std::size_t>(surface.u.degree) + 1);
    for (std::size_t j = 0; j < surface.net[0].size(); ++j) {
      const auto column =
          bezier_piece<Weighted>(surface.u, span, [&](std::size_t i) { return surface.net[i][j]; });
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(column[i]);
    }
    return rows;
  }

  std::vector<Span> spans_s_, spans_p_;
  std::vector<Net> pieces_;
  std::vector<Weighted> profile_;
};

// Where to look along a direction: in each span as often as the identity needs.
struct Place {
  std::size_t span;
  double t;
};
std::vector<Place> places(std::size_t count, int degree) {
  std::vector<Place> result;
  const int n = 2 * degree;
  for (std::size_t span = 0; span < count; ++span)
    for (int k = 0; k <= n; ++k) result.push_back({span, static_cast<double>(k) / n});
  return result;
}

struct Ellipse {
  Vec3<double> centre;
  Vec3<double> E1, E2;  // centre + E1 cos θ + E2 sin θ; E1 leads to the first point
};

// Through points of a closed curve, from the least squares of x·A x + b·x = 1 in the plane that
// fits them best, in units in which they are spread alike in all directions.
std::optional<Ellipse> ellipse_through(const std::vector<Vec3<double>>& points) {
  Vec3<double> mean = Vec3<double>::Zero();
  for (const auto& p : points) mean += p / static_cast<double>(points.size());
  Mat3<double> spread = Mat3<double>::Zero();
  for (const auto& p : points)
    spread += (p - mean) * (p - mean).transpose() / static_cast<double>(points.size());
  const Eigen::SelfAdjointEigenSolver<Mat3<double>> axes(spread);
  if (!(axes.eigenvalues()(1) > 1e-12 * axes.eigenvalues()(2))) return std::nullopt;
  Mat<double, 3, 2> unit;  // the plane's axes, each with its scale
  for (int k = 0; k < 2; ++k)
    unit.col(k) = std::sqrt(axes.eigenvalues()(k + 1)) * axes.eigenvectors().col(k + 1);
  const auto plane = [&](const Vec3<double>& p) {
    return Vec2<double>(unit.col(0).dot(p - mean) / unit.col(0).squaredNorm(),
                        unit.col(1).dot(p - mean) / unit.col(1).squaredNorm());
  };
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::Matrix<double, Eigen::Dynamic, 5> rows(n, 5);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Vec2<double> x = plane(points[static_cast<std::size_t>(k)]);
    rows.row(k) << x(0) * x(0), 2 * x(0) * x(1), x(1) * x(1), x(0), x(1);
  }
  const Vec5<double> c = rows.colPivHouseholderQr().solve(Eigen::VectorXd::Ones(n));
  Mat2<double> A;
  A << c(0), c(1), c(1), c(2);
  if (!(A.trace() > 0 && A.determinant() > 1e-3 * A.squaredNorm())) return std::nullopt;
  const Vec2<double> middle = -0.5 * A.inverse() * c.tail<2>();
  A /= 1 + middle.dot(A * middle);

  // Conjugate half diameters: e₁·A e₂ = 0, both of length 1 in A.
  const Vec2<double> e1 = plane(points.front()) - middle, Ae1 = A * e1;
  Vec2<double> e2(-Ae1(1), Ae1(0));
  e2 /= std::sqrt(e2.dot(A * e2));
  return Ellipse{mean + unit * middle, unit * e1, unit * e2};
}

double spread_of(const std::vector<Vec3<double>>& points) {
  double result = 0;
  for (const auto& p : points) result = std::max(result, (p - points.front()).norm());
  return result;
}

// Points S(s, p) at all places, ring by ring, and the widest ring.
struct Rings {
  std::vector<std::vector<Vec3<double>>> points;
  std::size_t widest = 0;
  double size = 0;  // [m]

  const std::vector<Vec3<double>>& widest_points() const { return points[widest]; }
};

// All of them must close.
std::optional<Rings> rings_of(const Pieces& S, const std::vector<Place>& round,
                              const std::vector<Place>& along) {
  Rings rings;
  double width = -1;
  for (const Place& p : along) {
    std::vector<Vec3<double>>& ring = rings.points.emplace_back();
    for (const Place& s : round) ring.push_back(S.at(s.span, s.t, p.span, p.t));
    const double here = spread_of(ring);
    rings.size = std::max({rings.size, here, (ring.front() - rings.points[0].front()).norm()});
    if (here > width) {
      width = here;
      rings.widest = rings.points.size() - 1;
    }
  }
  if (!(width > 1e-6 * rings.size)) return std::nullopt;
  for (const auto& ring : rings.points)
    if (!((ring.front() - ring.back()).norm() <= kFits * rings.size)) return std::nullopt;
  return rings;
}

// O and M, with θ = 0 at the first s and growing with s. The profile is in metres where the
// sections are circles about an axis perpendicular to them; M is then a rotation.
std::optional<AffineMap> frame_of(const Rings& rings) {
  const std::vector<Vec3<double>>& widest = rings.widest_points();
  const std::optional<Ellipse> ellipse = ellipse_through(widest);
  if (!ellipse) return std::nullopt;
  const Vec3<double> E1 = ellipse->E1, step = widest[1] - ellipse->centre;
  Vec3<double> E2 = ellipse->E2;
  if (E1.cross(step).dot(E1.cross(E2)) < 0) E2 = -E2;

  // The axis goes through the centres S(0, p) − ρ(p) E1 of all rings, ρ = 1 on the widest one; ρ(p)
  // is how long the ring's chord between two fixed s is, compared with the widest one's.
  std::size_t far = 0;
  for (std::size_t k = 0; k < widest.size(); ++k)
    if ((widest[k] - widest[0]).norm() > (widest[far] - widest[0]).norm()) far = k;
  const Vec3<double> chord = widest[far] - widest[0];
  Vec3<double> axis = Vec3<double>::Zero();
  for (const auto& ring : rings.points) {
    const double rho = (ring[far] - ring[0]).dot(chord) / chord.squaredNorm();
    const Vec3<double> to_centre = ring[0] - rho * E1 - ellipse->centre;
    if (to_centre.norm() > axis.norm()) axis = to_centre;
  }
  const Vec3<double> normal = E1.cross(E2).normalized();
  Vec3<double> m3 = normal;
  const double height = axis.dot(normal);
  if ((axis - height * normal).norm() > 1e-13 * rings.size) {  // oblique
    if (!(std::abs(height) > 1e-6 * axis.norm())) return std::nullopt;
    m3 = (height > 0 ? axis : Vec3<double>(-axis)).normalized();
  }

  AffineMap map;
  map.O = ellipse->centre;
  map.M << E1 / E1.norm(), E2 / E1.norm(), m3;
  if ((map.M.transpose() * map.M - Mat3<double>::Identity()).norm() <= 1e-13) {
    const Vec3<double> m1 = map.M.col(0), m2 = m3.cross(m1).normalized();
    map.M.col(1) = m2;
    map.M.col(2) = m1.cross(m2);
  }
  return map;
}

// Whether θ grows by one turn and never falls as s runs, at the given p.
template <class Local>
bool turns_once(const Pieces& S, const Place& p, const Local& local) {
  constexpr int kSteps = 256;  // in each span
  double angle = 0;
  Vec2<double> before = local(S.at(0, 0, p.span, p.t)).template head<2>();
  for (std::size_t span = 0; span < S.count_s(); ++span) {
    for (int k = 1; k <= kSteps; ++k) {
      const double s = static_cast<double>(k) / kSteps;
      const Vec2<double> here = local(S.at(span, s, p.span, p.t)).template head<2>();
      const double by = std::atan2(before(0) * here(1) - before(1) * here(0), before.dot(here));
      if (by < -kFits) return false;
      angle += by;
      before = here;
    }
  }
  return std::abs(angle - 2 * std::numbers::pi) <= 1e-9;
}

// S(s, p) = O + M (ρ(p) cos θ(s), ρ(p) sin θ(s), ζ(p)) at all places, cos² + sin² = 1.
template <class Local>
bool fits(const Rings& rings, const AffineMap& map, const Local& local) {
  const double tolerance = kFits * rings.size;
  const double unit = local(rings.widest_points().front())(0);
  std::vector<Vec2<double>> turns;  // (cos θ, sin θ)
  for (const auto& p : rings.widest_points()) {
    turns.push_back(local(p).template head<2>() / unit);
    if (!(std::abs(turns.back().norm() - 1) * unit <= tolerance)) return false;
  }
  for (const auto& ring : rings.points) {
    const Vec3<double> first = local(ring.front());
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Vec3<double> expected(first(0) * turns[k](0), first(0) * turns[k](1), first(2));
      if (!((ring[k] - map.O - map.M * expected).norm() <= tolerance)) return false;
    }
  }
  return true;
}

// `exchanged`: s is the surface's v, so that the normal is c_p × c_s.
std::optional<SurfaceOfRevolution> round_the_first(const NurbsNet& surface, bool exchanged) {
  const Pieces S(surface);
  const std::vector<Place> along = places(S.count_p(), surface.v.degree);
  const std::optional<Rings> rings =
      rings_of(S, places(S.count_s(), std::max(2, surface.u.degree)), along);
  if (!rings) return std::nullopt;
  const std::optional<AffineMap> map = frame_of(*rings);
  if (!map) return std::nullopt;
  const Mat3<double> M_inverse = map->M.inverse();
  const auto local = [&](const Vec3<double>& p) { return Vec3<double>(M_inverse * (p - map->O)); };
  if (!fits(*rings, *map, local) || !turns_once(S, along[rings->widest], local))
    return std::nullopt;

  std::vector<Vec<double, 3>> points;
  for (const Weighted& h : S.profile()) {
    const Vec3<double> p = M_inverse * (h.head<3>() - h(3) * map->O);
    points.emplace_back(p(0), p(2), h(3));
  }
  std::vector<BezierCurve<2>> profile = bezier_pieces<2>(surface.v, points);
  if (exchanged) {  // c_θ × c_p points the other way
    std::reverse(profile.begin(), profile.end());
    for (auto& curve : profile) curve = reversed(curve);
  }
  Result<SurfaceOfRevolution> result = SurfaceOfRevolution::make(std::move(profile), false, *map);
  if (!result) return std::nullopt;
  return std::move(result).value();
}

NurbsNet transposed(const NurbsNet& surface) {
  NurbsNet result{surface.v, surface.u, Net(surface.net[0].size())};
  for (const auto& row : surface.net)
    for (std::size_t j = 0; j < row.size(); ++j) result.net[j].push_back(row[j]);
  return result;
}

}  // namespace

std::optional<SurfaceOfRevolution> recognise_revolution(const NurbsNet& surface) {
  OLOID_EXPECT(surface.net.size() == surface.u.control_points());
  OLOID_EXPECT(surface.net[0].size() == surface.v.control_points());
  if (auto found = round_the_first(surface, false)) return found;
  return round_the_first(transposed(surface), true);
}

}  // namespace oloid::geometry
