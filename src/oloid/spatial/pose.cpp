#include "oloid/spatial/pose.h"

namespace oloid::spatial {

bool is_pose(const Pose<double>& X) {
  return X.R.allFinite() && X.p.allFinite() &&
         (X.R * X.R.transpose() - Mat3<double>::Identity()).squaredNorm() < 1e-12 &&
         X.R.determinant() > 0;
}

}  // namespace oloid::spatial
