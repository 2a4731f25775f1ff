#include "oloid/geometry/cells/surface_cells.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "oloid/base/constants.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/bezier/part_ranges.h"
#include "oloid/geometry/cells/implicit_cells.h"
#include "oloid/geometry/core/tangents.h"
#include "oloid/geometry/implicit/implicit_forms.h"
#include "oloid/geometry/implicit/implicit_tools.h"

namespace oloid::geometry {
namespace {

constexpr double kRoundOff = 1e-14;  // of lengths, relative
constexpr double kCapReach = 0.75;  // of a pole's cap: cells about it stay where the cap is defined

const RulingStrip* strip_of(const Shape& shape, ChartId chart) {
  const auto* hull = shape.as<CircleHull>();
  return hull ? hull->strip(chart.index) : nullptr;
}
bool is_pole_cap(const Shape& shape, ChartId chart) {
  const auto* surface = shape.as<SurfaceOfRevolution>();
  return surface && chart.index >= surface->spans();
}

template <int Order, class S>
Jet<S, Order> chart_jet(const Shape& shape, ChartId chart, const Uv<S>& q) {
  return visit(
      [&]<class F>(const F& surface) -> Jet<S, Order> {
        if constexpr (requires { surface.template jet<Order>(0, q); } &&
                      !std::is_same_v<F, Superellipsoid>) {
          return surface.template jet<Order>(chart.index, q);
        } else {
          return {};
        }
      },
      shape);
}

// Over a rectangle; `middle` is what lies in its middle.
Jet<Interval, 3> chart_ranges(const Shape& shape, ChartId chart, const Vec2<Interval>& q,
                              const Jet<double, 2>& middle) {
  const auto* patches = shape.as<Patchwork>();
  if (!patches || chart.index >= patches->patches()) return chart_jet<3>(shape, chart, q);
  const Patch& patch = patches->patch(chart.index);
  const Uv<double> low(q.x().low, q.y().low), high(q.x().high, q.y().high);
  Jet<Interval, 3> c = part_ranges(patch, low, high);
  // Patches are kept near their own origins.
  const Uv<double> centre = 0.5 * (low + high);
  const Vec3<double> origin = middle.d(0, 0) - jet<0>(patch, centre).d(0, 0);
  c.d(0, 0) += origin.cast<Interval>();
  return c;
}

Vec2<Interval> rectangle(const Uv<double>& low, const Uv<double>& high) {
  return {Interval(low.x(), high.x()), Interval(low.y(), high.y())};
}

// Derivatives over a rectangle by intervals, in s and t and in the frame of the cell. Those of
// order 2 also from order 3, unless it is a cap of a pole.
struct Ranges {
  VectorRange p, s, t, ss, st, tt;
};
template <int Order>
Ranges ranges(const Jet<Interval, Order>& c, const Mat3<double>& to_cell, const Uv<double>& h) {
  const auto range = [&](int i, int j) {
    return std::pow(h.x(), i) * std::pow(h.y(), j) * (to_cell * range_of(c.d(i, j)));
  };
  return {range(0, 0), range(1, 0), range(0, 1), range(2, 0), range(1, 1), range(0, 2)};
}
Ranges ranges(const Shape& shape, ChartId chart, const Vec2<Interval>& q,
              const Mat3<double>& to_cell, const Uv<double>& h, const Jet<double, 2>& middle) {
  const Vec3<double> ss = to_cell * (h.x() * h.x() * middle.d(2, 0)),
                     st = to_cell * (h.x() * h.y() * middle.d(1, 1)),
                     tt = to_cell * (h.y() * h.y() * middle.d(0, 2));
  const auto centred = [&](Ranges r) {
    r.ss = about(ss, r.ss);
    r.st = about(st, r.st);
    r.tt = about(tt, r.tt);
    return r;
  };
  if (is_pole_cap(shape, chart)) return centred(ranges(chart_jet<2>(shape, chart, q), to_cell, h));
  const Jet<Interval, 3> c = chart_ranges(shape, chart, q, middle);
  Ranges r = centred(ranges(c, to_cell, h));
  const auto most = [&](int i, int j) -> Vec3<double> {
    return std::pow(h.x(), i) * std::pow(h.y(), j) * (to_cell * range_of(c.d(i, j))).most();
  };
  const Vec3<double> sst = most(2, 1), stt = most(1, 2);
  r.ss = both(r.ss, VectorRange{ss, most(3, 0) + sst});
  r.st = both(r.st, VectorRange{st, sst + stt});
  r.tt = both(r.tt, VectorRange{tt, stt + most(0, 3)});
  return r;
}

// The third axis along N; the shape's frame where there is none.
Mat3<double> frame_along(const Vec3<double>& N) {
  const double length = N.norm();
  if (!(length > 0) || !std::isfinite(length)) return Mat3<double>::Identity();
  const Crosswise axes = crosswise(N / length);
  Mat3<double> frame;
  frame << axes.a, axes.b, N / length;
  return frame;
}

// N = P_s × P_t, and of strips of rulings the normal of their planes, which is regular where
// |P_s| vanishes.
CellPoint chart_point(const Shape& shape, ChartId chart, const Uv<double>& q, const Uv<double>& h) {
  const Jet<double, 2> c = chart_jet<2>(shape, chart, q);
  CellPoint at;
  at.at = {chart, {q.x(), q.y(), 0}};
  at.p = c.d(0, 0);
  at.P = {h.x() * c.d(1, 0), h.y() * c.d(0, 1)};
  if (const RulingStrip* strip = strip_of(shape, chart)) {
    const auto n = strip->normal_jet(q.x());
    at.N = n[0];
    at.N_rate[0] = h.x() * n[1];
    return at;
  }
  const Vec3<double> ss = h.x() * h.x() * c.d(2, 0), st = h.x() * h.y() * c.d(1, 1),
                     tt = h.y() * h.y() * c.d(0, 2);
  at.N = at.P[0].cross(at.P[1]);
  at.N_rate = {ss.cross(at.P[1]) + at.P[0].cross(st), st.cross(at.P[1]) + at.P[0].cross(tt)};
  return at;
}

Cell chart_cell(const Shape& shape, ChartId chart, const Uv<double>& low, const Uv<double>& high) {
  const Uv<double> middle = 0.5 * (low + high), h = 0.5 * (high - low);
  Cell cell;
  cell.chart = chart;
  cell.low << low, 0;
  cell.high << high, 0;
  const Jet<double, 2> c = chart_jet<2>(shape, chart, middle);
  const RulingStrip* strip = strip_of(shape, chart);
  cell.p = c.d(0, 0);
  cell.frame = frame_along(strip ? strip->normal(middle.x()) : c.d(1, 0).cross(c.d(0, 1)));
  const Mat3<double> to_cell = cell.frame.transpose();
  const Ranges d = ranges(shape, chart, rectangle(low, high), to_cell, h, c);
  const std::array<Vec3<double>, 2> P{to_cell * (h.x() * c.d(1, 0)), to_cell * (h.y() * c.d(0, 1))};
  cell.P[0] = both(VectorRange{P[0], d.ss.most() + d.st.most()}, about(P[0], d.s));
  cell.P[1] = both(VectorRange{P[1], d.st.most() + d.tt.most()}, about(P[1], d.t));
  cell.radius = std::min((cell.P[0].most() + cell.P[1].most()).norm(),
                         about(to_cell * cell.p, d.p).rad.norm());
  const double slack = kRoundOff * (cell.p.norm() + cell.radius);
  cell.radius += slack;
  cell.P[0].rad.array() += slack;
  if (strip) {
    const auto n = strip->normal_jet(Interval(low.x(), high.x()));
    cell.N = about(to_cell * strip->normal(middle.x()), to_cell * range_of(n[0]));
    cell.N_rate[0] = h.x() * (to_cell * range_of(n[1]));
    return cell;
  }
  cell.N_rate[0] = cross(d.ss, cell.P[1]) + cross(cell.P[0], d.st);
  cell.N_rate[1] = cross(d.st, cell.P[1]) + cross(cell.P[0], d.tt);
  const Vec3<double> N = P[0].cross(P[1]);
  cell.N = both(VectorRange{N, cell.N_rate[0].most() + cell.N_rate[1].most()},
                about(N, cross(cell.P[0], cell.P[1])));
  return cell;
}

}  // namespace

bool SurfaceCells::Domain::is_outside(const Uv<double>& from, const Uv<double>& to) const {
  constexpr double kOutside = 1e-6;
  if (disc > 0) {
    const Uv<double> nearest = Uv<double>::Zero().cwiseMax(from).cwiseMin(to);
    return nearest.norm() > disc + kOutside;
  }
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Uv<double> along = polygon[(i + 1) % polygon.size()] - polygon[i];
    const Uv<double> inward(-along.y(), along.x());
    const Uv<double> best(inward.x() > 0 ? to.x() : from.x(), inward.y() > 0 ? to.y() : from.y());
    if (inward.dot(best - polygon[i]) < -kOutside * inward.norm()) return true;
  }
  return false;
}

