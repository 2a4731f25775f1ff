#include "oloid/world/compile/compile_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "oloid/contact/extremal_pair.h"
#include "oloid/geometry/analytic/plane.h"
#include "oloid/proximity/first_touch.h"
#include "oloid/proximity/newton.h"
#include "oloid/world/compile/checks.h"
#include "oloid/world/compile/find_body.h"

namespace oloid::world {
namespace {

constexpr int kMostRaises = 24;      // of a body that overlaps, each twice the previous one
constexpr double kOpposite = 1e-12;  // 1 + cosine: normals that ask for half a turn

template <class T>
Error error_at(const Located<T>& given, std::string message, std::string remedy) {
  return {given.place, std::move(message), std::move(remedy)};
}

const std::string* named(const PlacementSpec& placement) {
  if (const auto* touch = std::get_if<TouchSpec>(&placement.how)) return &touch->body.value;
  const auto& drop = std::get<DropSpec>(placement.how);
  return drop.on ? &drop.on->value : nullptr;
}

// The turn by the least angle that takes one unit vector to another.
Mat3<double> least_turn(const Vec3<double>& from, const Vec3<double>& to) {
  const double cosine = from.dot(to);
  if (1 + cosine < kOpposite) return axis_angle<double>(tangents(from).col(0), std::acos(-1.0));
  // R = 1 + [v] + [v]² / (1 + cos), v = from × to.
  const Mat3<double> X = cross_matrix(Vec3<double>(from.cross(to)));
  return Mat3<double>::Identity() + X + X * X / (1 + cosine);
}

// Whether a point at this distance outside a surface is a centre of curvature: then the points
// around the foot are equally near, since 1 + gap K is the second derivative of the distance over
// the surface.
bool at_focus(const LocalFeature<double>& at, double gap) {
  if (at.dimension != 2) return false;
  const Mat2<double> H = Mat2<double>::Identity() + gap * at.K;
  const double mean = 0.5 * H.trace();
  return mean - std::sqrt(std::max(0.0, mean * mean - H.determinant())) < 1e-6;
}

class Placer {
 public:
  Placer(Spec& spec, std::vector<Pose<double>> poses, const ProximityBodies& bodies)
      : spec_(spec), poses_(std::move(poses)), bodies_(bodies), placed_(spec.bodies.size()) {}

  Result<std::vector<Placement>, Errors> place() {
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      placed_[i] = !spec_.bodies[i].placement;
      if (!placed_[i]) check(i);
    }
    if (!errors_.empty()) return Unexpected{errors_};
    while (const auto i = next()) {
      const auto made = std::visit([&](const auto& how) { return place(*i, how); },
                                   spec_.bodies[*i].placement->value.how);
      if (!made) return Unexpected{Errors{made.error()}};
      placed_[*i] = true;
      done_.push_back(*made);
    }
    check_cycle();
    if (!errors_.empty()) return Unexpected{errors_};
    return done_;
  }

 private:
  const BodySpec& body(std::size_t i) const { return spec_.bodies[i]; }
  const std::string& name(std::size_t i) const { return body(i).name.value; }
  // Index of a body whose name check_name has found.
  std::size_t index(const std::string& known) const { return *find_body(spec_, known, {}); }
  const ProximityBody& solid(std::size_t i) const { return *bodies_[i]; }

  // --- What can be checked before anything is moved ---

  void check(std::size_t i) {
    const Located<PlacementSpec>& given = *body(i).placement;
    if (body(i).motion) {
      errors_.push_back(
          error_at(given, fmt::format("\"{}\" has both a motion and a placement", name(i)),
                   "remove one of them: a motion already determines where the body is"));
    }
    if (body(i).fixed && given.value.rolling) {
      errors_.push_back(error_at(given, "`rolling` is set on a fixed body", "remove `rolling`"));
    }
    if (const auto* touch = std::get_if<TouchSpec>(&given.value.how)) {
      check_name(i, touch->body);
      check_numbers(*touch);
      return;
    }
    if (const auto& on = std::get<DropSpec>(given.value.how).on) check_name(i, *on);
    if (!(spec_.gravity.value.norm() > 0)) {
      errors_.push_back(
          error_at(given, "nothing can fall: gravity is 0",
                   "set gravity, e.g. [0, 0, -9.81], or place the body with `touch`"));
    }
  }

  void check_name(std::size_t i, const Located<std::string>& other) {
    const auto found = find_body(spec_, other.value, other.place);
    if (!found) {
      errors_.push_back(found.error());
    } else if (*found == i) {
      errors_.push_back(
          error_at(other, fmt::format("\"{}\" is placed on itself", name(i)), "name another body"));
    }
  }

