// Rigid bodies with contacts at one instant, as matrices: the rows and columns of
// docs/theory/contact_problem.md section 1, for tests of the solvers in numerics/.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "oloid/base/linalg.h"
#include "oloid/numerics/contact_problem.h"
#include "support/rooms.h"

namespace oloid::test {

class ContactGroup {
 public:
  // `torque` includes −ω × I ω; the inertia is in world axes. Ground has number −1.
  int add_body(double mass, const Mat3<double>& inertia, const Vec3<double>& c,
               const Vec3<double>& force, const Vec3<double>& torque) {
    Mat6<double> M = Mat6<double>::Zero();
    M.topLeftCorner<3, 3>() = mass * Mat3<double>::Identity();
    M.bottomRightCorner<3, 3>() = inertia;
    bodies_.push_back({M.inverse().llt().matrixL(), c});
    f_.conservativeResize(6 * bodies());
    f_.tail<6>() << force, torque;
    return bodies() - 1;
  }

  // A contact at p whose normal points from B to A; `gamma` is the acceleration of the touching
  // points that velocities cause.
  ContactGroup& contact(int A, int B, const Vec3<double>& p, const Vec3<double>& n,
                        const Vec3<double>& gamma = Vec3<double>::Zero(), double ell = 0.1) {
    at_ = {A, B, p, n, gamma, ell};
    cones.push_back({static_cast<int>(rows_.size())});
    add_row(point(n), n.dot(gamma));
    return *this;
  }
  // Channels of the last contact that are at rest. Turning is multiplied by the length ℓ, so that
  // its multipliers are in newtons.
  ContactGroup& stick(double mu) {
    add_channel({2, mu});
    for (const Vec3<double>& t : tangents()) add_row(point(t), t.dot(at_.gamma));
    return *this;
  }
  ContactGroup& hold_spin(double length) {
    add_channel({1, length / at_.ell});
    add_row(turn(at_.n), 0);
    return *this;
  }
  ContactGroup& hold_roll(double length) {
    add_channel({2, length / at_.ell});
    for (const Vec3<double>& t : tangents()) add_row(turn(t), 0);
    return *this;
  }
  // Channels of the last contact that move: their friction follows the normal force.
  ContactGroup& slide(double mu, const Vec3<double>& direction) {
    columns_[normal()] -= mu * point(direction);
    return *this;
  }
  ContactGroup& resist(double length, const Vec3<double>& axis) {
    columns_[normal()] -= length / at_.ell * turn(axis);
    return *this;
  }

  ContactProblem problem() const {
    const auto n = static_cast<Eigen::Index>(rows_.size());
    Eigen::MatrixXd J(n, f_.size()), G(f_.size(), n);
    Eigen::VectorXd beta(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      J.row(i) = whitened(rows_[k]);
      G.col(i) = whitened(columns_[k]);
      beta(i) = beta_[k];
    }
    return {J * G, J * whitened(f_) + beta, cones, cap};
  }
  // (v̇, ω̇) of all bodies under given forces.
  Eigen::VectorXd acceleration(const Eigen::VectorXd& force) const {
    Eigen::VectorXd sum = f_;
    for (Eigen::Index i = 0; i < force.size(); ++i) {
      sum += force(i) * columns_[static_cast<std::size_t>(i)];
    }
    for (int k = 0; k < bodies(); ++k) {
      const Mat6<double>& L = bodies_[static_cast<std::size_t>(k)].L;
      sum.segment<6>(6 * k) = L * (L.transpose() * sum.segment<6>(6 * k)).eval();
    }
    return sum;
  }
  int bodies() const { return static_cast<int>(bodies_.size()); }

  std::vector<ForceCone> cones;
  double cap = 10;

 private:
  struct Body {
    Mat6<double> L;  // M⁻¹ = L Lᵀ
    Vec3<double> c;
  };
  struct At {
    int A, B;
    Vec3<double> p, n, gamma;
    double ell;
  };

  std::size_t normal() const { return static_cast<std::size_t>(cones.back().first); }
  std::array<Vec3<double>, 2> tangents() const {
    const Vec3<double> t = at_.n.unitOrthogonal();
    return {t, at_.n.cross(t)};
  }
  Eigen::VectorXd point(const Vec3<double>& d) const {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(f_.size());
    const auto add = [&](int body, double sign) {
      if (body < 0) return;
      const Vec3<double> r = at_.p - bodies_[static_cast<std::size_t>(body)].c;
      row.segment<6>(6 * body) << sign * d, sign * r.cross(d);
    };
    add(at_.A, 1);
    add(at_.B, -1);
    return row;
  }
  Eigen::VectorXd turn(const Vec3<double>& axis) const {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(f_.size());
    if (at_.A >= 0) row.segment<3>(6 * at_.A + 3) = axis * at_.ell;
    if (at_.B >= 0) row.segment<3>(6 * at_.B + 3) = -axis * at_.ell;
    return row;
  }
  void add_channel(const ConeChannel& channel) {
    ForceCone& cone = cones.back();
    cone.channel[static_cast<std::size_t>(cone.channels++)] = channel;
  }
  void add_row(const Eigen::VectorXd& row, double beta) {
    rows_.push_back(row);
    columns_.push_back(row);
    beta_.push_back(beta);
  }
  // Lᵀ x, body by body: in these coordinates the mass matrix is 1.
  Eigen::VectorXd whitened(Eigen::VectorXd x) const {
    for (int k = 0; k < bodies(); ++k) {
      const Mat6<double>& L = bodies_[static_cast<std::size_t>(k)].L;
      x.segment<6>(6 * k) = (L.transpose() * x.segment<6>(6 * k)).eval();
    }
    return x;
  }

  std::vector<Body> bodies_;
  Eigen::VectorXd f_;
  At at_{};
  std::vector<Eigen::VectorXd> rows_, columns_;
  std::vector<double> beta_;
};

}  // namespace oloid::test
