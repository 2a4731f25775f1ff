#include "oloid/geometry/polyhedral/polyhedron.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "oloid/geometry/core/joint.h"
#include "oloid/geometry/core/tangents.h"
#include "oloid/geometry/measure/polyhedron_integral.h"

namespace oloid::geometry {
namespace {

constexpr double kTouchingFaces = 1e-9;  // of the size: what is nearer touches
constexpr double kFlushSeam = 1e-10;  // in (u, v): least slack where one flush face follows another
constexpr std::size_t kMostFacePieces = 1'000'000;
constexpr int kMostOverlaps = 100'000;

using Polygon = std::vector<Uv<double>>;
using SpacePolygon = std::vector<Vec3<double>>;

double cross(const Uv<double>& a, const Uv<double>& b) { return a.x() * b.y() - a.y() * b.x(); }

double area(const Polygon& polygon) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    sum += cross(polygon[i] - polygon[0], polygon[i + 1] - polygon[0]);
  return 0.5 * sum;
}

double perimeter(const Polygon& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    sum += (polygon[(i + 1) % polygon.size()] - polygon[i]).norm();
  return sum;
}

// What of a convex polygon lies where height ≤ 0; a height within `zero` counts as 0.
template <class Point, class Height>
std::vector<Point> clipped(const std::vector<Point>& polygon, const Height& height, double zero) {
  std::vector<Point> kept;
  kept.reserve(polygon.size() + 1);
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double from = height(a), to = height(b);
    if (from <= zero) kept.push_back(a);
    if ((from < -zero && to > zero) || (from > zero && to < -zero))
      kept.push_back(a + from / (from - to) * (b - a));
  }
  return kept;
}

// The point of a convex polygon nearest to q, and whether that is q itself.
std::pair<Uv<double>, bool> nearest_in(std::span<const Uv<double>> polygon, const Uv<double>& q) {
  Uv<double> best = q;
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Uv<double>& a = polygon[i];
    const Uv<double> side = polygon[(i + 1) % polygon.size()] - a;
    inside = inside && cross(side, q - a) >= 0;
    const double length = side.squaredNorm();
    const Uv<double> on =
        length > 0 ? Uv<double>(a + std::clamp((q - a).dot(side) / length, 0.0, 1.0) * side) : a;
    if ((on - q).squaredNorm() < least) {
      least = (on - q).squaredNorm();
      best = on;
    }
  }
  if (inside) return {q, true};
  return {best, false};
}

// The faces of a convex body, without a record of how they hang together.
class Chunk {
 public:
  explicit Chunk(const ConvexPolyhedron& body) {
    for (int f = 0; f < body.faces(); ++f) {
      SpacePolygon face;
      face.reserve(body.corners(f).size());
      for (const int v : body.corners(f)) face.push_back(body.vertex(v));
      faces_.push_back(std::move(face));
    }
  }

  bool empty() const { return faces_.empty(); }

  // Leaves what lies where n·x ≤ offset, and closes the cut with a new face.
  void clip(const Vec3<double>& n, double offset, double zero) {
    const auto height = [&](const Vec3<double>& p) { return n.dot(p) - offset; };
    double highest = -std::numeric_limits<double>::infinity(), lowest = -highest;
    for (const SpacePolygon& face : faces_) {
      for (const Vec3<double>& p : face) {
        highest = std::max(highest, height(p));
        lowest = std::min(lowest, height(p));
      }
    }
    if (highest <= zero) return;
    if (lowest >= -zero) {
      faces_.clear();
      return;
    }
    std::vector<SpacePolygon> kept;
    SpacePolygon cut;
    for (const SpacePolygon& face : faces_) {
      SpacePolygon below = clipped(face, height, zero);
      for (const Vec3<double>& p : below)
        if (std::abs(height(p)) <= 4 * zero) cut.push_back(p);
      if (below.size() >= 3) kept.push_back(std::move(below));
    }
    faces_ = std::move(kept);
    close(n, std::move(cut));
  }

  void add_to(PolyhedronIntegral& sum, double sign) const {
    for (const SpacePolygon& face : faces_)
      for (std::size_t i = 1; i + 1 < face.size(); ++i)
        sum.add(face[0], face[i], face[i + 1], sign);
  }

