#include "oloid/io/plot/png_convert.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "io/sample_run.h"
#include "support/rooms.h"

namespace oloid::test::png_convert_test {

// A program that stands in for rsvg-convert.
std::string stand_in(const TestFolder& folder, const std::string& script) {
  const std::string path = folder / "rsvg-convert";
  write_file(path, "#!/bin/sh\n" + script + "\n");
  ::chmod(path.c_str(), 0755);
  return path;
}

class WithPath {
 public:
  explicit WithPath(const std::string& path) : before_(std::getenv("PATH")) {
    ::setenv("PATH", path.c_str(), 1);
  }
  ~WithPath() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(PngConvert, FindsTheProgramOnThePath) {
  const TestFolder folder;
  const std::string program = stand_in(folder, "true");
  {
    const WithPath path("/no/such/folder::" + (folder / ""));
    const auto found = find_png_converter();
    ASSERT_TRUE(found);
    EXPECT_EQ(read_file(*found), read_file(program));
  }
  const WithPath path("/no/such/folder");
  const auto found = find_png_converter();
  ASSERT_FALSE(found);
  EXPECT_NE(to_string(found.error()).find("librsvg2-bin"), std::string::npos);
}

TEST(PngConvert, FoldersAreNoPrograms) {
  const TestFolder folder;
  std::filesystem::create_directories(folder / "first/rsvg-convert");
  const WithPath nothing(folder / "first");
  EXPECT_FALSE(find_png_converter());
  stand_in(folder, "true");
  const WithPath path((folder / "first") + ":" + (folder / ""));
  EXPECT_TRUE(find_png_converter());
}

// Whoever started us may ignore the end of children; that is as before afterwards.
TEST(PngConvert, HearsOfTheEndOfTheProgramWhereChildrenAreIgnored) {
  const TestFolder folder;
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const auto good = png_of(stand_in(folder, "printf '\\211PNG\\r\\n\\032\\n'"), "<svg/>", 1);
  const auto bad = png_of(stand_in(folder, "exit 3"), "<svg/>", 1);
  EXPECT_EQ(std::signal(SIGCHLD, before), SIG_IGN);
  EXPECT_TRUE(good);
  ASSERT_FALSE(bad);
  EXPECT_NE(to_string(bad.error()).find("exited with code 3"), std::string::npos);
}

TEST(PngConvert, HandsOverTheTextAndTakesTheBytes) {
  const TestFolder folder;
  const std::string program =
      stand_in(folder, "printf '\\211PNG\\r\\n\\032\\n'; cat; printf '\\0%s' \"$*\"");
  const std::string svg(300'000, 'x');  // more than a pipe holds
  const auto png = png_of(program, svg, 1.5);
  ASSERT_TRUE(png);
  EXPECT_EQ(*png, "\x89PNG\r\n\x1a\n" + svg + std::string(1, '\0') + "--format=png --zoom=1.5");
}

TEST(PngConvert, SaysWhyItFailed) {
  const TestFolder folder;
  const auto reason = [&](const std::string& script) {
    const auto png = png_of(stand_in(folder, script), "<svg/>", 1);
    return png ? "" : to_string(png.error());
  };
  EXPECT_NE(reason("echo no ink >&2; exit 3").find("exited with code 3: no ink"),
            std::string::npos);
  EXPECT_NE(reason("kill -9 $$").find("exited with code 137"), std::string::npos);
  EXPECT_NE(reason("echo hello").find("did not produce a PNG"), std::string::npos);
  EXPECT_NE(reason("exit 0").find("did not produce a PNG"), std::string::npos);
  const auto gone = png_of(folder / "nothing", "<svg/>", 1);
  ASSERT_FALSE(gone);
  EXPECT_NE(to_string(gone.error()).find("cannot be started"), std::string::npos);
}

}  // namespace oloid::test::png_convert_test
