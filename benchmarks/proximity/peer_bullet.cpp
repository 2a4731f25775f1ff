// Bullet in double precision: btGjkPairDetector with EPA for bodies that overlap, margins 0.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <limits>
#include <utility>

#include "proximity/peers.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

static_assert(sizeof(btScalar) == sizeof(double));

btVector3 vector(const Vec3<double>& v) { return {v.x(), v.y(), v.z()}; }

// By its support function: the point farthest along d is A² d / |A d|, A the semi-axes.
class EllipsoidShape : public btConvexInternalShape {
 public:
  explicit EllipsoidShape(const btVector3& semi_axes) : semi_axes_(semi_axes) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
    const btVector3 scaled = semi_axes_ * d;
    return semi_axes_ * scaled / scaled.length();
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* directions,
                                                         btVector3* points, int n) const override {
    for (int i = 0; i < n; ++i) points[i] = localGetSupportingVertexWithoutMargin(directions[i]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override {
    inertia.setValue(0, 0, 0);
  }
  const char* getName() const override { return "ellipsoid"; }

 private:
  btVector3 semi_axes_;
};

std::unique_ptr<btConvexShape> shape_of(const ConvexBody& body) {
  const btVector3 half = vector(body.half);
  if (body.kind == ConvexBody::Kind::sphere)  // its margin is its radius
    return std::make_unique<btSphereShape>(half.x());
  std::unique_ptr<btConvexShape> shape;
  if (body.kind == ConvexBody::Kind::ellipsoid) shape = std::make_unique<EllipsoidShape>(half);
  if (body.kind == ConvexBody::Kind::cylinder) shape = std::make_unique<btCylinderShapeZ>(half);
  if (body.kind == ConvexBody::Kind::box) shape = std::make_unique<btBoxShape>(half);
  if (body.kind == ConvexBody::Kind::hull) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < body.polyhedron->vertices(); ++i)
      hull->addPoint(vector(body.polyhedron->vertex(i)), false);
    hull->recalcLocalAabb();
    shape = std::move(hull);
  }
  shape->setMargin(0);
  return shape;
}

class BulletPair : public PeerPair {
 public:
  BulletPair(const ConvexBody& A, const ConvexBody& B)
      : A_(shape_of(A)), B_(shape_of(B)), detector_(A_.get(), B_.get(), &simplex_, &epa_) {
    input_.m_transformA.setIdentity();
    input_.m_transformB.setIdentity();
  }

  double follow(const Pose<double>& X_BA) override {
    const Mat3<double>& R = X_BA.R;
    input_.m_transformA.setBasis(
        {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)});
    input_.m_transformA.setOrigin(vector(X_BA.p));
    btPointCollector nearest;
    detector_.getClosestPoints(input_, nearest, nullptr);
    return nearest.m_hasResult ? nearest.m_distance : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::unique_ptr<btConvexShape> A_, B_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver epa_;
  btGjkPairDetector detector_;
  btGjkPairDetector::ClosestPointInput input_;
};

}  // namespace

std::vector<Peer> bullet_peers() {
  return {{"Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." +
               std::to_string(BT_BULLET_VERSION % 100),
           "btGjkPairDetector with btGjkEpaPenetrationDepthSolver, double, margins 0, the "
           "tolerances it was compiled with",
           true, [](const ConvexBody& A, const ConvexBody& B) -> std::unique_ptr<PeerPair> {
             return std::make_unique<BulletPair>(A, B);
           }}};
}

}  // namespace oloid::bench
