#include "oloid/dynamics/parameter_rates.h"

namespace oloid::dynamics {

template Vec5<double> expanded_rates(Law, const Mat<double, 6, 5>&, const Vec5<double>&);
template Vec5<double> admissible_rates_of_twist(Law, const Mat<double, 6, 5>&, const Vec5<double>&);
template ParameterRates<double> parameter_rates(Law, const ParametricPair<double>&, const double&,
                                                const Vec5<double>&, const BodyInertia<double>&,
                                                const Wrench<double>&, const Friction&,
                                                const DrivenBase<double>&);
template ParameterRates<double> parameter_rates(Law, const ParametricPair<double>&, const double&,
                                                const Vec5<double>&, const BodyInertia<double>&,
                                                const Wrench<double>&, const Friction&,
                                                const FreeBase<double>&);

}  // namespace oloid::dynamics
