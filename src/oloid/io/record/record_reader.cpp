#include "oloid/io/record/record_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "oloid/io/record/hdf5_read.h"
#include "oloid/io/record/record_layout.h"

namespace oloid::io {
namespace {

// Reads a column; `set` takes the numbers of each row.
template <class T, class Set>
bool read_column(const Hdf5Handle& group, const FrameColumn<T>& column, std::size_t first,
                 std::size_t count, const Set& set) {
  const Hdf5Handle dataset = open_dataset(group.id(), column.name);
  if (!rows_of(dataset, column.width)) return false;
  std::vector<double> numbers(count * column.width);
  if (column.type == ColumnType::mode) {
    std::vector<std::int8_t> modes(count);
    if (!read_rows(dataset, stored_type(column.type), 1, first, count, modes.data())) return false;
    for (const std::int8_t mode : modes) {
      if (mode < 0 || static_cast<std::size_t>(mode) >= std::size(kModes)) return false;
    }
    std::copy(modes.begin(), modes.end(), numbers.begin());
  } else if (!read_rows(dataset, column.width, first, count, numbers.data())) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) set(i, numbers.data() + i * column.width);
  return true;
}

// The same for all columns; `row` says where each row goes.
template <class T, std::size_t N, class Row>
bool read_columns(const Hdf5Handle& group, const FrameColumn<T> (&columns)[N], std::size_t first,
                  std::size_t count, const Row& row) {
  return std::all_of(std::begin(columns), std::end(columns), [&](const FrameColumn<T>& column) {
    return read_column(group, column, first, count,
                       [&](std::size_t i, const double* x) { column.set(row(i), x); });
  });
}

// Whole numbers of rows, from a dataset of them.
bool read_whole(const Hdf5Handle& group, const char* name, std::size_t first, std::size_t count,
                std::vector<std::int32_t>& to) {
  const Hdf5Handle dataset = open_dataset(group.id(), name);
  to.resize(count);
  return rows_of(dataset, 1).value_or(0) >= first + count &&
         read_rows(dataset, 1, first, count, to.data());
}

}  // namespace

bool is_record(const std::string& path) {
  char first[kHdf5Signature.size()] = {};
  std::ifstream file(path, std::ios::binary);
  if (file.read(first, sizeof first))
    return std::string_view(first, sizeof first) == kHdf5Signature;
  return path.ends_with(".h5") || path.ends_with(".h5.part");
}

Frame FrameBlock::frame(std::size_t i) const {
  const auto part = [&](const auto& all) {
    const std::size_t each = all.size() / std::max<std::size_t>(count, 1);
    return std::span(all).subspan(i * each, each);
  };
  const std::size_t from = first_contact[i];
  return {t[i],         event_side[i],
          part(bodies), std::span(contacts).subspan(from, first_contact[i + 1] - from),
          energy[i],    part(probes)};
}

Error RecordReader::damage(std::string_view what) const {
  return {{path_, "", 0, 0},
          fmt::format("the record is damaged: {} cannot be read", what),
          "use another copy of the file, or run the scene again"};
}

Result<FrameBlock> RecordReader::read(std::size_t first, std::size_t count) const {
  const Hdf5Silence silence;
  const std::size_t bodies = header_.bodies.size(), probes = header_.probes.size();
  count = first < frames_ ? std::min(count, frames_ - first) : 0;
  FrameBlock block{count, std::vector<double>(count), {}, {}, {}, {}, {}, {0}};
  std::vector<std::int32_t> sides(count);
  std::vector<double> energy(4 * count), values(count);
  const auto wrong = [&](const std::string& what) { return Unexpected{damage(what)}; };
  if (!read_rows(open_dataset(file_.id(), "frames/t"), 1, first, count, block.t.data()) ||
      !read_rows(open_dataset(file_.id(), "frames/event_side"), 1, first, count, sides.data()) ||
      !read_rows(open_dataset(file_.id(), "frames/energy"), 4, first, count, energy.data()))
    return wrong("/frames");
  block.event_side.assign(sides.begin(), sides.end());
  for (std::size_t i = 0; i < count; ++i) {
    const double* e = energy.data() + 4 * i;
    block.energy.push_back({e[0], e[1], e[2], e[3]});
  }
  if (count == 0) return block;
  block.bodies.resize(count * bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    const std::string name = fmt::format("/bodies/{}", i);
    const Hdf5Handle group = open_group(file_.id(), name);
    const auto row = [&](std::size_t k) -> BodyFrame& { return block.bodies[k * bodies + i]; };
    for (const auto& column : kBodyColumns) {
      if (format_ < 3 && column.type != ColumnType::number) continue;  // not there yet
      if (!read_column(group, column, first, count,
                       [&](std::size_t k, const double* x) { column.set(row(k), x); }))
        return wrong(name);
    }
  }
  if (!(format_ < 3 ? read_pair_contacts(first, count, block)
                    : read_contact_rows(first, count, block)))
    return wrong(format_ < 3 ? "/contacts" : "/contact_rows");
  block.probes.resize(count * probes);
  for (std::size_t i = 0; i < probes; ++i) {
    const std::string name = "/probes/" + header_.probes[i].name;
    if (!read_rows(open_dataset(file_.id(), name), 1, first, count, values.data()))
      return wrong(name);
    for (std::size_t k = 0; k < count; ++k) block.probes[k * probes + i] = values[k];
  }
  return block;
}

