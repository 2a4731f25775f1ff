// All places where two bodies are nearest, by bounds that cannot miss one.
//
// A tree of cells over each body, refined on demand: every cell has a ball, a cone of the outward
// normals, and ranges of derivatives that hold for all of its points. Pairs of cells that are
// farther apart than the threshold, or whose normals cannot face each other, are dropped; for the
// rest, Krawczyk's test proves that there is no extremal pair, or at most one, which Newton's
// method then finds. docs/theory/proximity_far.md.
//
// What is certified: each local minimum of the distance of separated bodies that is less than the
// threshold by 1e-12 of the smaller body's size is among the pairs, or belongs to a connected set
// of minima of which one is given, with status `continuum`; minima that are nearer to such a set
// than a quarter of a body's size count as part of it. Pairs of bodies that overlap are given if
// they are found, down to minus the threshold.
#pragma once

#include <memory>
#include <vector>

#include "oloid/proximity/touchable_body.h"
#include "oloid/proximity/tracked_pair.h"

namespace oloid::proximity {

class CellTree;

// Whether making the cells of a shape is affordable: those of many patches take minutes.
bool few_cells(const Shape& shape);

// A body with its tree. Searches do not change it: several may use it at the same time.
class FarBody {
 public:
  explicit FarBody(const TouchableBody& features);  // which must outlive it
  ~FarBody();
  FarBody(FarBody&&) noexcept;
  FarBody& operator=(FarBody&&) noexcept;

  // Whether its bounds are rigorous and cover all that can be touched. False for functions without
  // bounds, trimmed patches, intersections of implicit bodies (small edges may be missed).
  bool certified() const;
  const CellTree& tree() const { return *tree_; }

 private:
  std::unique_ptr<CellTree> tree_;
};

struct FarOptions {
  int most_cells = 400000;  // pairs of cells to examine before giving up
};

struct FarResult {
  std::vector<TrackedPair> pairs;  // status found or continuum; nearest first
  // None is missing: both bodies have rigorous bounds and nothing was left undecided.
  bool certified = false;
  // Pairs of points that are nearer than this are explained by the pairs given. [m]
  double lower_bound = 0;
  int cells = 0;  // pairs of cells that were examined
};

// Every local minimum of distance with |gap| below the threshold [m]. A pose that is not finite or
// not a rotation gives one pair with status invalid_pose and no certificate.
FarResult far_pairs(const FarBody& A, const FarBody& B, const Pose<double>& X_BA, double threshold,
                    const FarOptions& options = {});

// The nearest pair of two separated bodies, by best first search: nothing is nearer than
// lower_bound. Where they overlap: the local minimum with the least gap of all that were found,
// without a certificate.
FarResult globally_nearest(const FarBody& A, const FarBody& B, const Pose<double>& X_BA,
                           const FarOptions& options = {});

}  // namespace oloid::proximity
