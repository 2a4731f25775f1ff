// The transition between motion and rest of one channel of a contact law: slip, spin or roll.
#pragma once

#include "oloid/dynamics/forest.h"

namespace oloid::dynamics {

enum class Channel { slip, spin, roll };
inline constexpr std::array kChannels{Channel::slip, Channel::spin, Channel::roll};

// First row in w and f, and how many.
constexpr int row_of(Channel channel) {
  return channel == Channel::slip ? kSlipRow : channel == Channel::spin ? kSpinRow : kRollRow;
}
constexpr int width_of(Channel channel) { return channel == Channel::spin ? 1 : 2; }

// A channel's part of a twist or wrench; spin has its second entry 0.
inline Vec2<double> part(const Vec6<double>& x, Channel channel) {
  return {x(row_of(channel)), width_of(channel) == 2 ? x(row_of(channel) + 1) : 0};
}
inline Vec2<double> part(const Vec5<double>& w, Channel channel) {
  return {w(row_of(channel)), width_of(channel) == 2 ? w(row_of(channel) + 1) : 0};
}
inline void set_part(Vec6<double>& x, Channel channel, const Vec2<double>& value) {
  x.segment(row_of(channel), width_of(channel)) = value.head(width_of(channel));
}

// The impulse that removes the rows of `v` (a relative twist in C) that `law` constrains, at a
// contact whose inverse mass is W: P W P' = −v. Never just delete a velocity: this is the
// projection that is orthogonal in the metric of the mass, docs/theory/contact.md eq. 21.
struct StickImpulse {
  Vec6<double> P;      // on A, in C
  double energy_loss;  // [J], ≥ 0
};
StickImpulse stick_impulse(Law law, const Mat6<double>& W, const Vec6<double>& v);

struct Onset {
  Vec2<double> direction;  // unit; of spin (±1, 0)
  bool found;
};

// The direction in which a channel starts from rest: it accelerates along it under its own friction
// and stays there (docs/theory/contact.md eq. 22). In `law` the channel resists; `given` holds the
// given rows of the other channels. Found near the guess, which is the direction against the
// holding force, or the last one found. A motion under way may slow down, too, and keeps the last
// direction where none near it is steady.
enum class OnsetFrom { rest, under_way };
Onset onset(const ContactResponse& sight, Law law, const Vec6<double>& given, Channel channel,
            double kinetic, const Vec2<double>& guess, OnsetFrom from = OnsetFrom::rest);

}  // namespace oloid::dynamics
