#include "oloid/world/compile/compile_pairs.h"

#include "oloid/proximity/far.h"
#include "oloid/world/compile/bounded_body.h"

namespace oloid::world {
namespace {

// What searches need to know about each body, made when a pair first needs it.
class SearchData {
 public:
  explicit SearchData(const std::vector<Body>& bodies)
      : bodies_(bodies), starts_(bodies.size()), bounded_(bodies.size()) {}

  const std::shared_ptr<const BodyStarts>& starts(std::size_t body) {
    if (!starts_[body]) starts_[body] = make_starts(bodies_[body].side);
    return starts_[body];
  }

  // Those of bodies of many patches would cost minutes.
  std::array<std::shared_ptr<const BoundedBody>, 2> bounds(const std::array<std::size_t, 2>& pair) {
    for (const std::size_t i : pair) {
      const Side& side = bodies_[i].side;
      if (!few_cells(side.shape)) return {};
      if (!bounded_[i]) bounded_[i] = std::make_shared<const BoundedBody>(side);
    }
    return {bounded_[pair[0]], bounded_[pair[1]]};
  }

 private:
  const std::vector<Body>& bodies_;
  std::vector<std::shared_ptr<const BodyStarts>> starts_;
  std::vector<std::shared_ptr<const BoundedBody>> bounded_;
};

}  // namespace

void compile_pairs(const PairLaws& laws, Model& model) {
  SearchData search(model.bodies);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < model.bodies.size(); ++j) {
      const bool first = model.bodies[i].moves;
      if (!first && !model.bodies[j].moves) continue;
      const std::size_t a = first ? i : j, b = first ? j : i;
      Pair& pair = model.pairs.emplace_back();
      pair.bodies = {BodyId{static_cast<std::int32_t>(a)}, BodyId{static_cast<std::int32_t>(b)}};
      pair.law = laws.between(i, j);
      const Side &A = model.bodies[a].side, &B = model.bodies[b].side;
      pair.convex = is_convex(A.shape) && is_convex(B.shape);
      pair.starts = {search.starts(a), search.starts(b)};
      if (!pair.convex) pair.bounded = search.bounds({a, b});
    }
  }
}

}  // namespace oloid::world
