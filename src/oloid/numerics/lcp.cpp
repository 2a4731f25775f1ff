#include "oloid/numerics/lcp.h"

#include <algorithm>
#include <cmath>

#include "oloid/base/contract.h"

namespace oloid::numerics {
namespace {

constexpr double kTie = 1e-11;    // basic variables that reach 0 this close together leave as one
constexpr double kPivot = 1e-11;  // entries of a column below this part of its largest are 0
constexpr double kZeroPivot = 1e-11;  // pivots of an elimination below this part of the first are 0
constexpr double kResidual = 1e-10;   // what counts as solved
constexpr int kPivotsPerUnknown = 50;

// The problem in units in which diagonals and q are about 1 (docs/theory/contact_problem.md eq. 3),
// and the scratch memory cut into parts.
class Scaled {
 public:
  Scaled(const Lcp& lcp, std::span<double> scratch)
      : lcp_(lcp), n_(static_cast<int>(lcp.q.size())), unit_(scratch.data()) {
    OLOID_EXPECT(lcp.M.rows() == n_ && lcp.M.cols() == n_);
    OLOID_EXPECT(scratch.size() >= lcp_scratch(static_cast<std::size_t>(n_)));
    for (int i = 0; i < n_; ++i) {
      const double diagonal = std::abs(lcp.M(i, i));
      const double size = diagonal > 0 ? diagonal : lcp.M.row(i).lpNorm<Eigen::Infinity>();
      unit_[i] = size > 0 ? 1 / std::sqrt(size) : 0;
    }
    // In a positive semidefinite matrix no entry exceeds the diagonals now; where friction has
    // almost cancelled a diagonal, the largest entry gives the unit instead.
    for (int pass = 0; pass < 3; ++pass) {
      for (int i = 0; i < n_; ++i) {
        double largest = 0;
        for (int j = 0; j < n_; ++j) {
          largest = std::max({largest, std::abs(M(i, j)), std::abs(M(j, i))});
        }
        if (largest > 1e4) unit_[i] /= std::sqrt(largest);
      }
    }
    q_unit_ = 0;
    for (int i = 0; i < n_; ++i) q_unit_ = std::max(q_unit_, unit_[i] * std::abs(lcp.q(i)));
    if (q_unit_ == 0) q_unit_ = 1;
    for (int i = 0; i < n_; ++i) {  // rows on which no unknown acts
      if (unit_[i] == 0) unit_[i] = lcp.q(i) == 0 ? 1 : q_unit_ / std::abs(lcp.q(i));
    }
  }

  int size() const { return n_; }
  double M(int i, int j) const { return unit_[i] * lcp_.M(i, j) * unit_[j]; }
  double q(int i) const { return unit_[i] * lcp_.q(i) / q_unit_; }
  double from_scaled(int i, double z) const { return z * unit_[i] * q_unit_; }
  double w(int i, std::span<const double> z) const {
    double sum = q(i);
    for (int j = 0; j < n_; ++j) sum += M(i, j) * z[static_cast<std::size_t>(j)];
    return sum;
  }
  double residual(std::span<const double> z) const {
    double largest = 0;
    for (int i = 0; i < n_; ++i) {
      largest = std::max(largest, std::abs(std::min(w(i, z), z[static_cast<std::size_t>(i)])));
    }
    return largest;
  }

