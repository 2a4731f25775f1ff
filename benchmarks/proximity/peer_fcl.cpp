// FCL in two ways: distance() with signs, by its solver from libccd; and distance(), then collide()
// if the bodies overlap, which uses its closed forms. Its own solver has the second way only:
// signed distances may stop the program.
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <cmath>
#include <exception>
#include <limits>

#include "proximity/peers.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

std::shared_ptr<fcl::CollisionGeometryd> convex(const ConvexPolyhedron& body) {
  auto points = std::make_shared<std::vector<fcl::Vector3d>>();
  auto faces = std::make_shared<std::vector<int>>();
  for (int i = 0; i < body.vertices(); ++i) points->push_back(body.vertex(i));
  for (int i = 0; i < body.faces(); ++i) {
    faces->push_back(body.face(i).count);
    for (const int corner : body.corners(i)) faces->push_back(corner);
  }
  return std::make_shared<fcl::Convexd>(points, body.faces(), faces);
}

std::shared_ptr<fcl::CollisionGeometryd> shape_of(const ConvexBody& body) {
  const Vec3<double>& half = body.half;
  switch (body.kind) {
    case ConvexBody::Kind::sphere:
      return std::make_shared<fcl::Sphered>(half.x());
    case ConvexBody::Kind::ellipsoid:
      return std::make_shared<fcl::Ellipsoidd>(half);
    case ConvexBody::Kind::cylinder:
      return std::make_shared<fcl::Cylinderd>(half.x(), 2 * half.z());
    case ConvexBody::Kind::box:
      return std::make_shared<fcl::Boxd>(Vec3<double>(2 * half));
    case ConvexBody::Kind::hull:
      return convex(*body.polyhedron);
  }
  return nullptr;
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

fcl::Transform3d transform(const Pose<double>& X_BA) {
  fcl::Transform3d X = fcl::Transform3d::Identity();
  X.linear() = X_BA.R;
  X.translation() = X_BA.p;
  return X;
}

// Calls what may give up on a configuration.
template <class F>
double guarded(const F& ask) {
  try {
    return ask();
  } catch (const std::exception&) {
    return kNone;
  }
}

class SignedPair : public PeerPair {
 public:
  SignedPair(const ConvexBody& A, const ConvexBody& B, fcl::GJKSolverType solver, double tolerance)
      : A_(shape_of(A)), B_(shape_of(B)), request_(true, true, 0, 0, tolerance, solver) {}

  double follow(const Pose<double>& X_BA) override {
    return guarded([&] {
      fcl::DistanceResultd result;
      fcl::distance(A_.get(), transform(X_BA), B_.get(), I_, request_, result);
      return result.min_distance;
    });
  }

 private:
  std::shared_ptr<fcl::CollisionGeometryd> A_, B_;
  fcl::Transform3d I_ = fcl::Transform3d::Identity();
  fcl::DistanceRequestd request_;
};

class TwoCallPair : public PeerPair {
 public:
  TwoCallPair(const ConvexBody& A, const ConvexBody& B, fcl::GJKSolverType solver, double tolerance)
      : A_(shape_of(A)),
        B_(shape_of(B)),
        request_(true, false, 0, 0, tolerance, solver),
        contact_request_(1, true, 1, false, true, solver, tolerance) {}

  // What answered the last time is asked first. The depth starts from the direction before, as far
  // as the solver uses it.
  void begin(const Pose<double>& /*X_BA*/) override {
    overlap_ = contact_request_.enable_cached_gjk_guess = false;
  }
  double follow(const Pose<double>& X_BA) override {
    const fcl::Transform3d X = transform(X_BA);
    if (!overlap_) {
      if (const double apart = distance(X); apart > 0) return apart;
    }
    const double deep = depth(X);
    overlap_ = contact_request_.enable_cached_gjk_guess = std::isfinite(deep);
    if (overlap_) return -deep;
    const double apart = distance(X);
    return apart > 0 ? apart : kNone;
  }

 private:
  double distance(const fcl::Transform3d& X) {
    return guarded([&] {
      fcl::DistanceResultd result;
      fcl::distance(A_.get(), X, B_.get(), I_, request_, result);
      return result.min_distance;
    });
  }
  // The solvers do not agree on the sign.
  double depth(const fcl::Transform3d& X) {
    return guarded([&] {
      fcl::CollisionResultd contact;
      fcl::collide(A_.get(), X, B_.get(), I_, contact_request_, contact);
      contact_request_.cached_gjk_guess = contact.cached_gjk_guess;
      return contact.isCollision() ? std::abs(contact.getContact(0).penetration_depth) : kNone;
    });
  }

  std::shared_ptr<fcl::CollisionGeometryd> A_, B_;
  fcl::Transform3d I_ = fcl::Transform3d::Identity();
  fcl::DistanceRequestd request_;
  fcl::CollisionRequestd contact_request_;
  bool overlap_ = false;
};

template <class Pair, fcl::GJKSolverType solver, int exponent>
std::unique_ptr<PeerPair> make(const ConvexBody& A, const ConvexBody& B) {
  return std::make_unique<Pair>(A, B, solver, std::pow(10.0, exponent));
}

}  // namespace

std::vector<Peer> fcl_peers() {
  const std::string name = "FCL " FCL_VERSION;
  return {
      {name + ", signed", "signed distance(), GST_LIBCCD, tolerance 1e-6 (default)", true,
       make<SignedPair, fcl::GST_LIBCCD, -6>},
      {name + ", signed, tight", "signed distance(), GST_LIBCCD, tolerance 1e-10", true,
       make<SignedPair, fcl::GST_LIBCCD, -10>},
      {name + ", libccd", "distance() and collide(), GST_LIBCCD, tolerances 1e-6 (default)", true,
       make<TwoCallPair, fcl::GST_LIBCCD, -6>},
      {name + ", own", "distance() and collide(), GST_INDEP, tolerances 1e-6 (default)", true,
       make<TwoCallPair, fcl::GST_INDEP, -6>},
      {name + ", own, tight", "distance() and collide(), GST_INDEP, tolerances 1e-10", true,
       make<TwoCallPair, fcl::GST_INDEP, -10>},
  };
}

}  // namespace oloid::bench
