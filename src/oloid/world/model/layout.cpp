#include "oloid/world/model/layout.h"

namespace oloid::world {

FreeState<double> unpack_free(const BlockVector& y) {
  const Quat<double> q{y(3), y(4), y(5), y(6)};
  const Vec3<double> v = rotation_matrix(q).transpose() * y.segment<3>(kVelocity);
  return {y.segment<3>(kPosition), q, {y.segment<3>(kSpinning), v}};
}

BlockVector pack_free(const FreeState<double>& x) {
  BlockVector y;
  const Vec3<double> v = rotation_matrix(x.q_WA) * x.phi.v;
  y << x.p_WA, x.q_WA.w, x.q_WA.x, x.q_WA.y, x.q_WA.z, x.phi.w, v, 0, 0;
  return y;
}

void add_jump(Eigen::Ref<BlockVector> y, const Twist<double>& jump) {
  y.segment<3>(kSpinning) += jump.w;
  y.segment<3>(kVelocity) += rotation_matrix(Quat<double>{y(3), y(4), y(5), y(6)}) * jump.v;
}

}  // namespace oloid::world
