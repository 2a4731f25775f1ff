#include "oloid/numerics/cone_program.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "oloid/base/contract.h"

namespace oloid::numerics {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double kGoal = 1e-14;    // relative residual at which the iteration ends
constexpr double kBorder = 0.995;  // part of the way to the border of the cones
constexpr int kMostIterations = 100;

// s_0² − |s_1|², positive inside the cone; by factors, which keeps its digits near the border.
double determinant(const Eigen::Ref<const Vector>& s) {
  const double tail = s.tail(s.size() - 1).norm();
  return (s(0) - tail) * (s(0) + tail);
}

// (a_0, −a_1).
Vector mirrored(const Eigen::Ref<const Vector>& a) {
  Vector m = -a;
  m(0) = a(0);
  return m;
}

// Products of the algebra of the cone: a ∘ b = (a·b, a_0 b_1 + b_0 a_1), and its inverse a \ b.
Vector product(const Eigen::Ref<const Vector>& a, const Eigen::Ref<const Vector>& b) {
  Vector c = a(0) * b + b(0) * a;
  c(0) = a.dot(b);
  return c;
}
Vector quotient(const Eigen::Ref<const Vector>& a, const Eigen::Ref<const Vector>& b) {
  const Eigen::Index n = a.size() - 1;
  Vector c(n + 1);
  c(0) = (a(0) * b(0) - a.tail(n).dot(b.tail(n))) / determinant(a);
  c.tail(n) = (b.tail(n) - c(0) * a.tail(n)) / a(0);
  return c;
}

// Scaling of Nesterov and Todd for one cone: the symmetric S with S z = S⁻¹ s.
// S = η (2 v vᵀ − J), J = diag(1, −1, ..., −1).
struct Scaling {
  double eta;
  Vector v;

  Scaling(const Eigen::Ref<const Vector>& s, const Eigen::Ref<const Vector>& z) {
    const double det_s = determinant(s), det_z = determinant(z);
    const Vector s_unit = s / std::sqrt(det_s), z_unit = z / std::sqrt(det_z);
    const double gamma = std::sqrt(0.5 * (1 + s_unit.dot(z_unit)));
    Vector w = (s_unit + mirrored(z_unit)) / (2 * gamma);
    eta = std::pow(det_s / det_z, 0.25);
    const double norm = std::sqrt(2 * (w(0) + 1));
    w(0) += 1;
    v = w / norm;
  }
  Vector apply(const Eigen::Ref<const Vector>& x) const {
    return eta * (2 * v.dot(x) * v - mirrored(x));
  }
  Vector apply_inverse(const Eigen::Ref<const Vector>& x) const {
    const Vector mirror = mirrored(v);
    return (2 * mirror.dot(x) * mirror - mirrored(x)) / eta;
  }
};

// The largest a with λ + a d in the cone.
double way_to_border(const Eigen::Ref<const Vector>& lambda, const Eigen::Ref<const Vector>& d) {
  const double size = std::sqrt(determinant(lambda));
  const Vector unit = lambda / size;
  const Eigen::Index n = d.size() - 1;
  const double head = mirrored(unit).dot(d);
  const double tail = (d.tail(n) - (head + d(0)) / (unit(0) + 1) * unit.tail(n)).norm();
  const double closing = (tail - head) / size;
  return closing > 0 ? 1 / closing : 1e300;
}

class Path {
 public:
  explicit Path(const ConeProgram& p) : p_(p) {
    x_ = Vector::Zero(p.q.size());
    e_ = Vector::Zero(p.h.size());
    Eigen::Index at = 0;
    for (const int size : p.cones) {
      starts_.push_back(at);
      e_(at) = 1;
      at += size;
    }
    OLOID_EXPECT(at == p.h.size() && p.G.rows() == at && p.G.cols() == p.q.size());
    // P = B Bᵀ, so that steps are least-squares problems, whose condition is not squared.
    const Eigen::LDLT<Matrix> ldlt(p.P);
    root_ = (ldlt.transpositionsP().transpose() * Matrix(ldlt.matrixL())) *
            ldlt.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
  }

  ConeOptimum follow() {
    start();
    ConeOptimum best{x_, z_, 0, residual()};
    for (int k = 1; k <= kMostIterations && best.residual > kGoal; ++k) {
      if (!step()) break;
      if (const double r = residual(); r < best.residual) {
        best = {x_, z_, k, r};
      } else if (!(r < 1e3 * best.residual)) {
        break;  // round-off
      }
      best.iterations = k;
    }
    return best;
  }

 private:
  template <class F>
  void for_each_cone(const F& f) const {
    for (std::size_t k = 0; k < p_.cones.size(); ++k) f(k, starts_[k], p_.cones[k]);
  }
  template <class F>
  Vector per_cone(const F& f) const {
    Vector result(p_.h.size());
    for_each_cone([&](std::size_t k, Eigen::Index at, int size) {
      result.segment(at, size) = f(k, at, size);
    });
    return result;
  }

  double residual() const {
    const double primal = (p_.G * x_ + s_ - p_.h).norm() / (1 + p_.h.norm());
    const double dual = (p_.P * x_ + p_.q + p_.G.transpose() * z_).norm() / (1 + p_.q.norm());
    const double value = std::abs(p_.q.dot(x_) + 0.5 * x_.dot(p_.P * x_));
    const double all = std::max({primal, dual, std::abs(s_.dot(z_)) / (1 + value)});
    return std::isfinite(all) ? all : 1e300;
  }

