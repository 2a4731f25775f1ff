#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "oloid/geometry/implicit/implicit.h"
#include "oloid/geometry/implicit/implicit_tools.h"

namespace oloid::geometry {
namespace {

using namespace implicit_tools;

std::string place(const Vec3<double>& p) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z());
}
std::string face_name(std::size_t face, std::size_t faces) {
  return faces == 1 ? "f" : fmt::format("f of face {}", face);
}

Vec3<double> corner(const Box& box, int which) {
  Vec3<double> p;
  for (int i = 0; i < 3; ++i) p(i) = (which >> i) % 2 == 0 ? box.low(i) : box.high(i);
  return p;
}

// |∇f| so small that the surface has no normal to speak of, measured by how fast it changes.
bool is_singular(const ImplicitJet<double>& at, double size) {
  return !(at.gradient.norm() > 1e-6 * at.hessian.norm() * size) || !at.gradient.allFinite();
}

}  // namespace

// The search for the surface when a body is made.
class ImplicitBody::Search {
 public:
  explicit Search(ImplicitBody& body) : body_(body), faces_(body.faces_), box_(body.domain_.box) {}

  // An error, or the body is complete.
  std::optional<Error> run() {
    if (!check_domain() || !check_finite() || !(body_.domain_.open || check_border()))
      return error_;
    if (!cover() || !check_regular() || !collect_seeds() || !check_hooks()) return error_;
    return std::nullopt;
  }

 private:
  static constexpr int kGrid = 16;            // cells a side, for sampling
  static constexpr int kMostCells = 30'000;   // looked at per face and level
  static constexpr std::size_t kBuckets = 6;  // a side: at most one seed in each
  static constexpr int kBorderBudget = 20'000;

  bool fail(std::string message, std::string remedy) {
    error_ = Error{{}, std::move(message), std::move(remedy)};
    return false;
  }

  bool check_domain() {
    if (faces_.empty()) return fail("no function is given", "specify at least one");
    if (!box_.low.allFinite() || !box_.high.allFinite() || !(box_.size().minCoeff() > 0)) {
      return fail(
          fmt::format("invalid box from {} to {}", place(box_.low), place(box_.high)),
          "corners must be finite, and each coordinate of the first less than that of the second");
    }
    return true;
  }

  bool check_finite() {
    for (int i = 0; i <= kGrid; ++i) {
      for (int j = 0; j <= kGrid; ++j) {
        for (int k = 0; k <= kGrid; ++k) {
          const Vec3<double> p =
              box_.low + box_.size().cwiseProduct(Vec3<double>(i, j, k)) / double{kGrid};
          for (std::size_t n = 0; n < faces_.size(); ++n) {
            const double f = faces_[n].value(p);
            if (!std::isfinite(f)) {
              return fail(fmt::format("{} is {} at {}", face_name(n, faces_.size()),
                                      std::isnan(f) ? "not a number" : "infinite", place(p)),
                          "the function must be finite and smooth everywhere in the box");
            }
          }
        }
      }
    }
    return true;
  }

  // f > 0 on the border of the box: proved piece by piece, or not refuted.
  bool check_border() {
    std::vector<Box> pieces;
    for (int i = 0; i < 3; ++i) {
      Box low = box_, high = box_;
      low.high(i) = box_.low(i);
      high.low(i) = box_.high(i);
      pieces.push_back(low);
      pieces.push_back(high);
    }
    border_proved_ = true;
    for (int budget = kBorderBudget; !pieces.empty(); --budget) {
      const Box piece = pieces.back();
      pieces.pop_back();
      bool outside = false;
      for (const ImplicitField& f : faces_) outside = outside || tight_bounds(f, piece).f.low > 0;
      if (outside) continue;
      const Vec3<double> p = piece.centre();
      outside = false;
      for (const ImplicitField& f : faces_) outside = outside || f.value(p) > 0;
      if (!outside) {
        return fail(fmt::format("the body reaches the border of the box: f <= 0 at {}", place(p)),
                    "enlarge the box; for an unbounded surface set open = true");
      }
      // A grid at least where nothing can be proved; no more of it once the budget is spent.
      const bool fine = piece.size().maxCoeff() <= box_.size().maxCoeff() / (2 * kGrid);
      const bool hopeless = std::none_of(faces_.begin(), faces_.end(),
                                         [](const ImplicitField& f) { return f.is_bounded(); });
      if (fine && (hopeless || budget <= 0)) {
        border_proved_ = false;
        continue;
      }
      for (int which = 0; which < 8; ++which) {
        const Box part = octant(piece, which);
        // A border piece has no thickness in one direction: half of the octants repeat.
        bool repeated = false;
        for (int i = 0; i < 3; ++i)
          repeated = repeated || (piece.low(i) == piece.high(i) && (which >> i) % 2 == 1);
        if (!repeated) pieces.push_back(part);
      }
    }
    return true;
  }

