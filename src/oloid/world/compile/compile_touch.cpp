#include "oloid/world/compile/compile_touch.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "oloid/contact/surface_surface.h"
#include "oloid/proximity/spot.h"
#include "oloid/world/compile/error_list.h"
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
    for (int pair = 0; pair < static_cast<int>(model_.pairs.size()); ++pair) look_at(pair);
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

  bool may_touch(const Pair& pair) const {
    const Vec3<double> d =
        initial_pose(model_, pair.bodies[0]).p - initial_pose(model_, pair.bodies[1]).p;
    return !(d.norm() > pair.reach * (1 + 1e-6));
  }

  void look_at(int index) {
    const Pair& pair = model_.pair(index);
    if (!may_touch(pair)) return;
    const auto& [A, B] = pair.bodies;
    const Side &side_A = model_.body(A).side, &side_B = model_.body(B).side;
    const Pose<double> X_WB = initial_pose(model_, B),
                       X_BA = inverse(X_WB) * initial_pose(model_, A);
    const Closest near = closest_anywhere(side_A, side_B, X_BA, pair.starts);
    const double touching = kTouching * pair.length;
    if (near.status != ClosestStatus::found) {
      // Convex bodies that are apart have nearest points, unless these lie on an edge or are many.
      const auto faces_away = [&] {
        const SideAnchor anchor{near.A.chart, fresh_reference(side_A, near.A)};
        return near.normal_B.dot(X_BA.R * side_A.at<double>(anchor, near.A.x).R.col(2)) > 0;
      };
      const bool sunk =
          near.status == ClosestStatus::no_convergence ||
          (near.status == ClosestStatus::not_minimum && (near.gap < -touching || faces_away()));
      if (model_.pairs.size() == 1) {
        not_found(near, spec_of(A).position.place);
      } else if (pair.convex && sunk) {
        errors_.refuse(spec_of(A).position.place,
                       fmt::format("\"{}\" and \"{}\" overlap deeply at the start",
                                   spec_of(A).name.value, spec_of(B).name.value),
                       "move one of them away");
      }
      return;
    }
    if (near.gap > touching) return;
    const Vec3<double> shift = -(X_WB.R * (near.gap * near.normal_B));
    if (near.gap < -touching) {
      const Vec3<double> p = initial_pose(model_, A).p + shift;
      const auto& placement = spec_of(A).placement;
      errors_.refuse(placement ? placement->place : spec_of(A).position.place,
                     model_.pairs.size() == 1
                         ? fmt::format("the bodies overlap at the start by {:.6g} m", -near.gap)
                         : fmt::format("\"{}\" and \"{}\" overlap at the start by {:.6g} m",
                                       spec_of(A).name.value, spec_of(B).name.value, -near.gap),
                     placement ? "place it elsewhere, or rotate it"
                               : fmt::format("use position = [{}, {}, {}]", written(p.x()),
                                             written(p.y()), written(p.z())));
      return;
    }
    // A contact that closes a loop of bodies is left for the run to meet at once: it reports, with
    // its record intact, that such islands are not simulated yet.
    if (tree_of(A) == tree_of(B)) return;
    join(A, B, shift);
    model_.touches.push_back({index, near.A, near.B, near.gap});
    check_conformity(pair, near, X_BA.R);
  }

  std::size_t& tree_of(BodyId id) { return tree_[static_cast<std::size_t>(id.index)]; }

  // One of the two trees floats: it is moved until the gap of A and B is 0, and joins the other.
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

  void check_conformity(const Pair& pair, const Closest& near, const Mat3<double>& R_BA) {
    const Side &A = model_.body(pair.bodies[0]).side, &B = model_.body(pair.bodies[1]).side;
    const PairGeometry<double> at{
        A.at<double>({near.A.chart, fresh_reference(A, near.A)}, near.A.x),
        B.at<double>({near.B.chart, fresh_reference(B, near.B)}, near.B.x)};
    const double measure =
        conformity(relative_curvature(at, psi_of_pose(at, R_BA)).K_rel, pair.length);
    if (measure > kConformityRefuse) return;
    errors_.refuse(
        spec_of(pair.bodies[0]).shape.place,
        fmt::format("the surfaces conform at the contact: relative curvature times size is {:.3g}",
                    measure),
        fmt::format(
            "a point contact requires more than {:g}; line and area contacts are not simulated",
            kConformityRefuse));
  }

  void not_found(const Closest& near, const Place& place) {
    errors_.refuse(
        place, "no pair of nearest points was found between the two bodies",
        near.status == ClosestStatus::at_border
            ? "the nearest point lies on a border, a trimmed edge, a tip or a sharp edge: move "
              "or rotate the body"
        : near.status == ClosestStatus::not_minimum
            ? "if they overlap deeply, raise the body and check again; surfaces that lie flat "
              "against each other, like a face on a plane, have no point contact, and only "
              "point contacts are simulated"
            : "if they overlap deeply, raise the body and check again; only point contacts are "
              "simulated, not contacts along lines or at sharp edges");
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
