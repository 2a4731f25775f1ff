// Accompanies a scene while it is read: knows its files and parameters, collects errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oloid/base/result.h"
#include "oloid/io/scene_text/document.h"
#include "oloid/io/scene_text/scene_parameters.h"

namespace oloid::io {

class Complaints {
 public:
  explicit Complaints(std::string file) : files_{std::move(file)} {}

  // The number of another file, for Spot::file.
  int add_file(std::string name);

  Place place(Spot spot, std::string path) const;
  void add(Place place, std::string message, std::string remedy);
  void add(Spot spot, std::string path, std::string message, std::string remedy);
  void add(Error error);
  // Two keys both specify `what`, given in words.
  void add_both(Place place, std::string_view first, std::string_view second,
                std::string_view what);
  bool empty() const { return errors_.empty(); }
  // In the order of the files; a long list is cut and says so.
  Errors take();

  const Parameters& parameters() const { return parameters_; }
  void set_parameters(Parameters parameters) { parameters_ = std::move(parameters); }

 private:
  std::vector<std::string> files_;
  Errors errors_;
  Parameters parameters_;
};

}  // namespace oloid::io
