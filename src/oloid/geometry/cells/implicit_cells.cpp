#include "oloid/geometry/cells/implicit_cells.h"

#include <cmath>

#include "oloid/geometry/implicit/implicit_tools.h"

namespace oloid::geometry::implicit_cells {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Vec3<Interval> vector(const IntervalVector& v) { return {v[0], v[1], v[2]}; }

// The coordinate along which f changes most, if it changes for certain.
int best_height(const IntervalVector& gradient) {
  int best = -1;
  double most = 0;
  for (int i = 0; i < 3; ++i) {
    const double least = gradient[index(i)].smallest();
    if (std::isfinite(gradient[index(i)].largest()) && least > most) {
      most = least;
      best = i;
    }
  }
  return best;
}

// Over a box: slopes of the height over the other two coordinates, φ_i = −f_i / f_k.
struct Graph {
  int k, i, j;
  Interval phi_i, phi_j;
  Graph(const IntervalVector& g, int height)
      : k(height),
        i((height + 1) % 3),
        j((height + 2) % 3),
        phi_i(-g[index(i)] / g[index(k)]),
        phi_j(-g[index(j)] / g[index(k)]) {}
  // How much the height may change over a box.
  double rise(const Box& box) const {
    const Vec3<double> size = box.size();
    return phi_i.largest() * size(i) + phi_j.largest() * size(j);
  }
};

// With second derivatives φ_ij = −(f_ij + f_ik φ_j + f_jk φ_i + f_kk φ_i φ_j) / f_k.
void put_graph(const ImplicitField& field, const Graph& graph, const Box& grown,
               const IntervalVector& gradient, Cell& cell) {
  const int k = graph.k, i = graph.i, j = graph.j;
  const Interval &phi_i = graph.phi_i, &phi_j = graph.phi_j;
  const ImplicitJet<double> at = field.implicit_jet(cell.p);
  const IntervalMatrix H = field.hessian_bounds(grown);
  const Interval f_k = gradient[index(k)];
  const auto second = [&](int a, int b, const Interval& phi_a, const Interval& phi_b) {
    return -(H[index(a)][index(b)] + H[index(a)][index(k)] * phi_b + H[index(b)][index(k)] * phi_a +
             H[index(k)][index(k)] * phi_a * phi_b) /
           f_k;
  };
  const Interval phi_ij = second(i, j, phi_i, phi_j);
  const double h_i = 0.5 * (cell.high(i) - cell.low(i)), h_j = 0.5 * (cell.high(j) - cell.low(j));
  const Interval s_i(-h_i, h_i), s_j(-h_j, h_j);
  const double f_k0 = at.gradient(k);
  const Interval slope_i = both(
      phi_i, Interval(-at.gradient(i) / f_k0) + second(i, i, phi_i, phi_i) * s_i + phi_ij * s_j);
  const Interval slope_j = both(
      phi_j, Interval(-at.gradient(j) / f_k0) + phi_ij * s_i + second(j, j, phi_j, phi_j) * s_j);
  std::array<Vec3<Interval>, 2> P;
  for (auto& v : P) v.setConstant(Interval(0.0));
  P[0](i) = Interval(h_i);
  P[0](k) = Interval(h_i) * slope_i;
  P[1](j) = Interval(h_j);
  P[1](k) = Interval(h_j) * slope_j;
  for (std::size_t x = 0; x < 2; ++x) {
    Vec3<Interval> rate;
    for (int a = 0; a < 3; ++a) {
      rate(a) = Interval(0.0);
      for (int b = 0; b < 3; ++b) rate(a) = rate(a) + H[index(a)][index(b)] * P[x](b);
    }
    cell.P[x] = range_of(P[x]);
    cell.N_rate[x] = range_of(rate);
  }
  const VectorRange N = range_of(vector(gradient));
  cell.N = both(VectorRange{at.gradient, cell.N_rate[0].most() + cell.N_rate[1].most()},
                about(at.gradient, N));
}

// The zero of f on the line along coordinate k through a box's middle; none if there is none.
std::optional<Vec3<double>> height_in_the_middle(const ImplicitField& field, const Box& box,
                                                 int k) {
  const Vec3<double> along = Vec3<double>::Unit(k);
  const Vec3<double> p = box.centre();
  const double half = 0.5 * box.size()(k);
  const double low = field.value(Vec3<double>(p - half * along)),
               high = field.value(Vec3<double>(p + half * along));
  if ((low > 0) == (high > 0)) return std::nullopt;
  const double inside = low > 0 ? half : -half;
  const double z = implicit_tools::bracketed_newton(
      [&](double t) { return implicit_tools::on_line(field, Vec3<double>(p + t * along), along); },
      inside, -inside);
  return Vec3<double>(p + z * along);
}

}  // namespace