  // Whether a cell may hold a part of a face. Without bounds signs must differ, once cells are
  // small.
  bool may_hold(std::size_t face, const Box& cell, int level) const {
    for (std::size_t n = 0; n < faces_.size(); ++n) {
      const ImplicitField& f = faces_[n];
      if (f.is_bounded()) {
        const Interval range = tight_bounds(f, cell).f;
        if (range.low > 0 || (n == face && range.high < 0)) return false;
      } else if (level >= 4) {
        bool inside = f.value(cell.centre()) <= 0, outside = !inside;
        for (int which = 0; which < 8; ++which) {
          (f.value(corner(cell, which)) <= 0 ? inside : outside) = true;
        }
        if (!inside || (n == face && !outside)) return false;
      }
    }
    return true;
  }

  bool cover() {
    cells_.assign(faces_.size(), {});
    bool bounded = true;
    for (const ImplicitField& f : faces_) bounded = bounded && f.is_bounded();
    for (std::size_t face = 0; face < faces_.size(); ++face) {
      std::vector<Box> cells{box_};
      for (int level = 1; level <= 20; ++level) {
        if (level > 4 && 8 * cells.size() > kMostCells) break;
        std::vector<Box> parts;
        for (const Box& cell : cells) {
          for (int which = 0; which < 8; ++which) {
            const Box part = octant(cell, which);
            if (may_hold(face, part, level)) parts.push_back(part);
          }
        }
        cells = std::move(parts);
        if (cells.empty()) break;
      }
      if (cells.empty() && faces_.size() == 1) return no_surface(bounded);
      cells_[face] = std::move(cells);
    }
    Box hull;
    double radius = 0;
    for (const std::vector<Box>& cells : cells_) {
      for (const Box& cell : cells) {
        hull.add(cell);
        radius = std::max(radius, cell.low.cwiseAbs().cwiseMax(cell.high.cwiseAbs()).norm());
      }
    }
    if (!(hull.low.array() <= hull.high.array()).all()) return no_surface(bounded);
    if (!bounded) {  // the surface may bulge out of the cells that were found
      hull = box_;
      radius = box_.low.cwiseAbs().cwiseMax(box_.high.cwiseAbs()).norm();
    }
    body_.box_ = hull;
    body_.size_ = half_diagonal(hull);
    body_.bounding_radius_ = radius;
    if (body_.domain_.open) body_.bounding_radius_ = kInfinity;
    body_.certified_ = bounded && (body_.domain_.open || border_proved_);
    return true;
  }

  bool no_surface(bool proved) {
    double least = kInfinity;
    Vec3<double> where = box_.centre();
    for (int i = 0; i <= kGrid; ++i) {
      for (int j = 0; j <= kGrid; ++j) {
        for (int k = 0; k <= kGrid; ++k) {
          const Vec3<double> p =
              box_.low + box_.size().cwiseProduct(Vec3<double>(i, j, k)) / double{kGrid};
          double f = -kInfinity;
          for (const ImplicitField& field : faces_) f = std::max(f, field.value(p));
          if (f < least) {
            least = f;
            where = p;
          }
        }
      }
    }
    return fail(fmt::format("no zero of f {} in the box; the smallest value found is {:.4g}, at {}",
                            proved ? "exists" : "was found", least, place(where)),
                "check the box and the function: the body is where f <= 0");
  }

