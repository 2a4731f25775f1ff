// Zeros of a scene's formulas along a run: those of probes are events, those of `stop_when` end it.
#pragma once

#include <functional>
#include <vector>

#include "oloid/world/model/state.h"

namespace oloid::world {

struct ProbeZero {
  double t = 0;     // [s]
  int formula = 0;  // number of the probe, or of the formula of stop_when
  bool stops = false;
  double way = 1;  // +1: it rises, −1: it falls
};

// A zero is found where values at the ends of an eighth of a step have different signs, or are
// zero. A formula that starts at zero counts after it has left zero; NaN is ignored.
class ProbeWatch {
 public:
  // Values of the probes that have events, then of the stops, at an instant.
  using Values = std::function<const std::vector<double>&(double t)>;

  explicit ProbeWatch(const Model& model);
  bool idle() const { return formulas_.empty(); }

  // Zeros after the last instant requested, up to `end`, at which a step ends, in order of time;
  // none after one that ends the run.
  const std::vector<ProbeZero>& zeros(double end, const Values& values);
  double t() const { return t_; }
  // What is known at t.
  std::vector<FormulaState> state() const;
  // Continues from such a state or, if it is empty, from the values at t.
  void resume(double t, const std::vector<FormulaState>& state);

 private:
  struct Formula {
    std::size_t value;  // its place among the values
    int number;
    bool stops;
    FormulaState known{};

    int sign_of(double x) const;
  };
  void look(double t0, double t1, const Values& values);

  std::vector<Formula> formulas_;
  std::vector<ProbeZero> zeros_;
  std::vector<double> at_end_;
  double start_ = 0;  // [s]
  double t_ = -1;     // [s]; < 0: nothing requested yet
};

}  // namespace oloid::world
