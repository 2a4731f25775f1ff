// How long our library takes for each pair of kinds of bodies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proximity/courses.h"
#include "proximity/medians.h"
#include "proximity/ours.h"
#include "support/rooms.h"

namespace oloid::bench {

class KindsTable {
 public:
  KindsTable();
  void add_benchmarks();
  void print(const Medians& medians);

 private:
  struct Case {
    std::size_t a, b;  // which kinds
    std::unique_ptr<OurPair> pair;
    std::vector<Pose<double>> apart;   // at random
    std::vector<Pose<double>> motion;  // 2 mm apart in the mean, in and out of contact

    std::string name(const char* what) const;
  };
  void print_matrix(const Medians& medians, const char* what);
  std::string cell(Case& at, const Medians& medians, const char* what);

  std::vector<NamedSide> kinds_;
  std::vector<Case> cases_;
};

}  // namespace oloid::bench
