#include "oloid/dynamics/contact_system_solve.h"

namespace oloid::dynamics {

template class ContactSystem<double>;
template void move_by_wrenches(std::span<ForestNode<double>>, std::span<const int>, Biases);

}  // namespace oloid::dynamics