SurfaceCells::SurfaceCells(Shape shape) : shape_(std::move(shape)) {
  visit([&](const auto& surface) { set_domains(surface); }, shape_);
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    const auto chart = static_cast<std::size_t>(domains_[i].chart.index);
    if (domain_of_.size() <= chart) domain_of_.resize(chart + 1, -1);
    domain_of_[chart] = static_cast<int>(i);
  }
}

void SurfaceCells::set_domains(const Plane&) {
  const double infinity = kInfinity;
  add(0, {-infinity, -infinity}, {infinity, infinity});
  bounded_ = false;
}

// A chart that is the best for its directions reaches to tan(π/8), where two of them meet.
void SurfaceCells::set_domains(const Ellipsoid&) {
  const double reach = std::tan(kPi / 8) + 1e-9;
  for (int chart = 0; chart < sphere_charts::kCharts; ++chart)
    add(chart, {-reach, -reach}, {reach, reach});
}

void SurfaceCells::set_domains(const Frustum& surface) {
  const Extent extent = surface.extent();
  add(0, {0, extent.from}, {2 * kPi, extent.to});
  bounded_ = extent.bounded();
}

void SurfaceCells::set_domains(const Torus&) { add(0, {0, 0}, {2 * kPi, 2 * kPi}); }

void SurfaceCells::set_domains(const SurfaceOfRevolution& surface) {
  for (int i = 0; i < surface.spans(); ++i) {
    Extent v = surface.extent(i);
    if (i == 0 && surface.cap_at_start().index >= 0)
      v.from = std::min(v.from, surface.cap(surface.cap_at_start().index).parameter(kCapReach));
    if (i + 1 == surface.spans() && surface.cap_at_end().index >= 0)
      v.to = std::max(v.to, 1 - surface.cap(surface.cap_at_end().index).parameter(kCapReach));
    add(i, {0, v.from}, {2 * kPi, v.to});
  }
  for (const ChartId cap : {surface.cap_at_start(), surface.cap_at_end()}) {
    if (cap.index < 0) continue;
    add(cap.index, {-kCapReach, -kCapReach}, {kCapReach, kCapReach});
    domains_.back().disc = kCapReach;
  }
}

