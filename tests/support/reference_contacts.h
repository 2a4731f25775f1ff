// The three generic contacts of the reference data: bicubic patches, frames of Eq. 5.
#pragma once

#include "oloid/contact/surface_surface.h"
#include "oloid/dynamics/contact_kernel.h"
#include "oloid/geometry/bezier/patchwork.h"
#include "support/eq5_frame.h"
#include "support/patches.h"
#include "support/rooms.h"
#include "support/vectors.h"

namespace oloid::test {

inline Patchwork patch(const nlohmann::json& net) {
  std::vector<std::vector<Vec3<double>>> rows;
  for (const auto& row : net) {
    rows.emplace_back();
    for (const auto& p : row) rows.back().push_back(vec<3>(p));
  }
  return single_patch(rows);
}

inline BodyInertia<double> body_inertia(double mass, const Mat3<double>& J) {
  return {mass, 1 / mass, J, J.inverse()};
}

struct ReferenceContact {
  std::string name;
  nlohmann::json input, output;
  Patchwork patch_A, patch_B;
  PairGeometry<double> pair;
  double psi;
  BodyInertia<double> body;
  Wrench<double> load;

  explicit ReferenceContact(const nlohmann::json& c)
      : name(c["name"].get<std::string>()),
        input(c["input"]),
        output(c["output"]),
        patch_A(patch(input["net1"])),
        patch_B(patch(input["net2"])) {
    const Vec5<double> q = vec<5>(input["q"]);
    pair = {eq5_surface(patch_A.jet<2, double>(0, q.segment<2>(0))),
            eq5_surface(patch_B.jet<2, double>(0, q.segment<2>(2)))};
    psi = q(4);
    body = body_inertia(input["mass1"].get<double>(), mat<3, 3>(input["inertia1"]));
    const Vec6<double> f = vec<6>(input["fext1"]);
    load = {f.head<3>(), f.tail<3>()};
  }

  // The twist that moves the contact coordinates at the given rates: Montana's relations, read
  // backwards.
  Vec5<double> twist_of(const Vec5<double>& qdot) const {
    const auto k = relative_curvature(pair, psi);
    const Vec2<double> v_A = inverse(Mat2<double>(pair.A.L.topRows<2>())) * qdot.segment<2>(0);
    const Vec2<double> v_B = inverse(Mat2<double>(pair.B.L.topRows<2>())) * qdot.segment<2>(2);
    const Vec2<double> v_s = k.R * v_B - v_A;
    const Vec2<double> w_perp = k.K_rel * v_A + k.K_B * v_s;
    Vec5<double> w;
    w << w_perp.y(), -w_perp.x(), qdot(4) - pair.A.T.dot(v_A) - pair.B.T.dot(v_B), v_s;
    return w;
  }
};

inline std::vector<ReferenceContact> reference_contacts() {
  std::vector<ReferenceContact> all;
  const nlohmann::json data = read_data("contact_evolution.json");
  for (const auto& c : data["configurations"]) all.emplace_back(c);
  return all;
}

}  // namespace oloid::test
