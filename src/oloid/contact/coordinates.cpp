#include "oloid/contact/coordinates.h"

namespace oloid::contact {

double psi_of_pose(const Mat3<double>& R_A, const Mat3<double>& R_B, const Mat3<double>& R_BA) {
  const Mat3<double> P = R_B.transpose() * R_BA * R_A;
  return std::atan2(-P(0, 1), P(0, 0));
}

}  // namespace oloid::contact