void SurfaceCells::set_domains(const Patchwork& surface) {
  constexpr double kCapRim = 1.05;  // a cap's disc reaches a little beyond the hole, 1 at most
  for (int i = 0; i < surface.patches(); ++i) {
    const PatchDomain& domain = geometry::domain(surface.patch(i));
    Domain made{ChartId{i}, domain.corner(0), domain.corner(0)};
    for (int k = 0; k < domain.sides(); ++k) {
      made.low = made.low.cwiseMin(domain.corner(k));
      made.high = made.high.cwiseMax(domain.corner(k));
      if (domain.sides() != 4) made.polygon.push_back(domain.corner(k));
    }
    domains_.push_back(std::move(made));
    if (surface.trimmed(i)) rigorous_ = false;  // cells do not tell which part is kept
  }
  for (int i = 0; i < surface.caps(); ++i) {
    add(surface.patches() + i, {-kCapRim, -kCapRim}, {kCapRim, kCapRim});
    domains_.back().disc = kCapRim;
  }
}

void SurfaceCells::set_domains(const Polyhedron& surface) {
  int chart = 0;
  for (const ConvexPolyhedron& part : surface.parts()) {
    for (int face = 0; face < part.faces(); ++face, ++chart) {
      const Jet<double, 1> c = surface.jet<1>(chart, Uv<double>(0, 0));
      Domain made{ChartId{chart}, Uv<double>::Constant(2), Uv<double>::Constant(-2)};
      for (const int v : part.corners(face)) {
        const Vec3<double> r = part.vertex(v) - c.d(0, 0);
        const Uv<double> q(r.dot(c.d(1, 0)) / c.d(1, 0).squaredNorm(),
                           r.dot(c.d(0, 1)) / c.d(0, 1).squaredNorm());
        made.polygon.push_back(q);
        made.low = made.low.cwiseMin(q);
        made.high = made.high.cwiseMax(q);
      }
      domains_.push_back(std::move(made));
    }
  }
}

