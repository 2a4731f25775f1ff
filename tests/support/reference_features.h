// The surfaces, curves and points of the reference data on nearest points, with their derivatives.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "oloid/base/second_order.h"
#include "oloid/contact/feature.h"
#include "support/gap_motion.h"
#include "support/rooms.h"
#include "support/vectors.h"

namespace oloid::test {

// A surface (u, v) → space by its formula, for any scalar; normals point out of the body.
struct FormulaSurface {
  nlohmann::json shape;

  template <class S>
  std::array<S, 3> operator()(const S& u, const S& v) const {
    return value(shape, u, v);
  }
  Jet<double, 2> jet(const Uv<double>& q) const {
    using D = SecondOrder<double, 2>;
    const std::array<D, 3> x = (*this)(D::variable(q.x(), 0), D::variable(q.y(), 1));
    Jet<double, 2> c;
    for (int i = 0; i < 3; ++i) {
      const D& y = x[static_cast<std::size_t>(i)];
      c.d(0, 0)(i) = y.v;
      c.d(1, 0)(i) = y.d[0];
      c.d(0, 1)(i) = y.d[1];
      c.d(2, 0)(i) = y.hessian(0, 0);
      c.d(1, 1)(i) = y.hessian(0, 1);
      c.d(0, 2)(i) = y.hessian(1, 1);
    }
    return c;
  }

 private:
  static double number(const nlohmann::json& j, const char* a, const char* b) {
    return j.contains(a) ? j.at(a).get<double>() : j.at(b).get<double>();
  }
  template <class S>
  static std::array<S, 3> value(const nlohmann::json& j, const S& u, const S& v) {
    using std::cos;
    using std::sin;
    if (j.contains("M")) {
      const Mat2<double> M = mat<2, 2>(j.at("M"));
      nlohmann::json base = j.contains("base") ? j.at("base") : j;
      base.erase("M");
      return value(base, S(M(0, 0) * u + M(0, 1) * v), S(M(1, 0) * u + M(1, 1) * v));
    }
    if (j.contains("radii") || (j.contains("r") && j.at("r").is_array())) {
      const Vec3<double> r = vec<3>(j.contains("radii") ? j.at("radii") : j.at("r"));
      return {r(0) * cos(v) * cos(u), r(1) * cos(v) * sin(u), r(2) * sin(v)};
    }
    if (j.contains("R") || j.contains("R_")) {
      const double R = number(j, "R", "R_"), r = number(j, "r", "r_");
      return {(R + r * cos(v)) * cos(u), (R + r * cos(v)) * sin(u), r * sin(v)};
    }
    S z(0.0);
    const nlohmann::json& coefficients = j.contains("coef") ? j.at("coef") : j.at("k");
    for (const auto& [powers, k] : coefficients.items()) {
      const double factor = k;
      S term(factor);
      for (int i = 0; i < powers[0] - '0'; ++i) term = term * u;
      for (int i = 0; i < powers[2] - '0'; ++i) term = term * v;
      z = z + term;
    }
    return {u, v, z};
  }
};

// f ≤ 0 by its formula.
struct FormulaSet {
  nlohmann::json shape;

  ImplicitJet<double> implicit_jet(const Vec3<double>& p) const {
    using D = SecondOrder<double, 3>;
    const D y = value(D::variable(p(0), 0), D::variable(p(1), 1), D::variable(p(2), 2));
    ImplicitJet<double> at{y.v, {y.d[0], y.d[1], y.d[2]}, {}};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) at.hessian(i, k) = y.hessian(i, k);
    return at;
  }

 private:
  template <class S>
  S value(const S& x, const S& y, const S& z) const {
    using std::sqrt;
    const std::string kind = shape.at("kind").get<std::string>();
    if (kind == "Plane") return z;
    if (kind == "ImplicitTorus") {
      const S ring = sqrt(x * x + y * y) - shape.at("R_").get<double>();
      const double r = shape.at("r_").get<double>();
      return ring * ring + z * z - r * r;
    }
    const Vec3<double> r = vec<3>(shape.at("r"));
    const S a = x / r(0), b = y / r(1), c = z / r(2), squares = a * a + b * b + c * c;
    if (kind == "ImplicitEllipsoid") return squares - 1.0;
    return a * a * a * a + b * b * b * b + c * c * c * c + shape.at("e").get<double>() * squares -
           1.0;
  }
};

// Point and derivatives to the third by s: circle, helix (r, k, q), line.
inline CurveJet<double, 3> reference_curve(const nlohmann::json& j, double s) {
  const double c = std::cos(s), n = std::sin(s);
  if (j.is_object() && j.contains("e1")) {
    const double r = j.at("r").get<double>();
    const Vec3<double> a = r * vec<3>(j.at("e1")), b = r * vec<3>(j.at("e2"));
    return {vec<3>(j.at("c")) + c * a + n * b, -n * a + c * b, -c * a - n * b, n * a - c * b};
  }
  if (j.is_object() && j.contains("p0")) {
    const Vec3<double> e = vec<3>(j.at("e"));
    return {vec<3>(j.at("p0")) + s * e, e, Vec3<double>::Zero(), Vec3<double>::Zero()};
  }
  const double r = j.is_array() ? j.at(0).get<double>() : j.at("r").get<double>();
  const double k = j.is_array() ? j.at(1).get<double>() : j.at("k").get<double>();
  const double q = j.is_array() ? j.at(2).get<double>() : j.at("q").get<double>();
  return {Vec3<double>(r * c, r * n, k * s + q * s * s), Vec3<double>(-r * n, r * c, k + 2 * q * s),
          Vec3<double>(-r * c, -r * n, 2 * q), Vec3<double>(r * n, -r * c, 0)};
}

inline LocalFeature<double> curve_feature(const CurveJet<double, 3>& x) {
  return local_feature(CurveJet<double, 2>{x[0], x[1], x[2]});
}

// Frames as in the reference data: x along the first parameter.
inline LocalSurface<double> parameter_surface(const Jet<double, 2>& c) {
  return local_surface(c, c.d(1, 0).normalized());
}

// Any feature of the data, at a parameter or a body point.
inline LocalFeature<double> reference_feature(const nlohmann::json& shape,
                                              const nlohmann::json& at) {
  const std::string kind = shape.at("kind").get<std::string>();
  if (kind == "Vertex") return local_feature<double>(vec<3>(shape.at("p")));
  if (at.size() == 1) return curve_feature(reference_curve(shape, at.at(0).get<double>()));
  if (at.size() == 2) {
    return local_feature(parameter_surface(FormulaSurface{shape}.jet(vec<2>(at))));
  }
  const Vec3<double> tilted = Vec3<double>(1, 2, 3).normalized();
  return local_feature(local_surface(FormulaSet{shape}, vec<3>(at), tilted));
}

struct ReferencePose {
  Pose<double> X;
  SpatialMotion motion;
};
inline ReferencePose reference_pose(const nlohmann::json& j) {
  ReferencePose p{{mat<3, 3>(j.at("R")), vec<3>(j.at("c"))}, {}};
  p.motion.centre = p.X.p;
  if (j.contains("v")) p.motion.v = vec<3>(j.at("v"));
  if (j.contains("w")) p.motion.w = vec<3>(j.at("w"));
  if (j.contains("vdot")) p.motion.v_rate = vec<3>(j.at("vdot"));
  if (j.contains("wdot")) p.motion.w_rate = vec<3>(j.at("wdot"));
  return p;
}

}  // namespace oloid::test
