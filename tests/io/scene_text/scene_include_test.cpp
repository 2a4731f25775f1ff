#include "oloid/io/scene_text/scene_include.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/sample_run.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "support/rooms.h"

namespace oloid::test::scene_include_test {

const std::string kBody = "shape.type = \"plane\"\nfixed = true\n";

std::string body(const std::string& name) {
  return fmt::format("[[body]]\nname = \"{}\"\n{}", name, kBody);
}

std::string told(const Result<Spec, Errors>& scene) {
  std::string all;
  if (!scene)
    for (const Error& error : scene.error()) all += to_string(error) + "\n";
  return all;
}

std::vector<std::string> names(const Spec& spec) {
  std::vector<std::string> all;
  for (const BodySpec& one : spec.bodies) all.push_back(one.name.value);
  return all;
}

class Including : public testing::Test {
 protected:
  void file(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder_ / name).parent_path());
    write_file(folder_ / name, text);
  }
  std::string path(const std::string& name) const { return folder_ / name; }
  Result<Spec, Errors> read() const { return read_scene(path("scene.toml")); }

  TestFolder folder_;
};

TEST_F(Including, MergesKeyByKeyAndTheIncludingFileWins) {
  file("scene.toml",
       "oloid = 1\nduration = 2\ninclude = [\"a.toml\", \"b.toml\"]\n[solver]\nrtol = 1e-9\n"
       "[parameters]\nr = 3\n" +
           body("own"));
  file("a.toml",
       "oloid = 1\nduration = 7\ngravity = [0, 0, \"-r\"]\nname = \"first\"\n"
       "[solver]\nrtol = 1e-5\nmax_step = 0.5\n[parameters]\nr = 1\nq = \"r\"\n" +
           body("a"));
  file("b.toml", "oloid = 1\nname = \"second\"\n[output]\ndt = \"q\"\n" + body("b") + body("c"));
  const auto scene = read();
  ASSERT_TRUE(scene) << told(scene);
  EXPECT_EQ(scene->duration.value, 2);
  EXPECT_EQ(scene->gravity.value.z(), -3);  // with the parameters of all files
  EXPECT_EQ(scene->name, "second");         // the later include
  EXPECT_EQ(scene->solver.rtol.value, 1e-9);
  EXPECT_EQ(scene->solver.max_step->value, 0.5);
  EXPECT_EQ(scene->output_dt.value, 3);
  EXPECT_EQ(names(*scene), (std::vector<std::string>{"a", "b", "c", "own"}));
  // Every value knows its file.
  EXPECT_EQ(scene->file, path("scene.toml"));
  EXPECT_EQ(scene->duration.place.file, path("scene.toml"));
  EXPECT_EQ(scene->gravity.place.file, path("a.toml"));
  EXPECT_EQ(scene->gravity.place.line, 3);
  EXPECT_EQ(scene->bodies[1].name.place.file, path("b.toml"));
  EXPECT_EQ(scene->bodies[1].name.place.path, "body[1].name");
}

