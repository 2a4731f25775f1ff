// Groups of contacts from the entries of tests/data/rows.json: vertices on planes and balls on
// planes or balls, at rest or in motion.
#pragma once

#include <string>

#include "oloid/spatial/rotation.h"
#include "support/contact_group.h"
#include "support/vectors.h"

namespace oloid::test {

// What a contact needs besides: for bodies at rest the acceleration that velocities cause is 0, for
// a vertex on a plane it is ω × (ω × r), for a ball that rolls in a fixed one of radius R it
// follows from the path of the contact, whose velocity is R / (R − r) times that of the centre.
inline ContactGroup contact_group(const nlohmann::json& input) {
  ContactGroup group;
  const nlohmann::json& body = input["bodies"][0];
  const Vec3<double> c = vec<3>(body["c"]), v = vec<3>(body["v"]), w = vec<3>(body["w"]);
  const Vec<double, 4> q = vec<4>(body["q_wxyz"]);
  const Mat3<double> R = rotation_matrix(Quat<double>{q(0), q(1), q(2), q(3)});
  const Mat3<double> I = R * mat<3, 3>(body["inertia"]) * R.transpose();
  const double mass = body["mass"];
  const Vec3<double> g = vec<3>(input["gravity"]);
  group.add_body(mass, I, c, mass * g, -w.cross(I * w));
  group.cap = mass * g.norm();
  for (const nlohmann::json& contact : input["contacts"]) {
    const nlohmann::json &A = contact["feature_A"], &B = contact["feature_B"];
    Vec3<double> n, p, path_A = Vec3<double>::Zero();  // path_A: of the contact over A
    if (B["kind"] == "Plane") {
      n = vec<3>(B["n"]);
    } else {
      const double sign = B["sign"].get<double>();
      n = sign * (c - vec<3>(B["c"])).normalized();
    }
    if (A["kind"] == "Vertex") {
      p = c + R * vec<3>(A["p"]);
    } else {
      const double r = A["r"];
      p = c - r * n;
      Vec3<double> path = v;
      if (B["kind"] == "Sphere") {
        const double bowl = B["r"].get<double>() * B["sign"].get<double>();
        path = bowl / (bowl + r) * v;
      }
      path_A = path - (v + w.cross(p - c));
    }
    const Vec3<double> gamma = w.cross(w.cross(p - c) + path_A);
    const double mu = contact["mu"], ell = contact["ell"];
    group.contact(0, -1, p, n, gamma, ell);
    if (contact["slip"] == "stick") group.stick(mu);
    if (contact["slip"] == "slide") {
      const Vec3<double> slip = v + w.cross(p - c);
      group.slide(mu, (slip - n.dot(slip) * n).normalized());
    }
    if (contact["spin"] == "resist") {
      group.resist(contact["spin_resistance"], (n.dot(w) > 0 ? 1 : -1) * n);
    }
    if (contact["roll"] == "resist") {
      group.resist(contact["roll_resistance"], (w - n.dot(w) * n).normalized());
    }
  }
  return group;
}

inline Eigen::VectorXd normals(const ContactGroup& group, const Eigen::VectorXd& force) {
  Eigen::VectorXd n(static_cast<Eigen::Index>(group.cones.size()));
  for (Eigen::Index i = 0; i < n.size(); ++i) {
    n(i) = force(group.cones[static_cast<std::size_t>(i)].first);
  }
  return n;
}

}  // namespace oloid::test
