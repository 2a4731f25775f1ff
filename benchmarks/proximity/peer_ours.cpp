// Our own library among its peers.
#include <limits>

#include "oloid/base/version.h"
#include "proximity/ours.h"
#include "proximity/peers.h"
#include "support/rooms.h"

namespace oloid::bench {
namespace {

double number(const OurPair::Answer& answer) {
  return answer.found ? answer.gap : std::numeric_limits<double>::quiet_NaN();
}

class TrackingPair : public PeerPair {
 public:
  TrackingPair(const ConvexBody& A, const ConvexBody& B) : pair_(side_of(A), side_of(B)) {}
  void begin(const Pose<double>& X_BA) override { pair_.begin(X_BA); }
  double follow(const Pose<double>& X_BA) override { return number(pair_.follow(X_BA)); }

 private:
  OurPair pair_;
};

}  // namespace

std::vector<Peer> our_peers() {
  const std::string name = "oloid " + std::string(kVersion);
  const auto make = [](const ConvexBody& A, const ConvexBody& B) -> std::unique_ptr<PeerPair> {
    return std::make_unique<TrackingPair>(A, B);
  };
  return {{name + ", tracking", "from the pair before, to round-off", true, make}};
}

}  // namespace oloid::bench
