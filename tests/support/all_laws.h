// All 27 laws of a contact, row by row, and the forces they may be given.
#pragma once

#include "laws/random.h"
#include "oloid/dynamics/law.h"
#include "support/rooms.h"

namespace oloid::test {

inline constexpr int kLawCount = 27;
constexpr Law law_number(int i) {
  return {static_cast<Slip>(i / 9), static_cast<Spin>(i / 3 % 3), static_cast<Roll>(i % 3)};
}

enum class RowKind { free, given, constrained };
// Slip, Spin and Roll list their three states in this order.
constexpr RowKind kind_of_row(Law law, int row) {
  if (row == kNormalRow) return RowKind::constrained;
  if (row >= kSlipRow) return static_cast<RowKind>(law.slip);
  if (row == kSpinRow) return static_cast<RowKind>(law.spin);
  return static_cast<RowKind>(law.roll);
}

// Given rows for a normal force of 1, each up to `size`.
inline Vec6<double> random_given(Random& random, Law law, double size) {
  Vec6<double> c = random.vector<6>(-size, size);
  for (int row = 0; row < 6; ++row) {
    if (kind_of_row(law, row) != RowKind::given) c(row) = 0;
  }
  return c;
}

}  // namespace oloid::test
