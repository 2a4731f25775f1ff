// Opening a record: everything but its frames is read and checked.
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "oloid/io/files/text_file.h"
#include "oloid/io/record/hdf5_read.h"
#include "oloid/io/record/record_layout.h"
#include "oloid/io/record/record_reader.h"

namespace oloid::io {
namespace {

// The rows that all datasets of a frame have, and whether each of them could be read.
struct Complete {
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  std::string damaged;  // the first that could not

  void see(Hdf5Handle::Id at, const std::string& name, std::size_t width) {
    const auto count = rows_of(open_dataset(at, name), width);
    if (!count && damaged.empty()) damaged = name;
    rows = std::min(rows, count.value_or(0));
  }
  template <class T, std::size_t N>
  void see(Hdf5Handle::Id at, const std::string& group, const FrameColumn<T> (&columns)[N]) {
    for (const auto& c : columns) see(at, group + "/" + c.name, c.width);
  }
};

template <std::size_t N>
std::string_view text_of(const char (&padded)[N]) {
  return {padded, ::strnlen(padded, N)};
}

}  // namespace

// Opens a record, part by part; the first trouble ends it.
class RecordOpener {
 public:
  explicit RecordOpener(const std::string& path) { record_.path_ = path; }

  Result<RecordReader> open() {
    const Hdf5Silence silence;
    if (!open_file() || !check_format()) return Unexpected{*trouble_};
    for (const auto& [part, read] : {std::pair("the header", &RecordOpener::read_header),
                                     std::pair("/files", &RecordOpener::read_files),
                                     std::pair("/bodies", &RecordOpener::read_bodies),
                                     std::pair("/pairs", &RecordOpener::read_pairs),
                                     std::pair("/probes", &RecordOpener::read_probes),
                                     std::pair("/frames", &RecordOpener::count_frames),
                                     std::pair("/events", &RecordOpener::read_events),
                                     std::pair("/summary", &RecordOpener::read_summary)}) {
      if (!(this->*read)()) return Unexpected{trouble_.value_or(record_.damage(part))};
    }
    return std::move(record_);
  }

 private:
  bool refuse(std::string message, std::string remedy) {
    trouble_ = Error{{record_.path_, "", 0, 0}, std::move(message), std::move(remedy)};
    return false;
  }
  hid_t root() const { return record_.file_.id(); }

  // Opens it as a reader beside a writer, which is the only way after a run was killed; otherwise
  // as an ordinary file.
  bool open_file() {
    const auto first = read_text_file(record_.path_, 8);
    if (!first) {
      trouble_ = first.error();
      return false;
    }
    for (const unsigned how : {H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5F_ACC_RDONLY}) {
      record_.file_ = {H5Fopen(record_.path_.c_str(), how, record_access().id()), H5Fclose};
      if (record_.file_.valid()) return true;
    }
    if (!first->starts_with(kHdf5Signature))
      return refuse("this is not a record", "records are HDF5 files");
    return refuse("the record is damaged: the HDF5 library cannot open it",
                  "use another copy of the file, or run the scene again");
  }

  bool check_format() {
    const auto format = number_attribute(root(), "format");
    if (!format)
      return refuse("this HDF5 file is not a record, or is damaged",
                    "`oloid run -o` writes records");
    record_.format_ = static_cast<int>(*format);
    if (*format >= 1 && *format <= static_cast<double>(kRecordFormat)) return true;
    return refuse(fmt::format("the record has format {}, but this program reads formats 1 to {}",
                              *format, kRecordFormat),
                  "use the version of oloid that wrote it, or run the scene again");
  }

  template <class T>
  static bool set(T& to, std::optional<T> value) {
    if (value) to = std::move(*value);
    return value.has_value();
  }

  bool read_header() {
    Header& h = record_.header_;
    record_.recovered_ = number_attribute(root(), "recovered").value_or(0) != 0;
    h.chart_crossings = number_attribute(root(), "chart_crossings").value_or(1) != 0;
    return set(h.scene_text, read_text(root(), "scene_text")) &&
           set(h.oloid_version, text_attribute(root(), "oloid_version")) &&
           (set(h.build, text_attribute(root(), "build")) || record_.format_ == 1) &&
           set(h.scene_name, text_attribute(root(), "scene_name")) &&
           set(h.scene_file, text_attribute(root(), "scene_file")) &&
           set(h.duration, number_attribute(root(), "duration")) &&
           set(h.output_dt, number_attribute(root(), "output_dt")) &&
           set(h.gravity, vector_attribute(root(), "gravity")) &&
           (set(h.energy_scale, number_attribute(root(), "energy_scale")) || record_.format_ == 1);
  }

