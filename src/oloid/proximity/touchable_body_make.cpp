// Features of a body, put together once: curves, where their ends meet, and which charts they
// border.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "oloid/base/contract.h"
#include "oloid/geometry/core/tip.h"
#include "oloid/proximity/touchable_body.h"

namespace oloid::proximity {
namespace {

constexpr double kGoesOn = 1e-6;  // [rad] between curves that continue smoothly
constexpr int kLooks = 64;        // along an edge, for the charts beside it

double radius_about_middle(const Box& box) { return 0.5 * box.size().norm(); }

}  // namespace

class TouchableBody::Builder {
 public:
  explicit Builder(TouchableBody& features) : f_(features) {}

  void add(Edge edge) {
    CurveFeature own{std::move(edge)};
    const Curve& curve = own.edge.curve;
    own.first_end = static_cast<int>(f_.ends_.size());
    f_.ends_.resize(f_.ends_.size() + 2 * static_cast<std::size_t>(curve.pieces()));
    own.first_sample = static_cast<int>(f_.samples_.size());
    for (const CurveLocation& q : curve.seeds())
      f_.samples_.push_back({q, f_.X_BS_ * curve.point(q)});
    own.samples = static_cast<int>(f_.samples_.size()) - own.first_sample;
    f_.curves_.push_back(std::move(own));
  }

  // Vertices at tips, at corners, and where ends meet.
  void join(std::vector<Tip> tips) {
    f_.tips_ = std::move(tips);
    find_ends();
    const double one_point = kOnePoint * f_.scale_;
    for (int i = 0; i < static_cast<int>(f_.tips_.size()); ++i) {
      // A hole about a tip cuts off the edges that would meet there.
      const Tip& tip = f_.tips_[static_cast<std::size_t>(i)];
      const Vec3<double> p = f_.X_BS_ * tip.point;
      const double hole = (f_.on_surface(tip.beside(0)).p - p).norm();
      add_vertex(taken_near(p, std::max(one_point, 1.5 * hole)), i);
    }
    while (!open_.empty()) {
      const std::vector<Spoke> meeting = taken_near(point_of(open_.back()), one_point);
      // An edge that ends alone fades out, or runs into another part of the body.
      if (meeting.size() > 1 || !is_two_sided(meeting[0])) add_vertex(meeting, -1);
    }
  }

  void set_beside() {
    std::set<std::pair<int, int>> beside;  // chart, edge
    for (int i = 0; i < f_.curves(); ++i) {
      const Edge& edge = f_.curve(i).edge;
      for (const EdgeFace face : {EdgeFace::left, EdgeFace::right}) {
        for (int k = 0; edge.has(face) && k <= kLooks; ++k) {
          const double s = static_cast<double>(k) / kLooks;
          beside.emplace(location(f_.side_->shape, edge, face, s).chart.index, i);
        }
      }
    }
    const int charts = beside.empty() ? 0 : beside.rbegin()->first + 1;
    f_.first_beside_.assign(static_cast<std::size_t>(charts) + 1, 0);
    for (const auto& [chart, edge] : beside) {
      ++f_.first_beside_[static_cast<std::size_t>(chart) + 1];
      f_.beside_.push_back(edge);
    }
    for (std::size_t i = 1; i < f_.first_beside_.size(); ++i)
      f_.first_beside_[i] += f_.first_beside_[i - 1];
  }

 private:
  Vec3<double> point_of(const Spoke& end) const {
    return f_.X_BS_ * f_.path(end.curve).point(end.at);
  }
  End& end_of(const Spoke& end) {
    return f_.ends_[static_cast<std::size_t>(f_.end_index(end.curve, end.at))];
  }
  bool is_two_sided(const Spoke& end) const {
    return f_.curve(end.curve).edge.has(EdgeFace::right);
  }

