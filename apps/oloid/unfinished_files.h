// Files that are of no use unless they are complete: their parts do not outlive a Ctrl-C.
#pragma once

#include <string>
#include <vector>

namespace oloid::app {

// While one of these exists (there is at most one), SIGINT and SIGTERM remove the parts of these
// files and end the program with kInterrupted. Empty names are left out.
class UnfinishedFiles {
 public:
  explicit UnfinishedFiles(const std::vector<std::string>& files);
  ~UnfinishedFiles();
  UnfinishedFiles(const UnfinishedFiles&) = delete;
  UnfinishedFiles& operator=(const UnfinishedFiles&) = delete;
};

}  // namespace oloid::app
