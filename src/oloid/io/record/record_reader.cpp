#include "oloid/io/record/record_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "oloid/io/record/hdf5_read.h"
#include "oloid/io/record/record_layout.h"

namespace oloid::io {
namespace {

// Reads a column of all bodies' or contacts' frames; `stride` of them make a frame.
template <class T>
bool read_column(const Hdf5Handle& group, const FrameColumn<T>& column, std::size_t first,
                 std::size_t count, T* to, std::size_t stride) {
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
  for (std::size_t i = 0; i < count; ++i)
    column.set(to[i * stride], numbers.data() + i * column.width);
  return true;
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
  return {t[i], event_side[i], part(bodies), part(contacts), energy[i], part(probes)};
}

Error RecordReader::damage(std::string_view what) const {
  return {{path_, "", 0, 0},
          fmt::format("the record is damaged: {} cannot be read", what),
          "use another copy of the file, or run the scene again"};
}

Result<FrameBlock> RecordReader::read(std::size_t first, std::size_t count) const {
  const Hdf5Silence silence;
  const std::size_t bodies = header_.bodies.size(), contacts = header_.contacts.size(),
                    probes = header_.probes.size();
  count = first < frames_ ? std::min(count, frames_ - first) : 0;
  FrameBlock block{count, std::vector<double>(count), {}, {}, {}, {}, {}};
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
    for (const auto& column : kBodyColumns) {
      if (!read_column(group, column, first, count, block.bodies.data() + i, bodies))
        return wrong(name);
    }
  }
  block.contacts.resize(count * contacts);
  for (std::size_t i = 0; i < contacts; ++i) {
    const std::string name = fmt::format("/contacts/{}", i);
    const Hdf5Handle group = open_group(file_.id(), name);
    for (const auto& column : kContactColumns) {
      if (!read_column(group, column, first, count, block.contacts.data() + i, contacts))
        return wrong(name);
    }
  }
  block.probes.resize(count * probes);
  for (std::size_t i = 0; i < probes; ++i) {
    const std::string name = "/probes/" + header_.probes[i].name;
    if (!read_rows(open_dataset(file_.id(), name), 1, first, count, values.data()))
      return wrong(name);
    for (std::size_t k = 0; k < count; ++k) block.probes[k * probes + i] = values[k];
  }
  return block;
}

}  // namespace oloid::io
