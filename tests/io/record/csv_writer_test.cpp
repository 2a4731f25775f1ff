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

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

// Pairs that are far apart have empty cells, and frames around events tell what these concern.
TEST(CsvWriter, LeavesEmptyWhatIsNotKnown) {
  const TestFolder folder;
  Header header = sample_header();
  header.bodies = {"table", "ball", "egg"};
  header.pairs =
      BodyPairs(std::vector<BodyPairs::Bodies>{{BodyId{1}, BodyId{0}}, {BodyId{2}, BodyId{0}}});
  for (const bool event_rows : {false, true}) {
    const auto writer = make_csv_writer(folder / "a.csv", {event_rows, false});
    ASSERT_TRUE(writer);
    (*writer)->begin(header);
    SampleFrame s = sample_frame(3);
    s.bodies.emplace_back();
    s.contacts[0].pair = 1;
    Event event = sample_event();
    event.pair = 1;
    event.bodies = {BodyId{2}, BodyId{0}};
    const auto show = [&](int side, const Event* of) {
      (*writer)->frame({s.frame.t, side, s.bodies, s.contacts, s.frame.energy, s.probes, of});
    };
    show(0, nullptr);
    show(-1, &event);
    show(1, &event);
    (*writer)->end(sample_summary());
    const auto lines = lines_of(read_file(folder / "a.csv"));
    ASSERT_EQ(lines.size(), event_rows ? 4u : 2u);
    const auto cells = cells_of(lines[1]);
    const std::size_t first = 6 + 3 * 13, second = first + 23;
    ASSERT_EQ(cells.size(), second + 23 + 2);
    for (std::size_t i = first; i < second; ++i) EXPECT_EQ(cells[i], "");
    EXPECT_EQ(cells[second], "sliding");
    EXPECT_NE(cells[6 + 13], "");
    if (!event_rows) continue;
    const auto before = cells_of(lines[2]);
    ASSERT_EQ(before.size(), cells.size());
    EXPECT_EQ(before[1], "-1");
    EXPECT_NE(before[6], "");                                                // the table
    for (std::size_t i = 6 + 13; i < 6 + 26; ++i) EXPECT_EQ(before[i], "");  // the ball
    EXPECT_EQ(before[second], "sliding");
    EXPECT_EQ(before.back(), "");  // a probe
  }
}

TEST(CsvWriter, WritesContactsInLongForm) {
  const TestFolder folder;
  EXPECT_EQ(contacts_file("a/run.csv"), "a/run.contacts.csv");
  const auto writer = make_csv_writer(folder / "a.csv", {false, true});
  ASSERT_TRUE(writer);
  play(**writer);
  EXPECT_FALSE((*writer)->trouble());
  const auto lines = lines_of(read_file(folder / "a.csv"));
  EXPECT_EQ(cells_of(lines[1]).size(), 6u + 2 * 13 + 2);
  const auto rows = lines_of(read_file(folder / "a.contacts.csv"));
  ASSERT_EQ(rows.size(), 202u);
  EXPECT_TRUE(rows[0].starts_with("t [s],event_side,contact,ordinal,a,b,mode,gap [m],point_a.x"));
  EXPECT_TRUE(rows[2].starts_with("0.01,0,0,0,\"ball, \"\"red\"\"\",table,sliding,0,"));
  EXPECT_FALSE(make_csv_writer(folder / "nowhere/a.csv", {false, true}));
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
