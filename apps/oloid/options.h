// What the command line asks for, and the exit codes it answers with.
#pragma once

#include <string>

#include "oloid/io/record/csv_writer.h"

namespace oloid::app {

struct Outputs {
  std::string record, json, csv, svg, html;  // file names; empty: not wanted
  CsvOptions table;                          // of csv
  bool chart_crossings = false;              // recorded, even if the scene does not ask for them

  bool none() const {
    return record.empty() && json.empty() && csv.empty() && svg.empty() && html.empty();
  }
};

// Exit codes, documented in docs/cli.md and in --help.
enum ExitCode : int {
  kOk = 0,             // the run came to its end; the scene is good
  kBadInput = 1,       // the scene was refused; nothing was written
  kUsage = 2,          // the command line was not understood
  kOutputFailed = 3,   // a file could not be written
  kStoppedEarly = 4,   // the run met trouble and ended early; what was computed is kept
  kDiffers = 5,        // a run does not repeat its record
  kInterrupted = 130,  // Ctrl-C; what was computed is kept
};

}  // namespace oloid::app
