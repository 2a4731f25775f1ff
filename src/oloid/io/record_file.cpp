#include "oloid/io/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <vector>

#include "oloid/io/disk_space.h"
#include "oloid/io/hdf5_handle.h"
#include "oloid/io/output_path.h"

namespace oloid {
namespace {

constexpr std::int32_t kFormat = 1;
constexpr std::size_t kBlock = 256;           // rows buffered, and rows of a chunk in the file
constexpr std::int64_t kClosing = 128 << 10;  // [bytes] always kept free for closing the file
constexpr std::chrono::milliseconds kFlushInterval{800};  // leaves room below the promised second

// Held on the part file while a run writes it. HDF5's own lock ends when readers are let in.
class WriterLock {
 public:
  WriterLock() = default;
  WriterLock(WriterLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  WriterLock& operator=(WriterLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~WriterLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  bool held() const { return fd_ >= 0; }
  // False only if somebody else holds it.
  bool take(const std::string& path) {
    fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
#ifdef F_OFD_SETLK
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fd_ >= 0 && ::fcntl(fd_, F_OFD_SETLK, &whole) != 0)
      return errno != EAGAIN && errno != EACCES;
#endif
    return true;
  }

 private:
  int fd_ = -1;
};

// One row of /events. Texts are padded with zeros.
struct EventRow {
  double t;
  char kind[24];
  std::int32_t body_a, body_b, contact;
  char before[16], after[16];
  double value;
  char note[128];
};

Hdf5Handle text_type(std::size_t size) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(size, 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Hdf5Handle mode_type() {
  Hdf5Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  for (const Mode mode : kModes) {
    const auto value = static_cast<std::int8_t>(mode);
    H5Tenum_insert(type.id(), std::string(name(mode)).c_str(), &value);
  }
  return type;
}

Hdf5Handle event_type() {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(EventRow)), H5Tclose);
  const auto text = [&](const char* member, std::size_t offset, std::size_t size) {
    H5Tinsert(type.id(), member, offset, text_type(size).id());
  };
  H5Tinsert(type.id(), "t", offsetof(EventRow, t), H5T_NATIVE_DOUBLE);
  text("kind", offsetof(EventRow, kind), sizeof(EventRow::kind));
  H5Tinsert(type.id(), "body_a", offsetof(EventRow, body_a), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "body_b", offsetof(EventRow, body_b), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "contact", offsetof(EventRow, contact), H5T_NATIVE_INT32);
  text("before", offsetof(EventRow, before), sizeof(EventRow::before));
  text("after", offsetof(EventRow, after), sizeof(EventRow::after));
  H5Tinsert(type.id(), "value", offsetof(EventRow, value), H5T_NATIVE_DOUBLE);
  text("note", offsetof(EventRow, note), sizeof(EventRow::note));
  return type;
}

template <std::size_t N>
void copy_text(char (&to)[N], std::string_view from) {
  std::memset(to, 0, N);
  from.copy(to, N);
}

// Attributes. Each returns whether it worked.
bool attribute(hid_t at, const char* key, hid_t type, hsize_t count, const void* data) {
  const Hdf5Handle space(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr),
                         H5Sclose);
  const Hdf5Handle a(H5Acreate2(at, key, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return a.valid() && H5Awrite(a.id(), type, data) >= 0;
}
bool attribute(hid_t at, const char* key, std::string_view text) {
  const std::string padded = text.empty() ? std::string(1, '\0') : std::string(text);
  return attribute(at, key, text_type(text.size()).id(), 1, padded.data());
}
bool attribute(hid_t at, const char* key, double value) {
  return attribute(at, key, H5T_NATIVE_DOUBLE, 1, &value);
}
bool attribute(hid_t at, const char* key, std::int64_t value) {
  return attribute(at, key, H5T_NATIVE_INT64, 1, &value);
}
bool attribute(hid_t at, const char* key, const Vec3<double>& v) {
  return attribute(at, key, H5T_NATIVE_DOUBLE, 3, v.data());
}

Hdf5Handle make_group(hid_t at, const std::string& name) {
  return {H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

// A dataset of rows that stays as it is.
bool table(hid_t at, const char* key, hid_t type, std::size_t rows, hsize_t width,
           std::string_view unit, const void* data) {
  const hsize_t size[2] = {rows, width};
  const Hdf5Handle space(H5Screate_simple(2, size, nullptr), H5Sclose);
  const Hdf5Handle dataset(
      H5Dcreate2(at, key, type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  return dataset.valid() &&
         H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0 &&
         (unit.empty() || attribute(dataset.id(), "unit", unit));
}

bool write_mesh(hid_t at, const DisplayMesh& mesh) {
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));  // rows without gaps
  const Hdf5Handle group = make_group(at, "mesh");
  const auto numbers = [&](const char* key, const std::vector<Vec3<double>>& v,
                           std::string_view unit) {
    return table(group.id(), key, H5T_NATIVE_DOUBLE, v.size(), 3, unit, v.data());
  };
  return group.valid() && numbers("vertices", mesh.vertices, "m") &&
         numbers("normals", mesh.normals, "1") &&
         table(group.id(), "triangles", H5T_NATIVE_INT32, mesh.triangles.size(), 3, "",
               mesh.triangles.data());
}

std::int64_t bytes(const DisplayMesh& mesh) {
  return static_cast<std::int64_t>(mesh.vertices.size() * sizeof(mesh.vertices[0]) +
                                   mesh.normals.size() * sizeof(mesh.normals[0]) +
                                   mesh.triangles.size() * sizeof(mesh.triangles[0]));
}

// A dataset that grows by rows, with a buffer of kBlock rows in memory.
struct Column {
  Hdf5Handle dataset;
  Hdf5Handle type;
  hsize_t width = 1;
  std::size_t row_bytes = 0;
  std::vector<std::byte> rows;

  static Column make(hid_t at, const char* key, Hdf5Handle type, hsize_t width,
                     std::string_view unit) {
    Column c;
    c.width = width;
    c.row_bytes = H5Tget_size(type.id()) * width;
    c.rows.resize(c.row_bytes * kBlock);
    const int rank = width == 1 ? 1 : 2;
    const hsize_t size[2] = {0, width}, most[2] = {H5S_UNLIMITED, width},
                  chunk[2] = {kBlock, width};
    const Hdf5Handle space(H5Screate_simple(rank, size, most), H5Sclose);
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(how.id(), rank, chunk);
    c.dataset = {H5Dcreate2(at, key, type.id(), space.id(), H5P_DEFAULT, how.id(), H5P_DEFAULT),
                 H5Dclose};
    c.type = std::move(type);
    if (!unit.empty() && c.dataset.valid() && !attribute(c.dataset.id(), "unit", unit)) {
      c.dataset.close();
    }
    return c;
  }

  void put(std::size_t row, const void* data) {
    std::memcpy(rows.data() + row * row_bytes, data, row_bytes);
  }

  // Appends the first `count` buffered rows to the `written` ones in the file.
  bool append(std::size_t written, std::size_t count) const {
    const int rank = width == 1 ? 1 : 2;
    const hsize_t start[2] = {written, 0}, block[2] = {count, width};
    const hsize_t size[2] = {written + count, width};
    if (H5Dset_extent(dataset.id(), size) < 0) return false;
    const Hdf5Handle in_file(H5Dget_space(dataset.id()), H5Sclose);
    const Hdf5Handle in_memory(H5Screate_simple(rank, block, nullptr), H5Sclose);
    return H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start, nullptr, block, nullptr) >= 0 &&
           H5Dwrite(dataset.id(), type.id(), in_memory.id(), in_file.id(), H5P_DEFAULT,
                    rows.data()) >= 0;
  }
};

// Columns of equal length that are filled row by row.
class Block {
 public:
  void add(hid_t at, const char* key, Hdf5Handle type, hsize_t width, std::string_view unit) {
    columns_.push_back(Column::make(at, key, std::move(type), width, unit));
    good_ = good_ && columns_.back().dataset.valid();
  }
  void add(hid_t at, const char* key, hsize_t width, std::string_view unit) {
    add(at, key, Hdf5Handle(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose), width, unit);
  }
  void add_int(hid_t at, const char* key, hid_t type) {
    add(at, key, Hdf5Handle(H5Tcopy(type), H5Tclose), 1, "");
  }

  // The values of a row come in the order in which columns were added.
  void put(const void* data) {
    OLOID_EXPECT(next_ < columns_.size());
    columns_[next_++].put(filled_, data);
  }
  void end_row() {
    OLOID_EXPECT(next_ == columns_.size());
    next_ = 0;
    ++filled_;
  }

  bool append() {
    if (filled_ == 0) return true;
    for (const Column& c : columns_) {
      if (!c.append(written_, filled_)) return false;
    }
    written_ += filled_;
    filled_ = 0;
    return true;
  }

  void close() { columns_.clear(); }
  bool good() const { return good_; }
  bool full() const { return filled_ == kBlock; }
  std::size_t columns() const { return columns_.size(); }
  std::size_t rows() const { return written_ + filled_; }
  // What append() may add to the file: a new chunk everywhere.
  std::int64_t bytes() const {
    std::size_t sum = 0;
    for (const Column& c : columns_) sum += c.rows.size() + 512;
    return static_cast<std::int64_t>(sum);
  }

 private:
  std::vector<Column> columns_;
  std::size_t next_ = 0, filled_ = 0, written_ = 0;
  bool good_ = true;
};

Hdf5Handle access_properties() {
  Hdf5Handle how(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(how.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_file_locking(how.id(), true, true);  // carry on where the disk knows no locks
  return how;
}

// After a failed write the library can neither write nor forget its buffers, and crashes at exit.
// From here on let its writing go nowhere, so that it can close; the file stays as last flushed.
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
  RecordFile(OutputPath path, Hdf5Handle file, WriterLock lock)
      : path_(std::move(path)),
        file_(std::move(file)),
        lock_(std::move(lock)),
        space_(path_.part_path) {}

  ~RecordFile() override {
    {
      const Hdf5Silence silence;
      if (begun_ && !trouble_) write_blocks();
      close();
    }
    if (!begun_ && !finished_) std::remove(path_.part_path.c_str());
    // The library will try again at exit what could not be written now: let it fail quietly.
    if (stuck_) H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }

  void begin(const Header& header) override {
    const Hdf5Silence silence;
    begun_ = true;
    const auto objects = static_cast<std::int64_t>(header.bodies.size() + header.contacts.size());
    auto data = static_cast<std::int64_t>(header.scene_text.size());
    for (const SceneFile& file : header.files) data += static_cast<std::int64_t>(file.text.size());
    for (const DisplayMesh& mesh : header.meshes) data += bytes(mesh);
    const auto datasets =
        objects + static_cast<std::int64_t>(header.files.size() + header.overrides.size());
    if (!reserve(data + (datasets + 8) * 32'768)) return;
    if (!write_header(header) || !make_frames() || !make_bodies(header) || !make_contacts(header) ||
        !make_events() || H5Fstart_swmr_write(file_.id()) < 0) {
      fail("cannot write the header");
    }
    last_flush_ = std::chrono::steady_clock::now();
  }

  void frame(const Frame& frame) override {
    if (trouble_ || !begun_) return;
    OLOID_EXPECT(frame.bodies.size() == bodies_ && frame.contacts.size() == contacts_);
    put_frame(frame);
    t_ = frame.t;
    if (frames_.full() || flush_is_due()) write_blocks();
  }

  void event(const Event& event) override {
    if (trouble_ || !begun_) return;
    EventRow row{};
    row.t = event.t;
    copy_text(row.kind, name(event.kind));
    row.body_a = event.bodies[0].index;
    row.body_b = event.bodies[1].index;
    row.contact = event.contact.index;
    copy_text(row.before, name(event.before));
    copy_text(row.after, name(event.after));
    row.value = event.value;
    copy_text(row.note, event.note);
    events_.put(&row);
    events_.end_row();
    if (events_.full() || flush_is_due()) write_blocks();
  }

  void end(const Summary& summary) override {
    if (trouble_ || !begun_ || finished_) return;
    const Hdf5Silence silence;
    if (!write_blocks()) return;
    // New objects are forbidden while readers may follow, so the summary needs an ordinary opening.
    if (!close()) return fail("cannot close the file");
    file_ = {H5Fopen(path_.part_path.c_str(), H5F_ACC_RDWR, access_properties().id()), H5Fclose};
    if (!file_.valid() || !write_summary(summary)) return fail("cannot write the summary");
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
           write_overrides(header) && attribute(root, "format", std::int64_t{kFormat}) &&
           attribute(root, "oloid_version", header.oloid_version) &&
           attribute(root, "scene_name", header.scene_name) &&
           attribute(root, "scene_file", header.scene_file) &&
           attribute(root, "duration", header.duration) &&
           attribute(root, "output_dt", header.output_dt) &&
           attribute(root, "gravity", header.gravity);
  }

  // A dataset, because attributes are meant for small things and nets can be long.
  static Hdf5Handle write_text(hid_t where, const std::string& name, const std::string& content) {
    const Hdf5Handle type = text_type(content.size());
    const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
    Hdf5Handle text(H5Dcreate2(where, name.c_str(), type.id(), scalar.id(), H5P_DEFAULT,
                               H5P_DEFAULT, H5P_DEFAULT),
                    H5Dclose);
    const std::string padded = content + '\0';
    const bool written = text.valid() && H5Dwrite(text.id(), type.id(), H5S_ALL, H5S_ALL,
                                                  H5P_DEFAULT, padded.data()) >= 0;
    return written ? std::move(text) : Hdf5Handle();
  }

  bool write_files(const Header& header) {
    if (header.files.empty()) return true;
    const Hdf5Handle group = make_group(file_.id(), "files");
    bool good = group.valid();
    for (std::size_t i = 0; good && i < header.files.size(); ++i) {
      const Hdf5Handle text = write_text(group.id(), std::to_string(i), header.files[i].text);
      good = text.valid() && attribute(text.id(), "name", header.files[i].name);
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
    frames_.add(group.id(), "t", 1, "s");
    frames_.add_int(group.id(), "event_side", H5T_NATIVE_INT8);
    frames_.add(group.id(), "energy", 4, "J");
    return frames_.good();
  }

  bool make_bodies(const Header& header) {
    bodies_ = header.bodies.size();
    const Hdf5Handle all = make_group(file_.id(), "bodies");
    bool good = all.valid();
    for (std::size_t i = 0; good && i < bodies_; ++i) {
      const Hdf5Handle body = make_group(all.id(), std::to_string(i));
      good = body.valid() && attribute(body.id(), "name", header.bodies[i]) &&
             attribute(body.id(), "mass", i < header.masses.size() ? header.masses[i] : 0.0);
      if (good && i < header.meshes.size() && !header.meshes[i].empty()) {
        good = write_mesh(body.id(), header.meshes[i]);
      }
      frames_.add(body.id(), "position", 3, "m");
      frames_.add(body.id(), "orientation", 4, "1");
      frames_.add(body.id(), "velocity", 3, "m/s");
      frames_.add(body.id(), "angular_velocity", 3, "rad/s");
    }
    return good && frames_.good();
  }

  bool make_contacts(const Header& header) {
    contacts_ = header.contacts.size();
    const Hdf5Handle all = make_group(file_.id(), "contacts");
    bool good = all.valid();
    for (std::size_t i = 0; good && i < contacts_; ++i) {
      const Hdf5Handle contact = make_group(all.id(), std::to_string(i));
      const hid_t at = contact.id();
      good = contact.valid() &&
             attribute(at, "body_a", std::int64_t{header.contacts[i][0].index}) &&
             attribute(at, "body_b", std::int64_t{header.contacts[i][1].index});
      frames_.add(at, "mode", mode_type(), 1, "");
      frames_.add(at, "gap", 1, "m");
      frames_.add(at, "point_a", 3, "m");
      frames_.add(at, "point_b", 3, "m");
      frames_.add(at, "normal", 3, "1");
      frames_.add(at, "slip", 3, "m/s");
      frames_.add(at, "spin", 1, "rad/s");
      frames_.add(at, "normal_force", 1, "N");
      frames_.add(at, "friction", 3, "N");
      frames_.add(at, "moment", 3, "N m");
      frames_.add_int(at, "chart_a", H5T_NATIVE_INT32);
      frames_.add_int(at, "chart_b", H5T_NATIVE_INT32);
      frames_.add(at, "location_a", 3, "");
      frames_.add(at, "location_b", 3, "");
      frames_.add(at, "psi", 1, "rad");
    }
    return good && frames_.good();
  }

  bool make_events() {
    events_.add(file_.id(), "events", event_type(), 1, "");
    return events_.good();
  }

  // In the order of make_frames, make_bodies, make_contacts.
  void put_frame(const Frame& frame) {
    const auto side = static_cast<std::int8_t>(frame.event_side);
    const double energy[4] = {frame.energy.kinetic, frame.energy.potential, frame.energy.dissipated,
                              frame.energy.work};
    frames_.put(&frame.t);
    frames_.put(&side);
    frames_.put(energy);
    for (const BodyFrame& body : frame.bodies) {
      const Quat<double>& q = body.orientation;
      const double wxyz[4] = {q.w, q.x, q.y, q.z};
      frames_.put(body.position.data());
      frames_.put(wxyz);
      frames_.put(body.velocity.data());
      frames_.put(body.angular_velocity.data());
    }
    for (const ContactFrame& c : frame.contacts) {
      const auto mode = static_cast<std::int8_t>(c.mode);
      frames_.put(&mode);
      frames_.put(&c.gap);
      frames_.put(c.point_A.data());
      frames_.put(c.point_B.data());
      frames_.put(c.normal.data());
      frames_.put(c.slip.data());
      frames_.put(&c.spin);
      frames_.put(&c.normal_force);
      frames_.put(c.friction.data());
      frames_.put(c.moment.data());
      frames_.put(&c.chart_A.index);
      frames_.put(&c.chart_B.index);
      frames_.put(c.location_A.data());
      frames_.put(c.location_B.data());
      frames_.put(&c.psi);
    }
    frames_.end_row();
  }

  bool write_summary(const Summary& s) {
    const Hdf5Handle group = make_group(file_.id(), "summary");
    const hid_t at = group.id();
    const auto frames = static_cast<std::int64_t>(frames_.rows());
    return group.valid() && attribute(at, "t_end", s.t_end) && attribute(at, "wall_s", s.wall_s) &&
           attribute(at, "frames", frames) && attribute(at, "energy_initial", s.energy.initial) &&
           attribute(at, "energy_final", s.energy.final) &&
           attribute(at, "energy_max_relative_drift", s.energy.max_relative_drift) &&
           attribute(at, "energy_dissipated", s.energy.dissipated) &&
           attribute(at, "energy_work", s.energy.work) &&
           attribute(at, "max_gap_error", s.max_gap_error) &&
           attribute(at, "hash", H5T_NATIVE_UINT64, 1, &s.hash) &&
           attribute(at, "steps", s.counters.steps) &&
           attribute(at, "rejected_steps", s.counters.rejected_steps) &&
           attribute(at, "rates_calls", s.counters.rates_calls) &&
           attribute(at, "events", s.counters.events) &&
           attribute(at, "chart_crossings", s.counters.chart_crossings) &&
           attribute(at, "reanchorings", s.counters.reanchorings) &&
           attribute(at, "closest_calls", s.counters.closest_calls);
  }

  bool flush_is_due() const {
    return std::chrono::steady_clock::now() - last_flush_ >= kFlushInterval;
  }

  // Writes what is buffered and makes it visible to readers.
  bool write_blocks() {
    const Hdf5Silence silence;
    if (!reserve(frames_.bytes() + events_.bytes())) return false;
    errno = 0;
    if (!frames_.append() || !events_.append() || H5Fflush(file_.id(), H5F_SCOPE_LOCAL) < 0) {
      fail("writing failed");
      return false;
    }
    last_flush_ = std::chrono::steady_clock::now();
    return true;
  }

  // Space for this much more, and always enough on top for closing the file.
  bool reserve(std::int64_t bytes) {
    hsize_t size = 0;
    H5Fget_filesize(file_.id(), &size);
    if (space_.ensure(static_cast<std::int64_t>(size) + bytes + kClosing)) return true;
    trouble_ = explained(file_error(path_.final_path, "the record does not fit", ENOSPC));
    close();
    space_.release();
    return false;
  }

  bool close() {
    frames_.close();
    events_.close();
    const bool good = file_.close();
    stuck_ = stuck_ || !good;
    return good;
  }

  // The library failed although there seemed to be space.
  void fail(const std::string& doing) {
    const int why = errno;
    trouble_ = explained(file_error(path_.final_path, doing, why != 0 ? why : EIO));
    if (file_.valid()) divert(file_);
    close();
  }

  // What was flushed stays readable in the part file.
  Error explained(Error error) const {
    error.remedy +=
        fmt::format("; the record up to about t = {:.6g} s is in {}", t_, path_.part_path);
    return error;
  }

  OutputPath path_;
  Hdf5Handle file_;
  WriterLock lock_;
  DiskSpace space_;
  Block frames_, events_;
  std::size_t bodies_ = 0, contacts_ = 0;
  double t_ = 0;  // [s] of the latest frame
  std::chrono::steady_clock::time_point last_flush_;
  bool begun_ = false, finished_ = false;
  bool stuck_ = false;  // the library could not close the file
  std::optional<Error> trouble_;
};

}  // namespace

Result<std::unique_ptr<Recorder>> make_record_file(const std::string& path) {
  const Hdf5Silence silence;
  auto target = make_output_path(path);
  if (!target) return Unexpected{target.error()};
  if (!target->renamed()) {
    return Unexpected{
        Error{{path, "", 0, 0}, "a record cannot go to a device or pipe", "name a file"}};
  }
  const auto busy = [&] {
    return Unexpected{Error{{target->part_path, "", 0, 0},
                            "another run is writing this record",
                            "wait for it to end, or choose another name"}};
  };
  WriterLock lock;  // before the file is emptied, if it is there
  if (!lock.take(target->part_path)) return busy();
  errno = 0;
  Hdf5Handle file(
      H5Fcreate(target->part_path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_properties().id()),
      H5Fclose);
  if (!file.valid()) {
    return Unexpected{file_error(path, "cannot write the file", errno != 0 ? errno : EIO)};
  }
  if (!lock.held() && !lock.take(target->part_path)) return busy();
  return std::unique_ptr<Recorder>(
      std::make_unique<RecordFile>(std::move(*target), std::move(file), std::move(lock)));
}

}  // namespace oloid
