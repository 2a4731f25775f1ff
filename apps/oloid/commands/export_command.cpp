#include "commands/export_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands/usage.h"
#include "oloid/io/record/record_reader.h"
#include "refuse.h"

namespace oloid::app {
namespace {

// Options that make no sense for a scene or for a record.
std::optional<Error> misplaced(const ExportRequest& request, bool record) {
  const auto wrong = [](const char* option, const char* message, const char* remedy) {
    return Error{{option, "", 0, 0}, message, remedy};
  };
  if (record) {
    if (!request.options.overrides.empty())
      return wrong("--set", "a record cannot be changed",
                   "run the scene with --set and export the new record");
    if (request.tolerance) {
      return wrong("--tolerance", "the triangles of a record were made when it was written",
                   "omit it, or export the scene file");
    }
    if (request.at && request.obj.empty()) {
      return wrong("--at", "only --obj takes a time: tables and animations contain all frames",
                   "omit it, or add --obj FILE");
    }
    if (request.contacts && request.gltf.empty())
      return wrong("--contacts", "contact points can be written to glTF files only",
                   "add --gltf FILE.glb");
    return std::nullopt;
  }
  if (!request.csv.empty()) {
    return wrong("--csv", "a scene file has no frames yet",
                 "run it with `oloid run SCENE --csv FILE`, or export a record");
  }
  if (request.at)
    return wrong("--at", "a scene file describes only the start of a run",
                 "run it with -o and export the record");
  if (request.contacts) {
    return wrong("--contacts", "a scene file has no contacts yet",
                 "run it with -o and export the record");
  }
  return std::nullopt;
}

bool is_gltf_name(const std::string& path) {
  return path.empty() || path.ends_with(".glb") || path.ends_with(".gltf");
}

}  // namespace

ExportCommand::ExportCommand(CLI::App& app) {
  command_ = app.add_subcommand(
      "export", "Write the bodies of a scene, or the motion in a record, for other programs");
  command_
      ->add_option("input", request_.input,
                   "Scene file (TOML) or record (HDF5, or the .part file of a run)")
      ->required();
  add_set(*command_, request_.options.overrides);
  command_
      ->add_option("--gltf", request_.gltf,
                   "glTF 2.0 (.glb or .gltf): the bodies, animated if the input is a record")
      ->check(has_name());
  command_
      ->add_option("--obj", request_.obj,
                   "Wavefront OBJ: one object per body, in world axes, in metres")
      ->check(has_name());
  CLI::Option* csv =
      command_
          ->add_option("--csv", request_.csv, "All frames of a record as a table, like run --csv")
          ->check(has_name());
  command_
      ->add_flag("--event-rows", request_.table.event_rows,
                 "For --csv: also rows just before and after each event")
      ->needs(csv);
  command_
      ->add_flag("--long-contacts", request_.table.long_contacts,
                 "For --csv: one row per contact in NAME.contacts.csv, like run --contacts long")
      ->needs(csv);
  command_->add_option("--at", request_.at,
                       "For --obj of a record: time in seconds; the nearest frame is used. "
                       "Default: the end of the record");
  command_->add_flag("--contacts", request_.contacts,
                     "For --gltf of a record: include the contact points, as small balls");
  command_->add_option("--tolerance", request_.tolerance,
                       "For a scene: largest distance between triangles and surfaces, in metres. "
                       "Default: 2e-3 of each body's size");
  command_->callback([this] {
    if (request_.obj.empty() && request_.gltf.empty() && request_.csv.empty())
      throw CLI::RequiredError("--gltf, --obj or --csv");
  });
  command_->footer(
      "Example: oloid export ball.h5 --gltf ball.glb --csv ball.csv\n"
      "         oloid export ball.h5 --obj ball.obj --at 1.5\n"
      "         oloid export scenes/rattleback.toml --obj rattleback.obj --tolerance 1e-4\n"
      "Blender and most browser-based viewers open .glb files with their motion. Unbounded "
      "surfaces\n"
      "are cut off around the first contact. Bodies whose surface cannot be triangulated are "
      "reported.");
}

std::optional<ExitCode> ExportCommand::run() const {
  if (!command_->parsed()) return std::nullopt;
  const bool record = is_record(request_.input);
  if (const auto error = misplaced(request_, record)) return refused(*error, kUsage);
  if (!is_gltf_name(request_.gltf)) {
    return refused({{request_.gltf, "", 0, 0},
                    "the file name does not say which kind of glTF to write",
                    "use a name ending in .glb (binary) or .gltf (text)"},
                   kUsage);
  }
  return record ? export_record(request_) : export_scene(request_);
}

}  // namespace oloid::app
