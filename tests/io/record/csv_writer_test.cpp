#include "oloid/io/record/csv_writer.h"

#include <gtest/gtest.h>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::csv_writer_test {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(CsvWriter, WritesHeaderAndOneRowPerFrame) {
  const TestFolder folder;
  const auto writer = make_csv_writer(folder / "a.csv");
  ASSERT_TRUE(writer);
  play(**writer);
  EXPECT_FALSE((*writer)->trouble());
  const auto lines = lines_of(read_file(folder / "a.csv"));
  ASSERT_EQ(lines.size(), 202u);
  EXPECT_EQ(lines[0].find("t [s],event_side,kinetic [J],potential [J],dissipated [J],work [J],"
                          "table.position.x [m]"),
            0u);
  EXPECT_NE(lines[0].find("\"ball, \"\"red\"\".angular_velocity.z [rad/s]\""), std::string::npos);
  EXPECT_NE(lines[0].find("\"ball, \"\"red\"\"-table.normal_force [N]\""), std::string::npos);
  EXPECT_NE(lines[0].find("\"ball, \"\"red\"\"-table.moment.z [N m]\""), std::string::npos);
  const auto commas = std::count(lines[1].begin(), lines[1].end(), ',');
  EXPECT_EQ(commas, 6 + 2 * 13 + 23 + 2 - 1);
  EXPECT_TRUE(lines[0].ends_with(",twice [s],cosine"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(std::count(lines[i].begin(), lines[i].end(), ','), commas);
  }
}

TEST(CsvWriter, NumbersReadBackExactly) {
  const TestFolder folder;
  const auto writer = make_csv_writer(folder / "a.csv");
  ASSERT_TRUE(writer);
  play(**writer, 4);
  const std::string row = lines_of(read_file(folder / "a.csv"))[4];
  EXPECT_EQ(std::stod(row), 0.01 * 3);
  EXPECT_NE(row.find("0.30000000000000004"), std::string::npos);
  EXPECT_NE(row.find(",sliding,"), std::string::npos);
}

TEST(CsvWriter, SaysWhyItCannotWrite) {
  EXPECT_FALSE(make_csv_writer("/no/such/folder/a.csv"));
  const auto writer = make_csv_writer("/dev/full");
  ASSERT_TRUE(writer);
  play(**writer);
  ASSERT_TRUE((*writer)->trouble());
  EXPECT_NE(to_string(*(*writer)->trouble()).find("/dev/full"), std::string::npos);
}

}  // namespace oloid::test::csv_writer_test