 private:
  // The points of the cut, each of which two faces have, in order about their middle.
  void close(const Vec3<double>& n, SpacePolygon cut) {
    if (cut.size() < 3) return;
    Vec3<double> middle = Vec3<double>::Zero();
    for (const Vec3<double>& p : cut) middle += p / static_cast<double>(cut.size());
    const Vec3<double> x = n.unitOrthogonal(), y = n.cross(x);
    const auto angle = [&](const Vec3<double>& p) {
      return std::atan2(y.dot(p - middle), x.dot(p - middle));
    };
    std::sort(cut.begin(), cut.end(),
              [&](const Vec3<double>& a, const Vec3<double>& b) { return angle(a) < angle(b); });
    faces_.push_back(std::move(cut));
  }

  std::vector<SpacePolygon> faces_;
};

// Inclusion and exclusion: what two parts share is counted twice, and taken away once, and so on.
class Overlaps {
 public:
  Overlaps(std::span<const ConvexPolyhedron> parts, PolyhedronIntegral& sum, double zero)
      : parts_(parts), sum_(sum), zero_(zero) {
    boxes_.reserve(parts.size());
    for (const ConvexPolyhedron& part : parts) boxes_.push_back(part.box());
  }

  bool add_all() {
    for (std::size_t i = 0; i < parts_.size() && count_ < kMostOverlaps; ++i)
      add(Chunk(parts_[i]), boxes_[i], i, 1);
    return count_ < kMostOverlaps;
  }

 private:
  void add(const Chunk& shared, const Box& box, std::size_t last, double sign) {
    shared.add_to(sum_, sign);
    for (std::size_t j = last + 1; j < parts_.size() && count_ < kMostOverlaps; ++j) {
      const Box both{box.low.cwiseMax(boxes_[j].low), box.high.cwiseMin(boxes_[j].high)};
      if ((both.size().array() <= zero_).any()) continue;
      Chunk next = shared;
      for (int f = 0; f < parts_[j].faces() && !next.empty(); ++f)
        next.clip(parts_[j].face(f).normal, parts_[j].face(f).offset, zero_);
      if (next.empty()) continue;
      ++count_;
      add(next, both, j, -sign);
    }
  }

  std::span<const ConvexPolyhedron> parts_;
  std::vector<Box> boxes_;
  PolyhedronIntegral& sum_;
  double zero_;  // [m]
  int count_ = 0;
};

}  // namespace

Result<Polyhedron> Polyhedron::make(std::vector<ConvexPolyhedron> parts) {
  if (parts.empty()) return refuse("the polyhedron has no parts", "specify at least one");
  Polyhedron result;
  result.parts_ = std::move(parts);
  result.distance_ = kTouchingFaces * result.box().size().maxCoeff();
  const int n = static_cast<int>(result.parts_.size());
  std::vector<std::vector<int>> charts_of(static_cast<std::size_t>(n));
  for (int part = 0; part < n; ++part) {
    for (int face = 0; face < result.parts_[static_cast<std::size_t>(part)].faces(); ++face) {
      charts_of[static_cast<std::size_t>(part)].push_back(result.charts());
      result.add_chart(part, face);
    }
  }
  for (int i = 0; i < result.charts(); ++i) {
    Chart& chart = result.chart(i);
    chart.covers.first = static_cast<int>(result.covers_.size());
    for (int other = 0; other < n; ++other)
      if (other != chart.part && result.add_cover(chart, other)) ++chart.covers.count;
    result.set_flush(i, charts_of);
    if (!result.cut_pieces(i)) {
      return refuse("the parts of the body overlap in too many places",
                    "merge parts into larger convex ones");
    }
  }
  return result;
}

