// What `oloid export` writes: bodies and their motion, from a scene file or a record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oloid/io/scene_text/scene_reader.h"
#include "options.h"

namespace oloid::app {

struct ExportRequest {
  std::string input;                // scene file or record
  std::string obj, gltf, csv;       // file names; empty: not wanted
  SceneOptions options;             // of a scene
  std::optional<double> tolerance;  // of a scene [m]
  std::optional<double> at;         // of a record [s]
  bool contacts = false;            // of a record: points, in glTF
  CsvOptions table;                 // of a record

  std::vector<std::string> outputs() const {
    std::vector<std::string> files{obj, gltf, csv};
    if (table.long_contacts && !csv.empty()) files.push_back(contacts_file(csv));
    return files;
  }
};

// The bodies as they are at the start, as triangles within the tolerance of their surfaces.
ExitCode export_scene(const ExportRequest& request);

// The run: its frames as a table or an animation, its bodies at a time as triangles.
ExitCode export_record(const ExportRequest& request);

}  // namespace oloid::app
