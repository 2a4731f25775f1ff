#include "oloid/io/files/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::output_file_test {

TEST(OutputFile, AppearsOnlyWhenComplete) {
  const TestFolder folder;
  const std::string path = folder / "a.txt";
  write_file(path, "old");
  auto file = OutputFile::make(path);
  ASSERT_TRUE(file);
  file->write("new");
  EXPECT_EQ(read_file(path), "old");
  file->commit();
  EXPECT_FALSE(file->trouble());
  EXPECT_EQ(read_file(path), "new");
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(OutputFile, LeavesNothingIfNothingWasWritten) {
  const TestFolder folder;
  ASSERT_TRUE(OutputFile::make(folder / "a.txt"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
}

TEST(OutputFile, WritesThroughLinks) {
  const TestFolder folder;
  write_file(folder / "real.txt", "old");
  std::filesystem::create_symlink(folder / "real.txt", folder / "link.txt");
  auto file = OutputFile::make(folder / "link.txt");
  ASSERT_TRUE(file);
  file->write("new");
  file->commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_file(folder / "real.txt"), "new");
}

TEST(OutputFile, NeverReplacesADevice) {
  auto file = OutputFile::make("/dev/null");
  ASSERT_TRUE(file);
  file->write("text");
  file->commit();
  EXPECT_FALSE(file->trouble());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, SaysWhyItCannotWrite) {
  const TestFolder folder;
  const auto missing = OutputFile::make(folder / "no/such/a.txt");
  ASSERT_FALSE(missing);
  EXPECT_NE(to_string(missing.error()).find("create the folder"), std::string::npos);
  const auto is_folder = OutputFile::make(folder / "");
  ASSERT_FALSE(is_folder);
  EXPECT_NE(to_string(is_folder.error()).find("not a folder"), std::string::npos);
  EXPECT_FALSE(OutputFile::make(""));
  EXPECT_FALSE(OutputFile::make(folder / std::string(300, 'x')));
  write_file(folder / "plain", "");
  EXPECT_FALSE(OutputFile::make(folder / "plain/a.txt"));
}

TEST(OutputFile, ReportsAFullDisk) {
  auto file = OutputFile::make("/dev/full");
  ASSERT_TRUE(file);
  file->write("text");
  file->commit();
  ASSERT_TRUE(file->trouble());
  EXPECT_NE(to_string(*file->trouble()).find("free some disk space"), std::string::npos);
}

}  // namespace oloid::test::output_file_test
