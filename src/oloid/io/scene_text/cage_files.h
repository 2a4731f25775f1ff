// The control cages and meshes that shapes name as files; each is read once.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "oloid/io/scene_text/scene_files.h"
#include "oloid/io/scene_text/table_reader.h"

namespace oloid::io {

class CageFiles {
 public:
  CageFiles(SceneFiles& files, Complaints& complaints) : files_(files), complaints_(complaints) {}

  // The cage that the key `file` names; complains where there is none.
  CageFileSpec cage(const TableReader& table);

 private:
  std::shared_ptr<const Cage> read(const Located<std::string>& named);

  SceneFiles& files_;
  Complaints& complaints_;
  std::map<std::string, std::shared_ptr<const Cage>> cages_;
};

}  // namespace oloid::io
