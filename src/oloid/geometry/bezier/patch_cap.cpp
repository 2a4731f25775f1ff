#include "oloid/geometry/bezier/patch_cap.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "oloid/numerics/small_solve.h"

namespace oloid::geometry {
namespace {

constexpr double kBeyond = 1.01;  // how far the disc reaches, of the rim's distance
constexpr std::size_t kRimEntries = 512;

}  // namespace

// With x(u, v) the place below a point and J = ∂x/∂(u, v): ∇h = J⁻ᵀ ∂h, and
// ∇²h = J⁻ᵀ (∂²h − Σ_k ∇_k h ∂²x_k) J⁻¹.
PatchCap::Sample PatchCap::sample(const Jet<double, 2>& c) const {
  std::array<Vec3<double>, 6> local;  // in the axes of the cap, over r
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = R_.transpose() * c.terms[i] / r_;
  const auto d = [&](int i, int j) -> const Vec3<double>& {
    return local[static_cast<std::size_t>(jet_index(i, j))];
  };
  Mat2<double> J;
  J << d(1, 0).head<2>(), d(0, 1).head<2>();
  const Mat2<double> J_inv = inverse(J);
  Sample at;
  at.q = d(0, 0).head<2>();
  at.h = d(0, 0).z();
  at.gradient = J_inv.transpose() * Vec2<double>(d(1, 0).z(), d(0, 1).z());
  const auto bend = [&](int i, int j) { return d(i, j).z() - at.gradient.dot(d(i, j).head<2>()); };
  Mat2<double> second;
  second << bend(2, 0), bend(1, 1), bend(1, 1), bend(0, 2);
  at.hessian = J_inv.transpose() * second * J_inv;
  return at;
}

void PatchCap::fit(const std::vector<Sample>& samples, int harmonics) {
  // Unknowns: for each power k and harmonic m the real part of c_km, then, but for m = 0, the
  // imaginary one.
  const auto per_power = 2 * harmonics + 1;
  const auto column = [&](int k, int m, int part) {
    return k * per_power + (m == 0 ? 0 : 2 * m - 1 + part);
  };
  const auto rows = static_cast<Eigen::Index>(6 * samples.size());
  Eigen::MatrixXd A(rows, static_cast<Eigen::Index>(kPowers) * per_power);
  Eigen::VectorXd b(rows);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Sample& at = samples[s];
    const auto row = static_cast<Eigen::Index>(6 * s);
    b.segment<6>(row) << at.h, at.gradient, at.hessian(0, 0), at.hessian(0, 1), at.hessian(1, 1);
    const std::complex<double> z(at.q.x(), at.q.y());
    std::vector<std::complex<double>> powers{1};  // of z
    for (int m = 0; m < harmonics + static_cast<int>(kPowers); ++m)
      powers.push_back(powers.back() * z);
    for (int k = 0; k < static_cast<int>(kPowers); ++k) {
      for (int m = 0; m <= harmonics; ++m) {
        for (int part = 0; part < (m == 0 ? 1 : 2); ++part) {
          const std::complex<double> c = part == 0 ? 1.0 : std::complex<double>(0, 1);
          const auto h = detail::real_derivatives<2, double>([&](int a, int b_) {
            std::complex<double> f = 0;
            if (a <= m + k && b_ <= k)
              f = c * detail::falling(m + k, a) * powers[static_cast<std::size_t>(m + k - a)] *
                  detail::falling(k, b_) * std::conj(powers[static_cast<std::size_t>(k - b_)]);
            return std::array<double, 2>{f.real(), f.imag()};
          });
          for (Eigen::Index i = 0; i < 6; ++i)
            A(row + i, column(k, m, part)) = h[static_cast<std::size_t>(i)];
        }
      }
    }
  }
  const Eigen::VectorXd x = A.householderQr().solve(b);
  for (int k = 0; k < static_cast<int>(kPowers); ++k) {
    auto& Q = Q_[static_cast<std::size_t>(k)];
    Q.assign(static_cast<std::size_t>(harmonics) + 1, {0, 0});
    for (int m = 0; m <= harmonics; ++m)
      for (int part = 0; part < (m == 0 ? 1 : 2); ++part)
        Q[static_cast<std::size_t>(m)][static_cast<std::size_t>(part)] = x(column(k, m, part));
  }
}

// Its distance at equal angles, between the points on either side.
void PatchCap::set_rim(const std::vector<Uv<double>>& points) {
  std::vector<std::array<double, 2>> polar;  // angle, distance
  polar.reserve(points.size() + 2);
  for (const Uv<double>& q : points) polar.push_back({std::atan2(q.y(), q.x()), q.norm()});
  std::sort(polar.begin(), polar.end());
  const double turn = 2 * std::numbers::pi;
  const auto first = polar.front(), last = polar.back();
  polar.insert(polar.begin(), {last[0] - turn, last[1]});
  polar.push_back({first[0] + turn, first[1]});
  rim_.resize(kRimEntries);
  std::size_t next = 1;
  for (std::size_t i = 0; i < kRimEntries; ++i) {
    const double angle = -std::numbers::pi + turn * static_cast<double>(i) / kRimEntries;
    while (next + 1 < polar.size() && polar[next][0] < angle) ++next;
    const auto &a = polar[next - 1], &c = polar[next];
    const double t = c[0] > a[0] ? (angle - a[0]) / (c[0] - a[0]) : 0;
    rim_[i] = a[1] + t * (c[1] - a[1]);
  }
}

double PatchCap::margin(const Uv<double>& q) const {
  const double turns = (std::atan2(q.y(), q.x()) / std::numbers::pi + 1) / 2;  // 0 to 1
  const double at = turns * kRimEntries;
  const std::size_t i = std::min(static_cast<std::size_t>(at), kRimEntries - 1);
  const double t = at - static_cast<double>(i);
  return kBeyond * ((1 - t) * rim_[i] + t * rim_[(i + 1) % kRimEntries]) - q.norm();
}

}  // namespace oloid::geometry
