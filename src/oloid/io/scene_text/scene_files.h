// The files that a scene names: included scenes and shapes. They are read from the disk, or from
// texts that a record has kept.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/scene/scene_file.h"

namespace oloid::io {

class SceneFiles {
 public:
  // `stored`: what to read instead of the disk; null: the disk.
  SceneFiles(const std::string& scene, const std::vector<SceneFile>* stored);

  // The name, relative to the scene's directory, of a file that is named in the file `path`. Names
  // in files other than included scenes are relative to the scene's directory.
  std::string name_of(const std::string& path, const std::string& written) const;
  // Where a file of this name is, as messages show it.
  std::string path_of(const std::string& name) const;

  // The text is kept once, under its name. A file larger than `most` bytes is cut off a little
  // beyond.
  Result<std::string> read(const std::string& name, std::size_t most);
  // From now on, names in this file are relative to its directory.
  void add_scene(const std::string& name) { scenes_[path_of(name)] = name; }

  std::vector<SceneFile> take() { return std::move(files_); }

 private:
  std::string directory_;
  const std::vector<SceneFile>* stored_;
  std::map<std::string, std::string> scenes_;  // path to name
  std::vector<SceneFile> files_;
};

}  // namespace oloid::io
