// Random touching pairs of all our surfaces, for laws that every contact must obey.
#pragma once

#include <string>
#include <vector>

#include "laws/random.h"
#include "oloid/contact/coordinates.h"
#include "oloid/contact/placed_shape.h"
#include "oloid/dynamics/contact_kernel.h"
#include "oloid/geometry/any_surface.h"
#include "oloid/geometry/implicit/implicit.h"
#include "oloid/geometry/revolution/recognise_revolution.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "oloid/spatial/rotation.h"
#include "support/cages.h"
#include "support/patches.h"
#include "support/rooms.h"

namespace oloid::test {

inline Patchwork random_patch(Random& random, double bend) {
  std::vector<std::vector<Vec3<double>>> net(4, std::vector<Vec3<double>>(4));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const double x = i / 3.0 - 0.5, y = j / 3.0 - 0.5;
      net[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          Vec3<double>(x + 0.2 * y, y, -bend * (x * x + 0.7 * y * y)) +
          random.vector<3>(-0.02, 0.02);
    }
  }
  return single_patch(net);
}

// Bent as z = −bend (x² + 0.7 y²), from polar values at pairs of corners, over 5 to 10 sides.
inline Patchwork random_s_patch(Random& random, double bend) {
  const int sides = static_cast<int>(random(5, 11));
  const PatchDomain& domain = PatchDomain::regular(sides);
  std::vector<Vec<double, 4>> points;
  for (const SPatch::Corners& corners : SPatch::all_corners(sides, 2)) {
    const Vec2<double> p = 0.5 * domain.corner(corners[0]), q = 0.5 * domain.corner(corners[1]);
    const double z = -bend * (p.x() * q.x() + 0.7 * p.y() * q.y());
    points.push_back(weighted<3>(Vec3<double>(0.5 * (p.x() + q.x()), 0.5 * (p.y() + q.y()), z) +
                                     random.vector<3>(-0.01, 0.01),
                                 1));
  }
  return *Patchwork::make({{SPatch(sides, 2, points), "the patch"}});
}

// A round body of 20 triangles, built once: it has thousands of patches.
inline const Patchwork& loop_body() {
  static const Patchwork body = [] {
    Cage cage = icosahedron();
    for (Vec3<double>& p : cage.vertices) p = 0.25 * p.cwiseProduct(Vec3<double>(1, 0.9, 1.1));
    return *patchwork_of(*subdivide(cage, SubdivisionScheme::loop, {0.25}));
  }();
  return body;
}

// Implicit bodies are slow to make: a few, made once.
inline std::vector<Shape> implicits(const std::vector<std::string>& formulas, bool open) {
  const ImplicitDomain domain{{Vec3<double>::Constant(-2), Vec3<double>::Constant(2)}, open};
  std::vector<Shape> all;
  all.reserve(formulas.size());
  for (const std::string& formula : formulas)
    all.emplace_back(*Implicit::make(*ImplicitExpression::make(formula), domain));
  return all;
}
inline const std::vector<Shape>& convex_implicits() {
  static const std::vector<Shape> all =
      implicits({"(x/0.31)^2 + (y/0.42)^2 + (z/0.37)^2 + x^4 + y^2*z^2 - 1",
                 "(x/0.48)^2 + (y/0.33)^2 + (z/0.41)^2 + x^4 + y^2*z^2 - 1",
                 "(x/0.36)^2 + (y/0.39)^2 + (z/0.5)^2 + x^4 + y^2*z^2 - 1"},
                false);
  return all;
}
inline const std::vector<Shape>& implicit_supports() {
  static const std::vector<Shape> all =
      implicits({"z - 0.05*x^2 + 0.012*sin(x + y)", "z - 0.05*x^2 + 0.02*sin(x + y)",
                 "z - 0.05*x^2 + 0.028*sin(x + y)"},
                true);
  return all;
}
inline const Shape& one_of(Random& random, const std::vector<Shape>& all) {
  return all[static_cast<std::size_t>(random(0, static_cast<double>(all.size())))];
}

