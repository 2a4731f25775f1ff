#include "oloid/base/linalg.h"

#include <gtest/gtest.h>

#include "laws/difference.h"
#include "laws/generators.h"
#include "support/rooms.h"

namespace oloid::test::linalg_test {

RC_GTEST_PROP(CrossMatrix, TimesAVectorIsTheCrossProduct, ()) {
  const Vec3<double> v = *matrix<3>(10), a = *matrix<3>(10);
  const Mat3<double> M = cross_matrix(v);
  RC_ASSERT(M == -M.transpose());
  RC_ASSERT(difference(M * a, v.cross(a)) == 0.0);  // the same two products and one difference
}

RC_GTEST_PROP(CrossMatrix, IsLinearForDuals, ()) {
  const Vec3<double> v = *matrix<3>(), rate = *matrix<3>();
  const auto M = cross_matrix<Dual<double, 1>>(moving<3, 1>(v, rate));
  RC_ASSERT(value(M) == cross_matrix(v));
  RC_ASSERT(derivative(M, 0) == cross_matrix(rate));
}

}  // namespace oloid::test::linalg_test
