// Subdivision surfaces against those of OpenSubdiv, where that is installed.
#ifdef OLOID_HAVE_OPENSUBDIV

#include <gtest/gtest.h>
#include <opensubdiv/far/primvarRefiner.h>
#include <opensubdiv/far/topologyDescriptor.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "geometry/subdivision/cases.h"

namespace oloid::test::opensubdiv_test {

using namespace subdivision_cases;

struct OsdPoint {
  Vec3<double> p = Vec3<double>::Zero();
  void Clear(void* = nullptr) { p.setZero(); }
  void AddWithWeight(const OsdPoint& other, double w) { p += w * other.p; }
};

// The refined points and, at the last level, their limits and normals, as OpenSubdiv has them.
struct OsdRefinement {
  std::vector<OsdPoint> points, limits, tangents_u, tangents_v;
};
OsdRefinement opensubdiv(const Cage& cage, SubdivisionScheme scheme, int levels) {
  namespace Far = OpenSubdiv::Far;
  namespace Sdc = OpenSubdiv::Sdc;
  std::vector<int> counts, indices, creases;
  std::vector<float> sharpness;
  for (const auto& f : cage.faces) {
    counts.push_back(static_cast<int>(f.size()));
    indices.insert(indices.end(), f.begin(), f.end());
  }
  for (const Crease& c : cage.creases) {
    creases.insert(creases.end(), {c.a, c.b});
    sharpness.push_back(static_cast<float>(std::min(c.sharpness, 10.0)));
  }
  Far::TopologyDescriptor descriptor;
  descriptor.numVertices = static_cast<int>(cage.vertices.size());
  descriptor.numFaces = static_cast<int>(cage.faces.size());
  descriptor.numVertsPerFace = counts.data();
  descriptor.vertIndicesPerFace = indices.data();
  descriptor.numCreases = static_cast<int>(sharpness.size());
  descriptor.creaseVertexIndexPairs = creases.data();
  descriptor.creaseWeights = sharpness.data();
  Sdc::Options options;
  options.SetVtxBoundaryInterpolation(Sdc::Options::VTX_BOUNDARY_EDGE_AND_CORNER);
  using Factory = Far::TopologyRefinerFactory<Far::TopologyDescriptor>;
  const auto type = scheme == SubdivisionScheme::loop ? Sdc::SCHEME_LOOP : Sdc::SCHEME_CATMARK;
  const std::unique_ptr<Far::TopologyRefiner> refiner(
      Factory::Create(descriptor, Factory::Options(type, options)));
  Far::TopologyRefiner::UniformOptions uniform(levels);
  uniform.fullTopologyInLastLevel = true;
  refiner->RefineUniform(uniform);
  const Far::PrimvarRefinerReal<double> values(*refiner);
  OsdRefinement result;
  for (const Vec3<double>& p : cage.vertices) result.points.push_back({p});
  for (int level = 1; level <= levels; ++level) {
    std::vector<OsdPoint> next(at(refiner->GetLevel(level).GetNumVertices()));
    values.Interpolate(level, result.points, next);
    result.points = std::move(next);
  }
  for (auto* list : {&result.limits, &result.tangents_u, &result.tangents_v})
    list->resize(result.points.size());
  values.Limit(result.points, result.limits, result.tangents_u, result.tangents_v);
  return result;
}

// The index of the nearest point in a list sorted by x.
template <class P>
std::size_t nearest(const std::vector<std::pair<double, std::size_t>>& by_x,
                    const std::vector<P>& points, const Vec3<double>& q) {
  std::size_t best = 0;
  double least = INFINITY;
  auto it = std::lower_bound(by_x.begin(), by_x.end(), std::pair{q.x() - 1e-9, std::size_t{0}});
  for (; it != by_x.end() && it->first < q.x() + 1e-9; ++it) {
    const double far = (points[it->second].p - q).norm();
    if (far < least) {
      least = far;
      best = it->second;
    }
  }
  return best;
}

TEST(Subdivision, RefinesAndEndsAsOpenSubdiv) {
  std::vector<Case> cases = creased_cases();
  for (const Case& c : closed_cases()) cases.push_back(c);
  double refined = 0, limit = 0, normal = 0;
  for (const auto& [name, cage, scheme] : cases) {
    SCOPED_TRACE(name);
    // The reference of the tests above refines as OpenSubdiv does.
    constexpr int kLevels = 4;
    const OsdRefinement osd = opensubdiv(cage, scheme, kLevels);
    std::vector<std::pair<double, std::size_t>> by_x;
    for (std::size_t i = 0; i < osd.points.size(); ++i) by_x.emplace_back(osd.points[i].p.x(), i);
    std::sort(by_x.begin(), by_x.end());
    Reference<double> mesh(cage, scheme);
    for (int i = 0; i < kLevels; ++i) mesh.refine();
    ASSERT_EQ(mesh.p.size(), osd.points.size());
    const std::map<int, Vec3<double>> limits = regular_limits(mesh);
    for (std::size_t v = 0; v < mesh.p.size(); ++v) {
      const std::size_t i = nearest(by_x, osd.points, mesh.p[v].rounded());
      refined = std::max(refined, (osd.points[i].p - mesh.p[v].rounded()).norm() / size_of(cage));
      if (const auto own = limits.find(static_cast<int>(v)); own != limits.end())
        limit = std::max(limit, (osd.limits[i].p - own->second).norm() / size_of(cage));
    }
    // Limits of vertices of the cage itself, smooth ones also their normals.
    if (!cage.creases.empty()) continue;
    const OsdRefinement first = opensubdiv(cage, scheme, 1);
    Reference<double> once(cage, scheme);
    once.refine();
    by_x.clear();
    for (std::size_t i = 0; i < first.points.size(); ++i)
      by_x.emplace_back(first.points[i].p.x(), i);
    std::sort(by_x.begin(), by_x.end());
    for (int v = 0; v < static_cast<int>(cage.vertices.size()); ++v) {
      const std::size_t i = nearest(by_x, first.points, once.p[at(v)].rounded());
      const LimitVertex own = limit_vertex(cage, scheme, v);
      limit = std::max(limit, (own.position - first.limits[i].p).norm() / size_of(cage));
      const Vec3<double> n = first.tangents_u[i].p.cross(first.tangents_v[i].p).normalized();
      // At borders OpenSubdiv's are those of other rules where they are irregular.
      if (name.find("border") == name.npos)
        normal = std::max(normal, (own.sides[0].normal - n).norm());
    }
  }
  EXPECT_LT(refined, 1e-15);
  EXPECT_LT(limit, 1e-15);
  EXPECT_LT(normal, 1e-14);
  if (std::getenv("OLOID_PRINT")) std::printf("  osd %.2g %.2g %.2g\n", refined, limit, normal);
}

}  // namespace oloid::test::opensubdiv_test

#endif  // OLOID_HAVE_OPENSUBDIV
