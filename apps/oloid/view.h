// `oloid view`: a record as a page, opened in the browser.
#pragma once

#include <string>

#include "options.h"

namespace oloid::app {

// An empty page name: beside the record, with .html instead of .h5. A scene, given by its file or
// the name of a built-in scene, is run first; its page goes to the current folder.
ExitCode view(const std::string& input, std::string page_file, bool open);

}  // namespace oloid::app
