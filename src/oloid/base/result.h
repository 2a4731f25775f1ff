// A value, or the reason why there is none. Errors name the place in the input and a remedy.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "oloid/base/contract.h"

namespace oloid::base {

// Where in the user's input something was written.
struct Place {
  std::string file;  // empty if the value was not read from a file
  std::string path;  // path in the document, e.g. "body[1].shape.radius"
  int line = 0;      // 1-based; 0: unknown
  int column = 0;
};

struct Error {
  Place place;
  std::string message;  // what is wrong, with the offending value
  std::string remedy;   // what to do about it; may be empty
};
using Errors = std::vector<Error>;

// "scene.toml:41:10 body[1].shape: control net needs 4 x 4 points, has 15 (remedy)"
std::string to_string(const Error& error);

// A tag that marks the unhappy alternative on construction: return Unexpected{error}.
template <class E>
struct Unexpected {
  E error;
};
template <class E>
Unexpected(E) -> Unexpected<E>;

// An error without a place: whoever knows where the value was written adds it.
Unexpected<Error> refuse(std::string message, std::string remedy);

// Same member names as std::expected (C++23).
template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Unexpected<E> e) : content_(std::in_place_index<1>, std::move(e.error)) {}

  bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & {
    OLOID_EXPECT(has_value());
    return *std::get_if<0>(&content_);
  }
  const T& value() const& {
    OLOID_EXPECT(has_value());
    return *std::get_if<0>(&content_);
  }
  T&& value() && {
    OLOID_EXPECT(has_value());
    return std::move(*std::get_if<0>(&content_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const E& error() const {
    OLOID_EXPECT(!has_value());
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, E> content_;
};

}  // namespace oloid::base
