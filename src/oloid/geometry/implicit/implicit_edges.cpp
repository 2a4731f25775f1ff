#include "oloid/geometry/implicit/implicit_edges.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "oloid/geometry/curves/traced_curve.h"
#include "oloid/geometry/implicit/implicit_tools.h"

namespace oloid::geometry {
namespace {

using namespace implicit_tools;

constexpr int kCellLevels = 5;               // 1/32 of the box
constexpr std::size_t kMostStarts = 20'000;  // cells looked at for one pair of faces
constexpr std::size_t kMostArcs = 2000;      // of two faces
constexpr double kLongestArc = 0.25;         // of the size
constexpr double kShortestArc = 1e-7;        // of the size
constexpr double kStraightCosine = 0.95;     // between an arc's tangents and its chord
constexpr double kTouching = 1e-3;           // the sine of the angle between faces that only touch
constexpr double kSamePlace = 1e-7;          // of the size

// The curve in which faces i and j meet, as arcs along n_i × n_j: face i is to their left.
class PairTracer {
 public:
  PairTracer(const std::vector<std::shared_ptr<const ImplicitField>>& faces, std::size_t i,
             std::size_t j, const Box& box, double size)
      : faces_(faces), i_(i), j_(j), box_(box), size_(size) {}

  std::vector<TracedCurve> run() {
    for (const Vec3<double>& p : starts()) {
      if (arcs_.size() > kMostArcs || is_covered(p)) continue;
      if (!follow(p, 1)) follow(p, -1);
    }
    return std::move(arcs_);
  }

 private:
  const ImplicitField& f() const { return *faces_[i_]; }
  const ImplicitField& g() const { return *faces_[j_]; }

  bool may_hold(const Box& cell, int level) const {
    for (std::size_t n = 0; n < faces_.size(); ++n) {
      const ImplicitField& face = *faces_[n];
      const bool own = n == i_ || n == j_;
      if (face.is_bounded()) {
        const Interval range = tight_bounds(face, cell).f;
        if (range.low > 0 || (own && range.high < 0)) return false;
      } else if (own && level == kCellLevels) {
        const FirstOrder at = first_order(face, cell.centre());
        if (std::abs(at.f) > 2 * at.gradient.norm() * half_diagonal(cell)) return false;
      }
    }
    return true;
  }

  // Points of the curve, at least one near each of its parts.
  std::vector<Vec3<double>> starts() const {
    std::vector<Box> cells{box_};
    for (int level = 1; level <= kCellLevels && cells.size() < kMostStarts; ++level) {
      std::vector<Box> parts;
      for (const Box& cell : cells) {
        for (int which = 0; which < 8; ++which) {
          const Box part = octant(cell, which);
          if (may_hold(part, level)) parts.push_back(part);
        }
      }
      cells = std::move(parts);
    }
    std::vector<Vec3<double>> result;
    for (const Box& cell : cells) {
      const std::optional<Vec3<double>> p = on_both(cell.centre());
      if (p && grown(cell, half_diagonal(cell)).contains(*p) && box_.contains(*p) && !is_beyond(*p))
        result.push_back(*p);
    }
    return result;
  }

  // Newton's method for both faces, with the least step that satisfies both to first order.
  std::optional<Vec3<double>> on_both(Vec3<double> p) const {
    for (int step = 0; step < 30; ++step) {
      const FirstOrder a = first_order(f(), p), b = first_order(g(), p);
      const Vec3<double> along = a.gradient.cross(b.gradient);
      const Vec3<double> by =
          detail::solve_rows<double>(a.gradient, b.gradient, along, {-a.f, -b.f, 0});
      if (!by.allFinite() || by.norm() > size_) return std::nullopt;
      p += by;
      if (by.norm() <= 4 * kEps * (p.norm() + size_)) return p;
    }
    return std::nullopt;
  }

  // Along n_i × n_j; none where the faces only touch.
  std::optional<Vec3<double>> tangent(const Vec3<double>& p) const {
    const Vec3<double> t =
        first_order(f(), p).gradient.normalized().cross(first_order(g(), p).gradient.normalized());
    if (!(t.norm() > kTouching)) return std::nullopt;
    return t.normalized();
  }

  // The other face that a point lies farthest outside of, −1 if it is inside all of them.
  int face_before(const Vec3<double>& p) const {
    int face = -1;
    double most = 1e-12 * size_;
    for (std::size_t n = 0; n < faces_.size(); ++n) {
      if (n == i_ || n == j_) continue;
      const FirstOrder at = first_order(*faces_[n], p);
      if (const double out = at.f / at.gradient.norm(); out > most) {
        most = out;
        face = static_cast<int>(n);
      }
    }
    return face;
  }
  bool is_beyond(const Vec3<double>& p) const { return face_before(p) >= 0; }

  // The arc between two points of the curve, if it turns little and runs along n_i × n_j all the
  // way, or, with sense −1, against it: where faces touch, that turns over.
  std::optional<TracedCurve> arc(const Vec3<double>& a, const Vec3<double>& b, double sense) const {
    TracedCurve made{faces_[i_], faces_[j_], a, b - a, Vec3<double>::Zero()};
    const double length = made.chord.norm();
    const Vec3<double> off = jet<0>(made, 0.5)[0] - 0.5 * (a + b);
    made.bow = off - off.dot(made.chord) / (length * length) * made.chord;
    if (!made.bow.allFinite() || !(made.bow.norm() < 0.25 * length)) return std::nullopt;
    for (const double t : {0.0, 0.13, 0.29, 0.5, 0.71, 0.87, 1.0}) {
      const auto x = jet<1>(made, t);
      const Vec3<double> guess = a + t * made.chord + 4 * t * (1 - t) * made.bow;
      if (!x[1].allFinite() || (x[0] - guess).norm() > 0.1 * length) return std::nullopt;
      if (x[1].dot(made.chord) < kStraightCosine * x[1].norm() * length) return std::nullopt;
      const auto along = tangent(x[0]);
      if (along && sense * along->dot(x[1]) < 0) return std::nullopt;
    }
    return made;
  }