  bool read_files() {
    if (!each("files", [&](const Hdf5Handle& group, const std::string& item) {
          SceneFile& file = record_.header_.files.emplace_back();
          const Hdf5Handle dataset = open_dataset(group.id(), item);
          return dataset.valid() && set(file.text, read_text(group.id(), item)) &&
                 set(file.name, text_attribute(dataset.id(), "name"));
        }))
      return false;
    const auto texts = [&](const std::string& name, std::vector<std::string>& out) {
      return each(name, [&](const Hdf5Handle& group, const std::string& item) {
        return set(out.emplace_back(), read_text(group.id(), item));
      });
    };
    return texts("overrides", record_.header_.overrides) &&
           texts("stop_when", record_.header_.stops);
  }

  // The items "0", "1", ... of a group, none if there is no group.
  template <class Visit>
  bool each(const std::string& group_name, Visit visit) {
    if (!has(root(), group_name)) return true;
    const Hdf5Handle group = open_group(root(), group_name);
    if (!group.valid()) return false;
    for (std::size_t i = 0; has(group.id(), std::to_string(i)); ++i) {
      if (!visit(group, std::to_string(i))) return false;
    }
    return true;
  }

  bool read_bodies() {
    Header& h = record_.header_;
    return each("bodies", [&](const Hdf5Handle& group, const std::string& item) {
      const Hdf5Handle body = open_group(group.id(), item);
      if (!body.valid() || !set(h.bodies.emplace_back(), text_attribute(body.id(), "name")) ||
          !set(h.masses.emplace_back(), number_attribute(body.id(), "mass")))
        return false;
      DisplayMesh mesh;
      if (has(body.id(), "mesh") && !read_mesh(body, mesh)) return false;
      h.meshes.push_back(std::move(mesh));
      return true;
    });
  }

  // Chains of points between rows that are not numbers.
  static std::vector<Polyline> parted(const Polyline& rows) {
    std::vector<Polyline> lines;
    bool open = false;
    for (const Vec3<double>& p : rows) {
      if (p.allFinite()) {
        if (!open) lines.emplace_back();
        lines.back().push_back(p);
      }
      open = p.allFinite();
    }
    return lines;
  }

