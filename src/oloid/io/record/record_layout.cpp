#include "oloid/io/record/record_layout.h"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "oloid/io/record/hdf5_write.h"

namespace oloid::io {
namespace {

template <std::size_t N>
void copy_text(char (&to)[N], std::string_view from) {
  from.copy(to, N);
}

Hdf5Handle mode_type() {
  Hdf5Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  for (const Mode mode : kModes) {
    const auto value = static_cast<std::int8_t>(mode);
    H5Tenum_insert(type.id(), std::string(name(mode)).c_str(), &value);
  }
  return type;
}

// Several numbers that are one member of a row.
void insert_list(const Hdf5Handle& row, const char* member, std::size_t offset, hid_t type,
                 hsize_t count) {
  const Hdf5Handle list(H5Tarray_create2(type, 1, &count), H5Tclose);
  H5Tinsert(row.id(), member, offset, list.id());
}

void set_feature(std::int32_t (&to)[2], const ContactFeature& feature) {
  to[0] = static_cast<std::int32_t>(feature.kind);
  to[1] = feature.index;
}

}  // namespace

Hdf5Handle stored_type(ColumnType type) {
  switch (type) {
    case ColumnType::int8:
      return {H5Tcopy(H5T_NATIVE_INT8), H5Tclose};
    case ColumnType::int32:
      return {H5Tcopy(H5T_NATIVE_INT32), H5Tclose};
    case ColumnType::int64:
      return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose};
    case ColumnType::mode:
      return mode_type();
    case ColumnType::number:
      break;
  }
  return {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose};
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
  H5Tinsert(type.id(), "pair", offsetof(EventRow, pair), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "ordinal", offsetof(EventRow, ordinal), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "contact", offsetof(EventRow, contact), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "probe", offsetof(EventRow, probe), H5T_NATIVE_INT32);
  text("before", offsetof(EventRow, before), sizeof(EventRow::before));
  text("after", offsetof(EventRow, after), sizeof(EventRow::after));
  H5Tinsert(type.id(), "value", offsetof(EventRow, value), H5T_NATIVE_DOUBLE);
  text("note", offsetof(EventRow, note), sizeof(EventRow::note));
  insert_list(type, "feature_a", offsetof(EventRow, feature_a), H5T_NATIVE_INT32, 2);
  insert_list(type, "feature_b", offsetof(EventRow, feature_b), H5T_NATIVE_INT32, 2);
  insert_list(type, "energy_before", offsetof(EventRow, energy_before), H5T_NATIVE_DOUBLE, 4);
  insert_list(type, "energy_after", offsetof(EventRow, energy_after), H5T_NATIVE_DOUBLE, 4);
  H5Tinsert(type.id(), "first_body", offsetof(EventRow, first_body), H5T_NATIVE_INT64);
  H5Tinsert(type.id(), "bodies", offsetof(EventRow, bodies), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "first_contact", offsetof(EventRow, first_contact), H5T_NATIVE_INT64);
  H5Tinsert(type.id(), "contacts", offsetof(EventRow, contacts), H5T_NATIVE_INT32);
  return type;
}

Hdf5Handle pair_type() {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(PairRow)), H5Tclose);
  H5Tinsert(type.id(), "pair", offsetof(PairRow, pair), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "body_a", offsetof(PairRow, body_a), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "body_b", offsetof(PairRow, body_b), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "static_friction", offsetof(PairRow, static_friction), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.id(), "kinetic_friction", offsetof(PairRow, kinetic_friction), H5T_NATIVE_DOUBLE);
  return type;
}

Hdf5Handle birth_type() {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(BirthRow)), H5Tclose);
  H5Tinsert(type.id(), "contact", offsetof(BirthRow, contact), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "pair", offsetof(BirthRow, pair), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "ordinal", offsetof(BirthRow, ordinal), H5T_NATIVE_INT32);
  H5Tinsert(type.id(), "t0", offsetof(BirthRow, t0), H5T_NATIVE_DOUBLE);
  H5Tinsert(type.id(), "t1", offsetof(BirthRow, t1), H5T_NATIVE_DOUBLE);
  insert_list(type, "feature_a", offsetof(BirthRow, feature_a), H5T_NATIVE_INT32, 2);
  insert_list(type, "feature_b", offsetof(BirthRow, feature_b), H5T_NATIVE_INT32, 2);
  return type;
}

BirthRow birth_row(const ContactLife& life) {
  BirthRow row{life.id.index, life.pair, life.ordinal, life.t0, life.t1};
  set_feature(row.feature_a, life.features[0]);
  set_feature(row.feature_b, life.features[1]);
  return row;
}

