#include "oloid/world/tools/describe_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "oloid/base/counted.h"
#include "oloid/geometry/any_surface.h"

namespace oloid::world {
namespace {

// "1 patch", "3 patches"; nothing at all for 0.
std::string any(int n, std::string_view one, std::string_view several = {}) {
  return n == 0 ? std::string() : counted(n, one, several);
}

std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

// Seams by how smooth they are. Sharp ones are named as such: there the surface ends for a contact.
struct SeamCount {
  std::array<int, 3> of{};  // by Joint

  void add(Joint joint) { ++of[static_cast<std::size_t>(joint)]; }
  std::string text() const {
    return joined({any(of[2], "G2 seam"), any(of[1], "G1 seam"), any(of[0], "sharp seam")});
  }
};

// A closed surface encloses a body, or a hole in one.
std::string closed(const Result<Solid>& solid) {
  return solid ? fmt::format("closed, volume {:.6g} m3", solid->volume)
               : std::string("closed, cavity");
}

struct Describer {
  std::string operator()(const Plane&) const { return "plane, unbounded"; }

  std::string operator()(const Ellipsoid& s) const {
    const Vec3<double>& a = s.semi_axes();
    return joined({a.minCoeff() == a.maxCoeff() ? "sphere" : "ellipsoid", closed(s.solid())});
  }

  std::string operator()(const Superellipsoid& s) const {
    return joined({"superellipsoid", closed(s.solid())});
  }

  std::string operator()(const Frustum& s) const {
    // A cylinder if the distance from the axis is constant along the meridian.
    const bool straight = s.jet<1>(0, Uv<double>(0, 0)).d(0, 1).x() == 0;
    return joined({straight ? "cylinder" : "cone",
                   std::isfinite(s.bounding_radius()) ? "open" : "unbounded",
                   s.is_convex() ? "" : "cavity"});
  }

  std::string operator()(const Torus& s) const { return joined({"torus", closed(s.solid())}); }

  std::string operator()(const SurfaceOfRevolution& s) const {
    const int n = s.spans();
    const Vec2<double> start = s.span(0).start(), end = s.span(n - 1).end();
    const bool ring = start == end && start.x() > 0;
    SeamCount seams;
    for (int i = 0; i < (ring ? n : n - 1); ++i) seams.add(s.joint_after(i));
    int tips = 0, borders = 0;
    const auto look_at = [&](double rho, ChartId cap) {
      if (ring || cap.valid()) return;
      ++(rho > 0 ? borders : tips);
    };
    look_at(start.x(), s.cap_at_start());
    look_at(end.x(), s.cap_at_end());
    return joined({"surface of revolution", any(n, "span"), seams.text(), any(tips, "tip"),
                   any(borders, "free border"),
                   borders == 0 ? closed(s.solid())
                   : s.cavity() ? "open, cavity"
                                : "open"});
  }

  std::string operator()(const Patchwork& s) const {
    SeamCount seams;
    int free = 0, trimmed = 0;
    for (int i = 0; i < s.patches(); ++i) {
      if (s.trimmed(i)) ++trimmed;
      for (int k = 0; k < sides(s.patch(i)); ++k) {
        const Patchwork::PlacedShape& side = s.side({i, k});
        for (int part = 0; part < side.parts && !side.collapsed; ++part) {
          const Patchwork::Seam& seam = s.seam({i, k}, part);
          const PatchSide& other = seam.beyond.at;
          if (seam.open()) ++free;
          // Each seam once: from its half, if it has halves, else from the side that comes first.
          const bool half = side.parts == 2;
          const bool against_half = other.valid() && s.side(other).parts == 2;
          if (other.valid() && !against_half && (half || comes_first({i, k}, other)))
            seams.add(seam.joint);
        }
      }
    }
    return joined({any(s.patches(), "patch", "patches"), seams.text(), any(free, "free side"),
                   any(trimmed, "trimmed patch", "trimmed patches"),
                   s.closed() ? closed(s.solid()) : "open"});
  }

  std::string operator()(const Quadric& s) const {
    if (!std::isfinite(s.bounding_radius())) return "quadric, unbounded";
    return joined({"quadric, ellipsoid", closed(s.solid())});
  }

  std::string operator()(const Implicit& s) const {
    return joined({"implicit surface", extent(s)});
  }
  std::string operator()(const ImplicitIntersection& s) const {
    return joined({fmt::format("implicit surface with {} faces", s.faces()), extent(s)});
  }
  static std::string extent(const ImplicitBody& s) {
    const std::string certified = s.is_certified() ? "" : "not certified";
    if (!std::isfinite(s.bounding_radius())) return joined({"unbounded", certified});
    const auto solid = s.solid();
    return joined({s.is_convex() ? "convex" : "",
                   solid ? closed(solid) : std::string("bounded, unknown volume"), certified});
  }

  std::string operator()(const Polyhedron& s) const {
    int faces = 0, edges = 0, vertices = 0;
    for (const ConvexPolyhedron& part : s.parts()) {
      faces += part.faces();
      edges += part.edges();
      vertices += part.vertices();
    }
    const Result<Solid> solid = s.solid();
    const int parts = static_cast<int>(s.parts().size());
    return joined({s.is_convex() ? std::string("convex polyhedron")
                                 : fmt::format("polyhedron with {} convex parts", parts),
                   any(faces, "face"), any(edges, "edge"), any(vertices, "vertex", "vertices"),
                   solid ? closed(solid) : std::string("closed")});
  }

  std::string operator()(const CircleHull& s) const {
    double length = 0;
    const auto sharp = s.edges();
    for (const Edge& edge : sharp) length += edge.curve.length();
    return joined(
        {s.cones() > 0 ? "hull of two semicircles" : "hull of two circles",
         any(s.strips(), "strip"), any(s.discs(), "disc"), any(s.cones(), "half cone"),
         any(static_cast<int>(sharp.size()), "sharp edge") + fmt::format(" of {:.6g} m", length),
         closed(s.solid())});
  }

  // A seam is encountered from both of its sides, and counts once.
  static bool comes_first(const PatchSide& a, const PatchSide& b) {
    return std::pair(a.patch, a.side) < std::pair(b.patch, b.side);
  }
};

}  // namespace

std::string describe_curve(const Curve& curve) {
  constexpr int kLooks = 400;
  double bend = 0, least = 0, most = 0;
  int corners = 0;
  for (int i = 0; i < curve.pieces(); ++i) {
    if ((curve.closed() || i + 1 < curve.pieces()) && curve.joint_after(i) == Joint::G0) ++corners;
    for (int k = 0; k <= kLooks; ++k) {
      const Frenet<double> f = curve.frenet(i, static_cast<double>(k) / kLooks);
      const double twist = std::abs(f.torsion) < 1e-12 * f.curvature ? 0 : f.torsion;
      bend = std::max(bend, f.curvature);
      least = i + k == 0 ? twist : std::min(least, twist);
      most = i + k == 0 ? twist : std::max(most, twist);
    }
  }
  const bool same = most - least <= 1e-9 * (std::abs(most) + std::abs(least));
  return joined({"curve", any(curve.pieces(), "piece"), any(corners, "corner"),
                 curve.closed() ? "closed" : "open", fmt::format("length {:.6g} m", curve.length()),
                 fmt::format("curvature up to {:.6g} 1/m", bend),
                 same ? fmt::format("torsion {:.6g} 1/m", most)
                      : fmt::format("torsion {:.6g} to {:.6g} 1/m", least, most)});
}

std::string describe_shape(const Shape& shape) { return visit(Describer{}, shape); }

}  // namespace oloid::world
