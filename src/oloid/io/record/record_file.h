// Writes the record of a run as HDF5 that survives crashes. Layout: docs/formats/record.md.
#pragma once

#include <memory>
#include <string>

#include "oloid/base/result.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

// Writes PATH.part and renames it to PATH in end(); a PATH that exists stays whole until then. Data
// reach the file about once a second of wall time, in a form that stays readable after a kill.
Result<std::unique_ptr<Recorder>> make_record_file(const std::string& path);

// The same for the remains of a run that did not finish: the record is marked as recovered, and the
// summary passed to end() is not written.
Result<std::unique_ptr<Recorder>> make_recovered_record(const std::string& path);

}  // namespace oloid::io
