#include "commands/plot_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "commands/usage.h"
#include "oloid/io/plot/plot_quantity.h"

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

}  // namespace

PlotCommand::PlotCommand(CLI::App& app) {
  command_ = app.add_subcommand("plot", "Plot quantities of a record over time, as SVG or PNG");
  command_->add_option("record", request_.record, "Record (HDF5), or the .part file of a run")
      ->required();
  CLI::Option* what =
      command_
          ->add_option("--what", request_.what,
                       "Panels, separated by commas, e.g. energy,gap,ball.position.z; join "
                       "quantities that share a panel by +. Default: spin, energy, energy error, "
                       "normal force, slip, probes and modes")
          ->type_name("A,B,...")
          ->check(has_name());
  command_
      ->add_option("-o,--output", request_.output,
                   "The picture, .svg or .png. Default: the record's name with .svg")
      ->check(has_name());
  command_->add_option("--from", request_.from, "Start time, in seconds")->check(finite());
  command_->add_option("--to", request_.to, "End time, in seconds")->check(finite());
  command_
      ->add_option("--contact", request_.contacts,
                   "Two bodies, A,B, or the number of a contact: plot this contact where --what "
                   "names none; may be repeated. Default: all contacts that are ever closed")
      ->allow_extra_args(false);
  constexpr double kLeast = 240, kMost = 10000;
  command_->add_option("--width", request_.width, "Width of the picture, in pixels")
      ->check(within(kLeast, kMost))
      ->option_text("PX [960]");
  command_
      ->add_option(
          "--height", request_.height,
          "Height of the picture, in pixels. Default: as needed; panels are at least 48 high")
      ->check(within(kLeast, kMost))
      ->option_text("PX");
  command_
      ->add_option("--scale", request_.scale, "PNG: pixels in the file per pixel of the picture")
      ->check(within(0.1, 10.0))
      ->option_text("N [2]");
  const std::vector<std::string> themes{"auto", "light", "dark"};
  CLI::Option* theme =
      command_->add_option("--theme", request_.theme,
                           "auto, light or dark; auto follows the viewer (SVG) or is light (PNG)");
  theme->check(CLI::IsMember(themes))->option_text("NAME [auto]");
  command_->add_flag("--list", request_.list,
                     "Print all names that --what accepts, without plotting");
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
  return plot(request_);
}

}  // namespace oloid::app
