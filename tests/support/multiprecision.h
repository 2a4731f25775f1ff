// Numbers with 40 digits that run through our kernels: references for what double computes.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include "support/rooms.h"

// Kernels find it through their argument.
namespace boost::multiprecision {

template <class Backend>
number<Backend, et_off> select(bool mask, const number<Backend, et_off>& a,
                               const number<Backend, et_off>& b) {
  return mask ? a : b;
}

}  // namespace boost::multiprecision

namespace oloid::test {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<40>,
                                           boost::multiprecision::et_off>;

}  // namespace oloid::test
