// One table of a scene file, compared with the schema.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "oloid/io/scene_text/document.h"
#include "oloid/io/scene_text/scene_schema.h"
#include "oloid/io/scene_text/scene_value.h"
#include "oloid/scene/spec.h"

namespace oloid::io {

// Names of tables of the schema.
using Tables = std::vector<std::string_view>;

// The first of these tables' keys with this name; null if there is none.
const SceneKey* find_key(const Tables& tables, std::string_view key);

// The word given for a key of ValueKind::choice, if it is one that is known.
std::string_view chosen(const NodeTable& table, const SceneKey& key);

// Whether keys that the schema requires may be missing.
enum class Missing { refused, allowed };

// One table of the file, checked against the schema when it is built: unknown and missing keys and
// wrong types have been complained about by then. `schema` names the tables whose keys it may have.
class TableReader {
 public:
  TableReader(const NodeTable& table, Spot spot, std::string path, const Tables& schema,
              Complaints& complaints, Missing missing = Missing::refused);

  template <class T>
  std::optional<Located<T>> get(std::string_view key) const {
    for (const Value& v : values_) {
      if (v.key == key) return Located<T>(std::get<T>(v.value), v.place);
    }
    return std::nullopt;
  }

  // A missing key keeps the default, with the place of the table.
  template <class T>
  void get(std::string_view key, Located<T>& out) const {
    out.place = complaints_.place(spot_, path_of(key));
    if (auto given = get<T>(key)) out = *given;
  }

  // Puts the values of all keys that belong to this kind of Spec where they go. What is not given
  // keeps its default.
  template <class S>
  void fill(S& spec) const;
  template <class S>
  S make() const {
    S spec;
    fill(spec);
    return spec;
  }
  // What the key says, into a member of a Spec.
  template <class T>
  void put(const SceneKey& key, T& out) const;
  template <class T>
  void put(const SceneKey& key, Located<T>& out) const;
  template <class T>
  void put(const SceneKey& key, std::optional<Located<T>>& out) const {
    out = get<T>(key.key);
  }

  // Tables below this one, with their paths; empty if there are none or not of the right kind.
  template <class Visit>
  void each(std::string_view key, Visit visit) const {
    for (const Below& b : below_) {
      if (b.key == key) visit(*b.table, b.spot, b.path);
    }
  }

  Spot spot() const { return spot_; }
  Place place() const { return complaints_.place(spot_, path_); }
  std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

 private:
  struct Value {
    std::string_view key;
    SceneValue value;
    Place place;
  };
  struct Below {
    std::string_view key;
    const NodeTable* table;
    Spot spot;
    std::string path;
  };

  // Which of its choices a key of ValueKind::choice has.
  template <class E>
  std::optional<Located<E>> get_choice(const SceneKey& key) const;

  void read(const Entry& entry, const Tables& schema);
  void read_table(const Entry& entry, const SceneKey& key, const std::string& path);
  void read_tables(const Entry& entry, const SceneKey& key, const std::string& path);
  void refuse(const Entry& entry, const Tables& schema);
  void require(const NodeTable& table, const SceneKey& key);

  Spot spot_;
  std::string path_;
  Tables schema_;
  Complaints& complaints_;
  std::vector<Value> values_;
  std::vector<Below> below_;
  std::vector<std::string_view> misspelt_;  // keys already proposed by a complaint
};

// Its address identifies the type.
template <class S>
inline constexpr char kSpecType = 0;

template <auto Member>
struct MemberTarget;
template <class S, class M, M S::*Member>
struct MemberTarget<Member> {
  static void put(const TableReader& table, const SceneKey& key, void* spec) {
    table.put(key, static_cast<S*>(spec)->*Member);
  }
  static constexpr SceneTarget kTarget{&kSpecType<S>, &put};
};
// For SceneKey::target: into<&SphereSpec::radius>. Enumerators are in the order of the choices.
template <auto Member>  // NOLINTNEXTLINE(readability-identifier-naming): it reads like a word
inline constexpr SceneTarget into = MemberTarget<Member>::kTarget;

template <class S>
void TableReader::fill(S& spec) const {
  for (const SceneKey& key : scene_schema()) {
    const bool here = std::find(schema_.begin(), schema_.end(), key.table) != schema_.end();
    if (here && key.target.spec == &kSpecType<S>) key.target.put(*this, key, &spec);
  }
}

template <class E>
std::optional<Located<E>> TableReader::get_choice(const SceneKey& key) const {
  const auto word = get<std::string>(key.key);
  if (!word) return std::nullopt;
  const auto words = choices_of(key);
  const auto at = std::find(words.begin(), words.end(), word->value) - words.begin();
  return Located<E>(static_cast<E>(at), word->place);
}

template <class T>
void TableReader::put(const SceneKey& key, T& out) const {
  if constexpr (std::is_enum_v<T>) {
    if (const auto given = get_choice<T>(key)) out = given->value;
  } else {
    if (const auto given = get<T>(key.key)) out = given->value;
  }
}

template <class T>
void TableReader::put(const SceneKey& key, Located<T>& out) const {
  if constexpr (std::is_enum_v<T>) {
    if (const auto given = get_choice<T>(key)) out = *given;
  } else {
    get(key.key, out);
  }
}

}  // namespace oloid::io
