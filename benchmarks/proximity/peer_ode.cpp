// ODE: dCollide, which tells depths of bodies that overlap and nothing of others.
#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "proximity/peers.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

constexpr int kContacts = 16;

void start_ode_once() {
  static const bool started = [] {
    dInitODE2(0);
    dSetMessageHandler([](int, const char*, va_list) {});  // it writes to the console
    return true;
  }();
  (void)started;
}

// A geometry with the arrays that it refers to.
class Geom {
 public:
  explicit Geom(const ConvexBody& body) {
    const Vec3<double>& half = body.half;
    switch (body.kind) {
      case ConvexBody::Kind::sphere:
        id_ = dCreateSphere(nullptr, half.x());
        break;
      case ConvexBody::Kind::cylinder:
        id_ = dCreateCylinder(nullptr, half.x(), 2 * half.z());
        break;
      case ConvexBody::Kind::box:
        id_ = dCreateBox(nullptr, 2 * half.x(), 2 * half.y(), 2 * half.z());
        break;
      case ConvexBody::Kind::hull:
        make_convex(*body.polyhedron);
        break;
      case ConvexBody::Kind::ellipsoid:
        break;  // none in ODE
    }
  }
  Geom(const Geom&) = delete;
  Geom& operator=(const Geom&) = delete;
  ~Geom() {
    if (id_ != nullptr) dGeomDestroy(id_);
  }
  dGeomID id() const { return id_; }

 private:
  void make_convex(const ConvexPolyhedron& body) {
    for (int i = 0; i < body.vertices(); ++i)
      points_.insert(points_.end(), {body.vertex(i).x(), body.vertex(i).y(), body.vertex(i).z()});
    for (int i = 0; i < body.faces(); ++i) {
      const ConvexPolyhedron::Face& face = body.face(i);
      planes_.insert(planes_.end(),
                     {face.normal.x(), face.normal.y(), face.normal.z(), face.offset});
      polygons_.push_back(static_cast<unsigned>(face.count));
      for (const int corner : body.corners(i)) polygons_.push_back(static_cast<unsigned>(corner));
    }
    id_ = dCreateConvex(nullptr, planes_.data(), static_cast<unsigned>(body.faces()),
                        points_.data(), static_cast<unsigned>(body.vertices()), polygons_.data());
  }

  dGeomID id_ = nullptr;
  std::vector<dReal> points_, planes_;
  std::vector<unsigned> polygons_;
};

class OdePair : public PeerPair {
 public:
  OdePair(const ConvexBody& A, const ConvexBody& B) : A_(A), B_(B) {}
  bool known() const { return A_.id() != nullptr && B_.id() != nullptr; }

  double follow(const Pose<double>& X_BA) override {
    const Mat3<double>& R = X_BA.R;
    const dMatrix3 rows = {R(0, 0), R(0, 1), R(0, 2), 0,       R(1, 0), R(1, 1),
                           R(1, 2), 0,       R(2, 0), R(2, 1), R(2, 2), 0};
    dGeomSetPosition(A_.id(), X_BA.p.x(), X_BA.p.y(), X_BA.p.z());
    dGeomSetRotation(A_.id(), rows);
    const int n = dCollide(A_.id(), B_.id(), kContacts, contacts_.data(), sizeof(dContactGeom));
    if (n == 0) return std::numeric_limits<double>::quiet_NaN();
    double depth = contacts_[0].depth;
    for (int i = 1; i < n; ++i)
      depth = std::max(depth, contacts_[static_cast<std::size_t>(i)].depth);
    return -depth;
  }

 private:
  Geom A_, B_;
  std::array<dContactGeom, kContacts> contacts_{};
};

}  // namespace

std::vector<Peer> ode_peers() {
  return {{"ODE " dODE_VERSION, "dCollide, deepest of at most 16 contacts; no tolerance", false,
           [](const ConvexBody& A, const ConvexBody& B) -> std::unique_ptr<PeerPair> {
             start_ode_once();
             auto pair = std::make_unique<OdePair>(A, B);
             if (!pair->known()) return nullptr;
             return pair;
           }}};
}

}  // namespace oloid::bench
