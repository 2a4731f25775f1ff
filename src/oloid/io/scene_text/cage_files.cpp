#include "oloid/io/scene_text/cage_files.h"

#include <fmt/format.h>

#include "oloid/io/mesh/obj_reader.h"

namespace oloid::io {

CageFileSpec CageFiles::cage(const TableReader& table) {
  auto spec = table.make<CageFileSpec>();
  const auto named = table.get<std::string>("file");
  if (!named) return spec;
  spec.file.value = files_.name_of(named->place.file, named->value);
  const auto known = cages_.find(spec.file.value);
  spec.cage = known == cages_.end() ? read(spec.file) : known->second;
  return spec;
}

std::shared_ptr<const Cage> CageFiles::read(const Located<std::string>& named) {
  const std::string path = files_.path_of(named.value);
  const auto wrong = [&](const Error& error) {
    const std::string line =
        error.place.line > 0 ? fmt::format(":{}:{}", error.place.line, error.place.column) : "";
    complaints_.add(named.place, fmt::format("{}{}: {}", path, line, error.message), error.remedy);
    return nullptr;
  };
  const auto text = files_.read(named.value, ObjLimits{}.bytes);
  if (!text) {
    Error error = text.error();
    error.remedy = "check the spelling; paths are relative to the scene file's directory";
    return wrong(error);
  }
  auto cage = parse_obj(*text, path);
  if (!cage) return wrong(cage.error());
  return cages_[named.value] = std::make_shared<const Cage>(*std::move(cage));
}

}  // namespace oloid::io