void SurfaceCells::set_domains(const CircleHull& surface) {
  for (int i = 0; i < surface.charts(); ++i) {
    if (surface.is_disc(i)) {
      add(i, {-1, -1}, {1, 1});
      domains_.back().disc = 1;
    } else {
      add(i, {0, surface.is_cone(i) ? HalfCone::kTip : 0}, {1, 1});
    }
  }
}

void SurfaceCells::set_domains(const Superellipsoid& surface) {
  fields_.push_back(implicit_form(surface));
}
void SurfaceCells::set_domains(const Quadric& surface) {
  fields_.push_back(implicit_form(surface));
  bounded_ = std::isfinite(surface.bounding_radius());
}
void SurfaceCells::set_domains(const ImplicitBody& surface) {
  for (int i = 0; i < surface.faces(); ++i) fields_.push_back(surface.field(i));
  bounded_ = std::isfinite(surface.bounding_radius());
  // The edges of intersections are found by a search that may miss one.
  rigorous_ = surface.is_certified() && surface.faces() == 1;
  for (const ImplicitField& field : fields_) rigorous_ = rigorous_ && field.is_bounded();
}

// Of an unbounded chart the part over a box, grown by a little.
SurfaceCells::Domain SurfaceCells::clipped(const Domain& domain, const Box& within) const {
  Domain result = domain;
  Box box = within;
  const Vec3<double> slack = Vec3<double>::Constant(1e-9 * (1 + within.size().maxCoeff()));
  box.low -= slack;
  box.high += slack;
  const bool plane = shape_.is<Plane>();
  const Uv<double> low(box.low.x(), plane ? box.low.y() : box.low.z());
  const Uv<double> high(box.high.x(), plane ? box.high.y() : box.high.z());
  for (int i = plane ? 0 : 1; i < 2; ++i) {
    result.low(i) = std::max(result.low(i), low(i));
    result.high(i) = std::min(result.high(i), high(i));
  }
  return result;
}

