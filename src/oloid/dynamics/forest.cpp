#include "oloid/dynamics/forest_recursion.h"

namespace oloid::dynamics {

template class ForestOf<double>;
template ForestResponse<double> response_at(ForestOf<double>&, int);

}  // namespace oloid::dynamics