 private:
  const Lcp& lcp_;
  int n_;
  double* unit_;
  double q_unit_;
};

// Solves M_II z_I = −q_I for the entries I that are positive in z, and sets the others to 0, by
// elimination with full pivoting; where M_II is singular, the unknowns that are left over are 0.
void solve_active(const Scaled& lcp, std::span<double> z, std::span<double> memory) {
  const auto n = static_cast<std::size_t>(lcp.size());
  double* const index = memory.data();  // unknown of each column of the table; small integers
  double* const table = memory.data() + n;
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (z[i] > 0) index[k++] = static_cast<double>(i);
  }
  const std::size_t width = k + 1;
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return table[i * width + j]; };
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      at(i, j) = lcp.M(static_cast<int>(index[i]), static_cast<int>(index[j]));
    }
    at(i, k) = -lcp.q(static_cast<int>(index[i]));
  }
  std::size_t rank = 0;
  double first = 0;
  for (; rank < k; ++rank) {
    std::size_t row = rank, column = rank;
    for (std::size_t i = rank; i < k; ++i) {
      for (std::size_t j = rank; j < k; ++j) {
        if (std::abs(at(i, j)) > std::abs(at(row, column))) row = i, column = j;
      }
    }
    const double pivot = std::abs(at(row, column));
    if (rank == 0) first = pivot;
    if (pivot <= kZeroPivot * first) break;
    for (std::size_t j = 0; j < width; ++j) std::swap(at(rank, j), at(row, j));
    for (std::size_t i = 0; i < k; ++i) std::swap(at(i, rank), at(i, column));
    std::swap(index[rank], index[column]);
    for (std::size_t i = rank + 1; i < k; ++i) {
      const double factor = at(i, rank) / at(rank, rank);
      for (std::size_t j = rank; j < width; ++j) at(i, j) -= factor * at(rank, j);
    }
  }
  std::fill(z.begin(), z.end(), 0.0);
  for (std::size_t i = rank; i-- > 0;) {
    double sum = at(i, k);
    for (std::size_t j = i + 1; j < rank; ++j)
      sum -= at(i, j) * z[static_cast<std::size_t>(index[j])];
    z[static_cast<std::size_t>(index[i])] = sum / at(i, i);
  }
}

// The table of Lemke's method, I w − M z − e z_0 = q: one row for each basic variable, columns w,
// z, z_0 and the values of the basic variables.
class Tableau {
 public:
  Tableau(const Scaled& lcp, std::span<double> memory)
      : n_(lcp.size()), width_(2 * n_ + 2), basic_(memory.data()), entries_(memory.data() + n_) {
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) {
        at(i, j) = i == j;
        at(i, n_ + j) = -lcp.M(i, j);
      }
      at(i, artificial()) = -1;
      value(i) = lcp.q(i);
      basic_[i] = i;
    }
  }

  int artificial() const { return 2 * n_; }
  int basic(int row) const { return static_cast<int>(basic_[row]); }
  double& value(int row) { return at(row, width_ - 1); }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  int most_negative_row() {
    int worst = 0;
    for (int i = 1; i < n_; ++i) {
      if (value(i) < value(worst)) worst = i;
    }
    return worst;
  }

  // The row whose variable leaves when `entering` grows; −1 if none does. Of variables that reach 0
  // together z_0 leaves, else the row that is lexicographically least
  // (docs/theory/contact_problem.md section 2).
  int leaving_row(int entering) {
    double largest = 0;
    for (int i = 0; i < n_; ++i) largest = std::max(largest, at(i, entering));
    const double least_pivot = kPivot * std::max(1.0, largest);
    int best = -1;
    for (int i = 0; i < n_; ++i) {
      if (at(i, entering) > least_pivot &&
          (best < 0 || value(i) * at(best, entering) < value(best) * at(i, entering))) {
        best = i;
      }
    }
    if (best < 0) return best;
    const double ratio = value(best) / at(best, entering);
    int chosen = best;
    for (int i = 0; i < n_; ++i) {
      if (at(i, entering) <= least_pivot || value(i) - ratio * at(i, entering) > kTie) continue;
      if (basic(i) == artificial()) return i;
      if (lexicographically_less(i, chosen, entering)) chosen = i;
    }
    return chosen;
  }

  void pivot(int row, int entering) {
    const double scale = 1 / at(row, entering);
    for (int j = 0; j < width_; ++j) at(row, j) *= scale;
    for (int i = 0; i < n_; ++i) {
      const double factor = at(i, entering);
      if (i == row || factor == 0) continue;
      for (int j = 0; j < width_; ++j) at(i, j) -= factor * at(row, j);
      at(i, entering) = 0;
      if (std::abs(value(i)) < 1e-15) value(i) = 0;
    }
    basic_[row] = entering;
  }

  void read(std::span<double> z) {
    std::fill(z.begin(), z.end(), 0.0);
    for (int i = 0; i < n_; ++i) {
      if (basic(i) >= n_ && basic(i) < 2 * n_) {
        z[static_cast<std::size_t>(basic(i) - n_)] = std::max(value(i), 1e-300);
      }
    }
  }

 private:
  double& at(int i, int j) { return entries_[static_cast<std::ptrdiff_t>(i) * width_ + j]; }
  bool lexicographically_less(int a, int b, int entering) {
    if (a == b) return false;
    for (int j = 0; j < n_; ++j) {
      const double difference = at(a, j) / at(a, entering) - at(b, j) / at(b, entering);
      if (std::abs(difference) > kTie) return difference < 0;
    }
    return false;
  }

  int n_, width_;
  double* basic_;  // variable of each row; small integers
  double* entries_;
};

