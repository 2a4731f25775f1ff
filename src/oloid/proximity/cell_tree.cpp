#include "oloid/proximity/cell_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "oloid/base/constants.h"
#include "oloid/geometry/cells/curve_cells.h"

namespace oloid::proximity {
namespace {

constexpr double kAny = std::numbers::pi;
// The part of the tree that is made in advance.
constexpr double kCoarseAngle = 0.3;  // [rad]
constexpr double kCoarseSize = 0.3;   // of the body
constexpr std::size_t kMostMade = 3000;

// Across the middle at most by the length of what is off across it.
void set_cone(const VectorRange& v, const Mat3<double>& frame, CellNode& node) {
  const double length = v.mid.norm();
  node.angle = kAny;
  if (!(v.rad.norm() < kInfinity) || !(length > 0)) return;
  const Vec3<double> axis = v.mid / length;
  const double least = length - axis.cwiseAbs().dot(v.rad);  // along the axis
  double across = v.rad.norm();
  if (std::abs(axis.z()) > 1 - 1e-12) across = v.rad.head<2>().norm() + 2e-6 * v.rad.z();
  if (!(least > 0)) return;
  node.axis = frame * axis;
  node.angle = std::atan2(across, least) + 1e-12;
}

// The curvatures of a surface cell. With [P_s P_t] = Q Lᵀ in the middle, Q orthonormal, they are
// quotients of the forms L⁻¹ (N_i·P_j) L⁻ᵀ / |N| and L⁻¹ (P_i·P_j) L⁻ᵀ.
void set_curvatures(const Cell& cell, CellNode& node) {
  if (!cell.is_smooth() || !cell.N.is_bounded()) return;
  Mat2<double> first, second, off_first, off_second;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      const NumberRange I = dot(cell.P[a], cell.P[b]), II = dot(cell.N_rate[a], cell.P[b]);
      first(i, j) = I.mid;
      off_first(i, j) = I.rad;
      second(i, j) = II.mid;
      off_second(i, j) = II.rad;
    }
  }
  const double l_00 = std::sqrt(first(0, 0)), l_10 = first(1, 0) / l_00,
               l_11 = std::sqrt(first(1, 1) - l_10 * l_10);
  if (!(l_00 > 0) || !(l_11 > 0)) return;
  Mat2<double> inverse;
  inverse << 1 / l_00, 0, -l_10 / (l_00 * l_11), 1 / l_11;
  const auto spread = [&](const Mat2<double>& off) -> Mat2<double> {
    return inverse.cwiseAbs() * off * inverse.cwiseAbs().transpose();
  };
  const double metric = spread(off_first).norm();
  const double N = cell.N.mid.norm(), off_N = cell.N.rad.norm();
  if (!(metric < 1) || !(off_N < N)) return;
  const double largest = (1 + metric) * (N + off_N), smallest = (1 - metric) * (N - off_N);
  const auto at_least = [&](double form) { return form / (form > 0 ? largest : smallest); };
  const auto at_most = [&](double form) { return form / (form > 0 ? smallest : largest); };
  // Entry by entry: a direction of strong and uncertain curvature does not spoil the other.
  const Mat2<double> form = inverse * second * inverse.transpose(), off = spread(off_second);
  const double mixed = 0.5 * (std::abs(form(0, 1)) + std::abs(form(1, 0)) + off(0, 1) + off(1, 0));
  const auto eigenvalue = [&](double a, double b, double sign) {
    return 0.5 * (a + b) + sign * std::hypot(0.5 * (a - b), mixed);
  };
  const double least = eigenvalue(form(0, 0) - off(0, 0), form(1, 1) - off(1, 1), -1),
               most = eigenvalue(form(0, 0) + off(0, 0), form(1, 1) + off(1, 1), 1);
  if (!std::isfinite(least) || !std::isfinite(most)) return;
  node.curvature = at_least(least);
  node.most_curvature = at_most(most);
  node.most_least_curvature = at_most(std::min(form(0, 0) + off(0, 0), form(1, 1) + off(1, 1)));
}

// A curve bends inward by no more than its curvature.
double least_curvature_of_curve(const Cell& cell) {
  const Vec3<double>& P = cell.P[0].mid;
  const double speed = P.norm() - cell.P[0].rad.norm();
  if (!cell.P_ss.is_bounded() || !(speed > 0)) return -kInfinity;
  return -cell.P_ss.largest() / (speed * speed);
}

