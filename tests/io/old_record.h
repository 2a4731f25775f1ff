// Records as earlier versions wrote them: formats 1 and 2, of the made-up run.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstddef>
#include <cstring>

#include "io/sample_run.h"
#include "oloid/io/record/hdf5_rows.h"
#include "oloid/io/record/hdf5_write.h"
#include "oloid/io/record/record_layout.h"
#include "support/rooms.h"

namespace oloid::test {

struct OldEventRow {
  double t = 0;
  char kind[24] = {};
  std::int32_t body_a = -1, body_b = -1, contact = -1, probe = -1;
  char before[16] = {}, after[16] = {};
  double value = 0;
  char note[128] = {};
};

inline Hdf5Handle old_event_type(int format) {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(OldEventRow)), H5Tclose);
  const auto text = [&](const char* name, std::size_t offset, std::size_t size) {
    H5Tinsert(type.id(), name, offset, text_type(size).id());
  };
  H5Tinsert(type.id(), "t", offsetof(OldEventRow, t), H5T_NATIVE_DOUBLE);
  text("kind", offsetof(OldEventRow, kind), 24);
  H5Tinsert(type.id(), "body_a", offsetof(OldEventRow, body_a), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "body_b", offsetof(OldEventRow, body_b), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "contact", offsetof(OldEventRow, contact), H5T_NATIVE_INT32);
  if (format > 1) H5Tinsert(type.id(), "probe", offsetof(OldEventRow, probe), H5T_NATIVE_INT32);
  text("before", offsetof(OldEventRow, before), 16);
  text("after", offsetof(OldEventRow, after), 16);
  H5Tinsert(type.id(), "value", offsetof(OldEventRow, value), H5T_NATIVE_DOUBLE);
  text("note", offsetof(OldEventRow, note), 128);
  return type;
}

template <class T>
void put_old(Hdf5Rows& rows, const FrameColumn<T>& column, const T& frame) {
  double x[kWidest] = {};
  column.get(frame, x);
  const auto small = static_cast<std::int8_t>(x[0]);
  const auto whole = static_cast<std::int32_t>(x[0]);
  if (column.type == ColumnType::number) {
    rows.put(x);
  } else if (column.type == ColumnType::int32) {
    rows.put(&whole);
  } else {
    rows.put(&small);
  }
}

// Frames 0 ... count − 1, with two more around the event at t = 1: the contact that starts there
// grips. In old formats a contact is its pair.
inline void write_old_record(const std::string& path, int format, int count) {
  const Header h = sample_header();
  const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, record_access().id()),
                        H5Fclose);
  const auto root = file.id();
  write_text(root, "scene_text", h.scene_text);
  write_attribute(root, "format", std::int64_t{format});
  write_attribute(root, "oloid_version", h.oloid_version);
  write_attribute(root, "scene_name", h.scene_name);
  write_attribute(root, "scene_file", h.scene_file);
  write_attribute(root, "duration", h.duration);
  write_attribute(root, "output_dt", h.output_dt);
  write_attribute(root, "gravity", h.gravity);
  if (format > 1) {
    write_attribute(root, "build", h.build);
    write_attribute(root, "energy_scale", h.energy_scale);
  }
  Hdf5Rows rows(256), events(256), hash(1), end(1);
  {
    const Hdf5Handle frames = make_group(root, "frames");
    rows.add(frames.id(), "t", stored_type(ColumnType::number), 1, "s");
    rows.add(frames.id(), "event_side", stored_type(ColumnType::int8), 1, "");
    rows.add(frames.id(), "energy", stored_type(ColumnType::number), 4, "J");
  }
  const Hdf5Handle bodies = make_group(root, "bodies");
  for (std::size_t i = 0; i < 2; ++i) {
    const Hdf5Handle body = make_group(bodies.id(), std::to_string(i));
    write_attribute(body.id(), "name", h.bodies[i]);
    write_attribute(body.id(), "mass", h.masses[i]);
    for (const auto& c : kBodyColumns)
      if (c.type == ColumnType::number)
        rows.add(body.id(), c.name, stored_type(c.type), c.width, c.unit);
    if (format > 1 && h.masses[i] > 0) hash.add(body.id(), "hash", hash_type(), 1, "");
  }
  const Hdf5Handle contacts = make_group(root, "contacts");
  const Hdf5Handle contact = make_group(contacts.id(), "0");
  write_attribute(contact.id(), "body_a", std::int64_t{1});
  write_attribute(contact.id(), "body_b", std::int64_t{0});
  for (const auto& c : kContactColumns)
    rows.add(contact.id(), c.name, stored_type(c.type), c.width, c.unit);
  const auto frame = [&](int k, int side, Mode mode) {
    SampleFrame s = sample_frame(k);
    s.contacts[0].mode = mode;
    const auto small = static_cast<std::int8_t>(side);
    rows.put(&s.frame.t);
    rows.put(&small);
    rows.put(&s.frame.energy);
    for (const BodyFrame& body : s.bodies)
      for (const auto& c : kBodyColumns)
        if (c.type == ColumnType::number) put_old(rows, c, body);
    for (const auto& c : kContactColumns) put_old(rows, c, s.contacts[0]);
    rows.end_row();
    if (rows.full()) rows.append();
  };
  for (int k = 0; k < count; ++k) {
    frame(k, 0, k < 100 ? Mode::sliding : Mode::rolling);
    if (k != 100) continue;
    frame(k, -1, Mode::sliding);
    frame(k, 1, Mode::rolling);
  }
  EXPECT_TRUE(rows.append());
  events.add(root, "events", old_event_type(format), 1, "");
  const auto event = [&](double t, const char* kind, const char* before, const char* after,
                         int at) {
    OldEventRow row;
    row.t = t;
    std::strcpy(row.kind, kind);
    std::strcpy(row.before, before);
    std::strcpy(row.after, after);
    row.contact = at;
    row.body_a = at < 0 ? -1 : 1;
    row.body_b = at < 0 ? -1 : 0;
    events.put(&row);
    events.end_row();
  };
  event(0, "contact_start", "separated", "sliding", 0);
  event(1, "mode_change", "sliding", "rolling", 0);
  event(2, "end", "separated", "separated", -1);
  EXPECT_TRUE(events.append());
  if (format == 1) {
    const Hdf5Handle summary = make_group(root, "summary");
    write_attribute(summary.id(), "t_end", 2.0);
    write_attribute(summary.id(), "steps", std::int64_t{100});
    return;
  }
  const std::uint64_t bits = sample_summary().hashes[0];
  hash.put(&bits);
  hash.end_row();
  EXPECT_TRUE(hash.append());
  end.add(root, "summary", summary_type(), 1, "");
  const SummaryRow row = summary_row(sample_summary(), rows.rows());
  end.put(&row);
  end.end_row();
  EXPECT_TRUE(end.append());
}

}  // namespace oloid::test
