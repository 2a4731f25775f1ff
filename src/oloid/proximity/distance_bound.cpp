#include "oloid/proximity/distance_bound.h"

#include <algorithm>
#include <vector>

#include "oloid/proximity/cell_pair.h"
#include "oloid/proximity/cell_tree.h"

namespace oloid::proximity {
namespace {

struct Item {
  int a, b;
  double least;  // [m]
};
bool farther(const Item& x, const Item& y) { return x.least > y.least; }

}  // namespace

double distance_bound(const FarBody& A, const FarBody& B, const Pose<double>& X_BA, double enough,
                      int most_cells) {
  const CellTree &a_tree = A.tree(), &b_tree = B.tree();
  if (!a_tree.is_bounded() && !b_tree.is_bounded()) return 0;
  const Pose<double> X = inverse(b_tree.features().X_BS()) * X_BA * a_tree.features().X_BS();
  CellView a_view(a_tree, around(inverse(X) * b_tree.middle(), b_tree.radius() + enough));
  CellView b_view(b_tree, around(X * a_tree.middle(), a_tree.radius() + enough));

  std::vector<Item> open;
  const auto push = [&](int a, int b) {
    const double least = PairOfNodes{a_view[a], b_view[b], X}.least_distance();
    if (least >= enough) return;
    open.push_back({a, b, std::max(least, 0.0)});
    std::push_heap(open.begin(), open.end(), farther);
  };
  for (const int a : a_view.roots())
    for (const int b : b_view.roots()) push(a, b);
  for (int cells = 0; !open.empty(); ++cells) {
    const Item item = open.front();
    if (cells == most_cells) return item.least;
    std::pop_heap(open.begin(), open.end(), farther);
    open.pop_back();
    const CellNode &a = a_view[item.a], &b = b_view[item.b];
    if (a.is_point() && b.is_point()) return item.least;
    const bool cut_a = !a.is_point() && (b.is_point() || a.radius >= b.radius);
    const CellView::Parts parts = cut_a ? a_view.parts(item.a) : b_view.parts(item.b);
    for (int i = 0; i < parts.count; ++i) {
      if (cut_a) {
        push(parts.first + i, item.b);
      } else {
        push(item.a, parts.first + i);
      }
    }
  }
  return enough;
}

}  // namespace oloid::proximity
