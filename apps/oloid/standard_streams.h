// Standard output is an output like others: what cannot be written there is told.
#pragma once

namespace oloid::app {

// Streams that were closed when the program was started lead nowhere, so that no file that is
// opened later takes their place.
void open_standard_streams();

// Runs the program and writes what is left to be printed. The program's exit code; one that would
// be kOk is kOutputFailed if standard output could not be written.
int with_standard_output(int (*program)(int, char**), int argc, char** argv);

}  // namespace oloid::app
