// Our own library among its peers.
#include <limits>

#include "oloid/base/version.h"
#include "proximity/ours.h"
#include "proximity/peers.h"

namespace oloid::bench {
namespace {

double number(const OurPair::Answer& answer) {
  return answer.found ? answer.gap : std::numeric_limits<double>::quiet_NaN();
}

// Remembers nothing.
class SearchingPair : public PeerPair {
 public:
  SearchingPair(const ConvexBody& A, const ConvexBody& B) : pair_(side_of(A), side_of(B)) {}
  double follow(const Pose<double>& X_BA) override { return number(pair_.anywhere(X_BA)); }

 private:
  OurPair pair_;
};

class TrackingPair : public PeerPair {
 public:
  TrackingPair(const ConvexBody& A, const ConvexBody& B) : pair_(side_of(A), side_of(B)) {}
  void begin(const Pose<double>& X_BA) override { pair_.begin(X_BA); }
  double follow(const Pose<double>& X_BA) override { return number(pair_.follow(X_BA)); }

 private:
  OurPair pair_;
};

template <class Pair>
std::unique_ptr<PeerPair> make(const ConvexBody& A, const ConvexBody& B) {
  return std::make_unique<Pair>(A, B);
}

}  // namespace

std::vector<Peer> our_peers() {
  const std::string name = "oloid " + std::string(kVersion);
  return {{name + ", tracking", "from the pair before, to round-off", true, make<TrackingPair>},
          {name + ", searching", "all of both bodies, at every pose", true, make<SearchingPair>}};
}

}  // namespace oloid::bench
