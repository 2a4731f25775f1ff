#include "oloid/world/compile/compile_touch.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "oloid/proximity/broad.h"
#include "oloid/world/compile/error_list.h"
#include "oloid/world/model/supported.h"
#include "oloid/world/tools/display_mesh.h"

namespace oloid::world {
namespace {

class TouchCompiler {
 public:
  TouchCompiler(const Spec& spec, Model& model) : spec_(spec), model_(model) {
    tree_.resize(model.bodies.size());
    std::iota(tree_.begin(), tree_.end(), std::size_t{0});
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      if (!model.bodies[i].moves) tree_[i] = kRoot;
    }
  }

  Errors compile() {
    BroadPhase near;
    for (const Body& body : model_.bodies) near.add(box_around(body));
    for (const BroadPhase::Pair& bodies : near.near_pairs()) {
      if (const auto pair = model_.pairs.find(BodyId{bodies.a}, BodyId{bodies.b})) look_at(*pair);
    }
    return errors_.all();
  }

 private:
  static constexpr std::size_t kRoot = std::numeric_limits<std::size_t>::max();  // the ground

  const BodySpec& spec_of(BodyId id) const {
    return spec_.bodies[static_cast<std::size_t>(id.index)];
  }

  // A coordinate without the digits that are noise at the size of the body.
  double written(double x) const {
    const double unit = std::pow(10, std::floor(std::log10(model_.length)) - 13);
    return std::round(x / unit) * unit;
  }

  // With some room, since bodies are moved a little to touch exactly.
  static Box box_around(const Body& body) {
    return around(body.at_start().X_WB.p, body.radius() * (1 + 1e-5));
  }

  bool may_touch(const Pair& pair) const {
    const Vec3<double> d =
        initial_pose(model_, pair.bodies[0]).p - initial_pose(model_, pair.bodies[1]).p;
    return !(d.norm() > pair.reach * (1 + 1e-6));
  }

  void look_at(int index) {
    const Pair& pair = model_.pair(index);
    if (!may_touch(pair)) return;
    const auto& [A, B] = pair.bodies;
    const Pose<double> X_WB = initial_pose(model_, B),
                       X_BA = inverse(X_WB) * initial_pose(model_, A);
    const SearchBody &search_A = model_.body(A).proximity->search(),
                     &search_B = model_.body(B).proximity->search();
    const TrackedPair near = nearest_pair(search_A, search_B, X_BA);
    const double touching = kTouching * pair.length;
    if (near.usable() && near.gap > touching) return;
    if (!near.usable() || near.gap < -touching) {
      const SearchResult found = search_pairs(search_A, search_B, X_BA, 0);
      if (found.overlap) refuse_overlap(pair, found.pairs);
      return;
    }
    // Contacts that cannot be simulated (at an edge, or closing a loop of bodies) are not refused
    // here: the run ends their island at once, with the reason in the record.
    if (!why_unsupported(near).empty() || tree_of(A) == tree_of(B)) {
      model_.unsupported.push_back({index, near});
      return;
    }
    join(A, B, -(X_WB.R * (near.gap * near.normal)));
    model_.touches.push_back({index, near});
  }

  void refuse_overlap(const Pair& pair, const std::vector<TrackedPair>& found) {
    const auto& [A, B] = pair.bodies;
    const auto& placement = spec_of(A).placement;
    const Place& place = placement ? placement->place : spec_of(A).position.place;
    const std::string bodies =
        model_.pairs.size() == 1
            ? "the bodies"
            : fmt::format("\"{}\" and \"{}\"", spec_of(A).name.value, spec_of(B).name.value);
    if (found.empty() || !found.front().usable() || !(found.front().gap < 0)) {
      errors_.refuse(place, fmt::format("{} overlap deeply at the start", bodies),
                     "move one of them away");
      return;
    }
    const TrackedPair& deepest = found.front();
    const Vec3<double> p =
        initial_pose(model_, A).p - initial_pose(model_, B).R * (deepest.gap * deepest.normal);
    errors_.refuse(place, fmt::format("{} overlap at the start by {:.6g} m", bodies, -deepest.gap),
                   placement ? "place it elsewhere, or rotate it"
                             : fmt::format("use position = [{}, {}, {}]", written(p.x()),
                                           written(p.y()), written(p.z())));
  }

  std::size_t& tree_of(BodyId id) { return tree_[static_cast<std::size_t>(id.index)]; }

  // One of the two trees is not connected to the ground: it is moved until the gap between A and B
  // is 0, and joined to the other.
  void join(BodyId A, BodyId B, const Vec3<double>& shift_of_A) {
    const bool A_floats = tree_of(A) != kRoot;
    const std::size_t gone = A_floats ? tree_of(A) : tree_of(B);
    const std::size_t kept = A_floats ? tree_of(B) : tree_of(A);
    for (std::size_t i = 0; i < tree_.size(); ++i) {
      if (tree_[i] != gone) continue;
      model_.bodies[i].start.p_WA += A_floats ? shift_of_A : Vec3<double>(-shift_of_A);
      tree_[i] = kept;
    }
  }

  const Spec& spec_;
  Model& model_;
  std::vector<std::size_t> tree_;  // by body: a name of the tree it is in
  ErrorList errors_;
};

}  // namespace

Errors compile_touches(const Spec& spec, Model& model) {
  return TouchCompiler(spec, model).compile();
}

}  // namespace oloid::world
