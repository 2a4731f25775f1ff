#include "unfinished_files.h"

#include <unistd.h>

#include <csignal>

#include "oloid/io/files/output_path.h"
#include "options.h"

namespace oloid::app {
namespace {

std::vector<std::string> parts;  // not changed while a signal may come

extern "C" void remove_parts(int) {
  for (const std::string& part : parts) ::unlink(part.c_str());
  ::_exit(kInterrupted);
}

}  // namespace

UnfinishedFiles::UnfinishedFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const auto path = make_output_path(file);
    if (path && path->renamed()) parts.push_back(path->part_path);
  }
  std::signal(SIGINT, remove_parts);
  std::signal(SIGTERM, remove_parts);
}

UnfinishedFiles::~UnfinishedFiles() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  parts.clear();
}

}  // namespace oloid::app
