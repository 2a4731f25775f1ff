#include <fmt/format.h>

#include "export.h"
#include "oloid/base/counted.h"
#include "oloid/io/files/output_file.h"
#include "oloid/io/mesh/gltf_recorder.h"
#include "oloid/io/mesh/obj_writer.h"
#include "oloid/io/record/csv_writer.h"
#include "oloid/io/record/record_playback.h"
#include "oloid/io/record/recorder_group.h"
#include "output_files.h"
#include "refuse.h"
#include "unfinished_files.h"

namespace oloid::app {
namespace {

// One frame of the record.
Result<FrameBlock> frame_at(const RecordReader& record, std::size_t i) { return record.read(i, 1); }

// The number of the frame that is nearest to a time; of several at one time the last.
Result<std::size_t> nearest_frame(const RecordReader& record, double t) {
  std::size_t low = 0, high = record.frames();  // frames before low are at t or earlier
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const auto block = frame_at(record, middle);
    if (!block) return Unexpected{block.error()};
    (block->t[0] <= t ? low : high) = block->t[0] <= t ? middle + 1 : middle;
  }
  if (low == 0) return low;
  if (low == record.frames()) return low - 1;
  const auto before = frame_at(record, low - 1), after = frame_at(record, low);
  if (!before) return Unexpected{before.error()};
  if (!after) return Unexpected{after.error()};
  return t - before->t[0] <= after->t[0] - t ? low - 1 : low;
}

// Which frame is exported as triangles: the last, or the nearest to --at.
Result<FrameBlock> chosen_frame(const RecordReader& record, std::optional<double> at) {
  const std::size_t last = record.frames() - 1;
  const auto first_block = frame_at(record, 0);
  auto last_block = frame_at(record, last);
  if (!first_block) return Unexpected{first_block.error()};
  if (!last_block || !at) return last_block;
  if (!(*at >= first_block->t[0] && *at <= last_block->t[0])) {
    return Unexpected{
        Error{{"--at", "", 0, 0},
              fmt::format("t = {} s is outside the record", *at),
              fmt::format("it covers {} to {} s", first_block->t[0], last_block->t[0])}};
  }
  const auto nearest = nearest_frame(record, *at);
  if (!nearest) return Unexpected{nearest.error()};
  return frame_at(record, *nearest);
}

std::vector<ObjObject> objects_at(const Header& header, const Frame& frame) {
  std::vector<ObjObject> objects;
  for (std::size_t i = 0; i < header.meshes.size(); ++i) {
    if (header.meshes[i].empty()) continue;
    const BodyFrame& body = frame.bodies[i];
    const Pose<double> X_WB{rotation_matrix(body.orientation), body.position};
    objects.push_back({header.bodies[i], moved(X_WB, header.meshes[i])});
  }
  return objects;
}

// Bodies without triangles are told; whether there are others.
bool tell_missing(const RecordReader& record) {
  const Header& header = record.header();
  bool any = false;
  for (std::size_t i = 0; i < header.bodies.size(); ++i) {
    if (i < header.meshes.size() && !header.meshes[i].empty()) {
      any = true;
      continue;
    }
    print_errors({{{record.path(), fmt::format("\"{}\"", header.bodies[i]), 0, 0},
                   "the record has no triangles for this body",
                   "quadrics other than ellipsoids and paraboloids have none; neither do records "
                   "written without meshes"}});
  }
  return any;
}

void tell_left_out(const std::string& path, std::size_t frames) {
  print_errors({{{path, "", 0, 0},
                 fmt::format("{} omitted from the animation",
                             counted(static_cast<std::int64_t>(frames), "frame is", "frames are")),
                 "a pose or time is not a number or too large for glTF, or times decrease"}});
}

}  // namespace

ExitCode export_record(const ExportRequest& request) {
  if (const auto error = named_twice({request.input}, request.outputs()))
    return refused(*error, kUsage);
  const auto record = RecordReader::open(request.input);
  if (!record) return refused(record.error(), kBadInput);
  if (record->frames() == 0) return refused(no_frames(request.input), kBadInput);
  const auto chosen = chosen_frame(*record, request.at);
  if (!chosen) {
    return refused(chosen.error(), chosen.error().place.file == "--at" ? kUsage : kBadInput);
  }
  const bool shapes = !request.obj.empty() || !request.gltf.empty();
  if (shapes && !tell_missing(*record)) {
    return refused({{request.input, "", 0, 0},
                    "nothing to write: no body has triangles",
                    "use --csv, or run the scene again with `oloid run` to record triangles"},
                   kBadInput);
  }
  const UnfinishedFiles unfinished(request.outputs());
  RecorderGroup recorders;
  const GltfRecorder* animation = nullptr;
  std::optional<OutputFile> obj;  // all before the work: a wrong path costs no time
  if (!request.obj.empty()) {
    auto file = OutputFile::make(request.obj);
    if (!file) return refused(file.error(), kOutputFailed);
    obj.emplace(*std::move(file));
  }
  if (!request.gltf.empty()) {
    auto gltf = make_gltf_recorder(request.gltf, {request.contacts});
    if (!gltf) return refused(gltf.error(), kOutputFailed);
    animation = gltf->get();
    recorders.add(*std::move(gltf));
  }
  if (!request.csv.empty()) {
    auto csv = make_csv_writer(request.csv, request.table);
    if (!csv) return refused(csv.error(), kOutputFailed);
    recorders.add(*std::move(csv));
  }
  if (!recorders.empty()) {
    if (const auto error = play(*record, recorders)) return refused(*error, kBadInput);
    const bool nothing = animation && animation->key_frames() == 0;
    if (const auto error = recorders.trouble())
      return refused(*error, nothing ? kBadInput : kOutputFailed);
  }
  if (obj) {
    const std::vector<ObjObject> objects = objects_at(record->header(), chosen->frame(0));
    write_obj(objects, [&](std::string_view text) { obj->write(text); });
    obj->commit();
    if (const auto& error = obj->trouble()) return refused(*error, kOutputFailed);
    for (const ObjObject& object : objects) {
      fmt::print("{}: {} vertices, {} triangles\n", object.name, object.mesh.vertices.size(),
                 object.mesh.triangles.size());
    }
    fmt::print("bodies at t = {} s{}\n", chosen->t[0],
               !request.at                   ? ", the end of the record"
               : *request.at == chosen->t[0] ? ""
                                             : ", the nearest frame");
  }
  const char* of = record->summary() ? "" : " of an unfinished run";
  if (!request.csv.empty())
    fmt::print("{}{}\n", counted(static_cast<std::int64_t>(record->frames()), "frame"), of);
  if (animation) {
    fmt::print("{}{}\n", counted(static_cast<std::int64_t>(animation->key_frames()), "key frame"),
               of);
    if (animation->left_out() > 0) tell_left_out(request.input, animation->left_out());
  }
  for (const std::string& path : request.outputs())
    if (!path.empty()) fmt::print("wrote {}\n", path);
  return kOk;
}

}  // namespace oloid::app