  // A point of the surface where the gradient vanishes: Newton's method for ∇f = 0 from cells in
  // which that cannot be excluded.
  bool check_regular() {
    for (std::size_t face = 0; face < faces_.size(); ++face) {
      const ImplicitField& f = faces_[face];
      if (!f.is_bounded()) continue;  // only seeds are looked at
      int budget = 500;
      for (const Box& cell : cells_[face]) {
        const FieldBounds bounds = f.bounds(cell);
        const bool suspicious = bounds.gradient[0].contains(0) && bounds.gradient[1].contains(0) &&
                                bounds.gradient[2].contains(0);
        if (!suspicious || budget-- <= 0) continue;
        Vec3<double> p = cell.centre();
        for (int i = 0; i < 30; ++i) {
          const ImplicitJet<double> at = f.implicit_jet(p);
          const double scale = at.hessian.norm();
          if (!std::isfinite(scale) || !(scale > 0)) break;
          const Mat3<double> HH = at.hessian.transpose() * at.hessian +
                                  1e-12 * scale * scale * Mat3<double>::Identity();
          const Vec3<double> step = -HH.inverse() * (at.hessian.transpose() * at.gradient);
          if (!step.allFinite()) break;
          p += step;
          if ((p - cell.centre()).norm() > 4 * half_diagonal(cell)) break;
        }
        if (!grown(cell, 2 * half_diagonal(cell)).contains(p)) continue;
        const ImplicitJet<double> at = f.implicit_jet(p);
        const double scale = at.hessian.norm() * body_.size_;
        if (at.gradient.norm() <= 1e-7 * scale && std::abs(at.f) <= 1e-9 * scale * body_.size_ &&
            lies_on_body(face, p)) {
          return singular(face, p);
        }
      }
    }
    return true;
  }
  bool singular(std::size_t face, const Vec3<double>& p) {
    return fail(
        fmt::format("the surface has no normal: the gradient of {} vanishes at {}",
                    face_name(face, faces_.size()), place(p)),
        "f must cross 0 with a nonzero slope; use a function that describes a smooth surface");
  }
  bool lies_on_body(std::size_t face, const Vec3<double>& p) const {
    for (std::size_t n = 0; n < faces_.size(); ++n)
      if (n != face && !(faces_[n].value(p) <= 0)) return false;
    return true;
  }

  struct Bucket {
    double off = kInfinity;  // how far the point is from the middle
    Vec3<double> p = Vec3<double>::Zero();
  };
  bool collect_seeds() {
    for (std::size_t face = 0; face < faces_.size(); ++face) {
      const ImplicitField& f = faces_[face];
      Box extent;
      for (const Box& cell : cells_[face]) extent.add(cell);
      // In each bucket the point nearest to its middle.
      constexpr std::size_t kBucketCount = kBuckets * kBuckets * kBuckets;
      std::vector<Bucket> buckets(kBucketCount);
      for (const Box& cell : cells_[face]) {
        const double reach = 2 * half_diagonal(cell);
        const std::optional<Vec3<double>> p = find_zero(f, cell.centre(), reach, body_.size_);
        if (!p || !grown(cell, reach).contains(*p) || !box_.contains(*p)) continue;
        if (is_singular(f.implicit_jet(*p), body_.size_)) {
          if (lies_on_body(face, *p)) return singular(face, *p);
          continue;
        }
        if (body_.margin_against_others(static_cast<int>(face), *p) <= 0) continue;
        const Vec3<double> scaled = kBuckets * (*p - extent.low).cwiseQuotient(extent.size());
        std::size_t index = 0;
        double off = 0;
        for (int i = 0; i < 3; ++i) {
          const double floor = std::clamp(std::floor(scaled(i)), 0.0, kBuckets - 1.0);
          index = index * kBuckets + static_cast<std::size_t>(floor);
          off += (scaled(i) - floor - 0.5) * (scaled(i) - floor - 0.5);
        }
        if (off < buckets[index].off) buckets[index] = {off, *p};
      }
      const std::size_t before = body_.seeds_.size();
      for (const auto& [off, p] : buckets)
        if (off < kInfinity) body_.seeds_.push_back({ChartId{static_cast<int>(face)}, p});
      if (body_.seeds_.size() == before) {
        if (faces_.size() == 1) return no_surface(false);
        return fail(fmt::format("face {} contributes no part of the surface", face),
                    "remove it; faces are counted from 0");
      }
    }
    return true;
  }

