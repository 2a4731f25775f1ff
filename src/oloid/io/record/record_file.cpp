#include "oloid/io/record/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "oloid/io/files/disk_space.h"
#include "oloid/io/files/output_path.h"
#include "oloid/io/files/writer_lock.h"
#include "oloid/io/record/hdf5_rows.h"
#include "oloid/io/record/hdf5_write.h"
#include "oloid/io/record/record_layout.h"

namespace oloid::io {
namespace {

constexpr std::size_t kBlock = 256;      // rows buffered at most, and rows of a chunk in the file
constexpr std::size_t kEventBlock = 64;  // the same of events
constexpr std::int64_t kClosing = 128 << 10;  // [bytes] always kept free for closing the file
constexpr std::chrono::milliseconds kFlushInterval{800};  // leaves room below the promised second

// Chains of points in one table, a row that is not a number between them.
std::vector<Vec3<double>> joined(const std::vector<Polyline>& lines) {
  std::vector<Vec3<double>> rows;
  for (const Polyline& line : lines) {
    if (!rows.empty())
      rows.push_back(Vec3<double>::Constant(std::numeric_limits<double>::quiet_NaN()));
    rows.insert(rows.end(), line.begin(), line.end());
  }
  return rows;
}

bool write_mesh(hid_t at, const DisplayMesh& mesh) {
  const Hdf5Handle group = make_group(at, "mesh");
  return group.valid() && write_table(group.id(), "vertices", mesh.vertices, "m") &&
         write_table(group.id(), "normals", mesh.normals, "1") &&
         write_table(group.id(), "triangles", mesh.triangles) &&
         write_table(group.id(), "borders", joined(mesh.borders), "m") &&
         write_table(group.id(), "parameter_lines", joined(mesh.parameter_lines), "m");
}

std::int64_t bytes(const DisplayMesh& mesh) {
  std::size_t points = mesh.vertices.size() + mesh.normals.size();
  for (const auto* lines : {&mesh.borders, &mesh.parameter_lines})
    for (const Polyline& line : *lines) points += line.size() + 1;
  return static_cast<std::int64_t>(points * sizeof(Vec3<double>) +
                                   mesh.triangles.size() * sizeof(mesh.triangles[0]));
}

template <class T>
void put(Hdf5Rows& rows, const FrameColumn<T>& column, const T& frame) {
  double x[kWidest];
  column.get(frame, x);
  if (column.type == ColumnType::number) {
    rows.put(x);
  } else if (column.type == ColumnType::int32) {
    std::int32_t whole[kWidest];
    std::copy_n(x, column.width, whole);
    rows.put(whole);
  } else {
    const auto whole = static_cast<std::int8_t>(x[0]);
    rows.put(&whole);
  }
}

template <class T, std::size_t N>
void add_columns(Hdf5Rows& rows, const Hdf5Handle& group, const FrameColumn<T> (&columns)[N]) {
  for (const auto& c : columns) rows.add(group.id(), c.name, stored_type(c.type), c.width, c.unit);
}
template <class T, std::size_t N>
void put(Hdf5Rows& rows, const FrameColumn<T> (&columns)[N], const T& frame) {
  for (const auto& column : columns) put(rows, column, frame);
}

void copy_energy(double (&to)[4], const EnergyFrame& e) {
  to[0] = e.kinetic, to[1] = e.potential, to[2] = e.dissipated, to[3] = e.work;
}

// Short runs need less than a block, for each of many bodies.
std::size_t rows_of_chunks(const Header& header) {
  const double frames = header.output_dt > 0 ? header.duration / header.output_dt + 2 : kBlock;
  return 2 * frames < static_cast<double>(kBlock) ? static_cast<std::size_t>(frames) : kBlock;
}

// After a failed write the library can neither write nor forget its buffers, and crashes at exit.
// From here on its writes are discarded, so that it can close; the file stays as last flushed.
void divert(const Hdf5Handle& file) {
  void* handle = nullptr;
  const int nowhere = ::memfd_create("oloid", MFD_CLOEXEC);
  if (nowhere < 0) return;
  if (H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &handle) >= 0 && handle) {
    ::dup3(nowhere, *static_cast<int*>(handle), O_CLOEXEC);
  }
  ::close(nowhere);
}

class RecordFile final : public Recorder {
 public:
  RecordFile(OutputPath path, Hdf5Handle file, WriterLock lock, bool recovered)
      : path_(std::move(path)),
        file_(std::move(file)),
        lock_(std::move(lock)),
        space_(path_.part_path),
        recovered_(recovered) {}

