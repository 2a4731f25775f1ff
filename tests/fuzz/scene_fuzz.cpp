// Any bytes are a scene or errors with a place and a remedy; a scene read again from what a record
// keeps of it is the same. Bytes after a zero are an override (--set).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "oloid/io/scene_text/scene_reader.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

const std::vector<oloid::scene::SceneFile>& files() {
  static const std::vector<oloid::scene::SceneFile> kFiles{
      {"common.toml",
       "oloid = 1\nduration = 1\ninclude = \"more.toml\"\n[parameters]\nr = 0.1\nd = \"2*r\"\n"},
      {"more.toml",
       "oloid = 1\n[[body]]\nname = \"table\"\nfixed = true\nshape.type = \"plane\"\n"},
      {"cycle.toml", "oloid = 1\ninclude = [\"more.toml\", \"cycle.toml\"]\n"},
      {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"},
  };
  return kFiles;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oloid::io;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(all.find('\0'), all.size());
  SceneOptions options;
  options.files = files();  // nothing is read from the disk
  if (end + 1 < all.size()) options.overrides.emplace_back(all.substr(end + 1));
  const auto spec = parse_scene(all.substr(0, end), "fuzz.toml", options);
  if (!spec) {
    require(!spec.error().empty());
    for (const Error& error : spec.error()) {
      require(!error.place.file.empty() && !error.message.empty() && !error.remedy.empty());
      require(!to_string(error).empty());
    }
    return 0;
  }
  options.files = spec->files;
  const auto again = parse_scene(spec->text, spec->file, options);
  require(again && again->bodies.size() == spec->bodies.size() &&
          again->files.size() == spec->files.size());
  return 0;
}