// As formats 1 and 2 have them: a group for each pair, with a row for each frame.
bool RecordReader::read_pair_contacts(std::size_t first, std::size_t count,
                                      FrameBlock& block) const {
  const std::size_t pairs = header_.pairs.size();
  block.contacts.resize(count * pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    const Hdf5Handle group = open_group(file_.id(), fmt::format("/contacts/{}", i));
    const auto row = [&](std::size_t k) -> ContactFrame& { return block.contacts[k * pairs + i]; };
    if (!read_columns(group, kContactColumns, first, count, row)) return false;
    for (std::size_t k = 0; k < count; ++k) {
      ContactFrame& c = row(k);
      c.pair = static_cast<int>(i);
      if (c.mode != Mode::separated) c.id = id_at(c.pair, block.t[k]);
    }
  }
  for (std::size_t k = 1; k <= count; ++k) block.first_contact.push_back(k * pairs);
  return true;
}

ContactId RecordReader::id_at(int pair, double t) const {
  ContactId id;
  if (const auto births = births_.find(pair); births != births_.end()) {
    for (const auto& [t0, born] : births->second)
      if (t0 <= t) id = born;
  }
  return id;
}

bool RecordReader::read_contact_rows(std::size_t first, std::size_t count,
                                     FrameBlock& block) const {
  std::vector<double> index(count), counts(count);
  if (!read_rows(open_dataset(file_.id(), "contact_index"), 1, first, count, index.data()) ||
      !read_rows(open_dataset(file_.id(), "frames/contacts"), 1, first, count, counts.data()))
    return false;
  const Hdf5Handle group = open_group(file_.id(), "contact_rows");
  const auto rows = rows_of(open_dataset(group.id(), "frame"), 1);
  const double from = index.front();
  for (std::size_t k = 0; k < count; ++k) {
    const double at = index[k] - from;
    if (!rows || !(from >= 0) || !(counts[k] >= 0) ||
        at != static_cast<double>(block.first_contact.back()) ||
        !(index[k] + counts[k] <= static_cast<double>(*rows)))
      return false;
    block.first_contact.push_back(static_cast<std::size_t>(at + counts[k]));
  }
  block.contacts.resize(block.first_contact.back());
  const auto row = [&](std::size_t i) -> ContactFrame& { return block.contacts[i]; };
  const auto first_row = static_cast<std::size_t>(from);
  if (!read_columns(group, kContactNames, first_row, block.contacts.size(), row) ||
      !read_columns(group, kContactColumns, first_row, block.contacts.size(), row) ||
      !are_valid(block.contacts))
    return false;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = block.first_contact[k] + 1; i < block.first_contact[k + 1]; ++i)
      if (block.contacts[i].pair < block.contacts[i - 1].pair) return false;
  }
  return true;
}

bool RecordReader::are_valid(const std::vector<ContactFrame>& rows) const {
  return std::all_of(rows.begin(), rows.end(), [&](const ContactFrame& c) {
    const auto known = [](const ContactFeature& feature) {
      const auto kind = static_cast<int>(feature.kind);
      return kind >= 0 && kind < static_cast<int>(std::size(kFeatureKinds));
    };
    return c.pair >= 0 && static_cast<std::size_t>(c.pair) < header_.pairs.size() &&
           known(c.features[0]) && known(c.features[1]);
  });
}

Result<EventStates> RecordReader::event_states(std::size_t first, std::size_t count) const {
  const Hdf5Silence silence;
  EventStates states;
  if (events_are_frames() || first >= marks_.size() || count == 0) return states;
  const EventMark &from = marks_[first], &to = marks_[std::min(first + count, marks_.size()) - 1];
  const std::size_t bodies = to.first_body + to.bodies - from.first_body,
                    contacts = to.first_contact + to.contacts - from.first_contact;
  std::vector<std::int32_t> event, side, body;
  {
    const Hdf5Handle group = open_group(file_.id(), "event_bodies");
    states.bodies.resize(bodies);
    if (bodies > 0 &&
        (!read_whole(group, "event", from.first_body, bodies, event) ||
         !read_whole(group, "side", from.first_body, bodies, side) ||
         !read_whole(group, "body", from.first_body, bodies, body) ||
         !read_columns(group, kBodyColumns, from.first_body, bodies,
                       [&](std::size_t i) -> BodyFrame& { return states.bodies[i].frame; })))
      return Unexpected{damage("/event_bodies")};
    for (std::size_t i = 0; i < bodies; ++i) {
      states.bodies[i].event = static_cast<std::size_t>(event[i]);
      states.bodies[i].side = side[i];
      states.bodies[i].body = static_cast<std::size_t>(body[i]);
      if (states.bodies[i].body >= header_.bodies.size())
        return Unexpected{damage("/event_bodies")};
    }
  }
  const Hdf5Handle group = open_group(file_.id(), "event_contacts");
  std::vector<ContactFrame> rows(contacts);
  const auto row = [&](std::size_t i) -> ContactFrame& { return rows[i]; };
  if (contacts > 0 && (!read_whole(group, "event", from.first_contact, contacts, event) ||
                       !read_whole(group, "side", from.first_contact, contacts, side) ||
                       !read_columns(group, kContactNames, from.first_contact, contacts, row) ||
                       !read_columns(group, kContactColumns, from.first_contact, contacts, row) ||
                       !are_valid(rows)))
    return Unexpected{damage("/event_contacts")};
  for (std::size_t i = 0; i < contacts; ++i)
    states.contacts.push_back({static_cast<std::size_t>(event[i]), side[i], rows[i]});
  return states;
}

}  // namespace oloid::io
