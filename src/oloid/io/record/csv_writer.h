// Writes a run as a CSV table, one row per frame, for spreadsheets and quick scripts.
#pragma once

#include <memory>
#include <string>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

struct CsvOptions {
  bool event_rows = false;     // also rows before and after events, of what these concern
  bool long_contacts = false;  // contacts in a second file, one row for each that a frame has
};

// Columns carry names and units, e.g. "ball.position.x [m]"; numbers have as many digits as
// they need to read back exactly. Cells are empty where nothing is known. The file gets its name in
// end(); before that it is PATH.part.
Result<std::unique_ptr<Recorder>> make_csv_writer(const std::string& path,
                                                  const CsvOptions& options = {});

// The name of that second file: NAME.contacts.csv.
std::string contacts_file(const std::string& csv);

}  // namespace oloid::io
