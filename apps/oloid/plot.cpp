#include "plot.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <set>

#include "oloid/io/plot/plot_names.h"
#include "oloid/io/plot/plot_panels.h"
#include "oloid/io/plot/png_convert.h"
#include "oloid/io/plot/svg_plot.h"
#include "output_files.h"
#include "refuse.h"
#include "unfinished_files.h"

namespace oloid::app {
namespace {

// "svg", "png", or nothing.
std::string format_of(const std::string& path) {
  std::string end = std::filesystem::path(path).extension().string();
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".svg" || end == ".png" ? end.substr(1) : "";
}

// All names that --what understands, with what they mean.
void print_names(const Header& header) {
  const auto line = [](std::string_view name, std::string_view unit, std::string_view about) {
    fmt::print("  {:<18}{:<9}{}\n", name, unit.empty() ? "" : fmt::format("[{}]", unit), about);
  };
  const auto group = [&](PlotQuantity::Of of) {
    for (const PlotQuantity& quantity : plot_quantities()) {
      if (quantity.of != of) continue;
      line(quantity.name, quantity.unit,
           quantity.parts.empty()
               ? std::string(quantity.about)
               : fmt::format("{}; parts {}", quantity.about, fmt::join(quantity.parts, ", ")));
    }
  };
  fmt::print("of the run:\n");
  group(PlotQuantity::Of::run);
  fmt::print("of contacts, e.g. gap or A-B.gap:\n");
  group(PlotQuantity::Of::contact);
  fmt::print("of bodies, e.g. position.z or BODY.position.z:\n");
  group(PlotQuantity::Of::body);
  if (!header.probes.empty()) {
    fmt::print("probes (\"probes\" means all of them):\n");
    for (const ProbeHeader& probe : header.probes) line(probe.name, probe.unit, probe.formula);
  }
  fmt::print("bodies:\n");
  for (const std::string& body : header.bodies) fmt::print("  {}\n", body);
  fmt::print("contacts:\n");
  for (std::size_t i = 0; i < header.pairs.size(); ++i)
    fmt::print("  {}: {}\n", i, contact_name(header, i));
}

// Contacts that are ever closed, as the events tell.
std::vector<std::size_t> closed_contacts(const RecordReader& record) {
  std::set<std::size_t> closed;
  for (const Event& event : record.events())
    if (event.contact.valid()) closed.insert(static_cast<std::size_t>(event.pair));
  return {closed.begin(), closed.end()};
}

PlotTheme theme_of(const std::string& word) {
  return word == "dark"    ? PlotTheme::dark
         : word == "light" ? PlotTheme::light
                           : PlotTheme::adaptive;
}

std::string unfinished_note(const RecordReader& record) {
  if (record.summary()) return "";
  return record.recovered() ? "recovered record: the run did not finish"
                            : "the run has not finished";
}

}  // namespace

ExitCode plot(const PlotFile& request) {
  std::string output = request.output;
  if (output.empty() && !request.list) output = beside(request.record, ".svg");
  const std::string format = format_of(output);
  if (format.empty() && !request.list) {
    return refused({{output, "", 0, 0},
                    "the file name does not say which kind of picture to write",
                    "use a name ending in .svg or .png"},
                   kUsage);
  }
  if (request.from && request.to && !(*request.from < *request.to)) {
    return refused(
        {{"--to", "", 0, 0},
         fmt::format("the time span from {} to {} s is empty", *request.from, *request.to),
         "--to must be later than --from"},
        kUsage);
  }
  if (format == "png") {
    if (const auto converter = find_png_converter(); !converter)
      return refused(converter.error(), kOutputFailed);
  }
  if (const auto error = named_twice({request.record}, {output})) return refused(*error, kUsage);
  const auto record = RecordReader::open(request.record);
  if (!record) return refused(record.error(), kBadInput);
  const Header& header = record->header();
  if (request.list) {
    print_names(header);
    return kOk;
  }
  PlotRequest picture{request.what,
                      {},
                      {},
                      {},
                      request.width,
                      request.height,
                      theme_of(request.theme),
                      unfinished_note(*record)};
  const double inf = std::numeric_limits<double>::infinity();
  picture.from = request.from.value_or(-inf);
  picture.to = request.to.value_or(inf);
  for (const std::string& text : request.contacts) {
    const auto contact = contact_named(header, text);
    if (!contact) return refused(contact.error(), kUsage);
    picture.contacts.push_back(*contact);
  }
  if (request.contacts.empty()) picture.contacts = closed_contacts(*record);
  if (const auto panels = plot_panels(header, picture.what, picture.contacts); !panels)
    return refused(panels.error(), kUsage);
  const auto block = record->read(0, record->frames() > 0 ? 1 : 0);
  if (!block) return refused(block.error(), kBadInput);
  if (block->count == 0) return refused(no_frames(request.record), kBadInput);
  const auto last = record->read(record->frames() - 1, 1);
  if (!last) return refused(last.error(), kBadInput);
  if (picture.from >= last->t[0] || picture.to <= block->t[0]) {
    return refused({{picture.from >= last->t[0] ? "--from" : "--to", "", 0, 0},
                    "there are no frames in this time span",
                    fmt::format("the record covers {} to {} s", block->t[0], last->t[0])},
                   kUsage);
  }
  const UnfinishedFiles unfinished({output});
  return write_from(*record,
                    format == "png" ? make_png_plot(output, picture, request.scale)
                                    : make_svg_plot(output, picture),
                    output);
}

}  // namespace oloid::app