Result<Polyhedron> Polyhedron::make(const Cage& cage, bool hull, double tolerance) {
  const std::size_t n = std::max<std::size_t>(cage.parts.size(), 1);
  constexpr std::size_t kMostParts = 1000;
  if (n > kMostParts) {
    return refuse(fmt::format("there are {} parts", n),
                  fmt::format("at most {} are allowed: merge objects and groups, or use the hull",
                              kMostParts));
  }
  std::vector<ConvexPolyhedron> parts;
  parts.reserve(n);
  for (std::size_t part = 0; part < n; ++part) {
    Cage own;
    own.vertices = cage.vertices;
    std::vector<bool> used(cage.vertices.size());
    for (std::size_t f = 0; f < cage.faces.size(); ++f) {
      if (f < cage.part_of_face.size() && cage.part_of_face[f] != static_cast<int>(part)) continue;
      own.faces.push_back(cage.faces[f]);
      if (f < cage.line_of_face.size()) own.line_of_face.push_back(cage.line_of_face[f]);
      for (const int v : cage.faces[f])
        if (v >= 0 && static_cast<std::size_t>(v) < used.size())
          used[static_cast<std::size_t>(v)] = true;
    }
    std::vector<Vec3<double>> points;
    points.reserve(hull ? cage.vertices.size() : 0);
    for (std::size_t v = 0; hull && v < used.size(); ++v)
      if (used[v]) points.push_back(cage.vertices[v]);
    auto made =
        hull ? ConvexPolyhedron::hull(points, tolerance) : ConvexPolyhedron::make(own, tolerance);
    if (!made) {
      Error error = made.error();
      if (n > 1) error.message = fmt::format("part \"{}\": {}", cage.parts[part], error.message);
      return Unexpected{std::move(error)};
    }
    parts.push_back(*std::move(made));
  }
  return make(std::move(parts));
}

void Polyhedron::add_chart(int part, int face) {
  const ConvexPolyhedron& body = parts_[static_cast<std::size_t>(part)];
  const auto corners = body.corners(face);
  Chart made{};
  made.part = part;
  made.face = face;
  made.normal = body.face(face).normal;
  Box extent;
  for (const int v : corners) extent.add(body.vertex(v));

  made.origin =
      extent.centre() + (body.face(face).offset - made.normal.dot(extent.centre())) * made.normal;
  for (const int v : corners)
    made.scale = std::max(made.scale, (body.vertex(v) - made.origin).norm());
  made.scale = std::ldexp(1, std::ilogb(made.scale) + 1);  // rounds no coordinate
  const Vec3<double> x = tangent_towards(farthest_axis(made.normal), made.normal);
  made.axes << made.scale * x, made.scale * made.normal.cross(x);
  made.outline = {static_cast<int>(outlines_.size()), static_cast<int>(corners.size())};
  made.lines = {static_cast<int>(lines_.size()), static_cast<int>(corners.size())};
  for (const int v : corners) outlines_.push_back(coordinates(made, body.vertex(v)));
  const auto outline = part_of(outlines_, made.outline);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Uv<double> side = (outline[(i + 1) % outline.size()] - outline[i]).normalized();
    const Vec2<double> out(side.y(), -side.x());
    lines_.push_back({out, out.dot(outline[i])});
  }
  charts_.push_back(made);
}

// Where the plane of a face cuts another part. Faces of that part in the same plane: those that
// look the same way make the two flush, and the earlier part has the surface; those that look the
// other way lie against the face. True if anything is covered.
bool Polyhedron::add_cover(Chart& chart, int other_part) {
  const ConvexPolyhedron& other = parts_[static_cast<std::size_t>(other_part)];
  Cover cover{{static_cast<int>(lines_.size()), 0}, false};
  const auto outline = part_of(outlines_, chart.outline);
  Polygon covered(outline.begin(), outline.end());
  for (int g = 0; g < other.faces() && covered.size() >= 3; ++g) {
    const ConvexPolyhedron::Face& face = other.face(g);
    const Vec2<double> slope = chart.axes.transpose() * face.normal;
    const double level = face.normal.dot(chart.origin) - face.offset;
    if (slope.norm() <= distance_) {
      const bool flush = std::abs(level) <= distance_ && face.normal.dot(chart.normal) > 0;
      if (level > distance_ || (flush && other_part > chart.part)) covered.clear();
      cover.flush = cover.flush || flush;
      continue;
    }
    const Line line{slope / slope.norm(), -level / slope.norm()};
    covered = clipped(
        covered, [&](const Uv<double>& q) { return line.beyond(q); }, 0.0);
    lines_.push_back(line);
  }
  cover.lines.count = static_cast<int>(lines_.size()) - cover.lines.first;
  if (covered.size() < 3 || area(covered) <= distance_ / chart.scale * perimeter(covered)) {
    lines_.resize(static_cast<std::size_t>(cover.lines.first));
    return false;
  }
  covers_.push_back(cover);
  return true;
}