  void check_numbers(const TouchSpec& touch) {
    for (const auto* given : {&touch.at, &touch.own}) {
      if (!*given || ((*given)->value.allFinite() && (*given)->value.norm() <= kLargest)) continue;
      errors_.push_back(error_at(**given, "the point is not finite or too large",
                                 fmt::format("the limit is {:g} m from the origin", kLargest)));
    }
    if (touch.own_normal) {
      const double length = touch.own_normal->value.norm();
      if (!(length > 0) || !std::isfinite(length))
        errors_.push_back(error_at(*touch.own_normal, "the direction has no length",
                                   "use a nonzero vector, like [0, 0, -1]"));
    }
    if (!std::isfinite(touch.turn.value))
      errors_.push_back(error_at(touch.turn, "the angle is not finite", "use a finite number"));
  }

  // --- The order ---

  // A body whose support has been placed; otherwise the first that falls on whatever is below.
  std::optional<std::size_t> next() const {
    std::optional<std::size_t> falls;
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      if (placed_[i]) continue;
      const std::string* on = named(body(i).placement->value);
      if (on && placed_[index(*on)]) return i;
      if (!on && !falls) falls = i;
    }
    return falls;
  }

  void check_cycle() {
    const auto first = std::find(placed_.begin(), placed_.end(), false);
    if (first == placed_.end()) return;
    // Each body names another one: after as many steps as there are bodies, we are on the cycle.
    std::size_t i = static_cast<std::size_t>(first - placed_.begin());
    const auto on = [&](std::size_t k) { return index(*named(body(k).placement->value)); };
    for (std::size_t k = 0; k < placed_.size(); ++k) i = on(i);
    std::string chain = fmt::format("\"{}\"", name(i));
    for (std::size_t k = on(i); k != i; k = on(k)) chain += fmt::format(" on \"{}\"", name(k));
    errors_.push_back(error_at(*body(i).placement,
                               fmt::format("placements form a cycle: {} on \"{}\"", chain, name(i)),
                               "set the position of one of them instead"));
  }

  // --- Touching ---

  // A place of a surface, in the body's axes.
  struct Foot {
    Spot spot;
    LocalFeature<double> at;
  };
  Result<Foot> foot(std::size_t i, const Vec3<double>& p, const Place& place) {
    const auto refused = [&](std::string message) {
      return Unexpected{Error{place, std::move(message),
                              "choose a point closer to the surface, away from edges and borders"}};
    };
    const ProximityBody& on = solid(i);
    if (!on.features().side())
      return Unexpected{
          Error{place, fmt::format("\"{}\" is a wire", name(i)),
                "only bodies with a surface can be placed with `touch`; a wire can be dropped"}};
    const TrackedPair pair = on.search().nearest_to(p);
    if (!pair.usable() || at_focus(on.features().at(pair.B), pair.gap))
      return refused(fmt::format("no single point of \"{}\" is nearest to [{}, {}, {}]", name(i),
                                 p.x(), p.y(), p.z()));
    if (pair.B.kind != Spot::Kind::surface)
      return refused(fmt::format("the point of \"{}\" nearest to [{}, {}, {}] lies on an edge",
                                 name(i), p.x(), p.y(), p.z()));
    return Foot{pair.B, on.features().at(pair.B)};
  }

  // The point at which a direction, in the body's axes, is the outward normal: the farthest point
  // along it, which is the nearest one to a plane that faces it.
  Result<Foot> outermost(std::size_t i, const Vec3<double>& out, const Place& place) {
    const ProximityBody& own = solid(i);
    if (!own.features().side())
      return Unexpected{
          Error{place, fmt::format("\"{}\" is a wire", name(i)),
                "only bodies with a surface can be placed with `touch`; a wire can be dropped"}};
    Mat3<double> R;
    R.leftCols<2>() = tangents(out);
    R.col(2) = -out;
    if (R.determinant() < 0) R.col(0) *= -1;
    const ProximityBody plane(TouchableBody(PlacedShape{Plane{}, {}}));
    const TrackedPair near =
        nearest_pair(own.search(), plane.search(), {R.transpose(), Vec3<double>::Zero()});
    if (near.status != PairStatus::found || near.A.kind != Spot::Kind::surface) {
      return Unexpected{Error{
          place,
          fmt::format(
              "\"{}\" has no single point at which [{:.6g}, {:.6g}, {:.6g}] is the outward normal",
              name(i), out.x(), out.y(), out.z()),
          "use own = [x, y, z], a point near the surface, away from edges and borders"}};
    }
    return Foot{near.A, own.features().at(near.A)};
  }

