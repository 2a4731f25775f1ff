#include "oloid/io/record/csv_writer.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <vector>

#include "oloid/io/files/output_file.h"

namespace oloid::io {
namespace {

// Lines of cells.
class CsvTable {
 public:
  explicit CsvTable(OutputFile to) : file(std::move(to)) {}

  void cell(std::string_view text) {
    if (!empty_) line_ += ',';
    empty_ = false;
    line_ += text;
  }
  void number(double x) {
    cell("");
    fmt::format_to(std::back_inserter(line_), "{}", x);
  }
  void whole(int x) { cell(fmt::format_int(x).c_str()); }
  void vector(const Vec3<double>& v) {
    for (int i = 0; i < 3; ++i) number(v[i]);
  }
  void blank(std::size_t cells) {
    for (std::size_t i = 0; i < cells; ++i) cell("");
  }
  // Names are the user's: quotes and commas in them need quoting (RFC 4180).
  void text(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == text.npos) return cell(text);
    std::string quoted = "\"";
    for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
    cell(quoted + '"');
  }
  void titles(const std::string& what, std::string_view axes, std::string_view unit) {
    for (const char axis : axes) text(fmt::format("{}.{} [{}]", what, axis, unit));
  }
  void end_line() {
    line_ += '\n';
    file.write(line_);
    line_.clear();
    empty_ = true;
  }

  OutputFile file;

 private:
  std::string line_;  // kept to avoid allocating for each row
  bool empty_ = true;
};

constexpr std::size_t kBodyCells = 13, kContactCells = 23;

// `prefix` is the pair with a dot, or nothing.
void contact_titles(CsvTable& table, const std::string& prefix) {
  table.text(prefix + "mode");
  table.text(prefix + "gap [m]");
  table.titles(prefix + "point_a", "xyz", "m");
  table.titles(prefix + "point_b", "xyz", "m");
  table.titles(prefix + "normal", "xyz", "1");
  table.titles(prefix + "slip", "xyz", "m/s");
  table.text(prefix + "spin [rad/s]");
  table.text(prefix + "normal_force [N]");
  table.titles(prefix + "friction", "xyz", "N");
  table.titles(prefix + "moment", "xyz", "N m");
  table.text(prefix + "psi [rad]");
}

void contact_cells(CsvTable& table, const ContactFrame& contact) {
  table.cell(name(contact.mode));
  table.number(contact.gap);
  table.vector(contact.point_A);
  table.vector(contact.point_B);
  table.vector(contact.normal);
  table.vector(contact.slip);
  table.number(contact.spin);
  table.number(contact.normal_force);
  table.vector(contact.friction);
  table.vector(contact.moment);
  table.number(contact.psi);
}

void body_cells(CsvTable& table, const BodyFrame& body) {
  table.vector(body.position);
  const Quat<double>& q = body.orientation;
  for (const double x : {q.w, q.x, q.y, q.z}) table.number(x);
  table.vector(body.velocity);
  table.vector(body.angular_velocity);
}

class CsvWriter final : public Recorder {
 public:
  CsvWriter(OutputFile file, std::optional<OutputFile> contacts, bool event_rows)
      : table_(std::move(file)), event_rows_(event_rows) {
    if (contacts) contacts_.emplace(*std::move(contacts));
  }