TEST_F(Including, CountsPathsFromTheFileThatNamesThem) {
  file("scene.toml", "oloid = 1\nduration = 1\ninclude = \"parts/table.toml\"\n" + body("own"));
  file("parts/table.toml",
       "oloid = 1\ninclude = [\"more/felt.toml\"]\n[[body]]\nname = \"table\"\nfixed = true\n"
       "shape = { type = \"polyhedron\", file = \"shapes/t.obj\", hull = true }\n");
  file("parts/more/felt.toml",
       "oloid = 1\ninclude = \"../../common.toml\"\n[[material]]\nname = \"felt\"\n");
  file("common.toml", "oloid = 1\ngravity = [0, 0, -1]\n");
  file("parts/shapes/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const auto scene = read();
  ASSERT_TRUE(scene) << told(scene);
  EXPECT_EQ(scene->gravity.value.z(), -1);
  EXPECT_EQ(scene->materials.size(), 1U);
  ASSERT_EQ(scene->files.size(), 4U);
  EXPECT_EQ(scene->files[0].name, "parts/table.toml");
  EXPECT_EQ(scene->files[1].name, "parts/more/felt.toml");
  EXPECT_EQ(scene->files[2].name, "parts/more/../../common.toml");
  EXPECT_EQ(scene->files[3].name, "parts/shapes/t.obj");

  // What a record keeps is enough to read the scene again, anywhere.
  SceneOptions kept;
  kept.files = scene->files;
  const auto again = parse_scene(scene->text, "/nowhere/scene.toml", kept);
  ASSERT_TRUE(again) << told(again);
  EXPECT_EQ(names(*again), names(*scene));
  EXPECT_EQ(again->gravity.value, scene->gravity.value);
  EXPECT_EQ(std::get<PolyhedronSpec>(again->bodies[0].shape.value).mesh.cage->faces.size(), 1U);
  EXPECT_EQ(again->files.size(), 4U);
  kept.files->pop_back();
  const std::string why = told(parse_scene(scene->text, "/nowhere/scene.toml", kept));
  EXPECT_NE(why.find("/nowhere/parts/table.toml:6:39 body[0].shape.file: "
                     "/nowhere/parts/shapes/t.obj: the record has no copy of this file"),
            std::string::npos)
      << why;
}

TEST_F(Including, CountsAFileOnce) {
  file("scene.toml", "oloid = 1\nduration = 1\ninclude = [\"a.toml\", \"./b.toml\", \"a.toml\"]\n");
  file("a.toml", "oloid = 1\ninclude = \"d.toml\"\n" + body("a"));
  file("b.toml", "oloid = 1\ninclude = \"x/../d.toml\"\n" + body("b"));
  file("d.toml", "oloid = 1\n" + body("d"));
  file("x/empty.toml", "oloid = 1\n");
  const auto scene = read();
  ASSERT_TRUE(scene) << told(scene);
  EXPECT_EQ(names(*scene), (std::vector<std::string>{"d", "a", "b"}));
}

TEST_F(Including, TellsTheFileOfEveryError) {
  file("scene.toml", "oloid = 1\nduration = 1\ninclude = [\"a.toml\", \"b.toml\"]\ngravty = 1\n");
  file("a.toml", "oloid = 1\n[[body]]\nname = \"a\"\nmass = true\n" + kBody);
  file("b.toml", "oloid = 1\n\n[solver]\nmetod = \"rk4\"\n" + body("a") + body("b"));
  const auto scene = read();
  ASSERT_FALSE(scene);
  ASSERT_EQ(scene.error().size(), 4U) << told(scene);
  EXPECT_EQ(to_string(scene.error()[0]),
            path("scene.toml:4:1 gravty: unknown key `gravty` (did you mean `gravity`?)"));
  EXPECT_EQ(to_string(scene.error()[1]).find(path("a.toml:4:8 body[0].mass: expected a number")),
            0U);
  EXPECT_EQ(to_string(scene.error()[2]),
            path("b.toml:4:1 solver.metod: unknown key `metod` (did you mean `method`?)"));
  EXPECT_EQ(to_string(scene.error()[3]),
            path("b.toml:6:8 body[1].name: two bodies are named \"a\"; the other one is in ") +
                path("a.toml:3:8 (names must be unique)"));
}

TEST_F(Including, RefusesWhatCannotBeIncluded) {
  const auto with = [&](const std::string& include, const std::string& other) {
    file("scene.toml", "oloid = 1\nduration = 1\ninclude = " + include + "\n" + body("own"));
    file("a.toml", other);
    return told(read());
  };
  const auto expect = [](const std::string& all, const std::string& words) {
    EXPECT_NE(all.find(words), std::string::npos) << "no \"" << words << "\" in " << all;
  };
  expect(with("\"none.toml\"", ""),
         path("scene.toml:3:11 include: ") + path("none.toml: cannot open the file: No such file"));
  expect(with("[\"a.toml\", \"none.toml\"]", "oloid = 1\n"), "scene.toml:3:22 include[1]");
  expect(with("3", ""), "include: expected a string, got the integer 3");
  expect(with("[1]", ""), "include[0]: expected a string");
  expect(with("\"\"", ""), "the string is empty");
  expect(with("\".\"", ""), "this is a directory");
  expect(with("\"a.toml\"", ""), path("a.toml: the file is empty"));
  expect(with("\"a.toml\"", "gravity = [0, 0, 1]\n"),
         path("a.toml:1:1 oloid: required key `oloid` is missing"));
  expect(with("\"a.toml\"", "oloid = 2\n"),
         path("a.toml:1:9 oloid: the file has format version 2"));
  expect(with("\"a.toml\"", "oloid = 1\nx = [\n"), path("a.toml:2:"));
  expect(with("\"a.toml\"", "oloid = 1\ninclude = \"scene.toml\"\n"),
         path("a.toml:2:11 include: files include each other: ") + path("scene.toml -> ") +
             path("a.toml -> ") + path("scene.toml"));
  expect(with("\"a.toml\"", "oloid = 1\ninclude = \"./a.toml\"\n"), "include each other");
  for (int i = 0; i < 20; ++i)
    file(fmt::format("deep{}.toml", i),
         fmt::format("oloid = 1\ninclude = \"deep{}.toml\"\n", i + 1));
  expect(with("\"deep0.toml\"", ""), "files are nested more than 16 levels deep");
}

// The including file does not need its own bodies or duration.
TEST_F(Including, MayLeaveEverythingToOthers) {
  file("scene.toml", "oloid = 1\ninclude = \"a.toml\"\n");
  file("a.toml", "oloid = 1\nduration = 3\n" + body("a"));
  const auto scene = read();
  ASSERT_TRUE(scene) << told(scene);
  EXPECT_EQ(scene->name, "scene");
  EXPECT_EQ(scene->duration.value, 3);
  file("scene.toml", "include = \"a.toml\"\n");
  EXPECT_NE(told(read()).find(path("scene.toml:1:1 oloid: required key")), std::string::npos);
}

}  // namespace oloid::test::scene_include_test