void Polyhedron::set_flush(int index, const std::vector<std::vector<int>>& charts_of) {
  Chart& own = chart(index);
  own.flush.first = static_cast<int>(flush_.size());
  const Box near_own = [&] {
    Box box;
    for (const Uv<double>& q : part_of(outlines_, own.outline)) box.add(own.origin + own.axes * q);
    return box;
  }();
  for (int part = 0; part < static_cast<int>(parts_.size()); ++part) {
    if (part == own.part) continue;
    for (const int other : charts_of[static_cast<std::size_t>(part)]) {
      const Chart& there = chart(other);
      const double reach = std::min(own.scale, there.scale);
      const bool one_plane = own.normal.dot(there.normal) > 0 &&
                             reach * own.normal.cross(there.normal).norm() <= distance_ &&
                             std::abs(own.normal.dot(there.origin - own.origin)) <= distance_;
      if (!one_plane) continue;
      Box box;
      for (const Uv<double>& q : part_of(outlines_, there.outline))
        box.add(there.origin + there.axes * q);
      if ((box.low.array() > near_own.high.array() + distance_).any() ||
          (box.high.array() < near_own.low.array() - distance_).any())
        continue;
      flush_.push_back(other);
    }
  }
  own.flush.count = static_cast<int>(flush_.size()) - own.flush.first;
  own.slack = own.flush.count > 0 ? std::max(kFlushSeam, 2 * distance_ / own.scale) : 0;
}

// A convex region minus a convex one: cut along the lines of the second, one after the other.
bool Polyhedron::cut_pieces(int index) {
  const Chart& own = chart(index);
  const double thin = distance_ / own.scale;
  const auto outline = part_of(outlines_, own.outline);
  std::vector<Polygon> left{Polygon(outline.begin(), outline.end())};
  for (const Cover& cover : part_of(covers_, own.covers)) {
    std::vector<Polygon> next;
    for (Polygon& rest : left) {
      for (const Line& line : part_of(lines_, cover.lines)) {
        const auto beyond = [&](const Uv<double>& q) { return line.beyond(q); };
        Polygon outside = clipped(
            rest, [&](const Uv<double>& q) { return -beyond(q); }, 0.0);
        if (outside.size() >= 3 && area(outside) > thin * perimeter(outside))
          next.push_back(std::move(outside));
        rest = clipped(rest, beyond, 0.0);
        if (rest.size() < 3) break;
      }
    }
    left = std::move(next);
    if (left.size() + pieces_.size() > kMostFacePieces) return false;
  }
  for (Polygon& polygon : left) {
    Uv<double> middle = Uv<double>::Zero();
    for (const Uv<double>& q : polygon) middle += q / static_cast<double>(polygon.size());
    pieces_.push_back({index, std::move(polygon), middle});
  }
  return true;
}

Uv<double> Polyhedron::coordinates(const Chart& chart, const Vec3<double>& p) const {
  return chart.axes.transpose() * (p - chart.origin) / (chart.scale * chart.scale);
}

// How far outside of a cover, negative inside.
double Polyhedron::deepest(const Cover& cover, const Uv<double>& q) const {
  double most = -std::numeric_limits<double>::infinity();
  for (const Line& line : part_of(lines_, cover.lines)) most = std::max(most, line.beyond(q));
  return most;
}

double Polyhedron::margin(const Location& q) const {
  const Chart& at = chart(q.chart.index);
  const Uv<double> uv = q.x.head<2>();
  double least = std::numeric_limits<double>::infinity();
  for (const Line& line : part_of(lines_, at.lines))
    least = std::min(least, at.slack - line.beyond(uv));
  for (const Cover& cover : part_of(covers_, at.covers))
    least = std::min(least, deepest(cover, uv) + (cover.flush ? at.slack : 0));
  return least;
}