  void begin(const Header& header) override {
    for (const char* column :
         {"t [s]", "event_side", "kinetic [J]", "potential [J]", "dissipated [J]", "work [J]"}) {
      table_.cell(column);
    }
    for (const std::string& body : header.bodies) {
      table_.titles(body + ".position", "xyz", "m");
      table_.titles(body + ".orientation", "wxyz", "1");
      table_.titles(body + ".velocity", "xyz", "m/s");
      table_.titles(body + ".angular_velocity", "xyz", "rad/s");
    }
    pairs_ = header.pairs;
    bodies_ = header.bodies;
    for (std::size_t i = 0; !contacts_ && i < pairs_.size(); ++i)
      contact_titles(table_, fmt::format("{}-{}.", name(pairs_[i][0]), name(pairs_[i][1])));
    for (const ProbeHeader& probe : header.probes) {
      table_.text(probe.unit.empty() ? probe.name : fmt::format("{} [{}]", probe.name, probe.unit));
    }
    table_.end_line();
    if (!contacts_) return;
    for (const char* column : {"t [s]", "event_side", "contact", "ordinal", "a", "b"})
      contacts_->cell(column);
    contact_titles(*contacts_, "");
    contacts_->end_line();
  }

  EventDetail event_detail() const override {
    return event_rows_ ? EventDetail::whole : EventDetail::none;
  }

  void frame(const Frame& frame) override {
    if (frame.event && !event_rows_) return;
    table_.number(frame.t);
    table_.whole(frame.event_side);
    for (const double x :
         {frame.energy.kinetic, frame.energy.potential, frame.energy.dissipated, frame.energy.work})
      table_.number(x);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      if (concerns(frame, i)) {
        body_cells(table_, frame.bodies[i]);
      } else {
        table_.blank(kBodyCells);
      }
    }
    if (contacts_) {
      long_contacts(frame);
    } else {
      wide_contacts(frame);
    }
    for (const double value : frame.probes) {
      if (frame.event) {
        table_.blank(1);
      } else {
        table_.number(value);
      }
    }
    table_.end_line();
  }

  void event(const Event&) override {}
  void end(const Summary&) override {
    table_.file.commit();
    if (contacts_) contacts_->file.commit();
  }
  std::optional<Error> trouble() const override {
    const auto error = table_.file.trouble();
    return error || !contacts_ ? error : contacts_->file.trouble();
  }

 private:
  std::string name(BodyId id) const {
    return id.valid() ? bodies_[static_cast<std::size_t>(id.index)] : std::string("?");
  }

  // The first contact of each pair has its columns; those of pairs that are far apart stay empty.
  void wide_contacts(const Frame& frame) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const ContactFrame* contact = first_of(frame.contacts, static_cast<int>(i));
      if (contact && concerns(frame, *contact)) {
        contact_cells(table_, *contact);
      } else {
        table_.blank(kContactCells);
      }
    }
  }

  void long_contacts(const Frame& frame) {
    for (const ContactFrame& contact : frame.contacts) {
      if (!concerns(frame, contact)) continue;
      contacts_->number(frame.t);
      contacts_->whole(frame.event_side);
      contacts_->cell(contact.id.valid() ? fmt::to_string(contact.id.index) : "");
      contacts_->whole(contact.ordinal);
      for (const BodyId body : pairs_[static_cast<std::size_t>(contact.pair)])
        contacts_->text(name(body));
      contact_cells(*contacts_, contact);
      contacts_->end_line();
    }
  }

  CsvTable table_;
  std::optional<CsvTable> contacts_;  // in long form
  bool event_rows_;
  BodyPairs pairs_;
  std::vector<std::string> bodies_;
};

}  // namespace

std::string contacts_file(const std::string& csv) {
  const std::filesystem::path path(csv);
  return (path.parent_path() / (path.stem().string() + ".contacts.csv")).string();
}

Result<std::unique_ptr<Recorder>> make_csv_writer(const std::string& path,
                                                  const CsvOptions& options) {
  auto file = OutputFile::make(path);
  if (!file) return Unexpected{file.error()};
  std::optional<OutputFile> contacts;
  if (options.long_contacts) {
    auto second = OutputFile::make(contacts_file(path));
    if (!second) return Unexpected{second.error()};
    contacts.emplace(*std::move(second));
  }
  return std::unique_ptr<Recorder>(
      std::make_unique<CsvWriter>(*std::move(file), std::move(contacts), options.event_rows));
}

}  // namespace oloid::io
