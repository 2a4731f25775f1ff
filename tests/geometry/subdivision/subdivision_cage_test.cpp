// Refusals of cages.
#include <gtest/gtest.h>

#include <string>

#include "geometry/subdivision/cases.h"

namespace oloid::test::subdivision_cage_test {

using namespace subdivision_cases;

std::string refusal(const Cage& cage, SubdivisionScheme scheme = SubdivisionScheme::catmull_clark) {
  const auto result = checked_cage(cage, scheme);
  EXPECT_FALSE(result);
  return result ? "" : to_string(result.error());
}

TEST(CheckedCage, NamesTheFaceVertexOrEdgeAndARemedy) {
  const auto with_face = [](std::vector<int> face) {
    Cage cage = cube();
    cage.faces.push_back(std::move(face));
    return cage;
  };
  const auto with_crease = [](const Crease& crease) {
    Cage cage = cube();
    cage.creases.push_back(crease);
    return cage;
  };
  EXPECT_EQ(refusal({}), "the cage has no faces (specify vertices and faces)");
  EXPECT_EQ(refusal(with_face({0, 1})), "face 6 has 2 vertices (a face has at least 3)");
  EXPECT_EQ(refusal(cube(), SubdivisionScheme::loop),
            "face 0 has 4 vertices (Loop subdivision needs triangles: divide it, or use "
            "Catmull-Clark)");
  EXPECT_EQ(refusal(with_face({0, 1, 8})), "face 6 refers to vertex 8 (vertices are 0 to 7)");
  EXPECT_EQ(refusal(with_face({0, 1, -1})), "face 6 refers to vertex -1 (vertices are 0 to 7)");
  EXPECT_EQ(refusal(with_face({0, 1, 0})),
            "face 6 contains vertex 0 twice (list each vertex of a face once)");
  EXPECT_EQ(refusal(with_face({0, 1, 6})),
            "3 faces share the edge 0-1; face 6 is one too many (at most two faces may meet along "
            "an edge)");
  Cage turned = cube();
  std::reverse(turned.faces[2].begin(), turned.faces[2].end());
  EXPECT_EQ(refusal(turned),
            "faces 2 and 4 both run from vertex 0 to 4 (flip one of them: reverse the order of its "
            "vertices)");
  Cage infinite = cube();
  infinite.vertices[3].y() = NAN;
  EXPECT_EQ(refusal(infinite), "vertex 3 is not finite (use finite numbers)");
  Cage lonely = cube();
  lonely.vertices.emplace_back(0, 0, 0);
  EXPECT_EQ(refusal(lonely), "vertex 8 belongs to no face (remove it)");
  Cage bow_tie{
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}, {}};
  EXPECT_EQ(refusal(bow_tie),
            "faces 1 and 0 meet only at vertex 0 (use separate vertices there, or join the faces "
            "along an edge)");
  Cage pillow{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}, {}};
  EXPECT_EQ(refusal(pillow),
            "faces 0 and 1 are the only ones around vertex 0 (at an interior vertex three or more "
            "faces must meet; remove the vertex from both)");
  EXPECT_EQ(refusal(with_crease({0, 7, 1})),
            "crease 0 runs from vertex 0 to 7, which is not an edge (a crease must join two "
            "neighbouring vertices of a face)");
  EXPECT_EQ(refusal(with_crease({0, 1, -1})),
            "crease 0 (edge 0-1) has sharpness -1 (use 0 for a smooth edge, larger values for "
            "sharper edges, inf for a sharp one)");
  EXPECT_EQ(refusal(creased(cube(), {0, 1, 0}, 1)),
            "the crease on edge 1-0 is given twice (specify one sharpness per edge)");
  EXPECT_EQ(
      checked_cage(with_crease({0, 1, 10}), SubdivisionScheme::catmull_clark)->creases[0].sharpness,
      kSharp);
  const auto too_small = subdivide(cube(), SubdivisionScheme::catmull_clark, {1e-12});
  ASSERT_FALSE(too_small);
  EXPECT_EQ(
      to_string(too_small.error()),
      "the requested cap size is 1e-12 of a face (it must be from 1e-9 to 0.5 of a face's size)");
}

}  // namespace oloid::test::subdivision_cage_test