// A ball and, of surfaces, a cone around those of the parts.
void enclose(const CellNode* parts, std::size_t n, CellNode& node) {
  Box box;
  Vec3<double> sum = Vec3<double>::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    box.add(parts[i].centre - Vec3<double>::Constant(parts[i].radius));
    box.add(parts[i].centre + Vec3<double>::Constant(parts[i].radius));
    sum += parts[i].axis;
  }
  node.kind = parts[0].kind;
  node.centre = box.size().allFinite() ? box.centre() : parts[0].centre;
  node.radius = 0;
  node.angle = node.kind == Spot::Kind::surface && sum.norm() > 1e-3 ? 0 : kAny;
  if (node.angle == 0) node.axis = sum.normalized();
  for (std::size_t i = 0; i < n; ++i) {
    node.radius = std::max(node.radius, (parts[i].centre - node.centre).norm() + parts[i].radius);
    if (node.angle < kAny)
      node.angle = std::min(
          kAny, std::max(node.angle, angle_between(node.axis, parts[i].axis) + parts[i].angle));
  }
}

}  // namespace

CellNode CellTree::node_of(Spot::Kind kind, int index, const Cell& cell) {
  CellNode node;
  node.kind = kind;
  node.index = index;
  node.centre = cell.p;
  node.radius = cell.radius;
  node.cell = cell;
  if (kind == Spot::Kind::surface) {
    set_cone(cell.N, cell.frame, node);
    set_curvatures(cell, node);
  } else if (kind == Spot::Kind::curve) {
    set_cone(cell.P[0], cell.frame, node);
    node.curvature = least_curvature_of_curve(cell);
  } else {
    node.angle = kAny;
    node.curvature = kInfinity;
  }
  return node;
}

CellTree::CellTree(const TouchableBody& features) : features_(&features) {
  std::vector<CellNode> leaves;
  if (const PlacedShape* side = features.side()) {
    cells_ = std::make_unique<SurfaceCells>(side->shape);
    rigorous_ = cells_->is_rigorous();
    if (cells_->is_bounded()) {
      for (const Cell& cell : cells_->roots(everywhere()))
        leaves.push_back(node_of(Spot::Kind::surface, 0, cell));
      add_tree(std::move(leaves));
    }
  }
  leaves.clear();
  for (int i = 0; i < features.curves(); ++i)
    for (const Cell& cell : curve_cells::roots(features.path(i)))
      leaves.push_back(node_of(Spot::Kind::curve, i, cell));
  add_tree(std::move(leaves));
  leaves.clear();
  const Pose<double> X_SB = inverse(features.X_BS());
  for (int i = 0; i < features.vertices(); ++i) {
    const Vec3<double> p = X_SB * features.at({Spot::Kind::vertex, i, {}}).p;
    leaves.push_back(node_of(Spot::Kind::vertex, i, curve_cells::of_vertex(p)));
  }
  add_tree(std::move(leaves));
  refine();
  tighten();
  Box box;
  for (const int root : roots_) box.add(nodes_[static_cast<std::size_t>(root)].centre);
  if (const PlacedShape* side = features.side(); side && cells_->is_bounded())
    box = bounding_box(side->shape);
  if (is_bounded() && !roots_.empty()) middle_ = box.centre();
  for (const int root : roots_) {
    const CellNode& node = nodes_[static_cast<std::size_t>(root)];
    radius_ = std::max(radius_, (node.centre - middle_).norm() + node.radius);
  }
  if (const PlacedShape* side = features.side(); side && cells_->is_bounded())
    radius_ = std::min(radius_, 0.5 * box.size().norm() * (1 + 1e-12));
  if (!is_bounded()) radius_ = std::numeric_limits<double>::infinity();
}

void CellTree::add_tree(std::vector<CellNode> leaves) {
  if (leaves.empty()) return;
  roots_.push_back(static_cast<int>(nodes_.size()));
  nodes_.emplace_back();
  fill(nodes_.size() - 1, leaves, 0, leaves.size());
}

void CellTree::fill(std::size_t at, std::vector<CellNode>& leaves, std::size_t from,
                    std::size_t to) {
  if (to - from == 1) {
    nodes_[at] = leaves[from];
    return;
  }
  Box box;
  for (std::size_t i = from; i < to; ++i) box.add(leaves[i].centre);
  int axis = 0;
  box.size().maxCoeff(&axis);
  const std::size_t middle = from + (to - from) / 2;
  std::stable_sort(
      leaves.begin() + static_cast<std::ptrdiff_t>(from),
      leaves.begin() + static_cast<std::ptrdiff_t>(to),
      [axis](const CellNode& a, const CellNode& b) { return a.centre(axis) < b.centre(axis); });
  const std::size_t first = nodes_.size();
  nodes_.resize(first + 2);
  fill(first, leaves, from, middle);
  fill(first + 1, leaves, middle, to);
  CellNode node;
  enclose(&nodes_[first], 2, node);
  node.first = static_cast<int>(first);
  node.count = 2;
  nodes_[at] = node;
}