std::optional<Cell> make(std::span<const ImplicitField> fields, int face, const Box& box) {
  const ImplicitField& field = fields[index(face)];
  const FieldBounds bounds = implicit_tools::tight_bounds(field, box);
  if (!bounds.f.contains(0)) return std::nullopt;
  for (std::size_t other = 0; other < fields.size(); ++other) {
    if (other != index(face) && implicit_tools::tight_bounds(fields[other], box).f.low > 0)
      return std::nullopt;
  }
  Cell cell;
  cell.chart = ChartId{face};
  cell.low = box.low;
  cell.high = box.high;
  cell.height = -1;
  cell.p = box.centre();
  cell.radius = implicit_tools::half_diagonal(box);
  cell.N = range_of(vector(bounds.gradient));
  cell.P[0] = cell.N_rate[0] = VectorRange::everything();
  const int k = best_height(bounds.gradient);
  if (k < 0) return cell;
  // Over the whole of the rectangle the graph does not leave the box grown by what it can rise.
  const double rise = 1.5 * Graph(bounds.gradient, k).rise(box);
  Box grown = box;
  grown.low(k) -= rise;
  grown.high(k) += rise;
  const FieldBounds wider = field.bounds(grown);
  if (!(wider.gradient[index(k)].smallest() > 0)) return cell;
  const Graph graph(wider.gradient, k);
  if (!(graph.rise(box) <= rise)) return cell;
  const std::optional<Vec3<double>> middle = height_in_the_middle(field, grown, k);
  if (!middle) return std::nullopt;
  Cell made = cell;
  made.p = *middle;
  put_graph(field, graph, grown, wider.gradient, made);
  if (!made.is_smooth()) return cell;
  made.height = k;
  made.radius = made.P[0].largest() + made.P[1].largest();
  const double reach = made.P[0].most()(k) + made.P[1].most()(k);
  made.low(k) = std::max(made.low(k), made.p(k) - reach);
  made.high(k) = std::min(made.high(k), made.p(k) + reach);
  if (!(made.low(k) <= made.high(k))) return std::nullopt;
  return made;
}

CellPoint point(const ImplicitField& field, const Cell& cell, const Vec2<double>& st) {
  constexpr int kMost = 30;
  const int k = cell.height, i = (k + 1) % 3, j = (k + 2) % 3;
  const Vec3<double> half = 0.5 * (cell.high - cell.low);
  CellPoint at;
  at.p = 0.5 * (cell.low + cell.high);
  at.p(i) += st(0) * half(i);
  at.p(j) += st(1) * half(j);
  at.p(k) = cell.p(k) + cell.P[0].mid(k) * st(0) + cell.P[1].mid(k) * st(1);
  ImplicitJet<double> f = field.implicit_jet(at.p);
  double step = 0;
  for (int n = 0; n < kMost; ++n) {
    const double before = step;
    step = f.f / f.gradient(k);
    at.p(k) -= step;
    f = field.implicit_jet(at.p);
    if (!(std::abs(step) > 1e-15 * (std::abs(at.p(k)) + cell.radius)) ||
        (n > 2 && std::abs(step) >= std::abs(before)))
      break;
  }
  at.at = {cell.chart, at.p};
  at.P[0](i) = half(i);
  at.P[0](k) = -half(i) * f.gradient(i) / f.gradient(k);
  at.P[1](j) = half(j);
  at.P[1](k) = -half(j) * f.gradient(j) / f.gradient(k);
  at.N = f.gradient;
  for (std::size_t x = 0; x < 2; ++x) at.N_rate[x] = f.hessian * at.P[x];
  return at;
}

}  // namespace oloid::geometry::implicit_cells
