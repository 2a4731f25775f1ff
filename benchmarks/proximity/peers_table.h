// Time and error of the signed distance, ours and that of other libraries, at the same poses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proximity/courses.h"
#include "proximity/medians.h"
#include "proximity/peers.h"
#include "support/rooms.h"

namespace oloid::bench {

class PeersTable {
 public:
  PeersTable();
  void add_benchmarks();
  void print(const Medians& medians);

 private:
  // A closed motion at 1 kHz with a gap that stays the same.
  struct Motion {
    Pose<double> start;  // apart
    std::vector<Pose<double>> poses;
  };
  struct Motions {
    double gap;  // [m]
    std::vector<Motion> all;
  };
  // A library with a pair of bodies for each motion, and at which gaps it can be asked.
  struct Entry {
    std::size_t peer;
    std::vector<std::unique_ptr<PeerPair>> pairs;
    bool apart, overlapping;

    bool answers(const Motions& motions) const { return motions.gap > 0 ? apart : overlapping; }
    void begin(const Motions& motions) const;
    template <class F>
    void follow(const Motions& motions, const F& use) const;
  };
  struct Case {
    std::string name;
    Motions apart, overlapping;
    std::vector<Entry> entries;
  };
  void add_case(const std::string& name, const ConvexBody& A, const ConvexBody& B);
  void add_entry(Case& to, std::size_t peer, const ConvexBody& A, const ConvexBody& B) const;
  std::string benchmark_name(const Case& at, std::size_t peer, double gap) const;
  std::string cells(const Case& at, const Entry& entry, const Motions& motions,
                    const Medians& medians) const;

  std::vector<Peer> peers_;
  std::vector<Case> cases_;
};

}  // namespace oloid::bench