  static bool read_mesh(const Hdf5Handle& body, DisplayMesh& mesh) {
    const Hdf5Handle group = open_group(body.id(), "mesh");
    if (!group.valid()) return false;
    const auto numbers = [&](const char* name, auto& rows) {
      const Hdf5Handle dataset = open_dataset(group.id(), name);
      const auto count = rows_of(dataset, 3);
      if (!count) return false;
      rows.resize(*count);
      return rows.empty() || read_rows(dataset, 3, 0, *count, rows[0].data());
    };
    if (!numbers("vertices", mesh.vertices) || !numbers("normals", mesh.normals) ||
        !numbers("triangles", mesh.triangles) || mesh.normals.size() != mesh.vertices.size())
      return false;
    const auto finite = [](const Vec3<double>& p) { return p.allFinite(); };
    if (!std::all_of(mesh.vertices.begin(), mesh.vertices.end(), finite)) return false;
    for (auto& [name, lines] : {std::pair{"borders", &mesh.borders},
                                std::pair{"parameter_lines", &mesh.parameter_lines}}) {
      Polyline rows;
      if (has(group.id(), name) && !numbers(name, rows)) return false;
      *lines = parted(rows);
    }
    return std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& triangle) {
      return std::all_of(triangle.begin(), triangle.end(), [&](std::int32_t i) {
        return i >= 0 && static_cast<std::size_t>(i) < mesh.vertices.size();
      });
    });
  }

  bool is_body(double index) const {
    return index >= 0 && index < static_cast<double>(record_.header_.bodies.size());
  }

  bool read_pairs() {
    if (record_.format_ < 3) return read_contact_groups();
    const Hdf5Handle dataset = open_dataset(root(), "pairs");
    const auto count = rows_of(dataset, 1);
    if (!count) return false;
    std::vector<PairRow> rows(*count);
    if (!read_rows(dataset, pair_type(), 1, 0, *count, rows.data())) return false;
    Header& h = record_.header_;
    std::vector<bool> moves;
    for (const double mass : h.masses) moves.push_back(mass > 0);
    h.pairs = BodyPairs(moves);
    for (const PairRow& row : rows) {
      const BodyPairs::Bodies bodies{BodyId{row.body_a}, BodyId{row.body_b}};
      if (row.pair < 0 || static_cast<std::size_t>(row.pair) >= h.pairs.size() ||
          h.pairs[static_cast<std::size_t>(row.pair)] != bodies)
        break;  // promised but not written
      if (!std::isnan(row.static_friction))
        h.friction.set(bodies[0], bodies[1], {row.static_friction, row.kinetic_friction});
    }
    return true;
  }

  // Formats 1 and 2 have a group for each pair.
  bool read_contact_groups() {
    std::vector<BodyPairs::Bodies> pairs;
    const bool good = each("contacts", [&](const Hdf5Handle& group, const std::string& item) {
      const Hdf5Handle contact = open_group(group.id(), item);
      if (!contact.valid()) return false;
      const auto a = number_attribute(contact.id(), "body_a");
      const auto b = number_attribute(contact.id(), "body_b");
      if (!a || !b || !is_body(*a) || !is_body(*b)) return false;
      pairs.push_back(
          {BodyId{static_cast<std::int32_t>(*a)}, BodyId{static_cast<std::int32_t>(*b)}});
      const auto still = number_attribute(contact.id(), "static_friction");
      const auto sliding = number_attribute(contact.id(), "kinetic_friction");
      if (still && sliding)
        record_.header_.friction.set(pairs.back()[0], pairs.back()[1], {*still, *sliding});
      return true;
    });
    record_.header_.pairs = BodyPairs(std::move(pairs));
    return good;
  }

  bool read_probes() {
    if (!has(root(), "probes")) return true;
    const Hdf5Handle group = open_group(root(), "probes");
    if (!group.valid()) return false;
    const std::vector<std::string> names = names_in(group.id());
    auto& probes = record_.header_.probes;
    probes.resize(names.size());
    for (const std::string& name : names) {
      const Hdf5Handle dataset = open_dataset(group.id(), name);
      if (!dataset.valid()) return false;
      const auto index = number_attribute(dataset.id(), "index");
      if (!index || !(*index >= 0 && *index < static_cast<double>(names.size()))) return false;
      ProbeHeader& probe = probes[static_cast<std::size_t>(*index)];
      probe.name = name;
      probe.unit = text_attribute(dataset.id(), "unit").value_or("");
      probe.event = number_attribute(dataset.id(), "event").value_or(1) != 0;
      if (!set(probe.formula, text_attribute(dataset.id(), "formula"))) return false;
    }
    return std::none_of(probes.begin(), probes.end(),
                        [](const ProbeHeader& probe) { return probe.name.empty(); });
  }

  bool count_frames() {
    const Header& h = record_.header_;
    Complete all;
    all.see(root(), "frames/t", 1);
    all.see(root(), "frames/event_side", 1);
    all.see(root(), "frames/energy", 4);
    for (std::size_t i = 0; i < h.bodies.size(); ++i) {
      for (const auto& c : kBodyColumns)
        if (record_.format_ >= 3 || c.type == ColumnType::number)
          all.see(root(), fmt::format("bodies/{}/{}", i, c.name), c.width);
    }
    for (std::size_t i = 0; record_.format_ < 3 && i < h.pairs.size(); ++i) {
      for (const auto& c : kContactColumns)
        all.see(root(), fmt::format("contacts/{}/{}", i, c.name), c.width);
    }
    if (record_.format_ >= 3) {
      all.see(root(), "frames/contacts", 1);
      all.see(root(), "contact_index", 1);
    }
    for (const ProbeHeader& probe : h.probes) all.see(root(), "probes/" + probe.name, 1);
    if (!all.damaged.empty()) {
      trouble_ = record_.damage("/" + all.damaged);
      return false;
    }
    // Rows that were promised but not written are not a number.
    std::vector<double> t(std::min<std::size_t>(all.rows, 4096));
    const std::size_t from = all.rows - t.size();
    if (!read_rows(open_dataset(root(), "frames/t"), 1, from, t.size(), t.data())) return false;
    while (!t.empty() && std::isnan(t.back())) t.pop_back();
    record_.frames_ = from + t.size();
    return record_.format_ < 3 || drop_frames_without_contacts();
  }

  // Frames at the end whose rows of contacts have not been written are not complete.
  bool drop_frames_without_contacts() {
    Complete rows;
    rows.see(root(), "contact_rows/frame", 1);
    rows.see(root(), "contact_rows", kContactNames);
    rows.see(root(), "contact_rows", kContactColumns);
    if (!rows.damaged.empty()) {
      trouble_ = record_.damage("/" + rows.damaged);
      return false;
    }
    const Hdf5Handle index = open_dataset(root(), "contact_index"),
                     counts = open_dataset(root(), "frames/contacts");
    for (; record_.frames_ > 0; --record_.frames_) {
      double first = 0, count = 0;
      if (!read_rows(index, 1, record_.frames_ - 1, 1, &first) ||
          !read_rows(counts, 1, record_.frames_ - 1, 1, &count))
        return false;
      if (first + count <= static_cast<double>(rows.rows)) break;
    }
    return true;
  }

  // Whether an event refers to existing bodies and pairs, or to none; a pair comes with its bodies.
  bool refers_well(const EventRow& row) const {
    const bool bodies = is_body(row.body_a) && is_body(row.body_b);
    const auto pairs = static_cast<std::int32_t>(record_.header_.pairs.size());
    if (row.pair >= 0) return bodies && row.pair < pairs;
    return bodies || (row.body_a < 0 && row.body_b < 0);
  }

  static ContactFeature feature(const std::int32_t (&row)[2]) {
    return {static_cast<FeatureKind>(row[0]), row[1]};
  }
  static EnergyFrame energy(const double (&row)[4]) { return {row[0], row[1], row[2], row[3]}; }

  // The states before and after an event. False, and the event is dropped, if they are missing
  // because the run was killed.
  bool add_mark(const EventRow& row) {
    RecordReader::EventMark& mark = record_.marks_.emplace_back();
    mark.energy = {energy(row.energy_before), energy(row.energy_after)};
    mark.first_body = static_cast<std::size_t>(row.first_body);
    mark.bodies = static_cast<std::size_t>(row.bodies);
    mark.first_contact = static_cast<std::size_t>(row.first_contact);
    mark.contacts = static_cast<std::size_t>(row.contacts);
    const bool there = row.bodies >= 0 && row.contacts >= 0 &&
                       row.first_body == static_cast<std::int64_t>(event_bodies_) &&
                       row.first_contact == static_cast<std::int64_t>(event_contacts_);
    event_bodies_ += mark.bodies;
    event_contacts_ += mark.contacts;
    if (there && event_bodies_ <= body_rows_ && event_contacts_ <= contact_rows_) return true;
    record_.marks_.pop_back();
    record_.events_.pop_back();
    return false;
  }

  bool count_event_rows() {
    Complete bodies, contacts;
    for (const char* column : {"event", "side", "body"})
      bodies.see(root(), fmt::format("event_bodies/{}", column), 1);
    bodies.see(root(), "event_bodies", kBodyColumns);
    for (const char* column : {"event", "side"})
      contacts.see(root(), fmt::format("event_contacts/{}", column), 1);
    contacts.see(root(), "event_contacts", kContactNames);
    contacts.see(root(), "event_contacts", kContactColumns);
    body_rows_ = bodies.rows;
    contact_rows_ = contacts.rows;
    for (const Complete& all : {bodies, contacts})
      if (!all.damaged.empty()) trouble_ = record_.damage("/" + all.damaged);
    return !trouble_;
  }

  // In formats 1 and 2 events name pairs; contacts are numbered as they began.
  void number_contacts(std::vector<EventRow>& rows) {
    std::map<int, std::int32_t> lasting;
    std::int32_t next = 0;
    for (EventRow& row : rows) {
      row.pair = std::exchange(row.contact, -1);
      const bool before = text_of(row.before) != name(Mode::separated);
      const bool after = text_of(row.after) != name(Mode::separated);
      if (row.pair < 0 || (!before && !after)) continue;
      const auto [at, born] = lasting.try_emplace(row.pair, next);
      if (born) record_.births_[row.pair].push_back({row.t, ContactId{next++}});
      row.contact = at->second;
      if (!after) lasting.erase(at);
    }
  }

  bool read_events() {
    const Hdf5Handle dataset = open_dataset(root(), "events");
    const auto count = rows_of(dataset, 1);
    if (!count) return false;
    std::vector<EventRow> rows(*count);
    if (!read_rows(dataset, event_type(), 1, 0, *count, rows.data())) return false;
    if (record_.format_ < 3) {
      number_contacts(rows);
    } else if (!count_event_rows()) {
      return false;
    }
    auto notes = std::make_shared<std::set<std::string>>();
    record_.events_.reserve(rows.size());
    for (const EventRow& row : rows) {
      if (text_of(row.kind).empty()) break;  // promised, but not written
      const auto kind = event_named(text_of(row.kind));
      const auto before = mode_named(text_of(row.before)), after = mode_named(text_of(row.after));
      if (!kind || !before || !after) {
        return refuse(fmt::format("unknown kind of event: \"{}\"", text_of(row.kind)),
                      "use the version of oloid that wrote the record");
      }
      if (!refers_well(row) || !std::isfinite(row.t)) return false;
      const std::string_view note = *notes->emplace(text_of(row.note)).first;
      record_.events_.push_back({row.t,
                                 *kind,
                                 {BodyId{row.body_a}, BodyId{row.body_b}},
                                 ContactId{row.contact},
                                 *before,
                                 *after,
                                 row.value,
                                 note,
                                 row.probe,
                                 row.pair,
                                 row.ordinal,
                                 {feature(row.feature_a), feature(row.feature_b)}});
      if (!add_mark(row)) break;
    }
    record_.notes_ = std::move(notes);
    return true;
  }

  // Format 1 has attributes, and no hashes of bodies.
  bool read_summary_attributes() {
    const Hdf5Handle group = open_group(root(), "summary");
    if (!group.valid()) return true;
    const auto number = [&](const char* key) {
      return number_attribute(group.id(), key).value_or(0);
    };
    const auto count = [&](const char* key) { return static_cast<std::int64_t>(number(key)); };
    Summary& s = record_.summary_.emplace();
    s.t_end = number("t_end");
    s.wall_s = number("wall_s");
    s.energy = {number("energy_initial"), number("energy_final"),
                number("energy_max_relative_drift"), number("energy_dissipated"),
                number("energy_work")};
    s.max_gap_error = number("max_gap_error");
    const Hdf5Handle hash(H5Aopen(group.id(), "hash", H5P_DEFAULT), H5Aclose);
    if (hash.valid()) H5Aread(hash.id(), H5T_NATIVE_UINT64, &s.hash);
    s.counters.steps = count("steps");
    s.counters.rejected_steps = count("rejected_steps");
    s.counters.rates_calls = count("rates_calls");
    s.counters.events = count("events");
    s.counters.chart_crossings = count("chart_crossings");
    s.counters.reanchorings = count("reanchorings");
    s.counters.closest_calls = count("closest_calls");
    return read_last_bodies(s);
  }

  bool read_last_bodies(Summary& summary) {
    if (record_.frames_ == 0) return true;
    auto last = record_.read(record_.frames_ - 1, 1);
    if (last) summary.bodies = std::move(last->bodies);
    return static_cast<bool>(last);
  }

  bool read_summary() {
    if (record_.format_ == 1) return read_summary_attributes();
    const Hdf5Handle dataset = open_dataset(root(), "summary");
    const auto count = rows_of(dataset, 1);
    if (!count) return false;
    if (*count == 0) return true;
    SummaryRow row;
    if (!read_rows(dataset, summary_type(), 1, 0, 1, &row)) return false;
    // Written last, but possibly not yet there.
    if (row.frames != static_cast<std::int64_t>(record_.frames_)) return *count == 1;
    Summary summary = summary_of(row);
    const Header& h = record_.header_;
    for (std::size_t i = 0; i < h.bodies.size(); ++i) {
      if (!(h.masses[i] > 0)) continue;
      const Hdf5Handle hash = open_dataset(root(), fmt::format("bodies/{}/hash", i));
      if (rows_of(hash, 1).value_or(0) != 1 ||
          !read_rows(hash, hash_type(), 1, 0, 1, &summary.hashes.emplace_back()))
        return false;
    }
    if (!read_last_bodies(summary)) return false;
    record_.summary_ = std::move(summary);
    return true;
  }

  RecordReader record_;
  std::size_t event_bodies_ = 0, event_contacts_ = 0;  // rows of the events so far
  std::size_t body_rows_ = 0, contact_rows_ = 0;       // that there are
  std::optional<Error> trouble_;
};

Result<RecordReader> RecordReader::open(const std::string& path) {
  return RecordOpener(path).open();
}

}  // namespace oloid::io