// Convex shapes serve as A, gently curved ones as B, so that the relative curvature is positive.
inline Shape random_convex(Random& random, int kind) {
  const Vec3<double> axes(random(0.3, 0.5), random(0.3, 0.5), random(0.3, 0.5));
  if (kind == 0) return *Ellipsoid::make(axes);
  if (kind == 1) return random_patch(random, 1.2);
  if (kind == 2) return *Superellipsoid::make(axes, random(2.2, 3), random(2.2, 3));
  if (kind == 3) return *recognise_revolution(nurbs_sphere(axes.x()));
  if (kind == 4) return *Patchwork::make(pieces_of(nurbs_sphere(axes.x()), "sphere"));
  if (kind == 6) return random_s_patch(random, 1.2);
  if (kind == 7) return loop_body();
  if (kind == 8) return one_of(random, convex_implicits());
  const Vec3<double> q = axes.cwiseProduct(axes).cwiseInverse();
  return *Quadric::make(q.asDiagonal(), random.vector<3>(-0.1, 0.1).cwiseProduct(q), -1);
}
inline Shape random_support(Random& random, int kind) {
  if (kind == 0) return Plane{};
  if (kind == 1) return random_patch(random, -0.1);
  if (kind == 2) return *Ellipsoid::make({random(2, 3), random(2, 3), random(2, 3)}, true);
  if (kind == 3) return *Patchwork::make(pieces_of(nurbs_cylinder(random(2, 3), 4), "pipe"));
  if (kind == 5) return random_s_patch(random, -0.1);
  if (kind == 6) return one_of(random, implicit_supports());
  return *Quadric::make(Vec3<double>(0.1, -0.05, 0).asDiagonal(), {0, 0, 0.5}, 0);
}
inline constexpr int kConvexKinds = 9, kSupportKinds = 7;

inline Location random_location(Random& random, const Shape& shape) {
  if (shape.is<Quadric>()) return near(shape, random.vector<3>(-0.5, 0.5));
  if (const auto* patches = shape.as<Patchwork>(); patches && patches->caps() == 0) {
    const int chart = static_cast<int>(random(0, patches->patches()));
    if (std::holds_alternative<SPatch>(patches->patch(chart)))
      return {ChartId{chart}, {random(-0.5, 0.5), random(-0.5, 0.5), 0}};
    return {ChartId{chart}, {random(0.3, 0.7), random(0.3, 0.7), 0}};
  }
  if (shape.is<Superellipsoid>()) {  // away from its flat places
    const auto some = [&] { return random(0, 1) < 0.5 ? random(-1, -0.5) : random(0.5, 1); };
    return near(shape, {some(), some(), some()});
  }
  if (shape.is<Plane>()) return {ChartId{0}, {random(-1, 1), random(-1, 1), 0}};
  return near(shape, random.vector<3>(-1.0, 1.0));
}

struct RandomContact {
  PlacedShape A, B;
  ChartAnchor anchor_A, anchor_B;
  ContactState<double> state;
  BodyInertia<double> body;
  Vec3<double> gravity_B;

  RandomContact(Random& random, int kind_A, int kind_B)
      : A{random_convex(random, kind_A), {random.rotation(), random.vector<3>(-0.1, 0.1)}},
        B{random_support(random, kind_B), {random.rotation(), random.vector<3>(-0.1, 0.1)}} {
    const Location a = random_location(random, A.shape), b = random_location(random, B.shape);
    const Vec3<double> tilt =
        random.vector<3>(-0.3, 0.3);  // reference directions out of the tangent plane
    anchor_A = {a.chart, (fresh_reference(A, a) + tilt).normalized()};
    anchor_B = {b.chart, (fresh_reference(B, b) - tilt).normalized()};
    state = {a.x, b.x, random(-3, 3), random.vector<5>(-2.0, 2.0)};
    const double mass = random(0.5, 2);
    const Mat3<double> R = random.rotation();
    const Mat3<double> J =
        R * Vec3<double>(random(0.05, 0.1), random(0.05, 0.1), random(0.05, 0.1)).asDiagonal() *
        R.transpose() * mass;
    body = {mass, 1 / mass, J, J.inverse()};
    gravity_B = random.vector<3>(-9.81, 9.81);
  }

  template <class S>
  PairGeometry<S> pair(const Vec3<S>& location_A, const Vec3<S>& location_B) const {
    return {A.at<S>(anchor_A, location_A), B.at<S>(anchor_B, location_B)};
  }
  PairGeometry<double> pair() const { return pair<double>(state.location_A, state.location_B); }

  template <class S>
  Wrench<S> load(const PairGeometry<S>& geometry, const S& psi) const {
    const Mat3<S> R_BA = pose_of_A_in_B(geometry, psi).R;
    return {Vec3<S>::Zero(), S(body.mass) * (R_BA.transpose() * gravity_B.template cast<S>())};
  }
};

// Calls f(contact, label) for many random contacts of every pair of surfaces.
template <class F>
void for_random_contacts(int each, F&& f) {
  for (int a = 0; a < kConvexKinds; ++a) {
    for (int b = 0; b < kSupportKinds; ++b) {
      for (int i = 0; i < each; ++i) {
        const unsigned seed = static_cast<unsigned>(1000 * a + 100 * b + i);
        Random random(seed);
        f(RandomContact(random, a, b), "seed " + std::to_string(seed));
      }
    }
  }
}

}  // namespace oloid::test