ChartExit Polyhedron::leave(const Location& q) const {
  const Chart& at = chart(q.chart.index);
  const Uv<double> uv = q.x.head<2>();
  const Jet<double, 2> here = jet<2>(q.chart.index, uv);
  Location best;
  double most = 0;
  for (const int other : part_of(flush_, at.flush)) {
    Location there{ChartId{other}};
    there.x.head<2>() = coordinates(chart(other), here.d(0, 0));
    const double inside = margin(there);
    if (inside <= most) continue;
    most = inside;
    best = there;
  }
  if (most > 0) {
    const Jet<double, 2> there = jet<2>(best.chart.index, Uv<double>(best.x.head<2>()));
    return Crossing{best, measured_joint(here, there, at.scale).joint};
  }
  // The border that is exceeded most.
  Location on{q.chart};
  on.x.head<2>() = nearest_in(part_of(outlines_, at.outline), uv).first;
  double least = std::numeric_limits<double>::infinity();
  for (const Line& line : part_of(lines_, at.lines)) least = std::min(least, -line.beyond(uv));
  Border border = Border::edge;
  for (const Cover& cover : part_of(covers_, at.covers)) {
    const double outside = deepest(cover, uv);
    if (outside >= least) continue;
    least = outside;
    border = Border::notch;
    for (const Line& line : part_of(lines_, cover.lines))
      if (line.beyond(uv) == outside) on.x.head<2>() = uv - outside * line.a;
  }
  return OpenEdge{on, border};
}

Location Polyhedron::near(const Vec3<double>& p) const {
  Location best{ChartId{0}};
  double least = std::numeric_limits<double>::infinity();
  for (const Piece& piece : pieces_) {
    const Chart& at = chart(piece.chart);
    const Uv<double> q = coordinates(at, p);
    const auto [in, inside] = nearest_in(piece.corners, q);
    const double off = at.normal.dot(p - at.origin);
    const double distance = off * off + at.scale * at.scale * (q - in).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    best.chart = ChartId{piece.chart};
    best.x.head<2>() = inside ? q : Uv<double>(in + 1e-6 * (piece.middle - in));
  }
  return best;
}

// The middle of each piece; of few pieces also points towards their corners.
std::vector<Location> Polyhedron::seeds() const {
  constexpr std::size_t kFew = 64, kMost = 4096;
  std::vector<Location> result;
  const std::size_t stride = 1 + pieces_.size() / kMost;
  for (std::size_t i = 0; i < pieces_.size(); i += stride) {
    const Piece& piece = pieces_[i];
    Location q{ChartId{piece.chart}};
    q.x.head<2>() = piece.middle;
    result.push_back(q);
    if (pieces_.size() > kFew) continue;
    for (const Uv<double>& corner : piece.corners) {
      q.x.head<2>() = piece.middle + 0.6 * (corner - piece.middle);
      result.push_back(q);
    }
  }
  return result;
}

double Polyhedron::bounding_radius() const {
  double r = 0;
  for (const ConvexPolyhedron& part : parts_) r = std::max(r, part.bounding_radius());
  return r;
}

Box Polyhedron::box() const {
  Box box;
  for (const ConvexPolyhedron& part : parts_) box.add(part.box());
  return box;
}

Result<Solid> Polyhedron::solid() const {
  if (parts_.size() == 1) return parts_[0].solid();
  PolyhedronIntegral sum(box().centre());
  // Heights over planes are rounded at the distance from the frame's origin.
  const double zero = 1e-14 * (box().size().maxCoeff() + 4 * bounding_radius());
  if (!Overlaps(parts_, sum, zero).add_all()) {
    return refuse("too many parts of the body overlap at one place",
                  "merge parts into larger convex ones, or specify mass and inertia instead");
  }
  return sum.solid();
}

// Triangles and quadrangles as they are, others as fans from their first corner.
std::vector<Tile> Polyhedron::tiles(double /*reach*/) const {
  std::vector<Tile> result;
  for (const Piece& piece : pieces_) {
    const Polygon& p = piece.corners;
    const ChartId index{piece.chart};
    if (p.size() == 4) {
      result.push_back(
          {ChartTile{index, p[0], p[1] - p[0], p[3] - p[0], p[0] - p[1] + p[2] - p[3]}});
      continue;
    }
    for (std::size_t i = 1; i + 1 < p.size(); ++i) {
      result.push_back({ChartTile{index, p[0], p[i] - p[0], p[i + 1] - p[0]}, 3});
    }
  }
  return result;
}

}  // namespace oloid::geometry
