// Closes a hole between patches: an S-patch with given borders.
#pragma once

#include <vector>

#include "oloid/geometry/bezier/bezier.h"

namespace oloid::geometry {

// 3 to 10 border curves of degree 1 to 5 that follow each other counter-clockwise, seen from
// outside of the body; border i becomes side i. The depth is the highest degree. Points inside are
// means of those on the border by mean value coordinates [Floater03], each control point standing
// at the mean of its corners in the regular polygon: a border that is an affine image of the
// polygon's is filled by the affine image, and no point leaves the convex hull of the border's.
// Weights of a border may be scaled; going once around they must fit together, as they do if each
// border has equal weights at both ends.
//
// Nothing is said about tangent planes: along its sides the patch meets others at an angle (G0)
// unless they are chosen for it.
Result<Patch> fill_hole(const std::vector<BezierCurve<3>>& borders);

}  // namespace oloid::geometry
