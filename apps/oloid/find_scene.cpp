#include "find_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "demo_scenes.h"
#include "oloid/base/did_you_mean.h"

namespace oloid::app {
namespace {

bool could_be_built_in(const std::string& name) {
  const std::filesystem::path path(name);
  std::error_code none;
  return !name.empty() && path == path.stem() && !std::filesystem::exists(path, none);
}

Errors unknown(const std::string& name) {
  if (std::ranges::count(kScenesWithFiles, name)) {
    return {{{},
             fmt::format("\"{}\" is not built in because it reads other files", name),
             fmt::format("use `oloid run scenes/{}.toml` in the oloid source folder", name)}};
  }
  std::vector<std::string_view> known;
  known.reserve(std::size(kDemoScenes));
  for (const DemoScene& demo : kDemoScenes) known.emplace_back(demo.name);
  const std::string_view near = did_you_mean(name, known);
  return {{{},
           fmt::format("there is no file and no built-in scene named \"{}\"", name),
           near.empty() ? fmt::format("built-in scenes: {}", fmt::join(known, ", "))
                        : fmt::format("did you mean {}?", near)}};
}

}  // namespace

Result<FoundScene, Errors> find_built_in(const std::string& name, SceneOptions options) {
  options.files.emplace();  // built-in scenes read none
  for (const DemoScene& demo : kDemoScenes) {
    if (demo.name != name) continue;
    auto spec = parse_scene(demo.text, name + ".toml", options);
    if (!spec) return Unexpected{spec.error()};
    return FoundScene{*std::move(spec), ""};
  }
  return Unexpected{unknown(name)};
}

Result<FoundScene, Errors> find_scene(const std::string& name, const SceneOptions& options) {
  if (could_be_built_in(name)) return find_built_in(name, options);
  auto spec = read_scene(name, options);
  if (!spec) return Unexpected{spec.error()};
  return FoundScene{*std::move(spec), name};
}

}  // namespace oloid::app
