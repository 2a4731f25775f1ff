// Reference data of the tests, read from tests/data.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "oloid/base/linalg.h"
#include "support/rooms.h"

namespace oloid::test {

inline nlohmann::json read_data(const std::string& name) {
  std::ifstream file(std::string(OLOID_TEST_DATA) + "/" + name);
  EXPECT_TRUE(file) << name;
  return nlohmann::json::parse(file);
}

template <int N>
Vec<double, N> vec(const nlohmann::json& j) {
  Vec<double, N> v;
  for (int i = 0; i < N; ++i) v(i) = j.at(static_cast<std::size_t>(i)).get<double>();
  return v;
}
template <int R, int C>
Mat<double, R, C> mat(const nlohmann::json& j) {
  Mat<double, R, C> m;
  for (int i = 0; i < R; ++i)
    for (int k = 0; k < C; ++k)
      m(i, k) = j.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(k)).get<double>();
  return m;
}

inline Eigen::VectorXd vector(const nlohmann::json& j) {
  Eigen::VectorXd v(static_cast<int>(j.size()));
  for (int i = 0; i < v.size(); ++i) v(i) = j.at(static_cast<std::size_t>(i)).get<double>();
  return v;
}
inline Eigen::MatrixXd matrix(const nlohmann::json& j) {
  Eigen::MatrixXd m(static_cast<int>(j.size()), static_cast<int>(j.at(0).size()));
  for (int i = 0; i < m.rows(); ++i) m.row(i) = vector(j.at(static_cast<std::size_t>(i)));
  return m;
}

// Matrices agree to `tolerance` relative to the larger of 1 and the expected norm.
template <class A, class B>
void expect_near(const A& actual, const B& expected, double tolerance, const std::string& what) {
  const double scale = std::max(1.0, static_cast<double>(expected.norm()));
  EXPECT_LE((actual - expected).norm(), tolerance * scale) << what << "\nactual\n"
                                                           << actual << "\nexpected\n"
                                                           << expected;
}

}  // namespace oloid::test