  ~RecordFile() override {
    {
      const Hdf5Silence silence;
      if (begun_ && !trouble_) write_blocks();
      close();
    }
    if (!begun_ && !finished_) std::remove(path_.part_path.c_str());
    // At exit the library will try again to write what it could not write now: let that fail
    // quietly.
    if (stuck_) H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }

  // All datasets are made here: nothing may be added while readers may follow.
  void begin(const Header& header) override {
    const Hdf5Silence silence;
    begun_ = true;
    frames_ = Hdf5Rows(rows_of_chunks(header));
    const auto objects = static_cast<std::int64_t>(header.bodies.size() + header.probes.size() +
                                                   header.files.size() + header.overrides.size());
    auto data = static_cast<std::int64_t>(header.scene_text.size());
    for (const SceneFile& file : header.files) data += static_cast<std::int64_t>(file.text.size());
    for (const DisplayMesh& mesh : header.meshes) data += bytes(mesh);
    if (!reserve(data + (objects + 64) * 32'768)) return;
    errno = 0;
    if (!write_header(header) || !make_frames() || !make_bodies(header) || !make_pairs(header) ||
        !make_contacts() || !make_probes(header) || !make_events() ||
        H5Fstart_swmr_write(file_.id()) < 0) {
      fail("cannot write the header");
    }
    last_flush_ = std::chrono::steady_clock::now();
  }

  EventDetail event_detail() const override {
    return bodies_ > kManyBodies ? EventDetail::concerned : EventDetail::whole;
  }

  // Of a frame before or after an event only what the event concerns is kept.
  void frame(const Frame& frame) override {
    if (trouble_ || !begun_) return;
    OLOID_EXPECT(frame.bodies.size() == bodies_ && frame.probes.size() == probes_);
    if (frame.event) {
      put_event_state(frame);
      return;
    }
    put_frame(frame);
    if (trouble_) return;
    t_ = frame.t;
    if (frames_.full() || flush_is_due()) write_blocks();
  }

  void event(const Event& event) override {
    if (trouble_ || !begun_) return;
    if (!note_pair(event.pair)) return;
    EventRow row = event_row(event);
    if (energy_before_) copy_energy(row.energy_before, *energy_before_);
    if (energy_after_) copy_energy(row.energy_after, *energy_after_);
    row.first_body = first_event_body_;
    row.first_contact = first_event_contact_;
    row.bodies = static_cast<std::int32_t>(rows_of(event_bodies_) - first_event_body_);
    row.contacts = static_cast<std::int32_t>(rows_of(event_contacts_) - first_event_contact_);
    first_event_body_ = rows_of(event_bodies_);
    first_event_contact_ = rows_of(event_contacts_);
    energy_before_.reset();
    energy_after_.reset();
    put_life(event);
    if (!put_row(events_, [&] { events_.put(&row); })) return;
    if (events_.full() || flush_is_due()) write_blocks();
  }

  void tick() override {
    const bool waiting = !frames_.empty() || !events_.empty();
    if (begun_ && !trouble_ && waiting && flush_is_due()) write_blocks();
  }

  void end(const Summary& summary) override {
    if (trouble_ || !begun_ || finished_) return;
    const Hdf5Silence silence;
    if (!recovered_) put_summary(summary);
    if (!write_blocks()) return;
    if (!close()) return fail("cannot close the file");
    space_.release();
    trouble_ = rename_into_place(path_);
    finished_ = !trouble_;
  }

  std::optional<Error> trouble() const override { return trouble_; }

 private:
  bool write_header(const Header& header) {
    const hid_t root = file_.id();
    return write_text(root, "scene_text", header.scene_text).valid() && write_files(header) &&
           write_overrides(header) && write_attribute(root, "format", kRecordFormat) &&
           write_attribute(root, "oloid_version", header.oloid_version) &&
           write_attribute(root, "build", header.build) &&
           write_attribute(root, "scene_name", header.scene_name) &&
           write_attribute(root, "scene_file", header.scene_file) &&
           write_attribute(root, "duration", header.duration) &&
           write_attribute(root, "output_dt", header.output_dt) &&
           write_attribute(root, "gravity", header.gravity) &&
           write_attribute(root, "energy_scale", header.energy_scale) &&
           write_attribute(root, "chart_crossings", std::int64_t{header.chart_crossings}) &&
           write_attribute(root, "recovered", std::int64_t{recovered_}) && write_stops(header);
  }

  bool write_stops(const Header& header) {
    if (header.stops.empty()) return true;
    const Hdf5Handle group = make_group(file_.id(), "stop_when");
    bool good = group.valid();
    for (std::size_t i = 0; good && i < header.stops.size(); ++i)
      good = write_text(group.id(), std::to_string(i), header.stops[i]).valid();
    return good;
  }

  bool write_files(const Header& header) {
    if (header.files.empty()) return true;
    const Hdf5Handle group = make_group(file_.id(), "files");
    bool good = group.valid();
    for (std::size_t i = 0; good && i < header.files.size(); ++i) {
      const Hdf5Handle text = write_text(group.id(), std::to_string(i), header.files[i].text);
      good = text.valid() && write_attribute(text.id(), "name", header.files[i].name);
    }
    return good;
  }

  bool write_overrides(const Header& header) {
    if (header.overrides.empty()) return true;
    const Hdf5Handle group = make_group(file_.id(), "overrides");
    bool good = group.valid();
    for (std::size_t i = 0; good && i < header.overrides.size(); ++i)
      good = write_text(group.id(), std::to_string(i), header.overrides[i]).valid();
    return good;
  }

  bool make_frames() {
    const Hdf5Handle group = make_group(file_.id(), "frames");
    frames_.add(group.id(), "t", stored_type(ColumnType::number), 1, "s");
    frames_.add(group.id(), "event_side", stored_type(ColumnType::int8), 1, "");
    frames_.add(group.id(), "energy", stored_type(ColumnType::number), 4, "J");
    frames_.add(group.id(), "contacts", stored_type(ColumnType::int32), 1, "");
    frames_.add(file_.id(), "contact_index", stored_type(ColumnType::int64), 1, "");
    end_.add(file_.id(), "summary", summary_type(), 1, "");
    return frames_.good() && end_.good();
  }

  bool make_bodies(const Header& header) {
    bodies_ = header.bodies.size();
    const Hdf5Handle all = make_group(file_.id(), "bodies");
    bool good = all.valid();
    for (std::size_t i = 0; good && i < bodies_; ++i) {
      const Hdf5Handle body = make_group(all.id(), std::to_string(i));
      const double mass = i < header.masses.size() ? header.masses[i] : 0;
      good = body.valid() && write_attribute(body.id(), "name", header.bodies[i]) &&
             write_attribute(body.id(), "mass", mass);
      if (good && i < header.meshes.size() && !header.meshes[i].empty())
        good = write_mesh_once(all, body, header.meshes, i);
      add_columns(frames_, body, kBodyColumns);
      if (mass > 0) {
        end_.add(body.id(), "hash", hash_type(), 1, "");
        ++moving_;
      }
    }
    return good && frames_.good() && end_.good();
  }

  // Bodies of the same shape share their triangles.
  static bool write_mesh_once(const Hdf5Handle& all, const Hdf5Handle& body,
                              const std::vector<DisplayMesh>& meshes, std::size_t i) {
    const auto same = [&](const DisplayMesh& mesh) {
      return mesh.vertices == meshes[i].vertices && mesh.normals == meshes[i].normals &&
             mesh.triangles == meshes[i].triangles && mesh.borders == meshes[i].borders &&
             mesh.parameter_lines == meshes[i].parameter_lines;
    };
    const auto first =
        static_cast<std::size_t>(std::find_if(meshes.begin(), meshes.end(), same) - meshes.begin());
    if (first >= i) return write_mesh(body.id(), meshes[i]);
    const std::string name = fmt::format("{}/mesh", first);
    return H5Lcreate_hard(all.id(), name.c_str(), body.id(), "mesh", H5P_DEFAULT, H5P_DEFAULT) >= 0;
  }

  bool make_pairs(const Header& header) {
    all_pairs_ = header.pairs;
    friction_ = header.friction;
    pairs_.add(file_.id(), "pairs", pair_type(), 1, "");
    return pairs_.good();
  }

  // A pair gets its row when it is first mentioned.
  bool note_pair(int pair) {
    if (pair < 0 || !noted_.insert(pair).second) return true;
    const auto [a, b] = all_pairs_[static_cast<std::size_t>(pair)];
    const ContactFriction* friction = friction_.find(a, b);
    const double unknown = std::nan("");
    const PairRow row{pair, a.index, b.index, friction ? friction->still : unknown,
                      friction ? friction->sliding : unknown};
    return put_row(pairs_, [&] { pairs_.put(&row); });
  }

  bool make_contacts() {
    const Hdf5Handle group = make_group(file_.id(), "contact_rows");
    contact_rows_.add(group.id(), "frame", stored_type(ColumnType::int32), 1, "");
    add_columns(contact_rows_, group, kContactNames);
    add_columns(contact_rows_, group, kContactColumns);
    births_.add(file_.id(), "contact_births", birth_type(), 1, "");
    return contact_rows_.good() && births_.good();
  }

  bool make_probes(const Header& header) {
    probes_ = header.probes.size();
    if (probes_ == 0) return true;
    const Hdf5Handle group = make_group(file_.id(), "probes");
    bool good = group.valid();
    for (std::size_t i = 0; good && i < probes_; ++i) {
      const ProbeHeader& probe = header.probes[i];
      frames_.add(group.id(), probe.name.c_str(), stored_type(ColumnType::number), 1, probe.unit);
      if (!frames_.good()) return false;
      const Hdf5Handle dataset(H5Dopen2(group.id(), probe.name.c_str(), H5P_DEFAULT), H5Dclose);
      good = write_attribute(dataset.id(), "formula", probe.formula) &&
             write_attribute(dataset.id(), "index", static_cast<std::int64_t>(i)) &&
             write_attribute(dataset.id(), "event", std::int64_t{probe.event});
    }
    return good;
  }

  bool make_events() {
    events_.add(file_.id(), "events", event_type(), 1, "");
    const Hdf5Handle bodies = make_group(file_.id(), "event_bodies");
    const Hdf5Handle contacts = make_group(file_.id(), "event_contacts");
    for (auto& [rows, group] :
         {std::pair(&event_bodies_, &bodies), std::pair(&event_contacts_, &contacts)}) {
      rows->add(group->id(), "event", stored_type(ColumnType::int32), 1, "");
      rows->add(group->id(), "side", stored_type(ColumnType::int8), 1, "");
    }
    event_bodies_.add(bodies.id(), "body", stored_type(ColumnType::int32), 1, "");
    add_columns(event_bodies_, bodies, kBodyColumns);
    add_columns(event_contacts_, contacts, kContactNames);
    add_columns(event_contacts_, contacts, kContactColumns);
    return events_.good() && event_bodies_.good() && event_contacts_.good();
  }

  static std::int64_t rows_of(const Hdf5Rows& rows) {
    return static_cast<std::int64_t>(rows.rows());
  }

  // Adds a row if there is disk space for it.
  template <class Put>
  bool put_row(Hdf5Rows& rows, const Put& put_cells) {
    if (rows.full() && !write_block(rows)) return false;
    put_cells();
    rows.end_row();
    return true;
  }

  // In the order of make_frames, make_bodies, make_probes.
  void put_frame(const Frame& frame) {
    const auto number = static_cast<std::int32_t>(frames_.rows());
    const std::int64_t first = rows_of(contact_rows_);
    for (const ContactFrame& contact : frame.contacts) {
      if (!note_pair(contact.pair) || !put_row(contact_rows_, [&] {
            contact_rows_.put(&number);
            put(contact_rows_, kContactNames, contact);
            put(contact_rows_, kContactColumns, contact);
          }))
        return;
    }
    const auto side = static_cast<std::int8_t>(frame.event_side);
    const auto count = static_cast<std::int32_t>(frame.contacts.size());
    double energy[4];
    copy_energy(energy, frame.energy);
    frames_.put(&frame.t);
    frames_.put(&side);
    frames_.put(energy);
    frames_.put(&count);
    frames_.put(&first);
    for (const BodyFrame& body : frame.bodies) put(frames_, kBodyColumns, body);
    for (const double value : frame.probes) frames_.put(&value);
    frames_.end_row();
  }

  void put_event_state(const Frame& frame) {
    const auto number = static_cast<std::int32_t>(events_.rows());
    const auto side = static_cast<std::int8_t>(frame.event_side);
    (side < 0 ? energy_before_ : energy_after_) = frame.energy;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      if (!concerns(frame, i)) continue;
      const auto body = static_cast<std::int32_t>(i);
      if (!put_row(event_bodies_, [&] {
            event_bodies_.put(&number);
            event_bodies_.put(&side);
            event_bodies_.put(&body);
            put(event_bodies_, kBodyColumns, frame.bodies[i]);
          }))
        return;
    }
    for (const ContactFrame& contact : frame.contacts) {
      if (!concerns(frame, contact)) continue;
      if (!note_pair(contact.pair) || !put_row(event_contacts_, [&] {
            event_contacts_.put(&number);
            event_contacts_.put(&side);
            put(event_contacts_, kContactNames, contact);
            put(event_contacts_, kContactColumns, contact);
          }))
        return;
    }
  }

  // The beginning of a contact is a row; its end is noted there later.
  void put_life(const Event& event) {
    const std::size_t before = lives_.all().size();
    const ContactLife* life = lives_.see(event);
    if (!life) return;
    const auto at = static_cast<std::size_t>(life - lives_.all().data());
    if (at < before) {
      ended_.push_back(at);
      return;
    }
    const BirthRow row = birth_row(*life);
    put_row(births_, [&] { births_.put(&row); });
  }

  bool write_lives() {
    if (!births_.append()) return false;
    for (const std::size_t at : ended_) {
      const BirthRow row = birth_row(lives_.all()[at]);
      if (!births_.replace(at, &row)) return false;
    }
    ended_.clear();
    return true;
  }

  void put_summary(const Summary& summary) {
    const SummaryRow row = summary_row(summary, frames_.rows());
    end_.put(&row);
    for (std::size_t i = 0; i < moving_; ++i) {
      const std::uint64_t hash = i < summary.hashes.size() ? summary.hashes[i] : 0;
      end_.put(&hash);
    }
    end_.end_row();
  }

  bool flush_is_due() const {
    return std::chrono::steady_clock::now() - last_flush_ >= kFlushInterval;
  }

  // Writes some of what is buffered.
  bool write_block(Hdf5Rows& rows) {
    const Hdf5Silence silence;
    if (!reserve(rows.bytes())) return false;
    errno = 0;
    if (rows.append()) return true;
    fail("writing failed");
    return false;
  }

  // Writes what is buffered and makes it visible to readers.
  bool write_blocks() {
    const Hdf5Silence silence;
    if (!reserve(frames_.bytes() + pairs_.bytes() + contact_rows_.bytes() + births_.bytes() +
                 events_.bytes() + event_bodies_.bytes() + event_contacts_.bytes() + end_.bytes()))
      return false;
    errno = 0;
    if (!pairs_.append() || !contact_rows_.append() || !frames_.append() ||
        !event_bodies_.append() || !event_contacts_.append() || !write_lives() ||
        !events_.append() || !end_.append() || H5Fflush(file_.id(), H5F_SCOPE_LOCAL) < 0) {
      fail("writing failed");
      return false;
    }
    last_flush_ = std::chrono::steady_clock::now();
    if (frames_.rows() > 0) t_kept_ = t_;
    return true;
  }

  // Space for this much more, and always enough on top for closing the file.
  bool reserve(std::int64_t bytes) {
    hsize_t size = 0;
    H5Fget_filesize(file_.id(), &size);
    const int why = space_.ensure(static_cast<std::int64_t>(size) + bytes + kClosing);
    if (why == 0) return true;
    close();
    space_.release();
    give_up(file_error(path_.final_path, "not enough space for the record", why));
    return false;
  }

  bool close() {
    for (Hdf5Rows* rows : {&frames_, &pairs_, &contact_rows_, &births_, &events_, &event_bodies_,
                           &event_contacts_, &end_})
      rows->close();
    const bool good = file_.close();
    stuck_ = stuck_ || !good;
    return good;
  }

  // The library failed although there seemed to be space.
  void fail(const std::string& doing) {
    const int why = errno;
    if (file_.valid()) divert(file_);
    close();
    give_up(file_error(path_.final_path, doing, why != 0 ? why : EIO));
  }

  // What was flushed stays readable in the part file; one without frames, or one that is a copy
  // only, is of no use.
  void give_up(Error error) {
    if (recovered_ || !t_kept_) std::remove(path_.part_path.c_str());
    if (!recovered_) {
      error.remedy +=
          t_kept_
              ? fmt::format("; the record up to t = {:.6g} s is in {}", *t_kept_, path_.part_path)
              : fmt::format("; no complete frame was written, so {} was removed", path_.part_path);
    }
    trouble_ = std::move(error);
  }

  OutputPath path_;
  Hdf5Handle file_;
  WriterLock lock_;
  DiskSpace space_;
  bool recovered_;
  BodyPairs all_pairs_;
  PairTable<ContactFriction> friction_;
  std::set<int> noted_;  // pairs that have a row
  Hdf5Rows frames_{kBlock}, pairs_{kEventBlock}, contact_rows_{kBlock}, births_{kEventBlock};
  Hdf5Rows events_{kEventBlock}, event_bodies_{kBlock}, event_contacts_{kBlock};
  Hdf5Rows end_{1};  // one row when the run has come to its end
  std::size_t bodies_ = 0, probes_ = 0, moving_ = 0;
  // Of the event that comes next.
  std::optional<EnergyFrame> energy_before_, energy_after_;
  std::int64_t first_event_body_ = 0, first_event_contact_ = 0;
  ContactLives lives_;
  std::vector<std::size_t> ended_;  // of these, not yet noted in the file
  double t_ = 0;                    // [s] of the latest frame
  std::optional<double> t_kept_;    // [s] of the latest one that is in the file
  std::chrono::steady_clock::time_point last_flush_;
  bool begun_ = false, finished_ = false;
  bool stuck_ = false;  // the library could not close the file
  std::optional<Error> trouble_;
};

Result<std::unique_ptr<Recorder>> make(const std::string& path, bool recovered) {
  const Hdf5Silence silence;
  auto target = make_output_path(path);
  if (!target) return Unexpected{target.error()};
  if (!target->renamed()) {
    return Unexpected{Error{{path, "", 0, 0},
                            "a record cannot be written to a device or pipe",
                            "specify a regular file"}};
  }
  const auto busy = [&] {
    return Unexpected{Error{{target->part_path, "", 0, 0},
                            "another run is writing this record",
                            "wait for it to finish, or choose another name"}};
  };
  WriterLock lock;  // before the file is emptied, if it is there
  if (!lock.take(target->part_path)) return busy();
  errno = 0;
  Hdf5Handle file(
      H5Fcreate(target->part_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, record_access().id()),
      H5Fclose);
  if (!file.valid()) {
    return Unexpected{file_error(path, "cannot write the file", errno != 0 ? errno : EIO)};
  }
  if (!lock.held() && !lock.take(target->part_path)) return busy();
  return std::unique_ptr<Recorder>(std::make_unique<RecordFile>(std::move(*target), std::move(file),
                                                                std::move(lock), recovered));
}

}  // namespace

Result<std::unique_ptr<Recorder>> make_record_file(const std::string& path) {
  return make(path, false);
}

Result<std::unique_ptr<Recorder>> make_recovered_record(const std::string& path) {
  return make(path, true);
}

}  // namespace oloid::io
