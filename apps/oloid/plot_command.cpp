#include "plot_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <filesystem>

#include "oloid/io/plot/plot_panels.h"
#include "oloid/io/plot/png_convert.h"
#include "oloid/io/plot/svg_plot.h"
#include "oloid/io/record/record_playback.h"
#include "simulate.h"
#include "usage.h"

namespace oloid::app {
namespace {

// Numbers within bounds; CLI::Range lets through what is no number.
CLI::Validator within(double least, double most) {
  return {[least, most](std::string& text) {
            double value = 0;
            const bool number = CLI::detail::lexical_cast(text, value);
            if (number && value >= least && value <= most) return std::string();
            return fmt::format("{} is not a number from {} to {}", text, least, most);
          },
          ""};
}
CLI::Validator finite() {
  return {[](std::string& text) {
            double value = 0;
            const bool number = CLI::detail::lexical_cast(text, value);
            return number && std::isfinite(value) ? std::string()
                                                  : fmt::format("{} is not a time", text);
          },
          ""};
}

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
  for (std::size_t i = 0; i < header.contacts.size(); ++i)
    fmt::print("  {}: {}\n", i, contact_name(header, i));
}

// Contacts that are ever closed, as the events tell.
std::vector<std::size_t> closed_contacts(const RecordReader& record) {
  std::vector<bool> closed(record.header().contacts.size(), false);
  for (const Event& event : record.events()) {
    const auto i = static_cast<std::size_t>(event.contact.index);
    const bool touches = event.before != Mode::separated || event.after != Mode::separated;
    if (event.contact.valid() && i < closed.size() && touches) closed[i] = true;
  }
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < closed.size(); ++i)
    if (closed[i]) list.push_back(i);
  return list;
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

PlotCommand::PlotCommand(CLI::App& app) {
  command_ = app.add_subcommand("plot", "Plot quantities of a record over time, as SVG or PNG");
  command_->add_option("record", record_, "Record (HDF5), or the .part file of a run")->required();
  CLI::Option* what =
      command_
          ->add_option("--what", what_,
                       "Panels, separated by commas, e.g. energy,gap,ball.position.z; join "
                       "quantities that share a panel by +. Default: spin, energy, energy error, "
                       "normal force, slip, probes and modes")
          ->type_name("A,B,...")
          ->check(has_name());
  command_
      ->add_option("-o,--output", output_,
                   "The picture, .svg or .png. Default: the record's name with .svg")
      ->check(has_name());
  command_->add_option("--from", from_, "Start time, in seconds")->check(finite());
  command_->add_option("--to", to_, "End time, in seconds")->check(finite());
  command_
      ->add_option("--contact", contacts_,
                   "Two bodies, A,B, or the number of a contact: plot this contact where --what "
                   "names none; may be repeated. Default: all contacts that are ever closed")
      ->allow_extra_args(false);
  constexpr double kLeast = 240, kMost = 10000;
  command_->add_option("--width", width_, "Width of the picture, in pixels")
      ->check(within(kLeast, kMost))
      ->option_text("PX [960]");
  command_
      ->add_option(
          "--height", height_,
          "Height of the picture, in pixels. Default: as needed; panels are at least 48 high")
      ->check(within(kLeast, kMost))
      ->option_text("PX");
  command_->add_option("--scale", scale_, "PNG: file pixels per picture pixel")
      ->check(within(0.1, 10.0))
      ->option_text("N [2]");
  const std::vector<std::string> themes{"auto", "light", "dark"};
  CLI::Option* theme = command_->add_option(
      "--theme", theme_, "auto, light or dark; auto follows the viewer (SVG) or is light (PNG)");
  theme->check(CLI::IsMember(themes))->option_text("NAME [auto]");
  command_->add_flag("--list", list_, "Print all names that --what accepts, without plotting");
  command_->footer(
      "Example: oloid plot ball.h5\n"
      "         oloid plot ball.h5 --what energy,gap,spin -o out.svg\n"
      "         oloid plot ball.h5 --what ball.position.z,ball-table.slip --from 1 --to 2 -o "
      "a.png\n"
      "         oloid plot ball.h5 --what ball.velocity.x+egg.velocity.x,mode --contact "
      "ball,table\n"
      "Quantities of contacts (gap, slip, ...) and bodies (position, ...) are named like the "
      "columns\n"
      "of --csv. Without an owner they are plotted for all contacts that are ever closed, and for "
      "all\n"
      "free bodies (neither fixed nor driven). PNG files need rsvg-convert (Debian: "
      "librsvg2-bin).");
  choices_[theme] = themes;
  for (const PlotQuantity& quantity : plot_quantities()) choices_[what].emplace_back(quantity.name);
  choices_[what].emplace_back("probes");
}

std::optional<ExitCode> PlotCommand::run() const {
  if (!command_->parsed()) return std::nullopt;
  return draw();
}

ExitCode PlotCommand::draw() const {
  std::string output = output_;
  if (output.empty() && !list_) {
    std::filesystem::path path = record_;
    if (path.extension() == ".part") path.replace_extension();
    output = path.replace_extension(".svg").string();
  }
  const std::string format = format_of(output);
  if (format.empty() && !list_) {
    return refused({{output, "", 0, 0},
                    "the file name does not say which kind of picture to write",
                    "use a name ending in .svg or .png"},
                   kUsage);
  }
  if (from_ && to_ && !(*from_ < *to_)) {
    return refused({{"--to", "", 0, 0},
                    fmt::format("the time span from {} to {} s is empty", *from_, *to_),
                    "--to must be later than --from"},
                   kUsage);
  }
  if (format == "png") {
    if (const auto converter = find_png_converter(); !converter)
      return refused(converter.error(), kOutputFailed);
  }
  if (const auto error = named_twice({record_}, {output})) return refused(*error, kUsage);
  const auto record = RecordReader::open(record_);
  if (!record) return refused(record.error(), kBadInput);
  const Header& header = record->header();
  if (list_) {
    print_names(header);
    return kOk;
  }
  PlotRequest request{
      what_, {}, {}, {}, width_, height_, theme_of(theme_), unfinished_note(*record)};
  const double inf = std::numeric_limits<double>::infinity();
  request.from = from_.value_or(-inf);
  request.to = to_.value_or(inf);
  for (const std::string& text : contacts_) {
    const auto contact = contact_named(header, text);
    if (!contact) return refused(contact.error(), kUsage);
    request.contacts.push_back(*contact);
  }
  if (contacts_.empty()) request.contacts = closed_contacts(*record);
  if (const auto panels = plot_panels(header, request.what, request.contacts); !panels)
    return refused(panels.error(), kUsage);
  const auto block = record->read(0, record->frames() > 0 ? 1 : 0);
  if (!block) return refused(block.error(), kBadInput);
  if (block->count == 0) {
    return refused(
        {{record_, "", 0, 0}, "the record has no frames", "wait until the run has started"},
        kBadInput);
  }
  const auto last = record->read(record->frames() - 1, 1);
  if (!last) return refused(last.error(), kBadInput);
  if (request.from >= last->t[0] || request.to <= block->t[0]) {
    return refused({{request.from >= last->t[0] ? "--from" : "--to", "", 0, 0},
                    "there are no frames in this time span",
                    fmt::format("the record covers {} to {} s", block->t[0], last->t[0])},
                   kUsage);
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is a write error like a full disk
  const auto plot =
      format == "png" ? make_png_plot(output, request, scale_) : make_svg_plot(output, request);
  if (!plot) return refused(plot.error(), kOutputFailed);
  if (const auto error = play(*record, **plot)) return refused(*error, kBadInput);
  if (const auto error = (*plot)->trouble())
    return refused(*error, error->place.file.starts_with("--") ? kUsage : kOutputFailed);
  fmt::print("wrote {}\n", output);
  return kOk;
}

}  // namespace oloid::app
