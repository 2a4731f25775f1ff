#include "oloid/dynamics/law.h"

#include <utility>

namespace oloid::dynamics {
namespace {

constexpr int kLaws = 27;
constexpr Law law_number(int i) {
  return {static_cast<Slip>(i / 9), static_cast<Spin>(i / 3 % 3), static_cast<Roll>(i % 3)};
}
std::size_t number_of(Law law) {
  return 9 * static_cast<std::size_t>(law.slip) + 3 * static_cast<std::size_t>(law.spin) +
         static_cast<std::size_t>(law.roll);
}

using Force = LawForce<double> (*)(const Mat6<double>&, const Vec6<double>&, const Vec6<double>&);
using Response = LawResponse<double> (*)(const Mat6<double>&, const Vec6<double>&);

template <int... I>
constexpr std::array<Force, kLaws> all_forces(std::integer_sequence<int, I...>) {
  return {&law_force<law_number(I), InverseMass::any, double>...};
}
template <int... I>
constexpr std::array<Response, kLaws> all_responses(std::integer_sequence<int, I...>) {
  return {&law_response<law_number(I), InverseMass::any, double>...};
}
constexpr auto kForces = all_forces(std::make_integer_sequence<int, kLaws>());
constexpr auto kResponses = all_responses(std::make_integer_sequence<int, kLaws>());

}  // namespace

LawForce<double> law_force(Law law, const Mat6<double>& W, const Vec6<double>& b,
                           const Vec6<double>& c) {
  return kForces[number_of(law)](W, b, c);
}

LawResponse<double> law_response(Law law, const Mat6<double>& W, const Vec6<double>& c) {
  return kResponses[number_of(law)](W, c);
}

}  // namespace oloid::dynamics
