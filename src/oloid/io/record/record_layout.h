// What is where in a record, for its writer and its reader alike. Documented in
// docs/formats/record.md.
#pragma once

#include <cstdint>

#include "oloid/io/record/hdf5_handle.h"
#include "oloid/scene/contact_lives.h"
#include "oloid/scene/recorder.h"

namespace oloid::io {

inline constexpr std::int64_t kRecordFormat = 3;  // formats 1 and 2 can be read

// How the numbers of a column are stored.
enum class ColumnType { number, int8, int32, int64, mode };
Hdf5Handle stored_type(ColumnType type);

// A dataset with one row for each frame, of a body or a contact; `get` and `set` move the numbers
// of a row.
template <class T>
struct FrameColumn {
  const char* name;
  std::size_t width;
  const char* unit;
  ColumnType type;
  void (*get)(const T& frame, double* x);
  void (*set)(T& frame, const double* x);
};
inline constexpr std::size_t kWidest = 4;  // numbers in a row

namespace record_layout {

template <class T, Vec3<double> T::*Member>
constexpr FrameColumn<T> vector(const char* name, const char* unit) {
  return {name,
          3,
          unit,
          ColumnType::number,
          [](const T& frame, double* x) {
            for (int i = 0; i < 3; ++i) x[i] = (frame.*Member)(i);
          },
          [](T& frame, const double* x) { frame.*Member = Vec3<double>(x[0], x[1], x[2]); }};
}
template <class T, double T::*Member>
constexpr FrameColumn<T> number(const char* name, const char* unit) {
  return {name,
          1,
          unit,
          ColumnType::number,
          [](const T& frame, double* x) { *x = frame.*Member; },
          [](T& frame, const double* x) { frame.*Member = *x; }};
}
template <class Index, Index ContactFrame::*Member>
constexpr FrameColumn<ContactFrame> index(const char* name) {
  return {name,
          1,
          "",
          ColumnType::int32,
          [](const ContactFrame& frame, double* x) { *x = (frame.*Member).index; },
          [](ContactFrame& frame, const double* x) {
            (frame.*Member).index = static_cast<std::int32_t>(*x);
          }};
}
template <int ContactFrame::*Member>
constexpr FrameColumn<ContactFrame> whole(const char* name) {
  return {name,
          1,
          "",
          ColumnType::int32,
          [](const ContactFrame& frame, double* x) { *x = frame.*Member; },
          [](ContactFrame& frame, const double* x) { frame.*Member = static_cast<int>(*x); }};
}
// Kind and number.
template <std::size_t PlacedShape>
constexpr FrameColumn<ContactFrame> feature(const char* name) {
  return {name,
          2,
          "",
          ColumnType::int32,
          [](const ContactFrame& frame, double* x) {
            x[0] = static_cast<int>(frame.features[PlacedShape].kind);
            x[1] = frame.features[PlacedShape].index;
          },
          [](ContactFrame& frame, const double* x) {
            frame.features[PlacedShape] = {static_cast<FeatureKind>(static_cast<int>(x[0])),
                                           static_cast<std::int32_t>(x[1])};
          }};
}
template <Vec3<double> ContactFrame::*Member>
constexpr FrameColumn<ContactFrame> of_contact(const char* name, const char* unit) {
  return vector<ContactFrame, Member>(name, unit);
}
template <double ContactFrame::*Member>
constexpr FrameColumn<ContactFrame> of_contact(const char* name, const char* unit) {
  return number<ContactFrame, Member>(name, unit);
}

}  // namespace record_layout

inline constexpr FrameColumn<BodyFrame> kBodyColumns[] = {
    record_layout::vector<BodyFrame, &BodyFrame::position>("position", "m"),
    {"orientation", 4, "1", ColumnType::number,
     [](const BodyFrame& body, double* x) {
       const Quat<double>& q = body.orientation;
       x[0] = q.w, x[1] = q.x, x[2] = q.y, x[3] = q.z;
     },
     [](BodyFrame& body, const double* x) {
       body.orientation = {x[0], x[1], x[2], x[3]};
     }},
    record_layout::vector<BodyFrame, &BodyFrame::velocity>("velocity", "m/s"),
    record_layout::vector<BodyFrame, &BodyFrame::angular_velocity>("angular_velocity", "rad/s"),
    {"ended", 1, "", ColumnType::int8, [](const BodyFrame& body, double* x) { *x = body.ended; },
     [](BodyFrame& body, const double* x) { body.ended = *x != 0; }},
};

// Which contact a row is of. Formats 1 and 2 do not have these: there each pair has its datasets.
inline constexpr FrameColumn<ContactFrame> kContactNames[] = {
    record_layout::index<ContactId, &ContactFrame::id>("contact"),
    record_layout::whole<&ContactFrame::pair>("pair"),
    record_layout::whole<&ContactFrame::ordinal>("ordinal"),
    record_layout::feature<0>("feature_a"),
    record_layout::feature<1>("feature_b"),
};

inline constexpr FrameColumn<ContactFrame> kContactColumns[] = {
    {"mode", 1, "", ColumnType::mode,
     [](const ContactFrame& c, double* x) { *x = static_cast<int>(c.mode); },
     [](ContactFrame& c, const double* x) { c.mode = static_cast<Mode>(static_cast<int>(*x)); }},
    record_layout::of_contact<&ContactFrame::gap>("gap", "m"),
    record_layout::of_contact<&ContactFrame::point_A>("point_a", "m"),
    record_layout::of_contact<&ContactFrame::point_B>("point_b", "m"),
    record_layout::of_contact<&ContactFrame::normal>("normal", "1"),
    record_layout::of_contact<&ContactFrame::slip>("slip", "m/s"),
    record_layout::of_contact<&ContactFrame::spin>("spin", "rad/s"),
    record_layout::of_contact<&ContactFrame::normal_force>("normal_force", "N"),
    record_layout::of_contact<&ContactFrame::friction>("friction", "N"),
    record_layout::of_contact<&ContactFrame::moment>("moment", "N m"),
    record_layout::index<ChartId, &ContactFrame::chart_A>("chart_a"),
    record_layout::index<ChartId, &ContactFrame::chart_B>("chart_b"),
    record_layout::of_contact<&ContactFrame::location_A>("location_a", ""),
    record_layout::of_contact<&ContactFrame::location_B>("location_b", ""),
    record_layout::of_contact<&ContactFrame::psi>("psi", "rad"),
};

// One row of /events. Texts are padded with zeros.
struct EventRow {
  double t = 0;
  char kind[24] = {};
  std::int32_t body_a = -1, body_b = -1, pair = -1, ordinal = 0, contact = -1, probe = -1;
  std::int32_t feature_a[2] = {}, feature_b[2] = {};
  char before[16] = {}, after[16] = {};
  double value = 0;
  char note[128] = {};
  // Frames before and after it: energies, and which rows of /event_bodies and /event_contacts.
  double energy_before[4] = {}, energy_after[4] = {};
  std::int64_t first_body = 0, first_contact = 0;
  std::int32_t bodies = 0, contacts = 0;
};
Hdf5Handle event_type();
EventRow event_row(const Event& event);

// One row of /pairs.
struct PairRow {
  std::int32_t pair = -1, body_a = -1, body_b = -1;
  double static_friction = 0, kinetic_friction = 0;
};
Hdf5Handle pair_type();

// One row of /contact_births.
struct BirthRow {
  std::int32_t contact = -1, pair = -1, ordinal = 0;
  double t0 = 0, t1 = 0;
  std::int32_t feature_a[2] = {}, feature_b[2] = {};
};
Hdf5Handle birth_type();
BirthRow birth_row(const ContactLife& life);

// The row of /summary. What is not here (the bodies' last state) is in the last frame.
struct SummaryRow {
  double t_end = 0, wall_s = 0;
  std::int64_t frames = 0;
  EnergySummary energy;
  double max_gap_error = 0;
  std::uint64_t hash = 0;
  std::int64_t counters[13] = {};  // in the order of kCounters in record_layout.cpp
};
Hdf5Handle summary_type();
SummaryRow summary_row(const Summary& summary, std::size_t frames);
Summary summary_of(const SummaryRow& row);
Hdf5Handle hash_type();

// How record files are opened: in the newest format, which allows readers beside a writer.
Hdf5Handle record_access();

}  // namespace oloid::io
