#include "oloid/geometry/cells/curve_cells.h"

namespace oloid::geometry::curve_cells {
namespace {

constexpr double kCurveRoundOff = 1e-14;  // of lengths, relative

Cell make(const Curve& curve, int piece, double from, double to) {
  const double h = 0.5 * (to - from);
  const auto over = curve.jet<3>(piece, Interval(from, to));
  const auto x = curve.jet<2>(piece, 0.5 * (from + to));
  Cell cell;
  cell.dimension = 1;
  cell.chart = ChartId{piece};
  cell.low.x() = from;
  cell.high.x() = to;
  cell.p = x[0];
  cell.P_ss =
      h * h * both(about(x[2], range_of(over[2])), VectorRange{x[2], h * range_of(over[3]).most()});
  cell.P[0] = both(VectorRange{h * x[1], cell.P_ss.most()}, about(h * x[1], h * range_of(over[1])));
  cell.radius = std::min(cell.P[0].largest(), about(cell.p, range_of(over[0])).rad.norm());
  const double slack = kCurveRoundOff * (cell.p.norm() + cell.radius);
  cell.radius += slack;
  cell.P[0].rad.array() += slack;
  return cell;
}

}  // namespace

std::vector<Cell> roots(const Curve& curve) {
  std::vector<Cell> cells;
  cells.reserve(static_cast<std::size_t>(curve.pieces()));
  for (int i = 0; i < curve.pieces(); ++i) cells.push_back(make(curve, i, 0, 1));
  return cells;
}

void split(const Curve& curve, const Cell& cell, std::vector<Cell>& parts) {
  const double middle = 0.5 * (cell.low.x() + cell.high.x());
  parts.push_back(make(curve, cell.chart.index, cell.low.x(), middle));
  parts.push_back(make(curve, cell.chart.index, middle, cell.high.x()));
}

CellPoint point(const Curve& curve, const Cell& cell, double s) {
  const double h = 0.5 * (cell.high.x() - cell.low.x());
  const double t = 0.5 * (cell.low.x() + cell.high.x()) + h * s;
  const auto x = curve.jet<2>(cell.chart.index, t);
  CellPoint at;
  at.at = {cell.chart, {t, 0, 0}};
  at.p = x[0];
  at.P[0] = h * x[1];
  at.P_ss = h * h * x[2];
  return at;
}

Cell of_vertex(const Vec3<double>& p) {
  Cell cell;
  cell.dimension = 0;
  cell.p = p;
  cell.radius = kCurveRoundOff * p.norm();
  return cell;
}

}  // namespace oloid::geometry::curve_cells