std::vector<Cell> SurfaceCells::roots(const Box& within) const {
  std::vector<Cell> cells;
  if (!fields_.empty()) {
    Box box = geometry::bounding_box(shape_);
    const Vec3<double> slack =
        Vec3<double>::Constant(1e-9 * std::min(box.size().maxCoeff(), within.size().maxCoeff()));
    box.low = (box.low - slack).cwiseMax(within.low);
    box.high = (box.high + slack).cwiseMin(within.high);
    if ((box.low.array() > box.high.array()).any()) return cells;
    for (int face = 0; face < static_cast<int>(fields_.size()); ++face) add_box(face, box, cells);
    return cells;
  }
  for (const Domain& domain : domains_) {
    const Domain part = bounded_ ? domain : clipped(domain, within);
    if ((part.low.array() > part.high.array()).any()) continue;
    add_rectangle(part, part.low, part.high, cells);
  }
  return cells;
}

void SurfaceCells::add_rectangle(const Domain& domain, const Uv<double>& low,
                                 const Uv<double>& high, std::vector<Cell>& parts) const {
  if (!domain.is_outside(low, high)) parts.push_back(chart_cell(shape_, domain.chart, low, high));
}

void SurfaceCells::add_box(int face, const Box& box, std::vector<Cell>& parts) const {
  if (const auto cell = implicit_cells::make(fields_, face, box)) parts.push_back(*cell);
}

void SurfaceCells::split(const Cell& cell, std::vector<Cell>& parts) const {
  const Vec3<double> size = cell.high - cell.low;
  const int first = (cell.height + 1) % 3, second = (cell.height + 2) % 3;
  int along = 0;
  if (cell.height < 0) {
    size.maxCoeff(&along);
  } else {
    // Where the point moves or the normal turns more; the longer side if nothing is known.
    const auto extent = [&](std::size_t i) {
      const double side = size(i == 0 ? first : second);
      if (!std::isfinite(cell.radius)) return side;
      const double bend = cell.N.mid.norm() > 0 && cell.N_rate[i].is_bounded()
                              ? cell.N_rate[i].largest() / cell.N.mid.norm()
                              : 0;
      return cell.P[i].mid.norm() * (1 + 1e-3 * bend) + 1e-12 * side +
             std::min(bend, 2.0) * cell.radius;
    };
    along = extent(0) >= extent(1) ? first : second;
  }
  const double middle = 0.5 * (cell.low(along) + cell.high(along));
  for (const bool upper : {false, true}) {
    Box box{cell.low, cell.high};
    (upper ? box.low : box.high)(along) = middle;
    if (!fields_.empty()) {
      add_box(cell.chart.index, box, parts);
    } else {
      const Domain& domain = domains_[static_cast<std::size_t>(
          domain_of_[static_cast<std::size_t>(cell.chart.index)])];
      add_rectangle(domain, box.low.head<2>(), box.high.head<2>(), parts);
    }
  }
}

std::optional<Cell> SurfaceCells::grown(const Cell& cell, double times) const {
  if (!fields_.empty()) return std::nullopt;
  const Domain& domain =
      domains_[static_cast<std::size_t>(domain_of_[static_cast<std::size_t>(cell.chart.index)])];
  const Uv<double> middle = 0.5 * (cell.low + cell.high).head<2>(),
                   half = 0.5 * times * (cell.high - cell.low).head<2>();
  return chart_cell(shape_, cell.chart, (middle - half).cwiseMax(domain.low),
                    (middle + half).cwiseMin(domain.high));
}

CellPoint SurfaceCells::point(const Cell& cell, const Vec2<double>& st) const {
  if (!fields_.empty()) {
    return implicit_cells::point(fields_[static_cast<std::size_t>(cell.chart.index)], cell, st);
  }
  const Uv<double> h = 0.5 * (cell.high - cell.low).head<2>();
  const Uv<double> middle = 0.5 * (cell.low + cell.high).head<2>();
  return chart_point(shape_, cell.chart, middle + h.cwiseProduct(st), h);
}

Location SurfaceCells::location(const CellPoint& at) const {
  return shape_.is<Superellipsoid>() ? near(shape_, at.p) : at.at;
}

}  // namespace oloid::geometry
