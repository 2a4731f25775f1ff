#include "oloid/io/record/csv_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "oloid/io/files/output_file.h"

namespace oloid::io {
namespace {

class CsvWriter final : public Recorder {
 public:
  explicit CsvWriter(OutputFile file) : file_(std::move(file)) {}

  void begin(const Header& header) override {
    line_.clear();
    for (const char* column :
         {"t [s]", "event_side", "kinetic [J]", "potential [J]", "dissipated [J]", "work [J]"}) {
      title(column);
    }
    for (const std::string& body : header.bodies) {
      titles(body + ".position", "xyz", "m");
      titles(body + ".orientation", "wxyz", "1");
      titles(body + ".velocity", "xyz", "m/s");
      titles(body + ".angular_velocity", "xyz", "rad/s");
    }
    for (const auto& [a, b] : header.contacts) {
      const auto body = [&](BodyId id) {
        return id.valid() ? header.bodies[static_cast<std::size_t>(id.index)] : std::string("?");
      };
      const std::string pair = body(a) + "-" + body(b);
      title(pair + ".mode");
      title(pair + ".gap [m]");
      titles(pair + ".point_a", "xyz", "m");
      titles(pair + ".point_b", "xyz", "m");
      titles(pair + ".normal", "xyz", "1");
      titles(pair + ".slip", "xyz", "m/s");
      title(pair + ".spin [rad/s]");
      title(pair + ".normal_force [N]");
      titles(pair + ".friction", "xyz", "N");
      titles(pair + ".moment", "xyz", "N m");
      title(pair + ".psi [rad]");
    }
    for (const ProbeHeader& probe : header.probes) {
      title(probe.unit.empty() ? probe.name : fmt::format("{} [{}]", probe.name, probe.unit));
    }
    flush_line();
  }

  void frame(const Frame& frame) override {
    number(frame.t);
    cell(fmt::format_int(frame.event_side).c_str());
    number(frame.energy.kinetic);
    number(frame.energy.potential);
    number(frame.energy.dissipated);
    number(frame.energy.work);
    for (const BodyFrame& body : frame.bodies) {
      vector(body.position);
      for (const double x :
           {body.orientation.w, body.orientation.x, body.orientation.y, body.orientation.z}) {
        number(x);
      }
      vector(body.velocity);
      vector(body.angular_velocity);
    }
    for (const ContactFrame& contact : frame.contacts) {
      cell(name(contact.mode));
      number(contact.gap);
      vector(contact.point_A);
      vector(contact.point_B);
      vector(contact.normal);
      vector(contact.slip);
      number(contact.spin);
      number(contact.normal_force);
      vector(contact.friction);
      vector(contact.moment);
      number(contact.psi);
    }
    for (const double value : frame.probes) number(value);
    flush_line();
  }

  void event(const Event&) override {}
  void end(const Summary&) override { file_.commit(); }
  std::optional<Error> trouble() const override { return file_.trouble(); }

 private:
  void cell(std::string_view text) {
    if (!line_.empty()) line_ += ',';
    line_ += text;
  }
  void number(double x) {
    if (!line_.empty()) line_ += ',';
    fmt::format_to(std::back_inserter(line_), "{:.17g}", x);
  }
  void vector(const Vec3<double>& v) {
    for (int i = 0; i < 3; ++i) number(v[i]);
  }
  // Names are the user's: quotes and commas in them need quoting (RFC 4180).
  void title(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == text.npos) return cell(text);
    std::string quoted = "\"";
    for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
    cell(quoted + '"');
  }
  void titles(const std::string& what, std::string_view axes, std::string_view unit) {
    for (const char axis : axes) title(fmt::format("{}.{} [{}]", what, axis, unit));
  }
  void flush_line() {
    line_ += '\n';
    file_.write(line_);
    line_.clear();
  }

  OutputFile file_;
  std::string line_;  // kept to avoid allocating for each row
};

}  // namespace

Result<std::unique_ptr<Recorder>> make_csv_writer(const std::string& path) {
  auto file = OutputFile::make(path);
  if (!file) return Unexpected{file.error()};
  return std::unique_ptr<Recorder>(std::make_unique<CsvWriter>(std::move(*file)));
}

}  // namespace oloid::io
