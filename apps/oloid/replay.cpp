#include "replay.h"

#include <fmt/format.h>

#include "oloid/base/version.h"
#include "oloid/io/record/record_playback.h"
#include "oloid/io/record/record_recovery.h"
#include "oloid/io/record/recorder_group.h"
#include "oloid/io/scene_text/scene_reader.h"
#include "refuse.h"
#include "report.h"
#include "simulate.h"
#include "verify.h"

namespace oloid::app {
namespace {

// Bits are only promised within one build.
std::string written_by(const Header& header) {
  if (header.oloid_version == kVersion && header.build == kBuild) return "this build of oloid";
  return fmt::format("oloid {} ({}); this is oloid {} ({})", header.oloid_version, header.build,
                     kVersion, kBuild);
}

void print_hashes(const Header& header, const Summary& summary) {
  fmt::print("hash {:016x}", summary.hash);
  std::size_t moving = 0;
  for (std::size_t i = 0; i < header.bodies.size() && moving < summary.hashes.size(); ++i) {
    if (!(header.masses[i] > 0)) continue;
    fmt::print(", {} {:016x}", header.bodies[i], summary.hashes[moving++]);
  }
  fmt::print("\n");
}

ExitCode print_record(const RecordReader& record) {
  const Header& h = record.header();
  fmt::print("{}: {} frames, {} events, {} bodies, written by {}\n", record.path(), record.frames(),
             record.events().size(), h.bodies.size(), written_by(h));
  Report report;
  if (const auto error = play(record, report)) return refused(*error, kBadInput);
  report.print(record.summary().has_value());
  if (record.summary()) {
    print_hashes(h, *record.summary());
  } else {
    fmt::print("the run did not finish{}\n",
               record.recovered()
                   ? "; the record was recovered"
                   : ": if it is no longer running, close its record with `oloid recover`");
  }
  return kOk;
}

ExitCode verify_record(const RecordReader& record) {
  const Header& h = record.header();
  auto spec = parse_scene(h.scene_text, h.scene_file, {h.overrides, h.files});
  if (!spec) return refused(spec.error(), kBadInput);
  spec->chart_crossings = h.chart_crossings;
  const auto model = compile(*spec);
  if (!model) return refused(model.error(), kBadInput);
  RecorderGroup recorders;
  auto owner = std::make_unique<Verifier>(record);
  const Verifier& verifier = *owner;
  recorders.add(std::move(owner));
  const bool interrupted =
      run_watched(*model, recorders, 0, [&](double t) { return verifier.done(t); });
  if (verifier.trouble()) return refused(*verifier.trouble(), kBadInput);
  if (interrupted) {
    fmt::print("interrupted; no difference so far\n");
    return kInterrupted;
  }
  if (verifier.difference().empty()) {
    fmt::print("identical to the last bit{}\n", record.summary() ? "" : ", as far as recorded");
    return kOk;
  }
  fmt::print("different: {}\n", verifier.difference());
  if (h.oloid_version != kVersion || h.build != kBuild)
    fmt::print(
        "the record was written by {}: results are guaranteed to be bit-identical only within one "
        "build\n",
        written_by(h));
  return kDiffers;
}

}  // namespace

ExitCode replay(const std::string& file, bool verify) {
  const auto record = RecordReader::open(file);
  if (!record) return refused(record.error(), kBadInput);
  const ExitCode code = print_record(*record);
  return code == kOk && verify ? verify_record(*record) : code;
}

ExitCode recover(const std::string& part, const std::string& to) {
  const auto done = recover_record(part, to);
  if (!done) {
    const bool input = done.error().place.file == part;
    return refused(done.error(), input ? kBadInput : kOutputFailed);
  }
  fmt::print("wrote {}: {} frames and {} events, up to t = {:.6g} s\n", done->path, done->frames,
             done->events, done->t_end);
  return kOk;
}

}  // namespace oloid::app
