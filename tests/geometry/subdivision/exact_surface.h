// Subdivision surfaces by other means, a reference for tests: uniform refinement of whole meshes by
// maps, and around a vertex of fans that turn about it, with 50 digits; faces know where in the
// cage they lie. OLOID_PRINT=1 in the environment makes tests print the largest errors.
#pragma once

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "oloid/base/index.h"
#include "oloid/geometry/subdivision/subdivision.h"
#include "support/rooms.h"

namespace oloid::test::subdivision_cases {

using std::numbers::pi;
constexpr double kSharp = std::numeric_limits<double>::infinity();

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                           boost::multiprecision::et_off>;

template <class T>
struct Vector {
  T x{0}, y{0}, z{0};

  friend Vector operator+(const Vector& a, const Vector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend Vector operator-(const Vector& a, const Vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend Vector operator*(const T& s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend T dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  Vec3<double> rounded() const {
    return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  }
};

template <class T>
struct Reference {
  using V = Vector<T>;
  struct Polygon {
    std::vector<int> v;
    int face, corner;
    Uv<double> at = Uv<double>::Zero();
    Mat2<double> turn = Mat2<double>::Identity();
  };
  using Key = std::pair<int, int>;

  SubdivisionScheme scheme;
  std::vector<V> p;
  std::vector<Polygon> faces;
  std::map<Key, double> sharp;

  static Key key(int a, int b) { return std::minmax(a, b); }

  Reference(const Cage& cage, SubdivisionScheme s) : scheme(s) {
    for (const Vec3<double>& q : cage.vertices) p.push_back({T(q.x()), T(q.y()), T(q.z())});
    for (std::size_t f = 0; f < cage.faces.size(); ++f)
      faces.push_back({cage.faces[f], static_cast<int>(f), -1});
    for (const Crease& c : cage.creases)
      sharp[key(c.a, c.b)] = c.sharpness >= 10 ? kSharp : c.sharpness;
    std::map<Key, int> count;
    for_each_edge([&](int a, int b, int) { ++count[key(a, b)]; });
    for (const auto& [edge, n] : count)
      if (n == 1) sharp[edge] = kSharp;
  }
  template <class F>
  void for_each_edge(F f) const {
    for (std::size_t i = 0; i < faces.size(); ++i)
      for (std::size_t k = 0; k < faces[i].v.size(); ++k)
        f(faces[i].v[k], faces[i].v[(k + 1) % faces[i].v.size()], static_cast<int>(i));
  }
  double sharpness(const Key& k) const {
    const auto it = sharp.find(k);
    return it == sharp.end() ? 0 : it->second;
  }
  static double used(double s) { return s == kSharp ? s : std::max(0.0, s - 1); }

  V by_rule(int v, const std::vector<int>& neighbours, const std::vector<V>& middles,
            const std::vector<int>& ends, bool corner) const {
    const V& c = p[at(v)];
    if (corner || ends.size() > 2) return c;
    if (ends.size() == 2) return T(3) / T(4) * c + T(1) / T(8) * (p[at(ends[0])] + p[at(ends[1])]);
    V sum;
    for (int n : neighbours) sum = sum + p[at(n)];
    const T n = static_cast<int>(neighbours.size());
    if (scheme == SubdivisionScheme::loop) {
      using std::acos, std::cos;
      const T root = T(3) / T(8) + cos(2 * acos(T(-1)) / n) / 4;
      const T beta = (T(5) / T(8) - root * root) / n;
      return (T(1) - n * beta) * c + beta * sum;
    }
    for (const V& m : middles) sum = sum + m;
    return (n - 2) / n * c + T(1) / (n * n) * sum;
  }

  void refine() {
    std::vector<V> middle;
    for (const Polygon& f : faces) {
      V sum;
      for (int v : f.v) sum = sum + p[at(v)];
      middle.push_back(T(1) / T(static_cast<int>(f.v.size())) * sum);
    }
    std::map<Key, std::vector<int>> along;
    std::vector<std::set<int>> neighbours(p.size());
    std::vector<std::vector<int>> around(p.size());
    for_each_edge([&](int a, int b, int f) {
      along[key(a, b)].push_back(f);
      neighbours[at(a)].insert(b);
      neighbours[at(b)].insert(a);
      around[at(a)].push_back(f);
    });
    std::vector<V> next;
    for (int v = 0; v < static_cast<int>(p.size()); ++v) {
      const std::vector<int> near(neighbours[at(v)].begin(), neighbours[at(v)].end());
      std::vector<V> middles;
      for (int f : around[at(v)]) middles.push_back(middle[at(f)]);
      std::vector<int> now, then;
      double sum = 0, count = 0;
      for (int n : near) {
        const double s = sharpness(key(v, n));
        if (s > 0) now.push_back(n);
        if (used(s) > 0) then.push_back(n);
        if (s > 0 && !(used(s) > 0)) {
          sum += s;
          ++count;
        }
      }
      const bool corner = around[at(v)].size() == 1;
      V q = by_rule(v, near, middles, now, corner);
      const auto kind = [](std::size_t n) { return n < 2 ? 0 : n == 2 ? 1 : 2; };
      if (!corner && kind(now.size()) != kind(then.size())) {
        const T w = std::min(1.0, sum / count);
        q = w * q + (T(1) - w) * by_rule(v, near, middles, then, corner);
      }
      next.push_back(q);
    }
    std::map<Key, int> edge_point;
    std::map<Key, double> next_sharp;
    for (const auto& [edge, there] : along) {
      const V &a = p[at(edge.first)], &b = p[at(edge.second)];
      const double s = sharpness(edge);
      V q = T(1) / T(2) * (a + b);
      if (s < 1) {
        V far;
        for (int f : there) {
          if (scheme == SubdivisionScheme::catmull_clark) {
            far = far + middle[at(f)];
          } else {
            for (int v : faces[at(f)].v)
              if (v != edge.first && v != edge.second) far = far + p[at(v)];
          }
        }
        const V smooth = scheme == SubdivisionScheme::catmull_clark
                             ? T(1) / T(4) * (a + b + far)
                             : T(3) / T(8) * (a + b) + T(1) / T(8) * far;
        q = T(s) * q + (T(1) - T(s)) * smooth;
      }
      const int index = static_cast<int>(next.size());
      edge_point[edge] = index;
      if (used(s) > 0)
        for (int end : {edge.first, edge.second}) next_sharp[key(end, index)] = used(s);
      next.push_back(q);
    }
    std::vector<Polygon> children;
    for (std::size_t i = 0; i < faces.size(); ++i)
      split(faces[i], middle[i], edge_point, next, children);
    p = std::move(next);
    faces = std::move(children);
    sharp = std::move(next_sharp);
  }

  void split(const Polygon& f, const V& middle, const std::map<Key, int>& edge_point,
             std::vector<V>& points, std::vector<Polygon>& children) const {
    const std::size_t n = f.v.size();
    const auto on = [&](std::size_t k) { return edge_point.at(key(f.v[k % n], f.v[(k + 1) % n])); };
    const auto add = [&](std::vector<int> v, int corner, const Uv<double>& o, const Uv<double>& u,
                         const Uv<double>& w) {
      Mat2<double> M;
      M << u - o, w - o;
      children.push_back({std::move(v), f.face, corner, f.at + f.turn * o, f.turn * M});
    };
    if (scheme == SubdivisionScheme::loop) {
      const Uv<double> c[3] = {{0, 0}, {1, 0}, {0, 1}};
      for (std::size_t k = 0; k < 3; ++k)
        add({f.v[k], on(k), on(k + 2)}, -1, c[k], 0.5 * (c[k] + c[(k + 1) % 3]),
            0.5 * (c[k] + c[(k + 2) % 3]));
      add({on(0), on(1), on(2)}, -1, {0.5, 0}, {0.5, 0.5}, {0, 0.5});
      return;
    }
    points.push_back(middle);
    const int m = static_cast<int>(points.size()) - 1;
    const Uv<double> c[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (std::size_t k = 0; k < n; ++k) {
      const std::vector<int> v{f.v[k], on(k), m, on(k + n - 1)};
      if (n == 4) {
        add(v, f.corner, c[k], 0.5 * (c[k] + c[(k + 1) % 4]), 0.5 * (c[k] + c[(k + 3) % 4]));
      } else {
        children.push_back({v, f.face, static_cast<int>(k)});
      }
    }
  }
};

// The values of a three-direction box spline with the given multiplicities, by de Boor's
// recurrence, and through it of its derivatives.
using Long = long double;
using Long2 = Eigen::Matrix<Long, 2, 1>;
inline Long box_spline(const std::array<int, 3>& count, const Long2& x) {
  static const Long2 kDirections[3] = {{1, 0}, {0, 1}, {1, -1}};
  const int n = count[0] + count[1] + count[2];
  Eigen::Matrix<Long, 2, 2> G = Eigen::Matrix<Long, 2, 2>::Zero();
  if (n == 2) {
    int columns = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (count[k] > 1) return 0;
      if (count[k] == 1) G.col(columns++) = kDirections[k];
    }
    const Long2 t = G.inverse() * x;
    return t.minCoeff() >= 0 && t.maxCoeff() < 1 ? 1 : 0;
  }
  for (std::size_t k = 0; k < 3; ++k)
    G += static_cast<Long>(count[k]) * kDirections[k] * kDirections[k].transpose();
  if (G.determinant() < 0.5L) return 0;
  const Long2 y = G.inverse() * x;
  Long sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (count[k] == 0) continue;
    std::array<int, 3> less = count;
    --less[k];
    const Long t = kDirections[k].dot(y);
    sum += static_cast<Long>(count[k]) *
           (t * box_spline(less, x) + (1 - t) * box_spline(less, Long2(x - kDirections[k])));
  }
  return sum / static_cast<Long>(n - 2);
}
// ∂^i_u ∂^j_v of the quartic one, centred at 0.
inline Long box_spline_derivative(int i, int j, const Long2& x) {
  constexpr Long kBinomial[3][3] = {{1, 0, 0}, {1, -1, 0}, {1, -2, 1}};
  Long sum = 0;
  for (int a = 0; a <= i; ++a)
    for (int b = 0; b <= j; ++b)
      sum +=
          kBinomial[i][a] * kBinomial[j][b] *
          box_spline({2 - i, 2 - j, 2}, x + Long2(static_cast<Long>(2 - a), static_cast<Long>(-b)));
  return sum;
}

struct Exact {
  Vec3<double> point, normal;
  Mat3<double> K;  // the shape operator as a tensor in space
};

// The neighbourhood of a vertex: sector i has coordinates (a, b) along spokes i and i + 1.
class Fan {
 public:
  using V = Vector<Real>;

  Fan(const Reference<Real>& mesh, int centre) : scheme_(mesh.scheme) {
    std::map<std::pair<int, int>, std::pair<int, int>> next;  // the two vertices after an edge
    std::map<int, int> spoke;                                 // the spoke after each
    for (const auto& f : mesh.faces) {
      const std::size_t n = f.v.size();
      for (std::size_t k = 0; k < n; ++k) {
        next[{f.v[k], f.v[(k + 1) % n]}] = {f.v[(k + 2) % n], f.v[(k + 3) % n]};
        if (f.v[k] == centre) spoke[f.v[(k + 1) % n]] = f.v[(k + n - 1) % n];
      }
    }
    n_ = static_cast<int>(spoke.size());
    points_[{-1, 0, 0}] = mesh.p[at(centre)];
    int e = spoke.begin()->first;
    for (int i = 0; i < n_; ++i, e = spoke.at(e)) {
      first_.push_back(e);
      const auto put = [&](int a, int b, int v) { points_[{i, a, b}] = mesh.p[at(v)]; };
      const int e1 = spoke.at(e);
      put(1, 0, e);
      if (scheme_ == SubdivisionScheme::loop) {
        const int far = next.at({e1, e}).first;
        put(1, 1, far);
        put(2, 0, next.at({far, e}).first);
      } else {
        const int f = next.at({centre, e}).first;
        put(1, 1, f);
        const auto [p20, p21] = next.at({f, e});
        const auto [p12, p02] = next.at({e1, f});
        put(2, 0, p20);
        put(2, 1, p21);
        put(1, 2, p12);
        put(2, 2, next.at({f, p21}).first);
        (void)p02;
      }
    }
  }
  int valence() const { return n_; }
  int sector_of(int spoke) const {
    return static_cast<int>(std::find(first_.begin(), first_.end(), spoke) - first_.begin());
  }

  // At (s, t) of the face in a sector.
  Exact evaluate(int sector, Real s, Real t) const {
    const bool loop = scheme_ == SubdivisionScheme::loop;
    if (n_ == (loop ? 6 : 4)) return evaluate_regular(sector, s, t);
    Fan fan = *this;
    const auto far = [&] { return loop ? s + t : std::max(s, t); };
    do {
      fan = fan.refined();
      s *= 2;
      t *= 2;
    } while (far() < 1);
    return fan.evaluate_regular(sector, s, t);
  }

 private:
  const V& point(int i, int a, int b) const {
    const bool loop = scheme_ == SubdivisionScheme::loop;
    i = (i + n_) % n_;
    if (a == 0 && b == 0) return points_.at({-1, 0, 0});
    if (b < 0) return loop ? point(i - 1, -b, a + b) : point(i - 1, -b, a);
    if (a <= 0) return loop ? point(i + 1, a + b, -a) : point(i + 1, b, -a);
    return points_.at({i, a, b});
  }

  Fan refined() const {
    Fan fan = *this;
    V sum;
    const Real n = n_;
    const V& c = point(0, 0, 0);
    if (scheme_ == SubdivisionScheme::loop) {
      for (int i = 0; i < n_; ++i) sum = sum + point(i, 1, 0);
      const Real root = Real(3) / 8 + cos(2 * acos(Real(-1)) / n) / 4;
      const Real beta = (Real(5) / 8 - root * root) / n;
      fan.points_[{-1, 0, 0}] = (1 - n * beta) * c + beta * sum;
    } else {  // (n − 7/4) v / n + 3/2 mean of spokes + 1/4 mean of corners, over n
      for (int i = 0; i < n_; ++i) sum = sum + Real(6) * point(i, 1, 0) + point(i, 1, 1);
      fan.points_[{-1, 0, 0}] = (1 - Real(7) / (4 * n)) * c + 1 / (4 * n * n) * sum;
    }
    for (int i = 0; i < n_; ++i)
      for (int a = 1; a <= 3; ++a)
        for (int b = 0; b <= 3; ++b)
          if (scheme_ != SubdivisionScheme::loop || a + b <= 3)
            fan.points_[{i, a, b}] = child(i, a, b);
    return fan;
  }
  V child(int i, int a, int b) const {
    const auto p = [&](int x, int y) { return point(i, x, y); };
    const int x = a / 2, y = b / 2;
    if (scheme_ == SubdivisionScheme::loop) {
      if (a % 2 == 1 && b % 2 == 1) {  // between (x + 1, y) and (x, y + 1)
        return Real(3) / 8 * (p(x + 1, y) + p(x, y + 1)) +
               Real(1) / 8 * (p(x, y) + p(x + 1, y + 1));
      }
      if (a % 2 == 1)
        return Real(3) / 8 * (p(x, y) + p(x + 1, y)) +
               Real(1) / 8 * (p(x, y + 1) + p(x + 1, y - 1));
      if (b % 2 == 1)
        return Real(3) / 8 * (p(x, y) + p(x, y + 1)) +
               Real(1) / 8 * (p(x + 1, y) + p(x - 1, y + 1));
      return Real(5) / 8 * p(x, y) + Real(1) / 16 *
                                         (p(x + 1, y) + p(x, y + 1) + p(x - 1, y + 1) +
                                          p(x - 1, y) + p(x, y - 1) + p(x + 1, y - 1));
    }
    // Knot insertion one way, then the other.
    const auto row = [&](int yy) {
      return a % 2 == 1 ? Real(1) / 2 * (p(x, yy) + p(x + 1, yy))
                        : Real(1) / 8 * (p(x - 1, yy) + Real(6) * p(x, yy) + p(x + 1, yy));
    };
    return b % 2 == 1 ? Real(1) / 2 * (row(y) + row(y + 1))
                      : Real(1) / 8 * (row(y - 1) + Real(6) * row(y) + row(y + 1));
  }

  Exact evaluate_regular(int i, const Real& s, const Real& t) const {
    std::array<V, 6> d;  // value, u, v, uu, uv, vv
    constexpr int kOrders[6][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
    const int x0 = static_cast<int>(s), y0 = static_cast<int>(t);
    const Real u = s - x0, v = t - y0;
    if (scheme_ == SubdivisionScheme::loop) {
      for (int a = x0 - 1; a <= x0 + 2; ++a) {
        for (int b = y0 - 1; b <= y0 + 2; ++b) {
          const Long2 x(static_cast<Long>(s - a), static_cast<Long>(t - b));
          if (box_spline_derivative(0, 0, x) == 0) continue;
          for (std::size_t k = 0; k < 6; ++k)
            d[k] = d[k] + Real(box_spline_derivative(kOrders[k][0], kOrders[k][1], x)) *
                              (point(i, a, b) - point(0, 0, 0));  // weights have only 19 digits
        }
      }
      d[0] = d[0] + point(0, 0, 0);
    } else {
      const auto basis = [](const Real& w) {
        const Real r = 1 - w;
        return std::array<std::array<Real, 4>, 3>{
            {{r * r * r / 6, (3 * w * w * w - 6 * w * w + 4) / 6,
              (-3 * w * w * w + 3 * w * w + 3 * w + 1) / 6, w * w * w / 6},
             {-r * r / 2, (9 * w * w - 12 * w) / 6, (-9 * w * w + 6 * w + 3) / 6, w * w / 2},
             {r, 3 * w - 2, 1 - 3 * w, w}}};
      };
      const auto Bu = basis(u), Bv = basis(v);
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          for (std::size_t k = 0; k < 6; ++k)
            d[k] = d[k] + (Bu[at(kOrders[k][0])][at(a)] * Bv[at(kOrders[k][1])][at(b)]) *
                              point(i, x0 - 1 + a, y0 - 1 + b);
    }
    return exact(d);
  }

  // K = −g B gᵀ, g = (c_u, c_v) I⁻¹.
  static Exact exact(const std::array<V, 6>& d) {
    const V N = cross(d[1], d[2]);
    const V n = 1 / sqrt(dot(N, N)) * N;
    const Real E = dot(d[1], d[1]), F = dot(d[1], d[2]), G = dot(d[2], d[2]), D = E * G - F * F;
    const V gu = 1 / D * (G * d[1] - F * d[2]), gv = 1 / D * (E * d[2] - F * d[1]);
    Mat<double, 3, 2> g;
    g << gu.rounded(), gv.rounded();
    Mat2<double> B;
    const double mixed = static_cast<double>(dot(n, d[4]));
    B << static_cast<double>(dot(n, d[3])), mixed, mixed, static_cast<double>(dot(n, d[5]));
    return {d[0].rounded(), n.rounded(), -(g * B * g.transpose())};
  }

  SubdivisionScheme scheme_;
  int n_ = 0;
  std::vector<int> first_;  // vertex (1, 0) of each sector
  std::map<std::array<int, 3>, V> points_;
};

// The limit surface of a closed smooth cage at any point of a face.
class Surface {
 public:
  Surface(const Cage& cage, SubdivisionScheme scheme) : mesh_(cage, scheme) {
    mesh_.refine();
    if (scheme == SubdivisionScheme::catmull_clark)
      mesh_.refine();  // of a polygon there is more to come
    for (int v = 0; v < static_cast<int>(mesh_.p.size()); ++v) {
      std::set<int> near;
      mesh_.for_each_edge([&](int a, int b, int) {
        if (a == v) near.insert(b);
      });
      valence_.push_back(static_cast<int>(near.size()));
    }
  }

  Exact evaluate(const PieceOrigin& place, const Uv<double>& q) {
    const auto face_coordinate = [&](int r) {
      return Real(place.at(r)) + Real(place.turn(r, 0)) * q.x() + Real(place.turn(r, 1)) * q.y();
    };
    const Real u = face_coordinate(0), v = face_coordinate(1);
    const bool loop = mesh_.scheme == SubdivisionScheme::loop;
    for (const auto& f : mesh_.faces) {
      if (f.face != place.face || f.corner != place.corner) continue;
      const Mat2<double> back = f.turn.inverse();  // of powers of two
      const Real du = u - f.at.x(), dv = v - f.at.y();
      const Real s = Real(back(0, 0)) * du + Real(back(0, 1)) * dv;
      const Real t = Real(back(1, 0)) * du + Real(back(1, 1)) * dv;
      if (s < 0 || t < 0 || (loop ? s + t > 1 : s > 1 || t > 1)) continue;
      std::size_t c = 0;  // the irregular corner
      for (std::size_t k = 0; k < f.v.size(); ++k)
        if (valence_[at(f.v[k])] != (loop ? 6 : 4)) c = k;
      auto known = fans_.find(f.v[c]);
      if (known == fans_.end()) known = fans_.emplace(f.v[c], Fan(mesh_, f.v[c])).first;
      const Fan& fan = known->second;
      const int sector = fan.sector_of(f.v[(c + 1) % f.v.size()]);
      if (loop) {
        const Real w[3] = {1 - s - t, s, t};
        return fan.evaluate(sector, w[(c + 1) % 3], w[(c + 2) % 3]);
      }
      const Real x[4] = {s, t, 1 - s, 1 - t};
      return fan.evaluate(sector, x[c], x[(c + 1) % 4]);
    }
    ADD_FAILURE() << "no such point";
    return {};
  }

 private:
  Reference<Real> mesh_;
  std::vector<int> valence_;
  std::map<int, Fan> fans_;
};

}  // namespace oloid::test::subdivision_cases
