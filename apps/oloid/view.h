// `oloid view`: a record as a page, opened in the browser.
#pragma once

#include <string>

#include "options.h"

namespace oloid::app {

// An empty page name: beside the record, with .html instead of .h5.
ExitCode view(const std::string& record_file, std::string page_file, bool open);

}  // namespace oloid::app