  Result<Placement> place(std::size_t i, const TouchSpec& touch) {
    const std::size_t on = index(touch.body.value);
    const Place& place = body(i).placement->place;
    const Pose<double>& X_WB = poses_[on];
    const Vec3<double> wanted =
        touch.at ? touch.at->value : Vec3<double>(inverse(X_WB) * body(i).position.value);
    const Result<Foot> other = foot(on, wanted, touch.at ? touch.at->place : touch.body.place);
    if (!other) return Unexpected{other.error()};
    const Vec3<double> n_W = X_WB.R * other->at.z, point = X_WB * other->at.p;

    const Mat3<double> R_given = rotation_matrix(body(i).orientation.value);
    const Result<Foot> own = touch.own          ? foot(i, touch.own->value, touch.own->place)
                             : touch.own_normal ? outermost(i, touch.own_normal->value.normalized(),
                                                            touch.own_normal->place)
                                                : outermost(i, -(R_given.transpose() * n_W), place);
    if (!own) return Unexpected{own.error()};
    Mat3<double> R = R_given;
    if (touch.own || touch.own_normal) R = least_turn(R_given * own->at.z, -n_W) * R_given;
    if (touch.turn.value != 0) R = axis_angle<double>(n_W, touch.turn.value) * R;

    Located<Quat<double>>& q = spec_.bodies[i].orientation;
    if (R != R_given) q.value = quaternion(R);
    R = rotation_matrix(q.value);
    set_pose(i, {R, point - R * own->at.p});
    if (auto cut = cuts(i, on, *own, *other)) return Unexpected{*std::move(cut)};
    return Placement{i, on, point, n_W};
  }

  void set_pose(std::size_t i, const Pose<double>& X_WB) {
    poses_[i] = X_WB;
    spec_.bodies[i].position.value = X_WB.p;
  }

  // An error if the surfaces intersect around the contact.
  std::optional<Error> cuts(std::size_t i, std::size_t on, const Foot& own, const Foot& other) {
    const Pose<double> X_BA = inverse(poses_[on]) * poses_[i];
    const ExtremalPair pair(X_BA * own.at, other.at, other.at.z);
    const double length = pair_length(solid(i).features(), solid(on).features());
    const PairQuality quality = pair.quality(length);
    if (quality.weak) return std::nullopt;
    return error_at(*body(i).placement,
                    fmt::format("\"{}\" and \"{}\" would overlap around that point: relative "
                                "curvature times size is {:.3g}",
                                name(i), name(on), quality.conformity),
                    "choose another contact point, or a body with stronger curvature");
  }

  // --- Falling ---

  Result<Placement> place(std::size_t i, const DropSpec& drop) {
    std::vector<std::size_t> below;
    below.reserve(placed_.size());
    for (std::size_t k = 0; k < placed_.size(); ++k)
      if (placed_[k] && (!drop.on || drop.on->value == name(k))) below.push_back(k);
    std::vector<Obstacle> others;
    others.reserve(below.size());
    for (const std::size_t k : below) others.push_back({&solid(k), poses_[k]});

    const Vec3<double> down = spec_.gravity.value.normalized();
    Pose<double> X{rotation_matrix(body(i).orientation.value), body(i).position.value};
    const FirstTouch touch = fall(i, X, down, others);
    if (touch.status != FirstTouch::Status::touches) return Unexpected{not_fallen(i, touch, below)};
    X.p += touch.way * down;
    set_pose(i, X);
    const std::size_t on = below[touch.other];
    return Placement{i, on, poses_[on] * touch.pair.point_B, poses_[on].R * touch.pair.normal,
                     touch.certified};
  }

  // Lets the body fall from where it is or, if it overlaps another there, from above: X becomes the
  // pose from which it falls.
  FirstTouch fall(std::size_t i, Pose<double>& X, const Vec3<double>& down,
                  const std::vector<Obstacle>& others) {
    const ProximityBody& own = solid(i);
    const Vec3<double> given = X.p;
    double raise = std::isfinite(own.features().size()) && own.features().size() > 0
                       ? own.features().size()
                       : 1;
    FirstTouch touch = first_touch(own, X, down, others);
    for (int k = 0; k < kMostRaises && touch.status == FirstTouch::Status::overlap; ++k) {
      X.p = given - raise * down;
      raise *= 2;
      touch = first_touch(own, X, down, others);
    }
    return touch;
  }

  Error not_fallen(std::size_t i, const FirstTouch& touch,
                   const std::vector<std::size_t>& below) const {
    const Located<PlacementSpec>& given = *body(i).placement;
    if (touch.status == FirstTouch::Status::never) {
      return error_at(given, fmt::format("\"{}\" falls past all other bodies", name(i)),
                      "move it sideways so that a body is below it");
    }
    const std::string& other = name(below[touch.other]);
    if (touch.status == FirstTouch::Status::overlap) {
      return error_at(
          given,
          fmt::format("\"{}\" overlaps \"{}\" no matter how far it is raised", name(i), other),
          "specify a position above it");
    }
    return error_at(
        given, fmt::format("no point was found where \"{}\" first touches \"{}\"", name(i), other),
        "if it only grazes the other body, move it sideways; or start closer to the contact");
  }

  Spec& spec_;
  std::vector<Pose<double>> poses_;
  const ProximityBodies& bodies_;
  std::vector<bool> placed_;
  std::vector<Placement> done_;
  Errors errors_;
};

}  // namespace

Result<std::vector<Placement>, Errors> place_bodies(Spec& spec, std::vector<Pose<double>> poses,
                                                    const ProximityBodies& bodies) {
  return Placer(spec, std::move(poses), bodies).place();
}

}  // namespace oloid::world