void CellTree::refine() {
  double size = 0;
  for (const int root : roots_) {
    const double radius = nodes_[static_cast<std::size_t>(root)].radius;
    size = std::max(size, std::isfinite(radius) ? radius : 0);
  }
  const std::size_t most = nodes_.size() + kMostMade;
  std::vector<CellNode> parts;
  for (std::size_t i = 0; i < nodes_.size() && nodes_.size() < most; ++i) {
    if (!nodes_[i].cell || nodes_[i].is_point()) continue;
    if (nodes_[i].angle <= kCoarseAngle && nodes_[i].radius <= kCoarseSize * size) continue;
    parts.clear();
    split(nodes_[i], parts);
    nodes_[i].first = static_cast<int>(nodes_.size());
    nodes_[i].count = static_cast<int>(parts.size());
    nodes_.insert(nodes_.end(), parts.begin(), parts.end());
  }
}

// Bounds from the parts are sharper than those of a large cell by itself.
void CellTree::tighten() {
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    CellNode& node = nodes_[i];
    if (node.count == 0) continue;
    CellNode around;
    enclose(&nodes_[static_cast<std::size_t>(node.first)], static_cast<std::size_t>(node.count),
            around);
    if (around.radius < node.radius) {
      node.centre = around.centre;
      node.radius = around.radius;
    }
    if (node.kind == Spot::Kind::surface && around.angle < node.angle) {
      node.axis = around.axis;
      node.angle = around.angle;
    }
  }
}

void CellTree::split(const CellNode& node, std::vector<CellNode>& parts) const {
  std::vector<Cell> cells;
  if (node.kind == Spot::Kind::surface) cells_->split(*node.cell, cells);
  if (node.kind == Spot::Kind::curve)
    curve_cells::split(features_->path(node.index), *node.cell, cells);
  for (const Cell& cell : cells) parts.push_back(node_of(node.kind, node.index, cell));
}

std::optional<CellNode> CellTree::grown(const CellNode& node, double times) const {
  const std::optional<Cell> cell = cells_->grown(*node.cell, times);
  if (!cell) return std::nullopt;
  return node_of(Spot::Kind::surface, 0, *cell);
}

CellPoint CellTree::point(const CellNode& node, const Vec2<double>& st) const {
  if (node.kind == Spot::Kind::surface) return cells_->point(*node.cell, st);
  if (node.kind == Spot::Kind::curve)
    return curve_cells::point(features_->path(node.index), *node.cell, st(0));
  CellPoint at;
  at.p = node.cell->p;
  return at;
}

Spot CellTree::spot(const CellNode& node, const CellPoint& at) const {
  if (node.kind == Spot::Kind::surface) return {node.kind, 0, cells_->location(at)};
  return {node.kind, node.index, at.at};
}

// If several sheets of an implicit surface may pass through a box, no point of the surface in it is
// known.
Spot CellTree::middle_of(const CellNode& node) const {
  if (node.kind == Spot::Kind::surface && node.cell->height < 0)
    return features_->near(features_->X_BS() * node.centre);
  return spot(node, point(node, Vec2<double>::Zero()));
}

CellView::CellView(const CellTree& tree, const Box& within)
    : tree_(&tree), roots_(tree.roots()), below_(tree.nodes().size(), Parts{-1, 0}) {
  if (tree.is_bounded()) return;
  for (const Cell& cell : tree.cells_in(within)) {
    roots_.push_back(static_cast<int>(tree.nodes().size() + own_.size()));
    own_.push_back(CellTree::node_of(Spot::Kind::surface, 0, cell));
  }
}

CellView::Parts CellView::parts(int i) {
  const CellNode& node = (*this)[i];
  if (node.first >= 0) return {node.first, node.count};
  const auto at = static_cast<std::size_t>(i), base = tree_->nodes().size();
  if (at < base && below_[at].first >= 0) return below_[at];
  std::vector<CellNode> made;
  tree_->split(node, made);
  const Parts parts{static_cast<int>(base + own_.size()), static_cast<int>(made.size())};
  own_.insert(own_.end(), made.begin(), made.end());
  if (at < base) {
    below_[at] = parts;
  } else {
    own_[at - base].first = parts.first;
    own_[at - base].count = parts.count;
  }
  return parts;
}

}  // namespace oloid::proximity
