// Scenes that went wrong on their way: whatever becomes of a good one, it is read or refused with
// reasons, compiled or refused with reasons, and never takes long.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "oloid/io/scene_text/scene_reader.h"
#include "oloid/world/model/model.h"
#include "oloid/world/tools/forms.h"
#include "support/rooms.h"

namespace oloid::test::scene_mutation_test {

constexpr double kLongest = 20;  // [s] of CPU time for one scene; the slowest good one takes 4

struct Scene {
  std::string path, text;
};

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = [] {
    std::vector<Scene> found;
    for (const std::string folder : {OLOID_SCENES, OLOID_TEST_DATA "/scenes_good"}) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const bool part = entry.path().parent_path().filename() == "parts";
        if (entry.path().extension() != ".toml" || part) continue;
        std::ostringstream text;
        text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        found.push_back({entry.path().string(), text.str()});
      }
    }
    std::sort(found.begin(), found.end(),
              [](const Scene& a, const Scene& b) { return a.path < b.path; });
    return found;
  }();
  return all;
}

class Mutation {
 public:
  explicit Mutation(unsigned seed) : random_(seed) {}

  std::size_t pick(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  // A line left out, doubled, or swapped with another.
  std::string lines(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    const std::size_t a = pick(all.size()), b = pick(all.size());
    switch (pick(3)) {
      case 0:
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(a));
        break;
      case 1:
        all.insert(all.begin() + static_cast<std::ptrdiff_t>(b), std::string(all[a]));
        break;
      default:
        std::swap(all[a], all[b]);
    }
    return fmt::format("{}\n", fmt::join(all, "\n"));
  }

  // A number becomes another, or something else.
  std::string number(const std::string& text) {
    constexpr const char* kOthers[] = {
        "nan",       "inf",    "-inf", "0",        "-1",      "1e308",
        "-1e308",    "1e-308", "1e15", "-1e-300",  "5e-324",  "9223372036854775807",
        "0.5",       "2",      "1e3",  "\"text\"", "\"1/0\"", "[]",
        "[1, [2]]",  "true",   "{}",   "1e-6",     "\"t\"",   "-0.0",
        "1979-05-27"};
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool begins =
          std::isdigit(static_cast<unsigned char>(text[i])) != 0 &&
          (i == 0 || std::string_view("= [,(-").find(text[i - 1]) != std::string_view::npos);
      if (!begins) continue;
      std::size_t end = i;
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.'))
        ++end;
      found.emplace_back(i, end - i);
      i = end;
    }
    if (found.empty()) return text;
    const auto [at, size] = found[pick(found.size())];
    std::string changed = text;
    return changed.replace(at, size, kOthers[pick(std::size(kOthers))]);
  }

  // Bytes that are no text, brackets and quotes too many or too few, the rest cut off.
  std::string bytes(std::string text) {
    constexpr std::string_view kMarks = "[]{}\"'=,#.\n\\";
    const std::size_t at = pick(text.size());
    switch (pick(5)) {
      case 0:
        text[at] = static_cast<char>(random_());
        break;
      case 1:
        text.insert(at, 1, kMarks[pick(kMarks.size())]);
        break;
      case 2: {
        const std::size_t mark = text.find_first_of(kMarks, at);
        if (mark != text.npos) text.erase(mark, 1);
        break;
      }
      case 3:
        text.resize(at);
        break;
      default:
        text.insert(at, "\xC3\x28\xF0\x9F");
    }
    return text;
  }

  std::string any(const std::string& text) {
    const std::size_t kind = pick(4);
    return kind == 0 ? lines(text) : kind == 1 ? bytes(text) : number(text);
  }

 private:
  std::mt19937 random_;
};

void expect_reasons(const Errors& errors) {
  EXPECT_FALSE(errors.empty());
  for (const Error& error : errors) {
    EXPECT_FALSE(error.message.empty());
    EXPECT_FALSE(error.remedy.empty()) << error.message;
  }
}

// Reads and compiles; the seconds it took.
double take(const std::string& text, const std::string& path, std::map<std::string, int>& counts) {
  const std::clock_t start = std::clock();
  const auto spec = parse_scene(text, path);
  if (!spec) {
    ++counts["refused by the reader"];
    expect_reasons(spec.error());
  } else if (has_wires(*spec)) {
    const auto forms = compile_forms(*spec);
    if (!forms) expect_reasons(forms.error());
  } else {
    const auto model = compile(*spec);
    ++counts[model ? "compiled" : "refused by compile"];
    if (!model) expect_reasons(model.error());
  }
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// OLOID_FULL=1 tries many more.
unsigned times() { return std::getenv("OLOID_FULL") ? 20 : 1; }

// Of scenes that take long to compile fewer: an implicit surface 0.4 s, a cage 4 s.
unsigned rounds(const Scene& scene) {
  const auto has = [&](const char* word) { return scene.text.find(word) != std::string::npos; };
  if (has("subdivision")) return times() - 1;
  return (has("implicit") || has("metaballs") ? 8 : 64) * times();
}

// Shards, so that each test is short.
class MutatedScenes : public testing::TestWithParam<int> {};

constexpr int kShards = 8;

TEST_P(MutatedScenes, AreReadOrRefused) {
  std::map<std::string, int> counts;
  double longest = 0;
  for (std::size_t i = static_cast<std::size_t>(GetParam()); i < scenes().size(); i += kShards) {
    const Scene& scene = scenes()[i];
    for (unsigned round = 0; round < rounds(scene); ++round) {
      const unsigned seed = 1'000'000 * static_cast<unsigned>(i) + round;
      SCOPED_TRACE(fmt::format("{} seed {}", scene.path, seed));
      const double seconds = take(Mutation(seed).any(scene.text), scene.path, counts);
      longest = std::max(longest, seconds);
      EXPECT_LT(seconds, kLongest);
    }
  }
  for (const auto& [what, count] : counts) RecordProperty(what, count);
  RecordProperty("longest_ms", static_cast<int>(1000 * longest));
  EXPECT_GT(counts["refused by the reader"], 20);
  EXPECT_GT(counts["compiled"], 20);
}

INSTANTIATE_TEST_SUITE_P(Laws, MutatedScenes, testing::Range(0, kShards));

// The reader alone is fast: many more.
TEST(MutatedScenes, AreNeverReadForLong) {
  int refused = 0;
  for (std::size_t i = 0; i < scenes().size(); ++i) {
    const Scene& scene = scenes()[i];
    for (unsigned round = 0; round < 60 * times(); ++round) {
      const unsigned seed = 1'000'000 * static_cast<unsigned>(i) + round;
      SCOPED_TRACE(fmt::format("{} seed {}", scene.path, seed));
      Mutation mutation(seed);
      const std::string once = mutation.any(scene.text);
      const auto spec = parse_scene(once.empty() ? once : mutation.bytes(once), scene.path);
      if (spec) continue;
      ++refused;
      expect_reasons(spec.error());
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace oloid::test::scene_mutation_test
