#include "oloid/io/files/number_blob.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "support/rooms.h"

namespace oloid::test::number_blob_test {

TEST(NumberBlob, ArraysStartAtMultiplesOfTheAlignment) {
  NumberBlob blob(4);
  const std::vector<std::uint16_t> three{1, 2, 3};
  const std::vector<float> one{2.5f};
  EXPECT_EQ(blob.add(std::span(three)), 0u);
  EXPECT_EQ(blob.add(std::span(one)), 8u);
  EXPECT_EQ(blob.bytes().size(), 12u);
  float read = 0;
  std::memcpy(&read, blob.bytes().data() + 8, sizeof read);
  EXPECT_EQ(read, 2.5f);
}

TEST(NumberBlob, NumbersThatAFloatDoesNotHave) {
  constexpr float kMost = std::numeric_limits<float>::max();
  EXPECT_EQ(single(1e300), kMost);
  EXPECT_EQ(single(-INFINITY), -kMost);
  EXPECT_TRUE(std::isnan(single(NAN)));
  EXPECT_EQ(single_or_zero(NAN), 0);
  EXPECT_EQ(single_or_zero(1e300), kMost);
}

TEST(NumberBlob, VectorsInARow) {
  const std::vector<Vec3<double>> vectors{{1, 2, 3}, {4, NAN, 6}};
  EXPECT_EQ(singles(vectors, single_or_zero), (std::vector<float>{1, 2, 3, 4, 0, 6}));
}

}  // namespace oloid::test::number_blob_test