  // Derivatives written by hand are compared with differences.
  bool check_hooks() {
    for (const Location& seed : body_.seeds_) {
      const ImplicitField& f = faces_[static_cast<std::size_t>(seed.chart.index)];
      if (!std::holds_alternative<ImplicitFunction>(f.kind())) continue;
      const double h = 1e-5 * body_.size_;
      const ImplicitJet<double> at = f.implicit_jet(seed.x);
      for (int i = 0; i < 3; ++i) {
        const Vec3<double> step = h * Vec3<double>::Unit(i);
        const ImplicitJet<double> plus = f.implicit_jet(Vec3<double>(seed.x + step));
        const ImplicitJet<double> minus = f.implicit_jet(Vec3<double>(seed.x - step));
        const double slope = (plus.f - minus.f) / (2 * h);
        const Vec3<double> bend = (plus.gradient - minus.gradient) / (2 * h);
        const double scale = at.gradient.norm() + at.hessian.norm() * body_.size_;
        if (!(std::abs(slope - at.gradient(i)) <= 1e-4 * scale)) {
          return fail(
              fmt::format("the gradient of {} at {} is not its derivative: component {} is {:.6g}, "
                          "but finite differences of f give {:.6g}",
                          face_name(static_cast<std::size_t>(seed.chart.index), faces_.size()),
                          place(seed.x), i, at.gradient(i), slope),
              "correct the gradient function");
        }
        if (!((bend - at.hessian.col(i)).norm() * body_.size_ <= 1e-3 * scale)) {
          return fail(
              fmt::format("the Hessian of {} at {} is not the derivative of the gradient",
                          face_name(static_cast<std::size_t>(seed.chart.index), faces_.size()),
                          place(seed.x)),
              "correct the Hessian function");
        }
      }
    }
    return true;
  }

  ImplicitBody& body_;
  const std::vector<ImplicitField>& faces_;
  const Box box_;
  std::vector<std::vector<Box>> cells_;  // of each face
  bool border_proved_ = false;
  std::optional<Error> error_;
};

Result<ImplicitBody> ImplicitBody::search(std::vector<ImplicitField> faces,
                                          const ImplicitDomain& domain) {
  ImplicitBody body;
  body.faces_ = std::move(faces);
  body.domain_ = domain;
  if (std::optional<Error> error = Search(body).run()) return Unexpected{*std::move(error)};
  if (const auto at = body.kink()) {
    return refuse(fmt::format("f has a kink on the surface, near ({:.4g}, {:.4g}, {:.4g})", at->x(),
                              at->y(), at->z()),
                  "abs, min and max may switch branches only away from the surface: specify the "
                  "faces separately, as a list, and write abs(x)^3 as (x^2)^1.5");
  }
  body.convex_ = body.is_shown_convex();
  if (!domain.open) {
    // Candidates: the mean of what is inside, the middle of the box, the origin.
    constexpr int n = 15;
    Vec3<double> sum = Vec3<double>::Zero();
    double count = 0;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        for (int k = 0; k <= n; ++k) {
          const Vec3<double> p =
              body.box_.low + body.box_.size().cwiseProduct(Vec3<double>(i, j, k)) / double{n};
          const bool inside = std::all_of(body.faces_.begin(), body.faces_.end(),
                                          [&](const ImplicitField& f) { return f.value(p) < 0; });
          if (inside) {
            sum += p;
            ++count;
          }
        }
      }
    }
    const Vec3<double> mean = count > 0 ? Vec3<double>(sum / count) : body.box_.centre();
    for (const Vec3<double>& centre : {mean, body.box_.centre(), Vec3<double>(0, 0, 0)}) {
      if (!body.is_star_shaped_about(centre)) continue;
      body.star_centre_ = centre;
      break;
    }
  }
  return body;
}

}  // namespace oloid::geometry
