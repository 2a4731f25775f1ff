#include "oloid/io/scene_text/scene_files.h"

#include <algorithm>
#include <filesystem>

#include "oloid/io/files/text_file.h"

namespace oloid::io {
namespace {

const SceneFile* find(const std::vector<SceneFile>& files, const std::string& name) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const SceneFile& file) { return file.name == name; });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

SceneFiles::SceneFiles(const std::string& scene, const std::vector<SceneFile>* stored)
    : directory_(std::filesystem::path(scene).parent_path().string()), stored_(stored) {}

std::string SceneFiles::name_of(const std::string& path, const std::string& written) const {
  const auto scene = scenes_.find(path);
  if (scene == scenes_.end()) return written;
  return (std::filesystem::path(scene->second).parent_path() / written).string();
}

std::string SceneFiles::path_of(const std::string& name) const {
  return (std::filesystem::path(directory_) / name).string();
}

Result<std::string> SceneFiles::read(const std::string& name, std::size_t most) {
  if (stored_) {
    const SceneFile* kept = find(*stored_, name);
    if (!kept) {
      return Unexpected{Error{{path_of(name), "", 0, 0},
                              "the record has no copy of this file",
                              "run the scene file again to make a complete record"}};
    }
    if (!find(files_, name)) files_.push_back(*kept);
    return kept->text;
  }
  auto text = read_text_file(path_of(name), most);
  if (text && !find(files_, name)) files_.push_back({name, *text});
  return text;
}

}  // namespace oloid::io
