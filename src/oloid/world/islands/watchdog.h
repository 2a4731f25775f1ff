// Checks at the end of every step, for any scene, so that wrong results are not reported as good
// ones.
#pragma once

#include <string_view>

namespace oloid::world {

// All bodies of an island at the end of a step.
struct StepAccount {
  double energy_error = 0;  // [J], energy + dissipated − work, less what it was at the start
  double energy_grown = 0;  // [J], energy − work, less the same
  double dissipated = 0;    // [J]
  double least_booked = 0;  // [J], least energy dissipated by a channel of a contact so far
  double least_gap = 0;     // of all contacts, in parts of ℓ
};

struct StepLimits {
  double energy_scale = 0;  // [J]
  double balance = 0;       // of errors of the balance, relative to that scale
  double dissipated = 0;    // [J], at the end of the step before
  bool driven = false;      // whether anything may do work on the bodies
};

struct Alarm {
  double value = 0;       // what is wrong, in its unit
  std::string_view note;  // for people; empty: nothing is wrong
  explicit operator bool() const { return !note.empty(); }
};

// Bodies that overlap by more than this part of ℓ have passed through each other.
inline constexpr double kDeepestRecorded = 1e-9;

Alarm alarm_at(const StepAccount& now, const StepLimits& allowed);

// What a step may add to the error of the energy balance, relative to the energies involved. Fixed
// steps have no error control: with them only an error as large as these energies is certainly
// wrong.
double allowed_balance(bool controlled, double rtol);

}  // namespace oloid::world
