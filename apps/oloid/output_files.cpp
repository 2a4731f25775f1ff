#include "output_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "oloid/io/record/record_playback.h"
#include "refuse.h"

namespace oloid::app {

std::vector<std::string> inputs_of(const Spec& spec, const std::string& scene_file) {
  std::vector<std::string> inputs;
  if (scene_file.empty()) return inputs;
  inputs.reserve(spec.files.size() + 1);
  inputs.push_back(scene_file);
  const auto folder = std::filesystem::path(scene_file).parent_path();
  for (const SceneFile& file : spec.files) inputs.push_back((folder / file.name).string());
  return inputs;
}

std::optional<Error> named_twice(const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs) {
  std::error_code ignored;
  // A relative path of a file that does not exist would stay relative.
  const auto full = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  std::set<std::filesystem::path> read, written;
  for (const std::string& path : inputs) read.insert(full(path));
  for (const std::string& path : outputs) {
    if (path.empty()) continue;
    const auto canonical = full(path);
    if (std::filesystem::is_character_file(canonical, ignored)) continue;
    for (const auto& file : {canonical, std::filesystem::path(canonical.string() + ".part")}) {
      if (read.contains(file)) {
        return Error{{path, "", 0, 0},
                     fmt::format("this file is used twice: {} is also an input", file.string()),
                     "choose another name for the output"};
      }
      if (!written.insert(file).second) {
        return Error{
            {path, "", 0, 0},
            "this file is used twice: two outputs share it",
            "choose different names for all outputs; NAME.part is used while writing NAME"};
      }
    }
  }
  return std::nullopt;
}

std::string beside(const std::string& record_file, const std::string& ending) {
  std::filesystem::path path = record_file;
  if (path.extension() == ".part") path.replace_extension();
  return path.replace_extension(ending).string();
}

Error no_frames(const std::string& record_file) {
  return {{record_file, "", 0, 0}, "the record has no frames", "wait until the run has started"};
}

ExitCode write_from(const RecordReader& record, const Result<std::unique_ptr<Recorder>>& output,
                    const std::string& file) {
  if (!output) return refused(output.error(), kOutputFailed);
  if (const auto error = play(record, **output)) return refused(*error, kBadInput);
  if (const auto error = (*output)->trouble())
    return refused(*error, error->place.file.starts_with("--") ? kUsage : kOutputFailed);
  fmt::print("wrote {}\n", file);
  return kOk;
}

}  // namespace oloid::app