  // Ends of pieces where the curve does not continue smoothly by itself, sorted by x.
  void find_ends() {
    for (int i = 0; i < f_.curves(); ++i) {
      const Curve& curve = f_.path(i);
      const int n = curve.pieces();
      for (int piece = 0; piece < n; ++piece) {
        for (const bool at_end : {false, true}) {
          const int before = at_end ? piece : (piece + n - 1) % n;
          const bool joined = curve.closed() || (at_end ? piece + 1 < n : piece > 0);
          if (joined && curve.joint_after(before) != Joint::G0) continue;
          const double t = at_end ? 1 : 0;
          const Vec3<double> along = f_.X_BS_.R * curve.jet<1>(piece, t)[1].normalized();
          open_.push_back({at_end ? Vec3<double>(-along) : along, i, {piece, t}});
        }
      }
    }
    std::sort(open_.begin(), open_.end(),
              [&](const Spoke& a, const Spoke& b) { return point_of(a).x() < point_of(b).x(); });
  }

  // Ends near a point are taken off the list.
  std::vector<Spoke> taken_near(const Vec3<double>& p, double distance) {
    const auto below = [&](const Spoke& end, double x) { return point_of(end).x() < x; };
    auto it = std::lower_bound(open_.begin(), open_.end(), p.x() - distance, below);
    std::vector<Spoke> taken;
    while (it != open_.end() && point_of(*it).x() <= p.x() + distance) {
      if ((point_of(*it) - p).norm() <= distance) {
        taken.push_back(*it);
        it = open_.erase(it);
      } else {
        ++it;
      }
    }
    return taken;
  }

  // Two curves that continue into each other need no vertex.
  void add_vertex(const std::vector<Spoke>& meeting, int tip) {
    for (const Spoke& a : meeting) {
      for (const Spoke& b : meeting) {
        if (&a == &b || (a.direction + b.direction).norm() > kGoesOn) continue;
        end_of(a).next = b.curve;
        end_of(a).next_at = b.at;
      }
    }
    if (tip < 0 && meeting.size() == 2 && end_of(meeting[0]).next >= 0) return;
    Vertex made{tip < 0 ? point_of(meeting[0])
                        : f_.X_BS_ * f_.tips_[static_cast<std::size_t>(tip)].point};
    made.first_spoke = static_cast<int>(f_.spokes_.size());
    made.spokes = static_cast<int>(meeting.size());
    made.tip = tip;
    for (const Spoke& spoke : meeting) {
      end_of(spoke).vertex = f_.vertices();
      f_.spokes_.push_back(spoke);
    }
    f_.vertices_.push_back(made);
  }

  TouchableBody& f_;
  std::vector<Spoke> open_;
};

TouchableBody::TouchableBody(PlacedShape side) : side_(std::move(side)), X_BS_(side_->X_BS) {
  placed_ = X_BS_.R != Mat3<double>::Identity() || X_BS_.p != Vec3<double>::Zero();
  size_ = std::min(bounding_radius(side_->shape), radius_about_middle(bounding_box(side_->shape)));
  if (std::isfinite(size_)) scale_ = size_;
  Builder builder(*this);
  for (Edge& edge : edges(side_->shape)) builder.add(std::move(edge));
  builder.join(tips(side_->shape));
  builder.set_beside();
}

TouchableBody::TouchableBody(Curve wire, const Pose<double>& X_BS) : X_BS_(X_BS), placed_(true) {
  size_ = scale_ = radius_about_middle(wire.box());
  Builder builder(*this);
  builder.add({std::move(wire)});
  builder.join({});
}

TouchableBody::TouchableBody(const std::vector<Vec3<double>>& points) {
  OLOID_EXPECT(!points.empty());
  Box box;
  vertices_.reserve(points.size());
  for (const Vec3<double>& p : points) {
    OLOID_EXPECT(p.allFinite());
    box.add(p);
    vertices_.push_back({p});
  }
  size_ = radius_about_middle(box);
  if (size_ > 0) scale_ = size_;
}

}  // namespace oloid::proximity
