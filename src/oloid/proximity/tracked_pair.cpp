#include "oloid/proximity/tracked_pair.h"

namespace oloid::proximity {

const char* name(PairStatus status) {
  switch (status) {
    case PairStatus::found:
      return "found";
    case PairStatus::conforming:
      return "conforming";
    case PairStatus::not_minimum:
      return "not_minimum";
    case PairStatus::left_surface:
      return "left_surface";
    case PairStatus::pair_vanished:
      return "pair_vanished";
    case PairStatus::no_convergence:
      return "no_convergence";
    case PairStatus::continuum:
      return "continuum";
    case PairStatus::invalid_pose:
      return "invalid_pose";
  }
  return "";
}

const char* name(Phase phase) {
  switch (phase) {
    case Phase::far:
      return "far";
    case Phase::near:
      return "near";
    case Phase::penetrating:
      return "penetrating";
  }
  return "";
}

}  // namespace oloid::proximity
