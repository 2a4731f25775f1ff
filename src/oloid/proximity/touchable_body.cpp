#include "oloid/proximity/touchable_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oloid/geometry/core/joint.h"

namespace oloid::proximity {
namespace {

constexpr int kMostChartCrossings = 8;  // of charts, in one step
constexpr int kMostPieces = 64;         // of curves, in one step
constexpr double kInsideFace = 1e-9;    // of the size: so far from its edge a face takes over
constexpr double kInsideCurve = 1e-6;   // in t: so far from its vertex a curve takes over
constexpr double kOnBorder = 1e-6;      // of the size: how far charts' borders are from their edges
constexpr double kTipReach = 1e-2;      // of the size: the same of tips

std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

Spot surface_spot(const Location& q) { return {Spot::Kind::surface, 0, q}; }
Spot curve_spot(int index, const CurveLocation& q) {
  return {Spot::Kind::curve, index, {ChartId{q.piece}, {q.t, 0, 0}}};
}
Spot vertex_spot(int index) { return {Spot::Kind::vertex, index, {}}; }
CurveLocation on_curve(const Spot& spot) { return {spot.at.chart.index, spot.at.x(0)}; }

// From an edge into its faces, at right angles to it.
Vec3<double> way_left(const EdgeSection& at) { return at.left.cross(at.tangent); }
Vec3<double> way_right(const EdgeSection& at) { return at.tangent.cross(*at.right); }

}  // namespace

std::span<const TouchableBody::Spoke> TouchableBody::spokes(int i) const {
  return std::span(spokes_).subspan(at_index(vertex(i).first_spoke), at_index(vertex(i).spokes));
}

LocalFeature<double> TouchableBody::on_surface(const Location& q) const {
  LocalFeature<double> at = local_feature(side_->shape, q);
  if (placed_) at = X_BS_ * at;
  return at;
}

LocalFeature<double> TouchableBody::at(const Spot& spot) const {
  switch (spot.kind) {
    case Spot::Kind::surface:
      return on_surface(spot.at);
    case Spot::Kind::curve: {
      const CurveLocation q = on_curve(spot);
      const auto at = local_feature(path(spot.index).jet<2>(q.piece, q.t));
      return placed_ ? X_BS_ * at : at;
    }
    case Spot::Kind::vertex:
      break;
  }
  return local_feature(vertex(spot.index).p);
}

std::optional<EdgeSection> TouchableBody::section(int index, double s) const {
  const Edge& edge = curve(index).edge;
  if (!edge.has(EdgeFace::left)) return std::nullopt;
  const auto x = edge.curve.jet<1>(0, s);
  const auto normal = [&](EdgeFace face) {
    return on_surface(location(side_->shape, edge, face, s)).z;
  };
  EdgeSection at{X_BS_ * x[0], X_BS_.R * x[1].normalized(), normal(EdgeFace::left)};
  if (edge.has(EdgeFace::right)) at.right = normal(EdgeFace::right);
  return at;
}

// Wires, borders, and edges where the body is convex, or nearly smooth.
bool TouchableBody::carries(int index, double s) const {
  if (!curve(index).edge.has(EdgeFace::right)) return true;
  return section(index, s)->angle() > -kSmoothAngle;
}

// --- Moving --------------------------------------------------------------------------------------

std::optional<Spot> TouchableBody::moved(const Spot& from, const LocalFeature<double>& at,
                                         const Vec2<double>& s) const {
  if (!s.allFinite()) return std::nullopt;
  switch (from.kind) {
    case Spot::Kind::surface:
      return moved_on_surface(from.at, at, s);
    case Spot::Kind::curve: {
      CurveLocation q = on_curve(from);
      q.t += at.L(0, 0) * s(0);
      return moved_on_curve(from.index, q);
    }
    case Spot::Kind::vertex:
      break;
  }
  return from;
}

std::optional<Spot> TouchableBody::moved_on_surface(Location q, const LocalFeature<double>& at,
                                                    const Vec2<double>& s) const {
  const Shape& shape = side_->shape;
  q.x += at.L * s;
  for (int crossed = 0; crossed < kMostChartCrossings; ++crossed) {
    q = settled(shape, q);
    if (margin(shape, q) >= 0) break;
    const double reach = 2 * s.norm();  // no border within this step is farther
    const ChartExit exit = leave(shape, q);
    if (const auto* open = std::get_if<OpenEdge>(&exit)) {
      if (open->border == Border::notch) return std::nullopt;
      const Vec3<double> p = on_surface(open->at).p;
      if (open->border == Border::tip) return at_tip(p, reach + kTipReach * scale_);
      const auto edge = at_border(open->at.chart.index, p, kOnBorder * scale_);
      return edge && carries(edge->index, edge->at.x(0)) ? edge : std::nullopt;
    }
    const Crossing& crossing = std::get<Crossing>(exit);
    if (crossing.joint == Joint::G0) {
      const Vec3<double> p = at.p + at.E * s;
      const auto edge = at_border(q.chart.index, p, reach + kOnBorder * scale_);
      if (edge) return carries(edge->index, edge->at.x(0)) ? edge : std::nullopt;
    }
    q = crossing.to;
  }
  return surface_spot(q);
}

// The place on the nearest edge beside a chart.
std::optional<Spot> TouchableBody::at_border(int chart, const Vec3<double>& p, double reach) const {
  if (at_index(chart) + 1 >= first_beside_.size()) return std::nullopt;
  std::optional<Spot> best;
  for (int i = first_beside_[at_index(chart)]; i < first_beside_[at_index(chart) + 1]; ++i) {
    const Nearest found = nearest_on(beside_[at_index(i)], p);
    if (found.distance > reach) continue;
    reach = found.distance;
    best = found.spot;
  }
  return best;
}

std::optional<Spot> TouchableBody::at_tip(const Vec3<double>& p, double reach) const {
  std::optional<Spot> best;
  for (int i = 0; i < vertices(); ++i) {
    const double distance = (vertex(i).p - p).norm();
    if (distance > reach) continue;
    reach = distance;
    best = vertex_spot(i);
  }
  return best;
}

// The nearest sample, then Newton's method for the foot of the perpendicular, within the piece and
// as long as it comes nearer.
TouchableBody::Nearest TouchableBody::nearest_on(int index, const Vec3<double>& p_B) const {
  const CurveFeature& own = curve(index);
  CurveLocation best;
  double least = std::numeric_limits<double>::infinity();
  for (const Sample& sample :
       std::span(samples_).subspan(at_index(own.first_sample), at_index(own.samples))) {
    const double distance = (sample.p - p_B).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    best = sample.at;
  }
  const Vec3<double> p = X_BS_.R.transpose() * (p_B - X_BS_.p);
  for (int step = 0; step < 20; ++step) {
    const auto x = own.edge.curve.jet<2>(best.piece, best.t);
    const Vec3<double> off = x[0] - p;
    const double along = x[1].squaredNorm(), bend = along + off.dot(x[2]);
    const double by = -off.dot(x[1]) / (bend > 0.1 * along ? bend : along);
    const CurveLocation next{best.piece, std::clamp(best.t + by, 0.0, 1.0)};
    const double distance = (own.edge.curve.point(next) - p).squaredNorm();
    if (!(distance < least)) break;
    least = distance;
    best = next;
  }
  return {curve_spot(index, best), std::sqrt(least)};
}

std::optional<Spot> TouchableBody::moved_on_curve(int index, CurveLocation q) const {
  for (int crossed = 0; crossed < kMostPieces; ++crossed) {
    const Curve& own = path(index);
    if (own.margin(q) >= 0) break;
    const CurveExit exit = own.leave(q);
    const auto* crossing = std::get_if<CurveCrossing>(&exit);
    if (crossing && crossing->joint != Joint::G0) {
      q = crossing->to;
      continue;
    }
    const bool at_end = q.t > 0.5;
    const int next = end(index, q).next;
    if (next < 0) return beyond_end(index, q);
    // As far along the next curve as the step goes beyond the end of this one.
    const double over = at_end ? q.t - 1 : -q.t;
    const CurveLocation there = end(index, q).next_at;
    const double speed = own.jet<1>(q.piece, at_end ? 1.0 : 0.0)[1].norm();
    const double t = over * speed / path(next).jet<1>(there.piece, there.t)[1].norm();
    index = next;
    q = {there.piece, there.t > 0.5 ? 1 - t : t};
  }
  q.t = std::clamp(q.t, 0.0, 1.0);
  return curve_spot(index, q);
}

std::optional<Spot> TouchableBody::beyond_end(int index, const CurveLocation& q) const {
  const bool at_end = q.t > 0.5;
  const Edge& edge = curve(index).edge;
  if (const auto& fading = edge.beyond[at_end ? 1 : 0]) {
    const double s = at_end ? 1 : 0, speed = edge.curve.jet<1>(0, s)[1].norm();
    return surface_spot(fading->at(std::abs(q.t - s) * speed));
  }
  const int vertex = end(index, q).vertex;
  if (vertex < 0) return std::nullopt;
  return vertex_spot(vertex);
}

// --- Larger features -----------------------------------------------------------------------------

std::optional<Spot> TouchableBody::larger(const Spot& spot, const Vec3<double>& nu,
                                          double slack) const {
  switch (spot.kind) {
    case Spot::Kind::surface:
      return std::nullopt;
    case Spot::Kind::curve:
      return flank_of(spot, nu, slack);
    case Spot::Kind::vertex:
      break;
  }
  return spoke_of(spot, nu, slack);
}

// The face that rises more along ν, a little beside the edge.
std::optional<Spot> TouchableBody::flank_of(const Spot& spot, const Vec3<double>& nu,
                                            double slack) const {
  const double s = spot.at.x(0);
  const std::optional<EdgeSection> at = section(spot.index, s);
  if (!at) return std::nullopt;
  const double left = nu.dot(way_left(*at));
  const double right = at->right ? nu.dot(way_right(*at)) : -1;
  if (std::max(left, right) <= slack) return std::nullopt;
  if (!at->right && nu.dot(at->left) <= 0) return std::nullopt;  // behind an open surface
  const Location flank = location(side_->shape, curve(spot.index).edge,
                                  left >= right ? EdgeFace::left : EdgeFace::right, s);
  const LocalFeature<double> face = on_surface(flank);
  const Vec2<double> inwards =
      face.E.transpose() * (left >= right ? way_left(*at) : way_right(*at));
  Location q = flank;
  for (double far = kInsideFace; far < 1e-3; far *= 10) {
    q = settled(side_->shape, {flank.chart, flank.x + far * scale_ * (face.L * inwards)});
    if (margin(side_->shape, q) >= 0) break;
  }
  return surface_spot(q);
}

// The way that rises most along ν: a curve, or off a tip.
std::optional<Spot> TouchableBody::spoke_of(const Spot& spot, const Vec3<double>& nu,
                                            double slack) const {
  std::optional<Spot> best;
  double most = slack;
  for (const Spoke& spoke : spokes(spot.index)) {
    const double rise = nu.dot(spoke.direction);
    if (rise <= most) continue;
    most = rise;
    const double inside = spoke.at.t > 0.5 ? 1 - kInsideCurve : kInsideCurve;
    best = curve_spot(spoke.curve, {spoke.at.piece, inside});
  }
  if (vertex(spot.index).tip >= 0) {
    if (const auto way = best_way_off_tip(vertex(spot.index), nu, most))
      best = surface_spot(way->at);
  }
  if (best) return best;
  for (const Spoke& spoke : spokes(spot.index)) {
    if (auto face = face_at_corner(spoke, nu, slack)) return face;
  }
  return std::nullopt;
}

// A face that ends at a border may fill more than half a turn about a corner of it: then ν may rise
// along a way between its two borders although it rises along neither.
std::optional<Spot> TouchableBody::face_at_corner(const Spoke& spoke, const Vec3<double>& nu,
                                                  double slack) const {
  const Edge& edge = curve(spoke.curve).edge;
  if (!edge.has(EdgeFace::left) || edge.has(EdgeFace::right)) return std::nullopt;
  const Location corner = location(side_->shape, edge, EdgeFace::left, spoke.at.t);
  const LocalFeature<double> face = on_surface(corner);
  const Vec2<double> rise = face.E.transpose() * nu;
  if (!(rise.norm() > slack) || !face.L.allFinite() || nu.dot(face.z) <= 0) return std::nullopt;
  const Vec3<double> step = 1e-6 * scale_ * (face.L * rise.normalized());
  const Location q = settled(side_->shape, {corner.chart, corner.x + step});
  return margin(side_->shape, q) > 0 ? std::optional(surface_spot(q)) : std::nullopt;
}

// Over the surface and away from the tip, where charts begin. Between there and the tip itself the
// surface is not visited: the tip stands for it.
TouchableBody::Way TouchableBody::way_off_tip(const Vertex& vertex, double s) const {
  const Location q = tips_[at_index(vertex.tip)].beside(s);
  const LocalFeature<double> face = on_surface(q);
  return {q, (face.E * (face.E.transpose() * (face.p - vertex.p))).normalized()};
}

// The best of some ways, then a golden section between its neighbours.
std::optional<TouchableBody::Way> TouchableBody::best_way_off_tip(const Vertex& vertex,
                                                                  const Vec3<double>& nu,
                                                                  double least) const {
  constexpr int kWays = 16, kSteps = 24;
  constexpr double kGolden = 0.61803398874989485;
  const auto rise = [&](double s) { return nu.dot(way_off_tip(vertex, s).direction); };
  int top = 0;
  double most = -1;
  for (int k = 0; k <= kWays; ++k) {
    const double here = rise(static_cast<double>(k) / kWays);
    if (here <= most) continue;
    most = here;
    top = k;
  }
  double low = std::max(0, top - 1) / static_cast<double>(kWays);
  double high = std::min(kWays, top + 1) / static_cast<double>(kWays);
  for (int step = 0; step < kSteps; ++step) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    (rise(a) < rise(b) ? low : high) = rise(a) < rise(b) ? a : b;
  }
  double best = static_cast<double>(top) / kWays;
  if (const double s = 0.5 * (low + high); rise(s) > most) best = s;
  Way way = way_off_tip(vertex, best);
  if (nu.dot(way.direction) <= least) return std::nullopt;
  return way;
}

