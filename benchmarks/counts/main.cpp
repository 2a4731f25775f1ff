// count_kernels: instructions of one call of each kernel, as a table of CSV. They are exact on
// every machine that runs the same program, under any load; scripts/count compares them.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "oloid/dynamics/forest.h"
#include "oloid/geometry/analytic/ellipsoid.h"
#include "oloid/geometry/analytic/plane.h"
#include "oloid/geometry/bezier/bezier.h"
#include "oloid/spatial/rotation.h"
#include "support/instructions.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

// Everything a kernel reads and writes lives in memory that the compiler may not see through.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

const Vec3<double> kReference(0.8, 0.6, 0);

struct Inputs {
  Ellipsoid ellipsoid = *Ellipsoid::make({0.2, 0.03, 0.02});
  Ellipsoid sphere = *Ellipsoid::make({0.1, 0.1, 0.1});
  Plane plane;
  Patch patch = bowl();
  Vec3<double> on_A{0.1, -0.2, 0}, on_B{0.3, 0.4, 0};
  ContactState<double> rolling{on_A, on_B, 0.7, {0.3, -0.2, 1.5, 0, 0}};
  ContactState<double> sliding{on_A, on_B, 0.7, {0.3, -0.2, 1.5, 0.4, 0.1}};
  BodyInertia<double> body = inertia(1, {2e-4, 1.6e-3, 1.7e-3});
  Wrench<double> load{Vec3<double>::Zero(), {0.1, 0.2, 9.7}};
  Frictions frictions;
  Forest chain{3};

  Inputs() {
    frictions.slip = {0.3, 1e-9, kReference};
    for (int i = 0; i < chain.size(); ++i) {
      Node& node = chain[i];
      node.held = true;
      node.parent = i - 1;  // the first one on the ground
      node.body = inertia(1.0 + i, {0.11, 0.12, 0.13});
      node.X_AC = {axis_angle<double>(kReference, 0.3 * i), {0.1, 0.02 * i, 0.3}};
      node.X_BC = {axis_angle<double>(kReference, 2.0 - i), {0.05 * i, 0.1, -0.3}};
      node.law = {Slip::stuck};
      node.given.setZero();
      node.p = {{0.1, 0.2, 0.3}, {1, 2, 9.81}};
      node.b.setConstant(0.1 * i);
    }
    chain.sort();
  }
  static BodyInertia<double> inertia(double mass, const Vec3<double>& J) {
    return {mass, 1 / mass, J.asDiagonal(), J.cwiseInverse().asDiagonal()};
  }
  static Patch bowl() {
    PointRows net;
    for (int i = 0; i < 4; ++i) {
      net.emplace_back();
      for (int j = 0; j < 4; ++j) {
        const double x = i / 3.0 - 0.5, y = j / 3.0 - 0.5;
        net.back().emplace_back(x + 0.2 * y, y, -(x * x + 0.7 * y * y + 0.1 * x * y * y));
      }
    }
    return *make_patch(net, {});
  }

  // Surfaces, then rates: what one evaluation of a body on a plane needs.
  template <Law L>
  void rates(const ContactState<double>& x) const {
    const PairGeometry<double, LocalPlane<double>> pair{
        ellipsoid.local(4, x.location_A, kReference), plane.local(0, x.location_B, kReference)};
    keep(contact_rates<L>(pair, x, body, load, frictions));
  }
};

int run() {
  Inputs in;
  const auto& patch = std::get<BicubicPatch>(in.patch);
  const Uv<double> uv(0.3, 0.6);
  const std::vector<std::pair<std::string, std::function<void()>>> kernels{
      {"local surface, plane", [&] { keep(in.plane.local(0, in.on_B, kReference)); }},
      {"local surface, sphere", [&] { keep(in.sphere.local_sphere(4, in.on_A, kReference)); }},
      {"local surface, ellipsoid", [&] { keep(in.ellipsoid.local(4, in.on_A, kReference)); }},
      {"jet of order 2, bicubic patch", [&] { keep(patch.jet<2>(uv)); }},
      {"local surface, bicubic patch", [&] { keep(local_surface(patch.jet<2>(uv), kReference)); }},
      {"ellipsoid on plane, frictionless", [&] { in.rates<Law{Slip::frictionless}>(in.sliding); }},
      {"ellipsoid on plane, sliding", [&] { in.rates<Law{Slip::sliding}>(in.sliding); }},
      {"ellipsoid on plane, rolling", [&] { in.rates<Law{Slip::stuck}>(in.rolling); }},
      {"ellipsoid on plane, rolling without spin",
       [&] {
         in.rates<Law{Slip::stuck, Spin::stuck}>(in.rolling);
       }},
      {"tree of three bodies, rolling", [&] { in.chain.solve(); }},
  };
  const auto nothing = count_instructions([] {});
  for (const auto& [name, call] : kernels) {
    call();  // whatever happens at a first call only
    const auto count = count_instructions(call);
    if (!count || !nothing) {
      fmt::print(stderr, "count_kernels: no process may be run step by step here\n");
      return 1;
    }
    fmt::print("\"{}\",{}\n", name, *count - *nothing);
  }
  return 0;
}

}  // namespace
}  // namespace oloid::bench

int main() { return oloid::bench::run(); }
