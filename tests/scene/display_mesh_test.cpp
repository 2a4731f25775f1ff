#include "oloid/scene/display_mesh.h"

#include <gtest/gtest.h>

#include "support/rooms.h"

namespace oloid::test::display_mesh_test {

TEST(DisplayMesh, MovesPointsAndTurnsNormals) {
  Pose<double> X_AB;
  X_AB.R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  X_AB.p = {1, 2, 3};
  EXPECT_TRUE(DisplayMesh{}.empty());
  const DisplayMesh mesh_B{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}}};
  const DisplayMesh mesh_A = moved(X_AB, mesh_B);
  EXPECT_FALSE(mesh_A.empty());
  EXPECT_EQ(mesh_A.vertices[0], Vec3<double>(1, 3, 3));
  EXPECT_EQ(mesh_A.vertices[1], Vec3<double>(0, 2, 3));
  EXPECT_EQ(mesh_A.normals[0], Vec3<double>(0, 1, 0));
  EXPECT_EQ(mesh_A.normals[2], Vec3<double>(0, 0, 1));
  EXPECT_EQ(mesh_A.triangles, mesh_B.triangles);
}

}  // namespace oloid::test::display_mesh_test
