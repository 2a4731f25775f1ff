#include "oloid/formula/singularity.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/rooms.h"

namespace oloid::test::singularity_test {

std::optional<double> singularity(const std::string& text, int derivatives, double to = 1) {
  constexpr std::array<std::string_view, 1> kTime{"t"};
  const auto made = Expression::parse(text, kTime);
  EXPECT_TRUE(made) << text;
  return first_singularity(*made, derivatives, 0, to);
}

struct Singular {
  const char* text;
  int derivatives;
  double at;
};

TEST(Singularity, PolesAndEndsOfDomainsAreFound) {
  const Singular all[] = {{"0.01*t/(0.5-t)", 2, 0.5},   {"0.01*t/(0.5-t)", 0, 0.5},
                          {"1/(t-1/3)^2", 0, 1.0 / 3},  {"1e-6/(t-0.7)^2", 1, 0.7},
                          {"1e-9/(0.123-t)", 2, 0.123}, {"tan(10*t)", 0, std::numbers::pi / 20},
                          {"log(abs(t-0.4))", 1, 0.4},  {"log(0.25-t)", 0, 0.25},
                          {"sqrt(0.6-t)", 2, 0.6},      {"1/(t-0.9) + 1/(t-0.8)", 1, 0.8},
                          {"asin(2*t)", 1, 0.5}};
  for (const Singular& one : all) {
    SCOPED_TRACE(one.text);
    const auto found = singularity(one.text, one.derivatives);
    ASSERT_TRUE(found);
    EXPECT_NEAR(*found, one.at, 1e-11);
  }
}

TEST(Singularity, WhatIsBoundedIsNotSingular) {
  for (const char* text :
       {"3", "sin(100*t)", "exp(-t)*t^5", "abs(t-0.5)", "min(t, 0.5)", "1/(1e-6 + (t-0.5)^2)",
        "1/(t^2 - t + 0.2501)", "sin(t-0.5)/(t-0.5)", "(t-0.5)*(t+1)/(t-0.5)", "sqrt((t-0.5)^2)",
        "tanh(1e5*(t-0.5))", "atan2(t-0.5, 0.1)", "1/(t+0.001)", "sqrt(t+0.1)", "abs(t-0.4)^3"})
    EXPECT_FALSE(singularity(text, 2)) << text << " " << *singularity(text, 2);
}

// Whatever lies beyond the end, and whatever only a derivative has that is not asked for.
TEST(Singularity, OnlyWhatIsAskedFor) {
  EXPECT_FALSE(singularity("1/(0.5-t)", 2, 0.4));
  EXPECT_FALSE(singularity("sqrt(abs(t-0.6))", 0));
  EXPECT_FALSE(singularity("1/t", 0, 0));
}

}  // namespace oloid::test::singularity_test