// --- Starts --------------------------------------------------------------------------------------

std::vector<Spot> TouchableBody::seeds() const {
  std::vector<Spot> result;
  if (side_) {
    const std::vector<Location> all = geometry::seeds(side_->shape);
    result.reserve(all.size() + samples_.size() + vertices_.size());
    for (const Location& q : all) result.push_back(surface_spot(q));
  }
  for (int i = 0; i < curves(); ++i) {
    for (const Sample& sample :
         std::span(samples_).subspan(at_index(curve(i).first_sample), at_index(curve(i).samples))) {
      if (carries(i, sample.at.t)) result.push_back(curve_spot(i, sample.at));
    }
  }
  for (int i = 0; i < vertices(); ++i) result.push_back(vertex_spot(i));
  return result;
}

Spot TouchableBody::near(const Vec3<double>& p) const {
  Spot best;
  double least = std::numeric_limits<double>::infinity();
  // The smaller feature of those that are about as near.
  const auto offer = [&](const Spot& spot, double distance) {
    if (distance >= least + kOnePoint * scale_) return;
    least = distance;
    best = spot;
  };
  if (side_) {
    const Vec3<double> p_S = X_BS_.R.transpose() * (p - X_BS_.p);
    const Spot spot = surface_spot(geometry::near(side_->shape, p_S));
    offer(spot, (at(spot).p - p).norm());
  }
  for (int i = 0; i < curves(); ++i) {
    const Nearest found = nearest_on(i, p);
    if (carries(i, found.spot.at.x(0))) offer(found.spot, found.distance);
  }
  for (int i = 0; i < vertices(); ++i) offer(vertex_spot(i), (vertex(i).p - p).norm());
  return best;
}

}  // namespace oloid::proximity
