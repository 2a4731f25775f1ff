#include "oloid/world/collide.h"

#include <cmath>

#include "oloid/dynamics/impact.h"
#include "oloid/world/grip.h"

namespace oloid {
namespace {

Wrench<double> at_contact(const Pose<double>& X, const Vec3<double>& f) {
  return transform(X, Wrench<double>{Vec3<double>::Zero(), f});
}

class Meeting {
 public:
  Meeting(const Model& model, Instant& instant, int pair, const Closest& near)
      : forest_(instant.forest), at_(meeting_point(model, instant, pair, near)) {
    const auto [A, B] = model.pair(pair).bodies;
    a_ = model.body(A).node;
    b_ = model.body(B).node;
    velocity_ = relative(instant.body(A).phi, instant.body(B).phi);
  }

  // Of A's point relative to B's, in C.
  const Vec3<double>& velocity() const { return velocity_; }

  // Velocity jumps of the whole forest by an impulse on A, in C, and its opposite on B; returns
  // that of the relative velocity.
  Vec3<double> push(const Vec3<double>& P) {
    for (int i = 0; i < forest_.size(); ++i) {
      forest_[i].p = {};
      forest_[i].b.setZero();
    }
    add(a_, at_.X_AC, -P);
    add(b_, at_.X_BC, P);
    forest_.solve();
    return relative(jump(a_), jump(b_));
  }

  Mat3<double> inverse_mass() {
    Mat3<double> W;
    for (int j = 0; j < 3; ++j) W.col(j) = push(Vec3<double>::Unit(j));
    return W;
  }

 private:
  Vec3<double> relative(const Twist<double>& A, const Twist<double>& B) const {
    return seen_from(at_.X_AC, A).v - seen_from(at_.X_BC, B).v;
  }
  Twist<double> jump(int node) const { return node == kGround ? Twist<double>{} : forest_[node].a; }
  void add(int node, const Pose<double>& X, const Vec3<double>& f) {
    if (node != kGround) forest_[node].p = forest_[node].p + at_contact(X, f);
  }

  Forest& forest_;
  MeetingPoint at_;
  int a_, b_;
  Vec3<double> velocity_;
};

// The node whose contact would have to pull most, if any.
int pulled(const Forest& forest, double impulse) {
  int worst = kGround;
  double most = 1e-12 * impulse;
  for (int i = 0; i < forest.size(); ++i) {
    if (!forest[i].held || forest[i].f(kNormalRow) <= most) continue;
    most = forest[i].f(kNormalRow);
    worst = i;
  }
  return worst;
}

}  // namespace

Bounce bounce(const Model& model, State& state, Instant& instant, int pair, const Closest& near,
              const std::function<void(int pair, Mode before)>& released) {
  const PairLaw& law = model.pair(pair).law;
  Bounce out;
  const double before = kinetic_energy(model, instant);
  while (true) {
    Meeting meeting(model, instant, pair, near);
    const Vec3<double> v = meeting.velocity();
    out.approach = v.z();
    if (!(out.approach > 0)) return out;
    const Mat3<double> W = meeting.inverse_mass();
    const Collision hit =
        collide(W, v, {law.restitution, law.tangential_restitution, law.kinetic_friction});
    out.separation = -(v + meeting.push(hit.P)).z();
    const int loose = pulled(instant.forest, hit.P.norm());
    if (loose == kGround) break;
    const Hold& hold = state.setting.hold(loose);
    const int other = hold.pair;
    const Mode mode = mode_of(hold);
    release(model, state, instant, loose);
    released(other, mode);
    instant.evaluate(state.setting, state.t(), state.y.y);
  }
  apply_jumps(state.setting, instant, state.y.y);
  instant.evaluate(state.setting, state.t(), state.y.y);
  out.energy_loss = before - kinetic_energy(model, instant);
  state.booked += out.energy_loss;
  return out;
}

std::optional<double> unjam(const Model& model, State& state, Instant& instant, int node) {
  const Hold& hold = state.setting.hold(node);
  const double before = kinetic_energy(model, instant);
  const ContactSight seen = sight(instant.forest, node);
  const Vec2<double> slip = part(instant.contact(node).state.w, Channel::slip);
  if (!(seen.b(kNormalRow) > 0)) return std::nullopt;
  const Jam hit = impact_without_collision(seen.W.bottomRightCorner<3, 3>(),
                                           Vec3<double>(slip.x(), slip.y(), 0),
                                           model.pair(hold.pair).law.kinetic_friction);
  if (hit.end == JamEnd::none || hit.end == JamEnd::unfinished) return std::nullopt;
  Vec6<double> P = Vec6<double>::Zero();
  P.tail<3>() = hit.P;
  instant.forest.solve({node, P}, Biases::off);
  apply_jumps(state.setting, instant, state.y.y);
  instant.evaluate(state.setting, state.t(), state.y.y);
  const double loss = before - kinetic_energy(model, instant);
  state.booked += loss;
  return loss;
}

}  // namespace oloid