  // From a point of the curve about as far as `step` says, which becomes the next one's guess.
  std::optional<TracedCurve> next_arc(const Vec3<double>& p, double sense, double& step) const {
    const std::optional<Vec3<double>> along = tangent(p);
    if (!along) return std::nullopt;
    for (; step > kShortestArc * size_; step *= 0.5) {
      const Vec3<double> ahead = sense * step * *along;
      const TracedCurve straight{faces_[i_], faces_[j_], p, ahead, Vec3<double>::Zero()};
      const Vec3<double> q = jet<0>(straight, 1.0)[0];
      if (!q.allFinite() || (q - p - ahead).norm() > 0.3 * step) continue;
      auto made = arc(p, q, sense);
      if (!made) continue;
      step = std::min(1.5 * step, kLongestArc * size_);
      return made;
    }
    return std::nullopt;
  }

  // From p to where the curve ends or closes; whether it closed.
  bool follow(const Vec3<double>& start, double sense) {
    double step = 0.1 * size_;
    Vec3<double> p = start;
    for (std::size_t n = 0; n < kMostArcs; ++n) {
      const std::optional<TracedCurve> made = next_arc(p, sense, step);
      if (!made) return false;
      if (const auto end = end_on(*made)) {
        keep(*made, *end, sense);
        return false;
      }
      if (n > 0 && passes(*made, start)) {
        keep(*made, start, sense);
        return true;
      }
      p = made->start + made->chord;
      keep(*made, p, sense);
    }
    return false;
  }

  // Where an arc meets another face or leaves the box, if it does.
  std::optional<Vec3<double>> end_on(const TracedCurve& made) const {
    constexpr int kLooks = 16;
    const auto at = [&](double t) { return jet<0>(made, t)[0]; };
    const auto is_out = [&](const Vec3<double>& p) { return is_beyond(p) || !box_.contains(p); };
    for (int k = 1; k <= kLooks; ++k) {
      double low = (k - 1.0) / kLooks, high = static_cast<double>(k) / kLooks;
      if (!is_out(at(high))) continue;
      const int face = face_before(at(high));
      for (int halving = 0; halving < 50; ++halving) {
        const double middle = 0.5 * (low + high);
        (is_out(at(middle)) ? high : low) = middle;
      }
      return face < 0 ? at(low) : corner(at(low), *faces_[static_cast<std::size_t>(face)]);
    }
    return std::nullopt;
  }

  // The point of three faces nearby.
  Vec3<double> corner(const Vec3<double>& near, const ImplicitField& third) const {
    Vec3<double> p = near;
    for (int step = 0; step < 8; ++step) {
      const FirstOrder a = first_order(f(), p), b = first_order(g(), p), c = first_order(third, p);
      p += detail::solve_rows<double>(a.gradient, b.gradient, c.gradient, {-a.f, -b.f, -c.f});
    }
    return p.allFinite() && (p - near).norm() < kSamePlace * size_ ? p : near;
  }

  bool passes(const TracedCurve& made, const Vec3<double>& p) const {
    const double t = made.chord.dot(p - made.start) / made.chord.squaredNorm();
    if (!(t > -1e-9 && t < 1 + 1e-9)) return false;
    const Vec3<double> guess = made.start + t * made.chord + 4 * t * (1 - t) * made.bow;
    return (guess - p).norm() < 0.2 * made.chord.norm() &&
           (jet<0>(made, t)[0] - p).norm() < kSamePlace * size_;
  }
  bool is_covered(const Vec3<double>& p) const {
    return std::any_of(arcs_.begin(), arcs_.end(),
                       [&](const TracedCurve& made) { return passes(made, p); });
  }

  // The part of an arc up to a point of it.
  void keep(const TracedCurve& made, const Vec3<double>& end, double sense) {
    const Vec3<double>& start = made.start;
    if ((end - start).norm() <= kSamePlace * size_) return;
    const auto part = sense > 0 ? arc(start, end, 1) : arc(end, start, 1);
    if (part) arcs_.push_back(*part);
  }

  const std::vector<std::shared_ptr<const ImplicitField>>& faces_;
  std::size_t i_, j_;
  Box box_;
  double size_;
  std::vector<TracedCurve> arcs_;
};

}  // namespace

std::vector<Edge> trace_edges(const std::vector<ImplicitField>& faces, const Box& box,
                              double size) {
  std::vector<std::shared_ptr<const ImplicitField>> shared;
  shared.reserve(faces.size());
  for (const ImplicitField& face : faces)
    shared.push_back(std::make_shared<const ImplicitField>(face));
  std::vector<Edge> result;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (std::size_t j = i + 1; j < faces.size(); ++j) {
      for (TracedCurve& arc : PairTracer(shared, i, j, box, size).run()) {
        auto curve = Curve::make({std::move(arc)});
        if (!curve) continue;
        result.push_back({*std::move(curve), ImplicitFlank{ChartId{static_cast<int>(i)}},
                          ImplicitFlank{ChartId{static_cast<int>(j)}}});
      }
    }
  }
  return result;
}

}  // namespace oloid::geometry