// Ends with z in scaled units.
LcpStatus follow_path(const Scaled& lcp, std::span<double> z, std::span<double> memory,
                      int& pivots) {
  Tableau table(lcp, memory);
  int row = table.most_negative_row(), entering = table.artificial();
  std::fill(z.begin(), z.end(), 0.0);
  if (table.value(row) >= 0) return LcpStatus::solved;
  const int most = kPivotsPerUnknown * (lcp.size() + 10);
  for (pivots = 0; pivots < most; ++pivots) {
    const int leaving = table.basic(row);
    table.pivot(row, entering);
    if (leaving == table.artificial()) {
      table.read(z);
      return LcpStatus::solved;
    }
    entering = table.complement(leaving);
    row = table.leaving_row(entering);
    if (row < 0) return LcpStatus::ray;
  }
  return LcpStatus::inaccurate;
}

}  // namespace

LcpReport solve_lemke(const Lcp& lcp, std::span<double> z, std::span<double> scratch) {
  const Scaled scaled(lcp, scratch);
  const auto n = static_cast<std::size_t>(scaled.size());
  OLOID_EXPECT(z.size() == n);
  const std::span<double> from_table = scratch.subspan(n, n), memory = scratch.subspan(2 * n);
  LcpReport report{LcpStatus::inaccurate, 0, 0};
  report.status = follow_path(scaled, z, memory, report.pivots);
  if (report.status == LcpStatus::solved) {
    // The table has collected round-off; its basis, solved afresh, has not.
    std::copy(z.begin(), z.end(), from_table.begin());
    solve_active(scaled, z, memory);
    if (scaled.residual(from_table) < scaled.residual(z)) {
      std::copy(from_table.begin(), from_table.end(), z.begin());
    }
    for (double& x : z) x = std::max(0.0, x);
    report.residual = scaled.residual(z);
    if (!(report.residual <= kResidual)) report.status = LcpStatus::inaccurate;
  } else {
    std::fill(z.begin(), z.end(), 0.0);
    report.residual = scaled.residual(z);
  }
  for (std::size_t i = 0; i < n; ++i) z[i] = scaled.from_scaled(static_cast<int>(i), z[i]);
  return report;
}

LcpReport solve_lcp(const Lcp& lcp, std::span<double> z, std::span<double> scratch) {
  {
    const Scaled scaled(lcp, scratch);
    const auto n = static_cast<std::size_t>(scaled.size());
    OLOID_EXPECT(z.size() == n);
    solve_active(scaled, z, scratch.subspan(2 * n));
    for (double& x : z) {
      if (x < 0 && x > -kTie) x = 0;
    }
    const double residual = scaled.residual(z);
    if (residual <= kTie) {
      for (std::size_t i = 0; i < n; ++i) z[i] = scaled.from_scaled(static_cast<int>(i), z[i]);
      return {LcpStatus::solved, 0, residual};
    }
  }
  return solve_lemke(lcp, z, scratch);
}

}  // namespace oloid::numerics
