// libccd: depth of bodies that overlap, by MPR and by GJK with EPA; nothing of others.
#include <ccd/ccd.h>

#include <cmath>
#include <limits>

#include "proximity/peers.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

Vec3<double> vector(const ccd_vec3_t& v) { return {v.v[0], v.v[1], v.v[2]}; }
void set(ccd_vec3_t& v, const Vec3<double>& from) { ccdVec3Set(&v, from.x(), from.y(), from.z()); }

struct PlacedBody {
  ConvexBody body;
  std::vector<Vec3<double>> corners{};
  Pose<double> X_BA{};

  explicit PlacedBody(const ConvexBody& given) : body(given) {
    if (!body.has_faces()) return;
    corners.reserve(static_cast<std::size_t>(body.polyhedron->vertices()));
    for (int i = 0; i < body.polyhedron->vertices(); ++i)
      corners.push_back(body.polyhedron->vertex(i));
  }

  // The point farthest along a direction in the body's frame.
  Vec3<double> farthest(const Vec3<double>& d) const {
    const Vec3<double>& half = body.half;
    if (body.kind == ConvexBody::Kind::hull) return farthest_corner(d);
    if (body.kind == ConvexBody::Kind::box)
      return {std::copysign(half.x(), d.x()), std::copysign(half.y(), d.y()),
              std::copysign(half.z(), d.z())};
    if (body.kind == ConvexBody::Kind::cylinder) {
      const double rho = std::hypot(d.x(), d.y()), scale = rho > 0 ? half.x() / rho : 0;
      return {scale * d.x(), scale * d.y(), std::copysign(half.z(), d.z())};
    }
    const Vec3<double> scaled = half.cwiseProduct(d);
    return half.cwiseProduct(scaled) / scaled.norm();
  }

 private:
  Vec3<double> farthest_corner(const Vec3<double>& d) const {
    double best = -std::numeric_limits<double>::infinity();
    const Vec3<double>* at = nullptr;
    for (const Vec3<double>& corner : corners) {
      if (const double height = corner.dot(d); height > best) {
        best = height;
        at = &corner;
      }
    }
    return *at;
  }
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
  const auto& placed = *static_cast<const PlacedBody*>(object);
  set(*point, placed.X_BA * placed.farthest(placed.X_BA.R.transpose() * vector(*direction)));
}
void centre(const void* object, ccd_vec3_t* point) {
  set(*point, static_cast<const PlacedBody*>(object)->X_BA.p);
}

enum class Method { mpr, gjk_epa };

class CcdPair : public PeerPair {
 public:
  CcdPair(const ConvexBody& A, const ConvexBody& B, Method method, double tolerance)
      : A_(A), B_(B), method_(method) {
    CCD_INIT(&ccd_);
    ccd_.support1 = ccd_.support2 = support;
    ccd_.center1 = ccd_.center2 = centre;
    ccd_.max_iterations = 500;
    ccd_.mpr_tolerance = ccd_.epa_tolerance = tolerance;
  }

  double follow(const Pose<double>& X_BA) override {
    A_.X_BA = X_BA;
    ccd_real_t depth = 0;
    ccd_vec3_t direction, point;
    const auto ask = method_ == Method::mpr ? ccdMPRPenetration : ccdGJKPenetration;
    const int missed = ask(&A_, &B_, &ccd_, &depth, &direction, &point);
    return missed ? std::numeric_limits<double>::quiet_NaN() : -depth;
  }

 private:
  PlacedBody A_, B_;
  Method method_;
  ccd_t ccd_{};
};

template <Method method, int exponent>
std::unique_ptr<PeerPair> make(const ConvexBody& A, const ConvexBody& B) {
  return std::make_unique<CcdPair>(A, B, method, std::pow(10.0, exponent));
}

}  // namespace

std::vector<Peer> ccd_peers() {
  const std::string name = "libccd " OLOID_PEER_CCD;
  return {
      {name + ", MPR", "ccdMPRPenetration, tolerance 1e-4 (default)", false, make<Method::mpr, -4>},
      {name + ", MPR, tight", "ccdMPRPenetration, tolerance 1e-10", false, make<Method::mpr, -10>},
      {name + ", EPA", "ccdGJKPenetration, tolerance 1e-4 (default)", false,
       make<Method::gjk_epa, -4>},
      {name + ", EPA, tight", "ccdGJKPenetration, tolerance 1e-10", false,
       make<Method::gjk_epa, -10>},
  };
}

}  // namespace oloid::bench