EventRow event_row(const Event& event) {
  EventRow row;
  row.t = event.t;
  copy_text(row.kind, name(event.kind));
  row.body_a = event.bodies[0].index;
  row.body_b = event.bodies[1].index;
  row.pair = event.pair;
  row.ordinal = event.ordinal;
  row.contact = event.contact.index;
  row.probe = event.probe;
  copy_text(row.before, name(event.before));
  copy_text(row.after, name(event.after));
  row.value = event.value;
  copy_text(row.note, event.note);
  set_feature(row.feature_a, event.features[0]);
  set_feature(row.feature_b, event.features[1]);
  std::fill_n(row.energy_before, 4, std::nan(""));
  std::fill_n(row.energy_after, 4, std::nan(""));
  return row;
}

namespace {

constexpr std::pair<const char*, std::int64_t Counters::*> kCounters[] = {
    {"steps", &Counters::steps},
    {"rejected_steps", &Counters::rejected_steps},
    {"rates_calls", &Counters::rates_calls},
    {"events", &Counters::events},
    {"chart_crossings", &Counters::chart_crossings},
    {"reanchorings", &Counters::reanchorings},
    {"closest_calls", &Counters::closest_calls},
    {"witness_hits", &Counters::witness_hits},
    {"witness_misses", &Counters::witness_misses},
    {"witness_unknown", &Counters::witness_unknown},
    {"witness_vanished", &Counters::witness_vanished},
    {"witness_left", &Counters::witness_left},
    {"newton_iterations", &Counters::newton_iterations}};
static_assert(std::size(kCounters) == std::size(SummaryRow{}.counters));

}  // namespace

Hdf5Handle summary_type() {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(SummaryRow)), H5Tclose);
  const auto number = [&](const char* member, std::size_t offset) {
    H5Tinsert(type.id(), member, offset, H5T_NATIVE_DOUBLE);
  };
  const auto count = [&](const char* member, std::size_t offset) {
    H5Tinsert(type.id(), member, offset, H5T_NATIVE_INT64);
  };
  constexpr std::size_t kEnergy = offsetof(SummaryRow, energy);
  number("t_end", offsetof(SummaryRow, t_end));
  number("wall_s", offsetof(SummaryRow, wall_s));
  count("frames", offsetof(SummaryRow, frames));
  number("energy_initial", kEnergy + offsetof(EnergySummary, initial));
  number("energy_final", kEnergy + offsetof(EnergySummary, final));
  number("energy_max_relative_drift", kEnergy + offsetof(EnergySummary, max_relative_drift));
  number("energy_dissipated", kEnergy + offsetof(EnergySummary, dissipated));
  number("energy_work", kEnergy + offsetof(EnergySummary, work));
  number("max_gap_error", offsetof(SummaryRow, max_gap_error));
  H5Tinsert(type.id(), "hash", offsetof(SummaryRow, hash), H5T_NATIVE_UINT64);
  for (std::size_t i = 0; i < std::size(kCounters); ++i)
    count(kCounters[i].first, offsetof(SummaryRow, counters) + i * sizeof(std::int64_t));
  return type;
}

SummaryRow summary_row(const Summary& s, std::size_t frames) {
  SummaryRow row{s.t_end,  s.wall_s,        static_cast<std::int64_t>(frames),
                 s.energy, s.max_gap_error, s.hash};
  for (std::size_t i = 0; i < std::size(kCounters); ++i)
    row.counters[i] = s.counters.*kCounters[i].second;
  return row;
}

Summary summary_of(const SummaryRow& row) {
  Summary s;
  s.t_end = row.t_end;
  s.wall_s = row.wall_s;
  s.energy = row.energy;
  s.max_gap_error = row.max_gap_error;
  s.hash = row.hash;
  for (std::size_t i = 0; i < std::size(kCounters); ++i)
    s.counters.*kCounters[i].second = row.counters[i];
  return s;
}

Hdf5Handle hash_type() { return {H5Tcopy(H5T_NATIVE_UINT64), H5Tclose}; }

Hdf5Handle record_access() {
  Hdf5Handle how(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(how.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  // A follower that sees a block half written looks again, waiting twice as long each time: 33 ms
  // in all. The library's default of 100 attempts would take far too long if a file is damaged.
  H5Pset_metadata_read_attempts(how.id(), 25);
  H5Pset_file_locking(how.id(), true, true);  // carry on where the disk knows no locks
  return how;
}

}  // namespace oloid::io
