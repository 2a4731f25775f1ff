#include "oloid/dynamics/law.h"

namespace oloid::dynamics {

template LawForce<double> law_force<double>(Law, const Mat6<double>&, const Vec6<double>&,
                                            const Vec6<double>&);
template LawResponse<double> law_response<double>(Law, const Mat6<double>&, const Vec6<double>&);

}  // namespace oloid::dynamics