  // Moves a point into the cones along their axes.
  void move_inside(Vector& s) const {
    double outside = -1e300;
    for_each_cone([&](std::size_t, Eigen::Index at, int size) {
      outside = std::max(outside, s.segment(at + 1, size - 1).norm() - s(at));
    });
    if (outside >= -1e-8 * std::max(1.0, s.norm())) s += (1 + outside) * e_;
  }

  void start() {
    factor(p_.G);
    solve_factored(-p_.q, p_.h, x_, z_);
    s_ = -z_;
    move_inside(s_);
    move_inside(z_);
  }

  // QR of (Bᵀ; G_scaled).
  void factor(const Matrix& G_scaled) {
    Matrix stack(root_.cols() + G_scaled.rows(), x_.size());
    stack << root_.transpose(), G_scaled;
    qr_.compute(stack);
  }
  // P x + Gᵀ z = a and G x − z = c, everything scaled. With (Bᵀ; G) = Q R, and z from Q instead of
  // G x − c, the first equation keeps its digits where G is huge, at the end of the path.
  void solve_factored(const Vector& a, const Vector& c, Vector& x, Vector& z) const {
    const Eigen::Index n = x_.size(), rows = qr_.rows();
    const auto R = qr_.matrixQR().topRows(n).triangularView<Eigen::Upper>();
    Vector t = qr_.colsPermutation().transpose() * a;
    R.transpose().solveInPlace(t);
    Vector y = Vector::Zero(rows);
    y.tail(c.size()) = c;
    y.applyOnTheLeft(qr_.householderQ().transpose());
    Vector r = t + y.head(n);
    R.solveInPlace(r);
    x = qr_.colsPermutation() * r;
    y.head(n) = t;
    y.tail(rows - n) *= -1;
    y.applyOnTheLeft(qr_.householderQ());
    z = y.tail(c.size());
  }

  bool step() {
    scalings_.clear();
    for_each_cone([&](std::size_t, Eigen::Index at, int size) {
      scalings_.emplace_back(s_.segment(at, size), z_.segment(at, size));
    });
    const Vector lambda = per_cone([&](std::size_t k, Eigen::Index at, int size) {
      return scalings_[k].apply(z_.segment(at, size));
    });
    if (!lambda.allFinite()) return false;
    Matrix G(p_.G.rows(), p_.G.cols());
    for_each_cone([&](std::size_t k, Eigen::Index at, int size) {
      for (Eigen::Index j = 0; j < G.cols(); ++j) {
        G.col(j).segment(at, size) = scalings_[k].apply_inverse(p_.G.col(j).segment(at, size));
      }
    });
    factor(G);
    const Vector r_dual = -(p_.P * x_ + p_.q + p_.G.transpose() * z_);
    const Vector r_primal = per_cone([&](std::size_t k, Eigen::Index at, int size) {
      return scalings_[k].apply_inverse((p_.h - p_.G * x_ - s_).segment(at, size));
    });

    // Predictor: straight to complementarity; then the corrector, which aims at the path.
    Vector dx, dz, ds, target = -multiply(lambda, lambda);
    direction(lambda, r_dual, r_primal, target, dx, ds, dz);
    double way = longest(lambda, ds, dz);
    const double sigma = std::pow(1 - std::min(1.0, way), 3);
    const double mean = lambda.squaredNorm() / static_cast<double>(p_.cones.size());
    target += sigma * mean * e_ - multiply(ds, dz);
    direction(lambda, (1 - sigma) * r_dual, (1 - sigma) * r_primal, target, dx, ds, dz);
    way = std::min(1.0, kBorder * longest(lambda, ds, dz));
    if (!(way > 1e-12) || !dx.allFinite()) return false;
    x_ += way * dx;
    for_each_cone([&](std::size_t k, Eigen::Index at, int size) {
      s_.segment(at, size) += way * scalings_[k].apply(ds.segment(at, size));
      z_.segment(at, size) += way * scalings_[k].apply_inverse(dz.segment(at, size));
    });
    bool inside = true;
    for_each_cone([&](std::size_t, Eigen::Index at, int size) {
      inside = inside && determinant(s_.segment(at, size)) > 0 && s_(at) > 0 &&
               determinant(z_.segment(at, size)) > 0 && z_(at) > 0;
    });
    return inside;
  }

  Vector multiply(const Vector& a, const Vector& b) const {
    return per_cone([&](std::size_t, Eigen::Index at, int size) {
      return product(a.segment(at, size), b.segment(at, size));
    });
  }
  // Scaled steps: ds + dz = λ \ target.
  void direction(const Vector& lambda, const Vector& r_dual, const Vector& r_primal,
                 const Vector& target, Vector& dx, Vector& ds, Vector& dz) const {
    const Vector sum = per_cone([&](std::size_t, Eigen::Index at, int size) {
      return quotient(lambda.segment(at, size), target.segment(at, size));
    });
    solve_factored(r_dual, r_primal - sum, dx, dz);
    ds = sum - dz;
  }
  double longest(const Vector& lambda, const Vector& ds, const Vector& dz) const {
    double way = 1e300;
    for_each_cone([&](std::size_t, Eigen::Index at, int size) {
      way = std::min({way, way_to_border(lambda.segment(at, size), ds.segment(at, size)),
                      way_to_border(lambda.segment(at, size), dz.segment(at, size))});
    });
    return way;
  }

  const ConeProgram& p_;
  std::vector<Eigen::Index> starts_;
  Vector x_, s_, z_, e_;
  Matrix root_;
  Eigen::ColPivHouseholderQR<Matrix> qr_;
  std::vector<Scaling> scalings_;
};

}  // namespace

ConeOptimum solve(const ConeProgram& program) { return Path(program).follow(); }

}  // namespace oloid::numerics
