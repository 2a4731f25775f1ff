#include "view.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "find_scene.h"
#include "oloid/io/files/run_program.h"
#include "oloid/io/page/replay_page.h"
#include "output_files.h"
#include "refuse.h"
#include "simulate.h"
#include "unfinished_files.h"

namespace oloid::app {
namespace {

bool has_screen() {
#ifdef __APPLE__
  return true;
#else
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != 0;
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY");
#endif
}

// Hands a file to the desktop; whether there was one that took it. Some browsers stay in the
// foreground: what has not failed soon has worked.
bool open_on_desktop(const std::string& path) {
  if (!has_screen()) return false;
#ifdef __APPLE__
  const char* program = "open";
#else
  const char* program = "xdg-open";
#endif
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const auto status = run_program({program, path}, {-1, nowhere, nowhere}, std::chrono::seconds(3));
  ::close(nowhere);
  return status.value_or(0) == 0;
}

ExitCode write_page(const std::string& record_file, const std::string& page_file) {
  const auto record = RecordReader::open(record_file);
  if (!record) return refused(record.error(), kBadInput);
  if (record->frames() == 0) return refused(no_frames(record_file), kBadInput);
  if (const auto error = named_twice({record_file}, {page_file})) return refused(*error, kUsage);
  const UnfinishedFiles unfinished({page_file});
  return write_from(*record, make_replay_page(page_file), page_file);
}

ExitCode run_to_page(const std::string& name, const std::string& page_file) {
  const auto scene = find_scene(name, {});
  if (!scene) return refused(scene.error(), kBadInput);
  Outputs outputs;
  outputs.html = page_file;
  return simulate(scene->spec, scene->file, outputs, 0);
}

// A path as browsers take it.
std::string url_of(const std::string& path) {
  std::string url = "file://";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/-_.~", c);
    url += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

}  // namespace

ExitCode view(const std::string& input, std::string page_file, bool open) {
  const std::filesystem::path given(input);
  const bool is_scene =
      !is_record(input) && (given.extension() == ".toml" || given == given.stem());
  if (page_file.empty())
    page_file = is_scene ? given.stem().string() + ".html" : beside(input, ".html");
  const ExitCode written = is_scene ? run_to_page(input, page_file) : write_page(input, page_file);
  if ((written != kOk && written != kStoppedEarly) || !open) return written;
  const std::string path = std::filesystem::absolute(page_file).lexically_normal().string();
  if (!open_on_desktop(path)) fmt::print("open it in a browser: {}\n", url_of(path));
  return written;
}

}  // namespace oloid::app
