// docs/accuracy.md: the table of errors as a document, and what is kept of it.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "accuracy/distance_errors.h"
#include "support/rooms.h"

namespace oloid::test {

std::string accuracy_document(const ErrorTable& table);

// Worst errors [m] of the first table by the names of row and column; −1 where there is none.
std::map<std::pair<std::string, std::string>, double> kept_errors(const std::string& document);

}  // namespace oloid::test
